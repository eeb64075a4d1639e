"""A system with its reachable states, under limits: built, explored, and built larger if it turns out too small."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from clew.core.engines import Limits, Observer, Progress
from clew.core.lowering.subject import Subject
from clew.core.properties import Violation
from clew.core.types import scalars
from clew.solvers.bdd import CuddDiagrams, Diagrams, Full, Function
from clew.solvers.bdd_oxidd import OxiddDiagrams
from clew.symbolic.encoding import Encoding
from clew.symbolic.reachability import Schedule, reachable
from clew.symbolic.relation import Relation

REPORT_SECONDS = 0.5
MEMORY = 6 << 30  # bytes for diagrams, unless a limit is given


class Stopped(Exception):
    """A limit was hit; its name."""


@dataclass(slots=True)
class Watcher:
    """Looks at clocks and limits between operations on diagrams."""

    limits: Limits
    observer: Observer | None
    begin: float = field(default_factory=time.monotonic)
    next_report: float = 0.0
    rounds: int = 0
    states: int = 0
    bytes: int = 0

    def watching(self, encoding: Encoding) -> Callable[[Function], None]:
        def watch(states: Function) -> None:
            self.rounds += 1
            now = time.monotonic() - self.begin
            if self.limits.seconds is not None and now > self.limits.seconds:
                self.states = encoding.count(states)
                raise Stopped("time")
            if self.observer is not None and now >= self.next_report:
                self.next_report = now + REPORT_SECONDS
                self.states, self.bytes = encoding.count(states), encoding.diagrams.bytes()
                nodes = encoding.diagrams.live_nodes()
                self.observer(Progress(self.states, 0, self.rounds, nodes, now, self.bytes))

        return watch

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.begin


@dataclass(slots=True)
class Explored:
    """All that was built, and the reachable states."""

    subject: Subject
    encoding: Encoding
    relation: Relation
    reached: Function

    @property
    def states(self) -> int:
        """Those between steps."""
        inside = self.encoding.condition(self.subject.system.transient)
        return self.encoding.count(self.encoding.diagrams.without(self.reached, inside))


def make_diagrams(kind: str, memory: int | None, threads: int, bits: int) -> Diagrams:
    """Raises Unavailable if the library is not installed."""
    if kind == "cudd":
        return CuddDiagrams(memory or MEMORY)
    return OxiddDiagrams(memory or MEMORY, threads, bits)


def explored(subject: Subject, watcher: Watcher, options: dict[str, Any]) -> Explored:
    """Raises Stopped when a limit is hit, NotLowered if there is no end to enlarging, Unavailable, Beyond."""
    schedule: Schedule = options.get("schedule", "saturate")
    while True:
        bits = sum(type_.bits for variable in subject.system.variables for _, type_ in scalars(variable.type))
        kind, threads = options.get("diagrams", "oxidd"), options.get("workers") or 1
        diagrams = make_diagrams(kind, watcher.limits.memory, threads, bits)
        try:
            encoding = Encoding(subject.system, diagrams)
            relation = Relation(encoding)
            if options.get("sift"):
                diagrams.sift()
            start = diagrams.both(encoding.condition(subject.system.initial), encoding.universe)
            reached = reachable(relation, start, schedule, watcher.watching(encoding))
        except (MemoryError, Full) as error:
            raise Stopped("memory") from error
        beyond = _beyond(relation, reached)
        if not beyond:
            watcher.bytes = max(watcher.bytes, diagrams.bytes())
            return Explored(subject, encoding, relation, reached)
        assert subject.enlarged is not None
        subject = subject.enlarged(beyond)


def _beyond(relation: Relation, reached: Function) -> frozenset[Violation]:
    """What is reached that the system has no room for."""
    diagrams = relation.diagrams
    return frozenset(
        violation
        for violation, condition in relation.errors.items()
        if violation.kind == "bound" and not diagrams.same(diagrams.both(reached, condition), diagrams.false)
    )
