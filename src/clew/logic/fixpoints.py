"""CTL over any representation of sets of states: a few operations on sets, and fixpoints made of them.

The relation need not be total. What a run that ends means is chosen by `ends`: its last state repeats for ever
(`stutter`), it is a run (`maximal`), or it is none (`infinite`). Fairness constraints are sets of states that a run has
to visit for ever again; runs that end are not asked for them, unless their last state repeats.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Generic, Protocol, TypeVar

from clew.core.temporal import Ends
from clew.logic import formulas as f

S = TypeVar("S")
X_contra = TypeVar("X_contra", contravariant=True)


class Sets(Protocol[S]):
    """What a representation of sets has to offer for fixpoints. All sets are parts of `everything`."""

    @property
    def everything(self) -> S: ...
    @property
    def nothing(self) -> S: ...
    def union(self, a: S, b: S, /) -> S: ...
    def intersection(self, a: S, b: S, /) -> S: ...
    def difference(self, a: S, b: S, /) -> S: ...
    def same(self, a: S, b: S, /) -> bool: ...

    def before(self, a: S, /) -> S:
        """The states with a step into the set."""


class StateSets(Sets[S], Protocol[S, X_contra]):
    """What it has to offer for formulas, and for walks that show them."""

    def includes(self, a: S, state: X_contra, /) -> bool: ...
    def singleton(self, state: X_contra, /) -> S: ...

    def atom(self, atom: f.Atom, /) -> S:
        """The states where it holds."""

    def quantified(self, formula: f.Rigid, body: S, /) -> S:
        """The body, computed with the variable as part of the states, for all or for some of its values."""


class PathOperators(Generic[S]):
    """`EX`, `E[ U ]` and `EG` of sets."""

    def __init__(self, sets: Sets[S], ends: Ends, fairness: Sequence[S] = ()) -> None:
        self.sets = sets
        self.ends = ends
        self.fairness = tuple(fairness)
        # Where some run that counts begins.
        self.fair = self.always(sets.everything) if self.fairness or ends == "infinite" else sets.everything

    @cached_property
    def stuck(self) -> S:
        """The states without a step."""
        return self.sets.difference(self.sets.everything, self.sets.before(self.sets.everything))

    def begin_round(self, operator: str) -> None:
        """Called before each round of a fixpoint; may raise to give up."""

    def step(self, a: S) -> S:
        """The states one step before the set."""
        before = self.sets.before(a)
        if self.ends == "stutter":
            before = self.sets.union(before, self.sets.intersection(self.stuck, a))
        return before

    def until(self, through: S, goal: S) -> list[S]:
        """Layer n: the states from which the goal is at most n steps away, through states of the other set."""
        sets = self.sets
        layers = [goal]
        while True:
            self.begin_round("EU")
            larger = sets.union(layers[-1], sets.intersection(through, self.step(layers[-1])))
            if sets.same(larger, layers[-1]):
                return layers
            layers.append(larger)

    def reaching(self, through: S, goal: S) -> S:
        """The states from which the goal can be reached through states of the other set."""
        return self.until(through, goal)[-1]

    def always(self, inside: S) -> S:
        """Where a run that counts begins which never leaves the set."""
        sets = self.sets
        ending = sets.intersection(self.stuck, inside) if self.ends == "maximal" else sets.nothing
        ending = self.reaching(inside, ending) if self.ends == "maximal" else ending
        # Runs that do not end: the greatest set from which each constraint can be met again and again inside the set.
        found = inside
        while True:
            self.begin_round("EG")
            smaller = sets.intersection(found, self.step(found))
            for wanted in self.fairness:
                goal = sets.intersection(smaller, wanted)
                smaller = sets.intersection(smaller, self.step(self.reaching(found, goal)))
            if sets.same(smaller, found):
                return sets.union(found, ending)
            found = smaller


class Fixpoints(PathOperators[S], Generic[S, X_contra]):
    """The states of a system where formulas hold. Formulas are `basic`: `EX`, `E[ U ]`, `EG`, `! && ||`.

    Everything computed is kept: `layers` has the iterates of each `E[ U ]`, for witnesses."""

    def __init__(self, sets: StateSets[S, X_contra], ends: Ends, fairness: Sequence[S] = ()) -> None:
        super().__init__(sets, ends, fairness)
        self.sets: StateSets[S, X_contra] = sets
        self.layers: dict[f.Formula, list[S]] = {}
        self._known: dict[f.Formula, S] = {}

    def states(self, formula: f.Formula) -> S:
        if formula not in self._known:
            self._known[formula] = self._states(formula)
        return self._known[formula]

    def _states(self, formula: f.Formula) -> S:
        sets = self.sets
        match formula:
            case f.Constant(value):
                return sets.everything if value else sets.nothing
            case f.Atom():
                return sets.intersection(sets.everything, sets.atom(formula))
            case f.Not(body):
                return sets.difference(sets.everything, self.states(body))
            case f.And(parts):
                found = sets.everything
                for part in parts:
                    found = sets.intersection(found, self.states(part))
                return found
            case f.Or(parts):
                found = sets.nothing
                for part in parts:
                    found = sets.union(found, self.states(part))
                return found
            case f.Rigid(_, _, body):
                return sets.quantified(formula, self.states(body))
            case f.Exists(f.Next(body)):
                return self.step(sets.intersection(self.states(body), self.fair))
            case f.Exists(f.Until(left, right)):
                self.layers[formula] = self.until(self.states(left), sets.intersection(self.states(right), self.fair))
                return self.layers[formula][-1]
            case f.Exists(f.Always(body)):
                return self.always(self.states(body))
            case _:
                raise TypeError(f"not a basic formula of CTL: {formula}")
