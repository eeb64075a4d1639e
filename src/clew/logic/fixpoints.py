"""CTL over any representation of sets of states: a few operations on sets, and fixpoints made of them.

The relation need not be total. What a run that ends means is chosen by `ends`: its last state repeats for ever
(`stutter`), it is a run (`maximal`), or it is none (`infinite`). Fairness constraints are sets of states that a run has
to visit for ever again; runs that end are not asked for them, unless their last state repeats. Turns ask the same for
moves of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Generic, Protocol, TypeVar

from clew.core.records import record
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


@record
class Turn(Generic[S]):
    """Fairness to a process. It moves for ever again, or is unable to: for ever again (weak), or for ever from some
    state on (strong). `able`: the states where it can move; `before`: those with a step into a set in which it moves.
    """

    process: int
    able: S
    before: Callable[[S], S]
    strong: bool = False


class PathOperators(Generic[S]):
    """`EX`, `E[ U ]` and `EG` of sets."""

    def __init__(self, sets: Sets[S], ends: Ends, fairness: Sequence[S] = (), turns: Sequence[Turn[S]] = ()) -> None:
        self.sets = sets
        self.ends = ends
        self.fairness = tuple(fairness)
        self.turns = tuple(turns)
        # Where some run that counts begins. Turns alone rule no beginning out: it can go on with everybody in turn.
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
        return self.leading(inside, self.recurring(inside))

    def leading(self, inside: S, recurring: S) -> S:
        """From where states that recur, or the end of a run, can be reached inside the set."""
        if self.ends == "maximal":
            return self.reaching(inside, self.sets.union(recurring, self.sets.intersection(self.stuck, inside)))
        return self.reaching(inside, recurring) if any(turn.strong for turn in self.turns) else recurring

    def recurring(self, inside: S) -> S:
        """The greatest part of the set from which each constraint can be met again and again inside the part.

        A run that goes on inside it without end can be led into states that all reach each other, and through whatever
        each constraint wants of them; for strong fairness this is the method of Kesten, Pnueli and Raviv (1998)."""
        sets, found = self.sets, inside
        while True:
            self.begin_round("EG")
            smaller = sets.intersection(found, self.step(found))
            for wanted in self.fairness:
                goal = sets.intersection(smaller, wanted)
                smaller = sets.intersection(smaller, self.step(self.reaching(found, goal)))
            for turn in self.turns:
                goal, unable = self.taking(turn, smaller), sets.difference(smaller, turn.able)
                if turn.strong:
                    smaller = sets.union(unable, self.reaching(smaller, goal))
                else:
                    smaller = self.reaching(smaller, sets.union(unable, goal))
            if sets.same(smaller, found):
                return found
            found = smaller

    def taking(self, turn: Turn[S], inside: S) -> S:
        """Where the process can move and stay inside the set."""
        return self.sets.intersection(inside, turn.before(inside))


class Fixpoints(PathOperators[S], Generic[S, X_contra]):
    """The states of a system where formulas hold. Formulas are `basic`: `EX`, `E[ U ]`, `EG`, `! && ||`.

    Everything computed is kept: `layers` has the iterates of each `E[ U ]`, `recurs` what recurs in each `EG`, for
    witnesses."""

    def __init__(
        self, sets: StateSets[S, X_contra], ends: Ends, fairness: Sequence[S] = (), turns: Sequence[Turn[S]] = ()
    ) -> None:
        super().__init__(sets, ends, fairness, turns)
        self.sets: StateSets[S, X_contra] = sets
        self.layers: dict[f.Formula, list[S]] = {}
        self.recurs: dict[f.Formula, S] = {}
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
                inside = self.states(body)
                self.recurs[formula] = self.recurring(inside)
                return self.leading(inside, self.recurs[formula])
            case _:
                raise TypeError(f"not a basic formula of CTL: {formula}")
