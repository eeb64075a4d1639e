"""The states that someone has looked at: numbered as they are found, expanded on demand.

A state space is used by one request at a time: callers hold `lock`.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable, Sequence
from itertools import islice
from typing import Any

from clew.core.records import record
from clew.core.statespace import StateSpace
from clew.core.traces import Trace, TraceState, TraceStep
from clew.report.explorer.requests import BadRequest

MOST_INITIAL = 50  # initial states that are offered; a relational model may have any number


@record
class Offer:
    """A step that can be taken in a state; `target` None: it breaks down."""

    move: Any
    target: int | None
    trouble: tuple[str, ...] = ()


@record
class Origin:
    """How a state was reached first: by which of the steps offered in which state. None: it is initial."""

    state: int | None
    choice: int


class StateBook:
    """Numbers for states, and what is known about each."""

    def __init__(self, space: StateSpace[Any, Any]) -> None:
        self.lock = threading.RLock()
        self.space = space
        self._numbers: dict[Hashable, int] = {}
        self._states: list[Any] = []
        self._described: dict[int, TraceState] = {}
        self._moves: dict[int, Sequence[Any]] = {}
        self._taken: dict[tuple[int, int], Offer] = {}
        self._offers: dict[int, tuple[Offer, ...]] = {}
        self._trouble: dict[int, tuple[str, ...]] = {}
        self._along: tuple[Trace | None, tuple[int, list[int]] | None] = (None, None)
        self._steps: dict[tuple[int, int], TraceStep] = {}
        self.origins: list[Origin] = []
        starts = list(islice(iter(space.initial()), MOST_INITIAL + 1))
        self.more_initial = len(starts) > MOST_INITIAL
        self.initial = tuple(dict.fromkeys(self._number(state, Origin(None, n)) for n, state in enumerate(starts[:50])))

    def __len__(self) -> int:
        return len(self._states)

    def _number(self, state: Any, origin: Origin) -> int:
        key = self.space.key(state)
        found = self._numbers.setdefault(key, len(self._states))
        if found == len(self._states):
            self._states.append(state)
            self.origins.append(origin)
        return found

    def begin_at(self, described: TraceState) -> int | None:
        """The state that a trace begins with, if it is one of the system."""
        for number in self.initial:
            if self.describe(number) == described:
                return number
        recognise = getattr(self.space, "recognise", None)
        state = recognise(described) if recognise is not None else None
        if state is not None:
            return self._number(state, Origin(None, -1))
        return self.initial[0] if len(self.initial) == 1 and not self.more_initial else None

    def describe(self, number: int) -> TraceState:
        found = self._described.get(number)
        if found is None:
            found = self._described[number] = self.space.describe(self._states[number])
        return found

    def state(self, number: int) -> Any:
        """The state as the space knows it. Where data is carried that decides nothing, as it was found first."""
        return self._states[number]

    def transient(self, number: int) -> bool:
        return self.space.transient(self._states[number])

    def expanded(self, number: int) -> bool:
        return number in self._offers

    def offers(self, number: int) -> tuple[Offer, ...]:
        """The steps that can be taken, and where they lead. Expands the state."""
        found = self._offers.get(number)
        if found is None:
            found = tuple(self.offer(number, choice) for choice in range(len(self._moves_of(number))))
            self._offers[number] = found
        return found

    def offer(self, number: int, choice: int) -> Offer:
        """One of the steps that can be taken; the others are left alone. Raises BadRequest."""
        found = self._taken.get((number, choice))
        if found is not None:
            return found
        moves = self._moves_of(number)
        if not 0 <= choice < len(moves):
            raise BadRequest(f"there are {len(moves)} steps to choose from in state {number}, not {choice + 1}")
        outcome = self.space.fire(self._states[number], moves[choice])
        target = None if outcome.state is None else self._number(outcome.state, Origin(number, choice))
        found = Offer(moves[choice], target, tuple(violation.message for violation in outcome.violations))
        self._taken[number, choice] = found
        return found

    def _moves_of(self, number: int) -> Sequence[Any]:
        found = self._moves.get(number)
        if found is None:
            found = self._moves[number] = self.space.moves(self._states[number])
        return found

    def step(self, number: int, choice: int) -> TraceStep:
        """A step that is offered, in words."""
        found = self._steps.get((number, choice))
        if found is None:
            offer = self.offer(number, choice)
            after = None if offer.target is None else self._states[offer.target]
            found = self._steps[number, choice] = self.space.explain(self._states[number], offer.move, after)
        return found

    def trouble(self, number: int) -> tuple[str, ...]:
        """What is wrong with a state itself."""
        found = self._trouble.get(number)
        if found is None:
            state = self._states[number]
            wrong = [violation.message for violation in self.space.judge(state) if violation.kind != "reach"]
            stuck = None if self._moves_of(number) else self.space.stuck(state)
            found = self._trouble[number] = (*wrong, *([] if stuck is None else [stuck.message]))
        return found

    def ends(self, number: int) -> bool:
        return not self._moves_of(number)

    def path_to(self, number: int) -> tuple[int, tuple[int, ...]]:
        """Where to begin and which choices lead to a state."""
        choices: list[int] = []
        origin = self.origins[number]
        while origin.state is not None:
            choices.append(origin.choice)
            number = origin.state
            origin = self.origins[number]
        return number, tuple(reversed(choices))

    def walk(self, start: int, choices: Sequence[int]) -> list[int]:
        """The states on the way, the first one included. A step that breaks down leads nowhere. Raises BadRequest."""
        found = [start]
        for place, choice in enumerate(choices, start=1):
            target = self.offer(found[-1], choice).target
            if target is None:
                raise BadRequest(f"step {place} breaks down: the walk ends there")
            found.append(target)
        return found

    def along(self, trace: Trace) -> tuple[int, list[int]] | None:
        """Where a trace begins and the choices it makes; None if it is no run of this system. Steps of an automaton
        beside the system are left out, so there may be fewer choices than steps."""
        if self._along[0] is not trace:
            self._along = (trace, self._choices_of(trace))
        return self._along[1]

    def _choices_of(self, trace: Trace) -> tuple[int, list[int]] | None:
        start = self.begin_at(trace.initial)
        if start is None:
            return None
        number, choices = start, []
        for step in trace.steps:
            if step.pid < 0:
                continue
            move = self.space.find(self._states[number], step)
            if move is None:
                return None
            choice = self._moves_of(number).index(move)
            choices.append(choice)
            target = self.offer(number, choice).target
            if target is None:
                break
            number = target
        return start, choices
