"""Runs that show why a CTL formula holds in a state: paths, cycles, and branches where a formula needs several runs.

The walk is led by the sets that decided the formula, but every step of it is one that the system itself offers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from clew.core.replay import ReplayError
from clew.logic import formulas as f
from clew.logic.ctl import negation, readable
from clew.logic.fixpoints import Fixpoints, Turn

S = TypeVar("S")
X = TypeVar("X")
M = TypeVar("M")

LONGEST = 100_000  # steps of a walk that looks for a cycle


@dataclass(slots=True)
class Branch(Generic[X, M]):
    """Another run, from the state behind so many steps of the walk; it shows `formula`."""

    at: int
    formula: f.Formula
    walk: Walk[X, M]


@dataclass(slots=True)
class Walk(Generic[X, M]):
    """Steps from a state: `moves[n]` leads from `states[n]` to `states[n + 1]`, possibly in several moves. `loop`: the
    place in `states` that the last state goes back to; the number of moves if nothing happens any more."""

    states: list[X]
    moves: list[tuple[M, ...]] = field(default_factory=list)
    loop: int | None = None
    branches: list[Branch[X, M]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def last(self) -> X:
        return self.states[-1]

    def go(self, moves: tuple[M, ...], state: X) -> None:
        self.moves.append(moves)
        self.states.append(state)

    def go_on(self, other: Walk[X, M]) -> None:
        """Continues with a walk from the last state."""
        offset = len(self.moves)
        self.moves += other.moves
        self.states += other.states[1:]
        self.loop = None if other.loop is None else other.loop + offset
        self.branches += [Branch(branch.at + offset, branch.formula, branch.walk) for branch in other.branches]
        self.remarks += [remark for remark in other.remarks if remark not in self.remarks]


class Demonstration(Generic[S, X, M]):
    """`steps`: what the system offers in a state. `moves_in`: the processes that move in a step, as far as fairness
    asks for them. `holds`: whether an atom holds in a state, by other means than the sets; a disagreement raises
    ReplayError."""

    def __init__(
        self,
        fixpoints: Fixpoints[S, X],
        steps: Callable[[X], Iterable[tuple[tuple[M, ...], X]]],
        moves_in: Callable[[tuple[M, ...]], frozenset[int]],
        holds: Callable[[f.Atom, X], bool],
    ) -> None:
        self.fixpoints = fixpoints
        self.sets = fixpoints.sets
        self.steps = steps
        self.holds = holds
        self.moves_in = moves_in

    def shows(self, formula: f.Formula, state: X, wanted: bool = True) -> Walk[X, M]:
        """Why the formula holds in the state (or why not); it must be so."""
        match formula:
            case f.Constant():
                return Walk([state])
            case f.Atom():
                if self.holds(formula, state) != wanted:
                    raise ReplayError(f"the sets of states and the system disagree about {formula}")
                return Walk([state])
            case f.Not(body):
                return self.shows(body, state, not wanted)
            case f.And(parts) | f.Or(parts):
                if isinstance(formula, f.And) == wanted:
                    return self._all(parts, state, wanted)
                part = next(part for part in parts if self._is(part, state) == wanted)
                return self.shows(part, state, wanted)
            case f.Exists(path) if wanted:
                return self._path(formula, path, state)
            case _:
                walk: Walk[X, M] = Walk([state])
                walk.remarks.append(f"that {readable(formula if wanted else negation(formula))} is about all runs")
                return walk

    def _is(self, formula: f.Formula, state: X) -> bool:
        return self.sets.includes(self.fixpoints.states(formula), state)

    def _all(self, parts: Iterable[f.Formula], state: X, wanted: bool) -> Walk[X, M]:
        """The first part that needs steps is shown by the walk itself, the others by branches."""
        main: Walk[X, M] = Walk([state])
        for part in parts:
            walk = self.shows(part, state, wanted)
            if not walk.moves and walk.loop is None:
                main.remarks += walk.remarks
            elif not main.moves and main.loop is None:
                remarks, main = main.remarks, walk
                main.remarks = remarks + main.remarks
            else:
                main.branches.append(Branch(0, part if wanted else negation(part), walk))
        return main

    def _path(self, formula: f.Formula, path: f.Formula, state: X) -> Walk[X, M]:
        match path:
            case f.Next(body):
                walk: Walk[X, M] = Walk([state])
                goal = self.sets.intersection(self.fixpoints.states(body), self.fixpoints.fair)
                self._step(walk, goal)
                walk.go_on(self.shows(body, walk.last))
                return walk
            case f.Until(left, right):
                self.fixpoints.states(formula)
                walk = self._down(state, self.fixpoints.layers[formula], left)
                walk.go_on(self.shows(right, walk.last))
                return walk
            case f.Always(body):
                if self.fixpoints.fairness or self.fixpoints.turns:
                    return self._fairly(formula, body, state)
                return self._for_ever(self.fixpoints.states(formula), body, state)
        raise TypeError(f"not a basic formula of CTL: {formula}")

    def _step(self, walk: Walk[X, M], goal: S, process: int | None = None) -> None:
        """One step into the set, in which the process moves; where nothing happens any more, the state itself."""
        offered = False
        for moves, state in self.steps(walk.last):
            offered = True
            if self.sets.includes(goal, state) and (process is None or process in self.moves_in(moves)):
                walk.go(moves, state)
                return
        if offered or self.fixpoints.ends != "stutter" or not self.sets.includes(goal, walk.last):
            raise ReplayError("the system offers no step into the set of states that was computed")

    def _down(self, state: X, layers: list[S], through: f.Formula) -> Walk[X, M]:
        """A shortest walk to the goal, which is the first layer. What holds on the way is shown by branches."""
        walk: Walk[X, M] = Walk([state])
        distance = next((n for n, layer in enumerate(layers) if self.sets.includes(layer, state)), None)
        if distance is None:
            raise ReplayError("a walk begins outside the set of states that was computed")
        while distance > 0:
            self._aside(walk, through)
            distance -= 1
            self._step(walk, layers[distance])
            while distance > 0 and self.sets.includes(layers[distance - 1], walk.last):
                distance -= 1
        return walk

    def _aside(self, walk: Walk[X, M], formula: f.Formula) -> None:
        shown = self.shows(formula, walk.last)
        if shown.moves or shown.loop is not None:
            walk.branches.append(Branch(len(walk.moves), formula, shown))

    def _for_ever(self, inside: S, body: f.Formula, state: X) -> Walk[X, M]:
        """A walk inside the set that comes back to a state of its own, or ends."""
        walk: Walk[X, M] = Walk([state])
        places = {state: 0}
        while len(walk.moves) < LONGEST:
            self._aside(walk, body)
            following = [(moves, after) for moves, after in self.steps(walk.last) if self.sets.includes(inside, after)]
            if not following:
                if not self.sets.includes(self.fixpoints.stuck, walk.last) or self.fixpoints.ends == "infinite":
                    raise ReplayError("the system offers no step inside the set of states that was computed")
                walk.loop = len(walk.moves) if self.fixpoints.ends == "stutter" else None
                return walk
            moves, after = next((pair for pair in following if pair[1] in places), following[0])
            walk.go(moves, after)
            if after in places:
                walk.loop = places[after]
                return walk
            places[after] = len(walk.moves)
        walk.remarks.append(f"this is only the beginning: no cycle within {LONGEST:,} steps")
        return walk

    def _fairly(self, formula: f.Formula, body: f.Formula, state: X) -> Walk[X, M]:
        """To states that recur; there round by round through all constraints, until a round leads back to where it
        began. Where none recur, to an end."""
        sets, fixpoints = self.sets, self.fixpoints
        inside = fixpoints.states(formula)
        recurs = fixpoints.recurs[formula]
        layers = fixpoints.until(inside, recurs)
        if not sets.includes(layers[-1], state):
            layers = fixpoints.until(inside, sets.intersection(inside, fixpoints.stuck))
        walk: Walk[X, M] = Walk([state])
        self._aside(walk, body)
        walk.go_on(self._down(state, layers, f.TRUE))
        while len(walk.moves) < LONGEST:
            if sets.includes(fixpoints.stuck, walk.last):
                walk.loop = len(walk.moves) if fixpoints.ends == "stutter" else None
                return walk
            begin, start = len(walk.moves), walk.last
            self._step(walk, recurs)
            for wanted in fixpoints.fairness:
                self._meet(walk, recurs, sets.intersection(recurs, wanted))
            for turn in fixpoints.turns:
                self._give(walk, recurs, turn, begin)
            back = fixpoints.until(recurs, sets.intersection(recurs, sets.singleton(start)))
            if sets.includes(back[-1], walk.last):
                walk.go_on(self._down(walk.last, back, f.TRUE))
                walk.loop = begin
                return walk
        walk.remarks.append(f"this is only the beginning: no cycle within {LONGEST:,} steps")
        return walk

    def _meet(self, walk: Walk[X, M], recurs: S, goal: S) -> None:
        walk.go_on(self._down(walk.last, self.fixpoints.until(recurs, goal), f.TRUE))

    def _give(self, walk: Walk[X, M], recurs: S, turn: Turn[S], begin: int) -> None:
        """On to a move of the process, unless the round has one; or to where it cannot move, if that is enough."""
        sets, fixpoints = self.sets, self.fixpoints
        if any(turn.process in self.moves_in(moves) for moves in walk.moves[begin:]):
            return
        taking = fixpoints.taking(turn, recurs)
        if turn.strong:
            if not sets.includes(fixpoints.reaching(recurs, taking), walk.last):
                return  # nor can it ever move from here on: else this state would not recur
        elif any(not sets.includes(turn.able, state) for state in walk.states[begin:]):
            return
        else:
            taking = sets.union(taking, sets.difference(recurs, turn.able))
        self._meet(walk, recurs, taking)
        if turn.strong or sets.includes(turn.able, walk.last):
            self._step(walk, recurs, turn.process)
