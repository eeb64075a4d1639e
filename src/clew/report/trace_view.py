"""A trace as one JSON object (`clew.view/1`) that the trace viewer in `page/` draws, from a server or inside a file.

Variables, processes and files are listed once and named by their place in the list; a step says only what it changed.
So a view of 500 steps with 60 variables stays small, and the viewer needs no other source of data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from clew.core.diagnostics import Span
from clew.core.records import record
from clew.core.traces import Trace, TraceState, TraceStep, trace_to_json
from clew.report.mermaid import mermaid
from clew.report.plantuml import plantuml
from clew.report.sequence import Action, Arrow, Divider, SequenceChart, sequence_chart
from clew.report.trace_text import (
    after_the_last_step,
    message_text,
    owner_of,
    process_name,
    short_names,
    with_short_names,
)

SCHEMA = "clew.view/1"


@record
class Watch:
    """An expression with its value in the first state and after each step; `error`: why it has none."""

    text: str
    values: tuple[str, ...] = ()
    error: str = ""


@record
class About:
    """What a trace is shown as."""

    title: str  # the model, as people call it
    property: str = ""  # what it is a counterexample to, or a witness of
    kind: str = "counterexample"  # or "witness", "walk"


def trace_view(
    trace: Trace,
    sources: Mapping[str, str],
    about: About,
    watches: Sequence[Watch] = (),
    *,
    with_exports: bool = False,
) -> dict[str, Any]:
    """The `clew.view/1` object. `with_exports`: also the forms that a page without a server
    cannot ask for, Mermaid, PlantUML and the trace itself."""
    table = _Table(trace, sources)
    chart = sequence_chart(trace, every_step=True)
    view: dict[str, Any] = {
        "schema": SCHEMA,
        "title": about.title,
        "property": about.property,
        "kind": about.kind,
        "reason": with_short_names(trace.reason, table.short),
        "loop": trace.loop,
        "goes_on": "" if trace.loop is None else after_the_last_step(trace),
        "files": [{"name": name, "short": table.short[name], "text": sources.get(name, "")} for name in table.files],
        "processes": [{"pid": pid, "name": name, "title": title} for pid, name, title in table.processes],
        "variables": [{"name": name, "owner": table.owner(name)} for name in table.variables],
        "initial": table.state(trace.initial),
        "steps": [table.step(step) for step in trace.steps],
        "chart": _chart_json(chart, trace),
        "watches": [watch_json(watch) for watch in watches],
        "branches": [
            {"at": b.at, "reason": b.reason, "view": trace_view(b.trace, sources, About(about.title, b.reason, "run"))}
            for b in trace.branches
        ],
    }
    if with_exports:
        messages = sequence_chart(trace)
        view["exports"] = {
            "mermaid": mermaid(messages),
            "plantuml": plantuml(messages),
            "trace": trace_to_json(trace),
        }
    return view


def watch_json(watch: Watch) -> dict[str, Any]:
    return {"text": watch.text, "values": list(watch.values), "error": watch.error}


class _Table:
    """The lists that the rest of a view refers to."""

    def __init__(self, trace: Trace, sources: Mapping[str, str]) -> None:
        states = (trace.initial, trace.final)
        names = dict.fromkeys(name for state in states[:1] for name in state.values)
        names.update(dict.fromkeys(name for step in trace.steps for name in step.changes))
        self.variables = tuple(names)
        self.variable_places = {name: place for place, name in enumerate(self.variables)}
        found: dict[tuple[int, str], None] = {}
        for process in trace.initial.processes:
            found[process.pid, process.name] = None
        for step in trace.steps:
            found[step.pid, step.process] = None
            if step.partner is not None:
                found[step.partner, step.partner_process] = None
        for process in trace.final.processes:
            found[process.pid, process.name] = None
        self.processes = [(pid, name, process_name(name, pid) or "the model") for pid, name in sorted(found)]
        self.process_places = {(pid, name): place for place, (pid, name, _) in enumerate(self.processes)}
        spans = [span for step in trace.steps for span in (step.span, step.partner_span, *step.parts)]
        spans += [process.span for state in states for process in state.processes]
        used = dict.fromkeys(span.file for span in spans if span is not None and span.line > 0)
        self.files = tuple(dict.fromkeys((*sources, *used)))
        self.short = short_names(self.files)
        self.file_places = {name: place for place, name in enumerate(self.files)}

    def owner(self, variable: str) -> int | None:
        """The process that a local variable belongs to."""
        wanted = owner_of(variable)
        return next((place for place, (_, _, title) in enumerate(self.processes) if title == wanted), None)

    def place(self, span: Span | None) -> list[int] | None:
        """File, line, column and length."""
        if span is None or span.line <= 0:
            return None
        return [self.file_places[span.file], span.line, span.column, span.length]

    def state(self, state: TraceState) -> dict[str, Any]:
        return {
            "values": [state.values.get(name) for name in self.variables],
            "processes": [
                {"process": self.process_places[p.pid, p.name], "location": p.location, "place": self.place(p.span)}
                for p in state.processes
            ],
        }

    def step(self, step: TraceStep) -> dict[str, Any]:
        found: dict[str, Any] = {
            "process": self.process_places[step.pid, step.process],
            "text": step.text,
            "place": self.place(step.span),
            "changes": [[self.variable_places[name], new] for name, (_, new) in step.changes.items()],
        }
        further = {
            "parts": [place for place in map(self.place, step.parts) if place],
            "message": message_text(step),
            "output": [line.rstrip("\n") for line in step.output],
            "note": with_short_names(step.note, self.short),
            "transient": step.transient,
        }
        found |= {name: value for name, value in further.items() if value}
        if step.partner is not None:
            found["partner"] = self.process_places[step.partner, step.partner_process]
            found["partner_text"] = step.partner_text
            found["partner_place"] = self.place(step.partner_span)
        return found


def _chart_json(chart: SequenceChart, trace: Trace) -> dict[str, Any]:
    """Lanes and events; each event has the number of its step among those that are shown, dividers none."""
    events: list[dict[str, Any]] = []
    numbers = accumulate(step.stands_for for step in trace.steps)
    shown = {number: place for place, number in enumerate(numbers, 1)}
    for event in chart.events:
        match event:
            case Arrow(step, sender, receiver, label, waited):
                found = {"kind": "arrow", "step": shown[step], "from": sender, "to": receiver, "label": label}
                events.append({**found, "waited": waited})
            case Action(step, lane, label, kind):
                events.append({"kind": kind, "step": shown[step], "lane": lane, "label": label})
            case Divider(label):
                events.append({"kind": "divider", "label": label})
    return {"lanes": [lane.title for lane in chart.lanes], "events": events}
