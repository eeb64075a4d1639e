"""Footprints as C tables, for `runtime/stubborn.h`."""

from __future__ import annotations

from collections.abc import Iterator

from clew.explicit.expressions import Expressions, Scope
from clew.explicit.layout import Layout
from clew.explicit.reduction.footprints import Footprint, Footprints
from clew.explicit.reduction.resources import CELLS

MOST_STEPS = 64  # that leave a location


def too_wide(layout: Layout) -> bool:
    """Whether some location has more steps than fit a word."""
    return any(
        sum(map(len, location.choices)) > MOST_STEPS for template in layout.templates for location in template.locations
    )


def stubborn_tables(footprints: Footprints, layout: Layout, expr: Expressions) -> Iterator[str]:
    """The tables, and `model_cells`: which bits the cells of a process are."""
    words = (footprints.resources.bits + 63) // 64
    rows: list[str] = []
    firsts: list[int] = []
    sizes: list[int] = []
    bases: list[int] = []
    places = [0] * (1 + max(footprints.of, default=0))
    for template in layout.templates:
        bases.append(len(firsts))
        for location in template.locations:
            here = [step for choice in location.choices for step in choice]
            firsts.append(len(rows))
            sizes.append(len(here))
            for number, step in enumerate(here):
                places[step.index] = number
                rows.append("    " + _row(footprints.of[step.index], words) + f", /* {step.index} */")
    most = max((len(cells) for cells in footprints.resources.cells.values()), default=0)
    yield f"enum {{ RESOURCE_WORDS = {words}, CELLS = {most} }};"
    yield '#include "footprint.h"'
    yield "static const footprint footprints[] = {"
    yield from rows or ["    {0}"]
    yield "};"
    yield f"static const uint32_t bundles_of[] = {{{_list(bases)}}};"
    yield f"static const uint32_t bundle_first[] = {{{_list(firsts)}}};"
    yield f"static const uint8_t bundle_size[] = {{{_list(sizes)}}};"
    yield f"static const uint8_t place_of[] = {{{_list(places)}}};"
    yield ""
    yield from _cells(footprints, layout, expr)


def _list(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers)) or "0"


def _row(found: Footprint, words: int) -> str:
    masks = (found.touches, found.changes, found.waits, found.later_touches, found.later_changes)
    flags = found.own | found.waits_for_all << 1 | found.moves_others << 2 | found.later_fails << 3 | found.visible << 4
    parts = ", ".join(
        "{{" + ", ".join(f"{mask >> 64 * n & (1 << 64) - 1 if n < words else 0:#x}u" for n in range(words)) + "}}"
        for mask in (mask & (1 << CELLS) - 1 for mask in masks)
    )
    cells = ", ".join(f"{mask >> CELLS:#x}u" for mask in masks)
    return f"{{{{{parts}}}, {{{cells}}}, {int(flags)}}}"


def _cells(footprints: Footprints, layout: Layout, expr: Expressions) -> Iterator[str]:
    yield "static void model_cells(const state *s, int pid, uint16_t *at)"
    yield "{"
    yield "    (void)s; (void)pid; (void)at;"
    yield "    switch (TAG(s, pid)) {"
    for tag, template in enumerate(layout.templates):
        cells = footprints.resources.cells[template.name]
        if cells:
            struct = layout.struct(template)
            yield f"    case {tag}: {{"
            yield f"        const {struct} *p = (const {struct} *)HEAD(s, pid);"
            yield "        (void)p;"
            for number, cell in enumerate(cells):
                value = expr(cell.expr, Scope("s", "p"))
                shifted = f"(unsigned)({value}) - {cell.least}u"
                yield f"        at[{number}] = (uint16_t)({cell.base} + {cell.stride} * (({shifted}) % {cell.count}u));"
            yield "        break;"
            yield "    }"
    yield "    }"
    yield "}"
    yield ""


def ample_tables(layout: Layout, expr: Expressions) -> Iterator[str]:
    """`model_alone`: whether the peer of the language would let a process move alone."""
    yield "static int model_alone(const state *s, int pid)"
    yield "{"
    yield "    int err = 0, asked = 0;"
    yield "    (void)s; (void)pid; (void)err; (void)asked;"
    yield "    switch (TAG(s, pid)) {"
    for tag, template in enumerate(layout.templates):
        struct = layout.struct(template)
        yield f"    case {tag}: {{"
        yield f"        const {struct} *p = (const {struct} *)HEAD(s, pid);"
        yield "        switch (p->h.at) {"
        for location in template.locations:
            if location.alone is not None:
                test = expr(location.alone, Scope("s", "p"))
                yield f"        case {location.number}: return {test} && !err;"
        yield "        }"
        yield "        break;"
        yield "    }"
    yield "    }"
    yield "    return 0;"
    yield "}"
    yield ""
