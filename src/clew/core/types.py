"""Types of values and how a variable of each type is laid out as scalar slots.

A value of a scalar type is a Python int. A variable of any type occupies `slots(type)` consecutive scalars: an array
its elements, a record its fields, both in order. Engines pack the slots as they like; the order is the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import Literal

from clew.core.records import record

Overflow = Literal["wrap", "error", "disable"]


@record
class Int:
    """A bounded integer of `bits` bits; `overflow` says what storing a value outside the range does."""

    name: str
    bits: int
    signed: bool = False
    overflow: Overflow = "wrap"

    @property
    def low(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        return (1 << (self.bits - 1)) - 1 if self.signed else (1 << self.bits) - 1


@record
class Enum:
    """A named set of labels with their numbers, stored in `bits` bits (wrapping). 0 is "none" unless it has a label.
    `closed`: there are no values but those with a label."""

    name: str
    labels: tuple[tuple[int, str], ...]
    bits: int = 8
    closed: bool = False

    def label(self, value: int) -> str | None:
        return next((text for number, text in self.labels if number == value), None)


@record
class ChannelRef:
    """The number of a channel (0: none), stored in `bits` bits."""

    bits: int = 8


@record
class Array:
    element: Type
    size: int


@record
class Record:
    name: str
    fields: tuple[tuple[str, Type], ...]

    def field(self, name: str) -> tuple[int, Type]:
        """The slot offset and type of a field; raises KeyError."""
        offset = 0
        for field_name, field_type in self.fields:
            if field_name == name:
                return offset, field_type
            offset += slots(field_type)
        raise KeyError(name)


@record
class Relation:
    """A set of tuples over enumerations (one column: a set): one bool for each tuple, in order of the labels, the
    first column first. It is indexed like an array of arrays, by the places of labels in their enumerations."""

    columns: tuple[Enum, ...]

    @property
    def size(self) -> int:
        return len(self.columns[0].labels)

    @property
    def element(self) -> Type:
        return BOOL if len(self.columns) == 1 else Relation(self.columns[1:])


Scalar = Int | Enum | ChannelRef
Type = Int | Enum | ChannelRef | Array | Record | Relation

BIT = Int("bit", 1)
BOOL = Int("bool", 1)
BYTE = Int("byte", 8)
PID = Int("pid", 8)
SHORT = Int("short", 16, signed=True)
INT = Int("int", 32, signed=True)
CHANNEL = ChannelRef()


@lru_cache(maxsize=4096)
def slots(type_: Type) -> int:
    """How many scalars a variable of this type consists of."""
    match type_:
        case Array(element, size):
            return size * slots(element)
        case Relation():
            return type_.size * slots(type_.element)
        case Record(_, fields):
            return sum(slots(t) for _, t in fields)
        case _:
            return 1


def scalars(type_: Type, name: str = "") -> Iterator[tuple[str, Scalar]]:
    """The scalar slots of a variable in order, each with its name as a user writes it (`a[1].b`)."""
    match type_:
        case Array(element, size):
            for index in range(size):
                yield from scalars(element, f"{name}[{index}]")
        case Relation(columns):
            for row in product(*([label for _, label in column.labels] for column in columns)):
                yield f"{name}({', '.join(row)})", BOOL
        case Record(_, fields):
            for field_name, field_type in fields:
                yield from scalars(field_type, f"{name}.{field_name}" if name else field_name)
        case _:
            yield name, type_


def is_scalar(type_: Type) -> bool:
    return not isinstance(type_, Array | Record | Relation)


def wrap(type_: Scalar, value: int) -> int:
    """The value as stored in a variable of this type when storing wraps around."""
    match type_:
        case Int(_, bits, True):
            value &= (1 << bits) - 1
            return value - (1 << bits) if value >> (bits - 1) else value
        case _:
            return value & ((1 << type_.bits) - 1)


def show(type_: Scalar, value: int) -> str:
    """The value as a user of the language writes it."""
    match type_:
        case Enum():
            return type_.label(value) or str(value)
        case Int("bool", _, _) if value in (0, 1):
            return "true" if value else "false"
        case _:
            return str(value)
