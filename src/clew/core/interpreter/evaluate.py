"""Expressions as Python functions of a `Context`: 32-bit C arithmetic that wraps around.

Shifts take their amount modulo 32, as an x86 processor does (in C such shifts have no defined value).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, assert_never

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
)
from clew.core.interpreter.foreign import frames
from clew.core.interpreter.state import Context, EvaluationError, Process, Unsupported, Values
from clew.core.types import Int, Scalar, scalars, wrap

if TYPE_CHECKING:
    from clew.core.interpreter.program import Program

Evaluate = Callable[[Context], int]
Test = Callable[[Context], bool]
Store = Callable[[Context, int], None]
Convert = Callable[[int], int]

LOW, HIGH = -(1 << 31), (1 << 31) - 1


def wrapped(value: int) -> int:
    """The value as a 32-bit C int."""
    if LOW <= value <= HIGH:
        return value
    return ((value - LOW) & 0xFFFFFFFF) + LOW


def divided(left: int, right: int) -> int:
    if right == 0:
        raise EvaluationError("division by zero")
    quotient = abs(left) // abs(right)
    return wrapped(quotient if (left < 0) == (right < 0) else -quotient)


def remainder(left: int, right: int) -> int:
    if right == 0:
        raise EvaluationError("remainder of a division by zero")
    rest = abs(left) % abs(right)
    return -rest if left < 0 else rest


OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: wrapped(a + b),
    "-": lambda a, b: wrapped(a - b),
    "*": lambda a, b: wrapped(a * b),
    "/": divided,
    "%": remainder,
    "<<": lambda a, b: wrapped(a << (b & 31)),
    ">>": lambda a, b: a >> (b & 31),
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<": lambda a, b: 1 if a < b else 0,
    "<=": lambda a, b: 1 if a <= b else 0,
    ">": lambda a, b: 1 if a > b else 0,
    ">=": lambda a, b: 1 if a >= b else 0,
    "==": lambda a, b: 1 if a == b else 0,
    "!=": lambda a, b: 1 if a != b else 0,
}


def compile_expression(expr: Expr, program: Program) -> Evaluate:
    """A function that evaluates the expression; it raises EvaluationError where the program may not."""
    match expr:
        case Const(constant):
            return lambda ctx: constant
        case Ref():
            return _compile_read(expr, program)
        case Unary(op, operand):
            return _compile_unary(op, compile_expression(operand, program))
        case Binary(op, left, right):
            return _compile_binary(op, compile_expression(left, program), compile_expression(right, program))
        case Conditional(test, then, other):
            condition = compile_expression(test, program)
            yes, no = compile_expression(then, program), compile_expression(other, program)
            return lambda ctx: yes(ctx) if condition(ctx) else no(ctx)
        case Length(channel):
            number = compile_expression(channel, program)
            return lambda ctx: len(ctx.channel(number(ctx)).messages)
        case Fill(kind, channel):
            return _compile_fill(kind, compile_expression(channel, program))
        case Poll(channel, pattern, anywhere):
            return _compile_poll(compile_expression(channel, program), pattern, anywhere, program)
        case Own(what):
            return _own_pid if what == "pid" else _own_priority
        case Global(what):
            return _GLOBALS[what]
        case Enabled(pid):
            return _compile_enabled(compile_expression(pid, program))
        case PriorityOf(pid):
            return _compile_of_process(compile_expression(pid, program), operator.attrgetter("priority"))
        case LocationOf(pid):
            return _compile_of_process(compile_expression(pid, program), operator.attrgetter("location"))
        case AtLocation(template, pid_or_none, _, locations):
            find = _compile_find_process(template, pid_or_none, program)

            def at_location(ctx: Context) -> int:
                pid = find(ctx)
                return 1 if pid is not None and ctx.processes[pid].location in locations else 0

            return at_location
        case RemoteRef(template, pid_or_none, ref):
            return _compile_remote(_compile_find_process(template, pid_or_none, program), ref, program)
        case Foreign():
            return _compile_foreign(expr, program)
        case Next() | Quantified():
            raise Unsupported("a formula over next values inside a network of processes")
        case _:
            assert_never(expr)


def _compile_foreign(expr: Foreign, program: Program) -> Evaluate:
    runner, fragment = program.foreign(expr)
    return lambda ctx: runner.value(fragment, frames(ctx))


def compile_store(target: Ref, program: Program) -> Store:
    """A function that stores a value, converted to the type of the target."""
    slot = compile_slot(target, program)
    convert = compile_conversion(scalar_type(target))
    if target.variable.owner is None:

        def store_global(ctx: Context, value: int) -> None:
            ctx.working_globals[slot(ctx)] = convert(value)

        return store_global

    def store_local(ctx: Context, value: int) -> None:
        ctx.working_locals[slot(ctx)] = convert(value)

    return store_local


def scalar_type(ref: Ref) -> Scalar:
    """The type of the scalar a reference stands for; an array or record stands for its first slot."""
    return next(type_ for _, type_ in scalars(ref.type))


def compile_conversion(type_: Scalar) -> Convert:
    """How a 32-bit value becomes one of this type."""
    match type_:
        case Int(name, _, _, "error"):
            low, high = type_.low, type_.high

            def checked(value: int) -> int:
                if not low <= value <= high:
                    raise EvaluationError(f"{value} is not a value of type {name}")
                return value

            return checked
        case Int(_, _, _, "disable"):
            raise Unsupported("the reference interpreter does not know types whose overflow disables a step")
        case Int(_, 32, True):
            return wrapped
        case Int(_, _, True):
            return lambda value: wrap(type_, value)
        case _:
            mask = (1 << type_.bits) - 1
            return lambda value: value & mask


def compile_slot(ref: Ref, program: Program) -> Evaluate:
    """The slot a reference stands for in its frame; evaluating it checks every index."""
    base, terms = _slot_terms(ref, program)
    if not terms:
        return lambda ctx: base
    name = ref.variable.name

    def slot(ctx: Context) -> int:
        result = base
        for evaluate, stride, size in terms:
            index = evaluate(ctx)
            if not 0 <= index < size:
                raise EvaluationError(f"index {index} of '{name}' is out of range 0..{size - 1}")
            result += index * stride
        return result

    return slot


def _slot_terms(ref: Ref, program: Program) -> tuple[int, list[tuple[Evaluate, int, int]]]:
    """A constant slot and what is added to it at run time: (index, stride, array size)."""
    base, terms = ref.offset_terms()
    computed: list[tuple[Evaluate, int, int]] = []
    for index, stride, size in terms:
        if isinstance(index, Const) and 0 <= index.value < size:
            base += index.value * stride
        else:
            computed.append((compile_expression(index, program), stride, size))
    return base, computed


def _compile_read(ref: Ref, program: Program) -> Evaluate:
    base, terms = _slot_terms(ref, program)
    slot = compile_slot(ref, program)
    if ref.variable.owner is None:
        if not terms:
            return lambda ctx: ctx.globals[base]
        return lambda ctx: ctx.globals[slot(ctx)]
    if not terms:
        return lambda ctx: ctx.locals[base]
    return lambda ctx: ctx.locals[slot(ctx)]


def _compile_unary(op: str, operand: Evaluate) -> Evaluate:
    match op:
        case "-":
            return lambda ctx: wrapped(-operand(ctx))
        case "!":
            return lambda ctx: 0 if operand(ctx) else 1
        case "~":
            return lambda ctx: ~operand(ctx)
        case _:
            raise TypeError(f"unknown operator {op}")


def _compile_binary(op: str, left: Evaluate, right: Evaluate) -> Evaluate:
    if op == "&&":
        return lambda ctx: 1 if left(ctx) and right(ctx) else 0
    if op == "||":
        return lambda ctx: 1 if left(ctx) or right(ctx) else 0
    operation = OPERATIONS[op]
    return lambda ctx: operation(left(ctx), right(ctx))


def _compile_fill(kind: str, number: Evaluate) -> Evaluate:
    def fill(ctx: Context) -> int:
        channel = ctx.channel(number(ctx))
        size, capacity = len(channel.messages), ctx.program.channels[channel.kind].capacity
        full = capacity > 0 and size >= capacity  # a handshake channel is never full, as in Spin's verifier
        match kind:
            case "full":
                return 1 if full else 0
            case "nfull":
                return 0 if full else 1
            case "empty":
                return 1 if size == 0 else 0
            case _:
                return 1 if size > 0 else 0

    return fill


MatchValues = Callable[[Context], Sequence[int | None]]


def compile_pattern(pattern: Pattern, program: Program) -> MatchValues:
    """The values that the fields of a message must have (None: any), computed when it is to be received."""
    tests: list[Evaluate | None] = []
    for item in pattern:
        match item:
            case Match(value):
                tests.append(compile_expression(value, program))
            case Bind():
                tests.append(None)
    return lambda ctx: [None if test is None else test(ctx) for test in tests]


def fits(message: Values, wanted: Sequence[int | None]) -> bool:
    """Whether a stored message has the wanted values. Fields that are not asked for do not matter here."""
    if len(wanted) > len(message):
        raise EvaluationError(f"a message of {_fields(len(message))} is received as {_fields(len(wanted))}")
    return all(value is None or value == field for field, value in zip(message, wanted, strict=False))


def _fields(count: int) -> str:
    return "1 field" if count == 1 else f"{count} fields"


def first_fitting(messages: Sequence[Values], wanted: Sequence[int | None], anywhere: bool) -> int | None:
    """The place of the message a receive would take, or None."""
    for place, message in enumerate(messages):
        if fits(message, wanted):
            return place
        if not anywhere:
            return None
    return None


def _compile_poll(number: Evaluate, pattern: Pattern, anywhere: bool, program: Program) -> Evaluate:
    wanted = compile_pattern(pattern, program)

    def poll(ctx: Context) -> int:
        channel = ctx.channel(number(ctx))
        if ctx.program.channels[channel.kind].capacity == 0:
            raise EvaluationError("a handshake channel cannot be polled")
        if not channel.messages:
            return 0
        return 0 if first_fitting(channel.messages, wanted(ctx), anywhere) is None else 1

    return poll


def _own_pid(ctx: Context) -> int:
    return ctx.pid


def _own_priority(ctx: Context) -> int:
    return ctx.processes[ctx.pid].priority if ctx.pid >= 0 else 0


def _no_progress(ctx: Context) -> int:
    templates = ctx.program.templates
    return 0 if any(p.location in templates[p.template].progress for p in ctx.processes) else 1


def _accepting(ctx: Context) -> int:
    templates = ctx.program.templates
    return 1 if any(p.location in templates[p.template].accept for p in ctx.processes) else 0


_GLOBALS: dict[str, Evaluate] = {
    "process_count": lambda ctx: len(ctx.processes),
    "last": lambda ctx: ctx.last,
    "timeout": lambda ctx: 1 if ctx.timeout else 0,
    "no_progress": _no_progress,
    "accepting": _accepting,
    "ended": lambda ctx: 0,  # who lets a run end knows when
}


def _compile_enabled(pid: Evaluate) -> Evaluate:
    def enabled(ctx: Context) -> int:
        other = pid(ctx)
        if other == ctx.pid:
            raise EvaluationError("a process asks whether it is enabled itself")
        if not 0 <= other < len(ctx.processes):
            return 0
        return 1 if ctx.program.enabled(ctx, other) else 0

    return enabled


def _compile_of_process(pid: Evaluate, get: Callable[[Process], int]) -> Evaluate:
    def of_process(ctx: Context) -> int:
        number = pid(ctx)
        return get(ctx.processes[number]) if 0 <= number < len(ctx.processes) else 0

    return of_process


def _compile_find_process(template: str, pid: Expr | None, program: Program) -> Callable[[Context], int | None]:
    """The pid of the process meant by a remote reference, None if there is none of that template."""
    wanted = program.template_index[template]
    if pid is None:
        return lambda ctx: next((n for n, p in enumerate(ctx.processes) if p.template == wanted), None)
    evaluate = compile_expression(pid, program)

    def find(ctx: Context) -> int | None:
        number = evaluate(ctx)
        exists = 0 <= number < len(ctx.processes) and ctx.processes[number].template == wanted
        return number if exists else None

    return find


def _compile_remote(find: Callable[[Context], int | None], ref: Ref, program: Program) -> Evaluate:
    slot = compile_slot(ref, program)

    def remote(ctx: Context) -> int:
        pid = find(ctx)
        if pid is None:
            return 0
        frame = ctx.locals if pid == ctx.pid else ctx.processes[pid].locals
        return frame[slot(ctx)]

    return remote
