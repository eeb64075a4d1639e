"""A walk that can go back and forth: where it is, what was taken, what comes next if it was undone or is replayed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clew.core.diagnostics import InputError, Span
from clew.core.simulate import Simulation
from clew.core.statespace import StateSpace
from clew.core.traces import Trace, TraceState, TraceStep
from clew.report.explorer.watching import Expression, read_expression, symbols_in


class Walk:
    """`ahead`: steps that were undone, or of a trace that is followed, the next one last. Taking another step forgets
    them."""

    def __init__(self, space: StateSpace[Any, Any]) -> None:
        self.simulation: Simulation[Any, Any] = Simulation(space)
        self.taken: list[Any] = []
        self.ahead: list[Any] = []
        self.watches: list[Expression] = []

    def follow(self, guide: Trace, name: str) -> None:
        """Puts the steps of a trace ahead. Raises InputError if one cannot be taken."""
        for number, step in enumerate(guide.steps, start=1):
            move = self.simulation.space.find(self.simulation.state, step)
            if move is None:
                what = f"step {number} cannot be taken: {step.process}({step.pid}) {step.text}"
                raise InputError.at(Span(name, 0), "trace-does-not-fit", what, "is it a trace of another model?")
            self._take(move)
        while self.back():
            pass

    @property
    def state(self) -> TraceState:
        return self.simulation.space.describe(self.simulation.state)

    @property
    def trace(self) -> Trace:
        return self.simulation.trace()

    @property
    def last(self) -> TraceStep | None:
        steps = self.trace.steps
        return steps[-1] if steps else None

    @property
    def troubles(self) -> Sequence[str]:
        return [violation.message for violation in self.simulation.violations]

    def choices(self) -> Sequence[tuple[Any, TraceStep]]:
        return self.simulation.choices()

    def take(self, move: Any) -> None:
        same = bool(self.ahead) and self.ahead[-1] == move
        self.ahead = self.ahead[:-1] if same else []
        self._take(move)

    def forward(self) -> bool:
        """The next step, if it is known."""
        if not self.ahead:
            return False
        self._take(self.ahead.pop())
        return True

    def back(self) -> bool:
        if not self.simulation.back():
            return False
        self.ahead.append(self.taken.pop())
        return True

    def watch(self, text: str) -> None:
        """Raises WatchError."""
        values = self.state.values
        self.watches.append(read_expression(text, values, symbols_in(values.values())))

    def _take(self, move: Any) -> None:
        self.simulation.take(move)
        self.taken.append(move)
