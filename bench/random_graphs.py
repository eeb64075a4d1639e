"""Random graphs with acceptance marks, and random systems whose products with automata are such graphs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from clew.logic import formulas as f
from clew.logic.automata import Automaton
from clew.logic.marked_graphs import Arc, MarkedGraph
from clew.logic.simplify import simplify

NAMES = "abcd"
MARKED = 0.0133333  # probability that an arc meets an extra condition (the kit published with SPIN 2005)


def small_graph(dice: random.Random, most_states: int = 14, most_conditions: int = 6) -> MarkedGraph:
    """A graph of any shape: dead ends, self-loops, parallel arcs, parts that cannot be reached."""
    states, conditions, chance = dice.randint(1, most_states), dice.randint(0, most_conditions), dice.random()
    degrees = dice.choice(((0, 1, 1, 2), (1, 1, 2, 3), (3,)))
    arcs = [
        [
            Arc(dice.randrange(states), sum((dice.random() < chance) << i for i in range(conditions)))
            for _ in range(dice.choice(degrees))
        ]
        for _ in range(states)
    ]
    return MarkedGraph(conditions, arcs, dice.randrange(states))


@dataclass(frozen=True, slots=True)
class RandomSystem:
    """Successors with marks, and for each state which names are true, as bits."""

    arcs: list[list[Arc]]
    letters: list[int]
    conditions: int


def random_system(dice: random.Random, states: int, density: float, conditions: int) -> RandomSystem:
    """All states are reachable; out-degrees are normal with mean 1 + (n-1)d and variance (n-1)d(1-d)."""
    spread = ((states - 1) * density * (1 - density)) ** 0.5
    successors: list[list[int]] = [[] for _ in range(states)]
    missing = list(range(1, states))
    dice.shuffle(missing)
    waiting, reached = [0], {0}
    for state in waiting:
        degree = min(max(1, round(dice.gauss(1 + (states - 1) * density, spread))), states)
        chosen = dice.sample(range(states), degree)
        while missing and missing[-1] in reached:
            missing.pop()
        if missing and state == waiting[-1] and reached.issuperset(chosen):
            chosen[0] = missing[-1]
        successors[state] = chosen
        fresh = [s for s in chosen if s not in reached]
        reached.update(fresh)
        waiting += fresh
    arcs = [
        [Arc(s, sum((dice.random() < MARKED) << i for i in range(conditions))) for s in found] for found in successors
    ]
    return RandomSystem(arcs, [dice.getrandbits(len(NAMES)) for _ in range(states)], conditions)


def product(system: RandomSystem, automaton: Automaton) -> MarkedGraph:
    """Runs of the system that the automaton accepts; letters are read on the state that is left."""
    names = [NAMES.index(atom.text) for atom in automaton.atoms]
    enabled = [
        [
            [e for e in edges if automaton.diagrams.value(e.condition, lambda v, bits=bits: bits >> names[v] & 1)]
            for edges in automaton.edges
        ]
        for bits in range(1 << len(NAMES))
    ]
    number = {(0, automaton.initial): 0}
    pending = [(0, automaton.initial)]
    found: list[Sequence[Arc]] = []
    for state, place in pending:
        arcs = []
        for edge in enabled[system.letters[state]][place]:
            for arc in system.arcs[state]:
                pair = arc.target, edge.target
                if pair not in number:
                    number[pair] = len(pending)
                    pending.append(pair)
                arcs.append(Arc(number[pair], edge.marks | arc.marks << automaton.sets))
        found.append(arcs)
    return MarkedGraph(automaton.sets + system.conditions, found)


_UNARY = (f.Not, f.Next, f.Eventually, f.Always)
_BINARY = (f.Until, f.Release, f.WeakUntil, f.StrongRelease, f.Implies, f.Equivalent)


def _formula(dice: random.Random, size: int) -> f.Formula:
    """A formula of so many nodes."""
    if size == 1:
        return f.proposition(dice.choice(NAMES))
    kind = dice.randrange(len(_UNARY) + len(_BINARY) + 2) if size > 2 else dice.randrange(len(_UNARY))
    if kind < len(_UNARY):
        return _UNARY[kind](_formula(dice, size - 1))
    left = dice.randint(1, size - 2)
    parts = _formula(dice, left), _formula(dice, size - 1 - left)
    rest = kind - len(_UNARY)
    return _BINARY[rest](*parts) if rest < len(_BINARY) else (f.And, f.Or)[rest - len(_BINARY)](parts)


def random_formulas(dice: random.Random, count: int, size: int = 5) -> list[f.Formula]:
    """Different formulas of that size which do not get smaller when they are simplified."""
    found: dict[f.Formula, None] = {}
    while len(found) < count:
        simple = simplify(_formula(dice, size))
        if f.size(simple) >= size:
            found[simple] = None
    return list(found)
