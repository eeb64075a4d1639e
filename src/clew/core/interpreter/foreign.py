"""How the reference interpreter gets embedded C executed: by someone else, in a child process.

The C data of a state is kept as bytes behind the variables: in the frame of the system what `c_state` Global declares,
then matched and unmatched tracked memory; in the frame of a process what `c_state` Local declares.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from clew.core.foreign import Fragment
from clew.core.interpreter.state import Context, EvaluationError, Values
from clew.core.properties import PropertyKind


class ForeignFrames(NamedTuple):
    """What C sees: the process that runs (its template by index, -1: none) and the frames."""

    pid: int
    template: int
    process_count: int
    last: int
    globals: Sequence[int]
    locals: Sequence[int]


class ForeignOutcome(NamedTuple):
    """The frames after C has run, and what it printed."""

    globals: Values
    locals: Values
    output: str


class PreconditionFailed(EvaluationError):
    """The condition in front of a C fragment is false."""

    kind: PropertyKind = "assertion"


class ForeignRunner(Protocol):
    """Runs the C of one network. `matched`, `unmatched`: bytes behind the frame of the system; `locals`: behind the
    frames of each template. Raises PreconditionFailed, or InputError if the C does not survive."""

    matched: int
    unmatched: int

    @property
    def locals(self) -> Sequence[int]: ...

    def start(self, frames: ForeignFrames) -> Values:
        """The globals with the C data as it is in the beginning."""

    def start_process(self, frames: ForeignFrames) -> Values:
        """The locals of a new process with its C data as it is in the beginning."""

    def run(self, fragment: Fragment, frames: ForeignFrames) -> ForeignOutcome: ...

    def value(self, fragment: Fragment, frames: ForeignFrames) -> int: ...

    def show(self, frames: ForeignFrames) -> list[tuple[str, str]]:
        """Names and values of the C data that are numbers: those of the process, or of the system if there is none."""


def frames(ctx: Context) -> ForeignFrames:
    """What C sees of running code."""
    count = len(ctx.processes)
    if ctx.pid < 0:
        return ForeignFrames(ctx.pid, -1, count, ctx.last, ctx.globals, ())
    return ForeignFrames(ctx.pid, ctx.processes[ctx.pid].template, count, ctx.last, ctx.globals, ctx.locals)
