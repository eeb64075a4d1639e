"""What of a result goes into a run."""

from __future__ import annotations

from collections.abc import Sequence

from clew.core.engines import Progress
from clew.core.results import Result
from clew.core.traces import trace_to_json
from clew.host.runs import RunContents
from clew.host.samples import samples_json
from clew.report.result_json import result_json


def run_contents(
    command: str, path: str, files: Sequence[tuple[str, str]], result: Result, samples: Sequence[Progress] = ()
) -> RunContents:
    """Result, traces (in the order of the properties), texts and samples of the search, ready to be saved."""
    traces = [trace_to_json(d.trace) for d in result.decisions if d.trace is not None]
    kept = samples_json(samples) if samples else None
    return RunContents(command, path, result.options, files, result_json(result), traces, kept)
