"""Guesses made as late as possible, so that products have fewer states.

An automaton that may wait where it is, whatever comes, and may at any time guess that from now on only some letters
come, can as well make the guess at a letter that it waits for anyway afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from clew.logic.automata import Automaton, Edge
from clew.logic.diagrams import ANY, NEVER, Diagram


def delayed(automaton: Automaton) -> Automaton:
    """The same language, states and number of edges; conditions of some edges are stronger.

    Let q stay where it is on every letter, and lead on condition c to r, which nothing leaves. An accepting run goes
    round r on letters of acceptance set i for ever again. If those satisfy c, it can wait in q for the first of them.
    """

    def later(state: int, edge: Edge) -> Edge:
        if edge.target == state or not _waits(automaton, state):
            return edge
        for letters in _awaited(automaton, edge.target):
            if letters != edge.condition and automaton.diagrams.minus(letters, edge.condition) == NEVER:
                return edge._replace(condition=letters)
        return edge

    return automaton.with_edges([later(state, edge) for edge in edges] for state, edges in enumerate(automaton.edges))


def _waits(automaton: Automaton, state: int) -> bool:
    return any(edge.target == state and edge.condition == ANY for edge in automaton.edges[state])


def _awaited(automaton: Automaton, state: int) -> Iterator[Diagram]:
    """For each acceptance set the letters on which a state that nothing leaves passes it; some letter at least."""
    edges = automaton.edges[state]
    if any(edge.target != state for edge in edges):
        return
    for number in range(automaton.sets):
        letters = reduce(automaton.diagrams.either, (e.condition for e in edges if e.marks >> number & 1), NEVER)
        if letters != NEVER:
            yield letters
