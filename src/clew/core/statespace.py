"""The `StateSpace` view: a generator of states. The smallest contract every search needs.

All choice is in the name of a step: `fire(state, move)` has one outcome. A state is what is needed to go on; its key
decides equality. Transient states (inside an atomic sequence) are passed through, not counted.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Generic, Protocol, TypeVar

from clew.core.properties import Violation
from clew.core.records import record
from clew.core.traces import TraceState, TraceStep

S = TypeVar("S")
M = TypeVar("M")


@record
class Outcome(Generic[S]):
    """What taking a step led to: the next state (None if the step broke down) and what went wrong in it."""

    state: S | None
    violations: tuple[Violation, ...] = ()


class StateSpace(Protocol[S, M]):
    """Required: `initial`, `moves`, `fire`, `key`. The others have plain defaults in implementations."""

    def initial(self) -> Iterable[S]:
        """The initial states, in a fixed order."""

    def moves(self, state: S) -> Sequence[M]:
        """The named steps that can be taken in this state, in a fixed order."""

    def fire(self, state: S, move: M) -> Outcome[S]:
        """Takes a step that `moves` offered in this state."""

    def key(self, state: S) -> Hashable:
        """What decides whether two states are the same."""

    def transient(self, state: S) -> bool:
        """Whether the state is inside an indivisible sequence: passed through, not counted."""

    def judge(self, state: S) -> tuple[Violation, ...]:
        """What is wrong with the state itself, however it was reached."""

    def stuck(self, state: S) -> Violation | None:
        """For a state without moves: why being here is an error, or None if the system may end here."""

    def describe(self, state: S) -> TraceState:
        """The state for people and traces."""

    def explain(self, state: S, move: M, after: S | None) -> TraceStep:
        """The step for people and traces."""

    def find(self, state: S, step: TraceStep) -> M | None:
        """The move that a recorded step names, if it is offered in this state."""
