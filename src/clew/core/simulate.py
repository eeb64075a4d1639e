"""Walking through a `StateSpace`: step by step, back again, or at random."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Generic, TypeVar

from clew.core.properties import Violation
from clew.core.statespace import StateSpace
from clew.core.traces import Trace, TraceStep

S = TypeVar("S")
M = TypeVar("M")


class Simulation(Generic[S, M]):
    """A run in progress. `violations`: what went wrong in the last step, or being stuck where it led."""

    def __init__(self, space: StateSpace[S, M], start: S | None = None) -> None:
        self.space = space
        self._states: list[S] = [next(iter(space.initial())) if start is None else start]
        self._steps: list[TraceStep] = []
        self._violations: list[tuple[Violation, ...]] = [()]
        self._broken = False

    @property
    def state(self) -> S:
        """Where the run is; after a step that broke down, where it was before."""
        return self._states[-1]

    @property
    def violations(self) -> tuple[Violation, ...]:
        return self._violations[-1]

    @property
    def broken(self) -> bool:
        """Whether the last step broke down, so that there is nothing to go on from."""
        return self._broken

    def __len__(self) -> int:
        return len(self._steps)

    def choices(self) -> Sequence[tuple[M, TraceStep]]:
        """The steps that can be taken now, each with its description."""
        if self._broken:
            return ()
        moves = self.space.moves(self.state)
        return [(move, self.space.explain(self.state, move, self.space.fire(self.state, move).state)) for move in moves]

    def take(self, move: M) -> TraceStep:
        """Takes a step that is offered now; raises ValueError if it is not."""
        if self._broken or move not in self.space.moves(self.state):
            raise ValueError("this step cannot be taken now")
        outcome = self.space.fire(self.state, move)
        step = self.space.explain(self.state, move, outcome.state)
        violations = outcome.violations
        if outcome.state is None:
            self._broken = True
        elif not self.space.moves(outcome.state):
            stuck = self.space.stuck(outcome.state)
            violations = violations if stuck is None else (*violations, stuck)
        self._states.append(self.state if outcome.state is None else outcome.state)
        self._steps.append(step)
        self._violations.append(violations)
        return step

    def back(self) -> bool:
        """Undoes the last step; False if there is none."""
        if not self._steps:
            return False
        for history in (self._states, self._steps, self._violations):
            history.pop()
        self._broken = False
        return True

    def trace(self) -> Trace:
        """The run so far."""
        reason = "; ".join(violation.message for violation in self.violations)
        describe = self.space.describe
        return Trace(describe(self._states[0]), tuple(self._steps), describe(self.state), reason)


def random_run(space: StateSpace[S, M], seed: int, max_steps: int) -> Simulation[S, M]:
    """A run of at most `max_steps` steps, each chosen with equal probability; ends early at a violation or the end.

    The same seed gives the same run.
    """
    chance = random.Random(seed)
    simulation = Simulation(space)
    while len(simulation) < max_steps and not simulation.violations:
        moves = space.moves(simulation.state)
        if not moves:
            break
        simulation.take(chance.choice(list(moves)))
    return simulation
