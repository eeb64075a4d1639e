"""Smaller automata for the same language: useless states, acceptance sets, and simulation in both directions."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from operator import or_
from typing import Final

from clew.logic.automata import Automaton, Edge, components, is_accepting, merged, state_components
from clew.logic.diagrams import NEVER, Diagram

MOST_BLOCKS: Final = 2048  # letters told apart, and
MOST_STATES: Final = 800  # states; past that, simulation would cost more than it saves


def reduce(automaton: Automaton, by_state: bool = False) -> Automaton:
    """Applies every reduction until none helps. `by_state`: all edges of a state have, and keep, the same marks."""
    automaton = prune(automaton, by_state)
    while True:
        before = _cost(automaton)
        automaton = prune(by_future(automaton), by_state)
        if not by_state:
            automaton = prune(by_past(automaton))
            if _cost(automaton) >= before:
                automaton = fewer_sets(automaton)
        if _cost(automaton) >= before:
            return automaton


def _cost(automaton: Automaton) -> tuple[int, int, int]:
    return automaton.states, sum(map(len, automaton.edges)), automaton.sets


def prune(automaton: Automaton, by_state: bool = False) -> Automaton:
    """Only states on the way to an accepting cycle, and marks only where they decide.

    Edges between components, and those in components without an accepting cycle, have no marks; those in components
    where every cycle is accepting have all. `by_state`: edges between components count with those of their source.
    """
    useful: set[int] = set()
    component_of: dict[int, int] = {}
    marks_of: dict[int, int | None] = {}  # None: as they are
    for number, component in enumerate(state_components(automaton)):
        inside = set(component)
        component_of.update(dict.fromkeys(component, number))
        if is_accepting(automaton, component):
            useful |= inside
            always = all(_all_cycles_meet(automaton, component, i) for i in range(automaton.sets))
            marks_of[number] = automaton.all_marks if always else None
        else:
            marks_of[number] = 0
            if any(e.target in useful for s in component for e in automaton.edges[s]):
                useful |= inside
    if automaton.initial not in useful:
        return automaton.with_edges([[]], 0, automaton.sets)
    order = [automaton.initial]
    number_of = {automaton.initial: 0}
    edges: list[list[Edge]] = []
    for state in order:
        kept = []
        for condition, marks, target in automaton.edges[state]:
            if target not in useful:
                continue
            if target not in number_of:
                number_of[target] = len(order)
                order.append(target)
            if component_of[state] != component_of[target] and not by_state:
                marks = 0
            else:
                fixed = marks_of[component_of[state]]
                marks = marks if fixed is None else fixed
            kept.append(Edge(condition, marks, number_of[target]))
        edges.append(merged(automaton.diagrams, kept))
    return automaton.with_edges(edges, 0)


def fewer_sets(automaton: Automaton) -> Automaton:
    """As few acceptance sets as the component that needs most of them. Needs a pruned automaton."""
    needed: dict[int, list[int]] = {}  # state: the sets its component needs, if it is accepting at all
    component_of: dict[int, int] = {}
    count = 0
    for number, component in enumerate(state_components(automaton)):
        component_of.update(dict.fromkeys(component, number))
        if is_accepting(automaton, component):
            sets = _needed_sets(automaton, component)
            needed.update(dict.fromkeys(component, sets))
            count = max(count, len(sets))
        elif any(e.target in component for s in component for e in automaton.edges[s]):
            count = max(count, 1)

    def renumbered(source: int, edge: Edge) -> Edge:
        marks = 0
        if source in needed and component_of[source] == component_of[edge.target]:
            sets = needed[source]
            marks = sum(1 << i for i in range(count) if i >= len(sets) or edge.marks >> sets[i] & 1)
        return Edge(edge.condition, marks, edge.target)

    return automaton.with_edges(
        (merged(automaton.diagrams, (renumbered(s, e) for e in edges)) for s, edges in enumerate(automaton.edges)),
        sets=count,
    )


def _needed_sets(automaton: Automaton, component: list[int]) -> list[int]:
    """The acceptance sets that some cycle of the component avoids, without those that another of them implies."""
    inside = set(component)
    masks = {e.marks for s in component for e in automaton.edges[s] if e.target in inside}
    needed = [i for i in range(automaton.sets) if not _all_cycles_meet(automaton, component, i)]
    for i in reversed(list(needed)):
        if any(all(m >> i & 1 for m in masks if m >> j & 1) for j in needed if j != i):
            needed.remove(i)
    return needed


def _all_cycles_meet(automaton: Automaton, component: list[int], number: int) -> bool:
    """Whether no cycle of the component avoids the acceptance set."""
    inside = set(component)
    avoiding: list[list[int]] = [[] for _ in automaton.edges]
    for s in component:
        avoiding[s] = [e.target for e in automaton.edges[s] if e.target in inside and not e.marks >> number & 1]
    return all(len(c) == 1 and c[0] not in avoiding[c[0]] for c in components(avoiding, component))


class Letters:
    """The letters an automaton tells apart, and its conditions as sets of them (bit masks)."""

    def __init__(self, automaton: Automaton, blocks: list[Diagram]) -> None:
        self.diagrams = automaton.diagrams
        self.blocks = blocks
        self._mask: dict[Diagram, int] = {}
        self._condition: dict[int, Diagram] = {}

    def mask(self, condition: Diagram) -> int:
        found = self._mask.get(condition)
        if found is None:
            both = self.diagrams.both
            found = sum(1 << i for i, block in enumerate(self.blocks) if both(block, condition) != NEVER)
            self._mask[condition] = found
            self._condition[found] = condition
        return found

    def condition(self, mask: int) -> Diagram:
        found = self._condition.get(mask)
        if found is None:
            found = NEVER
            for i, block in enumerate(self.blocks):
                if mask >> i & 1:
                    found = self.diagrams.either(found, block)
            self._condition[mask] = found
        return found


def letters_of(automaton: Automaton) -> Letters | None:
    """None if the automaton is too large or tells too many letters apart."""
    if automaton.states > MOST_STATES:
        return None
    blocks = automaton.diagrams.blocks(automaton.possible, automaton.conditions(), MOST_BLOCKS)
    return None if blocks is None else Letters(automaton, blocks)


def by_future(automaton: Automaton) -> Automaton:
    """States that simulate each other become one, and edges that another edge makes superfluous go (direct
    simulation).
    """
    letters = letters_of(automaton)
    if letters is None:
        return automaton
    edges = [[(letters.mask(c), m, t) for c, m, t in es] for es in automaton.edges]
    above = _simulation(edges)
    representative = _classes(above)
    result: list[list[Edge]] = []
    for state in range(automaton.states):
        if representative[state] != state:
            result.append([])
            continue
        mapped = _united((mask, marks, representative[t]) for mask, marks, t in edges[state])
        result.append(_undominated(mapped, above, letters))
    return automaton.with_edges(result, representative[automaton.initial])


def by_past(automaton: Automaton) -> Automaton:
    """The same backwards: states that are reached in the same ways become one (reverse simulation)."""
    letters = letters_of(automaton)
    if letters is None:
        return automaton
    backward: list[list[tuple[int, int, int]]] = [[] for _ in automaton.edges]
    for source, es in enumerate(automaton.edges):
        for condition, marks, target in es:
            backward[target].append((letters.mask(condition), marks, source))
    above = _simulation(backward, automaton.initial)
    representative = _classes(above)
    incoming: list[list[tuple[int, int, int]]] = [[] for _ in automaton.edges]
    for target, es2 in enumerate(backward):
        incoming[representative[target]] += [(mask, marks, representative[s]) for mask, marks, s in es2]
    result: list[list[Edge]] = [[] for _ in automaton.edges]
    for target, es2 in enumerate(incoming):
        for condition, marks, source in _undominated(_united(es2), above, letters):
            result[source].append(Edge(condition, marks, target))
    return automaton.with_edges(result, representative[automaton.initial])


def _simulation(edges: list[list[tuple[int, int, int]]], initial: int | None = None) -> list[int]:
    """For each state the set of states that can copy all it does, as a bit mask. Backwards, only the initial state
    copies the `initial` one.
    """
    enabled = [functools.reduce(or_, (mask for mask, _, _ in moves), 0) for moves in edges]
    above = [sum(1 << t for t, more in enumerate(enabled) if mask & ~more == 0) for mask in enabled]
    if initial is not None:
        above[initial] = 1 << initial
    order = range(len(edges))  # edges mostly lead to larger numbers: start where they end
    changed = True
    while changed:
        changed = False
        for state in order if initial is not None else reversed(order):
            moves = edges[state]
            candidates = above[state] & ~(1 << state)
            while candidates:
                bit = candidates & -candidates
                candidates ^= bit
                other = edges[bit.bit_length() - 1]
                for mask, marks, target in moves:
                    left, allowed = mask, above[target]
                    for mask2, marks2, target2 in other:
                        if allowed >> target2 & 1 and marks & ~marks2 == 0:
                            left &= ~mask2
                            if not left:
                                break
                    if left:
                        above[state] &= ~bit
                        changed = True
                        break
    return above


def _classes(above: list[int]) -> list[int]:
    """The first state of each class of states that simulate each other."""
    return [next(t for t in range(len(above)) if above[s] >> t & 1 and above[t] >> s & 1) for s in range(len(above))]


def _united(edges: Iterable[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    found: dict[tuple[int, int], int] = {}
    for mask, marks, target in edges:
        found[marks, target] = found.get((marks, target), 0) | mask
    return [(mask, marks, target) for (marks, target), mask in found.items()]


def _undominated(edges: list[tuple[int, int, int]], above: list[int], letters: Letters) -> list[Edge]:
    """Without the letters on which another edge has at least the marks and leads at least as far. Needs targets that
    represent their classes, so that two edges never make each other superfluous.
    """
    kept = []
    for mask, marks, target in edges:
        for mask2, marks2, target2 in edges:
            if (marks, target) != (marks2, target2) and marks & ~marks2 == 0 and above[target] >> target2 & 1:
                mask &= ~mask2
        if mask:
            kept.append(Edge(letters.condition(mask), marks, target))
    return kept
