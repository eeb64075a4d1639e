"""Types of expressions, and what expressions demand of their parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from clew.core.diagnostics import Span
from clew.frontends.promela import syntax as ast
from clew.frontends.promela.typing.nodes import CHAN, TUPLE, Node
from clew.frontends.promela.typing.scalars import BIT, BOOL, BYTE, PID, Scalar, is_subtype, join, literal, unsigned
from clew.frontends.promela.typing.symbols import Array, Mtype, Names, Options, Record, Symbol, Type, shown

ARGUMENTS, KIND, MTYPES, NARROWING = (
    "promela-arguments", "promela-kind", "promela-mtype-arithmetic", "promela-narrowing",
)  # fmt: skip
_TRUTH = frozenset(("&&", "||", "->", "<->", "U", "V", "W"))
_EQUAL = frozenset(("==", "!="))
_ORDER = frozenset(("<", "<=", ">", ">="))


class Constraint:
    """Two types that must be equal. `use`: the left is the contents of a channel, the right the tuple of a message."""

    __slots__ = ("chain", "left", "related", "right", "span", "text", "use")

    def __init__(
        self,
        left: Node,
        right: Node,
        span: Span,
        text: str,
        chain: tuple[tuple[Span, str], ...],
        use: bool,
        related: tuple[tuple[Span, str], ...] = (),
    ) -> None:
        self.left, self.right, self.span, self.text, self.chain, self.use = left, right, span, text, chain, use
        self.related = related


class Expressions(Names):
    """Collects constraints on channels; everything else is checked at once."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self.constraints: list[Constraint] = []

    # --- references -----------------------------------------------------------------------------------------------

    def ref(self, node: ast.Ref) -> tuple[Symbol | None, Type]:
        """The name and the type of the part that is meant."""
        symbol = self.lookup(node.name)
        if symbol is None:
            self._index(node)
            return None, self._predefined(node.name)
        return symbol, self._part(node, symbol)

    def _predefined(self, name: str) -> Type:
        match name:
            case "_pid" | "_last":
                return self.pid
            case "_nr_pr" | "_priority":
                return BYTE
            case _:
                return None

    def _index(self, node: ast.Ref) -> None:
        if node.index is not None:
            self.number(node.index, "an index", pid=True)

    def _part(self, node: ast.Ref, symbol: Symbol) -> Type:
        current: Type = symbol.type
        self.uses.append((node.span, symbol))
        part = node
        while True:
            self._index(part)
            if isinstance(current, Array):
                current = current.element  # an array of records without index is its first element
            if part.field is None:
                return current
            part = part.field
            inner = current.fields.get(part.name) if isinstance(current, Record) else None
            if inner is None:
                self._index(part)
                return None
            self.uses.append((part.span, inner))
            current = inner.type

    # --- expressions ----------------------------------------------------------------------------------------------

    def expression(self, node: ast.Expr) -> Type:
        match node:
            case ast.Number(value, text):
                return BIT if text in ("true", "false", "skip") else literal(value)
            case ast.Ref():
                return self.ref(node)[1]
            case ast.Binary(op, left, right):
                return self._binary(op, left, right, node.span)
            case ast.Unary("-", ast.Number(value)):
                return literal(-value)
            case ast.Unary("-" | "~" as op, operand):
                return self.number(operand, f"the operand of '{op}'")
            case ast.Unary(_, operand):
                self.truth(operand)
                return BIT
            case ast.Conditional(test, then, other):
                self.truth(test)
                return self._joined(self.expression(then), self.expression(other), node.span)
            case ast.Run():
                self._run(node)
                return self.pid
            case ast.ChannelQuery(kind, channel):
                self.channel(channel)
                return BYTE if kind == "len" else BIT
            case ast.Poll(channel, args):
                self.use(channel, self.receive_slots(args, poll=True), node.span, "?")
                return BIT
            case ast.ProcessQuery(kind, pid):
                self._process(pid)
                return BIT if kind == "enabled" else BYTE
            case ast.Special() | ast.LabelEvent():
                return BIT
            case ast.RemoteLabel(_, pid_or_none, _):
                if pid_or_none is not None:
                    self._process(pid_or_none)
                return BIT
            case ast.RemoteVar(process, pid_or_none, ref):
                if pid_or_none is not None:
                    self._process(pid_or_none)
                symbol = self.locals.get(process, {}).get(ref.name)
                return None if symbol is None else self._part(ref, symbol)
            case ast.MessageEvent(_, channel, args):
                slots = [self._event_slot(arg) for arg in args]
                self.use(channel, slots, node.span, "!")
                return BIT
            case _:
                return None

    def _event_slot(self, arg: ast.Expr) -> Node:
        if isinstance(arg, ast.Ref) and arg.name == "_":
            return Node()
        return self.slot(self.expression(arg), arg.span, "lower", len(self.constraints))

    def _process(self, node: ast.Expr) -> None:
        """A process number."""
        found = self.expression(node)
        if isinstance(found, Scalar) and (found is self.pid or (self.pid is not PID and found.is_number)):
            return
        if found is not None:
            self._wrong(f"a process number is expected, not {_a(found)}", node.span, found)

    def _binary(self, op: str, left: ast.Expr, right: ast.Expr, span: Span) -> Type:
        if op in _TRUTH:
            self.truth(left)
            self.truth(right)
            return BIT
        if op in _EQUAL:
            self._comparable(self.expression(left), self.expression(right), span)
            return BIT
        a = self.number(left, f"an operand of '{op}'", at=span)
        b = self.number(right, f"an operand of '{op}'", at=span)
        if op in _ORDER:
            return BIT
        if a is None or b is None:
            return None
        match op:
            case "%" if a.kind == "unsigned":
                return unsigned(min(a.bits, _remainder_bits(right, b)))
            case "&" if a.kind == "unsigned" and b.kind == "unsigned":
                return unsigned(min(a.bits, b.bits))
            case ">>" | "/" if a.kind == "unsigned":
                return a
            case _:
                return join(a, b)

    def number(self, node: ast.Expr, where: str, pid: bool = False, at: Span | None = None) -> Scalar | None:
        """The type of an expression that must be a number; None if it is not, or not known. `at`: where to complain."""
        found = self.expression(node)
        if found is None:
            return None
        if isinstance(found, Scalar) and (found.is_number or (pid and found is PID)):
            return found
        self._wrong(f"{where} must be a number, not {_a(found)}", at or node.span, found)
        return None

    def truth(self, node: ast.Expr) -> None:
        found = self.expression(node)
        if found is not None and not isinstance(found, Scalar):
            self._wrong(f"a condition must be a bool or a number, not {_a(found)}", node.span, found)

    def _wrong(self, message: str, span: Span, found: Type) -> None:
        if isinstance(found, Mtype):
            self.report(MTYPES, message, span, (), "mtype names have no order and no arithmetic; compare with == or !=")
        else:
            self.report(KIND, message, span)

    def _comparable(self, a: Type, b: Type, span: Span) -> None:
        match a, b:
            case (None, _) | (_, None):
                return
            case Scalar(), Scalar():
                if join(a, b) is None:
                    self.report(KIND, f"{_a(a)} is compared with {_a(b)}", span)
            case Node(), Node():
                self.equal(a, b, span, "channels that are compared carry the same messages")
            case Mtype(name=left), Mtype(name=right) if left == right:
                return
            case _:
                self._wrong(f"{_a(a)} is compared with {_a(b)}", span, a if isinstance(a, Mtype) else b)

    def _joined(self, a: Type, b: Type, span: Span) -> Type:
        match a, b:
            case Scalar(), Scalar():
                both = join(a, b)
                if both is None:
                    self.report(KIND, f"the two values are {_a(a)} and {_a(b)}", span)
                return both
            case Node(), Node():
                self.equal(a, b, span, "both channels of a conditional expression carry the same messages")
                return a
            case (None, _) | (_, None):
                return None
            case Mtype(name=left), Mtype(name=right) if left == right:
                return a
            case _:
                self.report(KIND, f"the two values are {_a(a)} and {_a(b)}", span)
                return None

    # --- values into places ---------------------------------------------------------------------------------------

    def flows(self, value: Type, place: Type, span: Span, what: str, declared: Span | None = None) -> None:
        """A value is put into a variable or parameter; `what` names the place."""
        related = () if declared is None else ((declared, f"{what} is declared here"),)
        match value, place:
            case (None, _) | (_, None):
                return
            case Scalar(), Scalar():
                if is_subtype(value, place):
                    return
                if value.is_number and place.is_number:
                    if self.options.narrowing:
                        message = f"a value of type {value.name} may not fit into {what}, {_a(place)}"
                        self.report(NARROWING, message, span, related, "declare it wider, or reduce the value with '%'")
                else:
                    self.report(KIND, f"{what} is {_a(place)}, the value is {_a(value)}", span, related)
            case Node(), Node():
                self.equal(place, value, span, f"{what} and the channel given to it carry the same messages", related)
            case Mtype(name=left), Mtype(name=right) if left == right:
                return
            case Record(name=left), Record(name=right) if left == right:
                return
            case _:
                self.report(KIND, f"{what} is {_a(place)}, the value is {_a(value)}", span, related)

    def equal(self, a: Node, b: Node, span: Span, text: str, related: tuple[tuple[Span, str], ...] = ()) -> None:
        self.constraints.append(Constraint(a, b, span, text, self.chain, False, related))

    def _run(self, node: ast.Run) -> None:
        unit = self.proctypes.get(node.name)
        values = [(self.expression(arg), arg.span) for arg in node.args]
        if unit is None:
            return
        parameters = self.parameters[node.name]
        if len(values) != len(parameters):
            spread = sum(len(self.flattened(t.name)) if isinstance(t, Record) else 1 for t, _ in values)
            wanted = sum(len(self.flattened(p.type.name)) if isinstance(p.type, Record) else 1 for p in parameters)
            if spread != wanted:
                count = len(parameters)
                message = f"proctype {node.name} expects {count} argument{'s' * (count != 1)}, {len(values)} supplied"
                self.report(ARGUMENTS, message, node.span, ((unit.span, f"{node.name} is declared here"),))
            return
        for (value, span), parameter in zip(values, parameters, strict=True):
            self.flows(value, parameter.type, span, f"parameter '{parameter.name}' of {node.name}", parameter.span)

    # --- messages -------------------------------------------------------------------------------------------------

    def channel(self, node: ast.Ref) -> Node | None:
        """The channel that a reference stands for; None if it is none."""
        symbol, found = self.ref(node)
        if isinstance(found, Node) and found.kind == CHAN:
            return found
        if found is not None and symbol is not None:
            message = f"'{node.name}' is used as a channel but is {_a(found)}"
            self.report(KIND, message, node.span, ((symbol.span, "declared here"),))
        return None

    def use(self, channel: ast.Ref, slots: Sequence[Node], span: Span, sign: Literal["!", "?"]) -> None:
        """A message of these fields is sent to or received from a channel."""
        node = self.channel(channel)
        if node is not None:
            text = f"{channel.name}{sign}"
            self.constraints.append(
                Constraint(node.args[0], Node(TUPLE, "", slots, span), span, text, self.chain, True)
            )

    def send_slots(self, args: Sequence[ast.Expr]) -> list[Node]:
        number = len(self.constraints)
        return [self.slot(self.expression(arg), arg.span, "lower", number) for arg in args]

    def receive_slots(self, args: Sequence[ast.ReceiveArg], poll: bool = False) -> list[Node]:
        number = len(self.constraints)
        return [self._receive_slot(arg, number, poll) for arg in args]

    def _receive_slot(self, arg: ast.ReceiveArg, number: int, poll: bool) -> Node:
        match arg:
            case ast.Eval(value):
                return self.slot(self.expression(value), value.span, "lower", number)
            case ast.Ref("_", None, None):
                return Node()
            case ast.Ref():
                symbol, found = self.ref(arg)
                if symbol is None or symbol.role == "constant":
                    return self.slot(found, arg.span, "lower", number)
                if not poll:
                    symbol.assigned = True
                return self.slot(found, arg.span, "upper", number)
            case _:
                return self.slot(self.expression(arg), arg.span, "lower", number)


def _remainder_bits(node: ast.Expr, type_: Scalar) -> int:
    if isinstance(node, ast.Number) and node.value > 0:
        return max((node.value - 1).bit_length(), 1)
    return type_.bits


def _a(type_: Type) -> str:
    """With its article; numbers as what they are."""
    if type_ is BOOL:
        return "a bool"
    text = shown(type_)
    return f"{'an' if text[0] in 'aeim' and not text.startswith('me') else 'a'} {text}"
