"""Sorts of atoms, and the types of variables and expressions over them.

An atom is a number from 0 to `size - 1`. A Boolean is a scalar of sort `BOOL`, so that a formula may stand wherever a
scalar may. A narrower integer sort is contained in a wider one: its atoms are the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Literal

from clew.core.records import record

Multiplicity = Literal["set", "lone", "one", "some"]


@record
class EnumSort:
    """Named values, in the order in which they are declared."""

    name: str
    labels: tuple[str, ...]

    @property
    def size(self) -> int:
        return len(self.labels)

    @property
    def bits(self) -> int:
        return max(0, (len(self.labels) - 1).bit_length())

    def label(self, atom: int) -> str:
        return self.labels[atom]

    def __str__(self) -> str:
        return self.name


@record
class IntSort:
    """Numbers of so many bits: 0 to 2^bits - 1; signed operators read them in two's complement."""

    bits: int

    @property
    def size(self) -> int:
        return 1 << self.bits

    def label(self, atom: int) -> str:
        return str(atom)

    def __str__(self) -> str:
        return f"int({self.bits})"


Sort = EnumSort | IntSort
BOOL = EnumSort("bool", ("false", "true"))


@record
class Scalar:
    sort: Sort

    def __str__(self) -> str:
        return str(self.sort)


@record
class Rel:
    """A relation over these columns; one column makes it a set. No columns: the empty relation of any arity."""

    columns: tuple[Sort, ...]

    @property
    def arity(self) -> int:
        return len(self.columns)

    def __str__(self) -> str:
        names = "->".join(map(str, self.columns))
        return f"set {names}" if self.arity == 1 else names or "emptyset"


Type = Scalar | Rel
FORMULA = Scalar(BOOL)


def tuples(columns: tuple[Sort, ...]) -> Iterator[tuple[int, ...]]:
    """Every tuple that a relation over these columns could hold, in order."""
    return product(*(range(sort.size) for sort in columns))


def joined_sort(left: Sort, right: Sort) -> Sort | None:
    """The sort that holds the atoms of both, if they are of one kind."""
    if left == right:
        return left
    if isinstance(left, IntSort) and isinstance(right, IntSort):
        return left if left.bits >= right.bits else right
    return None


def within(inner: Sort, outer: Sort) -> bool:
    """Whether every atom of `inner` is one of `outer`."""
    return joined_sort(inner, outer) == outer
