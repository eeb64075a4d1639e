"""What a check found, as SARIF findings: violated and undecided properties, and messages about the model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from clew.core.diagnostics import NOWHERE, Span
from clew.core.traces import Trace, TraceStep
from clew.report.documents.material import Judged, Material
from clew.report.result_text import LIMITS
from clew.report.sarif import Finding, Place, finding, sarif_log
from clew.report.trace_text import process_name

RULES = {
    "assertion": "An assertion of the model is never false.",
    "deadlock": "No state is stuck unless it is a valid end.",
    "runtime-error": "No step breaks down.",
    "invariant": "An invariant is true in all reachable states.",
    "ltl": "A temporal formula is true of all runs.",
    "ctl": "A formula of computation tree logic is true in the initial states.",
    "never": "No run is accepted by the never claim.",
    "progress": "No cycle is without progress.",
    "reach": "A state where the condition is true can be reached.",
    "undecided": "A property could not be decided within the limits.",
}


def check_sarif(materials: Sequence[Material], version: str = "") -> dict[str, Any]:
    """One log of one run of the tool, of this version. A violated property stands where its counterexample ends; the
    steps of the counterexample are its code flow."""
    found = [one for material in materials for one in _findings(material)]
    return sarif_log(found, RULES, version)


def _findings(material: Material) -> Iterator[Finding]:
    model = Span(next(iter(material.sources), material.model), 0)
    for judged in material.properties:
        if judged.verdict == "violated":
            steps = () if judged.trace is None else tuple(_steps(judged.trace))
            span = steps[-1][0] if steps else model
            yield Finding(judged.kind, "error", f"{judged.name}: {judged.reason or 'violated'}", span, (), steps)
        elif judged.verdict == "unknown":
            yield Finding("undecided", "warning", _why(material, judged), model)
    yield from (finding(one) for one in material.warnings if one.span != NOWHERE)


def _why(material: Material, judged: Judged) -> str:
    limits = ", ".join(LIMITS.get(limit, limit) for limit in material.limits)
    stopped = f"stopped by {limits}" if limits else ""
    return ": ".join(part for part in (judged.name, judged.reason, stopped) if part)


def _steps(trace: Trace) -> Iterator[Place]:
    for number, step in enumerate(trace.steps):
        again = "the cycle begins: " if number == trace.loop else ""
        if step.span.line > 0:
            yield step.span, f"{again}{_who(step.process, step.pid)}{step.text}{_effect(step)}"
        if step.partner_span is not None and step.partner_span.line > 0:
            yield step.partner_span, f"{_who(step.partner_process, step.partner or 0)}{step.partner_text}"


def _who(process: str, pid: int) -> str:
    name = process_name(process, pid)
    return f"{name}: " if name else ""


def _effect(step: TraceStep) -> str:
    changes = ", ".join(f"{name} = {new}" for name, (_, new) in step.changes.items() if new is not None)
    return f"  [{changes}]" if changes else ""
