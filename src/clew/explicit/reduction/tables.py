"""Footprints as C tables, for `runtime/stubborn.h`."""

from __future__ import annotations

from collections.abc import Iterator

from clew.explicit.expressions import Expressions, Scope
from clew.explicit.layout import Layout
from clew.explicit.reduction.footprints import Footprint, Footprints
from clew.explicit.reduction.resources import CELLS


def stubborn_tables(footprints: Footprints, layout: Layout, expr: Expressions) -> Iterator[str]:
    """The tables, and `model_cells`: which bits the cells of a process are."""
    words = (footprints.resources.bits + 63) // 64
    rows: list[str] = []
    bundles: list[str] = []
    bases: list[int] = []
    largest = 0
    places = [0] * (1 + max(footprints.of, default=0))
    for template in layout.templates:
        bases.append(len(bundles))
        for location in template.locations:
            here = [step for choice in location.choices for step in choice]
            bundles.append("    " + _bundle([footprints.of[step.index] for step in here], len(rows)) + ",")
            largest = max(largest, len(here))
            for number, step in enumerate(here):
                places[step.index] = number
                rows.append("    " + _row(footprints.of[step.index], words) + f", /* {step.index} */")
    most = max((len(cells) for cells in footprints.resources.cells.values()), default=0)
    yield f"#define RESOURCE_WORDS {words}"
    yield f"#define CELLS {most}"
    yield f"#define LARGEST_BUNDLE {largest}"
    yield f"#define BUNDLES {len(bundles)}"
    yield '#include "footprint.h"'
    yield "static const footprint footprints[] = {"
    yield from rows or ["    {0}"]
    yield "};"
    yield f"static const uint32_t bundles_of[] = {{{_list(bases)}}};"
    yield "static const bundle bundles[] = {"
    yield from bundles or ["    {0}"]
    yield "};"
    yield f"static const uint8_t place_of[] = {{{_list(places)}}};"
    yield ""
    yield from _cells(footprints, layout, expr)


def _list(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers)) or "0"


def _row(found: Footprint, words: int) -> str:
    masks = (found.touches, found.changes, found.waits, found.later_touches, found.later_changes)
    return f"{{{_masks(masks, words)}, {_flags(found)}}}"


def _bundle(steps: list[Footprint], first: int) -> str:
    """The steps of a location, and what they come to together."""
    flags = now = 0
    for found in steps:
        flags |= _flags(found)
        now |= found.touches | found.changes | found.waits
    local = int(bool(steps) and not now and not any(found.moves_others | found.waits_for_all for found in steps))
    every = (1 << len(steps)) - 1
    own = sum(1 << n for n, found in enumerate(steps) if found.own)
    return f"{{{every:#x}u, {own:#x}u, {first}, {len(steps)}, {flags}, {local}}}"


def _flags(found: Footprint) -> int:
    bits = (found.waits_for_all, found.moves_others, found.later_fails, found.visible)
    return sum(1 << n for n, bit in enumerate(bits) if bit)


def _masks(masks: tuple[int, ...], words: int) -> str:
    """Sets of resources, and then their cells."""
    parts = ", ".join(
        "{{" + ", ".join(f"{mask >> 64 * n & (1 << 64) - 1:#x}u" for n in range(words)) + "}}"
        for mask in (mask & (1 << CELLS) - 1 for mask in masks)
    )
    cells = ", ".join(f"{mask >> CELLS:#x}u" for mask in masks)
    return f"{{{parts}}}, {{{cells}}}"


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
