"""States, steps and values for people: names of variables and channels, texts of expressions, printed output."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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
    Variable,
)
from clew.core.interpreter.foreign import ForeignFrames
from clew.core.interpreter.state import Context, Process, State, Values
from clew.core.traces import ProcessView, TraceState
from clew.core.types import ChannelRef, Enum, Scalar, scalars, show

if TYPE_CHECKING:
    from clew.core.interpreter.program import Program

_OWN = {"pid": "_pid", "priority": "_priority"}
_GLOBAL = {
    "process_count": "_nr_pr",
    "last": "_last",
    "timeout": "timeout",
    "no_progress": "np_",
    "accepting": "accept_",
    "ended": "ended",
}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", '"': '"', "'": "'"}


def process_name(template: str) -> str:
    return "init" if template == ":init:" else template


def expression_text(expr: Expr) -> str:
    """The expression as a user would write it, with more parentheses than needed rather than fewer."""
    match expr:
        case Const(value, text):
            return text or str(value)
        case Ref(variable, path):
            return variable.name + "".join(f".{p}" if isinstance(p, str) else f"[{expression_text(p)}]" for p in path)
        case Unary(op, operand):
            return f"{op}{_inner(operand)}"
        case Binary(op, left, right):
            return f"{_inner(left)} {op} {_inner(right)}"
        case Conditional(test, then, other):
            return f"({expression_text(test)} -> {expression_text(then)} : {expression_text(other)})"
        case Length(channel):
            return f"len({expression_text(channel)})"
        case Fill(kind, channel):
            return f"{kind}({expression_text(channel)})"
        case Poll(channel, pattern, anywhere):
            return f"{expression_text(channel)}{'??' if anywhere else '?'}[{_pattern_text(pattern)}]"
        case Own(what):
            return _OWN[what]
        case Global(what):
            return _GLOBAL[what]
        case Enabled(pid):
            return f"enabled({expression_text(pid)})"
        case PriorityOf(pid):
            return f"get_priority({expression_text(pid)})"
        case LocationOf(pid):
            return f"pc_value({expression_text(pid)})"
        case AtLocation(template, pid_or_none, label, _):
            return f"{template}{_index_text(pid_or_none)}@{label}"
        case RemoteRef(template, pid_or_none, ref):
            return f"{template}{_index_text(pid_or_none)}:{expression_text(ref)}"
        case Foreign(text):
            return f"c_expr {{{' '.join(text.split())}}}"
        case Next(ref):
            return f"{expression_text(ref)}'"
        case Quantified(kind, variable, body):
            return f"({kind} {variable.name} | {expression_text(body)})"
        case _:
            assert_never(expr)


def _inner(expr: Expr) -> str:
    text = expression_text(expr)
    return f"({text})" if isinstance(expr, Binary) else text


def _index_text(pid: Expr | None) -> str:
    return "" if pid is None else f"[{expression_text(pid)}]"


def _pattern_text(pattern: Pattern) -> str:
    texts = []
    for item in pattern:
        match item:
            case Match(Const() as constant):
                texts.append(expression_text(constant))
            case Match(value):
                texts.append(f"eval({expression_text(value)})")
            case Bind(target):
                texts.append("_" if target is None else expression_text(target))
    return ",".join(texts)


# --- printing


def compile_print(
    format_: str, args: Sequence[Expr], values: Sequence[Callable[[Context], int]], program: Program
) -> Callable[[Context], None]:
    """Evaluates the arguments, and renders the text if output is being recorded."""
    labels = [_labels_of(arg, program) for arg in args]

    def run(ctx: Context) -> None:
        numbers = [value(ctx) for value in values]
        if ctx.output is not None:
            ctx.output.append(_render(format_, numbers, labels))

    return run


def _labels_of(arg: Expr, program: Program) -> Mapping[int, str]:
    """The labels a value of this argument may have: of its own enumeration, else of all."""
    known = dict(program.labels)
    if isinstance(arg, Const) and arg.text:
        known[arg.value] = arg.text
    if isinstance(arg, Ref):
        for _, type_ in scalars(arg.type):
            if isinstance(type_, Enum):
                return dict(type_.labels)
    return known


def _render(format_: str, numbers: Sequence[int], labels: Sequence[Mapping[int, str]]) -> str:
    result: list[str] = []
    rest = iter(zip(numbers, labels, strict=True))
    characters = iter(format_)
    for character in characters:
        if character == "\\":
            following = next(characters, "")
            result.append(_ESCAPES.get(following, "\\" + following))
        elif character == "%":
            kind = next(characters, "")
            while kind and kind in "0123456789-l":
                kind = next(characters, "")
            result.append("%" if kind == "%" else _render_one(kind, *next(rest, (0, {}))))
        else:
            result.append(character)
    return "".join(result)


def _render_one(kind: str, number: int, labels: Mapping[int, str]) -> str:
    match kind:
        case "c":
            return chr(number & 0xFF)
        case "e":
            return labels.get(number, str(number))
        case "o":
            return format(number & 0xFFFFFFFF, "o")
        case "u":
            return str(number & 0xFFFFFFFF)
        case "x":
            return format(number & 0xFFFFFFFF, "x")
        case _:
            return str(number)


# --- states


def channel_names(program: Program, state: State) -> list[str]:
    """The name of each channel in order of its number: `q`, `q[1]`, `P(1).q`."""
    names = list(program.channel_names)
    for pid, process in enumerate(state.processes):
        template = program.templates[process.template]
        names += [f"{template.name}({pid}).{name}" for name in template.channel_names]
    return names


def show_value(type_: Scalar, value: int, channels: Sequence[str]) -> str:
    """A value as users write it; a channel by its name."""
    if isinstance(type_, ChannelRef) and 0 < value <= len(channels):
        return channels[value - 1]
    return show(type_, value)


def show_message(message: Values, fields: Sequence[Scalar], channels: Sequence[str]) -> tuple[str, ...]:
    return tuple(show_value(type_, value, channels) for type_, value in zip(fields, message, strict=True))


def describe_state(program: Program, state: State) -> TraceState:
    """All variables that are shown, and the contents of channels that can hold messages."""
    channels = channel_names(program, state)
    values = dict(_shown_values(program.variables, state.globals, "", channels))
    values.update(_foreign_values(program, state))
    for pid, process in enumerate(state.processes):
        template = program.templates[process.template]
        values.update(_shown_values(template.variables, process.locals, f"{template.name}({pid}).", channels))
    for name, (kind, messages) in zip(channels, state.channels, strict=True):
        channel = program.channels[kind]
        if channel.capacity > 0:
            texts = [show_message(message, channel.fields, channels) for message in messages]
            values[name] = "[" + ", ".join(t[0] if len(t) == 1 else f"({','.join(t)})" for t in texts) + "]"
    processes = tuple(view_process(program, pid, process) for pid, process in enumerate(state.processes))
    return TraceState(values, processes, None if state.control < 0 else state.control)


def _foreign_values(program: Program, state: State) -> Iterator[tuple[str, str]]:
    """The data of embedded C, as far as C can show it."""
    runner = program.runner
    if runner is None:
        return
    count = len(state.processes)
    yield from runner.show(ForeignFrames(-1, -1, count, state.last, state.globals, ()))
    for pid, process in enumerate(state.processes):
        if runner.locals[process.template]:
            frames = ForeignFrames(pid, process.template, count, state.last, state.globals, process.locals)
            prefix = f"{program.templates[process.template].name}({pid})."
            yield from ((prefix + name, text) for name, text in runner.show(frames))


def view_process(program: Program, pid: int, process: Process) -> ProcessView:
    template = program.templates[process.template]
    location = template.locations[process.location]
    return ProcessView(pid, template.name, process.location, location.span, process.priority)


def _shown_values(
    variables: Sequence[Variable], frame: Values, prefix: str, channels: Sequence[str]
) -> Iterator[tuple[str, str]]:
    for variable in variables:
        if not variable.shown:
            continue
        for place, (name, type_) in enumerate(scalars(variable.type, variable.name), variable.slot):
            text, full = show_value(type_, frame[place], channels), prefix + name
            if text != full:  # a channel under its own name: its contents are shown instead
                yield full, text
