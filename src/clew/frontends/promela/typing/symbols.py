"""Names and their types: declarations, scopes, and what each reference stands for."""

from __future__ import annotations

from typing import Literal

from clew.core.diagnostics import Diagnostic, Severity, Span
from clew.frontends.promela import syntax as ast
from clew.frontends.promela.typing.nodes import MTYPE, RECORD, SCALAR, Node, channel
from clew.frontends.promela.typing.scalars import BIT, BOOL, BYTE, INT, PID, SHORT, Scalar, unsigned

Role = Literal["variable", "parameter", "field", "constant", "proctype", "typedef", "mtype"]


class Mtype:
    """The type of the names of one mtype list; the unnamed list has the name ''."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class Record:
    """A typedef; its fields are shared by all variables of the type."""

    __slots__ = ("fields", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.fields: dict[str, Symbol] = {}


class Array:
    """Elements share one type."""

    __slots__ = ("element", "size")

    def __init__(self, element: Type, size: int) -> None:
        self.element, self.size = element, size


Type = Scalar | Mtype | Node | Record | Array | None  # a Node is a channel; None: not known, never complained about


class Symbol:
    """A declared name. `owner` is the proctype or typedef it belongs to, '' for globals."""

    __slots__ = ("assigned", "initialised", "name", "owner", "role", "span", "type")

    def __init__(self, name: str, role: Role, owner: str, span: Span, type_: Type) -> None:
        self.name, self.role, self.owner, self.span, self.type = name, role, owner, span, type_
        self.initialised = False  # with a value or a channel, where it is declared
        self.assigned = False  # by some statement

    def __repr__(self) -> str:
        return f"{self.role} {self.name}"


class Options:
    """`distinct_pid`: pid is unrelated to byte. `narrowing`: say where a value may not fit."""

    __slots__ = ("distinct_pid", "narrowing")

    def __init__(self, distinct_pid: bool = False, narrowing: bool = True) -> None:
        self.distinct_pid, self.narrowing = distinct_pid, narrowing


class Names:
    """Scopes, and the diagnostics found while walking; the base of the walk over a model."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.pid = PID if options.distinct_pid else BYTE
        self.basic: dict[str, Scalar] = {
            "bit": BIT, "bool": BOOL, "byte": BYTE, "pid": self.pid, "short": SHORT, "int": INT,
        }  # fmt: skip
        self.mtypes: dict[str, Mtype] = {"": Mtype("")}
        self.records: dict[str, Record] = {}
        self.proctypes: dict[str, ast.Proctype] = {}
        self.parameters: dict[str, list[Symbol]] = {}
        self.locals: dict[str, dict[str, Symbol]] = {}
        self.globals: dict[str, Symbol] = {}
        self.scopes: list[dict[str, Symbol]] = [self.globals]
        self.symbols: list[Symbol] = []
        self.uses: list[tuple[Span, Symbol]] = []
        self.owner = ""
        self.chain: tuple[tuple[Span, str], ...] = ()  # inline calls around, innermost first
        self.found: dict[tuple[Span, str], Diagnostic] = {}

    # --- diagnostics ----------------------------------------------------------------------------------------------

    def report(
        self, code: str, message: str, span: Span, related: tuple[tuple[Span, str], ...] = (), hint: str = ""
    ) -> None:
        """Once for each place: an inline body is met again with each call."""
        self.report_in(self.chain, code, message, span, related, hint)

    def report_in(
        self,
        chain: tuple[tuple[Span, str], ...],
        code: str,
        message: str,
        span: Span,
        related: tuple[tuple[Span, str], ...] = (),
        hint: str = "",
        severity: Severity = Severity.ERROR,
    ) -> None:
        calls = tuple((call, f"in inline '{name}' called here") for call, name in chain)
        self.found.setdefault((span, code), Diagnostic(severity, code, message, span, hint, (*related, *calls)))

    # --- declarations ---------------------------------------------------------------------------------------------

    def lookup(self, name: str) -> Symbol | None:
        for scope in reversed(self.scopes):
            symbol = scope.get(name)
            if symbol is not None:
                return symbol
        return None

    def add(self, name: str, role: Role, span: Span, type_: Type, owner: str | None = None) -> Symbol:
        symbol = Symbol(name, role, self.owner if owner is None else owner, span, type_)
        self.symbols.append(symbol)
        return symbol

    def mtype(self, name: str) -> Mtype:
        return self.mtypes.setdefault(name, Mtype(name))

    def named_type(self, decl: ast.VarDecl, item: ast.Declarator) -> Type:
        base: Type
        match decl.type:
            case "chan":
                slots = None
                if isinstance(item.init, ast.ChannelInit):
                    slots = [self.declared_slot(text, span) for text, span in item.init.fields]
                base = channel(item.span, slots)
            case "mtype":
                base = self.mtype(decl.subtype or "")
            case "unsigned":
                base = unsigned(item.bits or 8)
            case name if name in self.basic:
                base = self.basic[name]
            case name:
                base = self.records.get(name)
        if item.size is not None or item.size_name is not None:
            return Array(base, item.size or 0)
        return base

    def declared_slot(self, text: str, span: Span) -> Node:
        """A message field as declared: `byte`, `mtype:name`, `chan`, a typedef."""
        if text == "chan":
            return channel(span)
        if text in self.basic:
            node = Node(SCALAR, "", (), span)
            node.declared = [(self.basic[text], span, -1)]
            return node
        if text == "mtype" or text.startswith("mtype:"):
            return Node(MTYPE, text[6:], (), span)
        return Node(RECORD, text, (), span) if text in self.records else Node()

    def flattened(self, name: str) -> list[Node]:
        """The message fields that a record stands for."""
        record = self.records.get(name)
        result: list[Node] = []
        for symbol in record.fields.values() if record is not None else ():
            array = symbol.type if isinstance(symbol.type, Array) else Array(symbol.type, 1)
            element, count = array.element, max(array.size, 1)
            if isinstance(element, Record):
                result.extend(self.flattened(element.name) * min(count, 1000))
            else:
                result.extend([self.slot(element, symbol.span, "declared")] * min(count, 1000))
        return result

    def slot(self, type_: Type, span: Span, role: Literal["lower", "upper", "declared"], number: int = -1) -> Node:
        """A message field that holds a value of the type (`lower`), or is received into a variable of it (`upper`)."""
        match type_:
            case Node():
                return type_
            case Scalar():
                node = Node(SCALAR, "", (), span)
                setattr(node, role, [(type_, span, number)])
                return node
            case Mtype(name=name):
                return Node(MTYPE, name, (), span)
            case Record(name=name):
                return Node(RECORD, name, (), span)
            case _:
                return Node()


def shown(type_: Type) -> str:
    """A type that is no channel."""
    match type_:
        case Scalar(name=name) | Record(name=name):
            return name
        case Mtype(name=name):
            return f"mtype:{name}" if name else "mtype"
        case Array(element=element):
            return f"array of {shown(element)}"
        case Node():
            return "chan"
        case None:
            return "unknown"
