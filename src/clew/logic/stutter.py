"""Whether a formula sees how often a letter is repeated.

Partial-order reduction needs properties that do not. A formula without X does not; one with X may still not
(Michaud and Duret-Lutz 2015): it does not iff no word with letters repeated at will in a word of the formula is also
such a word of its negation.
"""

from __future__ import annotations

from clew.logic import formulas as f
from clew.logic.automata import Automaton, Edge, is_empty
from clew.logic.diagrams import NEVER, Diagram
from clew.logic.simplify import simplify
from clew.logic.translate import translate_both


def is_stutter_invariant(formula: f.Formula, most_states: int = 50_000, by_syntax: bool = True) -> bool:
    """Whether repeating letters never matters. False also if the automata to show it are past `most_states`.

    `by_syntax`: a formula without X needs no automata.
    """
    formula = simplify(formula)
    if by_syntax and not f.has_next(formula):
        return True
    automaton, opposite = translate_both(formula)
    negated = opposite()
    blocks = automaton.diagrams.blocks(
        automaton.possible, [*automaton.conditions(), *negated.conditions()], most_states
    )
    if blocks is None or len(blocks) * automaton.states * negated.states > most_states:
        return False
    return is_empty(_common_repetitions(automaton, negated, blocks))


def _common_repetitions(a: Automaton, b: Automaton, letters: list[Diagram]) -> Automaton:
    """Accepts the words that arise from a word of each automaton by repeating letters.

    State (s, t, l) is s and t after letter l, which either may take as a repetition when it comes again; proper steps
    are in additional acceptance sets, so that no letter is a repetition for ever.
    """
    moves_a, moves_b = _moves(a, letters, 0), _moves(b, letters, a.sets + 1)
    number = {(a.initial, b.initial, len(letters)): 0}
    pending = list(number)
    edges: list[list[Edge]] = []
    for s, t, before in pending:
        found = []
        for i, letter in enumerate(letters):
            stay = i == before
            for marks, target in [*moves_a[s][i], (0, s)] if stay else moves_a[s][i]:
                for more, partner in [*moves_b[t][i], (0, t)] if stay else moves_b[t][i]:
                    triple = target, partner, i
                    if triple not in number:
                        number[triple] = len(pending)
                        pending.append(triple)
                    found.append(Edge(letter, marks | more, number[triple]))
        edges.append(found)
    return a.with_edges(edges, 0, a.sets + b.sets + 2)


def _moves(automaton: Automaton, letters: list[Diagram], shift: int) -> list[list[list[tuple[int, int]]]]:
    """By state and letter: (marks and the mark of proper steps, shifted; target)."""
    both, step = automaton.diagrams.both, 1 << automaton.sets
    return [
        [[((e.marks | step) << shift, e.target) for e in edges if both(e.condition, x) != NEVER] for x in letters]
        for edges in automaton.edges
    ]
