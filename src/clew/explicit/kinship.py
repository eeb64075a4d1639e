"""Which bytes of a state are of one kind: elements of one array, the same local of several processes, the same field of
messages. When one of them turns out to need more bits, the others soon will."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from clew.core.foreign import has_foreign_code
from clew.core.types import Array, Int, Scalar, Type, scalars
from clew.explicit.layout import Layout, c_type, slot_path
from clew.explicit.statements import Lines

MOST_SLOTS = 512  # of one variable; beyond that each slot is on its own

HEAD = "SHARED void model_kinds(uint16_t *kinds, uint8_t *most)"

Run = tuple[str, str, int, int]  # path in C, type of an element, how many there are in a row, their bits


def kinship(layout: Layout) -> Lines:
    """`model_kinds`: gives each byte of a state the number of its kind, from 1. Beside embedded C, which wants some
    members to be bit fields, none has a kind."""
    kinds: dict[tuple[str, ...], int] = {}
    lines: Lines = []

    def same(kind: tuple[str, ...], member: str, run: Run) -> None:
        path, type_, count, bits = run
        number = kinds.setdefault(kind, 1 + 4 * len(kinds))
        values = f"sizeof({type_}), {count}, {bits:#x}"
        lines.append(f"    of_kind(kinds, most, {number}, offsetof(struct model, {member}{path}), {values});")

    if has_foreign_code(layout.network):
        return [HEAD, "{", "    (void)kinds; (void)most;", "}", ""]
    for variable in layout.stored(layout.network.variables):
        for run in runs(variable.type):
            same(("global", variable.name, without_indices(run[0])), layout.members[variable], run)
    for place in range(layout.room):
        fixed = place < layout.fixed
        templates = [layout.fixed_templates[place]] if fixed else layout.loose_templates
        for template in templates:
            base = f"p{place}" if fixed else f"p[{place - layout.fixed}].p{layout.tag(template)}"
            locations = (1 << (len(template.locations) - 1).bit_length()) - 1
            same((template.name, "at"), f"{base}.h.at", ("", layout.location_type, 1, locations))
            for variable in layout.stored(template.variables):
                for run in runs(variable.type):
                    kind = (template.name, variable.name, without_indices(run[0]))
                    same(kind, f"{base}.{layout.members[variable]}", run)
    for number, shape in enumerate([*layout.global_channels, *layout.fixed_channels], 1):
        for field, type_ in enumerate(shape.fields):
            for place in range(min(shape.capacity, MOST_SLOTS)):
                run = ("", c_type(type_), 1, bits_of(type_))
                same(("channel", shape.struct, str(field)), f"q{number}.m[{place}].f{field}", run)
    return [HEAD, "{", "    (void)kinds; (void)most;", *lines, "}", ""]


def runs(type_: Type) -> Iterator[Run]:
    """The scalars of a variable, those of a plain array together."""
    if isinstance(type_, Array) and isinstance(type_.element, Scalar):
        yield "[0]", c_type(type_.element), type_.size, bits_of(type_.element)
        return
    fields: Sequence[tuple[str, Scalar]] = list(scalars(type_))[:MOST_SLOTS]
    for slot, (_, scalar) in enumerate(fields):
        yield slot_path(type_, slot), c_type(scalar), 1, bits_of(scalar)


def bits_of(type_: Scalar) -> int:
    """The bits that a stored value can have."""
    return (1 << 32) - 1 if isinstance(type_, Int) and type_.signed else (1 << type_.bits) - 1


def without_indices(path: str) -> str:
    return re.sub(r"\[\d+\]", "[]", path)
