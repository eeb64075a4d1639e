"""Never claims followed along a run, without the product that found it and without keeping its states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, Protocol

from clew.core.interpreter import Move, NetworkSpace, State
from clew.core.interpreter.product import CLAIM, ClaimProduct, ClaimState
from clew.core.interpreter.state import Process
from clew.core.network import Network
from clew.logic.automata import components

Reached = tuple[Process, bool]
"""A state of the claim, and whether there was something to accept on the way to it."""


class OnTheCycle(Protocol):
    """A place of a run that comes back."""

    @property
    def state(self) -> State: ...


class ClaimFollower:
    """Where the claim can be beside a run: before the cycle, and what it can do in one turn of the cycle, from wherever
    it may begin that."""

    def __init__(self, network: Network, index: int, space: NetworkSpace) -> None:
        self._space = space
        self._product = ClaimProduct(network, index, space)
        self._accepting = {x.number for x in self._product.network.monitors[index].template.locations if x.accept}
        (first,) = self._product.initial()
        self._before: set[Process] = {first.claim}
        self._turns: dict[Process, set[Reached]] | None = None  # by where it begins the turn
        self._ended = False

    def see(self, state: State, steps: Sequence[tuple[State, Move]], repeats: bool) -> None:
        """The next place of the run."""
        if not repeats:
            moved = self._moves(state, self._before)
            self._before = {to for found in moved.values() for to in found}
            return
        if self._turns is None:
            self._turns = _at_start(self._before)
        self._turns = self._on(state, self._turns)

    def matched(self, cycle: Callable[[], Iterable[OnTheCycle]]) -> Literal["end", "cycle"] | None:
        """How the claim matches the run, whose `cycle` can be seen again; None if it does not."""
        turns = self._turns or {}
        while not self._ended and (more := {to for ends in turns.values() for to, _ in ends} - turns.keys()):
            new = _at_start(more)
            for place in cycle():
                new = self._on(place.state, new)
            turns = {**turns, **new}
        if self._ended:
            return "end"
        return "cycle" if _accepts(turns) else None

    def _on(self, state: State, turns: dict[Process, set[Reached]]) -> dict[Process, set[Reached]]:
        moved = self._moves(state, {claim for ends in turns.values() for claim, _ in ends})
        here = self._at_accept(state)
        return {
            start: {
                (to, seen or here or claim.location in self._accepting) for claim, seen in ends for to in moved[claim]
            }
            for start, ends in turns.items()
        }

    def _moves(self, state: State, claims: Iterable[Process]) -> dict[Process, set[Process]]:
        found: dict[Process, set[Process]] = {}
        for claim in claims:
            found[claim] = set(self._moves_of(ClaimState(state, claim, CLAIM)))
        return found

    def _moves_of(self, here: ClaimState) -> Iterator[Process]:
        for move in self._product.moves(here):
            outcome = self._product.fire(here, move)
            self._ended |= any(violation.kind == "never" for violation in outcome.violations)
            if outcome.state is not None:
                yield outcome.state.claim

    def _at_accept(self, state: State) -> bool:
        templates = self._space.program.templates
        return any(process.location in templates[process.template].accept for process in state.processes)


def _at_start(claims: Iterable[Process]) -> dict[Process, set[Reached]]:
    return {claim: {(claim, False)} for claim in claims}


def _accepts(turns: dict[Process, set[Reached]]) -> bool:
    """Whether the claim can go round for ever and accept again and again."""
    numbers = {claim: number for number, claim in enumerate(turns)}
    successors = [{numbers[to] for to, _ in ends} for ends in turns.values()]
    accepting = [{numbers[to] for to, seen in ends if seen} for ends in turns.values()]
    return any(
        accepting[number] & inside
        for component in components(successors, range(len(turns)))
        for inside in [set(component)]
        for number in component
    )
