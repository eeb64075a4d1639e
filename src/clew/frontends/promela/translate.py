"""Promela expressions to core expressions: names become variables, mtype names become constants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

from clew.core import expressions as core
from clew.core import types
from clew.core.diagnostics import Span
from clew.core.near_names import did_you_mean
from clew.core.records import record
from clew.core.temporal import LabelEvent, MessageEvent, StepEvent
from clew.frontends.promela import syntax as ast
from clew.frontends.promela import unparse
from clew.frontends.promela.names import Names

ZERO = core.Const(0)


@record(eq=False)
class LabelUse:
    """A remote reference to a label, to be checked and resolved when all control graphs are known."""

    template: str
    label: str
    span: Span


class Translator:
    """Translates in the current scope of `names`. Problems are reported to its bag and give a constant 0."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.bag = names.bag
        self.label_uses: list[LabelUse] = []
        self.in_claim = False
        self.in_trace = False
        self.in_formula = False
        self.remote_frames: dict[str, dict[str, core.Variable]] = {}

    def __call__(self, node: ast.Expr) -> core.Expr:
        match node:
            case ast.Number(value, text):
                return core.Const(value, text)
            case ast.Ref():
                return self._name(node)
            case ast.Unary("!" | "~" | "-" as op, operand):
                inner = self(operand)
                if op == "-" and isinstance(inner, core.Const):
                    return core.Const(-inner.value)
                return core.Unary(op, inner)
            case ast.Unary(op) | ast.Binary(("U" | "V" | "W" | "->" | "<->") as op):
                where = "inside a condition" if self.in_formula else "outside an ltl formula"
                hint = "formulas are joined by && and ||, not by & and |" if self.in_formula else ""
                return self._bad(node.span, "promela-ltl", f"temporal operator '{op}' {where}", hint)
            case ast.Binary(op, left, right):
                return core.Binary(cast(core.BinaryOp, op), self(left), self(right))
            case ast.Conditional(test, then, other):
                return core.Conditional(self(test), self(then), self(other))
            case ast.Run():
                return self._bad(
                    node.span, "promela-run", "'run' can only stand alone or be the whole right side of '='"
                )
            case ast.ChannelQuery("len", channel):
                return core.Length(self.channel(channel))
            case ast.ChannelQuery(kind, channel):
                return core.Fill(
                    cast(Literal["full", "nfull", "empty", "nempty"], kind), self.channel(channel, strict=True)
                )
            case ast.Poll(channel, args, anywhere):
                return core.Poll(self.channel(channel), self.pattern(args), anywhere)
            case ast.ProcessQuery("enabled", pid):
                return core.Enabled(self(pid))
            case ast.ProcessQuery("get_priority", pid):
                return core.PriorityOf(self(pid))
            case ast.ProcessQuery("pc_value", pid):
                return core.LocationOf(self(pid))
            case ast.Special("timeout"):
                return core.Global("timeout")
            case ast.Special("np_"):
                if not self.in_claim:
                    return self._bad(node.span, "promela-np", "np_ can only be used in a never claim or ltl formula")
                return core.Global("no_progress")
            case ast.RemoteLabel(process, pid_or_none, label):
                self.label_uses.append(LabelUse(process, label, node.span))
                pid_expr = None if pid_or_none is None else self(pid_or_none)
                return core.AtLocation(process, pid_expr, label, frozenset())
            case ast.RemoteVar():
                return self._remote(node)
            case ast.CExpr(text, precondition, span):
                return core.Foreign(text, precondition, span)
            case ast.MessageEvent() | ast.LabelEvent():
                message = f"'{unparse.expression(node)}' is an event: it has no value in a state"
                return self._bad(node.span, "promela-event", message)
            case _:
                raise TypeError(f"unknown expression {node!r}")

    def event(self, node: ast.MessageEvent | ast.LabelEvent) -> StepEvent:
        """An event of a formula."""
        match node:
            case ast.MessageEvent(kind, name, args):
                channel = self.channel(name, strict=True)
                values = tuple(None if _is_any(arg) else self(arg) for arg in args)
                if isinstance(channel, core.Ref) and isinstance(channel.variable.initial, core.Channel):
                    fields = len(channel.variable.initial.fields)
                    if fields != len(values):
                        message = f"messages of '{name.name}' have {_fields(fields)}, the event has {len(values)}"
                        self.bag.error(node.span, "promela-event", message, "'_' stands for any value")
                return MessageEvent(kind, channel, values)
            case ast.LabelEvent(ast.RemoteLabel(process, pid, label, span)):
                self.label_uses.append(LabelUse(process, label, span))
                return LabelEvent(process, None if pid is None else self(pid), label, frozenset())

    def _name(self, node: ast.Ref) -> core.Expr:
        match node.name:
            case "_pid" if node.index is None:
                return core.Own("pid")
            case "_priority":
                return core.Own("priority")
            case "_nr_pr":
                return core.Global("process_count")
            case "_last":
                return core.Global("last")
            case "_" if self.in_trace:
                return core.Own("pid")  # what is no constant stands for any value there
            case "_" | "_p":
                return self._bad(node.span, "promela-write-only", f"'{node.name}' is write-only: it has no value")
        constant = self.names.constants.get(node.name)
        if constant is not None and node.index is None and node.field is None:
            return core.Const(constant[0], node.name)
        ref = self.place(node)
        if ref is None:
            return ZERO
        if not types.is_scalar(ref.type):
            return self._bad(node.span, "promela-type", f"'{unparse.expression(node)}' is not a single value")
        return ref

    def place(self, node: ast.Ref) -> core.Ref | None:
        """The variable, or part of one, that a name stands for."""
        variable = self.names.lookup(node.name)
        if variable is None:
            self._undeclared(node)
            return None
        return self._path(node, variable)

    def _undeclared(self, node: ast.Ref) -> None:
        hint = ""
        if node.name in self.names.constants:
            message = f"'{node.name}' is an mtype name, not a variable"
        elif node.name in self.names.proctypes:
            message = f"'{node.name}' is a proctype, not a variable"
        else:
            message = f"undeclared variable '{node.name}'"
            hint = self._similar(node.name)
        self.bag.error(node.span, "promela-undeclared", message, hint)

    def _similar(self, name: str) -> str:
        visible = [
            *self.names.global_names,
            *self.names.constants,
            *(n for _, scope in self.names.scopes for n in scope),
        ]
        return did_you_mean(name, visible, otherwise="variables are declared before they are used")

    def _path(self, node: ast.Ref, variable: core.Variable) -> core.Ref | None:
        path: list[core.Expr | str] = []
        current: types.Type = variable.type
        part: ast.Ref | None = node
        while part is not None:
            if part.index is not None:
                if isinstance(current, types.Array):
                    path.append(self(part.index))
                    current = current.element
                else:
                    index = self(part.index)
                    if index != ZERO:
                        self.bag.error(part.span, "promela-type", f"'{part.name}' is not an array")
                        return None
            elif isinstance(current, types.Array):
                if part.field is not None or not isinstance(current.element, types.Record):
                    self.bag.error(part.span, "promela-type", f"missing array index for '{part.name}'")
                    return None
                path.append(ZERO)  # as Spin: an array of records without index is its first element
                current = current.element
            if part.field is None:
                break
            if not isinstance(current, types.Record):
                self.bag.error(part.span, "promela-type", f"'{part.name}' has no fields")
                return None
            record = current
            try:
                _, current = record.field(part.field.name)
            except KeyError:
                message = f"typedef {record.name} has no field '{part.field.name}'"
                self.bag.error(part.field.span, "promela-undeclared", message)
                return None
            path.append(part.field.name)
            part = part.field
        return core.Ref(variable, tuple(path))

    def channel(self, node: ast.Ref, strict: bool = False) -> core.Expr:
        """A channel-valued name; `strict` where Spin insists that it is declared as one."""
        ref = self.place(node)
        if ref is None:
            return ZERO
        if not isinstance(ref.type, types.ChannelRef):
            if strict or not types.is_scalar(ref.type):
                return self._bad(node.span, "promela-type", f"'{unparse.expression(node)}' is not a channel")
            self.bag.warning(node.span, "promela-type", f"'{unparse.expression(node)}' is not declared as a chan")
        return ref

    def pattern(self, args: Sequence[ast.ReceiveArg]) -> core.Pattern:
        """Arguments of a receive: constants and eval must match, variables are bound, records are flattened."""
        items: list[core.Match | core.Bind] = []
        for arg in args:
            match arg:
                case ast.Eval(value):
                    items.append(core.Match(self(value)))
                case ast.Ref("_", None, None):
                    items.append(core.Bind(None))
                case ast.Ref(name, None, None) if name in self.names.constants and self.names.lookup(name) is None:
                    items.append(core.Match(core.Const(self.names.constants[name][0], name)))
                case ast.Ref(name) if name in ("_pid", "_nr_pr", "_last", "_priority"):
                    items.append(core.Match(self(arg)))
                case ast.Ref():
                    ref = self.place(arg)
                    if ref is not None:
                        items.extend(core.Bind(part) for part in flatten(ref))
                case _:
                    items.append(core.Match(self(arg)))
        return tuple(items)

    def arguments(self, args: Sequence[ast.Expr]) -> tuple[core.Expr, ...]:
        """Arguments of a send or run; records are flattened."""
        result: list[core.Expr] = []
        for arg in args:
            if isinstance(arg, ast.Ref) and self.names.lookup(arg.name) is not None:
                ref = self.place(arg)
                if ref is not None:
                    result.extend(flatten(ref))
            else:
                result.append(self(arg))
        return tuple(result)

    def _remote(self, node: ast.RemoteVar) -> core.Expr:
        frame = self.remote_frames.get(node.process)
        if frame is None:
            return self._bad(node.span, "promela-undeclared", f"unknown proctype '{node.process}'")
        variable = frame.get(node.ref.name)
        if variable is None:
            return self._bad(
                node.span, "promela-undeclared", f"proctype {node.process} has no variable '{node.ref.name}'"
            )
        ref = self._path(node.ref, variable)
        if ref is None:
            return ZERO
        return core.RemoteRef(node.process, None if node.pid is None else self(node.pid), ref)

    def _bad(self, span: Span, code: str, message: str, hint: str = "") -> core.Expr:
        self.bag.error(span, code, message, hint)
        return ZERO


def _is_any(arg: ast.Expr) -> bool:
    return isinstance(arg, ast.Ref) and arg.name == "_"


def _fields(count: int) -> str:
    return "1 field" if count == 1 else f"{count} fields"


def flatten(ref: core.Ref) -> list[core.Ref]:
    """The scalar parts of a reference, in slot order."""
    match ref.type:
        case types.Record(_, fields):
            return [part for name, _ in fields for part in flatten(core.Ref(ref.variable, (*ref.path, name)))]
        case types.Array(_, size):
            return [part for i in range(size) for part in flatten(core.Ref(ref.variable, (*ref.path, core.Const(i))))]
        case _:
            return [ref]
