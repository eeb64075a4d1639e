"""Table 1 of Bosnacki and Holzmann, "Improving Spin's Partial-Order Reduction for Breadth-First Search" (SPIN 2005)."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from bench.por.explored import AS_SPIN, network, searched, without_formulas
from clew.core.engines import Search
from clew.explicit.reduction.generated import ProvisoName, Reduction

Cell = tuple[int, int]  # states stored, transitions
HOW: tuple[tuple[Search, ProvisoName], ...] = (("bfs", "visited"), ("bfs", "queue"), ("dfs", "stack"))


@dataclass(frozen=True, slots=True)
class Row:
    """A model of the table. `paper`: Spin 4.2.0; `today`: Spin 6.5.2 on the present text, where that differs."""

    name: str
    file: str
    paper: tuple[Cell, Cell, Cell]
    today: tuple[Cell | None, Cell | None, Cell | None] = (None, None, None)
    size: int | None = None  # of petersonN
    pid_is_global: bool = False


NOTHING: tuple[Cell, Cell, Cell] = ((0, 0), (0, 0), (0, 0))
ROWS = (
    Row("eratosthenes", "eratosthenes.pml", ((18799, 42361), (3205, 3683), (2093, 2571))),
    Row("leader", "leader0.pml", ((109, 109), (109, 109), (97, 97)), ((114, 114), (114, 114), None)),
    Row(
        "leader2",
        "LTL/leader.pml",
        ((16094, 16332), (16094, 16332), (14122, 14241)),
        ((16694, 16932), (16694, 16893), None),
    ),
    Row(
        "mobile1",
        "LTL/mobile1.pml",
        ((66389, 123076), (25894, 36576), (9971, 20246)),
        ((26928, 49764), (13497, 19047), (6602, 13291)),
    ),
    Row(
        "mobile2",
        "LTL/mobile2.pml",
        ((13924, 25719), (6932, 9819), (3301, 6531)),
        ((13925, 25720), (6933, 9820), None),
    ),
    Row("petersonN 2", "LTL/petersonN.pml", ((164, 290), (135, 180), (133, 171)), size=2, pid_is_global=True),
    Row(  # the paper prints 47398, the states matched, in place of the transitions
        "petersonN 3",
        "LTL/petersonN.pml",
        ((26373, 47398), (13650, 21135), (16720, 30322)),
        ((26373, 73771), None, None),
        3,
        True,
    ),
    Row(  # the paper prints three digits
        "petersonN 4",
        "LTL/petersonN.pml",
        ((7160000, 27400000), (3650000, 7420000), (3190000, 6850000)),
        ((7161481, 27380286), (3645286, 7423781), (3185844, 6853324)),
        4,
        True,
    ),
    Row("pftp", "LTL/pftp.pml", ((137897, 292283), (61765, 80416), (47356, 64970))),
)


FULL: tuple[tuple[Row, Cell], ...] = (
    (Row("eratosthenes", "eratosthenes.pml", NOTHING), (25295, 90558)),
    (Row("leader", "leader0.pml", NOTHING), (15779, 58181)),
    (Row("leader2", "LTL/leader.pml", NOTHING), (1975050, 7208097)),
    (Row("mobile1", "LTL/mobile1.pml", NOTHING), (30652, 91356)),
    (Row("mobile2", "LTL/mobile2.pml", NOTHING), (10865, 32688)),
    (Row("pftp", "LTL/pftp.pml", NOTHING), (144813, 397948)),
    (Row("sort", "sort.pml", NOTHING), (107713, 512419)),
    (Row("petersonN 2", "LTL/petersonN.pml", NOTHING, size=2), (178, 321)),
    (Row("petersonN 3", "LTL/petersonN.pml", NOTHING, size=3), (25362, 69787)),
    (Row("petersonN 4", "LTL/petersonN.pml", NOTHING, size=4), (6504635, 24102983)),
    (Row("petersonN 2, modified", "LTL/petersonN.pml", NOTHING, size=2, pid_is_global=True), (206, 375)),
    (Row("petersonN 3, modified", "LTL/petersonN.pml", NOTHING, size=3, pid_is_global=True), (30432, 84269)),
)
"""Spin 6.5.2 without reduction (`-DNOREDUCE`, depth-first)."""


def text_of(row: Row, corpus: Path) -> str:
    """The model without formulas, and with its size."""
    text = without_formulas((corpus / row.file).read_text(errors="replace"))
    return text if row.size is None else re.sub(r"^#define N\s.*$", f"#define N {row.size}", text, flags=re.MULTILINE)


def full_cell(row: Row, corpus: Path) -> Cell:
    """What the search without reduction stores, and its transitions, counted as Spin does."""
    view = network(text_of(row, corpus), replace(AS_SPIN, pid_is_global=row.pid_is_global))
    figures = searched(view, "dfs").figures
    return figures["stored"], figures["transitions"] + 1


def cells(row: Row, corpus: Path) -> Iterator[Cell]:
    """What the three searches store and how many transitions they take, counted as Spin does."""
    view = network(text_of(row, corpus), replace(AS_SPIN, pid_is_global=row.pid_is_global))
    for search, proviso in HOW:
        figures = searched(view, search, Reduction(proviso, True, search == "bfs")).figures
        yield figures["stored"], figures["transitions"] + 1


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.por table")
    parser.add_argument("corpus", type=Path, help="the folder Examples of the Spin distribution")
    parser.add_argument("--only", default="", help="models whose names begin so")
    parser.add_argument("--full", action="store_true", help="without reduction, next to Spin without reduction")
    options = parser.parse_args(arguments)
    if options.full:
        return _full(options.corpus, options.only)
    print("| model | visited (C2v) | queue (C2q) | depth-first, stack (C2s) |")
    print("|---|---|---|---|")
    differ = 0
    for row in ROWS:
        if row.name.startswith(options.only):
            texts = []
            for cell, paper, today in zip(cells(row, options.corpus), row.paper, row.today, strict=True):
                expected = today or paper
                differ += cell != expected
                texts.append(_cell(cell, paper, expected))
            print(f"| {row.name} | {' | '.join(texts)} |", flush=True)
    print("\n✓ as in the paper; = as Spin 6.5.2, which differs from the paper (in brackets); ✗ neither.")
    return int(differ > 0)


def _full(corpus: Path, only: str) -> int:
    print("| model | without reduction | Spin, -DNOREDUCE |")
    print("|---|---|---|")
    differ = 0
    for row, spin in FULL:
        if row.name.startswith(only):
            cell = full_cell(row, corpus)
            differ += cell != spin
            print(
                f"| {row.name} | {cell[0]}/{cell[1]} {'✓' if cell == spin else '✗'} | {spin[0]}/{spin[1]} |", flush=True
            )
    return int(differ > 0)


def _cell(cell: Cell, paper: Cell, expected: Cell) -> str:
    text = f"{cell[0]}/{cell[1]}"
    if cell == paper:
        return f"{text} ✓"
    return f"{text} {'=' if cell == expected else '✗'} ({paper[0]}/{paper[1]})"
