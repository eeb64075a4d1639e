"""Runs that violate temporal properties, judged without the product that found them.

The reference interpreter takes the steps of a run; a formula is then evaluated on its letters by definition, a never
claim is followed step by step, and fairness is looked up. Nothing here knows the automaton of the formula. States are
looked at as the run goes by and then forgotten: a run may have millions of them.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import cast

from clew.core.chronicle import Chronicle, Tell
from clew.core.foreign import has_foreign_code
from clew.core.interpreter import Move, NetworkSpace, State
from clew.core.interpreter.letters import Letters
from clew.core.interpreter.turns import able, movers, unfair_to
from clew.core.network import Network
from clew.core.packed_steps import PackedSteps
from clew.core.properties import Violation
from clew.core.records import record
from clew.core.replay import ReplayError, moves_of, offered, packed_moves, repeatable, replay_in
from clew.core.traces import Trace, trace_from_json, trace_to_json
from clew.core.views import SpaceView
from clew.host.spaces import space_of
from clew.logic import formulas as f
from clew.logic.followers import ClaimFollower, MonitorFollower, letter_at
from clew.logic.lasso import holds_at
from clew.logic.progression import Progression
from clew.logic.questions import ENDED, Question, meaning

CLAIM_ENDS = "the never claim reached its end"


@record
class Lasso:
    """Steps to a state and steps from there back to it. Without a cycle the run stays where the prefix ends."""

    prefix: Sequence[Move]
    cycle: Sequence[Move] = ()

    @property
    def path(self) -> Sequence[Move]:
        """All steps in order."""
        if isinstance(self.prefix, PackedSteps) and isinstance(self.cycle, PackedSteps):
            return self.prefix.followed_by(self.cycle)
        return (*self.prefix, *self.cycle)


@record
class Place:
    """An ordinary state on a run, and the steps that lead from it to the next ordinary one: none if the run stays."""

    state: State
    steps: Sequence[tuple[State, Move]]
    repeats: bool  # it is on the cycle


def witness(
    network: Network | SpaceView,
    question: Question,
    lasso: Lasso,
    space: NetworkSpace | None = None,
    tell: Tell | None = None,
) -> tuple[Trace, Violation]:
    """The trace of a run that violates the property, as far as to where it does, however it goes on. `space`: one that
    searched for nothing and whose steps these are. `tell` is told how far this is.

    Raises ReplayError if it is no run, or does not violate it."""
    with repeatable(network):
        space = space or cast(NetworkSpace, space_of(network))
        violation = Violation(question.asked.kind, question.message, question.asked.span)
        walk = _Walk(space, lasso, tell, has_foreign_code(network) if isinstance(network, Network) else True)
        judge: _FormulaJudge | ClaimFollower | MonitorFollower
        if question.claim is not None:
            assert isinstance(network, Network)
            judge = ClaimFollower(network, question.claim, space)
        elif question.formula is None:
            assert question.monitor is not None
            judge = MonitorFollower(question.monitor, space)
        else:
            judge = _FormulaJudge(space, question, ends=not lasso.cycle, long=walk.packed is not None)
        fairness = _Fairness(space, question)
        for place in walk.places():
            judge.see(place.state, place.steps, place.repeats)
            fairness.see(place)
        if isinstance(judge, _FormulaJudge):
            enough = judge.bad_after
            if enough is not None and enough < len(lasso.path):
                return witness(network, question, Lasso(lasso.path[:enough]), space, tell)
            if enough is not None and not lasso.cycle:
                return _saved(network, replace(walk.trace(violation), loop=None)), violation
            ends_early = question.monitor is not None and question.monitor.end is not None
            if ends_early and not lasso.cycle and space.moves(walk.last):
                return witness(network, question, _going_on(space, lasso), space, tell)
            judge.judge()
        else:
            matched = judge.matched(walk.cycle_again)
            if matched is None:
                which = "never claim" if question.claim is not None else "automaton"
                raise ReplayError(f"the {which} does not match the run found")
            if matched == "end":
                if question.claim is not None:
                    violation = replace(violation, message=CLAIM_ENDS)
                return _saved(network, replace(walk.trace(violation), loop=None)), violation
        _check_ends(space, question, walk.last, lasso)
        fairness.judge(lasso)
        return _saved(network, walk.trace(violation)), violation


def _going_on(space: NetworkSpace, lasso: Lasso) -> Lasso:
    """Some run that begins like this one, up to where it ends or comes back to where it was."""
    (state,) = space.initial()
    for place, move in enumerate(lasso.path):
        state = _taken(space, state, move, place)
    beyond: list[Move] = []
    known: dict[Hashable, int] = {}
    while space.transient(state) or space.key(state) not in known:
        if not space.transient(state):
            known[space.key(state)] = len(beyond)
        choices = space.moves(state)
        if not choices:
            return Lasso((*lasso.path, *beyond))
        state = _taken(space, state, choices[0], len(lasso.path) + len(beyond))
        beyond.append(choices[0])
    back = known[space.key(state)]
    return Lasso((*lasso.path, *beyond[:back]), tuple(beyond[back:]))


def rejudged(network: Network | SpaceView, question: Question, trace: Trace, tell: Tell | None = None) -> Trace:
    """A saved trace, judged again. Raises ReplayError."""
    if isinstance(network, SpaceView):
        return witness_in_view(network, question, trace)[0]
    moves = moves_of(trace)
    cut = len(moves) if trace.loop is None else trace.before_cycle
    lasso = Lasso(moves[:cut], moves[cut:])
    return witness(network, question, lasso, tell=tell)[0]


def witness_in_view(view: SpaceView, question: Question, trace: Trace) -> tuple[Trace, Violation]:
    """The same for a run written down as a trace: the steps are found again by their names. Raises ReplayError."""
    space = view.fresh()
    (state,) = space.initial()
    moves = []
    for place, step in enumerate(trace.steps, 1):
        move = space.find(state, step)
        after = None if move is None else space.fire(state, move).state
        if move is None or after is None:
            raise ReplayError(f"step {place} cannot be taken: {step.text}")
        moves.append(move)
        state = after
    cut = len(moves) if trace.loop is None else trace.loop
    lasso = Lasso(tuple(moves[:cut]), tuple(moves[cut:]))
    return witness(view, question, lasso, cast(NetworkSpace, space))


class _Walk:
    """A run as the interpreter takes it. `foreign`: a state may not be all there is, so a cycle is taken twice."""

    def __init__(self, space: NetworkSpace, lasso: Lasso, tell: Tell | None, foreign: bool) -> None:
        self.space = space
        self.lasso = lasso
        self.foreign = foreign
        path = lasso.path
        self.packed = packed_moves(path)
        (start,) = space.initial()
        self.chronicle: Chronicle[State, Move] = Chronicle(
            space, start, len(path), len(lasso.prefix), self.packed is not None, tell
        )
        self.start = self.turn = self.last = start

    def places(self) -> Iterator[Place]:
        """The ordinary states in order. Raises ReplayError where it is no run."""
        for state, steps, repeats in self._grouped(self.start, chain(self.lasso.prefix, self.lasso.cycle), True):
            yield Place(state, steps, repeats)
        if self.lasso.cycle:
            self._check_return()
        else:
            self.turn = self.last
            yield Place(self.last, (), True)
        if self.space.transient(self.turn):
            raise ReplayError("the cycle begins inside an indivisible sequence")

    def cycle_again(self) -> Iterator[Place]:
        """The ordinary states of the cycle."""
        if not self.lasso.cycle:
            yield Place(self.turn, (), True)
        for state, steps, _ in self._grouped(self.turn, self.lasso.cycle, False):
            yield Place(state, steps, True)

    def trace(self, shows: Violation) -> Trace:
        """What was taken, once all places were seen."""
        packed = None if self.packed is None else self.packed.named(tuple)
        return self.chronicle.trace(self.last, shows.message, packed)

    def _grouped(
        self, state: State, moves: Iterable[Move], writes: bool
    ) -> Iterator[tuple[State, Sequence[tuple[State, Move]], bool]]:
        here, steps, repeats = state, list[tuple[State, Move]](), not self.lasso.prefix
        for place, move in enumerate(moves):
            if place and not self.space.transient(state):
                yield here, steps, repeats
                here, steps, repeats = state, [], place >= len(self.lasso.prefix)
            if writes and place == len(self.lasso.prefix):
                self.turn = state
            steps.append((state, move))
            after = _taken(self.space, state, move, place)
            if writes:
                self.chronicle.add(state, move, after)
            state = after
        if writes:
            self.last = state
        if steps:
            yield here, steps, repeats

    def _check_return(self) -> None:
        key = self.space.key
        if key(self.last) != key(self.turn):
            raise ReplayError("the cycle does not come back to where it began")
        if self.last == self.turn and not self.foreign:
            return  # the same steps once more lead through the same states
        state = self.last
        for place, move in enumerate(self.lasso.cycle, len(self.lasso.prefix)):
            state = _taken(self.space, state, move, place)
        if key(state) != key(self.turn):
            raise ReplayError("the cycle does not come back when it is taken again")


def _taken(space: NetworkSpace, state: State, move: Move, place: int) -> State:
    if offered(space, state, move) is None:  # a space of another view may stand for the network's
        raise ReplayError(f"step {place + 1} cannot be taken: {move}")
    after = space.fire(state, move).state
    if after is None:
        raise ReplayError(f"step {place + 1} breaks down, but the run goes on")
    return after


class _FormulaJudge:
    """Keeps the letters of a run, then evaluates the formula. `ends`: the run stays in its last state, or is over
    there. Of a `long` run letters that repeat the one before are left out where the formula cannot tell. `bad_after`:
    after so many steps the formula is violated, however the run goes on."""

    def __init__(self, space: NetworkSpace, question: Question, ends: bool, long: bool) -> None:
        assert question.formula is not None
        self.formula = question.formula
        self.atoms = [atom for atom in f.atoms(self.formula) if atom is not ENDED]
        self.letters: Letters = space.letters([meaning(atom) for atom in self.atoms])
        self.over = ends and question.ends == "maximal"
        self.shortens = long and not any(isinstance(node, f.Next) for node in f.subformulas(self.formula))
        self.true: list[int] = []
        self.back: int | None = None
        self.places = {atom: place for place, atom in enumerate(self.atoms)}
        self.rest = Progression(self.formula)
        self.bad_after: int | None = None
        self._looks_ahead = question.ends != "infinite"  # there a beginning shows nothing
        self._steps = 0

    def see(self, state: State, steps: Sequence[tuple[State, Move]], repeats: bool) -> None:
        begins = repeats and self.back is None
        if begins:
            self.back = len(self.true)
        letter = letter_at(self.letters, state, steps)
        self._look_ahead(letter, len(steps))
        if begins or not (self.shortens and self.true and self.true[-1] == letter):
            self.true.append(letter)

    def _look_ahead(self, letter: int, steps: int) -> None:
        """Events of a letter are in the steps behind the state."""
        if self._looks_ahead and self.bad_after is None:
            self.rest.see(lambda atom: atom is not ENDED and bool(letter >> self.places[atom] & 1))
            if self.rest.is_bad:
                self.bad_after = self._steps + (steps if self.letters.have_events else 0)
        self._steps += steps

    def judge(self) -> None:
        """Raises ReplayError if the formula holds."""
        true, places = self.true, self.places
        assert self.back is not None
        length, back = (len(true) + 1, len(true)) if self.over else (len(true), self.back)

        def truth(atom: f.Atom, place: int) -> bool:
            if place == len(true) or atom is ENDED:
                return atom is ENDED and place == len(true)
            return bool(true[place] >> places[atom] & 1)

        if holds_at(self.formula, length, back, truth)[0]:
            raise ReplayError("the formula holds on the run found")


class _Fairness:
    """Who can move on the cycle."""

    def __init__(self, space: NetworkSpace, question: Question) -> None:
        self.space = space
        self.kind = question.fair
        self.able: set[frozenset[int]] = set()

    def see(self, place: Place) -> None:
        if self.kind == "none" or not place.repeats:
            return
        self.able.add(able(self.space, place.state))

    def judge(self, lasso: Lasso) -> None:
        if self.kind == "none" or not lasso.cycle:
            return
        unfair = unfair_to(self.kind, self.able, movers(lasso.cycle))
        if unfair:
            raise ReplayError(f"the run is not fair to process {min(unfair)}")


def _check_ends(space: NetworkSpace, question: Question, last: State, lasso: Lasso) -> None:
    if lasso.cycle:
        return
    if space.moves(last):
        raise ReplayError("the run stays in a state that it could leave")
    if question.ends == "infinite":
        raise ReplayError("the run found ends")


def _saved(network: Network | SpaceView, trace: Trace) -> Trace:
    """Saved, read back, and, unless it is long, run again in a fresh space."""
    read_back = trace_from_json(json.loads(json.dumps(trace_to_json(trace))))
    again = replay_in(space_of(network), read_back).trace if trace.packed is None else read_back
    if again != trace:
        raise ReplayError("the run found looks different when it is replayed")
    return again


def named_moves(names: Iterable[Sequence[int]]) -> Iterator[Move]:
    """Steps as compiled programs name them; an empty name is no step."""
    return (Move(*name) for name in names if name)
