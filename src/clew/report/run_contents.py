"""What of a result goes into a run."""

from __future__ import annotations

from collections.abc import Sequence

from clew.core.results import Result
from clew.core.traces import trace_to_json
from clew.host.runs import RunContents
from clew.report.result_json import result_json


def run_contents(command: str, path: str, files: Sequence[tuple[str, str]], result: Result) -> RunContents:
    """Result, traces (in the order of the properties) and texts, ready to be saved."""
    traces = [trace_to_json(d.trace) for d in result.decisions if d.trace is not None]
    return RunContents(command, path, result.options, files, result_json(result), traces)
