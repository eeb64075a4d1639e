"""Expressions in C. An expression is evaluated in a scope: in which state, for which process.

Where evaluating may break down (bad index, division by zero, no such channel), the C sets the local variable `err` and
goes on with some value; the scope remembers that `err` has to be looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import assert_never

from clew.core.expressions import (
    AtLocation,
    Binary,
    Bind,
    Conditional,
    Const,
    Enabled,
    Expr,
    Fill,
    Foreign,
    Global,
    Length,
    LocationOf,
    Match,
    Next,
    Own,
    Pattern,
    Poll,
    PriorityOf,
    Quantified,
    Ref,
    RemoteRef,
    Unary,
    walk,
)
from clew.core.records import record
from clew.core.types import Array, Int, Record, Relation, Scalar, scalars
from clew.explicit import foreign
from clew.explicit.layout import Layout, Shape, converted, identifier

MOST_READ, MOST_PARTS = 5, 60  # values in an expression that is evaluated to its end whatever its beginning says


class Unsupported(Exception):
    """The network has something that cannot be turned into C."""


@dataclass(slots=True)
class Scope:
    """Where code runs. `state` and `me` are C expressions; `fails` is set when `err` may have been."""

    state: str
    me: str
    name: str = "name"  # of the step, for reports
    fails: bool = False

    def on(self, state: str, me: str) -> Scope:
        return replace(self, state=state, me=me, fails=False)


@record
class Queue:
    """A channel in C: a pointer, and its shape and number if they are known."""

    pointer: str
    shape: Shape | None
    number: str


class Expressions:
    """Turns expressions into C for one layout."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._count = 0

    def fresh(self, prefix: str) -> str:
        """A C name that is not used elsewhere."""
        self._count += 1
        return f"{prefix}{self._count}"

    def __call__(self, expr: Expr, scope: Scope) -> str:
        match expr:
            case Const(value):
                return str(value) if value >= 0 else f"({value})" if value > -(1 << 31) else "(-2147483647 - 1)"
            case Ref():
                return self.read(expr, scope, scope.me)
            case Unary(op, operand):
                return f"({op}{self(operand, scope)})"
            case Binary():
                return self._binary(expr, scope)
            case Conditional(test, then, other):
                return f"({self(test, scope)} ? {self(then, scope)} : {self(other, scope)})"
            case Length(channel):
                return f"((int){self.queue(channel, scope).pointer}->length)"
            case Fill(kind, channel):
                return self._fill(kind, self.queue(channel, scope))
            case Poll(channel, pattern, anywhere):
                return self._poll(channel, pattern, anywhere, scope)
            case Own(what):
                if scope.me == "":
                    return "-1" if what == "pid" else "0"
                if what == "pid":
                    return "pid"
                return f"((int){scope.me}->h.priority)" if self.layout.network.uses_priorities else "1"
            case Global("process_count"):
                return f"((int)G({scope.state})->processes)"
            case Global("last"):
                return f"((int)G({scope.state})->last)"
            case Global("timeout"):
                return "(c->timeout)"
            case Global("no_progress"):
                return f"no_progress({scope.state})"
            case Global("accepting"):
                return f"accepting({scope.state})"
            case Global():
                raise Unsupported(f"unknown value {expr.what}")
            case Enabled(pid):
                scope.fails = True
                return f"enabled(c, {scope.state}, {self(pid, scope)}, pid, asked, &err)"
            case PriorityOf(pid):
                return f"priority_of({scope.state}, {self(pid, scope)})"
            case LocationOf(pid):
                return f"location_of({scope.state}, {self(pid, scope)})"
            case AtLocation(template, whose, _, locations):
                found, which = self._process(template, whose, scope)
                if not found or not locations:
                    return "0"
                at = f"HEAD({scope.state}, {which})->at"
                tests = " || ".join(f"{at} == {number}" for number in sorted(locations))
                return f"({{ int {which} = {found}; {which} >= 0 && ({tests}); }})"
            case RemoteRef(template, whose, ref):
                found, which = self._process(template, whose, scope)
                if not found:
                    return "0"
                struct = self.layout.struct(self.layout.network.template(template))
                remote = self.read(ref, scope, f"(({struct} *)HEAD({scope.state}, {which}))")
                return f"({{ int {which} = {found}; {which} >= 0 ? {remote} : 0; }})"
            case Foreign():
                scope.fails |= expr.precondition is not None
                return foreign.call(self.layout, expr, scope.state, scope.me)
            case Next() | Quantified():
                raise Unsupported("a formula over next values inside a network of processes")
            case _:
                assert_never(expr)

    def _process(self, template: str, whose: Expr | None, scope: Scope) -> tuple[str, str]:
        """C for the pid of the process meant (or -1), empty if there can be none, and a name to keep it in."""
        tag = self.layout.tag(template)
        if tag < 0:
            return "", ""
        if whose is None:
            return f"first_of({scope.state}, {tag})", self.fresh("i")
        return f"one_of({scope.state}, {tag}, {self(whose, scope)})", self.fresh("i")

    # --- operators

    def _binary(self, expr: Binary, scope: Scope) -> str:
        left, beside = self(expr.left, scope), scope.on(scope.state, scope.me)
        right = self(expr.right, beside)
        scope.fails |= beside.fails
        match expr.op:
            case "<<":
                return f"((int)((unsigned){left} << ({right} & 31)))"
            case ">>":
                return f"({left} >> ({right} & 31))"
            case "/" | "%":
                low, high = bounds(expr.right)
                if low > 0 or high < -1:
                    return f"({left} {expr.op} {right})"
                scope.fails = True
                return f"{'QUOTIENT' if expr.op == '/' else 'REMAINDER'}({left}, {right})"
            case "&&" | "||" if not beside.fails and is_light(expr):
                return f"({truth(expr.left, left)} {expr.op[0]} {truth(expr.right, right)})"
            case op:
                return f"({left} {op} {right})"

    # --- variables

    def place(self, ref: Ref, scope: Scope, me: str) -> str:
        """The C lvalue of a reference; indices are evaluated in the scope, the variable belongs to `me`."""
        variable = ref.variable
        base = f"G({scope.state})" if variable.owner is None else me
        text = f"{base}->{self.layout.members[variable]}"
        current = variable.type
        for element in ref.path:
            if isinstance(element, str):
                assert isinstance(current, Record)
                text += f".f_{identifier(element)}"
                current = current.field(element)[1]
            else:
                assert isinstance(current, Array | Relation)
                text += f"[{self._index(element, current.size, scope)}]"
                current = current.element
        while not isinstance(current, Scalar):
            if isinstance(current, Array | Relation):
                text += "[0]"
                current = current.element
            else:
                text += f".f_{identifier(current.fields[0][0])}"
                current = current.fields[0][1]
        return text

    def _index(self, index: Expr, size: int, scope: Scope) -> str:
        low, high = bounds(index)
        text = self(index, scope)
        if low >= 0 and high < size:
            return text
        scope.fails = True
        return f"INDEX({text}, {size})"

    def read(self, ref: Ref, scope: Scope, me: str) -> str:
        if ref.variable in self.layout.constants:
            return str(self.layout.constants[ref.variable])
        text = self.place(ref, scope, me)
        return f"((int){text})"

    def store(self, ref: Ref, value: str, scope: Scope) -> str:
        """C that stores a value, converted to the type of the target."""
        type_ = scalar_type(ref)
        if isinstance(type_, Int) and type_.overflow != "wrap":
            raise Unsupported(f"type {type_.name}, whose overflow is not wrapped")
        return f"{self.place(ref, scope, scope.me)} = {converted(type_, value)};"

    # --- channels

    def queue(self, channel: Expr, scope: Scope, number: str | None = None) -> Queue:
        """The channel an expression stands for. `number`: C that holds its value already."""
        if isinstance(channel, Ref) and channel.variable in self.layout.constants and not channel.path:
            known = self.layout.constants[channel.variable]
            if 0 < known <= len(self.layout.global_channels):
                shape = self.layout.known_shape(known)
                pointer = f"((struct queue *)AT({scope.state}, {self.layout.channel_offset(known)}))"
                return Queue(pointer, shape, str(known))
        text = number if number is not None else self(channel, scope)
        scope.fails = True
        shapes = list(self.layout.shapes.values())
        return Queue(f"channel({scope.state}, {text}, &err)", shapes[0] if len(shapes) == 1 else None, text)

    def _fill(self, kind: str, queue: Queue) -> str:
        q = queue.pointer
        match kind:
            case "empty":
                return f"({q}->length == 0)"
            case "nempty":
                return f"({q}->length != 0)"
        not_full = "" if kind == "nfull" else "!"
        if queue.shape is not None:
            return f"({not_full}({q}->length < {queue.shape.capacity}))" if queue.shape.capacity else f"({not_full}1)"
        return f"({not_full}is_not_full({q}))"

    def _poll(self, channel: Expr, pattern: Pattern, anywhere: bool, scope: Scope) -> str:
        queue = self.queue(channel, scope)
        name = self.fresh("q")
        test = self.find(Queue(name, queue.shape, ""), pattern, anywhere, scope)
        scope.fails = True
        handshake = f"capacity_of[SHAPE({name})] == 0"
        return (
            f"({{ struct queue *{name} = {queue.pointer}; {handshake} ? (err = 1) : {name}->length && {test} >= 0; }})"
        )

    def find(self, queue: Queue, pattern: Pattern, anywhere: bool, scope: Scope) -> str:
        """C for the place of the message that a receive would take from a channel that is not empty; -1: none.
        `queue.pointer` is evaluated more than once."""
        shape = queue.shape
        wanted = [self(item.value, scope) if isinstance(item, Match) else None for item in pattern]
        if shape is not None and len(shape.fields) >= len(pattern) and not anywhere and shape.capacity:
            tests = [
                f"(({shape.struct} *){queue.pointer})->m[0].f{n} == {text}"
                for n, text in enumerate(wanted)
                if text is not None
            ]
            if not any(self.can_fail(item.value) for item in pattern if isinstance(item, Match)):
                return f"({' && '.join(tests) or '1'} ? 0 : -1)"
        scope.fails = True
        values = ", ".join(text or "0" for text in wanted) or "0"
        mask = sum(1 << n for n, text in enumerate(wanted) if text is not None)
        return f"find({queue.pointer}, {len(pattern)}, (const int[]){{{values}}}, {mask}u, {int(anywhere)}, &err)"

    def can_fail(self, expr: Expr) -> bool:
        """Whether evaluating it may break down."""
        scope = Scope("s", "p")
        self(expr, scope)
        return scope.fails

    def bind(self, pattern: Pattern, values: list[str], scope: Scope) -> list[str]:
        """C that stores the fields of a message, left to right."""
        return [
            self.store(item.target, value, scope)
            for item, value in zip(pattern, values, strict=False)
            if isinstance(item, Bind) and item.target is not None
        ]


