"""What a state of a `Network` is, how its steps are named, and the working memory in which code is run.

A `State` is immutable and hashable. A `Context` is what expressions and statements see while they run: over a state
it is read-only (tuples), over a step in progress its sequences are lists.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from clew.core.diagnostics import NOWHERE, Diagnostic, InputError, Severity, Span
from clew.core.properties import PropertyKind, Violation

if TYPE_CHECKING:
    from clew.core.interpreter.program import Program

Values = tuple[int, ...]


class EvaluationError(Exception):
    """Something a program may not do (bad index, division by zero, …); becomes a run-time error of the model."""

    kind: PropertyKind = "runtime-error"


class Unsupported(InputError):
    """The network has something the reference interpreter cannot run, such as embedded C without a runner for it."""

    def __init__(self, message: str) -> None:
        super().__init__([Diagnostic(Severity.ERROR, "unsupported", message, NOWHERE)])


class Process(NamedTuple):
    """An instance of a template (by its index); its pid is its place in `State.processes`."""

    template: int
    location: int
    priority: int
    locals: Values


class ChannelState(NamedTuple):
    """A channel (what it is made of, by its index) and its messages, oldest first. Its number is its place plus 1."""

    kind: int
    messages: tuple[Values, ...]


class State(NamedTuple):
    """`control`: pid with the exclusive right to move, or -1. `last`: pid of the last mover, 0 if not tracked."""

    globals: Values
    processes: tuple[Process, ...]
    channels: tuple[ChannelState, ...]
    control: int = -1
    last: int = 0


class Move(NamedTuple):
    """The name of a step: which process takes which step; for a handshake also who receives it and how."""

    pid: int
    step: int
    partner: int | None = None
    partner_step: int | None = None


class Event(NamedTuple):
    """A message that went into or came out of a channel while a step ran."""

    kind: str  # "send" | "receive"
    channel: int
    message: Values
    pid: int


class Context:
    """What running code sees and changes: the state, and which process it runs for (pid -1: a monitor)."""

    __slots__ = (
        "channels",
        "depth",
        "events",
        "globals",
        "last",
        "locals",
        "output",
        "pid",
        "processes",
        "program",
        "span",
        "timeout",
        "violations",
    )

    def __init__(
        self,
        program: Program,
        globals_: Sequence[int],
        processes: Sequence[Process],
        channels: Sequence[ChannelState],
        last: int,
    ) -> None:
        self.program = program
        self.globals = globals_
        self.processes = processes
        self.channels = channels
        self.last = last
        self.pid = -1
        self.locals: Sequence[int] = ()
        self.timeout = False
        self.depth = 0  # of questions about other processes' steps inside one another
        self.span: Span = NOWHERE  # of the statement being run
        self.violations: list[Violation] = []
        self.events: list[Event] | None = None  # recorded if a list
        self.output: list[str] | None = None  # recorded if a list

    @classmethod
    def reading(cls, program: Program, state: State) -> Context:
        """For evaluating expressions in a state."""
        return cls(program, state.globals, state.processes, state.channels, state.last)

    @classmethod
    def working(cls, program: Program, state: State) -> Context:
        """For running a step from a state."""
        return cls(program, list(state.globals), list(state.processes), list(state.channels), state.last)

    def enter(self, pid: int) -> None:
        """From now on code runs for this process, with locals that can be changed."""
        self.pid = pid
        self.locals = list(self.processes[pid].locals)

    def leave(self, location: int) -> None:
        """Puts the process that ran back, at its new location; nothing if it has been removed."""
        if self.pid < len(self.processes):
            old = self.processes[self.pid]
            moved = Process(old.template, location, old.priority, tuple(self.locals))
            self.working_processes[self.pid] = moved

    def seen_by(self, pid: int, locals_: Sequence[int]) -> Context:
        """The same memory seen by another process."""
        other = Context(self.program, self.globals, self.processes, self.channels, self.last)
        other.pid = pid
        other.locals = locals_
        other.timeout = self.timeout
        other.depth = self.depth
        other.span = self.span
        return other

    @property
    def working_globals(self) -> MutableSequence[int]:
        return cast("MutableSequence[int]", self.globals)

    @property
    def working_locals(self) -> MutableSequence[int]:
        return cast("MutableSequence[int]", self.locals)

    @property
    def working_processes(self) -> list[Process]:
        return cast("list[Process]", self.processes)

    @property
    def working_channels(self) -> list[ChannelState]:
        return cast("list[ChannelState]", self.channels)

    def channel(self, number: int) -> ChannelState:
        """The channel with this number; raises EvaluationError if there is none."""
        if 0 < number <= len(self.channels):
            return self.channels[number - 1]
        if number == 0:
            raise EvaluationError("use of an uninitialised channel")
        raise EvaluationError(f"there is no channel with number {number}")
