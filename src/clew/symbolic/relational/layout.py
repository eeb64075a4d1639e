"""Where the bits of a state are: decision diagram variables for each state variable and each local of a procedure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from clew.core.records import record
from clew.core.relational import program as p
from clew.core.relational.encode import Encoder, Value
from clew.core.relational.expressions import Global, Local
from clew.core.relational.sorts import FORMULA, Rel, Scalar, Type, tuples
from clew.symbolic.relational.diagrams import Algebra, Diagram

Owner = str | int  # the name of a state variable, the number of a local


Place = tuple[int, ...] | int  # a tuple of atoms in a relation, the number of a bit in a scalar
Key = tuple[Owner, Place]


@record(eq=False)
class Bit:
    """One bit of a variable, and its three diagram variables."""

    owner: Owner
    place: Place
    present: int
    next: int
    middle: int

    def __repr__(self) -> str:
        return f"{self.owner}{self.place}"


def remaining(iterator: Local) -> int:
    """The number of the set of elements that a foreach has still to do."""
    return -iterator.number


def types_in(program: p.RelationalProgram) -> dict[Owner, Type]:
    """The types of everything that has bits: state variables, `bad`, parameters, what foreach has still to do."""
    found: dict[Owner, Type] = {v.name: v.type for v in program.variables}
    found[p.BAD] = FORMULA
    for procedure in program.procedures:
        found.update({local.number: local.type for local in procedure.parameters})
        for stmt in p.statements(procedure.body):
            if isinstance(stmt, p.Foreach) and isinstance(stmt.variable.type, Scalar):
                found[remaining(stmt.variable)] = Rel((stmt.variable.type.sort,))
    return found


def keys_of(owner: Owner, type_: Type) -> tuple[Key, ...]:
    """The bits of a variable, before they have numbers."""
    if isinstance(type_, Rel):
        return tuple((owner, place) for place in tuples(type_.columns))
    return tuple((owner, place) for place in range(type_.sort.bits))


class Layout:
    """Each bit has its present, next and middle variable side by side; bits stand in the `order` given. One more
    variable, the first, is true in the state `loop` alone."""

    def __init__(self, bdd: Algebra, types: dict[Owner, Type], order: Sequence[Key]) -> None:
        self.bdd = bdd
        self.types = types
        bdd.diagrams.declare(1 + 3 * len(order))
        self.loop = bdd.var(0)
        made = [Bit(owner, place, 3 * n + 1, 3 * n + 2, 3 * n + 3) for n, (owner, place) in enumerate(order)]
        by_owner: dict[Owner, list[Bit]] = {owner: [] for owner in types}
        for bit in made:
            by_owner[bit.owner].append(bit)
        self.bits = {owner: tuple(sorted(bits, key=_by_place)) for owner, bits in by_owner.items()}
        self.order = tuple(made)
        self._frames: dict[Bit, Diagram] = {}
        self.local_names = tuple(bit.present for bit in made if isinstance(bit.owner, int))

    @property
    def state_bits(self) -> tuple[Bit, ...]:
        """The bits of state variables and of `bad`, in order."""
        return tuple(bit for bit in self.order if isinstance(bit.owner, str))

    def frame(self, bits: Iterable[Bit]) -> Diagram:
        """These bits stay as they are."""
        found = self.bdd.true
        for bit in sorted(bits, key=_by_number, reverse=True):
            if bit not in self._frames:
                self._frames[bit] = self.bdd.iff(self.bdd.var(bit.present), self.bdd.var(bit.next))
            found &= self._frames[bit]
        return found

    def value(self, owner: Owner, primed: bool = False) -> Value[Diagram]:
        """The value of a variable as a function of its bits."""
        bits = self.bits[owner]
        found = [self.bdd.var(bit.next if primed else bit.present) for bit in bits]
        if isinstance(self.types[owner], Scalar):
            return tuple(found)
        return {bit.place: variable for bit, variable in zip(bits, found, strict=True)}  # type: ignore[misc]

    def spread(self, owner: Owner, value: Value[Diagram]) -> Iterator[tuple[Bit, Diagram]]:
        """Each bit of a variable, last in the order first, with what the value makes of it. Numbers that are too wide
        are cut off."""
        for bit in sorted(self.bits[owner], key=_by_number, reverse=True):
            if isinstance(value, tuple):
                assert isinstance(bit.place, int)
                yield bit, value[bit.place] if bit.place < len(value) else self.bdd.false
            else:
                assert isinstance(bit.place, tuple)
                yield bit, value.get(bit.place, self.bdd.false)

    def look_up(self, variable: Global) -> Value[Diagram]:
        if variable.name == p.LOOP:
            return (self.bdd.false,)  # statements are not run in the state `loop`
        return self.value(variable.name, variable.primed)

    def locals_(self, of: Iterable[Local]) -> dict[int, Value[Diagram]]:
        """The values of locals, now and (under minus their numbers) afterwards."""
        found: dict[int, Value[Diagram]] = {}
        for local in of:
            found[local.number] = self.value(local.number)
            found[-local.number] = self.value(local.number, primed=True)
        return found

    def is_constant(self, value: Value[Diagram]) -> bool:
        parts = value if isinstance(value, tuple) else value.values()
        return all(part in (self.bdd.true, self.bdd.false) for part in parts)

    def valid(self, local: Local) -> Diagram:
        """The local has a value of its sort."""
        value = self.value(local.number)
        if isinstance(local.type, Rel) or not isinstance(value, tuple):
            return self.bdd.true
        return Encoder(self.bdd, self.look_up).valid_code(local.type.sort, value)


def _by_place(bit: Bit) -> tuple[int, ...]:
    return bit.place if isinstance(bit.place, tuple) else (bit.place,)


def _by_number(bit: Bit) -> int:
    return bit.present
