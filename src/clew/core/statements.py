"""Immutable statements: what a step does. A step's first statement decides whether the step can be taken;
the others never block. A `Flow` is a small flowchart run to completion inside one step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clew.core.diagnostics import NOWHERE, Span
from clew.core.expressions import Bind, Expr, Match, Pattern, Ref
from clew.core.records import record


@record
class Guard:
    """Executable iff the value is not 0; changes nothing."""

    value: Expr
    span: Span = NOWHERE


@record
class Otherwise:
    """Executable iff no step before it in the same choice is (`else`)."""

    span: Span = NOWHERE


@record
class Assign:
    """Stores the value, converted to the type of the target."""

    target: Ref
    value: Expr
    span: Span = NOWHERE


@record
class Send:
    """Executable iff there is room, or on a handshake channel iff another process can receive the message now.
    `sorted`: put before the first larger message. `lossy`: executable also when full, the message is then lost."""

    channel: Expr
    args: tuple[Expr, ...]
    sorted: bool = False
    lossy: bool = False
    span: Span = NOWHERE


@record
class Receive:
    """Executable iff the first message (`anywhere`: some message) fits the pattern. `keep` leaves the message there."""

    channel: Expr
    pattern: Pattern
    anywhere: bool = False
    keep: bool = False
    span: Span = NOWHERE


@record
class Start:
    """Creates a process of the template; `target` gets its pid."""

    template: str
    args: tuple[Expr, ...]
    target: Ref | None = None
    priority: int | None = None
    span: Span = NOWHERE


@record
class Terminate:
    """Removes the executing process; executable iff it is the youngest."""

    span: Span = NOWHERE


@record
class Assert:
    """A violation if the value is 0; execution goes on."""

    value: Expr
    span: Span = NOWHERE


@record
class Print:
    """Output for people; evaluates its arguments (which may fail) and changes nothing. `enum` for printm."""

    format: str
    args: tuple[Expr, ...]
    span: Span = NOWHERE


@record
class SetPriority:
    pid: Expr
    value: Expr
    span: Span = NOWHERE


@record
class ForeignCode:
    """A statement in another language (embedded C), kept as text; reads and writes anything."""

    text: str
    precondition: str | None = None
    span: Span = NOWHERE


@record
class Branch:
    """One way out of a node of a `Flow`: its statements (the first may block) and the node to go on with."""

    block: tuple[Statement, ...]
    target: int


@record
class Flow:
    """A deterministic flowchart, run to completion. Starts at node 0; at each node the first branch (in order) that
    is executable is taken; node -1 is the exit. Executable iff some branch of node 0 is. Blocking later is an error."""

    nodes: tuple[tuple[Branch, ...], ...]
    span: Span = NOWHERE


Statement = (
    Guard | Otherwise | Assign | Send | Receive | Start | Terminate | Assert | Print | SetPriority | ForeignCode | Flow
)


def statements_in(block: Iterable[Statement]) -> Iterator[Statement]:
    """The statements of a block and of the flowcharts in it."""
    for statement in block:
        yield statement
        if isinstance(statement, Flow):
            for node in statement.nodes:
                for branch in node:
                    yield from statements_in(branch.block)


def expressions(statement: Statement) -> Iterator[Expr]:
    """The expressions a statement evaluates or stores through, in order (not those inside a Flow's branches)."""
    match statement:
        case Guard(value) | Assert(value):
            yield value
        case Assign(target, value):
            yield target
            yield value
        case Send(channel, args):
            yield channel
            yield from args
        case Receive(channel, pattern):
            yield channel
            for item in pattern:
                match item:
                    case Match(value):
                        yield value
                    case Bind(bound) if bound is not None:
                        yield bound
        case Start(_, args, started, _):
            yield from args
            if started is not None:
                yield started
        case Print(_, args):
            yield from args
        case SetPriority(pid, value):
            yield pid
            yield value
        case Otherwise() | Terminate() | ForeignCode() | Flow():
            return
        case _:
            raise TypeError(f"unknown statement {statement!r}")
