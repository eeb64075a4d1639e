"""One state for the page: values, places of the processes, what is true of it, and the steps that can be taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clew.core.diagnostics import Span
from clew.core.traces import TraceStep
from clew.report.explorer.book import StateBook
from clew.report.explorer.propositions import StateProperty
from clew.report.trace_text import message_text, process_name


class StateWriter:
    """Writes states of one model. `places`: numbers of its files."""

    def __init__(self, book: StateBook, properties: Sequence[StateProperty], places: Mapping[str, int]) -> None:
        self.book = book
        self.properties = properties
        self.places = places

    def state(self, number: int, before: int | None = None) -> dict[str, Any]:
        """`before`: the state that the walk came from; what is different there is marked."""
        book = self.book
        described = book.describe(number)
        old = described.values if before is None else book.describe(before).values
        state = book.state(number)
        names = [*described.values, *(name for name in old if name not in described.values)]
        return {
            "id": number,
            "values": [
                {
                    "name": name,
                    "value": described.values.get(name),
                    "changed": old.get(name) != described.values.get(name),
                }
                for name in names
            ],
            "processes": [
                {
                    "pid": p.pid,
                    "title": process_name(p.name, p.pid) or "the model",
                    "template": p.name,
                    "location": p.location,
                    "place": self.place(p.span),
                }
                for p in described.processes
            ],
            "control": described.control,
            "transient": book.transient(number),
            "trouble": list(book.trouble(number)),
            "ends": book.ends(number),
            "properties": [{"text": p.text, "holds": p.holds(state), "good": p.good} for p in self.properties],
            "offers": [self.offer(number, choice) for choice in range(len(book.offers(number)))],
        }

    def offer(self, number: int, choice: int) -> dict[str, Any]:
        """A step that can be taken, and whether its target has been looked at before."""
        offer = self.book.offers(number)[choice]
        return {
            **self.step(self.book.step(number, choice)),
            "choice": choice,
            "target": offer.target,
            "known": offer.target is not None and self.book.expanded(offer.target),
            "trouble": list(offer.trouble),
        }

    def step(self, step: TraceStep) -> dict[str, Any]:
        return {
            "pid": step.pid,
            "title": process_name(step.process, step.pid) or "the model",
            "text": step.text,
            "partner": None
            if step.partner is None
            else {
                "pid": step.partner,
                "title": process_name(step.partner_process, step.partner),
                "text": step.partner_text,
            },
            "place": self.place(step.span),
            "message": message_text(step),
            "changes": [[name, old, new] for name, (old, new) in step.changes.items()],
            "output": [line.rstrip("\n") for line in step.output],
        }

    def place(self, span: Span | None) -> list[int] | None:
        """File, line, column and length."""
        if span is None or span.line <= 0 or span.file not in self.places:
            return None
        return [self.places[span.file], span.line, span.column, span.length]
