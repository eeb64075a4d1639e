"""Breadth-first and depth-first search over any `StateSpace`, with limits, progress reports and partial results."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from clew.core.engines import Limits, Observer, Progress
from clew.core.expand import Expansion, Found, expand
from clew.core.properties import About, Violation
from clew.core.records import record
from clew.core.results import Statistics
from clew.core.statespace import StateSpace
from clew.reference.memory import resident_bytes

S = TypeVar("S")
M = TypeVar("M")

REPORT_SECONDS = 0.2
SAMPLE_STATES = 1000


@record
class Hit(Generic[S, M]):
    """A violation and how to reach it: an initial state and the steps from there."""

    violation: Violation
    start: S
    path: tuple[M, ...]


@dataclass(slots=True)
class Findings(Generic[S, M]):
    """What a search found: the best violation of each property, figures, and which limits ended it."""

    hits: dict[About, Hit[S, M]]
    statistics: Statistics
    limits_hit: tuple[str, ...]
    loops: bool  # a loop of transient states was met
    ignored: frozenset[About]  # violations met that nobody asked for


class Stop(Exception):
    """Ends a search: a limit was hit, or everything asked is known."""


@dataclass(slots=True)
class Run(Generic[S, M]):
    """The book-keeping that searches share."""

    space: StateSpace[S, M]
    wanted: frozenset[About]
    limits: Limits
    observer: Observer | None
    begin: float = field(default_factory=time.monotonic)
    base_bytes: int = field(default_factory=resident_bytes)
    peak_bytes: int = 0
    states: int = 0
    transitions: int = 0
    depth: int = 0
    loops: bool = False
    limits_hit: list[str] = field(default_factory=list)
    ignored: set[About] = field(default_factory=set)
    expanded: int = 0
    next_report: float = 0.0

    def hit_limit(self, name: str) -> None:
        if name not in self.limits_hit:
            self.limits_hit.append(name)

    def stop_at(self, name: str) -> None:
        self.hit_limit(name)
        raise Stop

    @contextmanager
    def ended_early(self) -> Iterator[None]:
        """Around a search: it may stop, be interrupted, or have no memory left; what it has found so far counts."""
        try:
            yield
        except Stop:
            pass
        except KeyboardInterrupt:
            self.hit_limit("interrupt")
        except MemoryError:
            self.hit_limit("memory")

    def count_state(self) -> None:
        if self.limits.states is not None and self.states >= self.limits.states:
            self.stop_at("states")
        self.states += 1

    def expand(self, state: S, steps: int, queue: Callable[[], int]) -> Expansion[S, M]:
        """Expands a state reached by `steps` steps, and looks at clocks and limits."""

        def watch() -> None:
            self.watch(queue)

        watch()
        self.depth = max(self.depth, steps)
        room = None if self.limits.depth is None else self.limits.depth - steps
        result = expand(self.space, state, room, watch)
        if result.cut:
            self.hit_limit("depth")
        self.transitions += result.walks
        self.loops |= result.loops
        self.ignored |= {f.violation.about for f in result.found} - self.wanted
        return result

    def asked(self, result: Expansion[S, M]) -> list[Found[M]]:
        return [found for found in result.found if found.violation.about in self.wanted]

    def watch(self, queue: Callable[[], int]) -> None:
        now = time.monotonic() - self.begin
        if self.expanded % SAMPLE_STATES == 0:
            self.sample_memory()
        self.expanded += 1
        if self.limits.work is not None and self.expanded > self.limits.work:
            self.stop_at("work")
        if self.limits.seconds is not None and now > self.limits.seconds:
            self.stop_at("time")
        if self.observer is not None and now >= self.next_report:
            self.next_report = now + REPORT_SECONDS
            self.observer(Progress(self.states, self.transitions, self.depth, queue(), now, self.peak_bytes))

    def sample_memory(self) -> None:
        used = resident_bytes()
        self.peak_bytes = max(self.peak_bytes, used)
        if self.limits.memory is not None and used > self.limits.memory:
            self.stop_at("memory")

    def findings(self, hits: dict[About, Hit[S, M]], complete: bool) -> Findings[S, M]:
        self.peak_bytes = max(self.peak_bytes, resident_bytes())
        growth = max(0, self.peak_bytes - self.base_bytes)
        statistics = Statistics(
            states=self.states,
            stored=self.states,
            transitions=self.transitions,
            depth=self.depth,
            seconds=time.monotonic() - self.begin,
            peak_bytes=self.peak_bytes,
            bytes_per_state=growth / self.states if self.states else 0.0,
            complete=complete and not self.limits_hit,
        )
        return Findings(hits, statistics, tuple(self.limits_hit), self.loops, frozenset(self.ignored))


def breadth_first(
    space: StateSpace[S, M],
    wanted: frozenset[About],
    limits: Limits,
    keep_going: bool,
    observer: Observer | None = None,
) -> Findings[S, M]:
    """States in order of their distance from the start, in steps (transient states included); so each violation is
    reported with a run as short as any. Without `keep_going` it ends when no shorter run to a found one is possible."""
    run = Run(space, wanted, limits, observer)
    # For each key: distance, key before it (None: a start), steps from there; and the state itself for a start.
    reached: dict[Hashable, tuple[int, Hashable | None, tuple[M, ...]]] = {}
    starts: dict[Hashable, S] = {}
    buckets: dict[int, list[tuple[S, Hashable]]] = {0: []}
    best: dict[About, tuple[int, Violation, Hashable, tuple[M, ...]]] = {}
    complete = False

    def waiting() -> int:
        return sum(len(bucket) for bucket in buckets.values())

    with run.ended_early():
        for state in space.initial():
            key = space.key(state)
            if key not in reached:
                run.count_state()
                reached[key] = (0, None, ())
                starts[key] = state
                buckets[0].append((state, key))
        while buckets:
            distance = min(buckets)
            if not keep_going and any(found[0] <= distance for found in best.values()):
                raise Stop
            for state, key in buckets[distance]:
                if reached[key][0] < distance:
                    continue  # a shorter way was found meanwhile
                result = run.expand(state, distance, waiting)
                for found in run.asked(result):
                    length = distance + len(found.path)
                    kind = found.violation.about
                    if kind not in best or length < best[kind][0]:
                        best[kind] = (length, found.violation, key, found.path)
                for arrival in result.arrivals:
                    after, after_key = arrival.state, space.key(arrival.state)
                    length = distance + len(arrival.path)
                    known = reached.get(after_key)
                    if known is None:
                        run.count_state()
                    elif known[0] <= length:
                        continue
                    reached[after_key] = (length, key, arrival.path)
                    buckets.setdefault(length, []).append((after, after_key))
            del buckets[distance]
        complete = True

    hits: dict[About, Hit[S, M]] = {}
    for kind, (_, violation, last_key, last_path) in best.items():
        current, path = last_key, last_path
        while True:
            _, before, steps = reached[current]
            path = steps + path
            if before is None:
                break
            current = before
        hits[kind] = Hit(violation, starts[current], path)
    return run.findings(hits, complete)


@dataclass(slots=True)
class _Level(Generic[S, M]):
    """A state on the stack: the steps that led to it, and what lies behind it."""

    path: tuple[M, ...]
    steps: int
    arrivals: list[tuple[S, tuple[M, ...]]]  # still to be visited, next one last


def depth_first(
    space: StateSpace[S, M],
    wanted: frozenset[About],
    limits: Limits,
    keep_going: bool,
    observer: Observer | None = None,
) -> Findings[S, M]:
    """Follows the first step of each state first. Without `keep_going` it ends at the first violation."""
    run = Run(space, wanted, limits, observer)
    visited: set[Hashable] = set()
    hits: dict[About, Hit[S, M]] = {}
    stack: list[_Level[S, M]] = []
    complete = False

    def enter(start: S, state: S, path: tuple[M, ...], steps: int) -> None:
        result = run.expand(state, steps, lambda: len(stack))
        for found in run.asked(result):
            if found.violation.about not in hits:
                before = tuple(move for level in stack for move in level.path)
                hits[found.violation.about] = Hit(found.violation, start, before + path + found.path)
        if hits and not keep_going:
            raise Stop
        arrivals = [(arrival.state, arrival.path) for arrival in reversed(result.arrivals)]
        stack.append(_Level(path, steps, arrivals))

    def is_new(state: S) -> bool:
        key = space.key(state)
        if key in visited:
            return False
        run.count_state()
        visited.add(key)
        return True

    with run.ended_early():
        for start in space.initial():
            if is_new(start):
                enter(start, start, (), 0)
            while stack:
                top = stack[-1]
                if not top.arrivals:
                    stack.pop()
                    continue
                state, path = top.arrivals.pop()
                if is_new(state):
                    enter(start, state, path, top.steps + len(path))
        complete = True
    return run.findings(hits, complete)
