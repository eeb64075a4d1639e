"""One acceptance set instead of several, on edges or on states."""

from __future__ import annotations

from collections.abc import Callable

from clew.logic.automata import Automaton, Edge, merged, state_components
from clew.logic.reduce import prune, reduce


def one_set(automaton: Automaton) -> Automaton:
    """The same language with at most one acceptance set of edges: a copy of the states per set that is waited for."""
    automaton = prune(automaton)
    if automaton.sets == 1:
        return automaton
    count = automaton.sets

    def after(level: int, marks: int) -> tuple[int, int]:
        reached = _climb(level, marks, count)
        return (1, _climb(0, marks, count) % max(count, 1)) if reached == count else (0, reached)

    return reduce(_unfold(automaton, after, [0] * automaton.states))


def state_based(automaton: Automaton) -> Automaton:
    """The same language with one acceptance set of states: all edges that leave a state are marked, or none."""
    automaton = prune(automaton)
    count = automaton.sets

    def after(level: int, marks: int) -> tuple[int, int]:
        return int(level == count), _climb(0 if level == count else level, marks, count)

    return reduce(_unfold(automaton, after, _entry_levels(automaton)), by_state=True)


def accepting_states(automaton: Automaton) -> set[int]:
    """The states on which a state-based automaton accepts. Raises `ValueError` if it is not state-based."""
    found = set()
    for state, edges in enumerate(automaton.edges):
        kinds = {e.marks == automaton.all_marks for e in edges}
        if len(kinds) > 1 or automaton.sets > 1:
            raise ValueError("acceptance is not on states")
        if True in kinds:
            found.add(state)
    return found


def _unfold(automaton: Automaton, after: Callable[[int, int], tuple[int, int]], entry: list[int]) -> Automaton:
    """Pairs of a state and a level, the set waited for; `after` gives the new mark and level of an edge from level and
    marks, `entry` the level at which a state is entered from another component.
    """
    component_of = {s: number for number, c in enumerate(state_components(automaton)) for s in c}
    first = automaton.initial, entry[automaton.initial]
    number = {first: 0}
    pending = [first]
    edges: list[list[Edge]] = []
    for state, level in pending:
        found = []
        for condition, marks, target in automaton.edges[state]:
            mark, reached = after(level, marks)
            pair = target, reached if component_of[state] == component_of[target] else entry[target]
            if pair not in number:
                number[pair] = len(pending)
                pending.append(pair)
            found.append(Edge(condition, mark, number[pair]))
        edges.append(merged(automaton.diagrams, found))
    return automaton.with_edges(edges, 0, 1)


def _entry_levels(automaton: Automaton) -> list[int]:
    """For each state the level as if the sets common to all edges of its component into it had just been met."""
    component_of = {s: number for number, c in enumerate(state_components(automaton)) for s in c}
    common: list[int | None] = [None] * automaton.states
    for state, edges in enumerate(automaton.edges):
        for edge in edges:
            if component_of[state] == component_of[edge.target]:
                known = common[edge.target]
                common[edge.target] = edge.marks if known is None else known & edge.marks
    return [_climb(0, marks or 0, automaton.sets) for marks in common]


def _climb(level: int, marks: int, count: int) -> int:
    while level < count and marks >> level & 1:
        level += 1
    return level
