"""Orders of the bits, from the structure of the program.

The static order puts what meets in the text side by side: locals first; then `bad` and relations over enumerations,
grouped by the element of the sort that most relations end in; then numbers, and relations over numbers by number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from clew.core.relational.program import BAD, RelationalProgram
from clew.core.relational.sorts import EnumSort, IntSort, Rel, Sort, Type
from clew.symbolic.relational.layout import Key, Owner, keys_of


def ordered(program: RelationalProgram, types: dict[Owner, Type], order: str) -> Sequence[Key]:
    """`static`; `declared`: variable by variable as declared; `reversed`: variable by variable, the last column of each
    relation first (what meets is far apart); or names of state variables, which then come first, in this order."""
    keys = [key for owner, type_ in types.items() for key in keys_of(owner, type_)]
    if order == "declared":
        return sorted(keys, key=lambda key: isinstance(key[0], str))
    if order == "reversed":
        return sorted(keys, key=lambda key: (isinstance(key[0], str), *_backwards(key)))
    if order != "static":
        names = order.split(",")
        return sorted(keys, key=lambda key: _listed(names, key))
    pivot = _pivot(program)
    return sorted(keys, key=lambda key: _group(key, types[key[0]], pivot))


def _backwards(key: Key) -> tuple[int, ...]:
    return tuple(reversed(key[1])) if isinstance(key[1], tuple) else (-1, key[1])


def _listed(names: list[str], key: Key) -> tuple[int, int]:
    if isinstance(key[0], int):
        return 0, 0
    return (1, names.index(key[0])) if key[0] in names else (2, 0)


def _pivot(program: RelationalProgram) -> Sort | None:
    """The enumeration that most relations end in; of several, the one with the most elements."""
    ends: Counter[Sort] = Counter()
    for variable in program.variables:
        if isinstance(variable.type, Rel):
            enums = [sort for sort in variable.type.columns if isinstance(sort, EnumSort)]
            ends.update(enums[-1:])
    return max(ends, key=lambda sort: (ends[sort], sort.size), default=None)


def _group(key: Key, type_: Type, pivot: Sort | None) -> tuple[int, ...]:
    owner, place = key
    if isinstance(owner, int):
        return (0,)
    if owner == BAD:
        return (1,)
    if not isinstance(type_, Rel) or isinstance(place, int):
        return (3, 0) if isinstance(type_.sort, IntSort) else (2, 0)  # type: ignore[union-attr]
    numbers = [atom for atom, sort in zip(place, type_.columns, strict=True) if isinstance(sort, IntSort)]
    if numbers:
        return (3, 1, *numbers, *place)
    met = [atom for atom, sort in zip(place, type_.columns, strict=True) if sort == pivot]
    return (2, 1, max(met, default=0))
