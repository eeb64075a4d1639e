"""Immutable expressions over the variables, channels and processes of a system.

Arithmetic is that of 32-bit C integers (wrapping) unless a front-end says otherwise through the types of variables.
An algorithm over expressions is one function with a `match` that covers every node and fails on an unknown one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from clew.core.diagnostics import NOWHERE, Span
from clew.core.records import record
from clew.core.types import Array, Record, Relation, Scalar, Type, slots


@record(eq=False)
class Variable:
    """A variable of the system (owner None) or of each process of a template (owner is its name).

    `slot` is its first scalar within its frame. `matched` false: its value is carried along but is not part of the
    key of a state. `initial` is evaluated when the frame is made: an expression or channel to create for every slot, or
    one for each slot in a tuple; None means 0.
    """

    name: str
    type: Type
    slot: int
    owner: str | None = None
    initial: Expr | Channel | tuple[Expr | Channel | None, ...] | None = None
    matched: bool = True
    shown: bool = True
    span: Span = NOWHERE

    def __repr__(self) -> str:
        return f"Variable({self.name})"


@record
class Channel:
    """What a channel is made of: `capacity` messages (0: handshake) of flat scalar fields."""

    name: str
    capacity: int
    fields: tuple[Scalar, ...]


@record
class Const:
    value: int
    text: str = ""


@record
class Ref:
    """A variable or a part of one: path elements are an index (expression) or a field name."""

    variable: Variable
    path: tuple[Expr | str, ...] = ()

    @property
    def type(self) -> Type:
        """The type of the part; needs a path that fits the variable's type."""
        current = self.variable.type
        for element in self.path:
            if isinstance(element, str):
                assert isinstance(current, Record)
                current = current.field(element)[1]
            else:
                assert isinstance(current, Array | Relation)
                current = current.element
        return current

    def offset_terms(self) -> tuple[int, tuple[tuple[Expr, int, int], ...]]:
        """The slot of this part as `constant + sum(index * stride)`; each term is (index, stride, array size)."""
        base = self.variable.slot
        terms: list[tuple[Expr, int, int]] = []
        current = self.variable.type
        for element in self.path:
            if isinstance(element, str):
                assert isinstance(current, Record)
                offset, current = current.field(element)
                base += offset
            else:
                assert isinstance(current, Array | Relation)
                size, current = current.size, current.element
                terms.append((element, slots(current), size))
        return base, tuple(terms)


UnaryOp = Literal["-", "!", "~"]
BinaryOp = Literal["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||"]


@record
class Unary:
    op: UnaryOp
    operand: Expr


@record
class Binary:
    op: BinaryOp
    left: Expr
    right: Expr


@record
class Conditional:
    test: Expr
    then: Expr
    other: Expr


@record
class Length:
    """The number of messages in a channel."""

    channel: Expr


@record
class Fill:
    """Whether a channel is `full` or `empty` (or not). A handshake channel is empty and never full
    (as in Spin's verifier)."""

    kind: Literal["full", "nfull", "empty", "nempty"]
    channel: Expr


@record
class Match:
    """A field of a receive that must equal the value of an expression."""

    value: Expr


@record
class Bind:
    """A field of a receive that is stored; target None drops it."""

    target: Ref | None


Pattern = tuple[Match | Bind, ...]


@record
class Poll:
    """Whether a receive with this pattern could be executed; nothing is changed."""

    channel: Expr
    pattern: Pattern
    anywhere: bool


@record
class Own:
    """What the executing process knows of itself: its pid or its priority."""

    what: Literal["pid", "priority"]


@record
class Global:
    """What the scheduler knows: number of processes, pid of the last mover, nothing can move, nobody is at a progress
    label, somebody is at an accept label, the run is over."""

    what: Literal["process_count", "last", "timeout", "no_progress", "accepting", "ended"]


@record
class Enabled:
    """Whether the process with this pid has a step it can take now."""

    pid: Expr


@record
class PriorityOf:
    pid: Expr


@record
class LocationOf:
    """The number of the control location of a process (`pc_value`)."""

    pid: Expr


@record
class AtLocation:
    """Whether a process of the template is at one of these locations. pid None: the first one. No such process: 0."""

    template: str
    pid: Expr | None
    label: str
    locations: frozenset[int]


@record
class RemoteRef:
    """A variable of another process. pid None: the first process of that template. No such process: 0."""

    template: str
    pid: Expr | None
    ref: Ref


@record
class Foreign:
    """An expression in another language (embedded C), kept as text; reads anything."""

    text: str
    precondition: str | None = None
    span: Span = NOWHERE


@record
class Next:
    """The value of a variable, or of a part of one, after the step (formulas of a `TransitionSystem`)."""

    ref: Ref


@record
class Quantified:
    """Whether the body holds for all, or for some, values of the variable's type. The variable (owner: any name but
    that of a template) is seen in the body only."""

    kind: Literal["all", "some"]
    variable: Variable
    body: Expr


Expr = (
    Const
    | Ref
    | Unary
    | Binary
    | Conditional
    | Length
    | Fill
    | Poll
    | Own
    | Global
    | Enabled
    | PriorityOf
    | LocationOf
    | AtLocation
    | RemoteRef
    | Foreign
    | Next
    | Quantified
)

TRUE = Const(1, "true")


def children(expr: Expr) -> Iterator[Expr]:
    """The direct subexpressions, in evaluation order."""
    match expr:
        case Const() | Own() | Global() | Foreign():
            return
        case Ref(_, path):
            yield from (p for p in path if not isinstance(p, str))
        case Unary(_, operand):
            yield operand
        case Binary(_, left, right):
            yield left
            yield right
        case Conditional(test, then, other):
            yield test
            yield then
            yield other
        case Length(channel) | Fill(_, channel):
            yield channel
        case Poll(channel, pattern, _):
            yield channel
            for item in pattern:
                if isinstance(item, Match):
                    yield item.value
        case Enabled(pid) | PriorityOf(pid) | LocationOf(pid):
            yield pid
        case AtLocation(_, pid_or_none, _, _):
            if pid_or_none is not None:
                yield pid_or_none
        case RemoteRef(_, pid_or_none, ref):
            if pid_or_none is not None:
                yield pid_or_none
            yield from children(ref)
        case Next(ref):
            yield ref
        case Quantified(_, _, body):
            yield body
        case _:
            raise TypeError(f"unknown expression {expr!r}")


def walk(expr: Expr) -> Iterator[Expr]:
    """The expression and all its subexpressions."""
    waiting = [expr]
    while waiting:
        part = waiting.pop()
        yield part
        waiting.extend(reversed(tuple(children(part))))
