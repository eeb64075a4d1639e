"""A run written down while it is taken. Of a long one only parts are kept, so that memory does not grow with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from clew.core.packed_steps import PackedSteps
from clew.core.statespace import StateSpace
from clew.core.traces import Trace, TraceStep, gap

S = TypeVar("S")
M = TypeVar("M")

PART = 500
"""Steps kept of a long run: so many at its beginning, around the start of its cycle, and at its end."""

Tell = Callable[[int, int], None]
"""Is told how many steps were taken, and of how many."""
_TELL_EVERY = 4096


class Chronicle(Generic[S, M]):
    """What of a run of `length` steps is written down: everything, or parts if it is `long`. `loop`: how many of them
    come before its cycle."""

    def __init__(
        self,
        space: StateSpace[S, M],
        start: S,
        length: int,
        loop: int | None = None,
        long: bool = False,
        tell: Tell | None = None,
    ) -> None:
        self._space = space
        self._initial = space.describe(start)
        self._length = length
        self._loop = loop
        self._long = long
        self._tell = tell
        self._count = 0
        self._steps: list[TraceStep] = []
        self._shown_loop = 0 if loop == 0 else None
        self._left: S | None = None  # where the gap begins
        self._left_out = 0

    def add(self, state: S, move: M, after: S | None) -> None:
        """The next step; `after` is None if it breaks down."""
        if self._is_kept(self._count):
            self._close_gap(state)
            self._steps.append(self._space.explain(state, move, after))
        else:
            self._left = state if self._left_out == 0 else self._left
            self._left_out += 1
        self._count += 1
        if self._count == self._loop:
            self._shown_loop = len(self._steps)
        if self._tell is not None and self._count % _TELL_EVERY == 0:
            self._tell(self._count, self._length)

    def trace(self, last: S, reason: str = "", packed: PackedSteps[tuple[int | None, ...]] | None = None) -> Trace:
        """The run so far, which leads to `last`; `packed`: all of its steps, if it is long."""
        self._close_gap(last)
        final = self._space.describe(last)
        return Trace(self._initial, tuple(self._steps), final, reason, self._shown_loop, packed=packed)

    def _is_kept(self, place: int) -> bool:
        if not self._long or place < PART or place >= self._length - PART:
            return True
        return self._loop is not None and abs(place - self._loop) <= PART // 2

    def _close_gap(self, state: S) -> None:
        if self._left_out:
            assert self._left is not None
            self._steps.append(gap(self._left_out, self._space.describe(self._left), self._space.describe(state)))
            self._left_out = 0
