"""Graphs whose arcs carry acceptance marks: what an emptiness check sees of an automaton or a product.

The functions here are plain; they judge what faster checks say.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

from clew.core.records import record
from clew.logic.automata import Automaton, components
from clew.logic.diagrams import NEVER

MOST_CONDITIONS = 64


class Arc(NamedTuple):
    """Bit i of `marks` says that condition i is met."""

    target: int
    marks: int


@record
class MarkedGraph:
    """States are numbers; `arcs[s]` leave s. A run is accepting if it meets every condition for ever again."""

    conditions: int
    arcs: Sequence[Sequence[Arc]]
    initial: int = 0

    @property
    def all_marks(self) -> int:
        return (1 << self.conditions) - 1

    @property
    def transitions(self) -> int:
        return sum(map(len, self.arcs))


class Lasso(NamedTuple):
    """A run: for each step the position of its arc among those of its state; the cycle is repeated for ever."""

    prefix: tuple[int, ...]
    cycle: tuple[int, ...]


def graph_of(automaton: Automaton) -> MarkedGraph:
    """The automaton without what is on its edges; edges that can never be taken are left out."""
    arcs = [[Arc(e.target, e.marks) for e in edges if e.condition != NEVER] for edges in automaton.edges]
    return MarkedGraph(automaton.sets, arcs, automaton.initial)


def has_accepting_run(graph: MarkedGraph) -> bool:
    """Whether some strongly connected component has an arc, and arcs that meet all conditions together."""
    targets = [[arc.target for arc in arcs] for arcs in graph.arcs]
    for component in components(targets, [graph.initial]):
        inside = set(component)
        met = [arc.marks for state in component for arc in graph.arcs[state] if arc.target in inside]
        if met and reduce(or_, met) == graph.all_marks:
            return True
    return False


def accepting_run(graph: MarkedGraph) -> Lasso | None:
    """A run that meets every condition for ever again, if there is one: plain search from one to the next."""
    targets = [[arc.target for arc in arcs] for arcs in graph.arcs]
    for component in components(targets, [graph.initial]):
        inside = set(component)
        met = [arc.marks for state in component for arc in graph.arcs[state] if arc.target in inside]
        if met and reduce(or_, met) == graph.all_marks:
            return _run_in(graph, inside)
    return None


def _run_in(graph: MarkedGraph, inside: set[int]) -> Lasso:
    """To a component in which all conditions are met, around there, and back."""
    prefix, first = list[int](), graph.initial
    if first not in inside:
        prefix, first = _way(graph, first, range(len(graph.arcs)), lambda arc: arc.target in inside)
    here, cycle, missing = first, list[int](), graph.all_marks
    while missing or here != first or not cycle:
        way, after = _way(graph, here, inside, _has_one_of(missing) if missing else lambda arc: arc.target == first)
        for step in way:
            missing &= ~graph.arcs[here][step].marks
            here = graph.arcs[here][step].target
        cycle += way
        assert here == after
    return Lasso(tuple(prefix), tuple(cycle))


def _has_one_of(marks: int) -> Callable[[Arc], bool]:
    return lambda arc: bool(arc.marks & marks)


def _way(
    graph: MarkedGraph, start: int, inside: Container[int], wanted: Callable[[Arc], bool]
) -> tuple[list[int], int]:
    """A shortest way whose last arc is wanted, and where it leads."""
    came_from: dict[int, tuple[int, int]] = {}
    waiting = [start]
    for state in waiting:
        for step, arc in enumerate(graph.arcs[state]):
            if arc.target not in inside:
                continue
            if wanted(arc):
                way, here = [step], state
                while here != start:
                    here, taken = came_from[here]
                    way.append(taken)
                return way[::-1], arc.target
            if arc.target != start and arc.target not in came_from:
                came_from[arc.target] = state, step
                waiting.append(arc.target)
    raise AssertionError("a component has no way back")


def fault(graph: MarkedGraph, lasso: Lasso) -> str | None:
    """Why this is not an accepting run of the graph, or None if it is one."""
    state = graph.initial
    for step in lasso.prefix:
        if not 0 <= step < len(graph.arcs[state]):
            return f"state {state} has no arc {step}"
        state = graph.arcs[state][step].target
    start, missing = state, set(range(graph.conditions))
    for step in lasso.cycle:
        if not 0 <= step < len(graph.arcs[state]):
            return f"state {state} has no arc {step}"
        state, marks = graph.arcs[state][step]
        missing -= {i for i in missing if marks >> i & 1}
    if not lasso.cycle or state != start:
        return f"the cycle leads from state {start} to state {state}"
    return f"conditions {sorted(missing)} are not met on the cycle" if missing else None
