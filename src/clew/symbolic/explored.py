"""A system with its reachable states, under limits: built, explored, and built larger if it turns out too small."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from clew.core.engines import Limits, Observer, Progress
from clew.core.lowering.subject import Subject
from clew.core.properties import Violation
from clew.core.types import scalars
from clew.solvers.bdd import CuddDiagrams, Diagrams, Function
from clew.solvers.bdd_oxidd import OxiddDiagrams
from clew.symbolic.encoding import Encoding
from clew.symbolic.reachability import Schedule, reachable
from clew.symbolic.relation import Relation

REPORT_SECONDS = 0.5
MEMORY = 6 << 30  # bytes for diagrams, unless a limit is given
FIRST_GRANT = 128 << 20


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
            if self.is_late:
                self.states = encoding.count(states)
                raise Stopped("time")
            now = self.seconds
            if self.observer is not None and now >= self.next_report:
                self.next_report = now + REPORT_SECONDS
                self.states, self.bytes = encoding.count(states), encoding.diagrams.bytes()
                nodes = encoding.diagrams.live_nodes()
                self.observer(Progress(self.states, 0, self.rounds, nodes, now, self.bytes))

        return watch

    def look_at_the_clock(self) -> None:
        """Raises Stopped."""
        if self.is_late:
            raise Stopped("time")

    @property
    def is_late(self) -> bool:
        return self.limits.seconds is not None and self.seconds > self.limits.seconds

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


def make_diagrams(kind: str, memory: int, threads: int, bits: int) -> Diagrams:
    """Raises Unavailable if the library is not installed."""
    return CuddDiagrams(memory) if kind == "cudd" else OxiddDiagrams(memory, threads, bits)


def grants(limits: Limits) -> Iterator[int]:
    """Bytes for diagrams, more each time. Where time is limited they are few at first: an operation on diagrams cannot
    be interrupted, but ends when they are used up."""
    most = limits.memory or MEMORY
    granted = most if limits.seconds is None else min(FIRST_GRANT, most)
    while granted < most:
        yield granted
        granted *= 4
    yield most


def explored(subject: Subject, watcher: Watcher, options: dict[str, Any], memory: int) -> Explored:
    """Raises Stopped if time is over, MemoryError, NotLowered if there is no end to enlarging, Unavailable, Beyond."""
    schedule: Schedule = options.get("schedule", "saturate")
    while True:
        bits = sum(type_.bits for variable in subject.system.variables for _, type_ in scalars(variable.type))
        kind, threads = options.get("diagrams", "oxidd"), options.get("workers") or 1
        diagrams = make_diagrams(kind, memory, threads, bits)
        encoding = Encoding(subject.system, diagrams)
        relation = Relation(encoding, watcher.look_at_the_clock)
        if options.get("sift"):
            diagrams.sift()
        start = diagrams.both(encoding.condition(subject.system.initial), encoding.universe)
        reached = reachable(relation, start, schedule, watcher.watching(encoding))
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
