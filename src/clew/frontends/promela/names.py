"""Names of a Promela text: types, constants, variables, scopes.

Scopes are opened by `{}`, atomic, d_step and inline bodies, not by options. A name declared in an enclosing scope, or
globally, cannot be declared again (Spin 6 rejects it); sibling blocks may reuse a name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from clew.core import types
from clew.core.diagnostics import DiagnosticBag, Span
from clew.core.expressions import Channel, Const, Expr, Variable
from clew.frontends.promela import syntax as ast
from clew.frontends.promela.features import Features

ScopePath = tuple[int, ...]
PREDEFINED = frozenset({"_", "_pid", "_last", "_nr_pr", "_priority", "_p"})
_BASIC: dict[str, types.Scalar] = {
    "bit": types.BIT,
    "bool": types.BOOL,
    "byte": types.BYTE,
    "pid": types.PID,
    "short": types.SHORT,
    "int": types.INT,
    "chan": types.CHANNEL,
}
InitTranslator = Callable[[ast.Expr], Expr]


@dataclass(slots=True)
class Frame:
    """The variables of one owner (None: global) and their slots so far."""

    owner: str | None
    variables: list[Variable] = field(default_factory=list)
    size: int = 0
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, name: str, type_: types.Type, **more: object) -> Variable:
        """A new variable behind the others. A name used before (in a sibling block) is shown with a number."""
        count = self.counts[name] = self.counts.get(name, 0) + 1
        shown = name if count == 1 else f"{name}#{count}"
        variable = Variable(shown, type_, self.size, self.owner, **more)  # type: ignore[arg-type]
        self.variables.append(variable)
        self.size += types.slots(type_)
        return variable


@dataclass(slots=True)
class RecordInfo:
    """A typedef: its type and, per slot, the initial value or channel written in it."""

    type: types.Record
    initial: tuple[Expr | Channel | None, ...]


class Names:
    """What each name means at the current point of the text. Errors go to the bag; lookups of bad names give None."""

    def __init__(self, features: Features, bag: DiagnosticBag, hide_unread: bool, sound: bool) -> None:
        self.features = features
        self.bag = bag
        self.hide_unread = hide_unread
        self.sound = sound
        self.globals = Frame(None)
        self.global_names: dict[str, Variable] = {}
        self.constants: dict[str, tuple[int, str]] = {}  # mtype name -> number, list
        self.mtypes: dict[str, list[tuple[int, str]]] = {}
        self.records: dict[str, RecordInfo] = {}
        self.proctypes: dict[str, ast.Proctype] = {}
        self.exclusive: dict[Variable, set[str]] = {}  # xr/xs claims
        self.channel_of: dict[Variable, Channel] = {}
        self.declared_local: set[Variable] = set()  # globals declared `local`: used by one process only
        self.mtype_of: dict[Variable, str] = {}  # which mtype list a variable holds names of, once known
        self.frame: Frame | None = None  # of the process being read
        self.scopes: list[tuple[int, dict[str, Variable]]] = []
        self._scope_ids = 0
        self.last_initialiser: str = ""  # "", "local", "global": decides whether `run` is local (sheet 35, 1.2)

    # --- scopes ---------------------------------------------------------------------------------------------------

    def enter_process(self, owner: str) -> Frame:
        self.frame = Frame(owner)
        self.scopes = []
        self.last_initialiser = ""
        self.open_scope()
        return self.frame

    def leave_process(self) -> None:
        self.frame = None
        self.scopes = []

    def open_scope(self) -> None:
        self._scope_ids += 1
        self.scopes.append((self._scope_ids, {}))

    def close_scope(self) -> None:
        self.scopes.pop()

    @property
    def scope_path(self) -> ScopePath:
        return tuple(number for number, _ in self.scopes)

    def lookup(self, name: str) -> Variable | None:
        for _, names in reversed(self.scopes):
            if name in names:
                return names[name]
        return self.global_names.get(name)

    def declared(self, name: str) -> bool:
        return self.lookup(name) is not None or name in self.constants or name in PREDEFINED

    # --- types ----------------------------------------------------------------------------------------------------

    def declare_mtype(self, decl: ast.MtypeDecl) -> None:
        """Numbers from 1 with the last name lowest; a further list of the same kind continues above."""
        key = decl.subtype or "mtype"
        known = self.mtypes.setdefault(key, [])
        base = len(known)
        for position, (name, span) in enumerate(reversed(decl.names)):
            if name in self.constants:
                self.bag.error(span, "promela-redeclared", f"mtype name '{name}' is declared twice")
            if name in self.global_names or name in self.proctypes:
                self.bag.error(span, "promela-redeclared", f"'{name}' is already declared")
            self.constants[name] = (base + position + 1, key)
            known.append((base + position + 1, name))
        if len(known) > 255:
            self.bag.error(decl.span, "promela-limit", "more than 255 names in an mtype")

    def declare_typedef(self, decl: ast.Typedef, translate: InitTranslator) -> None:
        if decl.name in self.records:
            self.bag.error(decl.span, "promela-redeclared", f"typedef '{decl.name}' is declared twice")
        fields: list[tuple[str, types.Type]] = []
        initial: list[Expr | Channel | None] = []
        seen: set[str] = set()
        for group in decl.fields:
            for item in group.declarators:
                if item.name in seen:
                    self.bag.error(item.span, "promela-redeclared", f"field '{item.name}' is declared twice")
                seen.add(item.name)
                type_ = self.type_of(group, item)
                fields.append((item.name, type_))
                initial.extend(self.initial_values(group, item, type_, translate))
        self.records[decl.name] = RecordInfo(types.Record(decl.name, tuple(fields)), tuple(initial))

    def type_of(self, decl: ast.VarDecl, item: ast.Declarator) -> types.Type:
        """The type of a declared name as the verifier stores it: an array of bits is an array of bytes."""
        element = self._scalar_type(decl, item)
        size = self._size(item)
        if size is None:
            return element
        if isinstance(element, types.Int) and element.name in ("bit", "bool"):
            element = types.Int(element.name, 8)
        return types.Array(element, size)

    def _scalar_type(self, decl: ast.VarDecl, item: ast.Declarator) -> types.Type:
        if item.bits is not None and decl.type != "unsigned":
            self.bag.error(item.span, "promela-type", "only an unsigned can have a width")
        if decl.subtype is not None and decl.type != "mtype":
            self.bag.error(decl.span, "promela-type", f"'{decl.type}:{decl.subtype}': only mtype has subtypes")
        match decl.type:
            case "unsigned":
                if item.bits is None:
                    self.bag.error(item.span, "promela-type", "unsigned needs a width, as in 'unsigned x : 5'")
                elif not 0 < item.bits < 32:
                    self.bag.error(item.span, "promela-type", f"width {item.bits} is not between 1 and 31")
                bits = 8 if decl.visibility == "hidden" else (item.bits or 16)
                return types.Int("unsigned", min(bits, 31))
            case "mtype":
                return self.mtype(decl.subtype)
            case name if name in _BASIC:
                return _BASIC[name]
            case name if name in self.records:
                return self.records[name].type
            case name:
                self.bag.error(decl.span, "promela-undeclared", f"undeclared type '{name}'")
                return types.BYTE

    def mtype(self, subtype: str | None) -> types.Enum:
        key = subtype or "mtype"
        return types.Enum(key, tuple(self.mtypes.get(key, ())))

    def _size(self, item: ast.Declarator) -> int | None:
        if item.size_name is not None:
            variable = self.lookup(item.size_name)
            if variable is None:
                self.bag.error(item.span, "promela-undeclared", f"undeclared variable '{item.size_name}'")
                return 1
            if variable is not None and isinstance(variable.initial, Const) and variable.initial.value > 0:
                size = variable.initial.value
            else:
                size = 8
            self.bag.warning(
                item.span, "promela-array-size", f"'{item.size_name}' in an array bound is taken as the constant {size}"
            )
            return size
        if item.size is not None and item.size <= 0:
            self.bag.error(item.span, "promela-type", f"bad array size {item.size} for '{item.name}'")
            return 1
        return item.size

    def channel(self, name: str, init: ast.ChannelInit) -> Channel:
        """What a channel initialiser describes; typedef fields are flattened. A lone bit is stored as a byte."""
        fields: list[types.Scalar] = []
        for text, span in init.fields:
            match text:
                case "unsigned":
                    self.bag.error(span, "promela-type", "a message field cannot be unsigned")
                case "mtype":
                    fields.append(self.mtype(None))
                case _ if text.startswith("mtype:"):
                    fields.append(self.mtype(text.removeprefix("mtype:")))
                case _ if text in _BASIC:
                    fields.append(_BASIC[text])
                case _ if text in self.records:
                    fields.extend(scalar for _, scalar in types.scalars(self.records[text].type))
                case _:
                    self.bag.error(span, "promela-undeclared", f"undeclared type '{text}' in a channel")
        if len(fields) == 1 and isinstance(fields[0], types.Int) and fields[0].bits == 1:
            fields = [types.Int(fields[0].name, 8)]
        if init.capacity < 0 or init.capacity > 65535:
            self.bag.error(init.span, "promela-limit", f"bad channel capacity {init.capacity}")
        return Channel(name, init.capacity, tuple(fields))

    def initial_values(
        self, decl: ast.VarDecl, item: ast.Declarator, type_: types.Type, translate: InitTranslator
    ) -> tuple[Expr | Channel | None, ...]:
        """One entry per slot: what the declaration puts there when the variable is made."""
        count = types.slots(type_)
        match item.init:
            case None:
                if decl.type in self.records:
                    inner = self.records[decl.type].initial
                    return inner * (count // max(len(inner), 1))
                return (None,) * count
            case ast.ChannelInit() as init:
                if decl.type != "chan":
                    self.bag.error(item.span, "promela-type", f"channel initialiser for '{item.name}', not a chan")
                return (self.channel(item.name, init),) * count
            case ast.ArrayInit(values):
                if item.size is None and item.size_name is None:
                    self.bag.error(item.span, "promela-type", f"'{item.name}' must be an array")
                listed = [translate(v) for v in values][:count]
                return (*listed, *(None for _ in range(count - len(listed))))
            case value:
                return (translate(value),) * count

    # --- variables ------------------------------------------------------------------------------------------------

    def declare(
        self, decl: ast.VarDecl, item: ast.Declarator, translate: InitTranslator, *, late: bool = False
    ) -> Variable:
        """Declares one name in the current scope. `late`: a declaration that is a step; it starts as zeros."""
        self._check_new(item.name, item.span)
        type_ = self.type_of(decl, item)
        if decl.visibility == "hidden" and decl.type in ("bit", "bool"):
            self.bag.error(item.span, "promela-type", f"bit variable '{item.name}' cannot be hidden")
        values = self.initial_values(decl, item, type_, translate)
        self._note_initialiser(item)
        frame = self.globals if self.frame is None else self.frame
        scalar_init = values[0] if types.is_scalar(type_) else None
        initial: Expr | Channel | tuple[Expr | Channel | None, ...] | None
        if late and not isinstance(item.init, ast.ArrayInit):
            initial = None
        elif types.is_scalar(type_):
            initial = scalar_init
        else:
            initial = values if any(v is not None for v in values) else None
        variable = frame.add(
            item.name, type_, initial=initial, matched=self._matched(decl, item, type_), span=item.span
        )
        if decl.subtype is not None:
            self.mtype_of[variable] = decl.subtype
        if decl.visibility == "local":
            self.declared_local.add(variable)
        if isinstance(item.init, ast.ChannelInit):
            self.channel_of[variable] = next(v for v in values if isinstance(v, Channel))
        if self.frame is None:
            self.global_names[item.name] = variable
        else:
            self.scopes[-1][1][item.name] = variable
        return variable

    def _matched(self, decl: ast.VarDecl, item: ast.Declarator, type_: types.Type) -> bool:
        """Whether the variable is part of a state's key: `hidden` and never-read scalar globals are not (2.1)."""
        if decl.visibility == "hidden":
            return self.sound and item.name in self.features.read
        basic = decl.type in ("bit", "bool", "byte", "pid", "short", "int", "unsigned", "mtype")
        unread = self.frame is None and basic and item.name not in self.features.read
        return not (unread and self.hide_unread and not self.features.foreign)

    def _note_initialiser(self, item: ast.Declarator) -> None:
        match item.init:
            case None:
                return
            case ast.Number():
                self.last_initialiser = "local"
            case ast.Ref(name, _, _) if name in self.constants or self._is_local(name):
                self.last_initialiser = "local"
            case _:
                self.last_initialiser = "global"

    def _is_local(self, name: str) -> bool:
        return any(name in names for _, names in self.scopes)

    def _check_new(self, name: str, span: Span) -> None:
        if self.lookup(name) is not None or name in self.constants or name in PREDEFINED:
            what = "shadows a global" if name in self.global_names and self.frame is not None else "is already declared"
            self.bag.error(span, "promela-redeclared", f"'{name}' {what}", "rename one of them: Spin rejects this, too")
        elif name in self.proctypes:
            self.bag.error(span, "promela-redeclared", f"'{name}' is the name of a proctype")
