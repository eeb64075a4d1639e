"""Linear temporal logic to small automata.

The construction is Couvreur's (FM 1999): a state is a set of formulas that must hold from now on; one step of them,
worked out letter by letter, is a positive combination of formulas for the next position and of promises still to be
kept. States that do the same are one. An edge is in the acceptance set of a promise unless it makes it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable
from functools import cache
from typing import cast

from clew.logic import formulas as f
from clew.logic.automata import Automaton, Edge, merged
from clew.logic.diagrams import ANY, NEVER, Diagram, Diagrams
from clew.logic.reduce import reduce
from clew.logic.simplify import simplify
from clew.logic.weak import weak_deterministic

Ways = frozenset[tuple[int, int]]
"""Alternatives for the next position, none implied by another: (formulas to hold there, promises made), bit masks."""

_NONE: Ways = frozenset()
_FREE: Ways = frozenset([(0, 0)])


def translate(formula: f.Formula, possible: f.Formula = f.TRUE) -> Automaton:
    """A small automaton that accepts exactly the words on which the formula holds.

    `possible` is a Boolean formula true of every letter that can come, for instance that there are no two events at
    once; the automaton may do anything on words with other letters.
    """
    return translate_both(formula, possible)[0]


def translate_both(formula: f.Formula, possible: f.Formula = f.TRUE) -> tuple[Automaton, Callable[[], Automaton]]:
    """The automaton, and what makes one of the negation over the same atoms and diagrams."""
    if not f.is_boolean(possible):
        raise ValueError("what letters are possible is said by a Boolean formula")
    normal = simplify(formula)
    atoms = tuple(dict.fromkeys((*f.atoms(normal), *f.atoms(possible))))
    diagrams = Diagrams()
    letters = condition_of(f.negation_normal_form(possible), diagrams, atoms)

    @cache
    def opposite() -> Automaton:
        return reduce(_Tableau(diagrams, atoms, letters).build(simplify(f.Not(normal))))

    found = reduce(_Tableau(diagrams, atoms, letters).build(normal))
    weak = weak_deterministic(found, opposite)
    return weak or found, opposite


def tableau(formula: f.Formula) -> Automaton:
    """The automaton of a formula in negation normal form as the construction gives it, not reduced."""
    return _Tableau(Diagrams(), tuple(f.atoms(formula)), ANY).build(formula)


def condition_of(formula: f.Formula, diagrams: Diagrams, atoms: tuple[f.Atom, ...]) -> Diagram:
    """A Boolean formula in negation normal form as a condition."""
    match formula:
        case f.Constant(value):
            return ANY if value else NEVER
        case f.Atom():
            return diagrams.variable(atoms.index(formula))
        case f.Not(f.Atom() as atom):
            return diagrams.negate(diagrams.variable(atoms.index(atom)))
        case f.And(parts):
            return functools.reduce(diagrams.both, (condition_of(p, diagrams, atoms) for p in parts))
        case f.Or(parts):
            return functools.reduce(diagrams.either, (condition_of(p, diagrams, atoms) for p in parts))
    raise TypeError(f"{type(formula).__name__} is no Boolean formula in negation normal form")


class _Tableau:
    """The formulas met on the way, their numbers, and one step of each."""

    def __init__(self, diagrams: Diagrams, atoms: tuple[f.Atom, ...], possible: Diagram) -> None:
        self.diagrams = diagrams
        self.possible = possible
        self.atoms = atoms
        self.variable = {atom: i for i, atom in enumerate(atoms)}
        self.later: dict[f.Formula, int] = {}
        self.promises: dict[f.Formula, int] = {}
        self.known_and: dict[tuple[int, int], int] = {}
        self.known_or: dict[tuple[int, int], int] = {}
        self.known: dict[tuple[f.Formula, bool], Diagram] = {}
        self.none = diagrams.leaf(_NONE)
        self.free = diagrams.leaf(_FREE)

    def build(self, formula: f.Formula) -> Automaton:
        """An automaton for a formula in negation normal form, not reduced."""
        first = self.step(formula)
        number = {first: 0}
        pending = [first]
        found: list[list[tuple[Diagram, int, int]]] = []
        target_of: dict[int, Diagram] = {}
        for state in pending:
            edges = []
            for ways, satisfied in self.diagrams.cases(state).items():
                condition = self.diagrams.both(satisfied, self.possible)
                for formulas, promises in sorted(cast(Ways, ways)):
                    if formulas not in target_of:
                        target_of[formulas] = self.all_of(formulas)
                    target = target_of[formulas]
                    if target == self.none:
                        continue
                    if target not in number:
                        number[target] = len(pending)
                        pending.append(target)
                    edges.append((condition, promises, number[target]))
            found.append(edges)
        sets = len(self.promises)
        every = (1 << sets) - 1
        return Automaton(
            self.atoms,
            self.diagrams,
            sets,
            0,
            tuple(tuple(merged(self.diagrams, (Edge(c, every & ~p, t) for c, p, t in edges))) for edges in found),
            self.possible,
        )

    def all_of(self, mask: int) -> Diagram:
        """One step of several formulas together."""
        result = self.free
        for formula, i in list(self.later.items()):
            if mask >> i & 1:
                result = self.both(result, self.step(formula))
        return result

    def step(self, formula: f.Formula, again: bool = False) -> Diagram:
        """What the formula asks of this letter, the next position and promises. `again`: it is asked at every later
        position anyway, because it stands below G.
        """
        key = formula, again
        if key not in self.known:
            self.known[key] = self.expand(formula, again)
        return self.known[key]

    def expand(self, formula: f.Formula, again: bool) -> Diagram:
        match formula:
            case f.Constant(value):
                return self.free if value else self.none
            case f.Atom():
                return self.diagrams.choose(self.variable[formula], self.none, self.free)
            case f.Not(f.Atom() as atom):
                return self.diagrams.choose(self.variable[atom], self.free, self.none)
            case f.And(parts):
                return self.every(self.step(p, again) for p in parts)
            case f.Or(parts):
                return self.some(self.step(p) for p in parts)
            case f.Next(body):
                return self.next(body)
        later = self.free if again else self.next(formula)
        match formula:
            case f.Eventually(body):
                return self.either(self.step(body), self.both(later, self.promise(body)))
            case f.Always(body):
                return self.both(self.step(body, True), later)
            case f.Until(left, right):
                return self.either(self.step(right), self.every((self.step(left), later, self.promise(right))))
            case f.WeakUntil(left, right):
                return self.either(self.step(right), self.both(self.step(left), later))
            case f.Release(left, right):
                return self.both(self.step(right, again), self.either(self.step(left), later))
            case f.StrongRelease(left, right):
                wait = self.both(later, self.promise(left))
                return self.both(self.step(right, again), self.either(self.step(left), wait))
        raise TypeError(f"{type(formula).__name__} is not in negation normal form")

    def next(self, formula: f.Formula) -> Diagram:
        """The formula from the next position on; conjuncts one by one."""
        parts = formula.parts if isinstance(formula, f.And) else (formula,)
        mask = 0
        for part in parts:
            if part is f.FALSE:
                return self.none
            if part is not f.TRUE:
                mask |= 1 << self.later.setdefault(part, len(self.later))
        return self.diagrams.leaf(frozenset([(mask, 0)]))

    def promise(self, formula: f.Formula) -> Diagram:
        number = self.promises.setdefault(formula, len(self.promises))
        return self.diagrams.leaf(frozenset([(0, 1 << number)]))

    def both(self, a: Diagram, b: Diagram) -> Diagram:
        return self.diagrams.combine(_both, self.known_and, a, b)

    def either(self, a: Diagram, b: Diagram) -> Diagram:
        return self.diagrams.combine(_either, self.known_or, a, b)

    def every(self, steps: Iterable[Diagram]) -> Diagram:
        result = self.free
        for step in steps:
            result = self.both(result, step)
        return result

    def some(self, steps: Iterable[Diagram]) -> Diagram:
        result = self.none
        for step in steps:
            result = self.either(result, step)
        return result


def _both(a: Hashable, b: Hashable) -> Ways:
    return _least((n | m, p | q) for n, p in cast(Ways, a) for m, q in cast(Ways, b))


def _either(a: Hashable, b: Hashable) -> Ways:
    return _least((*cast(Ways, a), *cast(Ways, b)))


def _least(ways: Iterable[tuple[int, int]]) -> Ways:
    """Without the alternatives that ask for more than another one."""
    kept: list[tuple[int, int]] = []
    for n, p in sorted(set(ways), key=lambda way: way[0].bit_count() + way[1].bit_count()):
        if not any(m & ~n == 0 and q & ~p == 0 for m, q in kept):
            kept.append((n, p))
    return frozenset(kept)
