"""Carries out one check or simulation for the language server: a request as JSON on stdin, the answer on stdout.

A process of its own: it can be ended at any time, and a crash of generated code does not take the server along.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

from clew.core.diagnostics import Diagnostic, InputError, Span
from clew.core.engines import Limits
from clew.core.registry import LoadedModel, language_of
from clew.core.simulate import Simulation
from clew.core.traces import Trace
from clew.host.checking import CheckOptions, ModelOptions, check_model, load_text
from clew.host.spaces import reference_space
from clew.report.diagnostics import diagnostics_text
from clew.report.result_json import overall_verdict
from clew.report.result_text import check_text
from clew.report.trace_text import trace_text

MOST_STEPS = 200  # of a counterexample that are given as places; the document has all of them


def main() -> None:
    request = json.load(sys.stdin)
    out, sys.stdout = sys.stdout, sys.stderr  # a model program may print
    try:
        answer = _simulated(request) if request["task"] == "simulate" else _checked(request)
    except InputError as error:
        text = diagnostics_text(error.diagnostics, sources={request["path"]: request["text"]})
        answer = {"verdict": "bad input", "text": text, "findings": [_of_diagnostic(d) for d in error.diagnostics]}
    json.dump(answer, out)


def _model(request: dict[str, Any]) -> tuple[LoadedModel, ModelOptions]:
    # Settings are for all files: to a language that does not know them they say nothing.
    entry = language_of(request["path"], request["text"])
    switches = tuple((name, value) for name, value in request["switches"].items() if f"--{name}" in entry.options)
    options = ModelOptions(None, dict(request["defines"]), tuple(request["include"]), switches=switches)
    return load_text(request["path"], request["text"], options), options


def _checked(request: dict[str, Any]) -> dict[str, Any]:
    model, options = _model(request)
    properties = (request["property"],) if request["property"] else ()
    limits = Limits(seconds=request["seconds"], memory=request["bytes"])
    result = check_model(model, options, CheckOptions(properties=properties, limits=limits))
    findings = [
        {"property": d.property.name, "message": d.reason or d.property.text, **_steps(d.trace, d.property.span)}
        for d in result.decisions
        if d.verdict == "violated"
    ]
    text = check_text(result, sources=dict(model.files), detail=0)
    return {"verdict": overall_verdict(result), "text": text, "findings": findings}


def _simulated(request: dict[str, Any]) -> dict[str, Any]:
    model, _ = _model(request)
    chance = random.Random(request["seed"])
    simulation: Simulation[Any, Any] = Simulation(reference_space(model))
    while len(simulation) < request["steps"] and not simulation.violations:
        moves = list(simulation.space.moves(simulation.state))
        if not moves:
            break
        simulation.take(chance.choice(moves))
    trace = simulation.trace()
    wrong = "; ".join(violation.message for violation in simulation.violations)
    findings = [{"property": "simulation", "message": wrong, **_steps(trace, None)}] if wrong else []
    ended = wrong or f"stopped after {len(simulation)} steps"
    text = f"{request['path']}: a random run, seed {request['seed']}: {ended}\n\n"
    text += trace_text(trace, sources=dict(model.files))
    return {"verdict": "violated" if wrong else "no violation met", "text": text, "findings": findings}


def _steps(trace: Trace | None, declared: Span | None) -> dict[str, Any]:
    """Where it goes wrong, and the way there. A long way is cut at its beginning."""
    steps = [] if trace is None else [s for s in trace.steps if s.span.line > 0]
    place = steps[-1].span if steps else declared or Span("", 0)
    lines = [
        {"span": _span(step.span), "text": f"{number}. {step.process}({step.pid}): {step.text}"}
        for number, step in enumerate(steps, start=1)
    ]
    return {"span": _span(place), "steps": lines[-MOST_STEPS:]}


def _of_diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    return {"property": diagnostic.code, "message": diagnostic.message, "span": _span(diagnostic.span), "steps": []}


def _span(span: Span) -> list[Any]:
    return [span.file, span.line, span.column, span.length]


if __name__ == "__main__":
    main()