def is_light(expr: Binary) -> bool:
    """Whether it costs less to evaluate both sides than to foresee whether that is needed. What an element of an array
    is cannot be foreseen; a single variable often says whose turn it is."""
    parts = list(islice(walk(expr), MOST_PARTS + 1))
    if len(parts) > MOST_PARTS or not all(isinstance(part, Const | Ref | Unary | Binary) for part in parts):
        return False
    read = [part for part in parts if isinstance(part, Ref)]
    first = [part for part in walk(expr.left) if isinstance(part, Ref)]
    return len(read) <= MOST_READ and bool(first) and all(part.path for part in first)


def truth(expr: Expr, text: str) -> str:
    """C that is 1 or 0."""
    low, high = bounds(expr)
    return text if low >= 0 and high <= 1 else f"({text} != 0)"


ANY = (-(1 << 31), (1 << 31) - 1)


def scalar_type(ref: Ref) -> Scalar:
    """The type of the scalar a reference stands for; an array or record stands for its first slot."""
    return next(type_ for _, type_ in scalars(ref.type))


def bounds(expr: Expr) -> tuple[int, int]:
    """The least and the greatest value an expression can have, from the types in it."""
    match expr:
        case Const(value):
            return value, value
        case Ref():
            type_ = scalar_type(expr)
            return (type_.low, type_.high) if isinstance(type_, Int) else (0, (1 << type_.bits) - 1)
        case Own("pid") | Global("process_count" | "last"):
            return 0, 255
        case Unary("!") | Binary("==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||") | Fill() | Poll():
            return 0, 1
        case Binary("%", left, right) if bounds(right)[0] > 0 and bounds(left)[0] >= 0:
            return 0, min(bounds(left)[1], bounds(right)[1] - 1)
        case Binary("/", left, right) if bounds(right)[0] > 0 and bounds(left)[0] >= 0:
            return bounds(left)[0] // bounds(right)[1], bounds(left)[1] // bounds(right)[0]
        case Binary("+" | "-" | "*" as op, left, right):
            ends = [combine(op, a, b) for a in bounds(left) for b in bounds(right)]
            return (min(ends), max(ends)) if min(ends) >= -(1 << 31) and max(ends) < 1 << 31 else ANY
        case Conditional(_, then, other):
            return min(bounds(then)[0], bounds(other)[0]), max(bounds(then)[1], bounds(other)[1])
        case _:
            return ANY


def combine(op: str, left: int, right: int) -> int:
    """What arithmetic without limits makes of two values."""
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case _:
            return left * right
