"""A result as `clew.result/1`, the form other programs read. Every field is defined in docs/json.md."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from clew.core.diagnostics import NOWHERE, Diagnostic, Severity
from clew.core.omission.advice import Omission
from clew.core.results import SCHEMA, Decision, Reduced, Result, Statistics, Verdict
from clew.core.traces import trace_to_json
from clew.report.diagnostics import diagnostic_json

SEVERAL_SCHEMA = "clew.results/1"


def result_json(result: Result) -> dict[str, Any]:
    """One object of plain JSON values, in a fixed order of fields."""
    omission = {} if result.omission is None else {"omission": _omission_json(result.omission)}
    return {
        "schema": SCHEMA,
        "model": result.model,
        "language": result.language,
        "engine": result.engine,
        "options": result.options,
        "verdict": overall_verdict(result),
        "properties": [_decision_json(decision) for decision in result.decisions],
        "statistics": _statistics_json(result.statistics),
        **omission,
        "limits_hit": list(result.limits_hit),
        "warnings": [diagnostic_json(warning) for warning in (*result.warnings, *_as_diagnostics(result.notes))],
    }


def results_json(results: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The answer for several files; a file that could not be read has a `clew.diagnostics/1` object in its place."""
    return {"schema": SEVERAL_SCHEMA, "results": list(results)}


def overall_verdict(result: Result) -> Verdict:
    """The verdict over all properties. With none (a count) `holds` says no more than that everything was explored."""
    if not result.decisions and not result.statistics.complete:
        return "unknown"
    return result.verdict


def _as_diagnostics(notes: Iterable[str]) -> Iterable[Diagnostic]:
    """What an engine remarks (a reduction it switched off, say) has no place in the source."""
    return (Diagnostic(Severity.NOTE, "engine", note, NOWHERE) for note in notes)


def _statistics_json(figures: Statistics) -> dict[str, Any]:
    """What an engine does not count or measure is null."""
    states = figures.states > 0  # a solver sees none
    return {
        "states": figures.states if states else None,
        "stored": figures.stored if states else None,
        "transitions": figures.transitions if states and figures.counts_transitions else None,
        "depth": figures.depth if states and figures.counts_depth else None,
        "seconds": round(figures.seconds, 6),
        "peak_bytes": figures.peak_bytes or None,
        "bytes_per_state": round(figures.bytes_per_state, 2) or None,
        "complete": figures.complete,
        "reduction": _reduction_json(figures.reduced),
    }


def _omission_json(omission: Omission) -> dict[str, Any]:
    return asdict(omission)


def _reduction_json(reduced: Reduced | None) -> dict[str, Any] | None:
    if reduced is None:
        return None
    return {
        "name": reduced.name,
        "proviso": reduced.proviso,
        "states": reduced.states,
        "forced": reduced.forced,
        "sound": reduced.sound,
    }


def _decision_json(decision: Decision) -> dict[str, Any]:
    return {
        "name": decision.property.name,
        "kind": decision.property.kind,
        "verdict": decision.verdict,
        "reason": decision.reason,
        "evidence": {"kind": decision.evidence.kind, "text": decision.evidence.text},
        "trace": None if decision.trace is None else trace_to_json(decision.trace),
    }
