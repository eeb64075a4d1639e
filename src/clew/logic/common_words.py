"""Words that several machines accept: inclusion and equivalence of languages, letter by letter.

A machine is anything that reads letters: the automaton of a formula, or a monitor written by hand. Meant for few atoms:
every letter is tried.
"""

from __future__ import annotations

import itertools
from collections.abc import Container, Hashable, Iterable, Sequence
from functools import cache, reduce
from operator import or_
from typing import Protocol

from clew.logic import formulas as f
from clew.logic.automata import Automaton, components
from clew.logic.translate import translate

Letter = frozenset[f.Atom]
Lasso = tuple[tuple[Letter, ...], tuple[Letter, ...]]


class Machine(Protocol):
    """Accepts a word iff some run meets each of the `sets` acceptance sets for ever again."""

    @property
    def initial(self) -> Hashable: ...

    @property
    def sets(self) -> int: ...

    def step(self, state: Hashable, letter: Letter) -> Iterable[tuple[int, Hashable]]:
        """The moves on a letter: acceptance sets as a bit mask, and the state reached."""
        ...


class FormulaMachine:
    """Accepts the words on which a formula holds."""

    def __init__(self, formula: f.Formula) -> None:
        self.automaton: Automaton = translate(formula)
        self.step = cache(self._step)

    @property
    def initial(self) -> Hashable:
        return self.automaton.initial

    @property
    def sets(self) -> int:
        return self.automaton.sets

    def _step(self, state: int, letter: Letter) -> list[tuple[int, Hashable]]:
        a = self.automaton
        return [
            (marks, target)
            for condition, marks, target in a.edges[state]
            if a.diagrams.value(condition, lambda v: a.atoms[v] in letter)
        ]


class Complement:
    """Accepts what a deterministic machine with one acceptance set refuses; where that has no move it refuses."""

    sets = 1

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.initial: Hashable = (False, machine.initial)

    def step(self, state: Hashable, letter: Letter) -> list[tuple[int, Hashable]]:
        assert isinstance(state, tuple)
        settled, inner = state
        if inner is None:
            return [(1, state)]
        moves = list(self.machine.step(inner, letter))
        if not moves:
            return [(1, (True, None))]
        [(marks, target)] = moves
        found: list[tuple[int, Hashable]] = [] if settled else [(0, (False, target))]
        return found if marks else [*found, (1, (True, target))]


def common_word(machines: Sequence[Machine], atoms: Sequence[f.Atom]) -> Lasso | None:
    """A word that all machines accept, or None if there is none."""
    letters = [
        frozenset(a for a, bit in zip(atoms, bits, strict=True) if bit)
        for bits in itertools.product((False, True), repeat=len(atoms))
    ]
    shifts = list(itertools.accumulate((m.sets for m in machines), initial=0))
    goal = (1 << shifts.pop()) - 1
    first = tuple(m.initial for m in machines)
    number: dict[tuple[Hashable, ...], int] = {first: 0}
    pending = [first]
    edges: list[list[tuple[int, int, Letter]]] = []  # target, marks, letter
    for states in pending:
        found: dict[tuple[int, int], Letter] = {}
        for letter in letters:
            for moves in itertools.product(*(m.step(s, letter) for m, s in zip(machines, states, strict=True))):
                reached = tuple(target for _, target in moves)
                marks = reduce(or_, (m << shift for (m, _), shift in zip(moves, shifts, strict=True)))
                if reached not in number:
                    number[reached] = len(pending)
                    pending.append(reached)
                found.setdefault((number[reached], marks), letter)
        edges.append([(target, marks, letter) for (target, marks), letter in found.items()])
    for component in components([[e[0] for e in out] for out in edges], [0]):
        inside = set(component)
        seen = [marks for s in component for target, marks, _ in edges[s] if target in inside]
        if seen and reduce(or_, seen) == goal:
            start = min(component)
            return tuple(_path(edges, 0, start, 0, range(len(edges)))), tuple(_cycle(edges, start, goal, inside))
    return None


def _cycle(edges: list[list[tuple[int, int, Letter]]], start: int, marks: int, inside: Container[int]) -> list[Letter]:
    """The letters of a cycle through the state with all marks."""
    if marks:
        return _path(edges, start, start, marks, inside)
    target, _, letter = next(e for e in edges[start] if e[0] in inside)
    return [letter, *_path(edges, target, start, 0, inside)]


def _path(
    edges: list[list[tuple[int, int, Letter]]], source: int, goal: int, marks: int, inside: Container[int]
) -> list[Letter]:
    """The letters of a shortest way between two states that collects the marks; empty only if none are wanted."""
    if source == goal and not marks:
        return []
    came: dict[tuple[int, int], tuple[tuple[int, int], Letter]] = {}
    queue = [(source, 0)]
    for node in queue:
        for target, more, letter in edges[node[0]]:
            reached = target, (node[1] | more) & marks
            if target not in inside or reached in came:
                continue
            came[reached] = node, letter
            if reached == (goal, marks):
                word = []
                while True:
                    node, letter = came[reached]
                    word.append(letter)
                    if node == (source, 0):
                        return word[::-1]
                    reached = node
            queue.append(reached)
    raise ValueError("there is no such way")
