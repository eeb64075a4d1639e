"""What of a result goes into a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from clew.core.certificates import Certificate, certificate_json
from clew.core.engines import Progress
from clew.core.properties import PropertyKind
from clew.core.results import Result
from clew.core.traces import trace_to_json
from clew.host.runs import RunContents
from clew.host.samples import samples_json
from clew.report.result_json import result_json


def run_contents(
    command: str, path: str, files: Sequence[tuple[str, str]], result: Result, samples: Sequence[Progress] = ()
) -> RunContents:
    """Result, traces (in the order of the properties), certificates, texts and samples, ready to be saved."""
    traces = [trace_to_json(d.trace) for d in result.decisions if d.trace is not None]
    kept = samples_json(samples) if samples else None
    proofs = _certificates(result)
    return RunContents(command, path, result.options, files, result_json(result), traces, kept, proofs)


def _certificates(result: Result) -> list[dict[str, Any]]:
    """Each proof once, with everything that it proves."""
    proved: dict[Certificate, list[tuple[str, PropertyKind]]] = {}
    for decision in result.decisions:
        if decision.certificate is not None:
            proved.setdefault(decision.certificate, []).append((decision.property.name, decision.property.kind))
    return [certificate_json(replace(proof, proves=tuple(names))) for proof, names in proved.items()]
