"""The smallest deterministic automaton of an obligation (a Boolean combination of safety and guarantee properties).

Obligations are what weak deterministic automata recognise. The subsets of states of any automaton of an obligation,
with the components judged by one cycle each, are such an automaton, and these minimise like automata on finite words
(Löding 2001; Dax, Eisinger and Klaedtke 2007). Whether the language was an obligation at all shows when the result is
compared with it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from clew.logic.automata import Automaton, Edge, accepts_when, components, is_empty, product
from clew.logic.diagrams import NEVER, Diagram, Diagrams
from clew.logic.reduce import Letters, fewer_sets, letters_of, prune

MOST_SUBSETS: Final = 400
MOST_LETTERS: Final = 256


def weak_deterministic(automaton: Automaton, opposite: Callable[[], Automaton]) -> Automaton | None:
    """The minimal deterministic automaton with the language of this one, if that is an obligation and it is no larger.

    `opposite` makes an automaton of the complement, over the same atoms and diagrams.
    """
    letters = letters_of(automaton)
    if letters is None or len(letters.blocks) > MOST_LETTERS:
        return None
    table = _subsets(automaton, letters)
    if table is None:
        return None
    successors, subsets = table
    final = _final(automaton, letters, successors, subsets)
    found = _minimal(automaton, letters, successors, final)
    small = fewer_sets(prune(found))
    if small.states > automaton.states:
        return None
    flipped = found.with_edges([Edge(e.condition, e.marks ^ 1, e.target) for e in edges] for edges in found.edges)
    if is_empty(product(automaton, flipped)) and is_empty(product(found, opposite())):
        return small
    return None


def _subsets(automaton: Automaton, letters: Letters) -> tuple[list[list[int]], list[int]] | None:
    """The deterministic table state × letter → state over sets of states, and the sets, as bit masks."""
    edges = [[(letters.mask(c), 1 << t) for c, _, t in es] for es in automaton.edges]
    count = len(letters.blocks)
    first = 1 << automaton.initial
    number, subsets = {first: 0}, [first]
    table: list[list[int]] = []
    rows = [[sum({t for mask, t in es if mask >> i & 1}) for i in range(count)] for es in edges]
    for subset in subsets:
        members = [s for s in range(automaton.states) if subset >> s & 1]
        row = []
        for i in range(count):
            target = 0
            for s in members:
                target |= rows[s][i]
            if target not in number:
                if len(subsets) == MOST_SUBSETS:
                    return None
                number[target] = len(subsets)
                subsets.append(target)
            row.append(number[target])
        table.append(row)
    return table, subsets


def _final(automaton: Automaton, letters: Letters, successors: list[list[int]], subsets: list[int]) -> list[bool]:
    """Which states of the table are final: those on accepted cycles, and off the cycles such that most can merge."""
    order = components([dict.fromkeys(row) for row in successors], [0])
    colour: dict[int, int] = {}
    for component in order:
        inside = set(component)
        outside = [colour[t] for s in component for t in successors[s] if t not in inside]
        most = min(outside, default=(len(order) | 1) + 1)
        cycle = _cycle(component[0], inside, successors)
        if cycle is not None:
            blocks = [letters.blocks[i] for i in cycle]
            start = [s for s in range(automaton.states) if subsets[component[0]] >> s & 1]
            good = bool(start) and accepts_when(
                automaton, len(cycle), 0, partial(_enabled, automaton.diagrams, blocks), start
            )
            most = most & ~1 if good else (most - 1) | 1
        colour.update(dict.fromkeys(component, most))
    return [colour[s] % 2 == 0 for s in range(len(successors))]


def _enabled(diagrams: Diagrams, word: list[Diagram], condition: Diagram, position: int) -> bool:
    return diagrams.both(condition, word[position]) != NEVER


def _cycle(start: int, inside: set[int], successors: list[list[int]]) -> list[int] | None:
    """The letters of a shortest way from the state back to itself within the component."""
    came: dict[int, tuple[int, int]] = {}
    queue = [start]
    for state in queue:
        for letter, target in enumerate(successors[state]):
            if target == start:
                word = [letter]
                while state != start:
                    state, letter = came[state]
                    word.append(letter)
                return word[::-1]
            if target in inside and target not in came:
                came[target] = state, letter
                queue.append(target)
    return None


def _minimal(automaton: Automaton, letters: Letters, successors: list[list[int]], final: list[bool]) -> Automaton:
    """Moore's minimisation; final states have their edges marked."""
    block = [int(x) for x in final]
    count = len(set(block))
    while True:
        number: dict[tuple[int, ...], int] = {}
        block = [
            number.setdefault((block[s], *(block[t] for t in row)), len(number)) for s, row in enumerate(successors)
        ]
        if len(number) == count:
            break
        count = len(number)
    representative = {b: s for s, b in reversed(list(enumerate(block)))}
    edges: list[list[Edge]] = []
    for b in range(count):
        s = representative[b]
        masks: dict[int, int] = {}
        for i, t in enumerate(successors[s]):
            masks[block[t]] = masks.get(block[t], 0) | 1 << i
        edges.append([Edge(letters.condition(mask), int(final[s]), target) for target, mask in masks.items()])
    return automaton.with_edges(edges, block[0], 1)
