"""Graphs of states for the page (`clew.states/1`): all of them when there are few, classes of them when there are many.

Exploring is done in slices, so that no request takes long; the states come in breadth-first order, whatever the slices.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from clew.report.explorer.book import StateBook
from clew.report.explorer.layouts import by_forces, layered
from clew.report.graphs.figure import Edge, Graph, Node
from clew.report.graphs.layout import layout
from clew.report.graphs.state_graph import step_label
from clew.report.trace_text import process_name

Arrangement = Literal["layered", "force"]
FEW = 60  # nodes: then each is a box with its values, and edges have labels
MOST_LABELS = 3  # of an edge between classes
MOST_CLASSES = 600  # more are no summary
MOST_COLOURS = 8
SLICE = 0.06  # seconds of exploring in one request
Classify = Callable[[int], str]


class Growth:
    """The reachable states as far as they have been explored, breadth first."""

    def __init__(self, book: StateBook) -> None:
        self.book = book
        self.order: list[int] = list(book.initial)
        self._known = set(self.order)
        self._waiting = deque(self.order)

    @property
    def complete(self) -> bool:
        return not self._waiting and not self.book.more_initial

    def grow(self, most: int, seconds: float = SLICE) -> bool:
        """Goes on until there are `most` states, or the time is over. Whether it should be called again."""
        until = time.monotonic() + seconds
        while self._waiting and len(self.order) < most:
            for offer in self.book.offers(self._waiting.popleft()):
                if offer.target is not None and offer.target not in self._known:
                    self._known.add(offer.target)
                    self.book.describe(offer.target)  # needed for every picture; here it is done in slices
                    self.order.append(offer.target)
                    self._waiting.append(offer.target)
            if time.monotonic() > until:
                return True
        return False

    def states(self, most: int) -> list[int]:
        return self.order[:most]


@dataclass(slots=True)
class _Drawn:
    """Nodes and edges before they have places. An edge: source, target, labels, whether something goes wrong in it."""

    members: list[list[int]] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    edges: dict[tuple[int, int], tuple[list[tuple[int, int]], bool]] = field(default_factory=dict)

    def join(self, source: int, target: int, step: tuple[int, int], wrong: bool) -> None:
        steps, was_wrong = self.edges.get((source, target), ([], False))
        steps.append(step)
        self.edges[source, target] = (steps, was_wrong or wrong)


class Graphs:
    """Draws parts of a book."""

    def __init__(self, book: StateBook) -> None:
        self.book = book

    def of_states(self, states: Sequence[int], arrangement: Arrangement) -> dict[str, Any]:
        """Each state a node."""
        drawn = _Drawn([[number] for number in states], [f"#{number}" for number in states])
        place = {number: at for at, number in enumerate(states)}
        for number in states:
            if not self.book.expanded(number):
                continue
            for choice, offer in enumerate(self.book.offers(number)):
                if offer.target in place:
                    drawn.join(place[number], place[offer.target], (number, choice), bool(offer.trouble))
        if len(states) <= FEW:
            varying = self._varying(states)
            lines = [[f"#{number}", *self._lines(number, varying)] for number in states]
        else:
            lines = [[title] for title in drawn.titles]
        return self._placed(drawn, lines, arrangement)

    def of_classes(self, states: Sequence[int], classify: Classify, arrangement: Arrangement) -> dict[str, Any]:
        """States that look the same are one node. Raises ValueError if these are too many."""
        classes: dict[str, int] = {}
        place: dict[int, int] = {}
        drawn = _Drawn()
        for number in states:
            name = classify(number)
            at = classes.setdefault(name, len(classes))
            if at == len(drawn.members):
                if at >= MOST_CLASSES:
                    raise ValueError(f"more than {MOST_CLASSES} different values: choose something coarser")
                drawn.members.append([])
                drawn.titles.append(name)
            drawn.members[at].append(number)
            place[number] = at
        for number in states:
            if not self.book.expanded(number):
                continue
            for choice, offer in enumerate(self.book.offers(number)):
                if offer.target in place and place[offer.target] != place[number]:
                    drawn.join(place[number], place[offer.target], (number, choice), bool(offer.trouble))
        lines = [
            [*title.split("\n"), f"{len(members):,} state{'s' if len(members) > 1 else ''}"]
            for title, members in zip(drawn.titles, drawn.members, strict=True)
        ]
        return self._placed(drawn, lines, arrangement)

    def _placed(self, drawn: _Drawn, lines: list[list[str]], arrangement: Arrangement) -> dict[str, Any]:
        book, few = self.book, len(lines) <= FEW
        initial = set(book.initial)
        starts = [at for at, members in enumerate(drawn.members) if any(n in initial for n in members)]
        kinds = [self._kind(members) for members in drawn.members]
        pairs = list(drawn.edges)
        labels = [self._labels(steps) if few else "" for steps, _ in drawn.edges.values()]
        routes: list[list[list[float]]] = [[] for _ in pairs]
        sizes: list[tuple[float, float]] = [(14.0, 14.0)] * len(lines)
        if few and lines:
            graph = Graph(
                "",
                tuple(Node(tuple(text), at in starts) for at, text in enumerate(lines)),
                tuple(Edge(*pair, label) for pair, label in zip(pairs, labels, strict=True)),
            )
            plan = layout(graph)
            sizes = [(box.width, box.height) for box in plan.boxes]
            points = [(box.x, box.y) for box in plan.boxes]
            routes = [[[round(x, 1), round(y, 1)] for x, y in route] for route in plan.routes]
        if not few and arrangement == "layered":
            points = layered(len(lines), pairs, starts)
        if arrangement == "force" or not lines:
            points = by_forces(len(lines), pairs, starts)
            routes = [[] for _ in pairs]
            if few and lines:  # boxes need more room than dots
                points = [(x * 3.2, y * 2.2) for x, y in points]
        return {
            "schema": "clew.states/1",
            "few": few,
            "nodes": [
                {
                    "states": members[:1] if len(members) > 1 else members,
                    "size": len(members),
                    "lines": text,
                    "kind": kind,
                    "initial": at in starts,
                    "at": [round(point[0], 1), round(point[1], 1)],
                    **({"box": [round(size[0], 1), round(size[1], 1)]} if few else {}),
                }
                for at, (members, text, kind, point, size) in enumerate(
                    zip(drawn.members, lines, kinds, points, sizes, strict=True)
                )
            ],
            "edges": [
                {
                    "from": source,
                    "to": target,
                    "wrong": wrong,
                    **({"label": label, "steps": len(steps), "route": route} if few else {}),
                }
                for (source, target), (steps, wrong), label, route in zip(
                    pairs, drawn.edges.values(), labels, routes, strict=True
                )
            ],
        }

    def _kind(self, members: Sequence[int]) -> str:
        """The worst of what is in a class: wrong, end, open (one state, not expanded), transient, plain."""
        found = "transient"
        alone = len(members) == 1
        for number in members:
            if not self.book.expanded(number):
                found = "open" if alone else "plain" if found == "transient" else found
                continue
            if self.book.trouble(number) or any(offer.target is None for offer in self.book.offers(number)):
                return "wrong"
            if self.book.ends(number):
                found = "end"
            elif found == "transient" and not self.book.transient(number):
                found = "plain"
        return found

    def _labels(self, steps: Sequence[tuple[int, int]]) -> str:
        texts = dict.fromkeys(step_label(self.book.step(*step)) for step in steps[: 4 * MOST_LABELS])
        shown = list(texts)[:MOST_LABELS]
        more = len(texts) - len(shown)
        return " / ".join(shown) + (f" / {more} more" if more > 0 else "")

    def _varying(self, states: Sequence[int]) -> list[str]:
        described = [self.book.describe(number).values for number in states]
        names = dict.fromkeys(name for values in described for name in values)
        return [name for name in names if len({values.get(name) for values in described}) > 1]

    def _lines(self, number: int, varying: Sequence[str]) -> list[str]:
        state = self.book.describe(number)
        lines = [f"{process_name(p.name, p.pid)} :{p.span.line}" for p in state.processes if p.span.line > 0]
        lines += [f"{name} = {state.values[name]}" for name in varying if name in state.values]
        return lines if len(lines) <= 7 else [*lines[:6], "…"]


def colours(states: Sequence[int], classify: Classify) -> tuple[list[str], dict[int, int]]:
    """The commonest values, each with a colour of its own, and the colour of each state; 0 is all other values."""
    values = {number: classify(number) for number in states}
    counts: dict[str, int] = {}
    for value in values.values():
        counts[value] = counts.get(value, 0) + 1
    common = sorted(counts, key=lambda value: (-counts[value], value))[: MOST_COLOURS - 1]
    if len(counts) == MOST_COLOURS:
        common = sorted(counts, key=lambda value: (-counts[value], value))
    common.sort(key=_natural)
    colour = {value: at for at, value in enumerate(common, start=1)}
    return common, {number: colour.get(value, 0) for number, value in values.items()}


def _natural(text: str) -> tuple[int, int, str]:
    return (0, int(text), "") if text.lstrip("-").isdigit() else (1, 0, text)


def by_process(book: StateBook, title: str) -> Classify:
    """By where a process is."""

    def classify(number: int) -> str:
        for process in book.describe(number).processes:
            if process_name(process.name, process.pid) == title:
                line = f"line {process.span.line}" if process.span.line > 0 else ""
                return f"{title} at {process.location}\n{line}".strip()
        return f"{title} not there"

    return classify


def together(parts: Sequence[Classify]) -> Classify:
    """By several things at once."""

    def classify(parts: Sequence[Classify], number: int) -> str:
        return "\n".join(part(number) for part in parts)

    return partial(classify, parts)
