"""Automata followed along a run, without the product that found it and without keeping its states."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Generic, Literal, Protocol, TypeVar

from clew.core.interpreter import Move, NetworkSpace, State
from clew.core.interpreter.letters import Letters
from clew.core.interpreter.product import CLAIM, ClaimProduct, ClaimState
from clew.core.interpreter.state import EvaluationError, Process
from clew.core.monitors import Monitor
from clew.core.network import Network
from clew.core.replay import ReplayError
from clew.logic.automata import components

A = TypeVar("A", bound=Hashable)
Steps = Sequence[tuple[State, Move]]


class OnTheCycle(Protocol):
    """A place of a run that comes back."""

    @property
    def state(self) -> State: ...

    @property
    def steps(self) -> Steps: ...


class Follower(ABC, Generic[A]):
    """Where an automaton can be beside a run: before the cycle, and what it can do in one turn of the cycle, from
    wherever it may begin that, with the marks on the way."""

    all_marks: int

    def __init__(self, initial: A) -> None:
        self._before: set[A] = {initial}
        self._turns: dict[A, set[tuple[A, int]]] | None = None  # by where it begins the turn
        self.ended = False

    @abstractmethod
    def moves(self, state: State, steps: Steps, ats: Iterable[A]) -> dict[A, set[tuple[A, int]]]:
        """Where it can go, and with which marks, from each of these beside the steps from this ordinary state to the
        next. Sets `ended` if it can reach its end."""

    def see(self, state: State, steps: Steps, repeats: bool) -> None:
        """The next place of the run."""
        if not repeats:
            moved = self.moves(state, steps, self._before)
            self._before = {to for found in moved.values() for to, _ in found}
            return
        if self._turns is None:
            self._turns = _at_start(self._before)
        self._turns = self._on(state, steps, self._turns)

    def matched(self, cycle: Callable[[], Iterable[OnTheCycle]]) -> Literal["end", "cycle"] | None:
        """How the automaton matches the run, whose `cycle` can be seen again; None if it does not."""
        turns = self._turns or {}
        while not self.ended and (more := {to for ends in turns.values() for to, _ in ends} - turns.keys()):
            new = _at_start(more)
            for place in cycle():
                new = self._on(place.state, place.steps, new)
            turns = {**turns, **new}
        if self.ended:
            return "end"
        return "cycle" if _accepts(turns, self.all_marks) else None

    def _on(self, state: State, steps: Steps, turns: dict[A, set[tuple[A, int]]]) -> dict[A, set[tuple[A, int]]]:
        moved = self.moves(state, steps, {at for ends in turns.values() for at, _ in ends})
        return {
            start: {(to, marks | more) for at, marks in ends for to, more in moved[at]} for start, ends in turns.items()
        }


def _at_start(ats: Iterable[A]) -> dict[A, set[tuple[A, int]]]:
    return {at: {(at, 0)} for at in ats}


def _accepts(turns: dict[A, set[tuple[A, int]]], all_marks: int) -> bool:
    """Whether it can go round for ever and get all marks again and again."""
    numbers = {at: number for number, at in enumerate(turns)}
    edges = [[(numbers[to], marks) for to, marks in ends] for ends in turns.values()]
    for component in components([{to for to, _ in leaving} for leaving in edges], range(len(turns))):
        inside = set(component)
        found = [marks for number in component for to, marks in edges[number] if to in inside]
        met = 0
        for marks in found:
            met |= marks
        if found and met & all_marks == all_marks:
            return True
    return False


class ClaimFollower(Follower[Process]):
    """A never claim, as the reference interpreter runs it."""

    all_marks = 1

    def __init__(self, network: Network, index: int, space: NetworkSpace) -> None:
        self._space = space
        self._product = ClaimProduct(network, index, space)
        self._accepting = {x.number for x in self._product.network.monitors[index].template.locations if x.accept}
        (first,) = self._product.initial()
        super().__init__(first.claim)

    def moves(self, state: State, steps: Steps, ats: Iterable[Process]) -> dict[Process, set[tuple[Process, int]]]:
        found: dict[Process, set[tuple[Process, int]]] = {}
        watched = self._at_accept(state)
        for claim in ats:
            here, mark = ClaimState(state, claim, CLAIM), int(watched or claim.location in self._accepting)
            targets = found[claim] = set()
            for move in self._product.moves(here):
                outcome = self._product.fire(here, move)
                self.ended |= any(violation.kind == "never" for violation in outcome.violations)
                if outcome.state is not None:
                    targets.add((outcome.state.claim, mark))
        return found

    def _at_accept(self, state: State) -> bool:
        templates = self._space.program.templates
        return any(process.location in templates[process.template].accept for process in state.processes)


class MonitorFollower(Follower[int]):
    """An automaton that reads what is true in a state and what happens in the steps that leave it."""

    def __init__(self, monitor: Monitor, space: NetworkSpace) -> None:
        super().__init__(monitor.initial)
        self.all_marks = monitor.all_marks
        self._monitor = monitor
        self._letters: Letters = space.letters(monitor.atoms)

    def moves(self, state: State, steps: Steps, ats: Iterable[int]) -> dict[int, set[tuple[int, int]]]:
        letter = letter_at(self._letters, state, steps)
        found = {at: {(e.target, e.marks) for e in self._monitor.edges[at] if e.fits(letter)} for at in ats}
        self.ended |= any(target == self._monitor.end for targets in found.values() for target, _ in targets)
        return found


def letter_at(letters: Letters, state: State, steps: Steps) -> int:
    """What is true in an ordinary state, and the events of the steps from there to the next. Raises ReplayError."""
    try:
        found = letters(state)
        if letters.have_events:
            happened = letters.leaving(state)
            for here, move in steps:
                found |= happened(here, move)
    except EvaluationError as error:
        raise ReplayError(f"a condition of the property has no value: {error}") from None
    return found
