"""What a state of a `Network` looks like in C: plain structures for the system, each template, each shape of channel.

Every process has a fixed place. A place below the first process that can start others always holds the same template;
the places above it hold any template that can be started, unless all of them are started in the beginning (see
`places`). Channels belong to the places in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from clew.core.expressions import Channel, Const, Expr, Ref, Variable, walk
from clew.core.foreign import Fragment, fragments
from clew.core.network import Network, Step, Template
from clew.core.records import record
from clew.core.statements import Assign, Receive, Start, Statement, expressions, statements_in
from clew.core.types import Array, Int, Record, Relation, Scalar, Type, scalars, slots, wrap
from clew.explicit.places import settled_templates
from clew.host.foreign_runner import ForeignSizes
from clew.host.foreign_text import ALIGNED


def identifier(name: str) -> str:
    """The name as part of a C identifier."""
    return re.sub(r"\W", "_", name)


def c_type(type_: Scalar) -> str:
    """The C type in which a scalar is stored."""
    signed = isinstance(type_, Int) and type_.signed
    return f"int{stored_bits(type_)}_t" if signed else f"uint{stored_bits(type_)}_t"


def stored_bits(type_: Scalar) -> int:
    """How many bits it takes in a structure."""
    return next(width for width in (8, 16, 32) if type_.bits <= width)


def converted(type_: Scalar, text: str) -> str:
    """The C expression for a value as stored, where storing in the C type alone does not cut it."""
    if type_.bits in (8, 16, 32):
        return text
    if isinstance(type_, Int) and type_.signed:
        left = 32 - type_.bits
        return f"((int)((unsigned)({text}) << {left}) >> {left})"
    return f"(({text}) & {hex((1 << type_.bits) - 1)})"


def declaration(type_: Type, name: str, bit_fields: bool = False) -> str:
    """A C declaration of a variable of this type. `bit_fields`: as embedded C knows it."""
    sizes = ""
    while isinstance(type_, Array | Relation):
        sizes += f"[{type_.size}]"
        type_ = type_.element
    if isinstance(type_, Record):
        inner = " ".join(f"{declaration(t, 'f_' + identifier(n), bit_fields)};" for n, t in type_.fields)
        return f"struct {{ {inner} }} {name}{sizes}"
    if bit_fields and not sizes and type_.bits not in (8, 16, 32):
        return f"unsigned {name} : {type_.bits}"
    return f"{c_type(type_)} {name}{sizes}"


def slot_path(type_: Type, slot: int) -> str:
    """The C path to a scalar slot of a variable of this type."""
    match type_:
        case Array(element, _):
            size = slots(element)
            return f"[{slot // size}]{slot_path(element, slot % size)}"
        case Record(_, fields):
            for name, field_type in fields:
                if slot < slots(field_type):
                    return f".f_{identifier(name)}{slot_path(field_type, slot)}"
                slot -= slots(field_type)
            raise IndexError(slot)
        case _:
            return ""


def steps(template: Template) -> Iterator[Step]:
    for location in template.locations:
        for choice in location.choices:
            yield from choice


def template_statements(template: Template) -> Iterator[Statement]:
    for step in steps(template):
        yield from statements_in(step.block)


def template_expressions(template: Template) -> Iterator[Expr]:
    """Every expression of a template and its parts."""
    whole = [e for statement in template_statements(template) for e in expressions(statement)]
    if template.provided is not None:
        whole.append(template.provided)
    for variable in template.variables:
        items = variable.initial if isinstance(variable.initial, tuple) else (variable.initial,)
        whole.extend(item for item in items if item is not None and not isinstance(item, Channel))
    for expr in whole:
        yield from walk(expr)


def initial_items(variable: Variable) -> Iterator[tuple[int, Scalar, Expr | Channel]]:
    """What the slots of a variable start with: (slot in the variable, type, value), those that are 0 left out."""
    fields = [type_ for _, type_ in scalars(variable.type)]
    initial = variable.initial
    if initial is None:
        return
    items = initial if isinstance(initial, tuple) else (initial,) * len(fields)
    for slot, (type_, item) in enumerate(zip(fields, items, strict=False)):
        if item is not None:
            yield slot, type_, item


def _written(statement: Statement) -> Iterator[Variable]:
    match statement:
        case Assign(target):
            yield target.variable
        case Receive(_, pattern):
            for item in pattern:
                target_or_none = getattr(item, "target", None)
                if isinstance(target_or_none, Ref):
                    yield target_or_none.variable
        case Start(_, _, Ref(variable)):
            yield variable


@record
class Shape:
    """Channels that are made of the same."""

    number: int  # from 1
    capacity: int
    fields: tuple[Scalar, ...]

    @property
    def struct(self) -> str:
        return f"struct Q{self.number}"


@dataclass(slots=True)
class Layout:
    """All names and structures of the generated C. `room`: how many processes there is room for.

    `foreign`: what embedded C adds to a state. Structures are then laid out as C does, and nothing is a constant.
    """

    network: Network
    room: int
    foreign: ForeignSizes | None = None
    further: list[str] = field(default_factory=list)  # members of a state besides what the network needs
    templates: list[Template] = field(default_factory=list)  # those that may be started
    shapes: dict[tuple[int, tuple[Scalar, ...]], Shape] = field(default_factory=dict)
    constants: dict[Variable, int] = field(default_factory=dict)
    members: dict[Variable, str] = field(default_factory=dict)
    fixed: int = 0  # places that always hold the same template
    grows: bool = False
    global_channels: list[Shape] = field(default_factory=list)
    most_channels: int = 0
    fragments: dict[tuple[bool, str, str | None], Fragment] = field(default_factory=dict)  # of embedded C

    def __post_init__(self) -> None:
        self._find_templates()
        self._find_constants()
        if self.foreign is not None:
            self.fragments = fragments(self.network)
        for template in self.templates:
            self._name_members(template.variables)
            self.channels_of(template)  # names the shapes
        self._name_members(self.network.variables)
        self._place_processes()

    # --- what there is

    def tag(self, template: Template | str) -> int:
        """The number of a template; -1 if no process can have it."""
        name = template if isinstance(template, str) else template.name
        return next((n for n, t in enumerate(self.templates) if t.name == name), -1)

    def c_name(self, template: Template | str) -> str:
        """What tells the C names of a template from those of others."""
        name = template if isinstance(template, str) else template.name
        return f"{self.tag(name)}_{identifier(name)}"

    def struct(self, template: Template) -> str:
        return f"struct P{self.c_name(template)}"

    def shape(self, channel: Channel) -> Shape:
        key = (channel.capacity, channel.fields)
        if key not in self.shapes:
            self.shapes[key] = Shape(len(self.shapes) + 1, *key)
        return self.shapes[key]

    def channels_of(self, template: Template) -> list[Shape]:
        """The channels that a process of this template has, in order of creation."""
        parameters = set(template.parameters)
        return [
            self.shape(item)
            for variable in template.variables
            if variable not in parameters
            for _, _, item in initial_items(variable)
            if isinstance(item, Channel)
        ]

    def _find_templates(self) -> None:
        work = list(dict.fromkeys(instance.template for instance in self.network.instances))
        for name in work:
            template = self.network.template(name)
            self.templates.append(template)
            started = (s.template for s in template_statements(template) if isinstance(s, Start))
            work.extend(other for other in dict.fromkeys(started) if other not in work)

    def _find_constants(self) -> None:
        """Scalars that nothing writes (an array of one has an index); a global channel is known by its number."""
        written = {v for t in self.templates for statement in template_statements(t) for v in _written(statement)}
        if self.foreign is not None:
            written |= {*self.network.variables, *(v for t in self.templates for v in t.variables)}
        number = 0
        for variable in self.network.variables:
            for _, _, item in initial_items(variable):
                if isinstance(item, Channel):
                    number += 1
                    self.global_channels.append(self.shape(item))
                    if variable not in written and isinstance(variable.type, Scalar):
                        self.constants[variable] = number
        for variables, parameters in (
            (self.network.variables, ()),
            *((t.variables, t.parameters) for t in self.templates),
        ):
            for variable in variables:
                plain = variable.initial is None or isinstance(variable.initial, Const)
                kept = variable not in written and variable not in parameters
                if plain and kept and isinstance(variable.type, Scalar):
                    value = variable.initial.value if isinstance(variable.initial, Const) else 0
                    self.constants[variable] = wrap(variable.type, value)

    def _name_members(self, variables: Sequence[Variable]) -> None:
        names: set[str] = set()
        for variable in variables:
            name = "v_" + identifier(variable.name)
            if name in names:
                name = f"{name}_{variable.slot}"
            names.add(name)
            self.members[variable] = name

    # --- places

    def _place_processes(self) -> None:
        starters = {t.name for t in self.templates if any(isinstance(s, Start) for s in template_statements(t))}
        self.grows = bool(starters)
        initial = [self.network.template(instance.template) for instance in self.network.instances]
        settled = settled_templates(self.network) if self.grows else None
        if settled is not None:
            self.grows, initial = False, settled
        self.fixed = len(initial)
        if self.grows:
            self.fixed = 1 + next(n for n, t in enumerate(initial) if t.name in starters)
            self.room = min(max(self.room, len(initial) + 1), self.network.max_processes)
        else:
            self.room = len(initial)
        self.fixed_templates = initial[: self.fixed]
        self.loose_templates = [] if not self.grows else self._loose(initial)
        self.fixed_channels = [shape for t in self.fixed_templates for shape in self.channels_of(t)]
        most = max((len(self.channels_of(t)) for t in self.loose_templates), default=0)
        fixed = len(self.global_channels) + len(self.fixed_channels)
        limit = max(fixed, min(self.network.max_channels, fixed + most * (self.room - self.fixed)))
        self.most_channels = limit
        self.loose_channels = limit - fixed

    fixed_templates: list[Template] = field(default_factory=list)
    loose_templates: list[Template] = field(default_factory=list)
    fixed_channels: list[Shape] = field(default_factory=list)
    loose_channels: int = 0

    def _loose(self, initial: list[Template]) -> list[Template]:
        started = {s.template for t in self.templates for s in template_statements(t) if isinstance(s, Start)}
        later = {t.name for t in initial[self.fixed :]}
        return [t for t in self.templates if t.name in started | later]

    @property
    def keeps_shapes(self) -> bool:
        """Whether a channel has to know its shape."""
        return len(self.shapes) > 1

    @property
    def channels_vary(self) -> bool:
        """Whether the number of channels can change."""
        return bool(self.fixed_channels) or self.loose_channels > 0

    @property
    def location_type(self) -> str:
        most = max((len(t.locations) for t in self.templates), default=0)
        return "uint8_t" if most <= 256 else "uint16_t"

    @property
    def length_type(self) -> str:
        return "uint8_t" if all(shape.capacity < 256 for shape in self.shapes.values()) else "uint16_t"

    # --- text

    def stored(self, variables: Sequence[Variable]) -> list[Variable]:
        """The variables that are part of a structure."""
        return [v for v in variables if v not in self.constants]

    def declarations(self) -> list[str]:
        """The structures, in C."""
        shapes = list(self.shapes.values())
        shape_member = " uint8_t shape;" if self.keeps_shapes else ""
        lines = [
            *([] if self.foreign else ["#pragma pack(push, 1)"]),
            f"struct head {{ {self.head()} }};",
            f"struct queue {{{shape_member} {self.length_type} length; }};",
            "",
        ]
        for shape in shapes:
            inner = " ".join(f"{c_type(t)} f{n};" for n, t in enumerate(shape.fields))
            messages = f" struct {{ {inner} }} m[{shape.capacity}];" if shape.capacity and shape.fields else ""
            lines.append(f"{shape.struct} {{ struct queue q;{messages} }};")
        for template in self.templates:
            lines.append(f"{self.struct(template)} {{")
            lines.append("    struct head h;")
            lines += self._declared(template.variables)
            lines += self._foreign_bytes(0 if self.foreign is None else self.foreign.locals.get(template.name, 0))
            lines.append("};")
        if self.loose_templates:
            inner = " ".join(f"{self.struct(t)} p{self.tag(t)};" for t in self.loose_templates)
            lines.append(f"union loose_process {{ {inner} }};")
        if self.loose_channels:
            owned = {shape for t in self.loose_templates for shape in self.channels_of(t)}
            inner = " ".join(f"{s.struct} q{s.number};" for s in shapes if s in owned)
            lines.append(f"union loose_channel {{ {inner} }};")
        lines += ["", "struct model {", *(["struct {"] if self.foreign else [])]
        lines.append(f"    uint8_t {', '.join(self.scheduler)};")
        lines += self._declared(self.network.variables)
        if self.foreign is not None:
            lines += self._foreign_bytes(self.foreign.globals)
            lines += [f"    uint8_t {area}[{n}];" for area, n in self.foreign.tracked.items() if n]
            lines += ["};", "uint8_t globals_end[0];"]
        lines += [f"    {self.struct(t)} p{n};" for n, t in enumerate(self.fixed_templates)]
        if self.loose_templates:
            lines.append(f"    union loose_process p[{self.room - self.fixed}];")
        fixed = [*self.global_channels, *self.fixed_channels]
        lines += [f"    {shape.struct} q{n};" for n, shape in enumerate(fixed, 1)]
        if self.loose_channels:
            lines.append(f"    union loose_channel q[{self.loose_channels}];")
        lines += [f"    {member}" for member in self.further]
        lines += ["};", *([] if self.foreign else ["#pragma pack(pop)"]), ""]
        return lines

    @property
    def breakdown(self) -> str:
        """C for what is wrong when a step breaks down."""
        return "RUNTIME_ERROR" if self.foreign is None else "breakdown()"

    @property
    def scheduler(self) -> list[str]:
        """What the system begins with."""
        return [
            "processes",
            *(["channels"] if self.channels_vary else []),
            *(["last"] if self.network.tracks_last else []),
        ]

    def head(self, prefix: str = "") -> str:
        """What every process begins with."""
        tag = [f"uint8_t {prefix}tag;"] if self.grows else []
        priority = [f"uint8_t {prefix}priority;"] if self.network.uses_priorities else []
        pid = [f"uint8_t {prefix}pid;"] if self.foreign is not None else []
        return " ".join([*tag, f"{self.location_type} {prefix}at;", *priority, *pid])

    def _declared(self, variables: Sequence[Variable]) -> list[str]:
        foreign = self.foreign is not None
        return [f"    {declaration(v.type, self.members[v], foreign and v.matched)};" for v in self.stored(variables)]

    def _foreign_bytes(self, size: int) -> list[str]:
        return [f"    struct {{ uint8_t foreign_bytes[{size}]; }} {ALIGNED};"] if size else []

    def process_offset(self, pid: int) -> str:
        inner = f"p{pid}" if pid < self.fixed else f"p[{pid - self.fixed}]"
        return f"offsetof(struct model, {inner})"

    def channel_offset(self, number: int) -> str:
        fixed = len(self.global_channels) + len(self.fixed_channels)
        inner = f"q{number}" if number <= fixed else f"q[{number - fixed - 1}]"
        return f"offsetof(struct model, {inner})"

    def channels_meant(self, channel: Expr) -> Sequence[int]:
        """The numbers an expression for a channel may have."""
        if isinstance(channel, Ref) and channel.variable in self.constants and not channel.path:
            return (self.constants[channel.variable],)
        return range(64)  # numbers are told apart modulo 64

    def known_shape(self, number: int) -> Shape:
        """The shape of a channel that always exists."""
        return self.global_channels[number - 1]
