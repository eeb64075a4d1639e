"""What steps can have in common, as bits: global variables (or their elements), both ends of channels, creation, and
who could receive in a handshake on a channel now.

Where a process cannot change what an index or a channel name stands for (its pid, a parameter), the bit is known only
in a state: such a place is a `Cell`. A mask is an integer; its bits from CELLS on are numbers of cells of the template.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from clew.core.expressions import Binary, Bind, Const, Expr, Match, Own, Ref, Unary, Variable, children, walk
from clew.core.network import Template
from clew.core.records import record
from clew.core.statements import Assign, Flow, Receive, Start, Statement, expressions, statements_in
from clew.core.types import Array, is_scalar, slots
from clew.explicit.layout import Layout, steps, template_statements
from clew.explicit.reduction.pointers import Pointers

CELLS = 4096  # the first bit of a mask that stands for a cell
MOST_CELLS = 30
MOST_CHANNELS = 40  # told apart; others share bits with them
LARGEST_ARRAY = 32  # whose elements are told apart
MOST_BITS = 256

CREATION, REMOVAL = 1, 2  # what `run` changes, what the end of a process changes
T = TypeVar("T", int, frozenset[Variable])

ARITHMETIC = frozenset({"+", "-", "*", "%", "/", "==", "!=", "<", "<=", ">", ">=", "&", "|"})


@record
class Cell:
    """A bit that depends on a value: `base + stride * ((value - least) mod count)`."""

    expr: Expr
    base: int
    count: int
    stride: int = 1
    least: int = 0

    @property
    def range(self) -> int:
        """The bits it may be."""
        return sum(1 << (self.base + self.stride * n) for n in range(self.count))


@dataclass(slots=True)
class Resources:
    """Gives out bits, and says which of them a reference or a channel is."""

    layout: Layout
    pointers: Pointers
    bits: int = 2
    cells: dict[str, list[Cell]] = field(default_factory=dict)  # by template
    _places: dict[Variable, tuple[int, int]] = field(default_factory=dict)  # first bit, how many
    _ends: int = 0
    _channels: int = 0
    _readiness: int = 0
    _handshakes: int = 0  # channels that may be for handshakes, or none of them
    _settled: dict[str, frozenset[Variable]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        written = {v for t in self.layout.templates for s in template_statements(t) for v in written_by(s)}
        shared = [v for v in self.layout.network.variables if v in written]
        self._channels = min(self.layout.most_channels, MOST_CHANNELS)
        self._handshakes = self._channels if any(0 in sizes for sizes in self.pointers.capacities.values()) else 0
        room = MOST_BITS - self.bits - 2 * self._channels - self._handshakes
        wanted = {v: _elements(v) for v in shared}
        if sum(wanted.values()) > room:
            wanted = dict.fromkeys(shared, 1)
        for number, (variable, count) in enumerate(wanted.items()):
            at = self.bits if number < room or count > 1 else self.bits - 1  # past the last bit all share one
            self._places[variable] = (at, count)
            self.bits = at + count
        self._ends = self.bits
        self.bits += 2 * self._channels
        self._readiness = self.bits
        self.bits += self._handshakes
        for template in self.layout.templates:
            self._settled[template.name] = settled_variables(template)
            self.cells[template.name] = []

    @property
    def everything(self) -> int:
        return (1 << self.bits) - 1

    def variable(self, ref: Ref, template: str) -> int:
        """The bits of a global variable or the element meant; a local, or what nobody writes, has none."""
        if ref.variable not in self._places:
            return 0
        base, count = self._places[ref.variable]
        if count > 1 and len(ref.path) == 1 and not isinstance(ref.path[0], str):
            index = ref.path[0]
            if isinstance(index, Const) and 0 <= index.value < count:
                return 1 << (base + index.value)
            cell = self._cell(template, Cell(index, base, count))
            if cell:
                return cell
        return ((1 << count) - 1) << base

    def ends(self, channel: Expr, template: str) -> tuple[int, int]:
        """The bits of the sending and of the receiving end."""
        if not self._channels:
            return 0, 0
        if isinstance(channel, Ref) and channel.variable in self.layout.constants and not channel.path:
            return self._end_bits([self.layout.constants[channel.variable]])
        send = self._cell(template, Cell(channel, self._ends, self._channels, 2, 1))
        receive = self._cell(template, Cell(channel, self._ends + 1, self._channels, 2, 1))
        return (send, receive) if send and receive else self._end_bits(self.pointers.numbers(channel))

    def readiness(self, channel: Expr, template: str) -> int:
        """Who could receive from this channel in a handshake now: only what comes behind a send looks at that."""
        if not self._handshakes:
            return 0
        if isinstance(channel, Ref) and channel.variable in self.layout.constants and not channel.path:
            return self._readiness_of([self.layout.constants[channel.variable]])
        cell = self._cell(template, Cell(channel, self._readiness, self._handshakes, 1, 1))
        return cell or self._readiness_of(self.pointers.numbers(channel))

    @property
    def any_readiness(self) -> int:
        return ((1 << self._handshakes) - 1) << self._readiness

    def _readiness_of(self, numbers: Iterable[int]) -> int:
        mask = 0
        for number in numbers:
            mask |= 1 << (self._readiness + (number - 1) % self._handshakes)
        return mask

    def of_owner(self, template: Template) -> int:
        """Both ends of the channels that vanish with a process of this template."""
        numbers = [
            n
            for v in template.variables
            if v not in template.parameters and v.initial is not None
            for n in self.pointers.numbers(Ref(v))
        ]
        send, receive = self._end_bits(numbers)
        return send | receive

    def spread(self, mask: int, template: str) -> int:
        """A mask without cells: every bit that it may stand for."""
        result = mask & self.everything
        for number, cell in enumerate(self.cells[template]):
            if mask >> (CELLS + number) & 1:
                result |= cell.range
        return result

    def _end_bits(self, numbers: Iterable[int]) -> tuple[int, int]:
        send = 0
        for number in numbers:
            send |= 1 << (self._ends + 2 * ((number - 1) % self._channels))
        return send, send << 1

    def _cell(self, template: str, cell: Cell) -> int:
        """The bit of a cell in masks of the template; 0 if its value can change, or if there are too many."""
        known = self.cells.get(template)
        if known is None or not self._is_settled(cell.expr, template):
            return 0
        if cell not in known:
            if len(known) >= MOST_CELLS:
                return 0
            known.append(cell)
        return 1 << (CELLS + known.index(cell))

    def _is_settled(self, expr: Expr, template: str) -> bool:
        match expr:
            case Const() | Own("pid"):
                return True
            case Ref(variable, path):
                constant = variable in self.layout.constants and not path
                return constant or (variable in self._settled[template] and all(map(_is_constant, path)))
            case Binary("%" | "/", left, Const(value)):
                return value not in (0, -1) and self._is_settled(left, template)
            case Binary("%" | "/"):
                return False
            case Unary() | Binary():
                ok = isinstance(expr, Unary) or expr.op in ARITHMETIC
                return ok and all(self._is_settled(part, template) for part in children(expr))
            case _:
                return False


def written_by(statement: Statement) -> list[Variable]:
    """The variables that a statement stores into (not those of statements inside it)."""
    match statement:
        case Assign(target):
            return [target.variable]
        case Receive(_, pattern):
            return [t.variable for item in pattern if isinstance(t := getattr(item, "target", None), Ref)]
        case Start(_, _, Ref(variable)):
            return [variable]
        case _:
            return []


def settled_variables(template: Template) -> frozenset[Variable]:
    """Locals that keep their first value as long as anything looks at it.

    What is written and never read again (variables that are reset because they are dead) does not count.
    """
    looked_at = _looked_at_later(template)
    changed: set[Variable] = set()
    for step in steps(template):
        later = looked_at[step.target] if step.target >= 0 else frozenset()
        for statement in reversed(list(statements_in(step.block))):
            changed |= {v for v in written_by(statement) if v in later or not _is_scalar_local(v)}
            later |= _read_by(statement)
        if any(isinstance(statement, Flow) for statement in step.block):  # where the order is not that of the text
            changed |= {v for statement in statements_in(step.block) for v in written_by(statement)}
    return frozenset(v for v in template.variables if v not in changed)


def _looked_at_later(template: Template) -> list[frozenset[Variable]]:
    """For each location the variables that some step from there on reads."""
    now: list[frozenset[Variable]] = []
    for location in template.locations:
        here = [s for choice in location.choices for step in choice for s in statements_in(step.block)]
        now.append(frozenset[Variable]().union(*map(_read_by, here)))
    return closed_over_targets(template, now)


def closed_over_targets(template: Template, now: list[T]) -> list[T]:
    """What holds of each location or of one that can be reached from it, joined by `|`."""
    later = list(now)
    changed = True
    while changed:
        changed = False
        for location in reversed(template.locations):
            value = later[location.number]
            for choice in location.choices:
                for step in choice:
                    if step.target >= 0:
                        value = value | later[step.target]
            if value != later[location.number]:
                later[location.number] = value
                changed = True
    return later


def _read_by(statement: Statement) -> frozenset[Variable]:
    match statement:
        case Assign(target, value):
            parts = [*children(target), value]
        case Receive(channel, pattern):
            parts = [channel]
            for item in pattern:
                match item:
                    case Match(value):
                        parts.append(value)
                    case Bind(Ref() as bound):
                        parts.extend(children(bound))
        case Start(_, args, target_or_none):
            parts = [*args, *(() if target_or_none is None else children(target_or_none))]
        case _:
            parts = list(expressions(statement))
    return frozenset(p.variable for part in parts for p in walk(part) if isinstance(p, Ref))


def _is_scalar_local(variable: Variable) -> bool:
    return variable.owner is not None and is_scalar(variable.type)


def _is_constant(element: object) -> bool:
    return isinstance(element, str | Const)


def _elements(variable: Variable) -> int:
    match variable.type:
        case Array(element, size) if slots(element) == 1 and size <= LARGEST_ARRAY:
            return size
        case _:
            return 1
