"""Means, tables in Markdown, and sections of a results file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path


def geometric_mean(ratios: Iterable[float]) -> float:
    """Raises ValueError if there is nothing to take a mean of."""
    logarithms = [math.log(ratio) for ratio in ratios]
    if not logarithms:
        raise ValueError("no ratios")
    return math.exp(math.fsum(logarithms) / len(logarithms))


def significant(value: float | None) -> str:
    """Two digits behind the point for small figures, fewer for large ones; a dash for a figure that is missing."""
    if value is None:
        return "–"
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def header(columns: Sequence[str]) -> str:
    """The head of a table whose first column is text and whose other columns are figures."""
    return row(columns) + "\n|---|" + "--:|" * (len(columns) - 1)


def replace_section(text: str, name: str, body: str) -> str:
    """`text` with `body` between the markers of this name, which are added at the end if there are none.

    Raises ValueError when one of the two markers is missing.
    """
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    section = f"{begin}\n{body.strip()}\n{end}"
    if begin not in text and end not in text:
        return f"{text.rstrip()}\n\n{section}\n"
    before, found_begin, rest = text.partition(begin)
    _, found_end, after = rest.partition(end)
    if not (found_begin and found_end):
        raise ValueError(f"the markers of section {name} do not match")
    return before + section + after


def write_section(path: Path, name: str, body: str) -> None:
    path.write_text(replace_section(path.read_text(), name, body))
