"""CTL on an exhausted state space, state by state: the labelling algorithm of Clarke, Emerson and Sistla.

Plain on purpose: symbolic engines are compared with it. States inside indivisible sequences are passed through.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, TypeVar

from clew.core.engines import Limits, Observer
from clew.core.interpreter import NetworkSpace
from clew.core.interpreter.turns import able, movers, turns_taken
from clew.core.statespace import StateSpace
from clew.core.temporal import Ends, Fairness
from clew.logic import formulas as f
from clew.logic.automata import components
from clew.logic.fixpoints import Turn
from clew.reference.search import Run

S = TypeVar("S")
M = TypeVar("M")
Labels = frozenset[int]


@dataclass(slots=True)
class Graph(Generic[S]):
    """All states between steps, by number; the initial ones come first."""

    states: list[S] = field(default_factory=list)
    numbers: dict[Hashable, int] = field(default_factory=dict)
    following: list[list[int]] = field(default_factory=list)
    initial: int = 0
    broke_down: bool = False
    processes: Processes | None = None


@dataclass(slots=True)
class Processes:
    """Who can move in each state, and who moves in each step: its target and the processes."""

    able: list[frozenset[int]] = field(default_factory=list)
    steps: list[list[tuple[int, frozenset[int]]]] = field(default_factory=list)

    def moving(self, inside: Iterable[int]) -> frozenset[int]:
        """The processes that move in steps from one state of the set to another."""
        found = set(inside)
        return frozenset().union(*(moved for n in found for target, moved in self.steps[n] if target in found))


def exhausted(
    space: StateSpace[S, M], limits: Limits, observer: Observer | None = None, fair: Fairness = "none"
) -> tuple[Graph[S], Run[S, M]]:
    """The whole graph, or as much of it as the limits allow (then the run says which was hit); with its processes if
    fairness to them is asked for."""
    run: Run[S, M] = Run(space, frozenset(), limits, observer)
    graph: Graph[S] = Graph()

    def number(state: S) -> int:
        key = space.key(state)
        known = graph.numbers.get(key)
        if known is None:
            run.count_state()
            known = graph.numbers[key] = len(graph.states)
            graph.states.append(state)
        return known

    with run.ended_early():
        for state in space.initial():
            number(state)
        graph.initial = len(graph.states)
        place = 0
        while place < len(graph.states):
            result = run.expand(graph.states[place], 0, lambda: len(graph.states) - place)  # noqa: B023
            graph.broke_down |= any(found.violation.kind == "runtime-error" for found in result.found)
            graph.following.append(sorted({number(arrival.state) for arrival in result.arrivals}))
            place += 1
        if fair != "none" and isinstance(space, NetworkSpace):
            graph.processes = _processes_of(space, graph, lambda: run.watch(lambda: 0))
    return graph, run


def _processes_of(space: NetworkSpace, graph: Graph[Any], watch: Callable[[], None]) -> Processes:
    """A second look at each state."""
    found = Processes()
    for state in graph.states:
        watch()
        found.able.append(able(space, state))
        ways = turns_taken(space, state)
        found.steps.append([(graph.numbers[space.key(after)], movers(moves)) for moves, after in ways])
    return found


class Labelling(Generic[S]):
    """Where basic formulas hold. `holds` decides an atom in a state."""

    def __init__(
        self,
        graph: Graph[S],
        holds: Callable[[f.Atom, S], bool],
        ends: Ends,
        fairness: Sequence[Labels] = (),
        fair: Fairness = "none",
    ) -> None:
        self.holds = holds
        self.kind = fair
        self.processes = graph.processes
        self.states = graph.states
        self.all: Labels = frozenset(range(len(graph.states)))
        self.following = [list(targets) for targets in graph.following]
        self.stuck = frozenset(n for n, targets in enumerate(self.following) if not targets)
        if ends == "stutter":
            for number in self.stuck:
                self.following[number] = [number]
        self.ending = self.stuck if ends == "maximal" else frozenset()
        self.fairness = fairness
        self.preceding: list[list[int]] = [[] for _ in graph.states]
        for number, targets in enumerate(self.following):
            for target in targets:
                self.preceding[target].append(number)
        self._known: dict[f.Formula, Labels] = {}
        restricted = fairness or fair != "none" or ends == "infinite"
        self.fair = self._for_ever(self.all) if restricted else self.all

    def labels(self, formula: f.Formula) -> Labels:
        if formula not in self._known:
            self._known[formula] = self._labels(formula)
        return self._known[formula]

    def _labels(self, formula: f.Formula) -> Labels:
        match formula:
            case f.Constant(value):
                return self.all if value else frozenset()
            case f.Atom():
                return frozenset(n for n in self.all if self.holds(formula, self.states[n]))
            case f.Not(body):
                return self.all - self.labels(body)
            case f.And(parts):
                return self.all.intersection(*map(self.labels, parts))
            case f.Or(parts):
                return frozenset().union(*map(self.labels, parts))
            case f.Exists(f.Next(body)):
                goal = self.labels(body) & self.fair
                return frozenset(n for n in self.all if not goal.isdisjoint(self.following[n]))
            case f.Exists(f.Until(left, right)):
                return self._backwards(self.labels(right) & self.fair, self.labels(left))
            case f.Exists(f.Always(body)):
                return self._for_ever(self.labels(body))
            case _:
                raise TypeError(f"not a basic formula of CTL: {formula}")

    def _backwards(self, goal: Labels, through: Labels) -> Labels:
        found, stack = set(goal), list(goal)
        while stack:
            for before in self.preceding[stack.pop()]:
                if before in through and before not in found:
                    found.add(before)
                    stack.append(before)
        return frozenset(found)

    def _for_ever(self, inside: Labels) -> Labels:
        """From where a run inside the set goes on for ever (through a component that meets every constraint), or ends
        where runs may end."""
        good = {n for component in self._components(inside) for n in component}
        return self._backwards(frozenset(good | (inside & self.ending)), inside)

    def _components(self, inside: Labels) -> Iterator[set[int]]:
        """Strongly connected parts of the set that have a cycle through a state of each constraint, fair to all."""
        within = [[t for t in after if t in inside] for after in self.following]
        for component in map(set, components(within, sorted(inside))):
            first = next(iter(component))
            if len(component) == 1 and first not in self.following[first]:
                continue
            if all(component & wanted for wanted in self.fairness):
                yield from self._fair_to_all(component)

    def _fair_to_all(self, component: set[int]) -> Iterator[set[int]]:
        """The part, if the cycle through all of it is fair to each process; for strong fairness also smaller ones,
        without the states where somebody can move who never does."""
        if self.processes is None or self.kind == "none":
            yield component
            return
        able = [self.processes.able[number] for number in component]
        moving = self.processes.moving(component)
        waiting = (frozenset.intersection if self.kind == "weak" else frozenset.union)(*able) - moving
        if not waiting:
            yield component
        elif self.kind == "strong":
            yield from self._components(frozenset(n for n in component if not self.processes.able[n] & waiting))


class ExplicitSets(Generic[S]):
    """The same graph for `logic.fixpoints`, which leads walks that show formulas."""

    def __init__(self, graph: Graph[S], space: StateSpace[S, Any], holds: Callable[[f.Atom, S], bool]) -> None:
        self.graph, self.space, self.holds = graph, space, holds
        self.everything: Labels = frozenset(range(len(graph.states)))
        self.nothing: Labels = frozenset()
        self._preceding: list[list[int]] = [[] for _ in graph.states]
        for number, targets in enumerate(graph.following):
            for target in targets:
                self._preceding[target].append(number)

    def union(self, a: Labels, b: Labels) -> Labels:
        return a | b

    def intersection(self, a: Labels, b: Labels) -> Labels:
        return a & b

    def difference(self, a: Labels, b: Labels) -> Labels:
        return a - b

    def same(self, a: Labels, b: Labels) -> bool:
        return a == b

    def includes(self, a: Labels, state: S) -> bool:
        return self.graph.numbers.get(self.space.key(state), -1) in a

    def singleton(self, state: S) -> Labels:
        return frozenset({self.graph.numbers[self.space.key(state)]})

    def before(self, a: Labels) -> Labels:
        return frozenset(before for number in a for before in self._preceding[number])

    def atom(self, atom: f.Atom) -> Labels:
        return frozenset(n for n, state in enumerate(self.graph.states) if self.holds(atom, state))

    def turns(self, strong: bool) -> list[Turn[Labels]]:
        """Fairness to each process, if it was asked for."""
        processes = self.graph.processes
        if processes is None:
            return []

        def able_to_move(process: int) -> Labels:
            return frozenset(n for n, able in enumerate(processes.able) if process in able)

        def before_by(process: int, a: Labels) -> Labels:
            steps = enumerate(processes.steps)
            return frozenset(n for n, out in steps if any(to in a and process in moved for to, moved in out))

        every = sorted(frozenset().union(*processes.able))
        return [Turn(process, able_to_move(process), partial(before_by, process), strong) for process in every]

    def quantified(self, formula: f.Rigid, body: Labels) -> Labels:
        raise TypeError("rigid variables are expanded before states are labelled")
