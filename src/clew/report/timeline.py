"""Runs with the intervals of a scope, as text and as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from clew.logic.formulas import Atom
from clew.logic.patterns.explain import Sample
from clew.logic.patterns.traces import show_states
from clew.logic.patterns.words import Lasso

_CELL: Final = 46
_ROW: Final = 22
_LABEL: Final = 8  # pixels for a character
_GREEN: Final = "#2e7d32"
_RED: Final = "#c62828"


def timeline_text(sample: Sample) -> str:
    """A line of states and a line for each interval; `→` runs on for ever. Long names have a line each."""
    rows, width = _states(sample.atoms, sample.trace)
    count = sum(map(len, sample.trace))
    for number, ((start, end), good) in enumerate(sample.intervals, start=1):
        last = count if end is None else min(end, count)
        bar = "━" * max(0, (last - start) * width - 2)
        edge = "→" if end is None or end > count else "┫"
        body = f"┣{bar}{edge}" if last > start else "│"
        label = "interval" if len(sample.intervals) == 1 else f"interval {number}"
        rows.append((label, f"{' ' * (start * width)}{body} {'holds here' if good else 'fails here'}"))
    if not sample.intervals:
        rows.append(("", "no interval: nothing to ask"))
    return _aligned(rows)


def states_text(atoms: Sequence[Atom], trace: Lasso) -> str:
    """A line of states alone."""
    return _aligned(_states(atoms, trace)[0])


def _states(atoms: Sequence[Atom], trace: Lasso) -> tuple[list[tuple[str, str]], int]:
    """Lines with their labels, and how wide a state is."""
    long_names = any(len(atom.text) > 1 for atom in atoms)
    symbols = show_states(trace)
    width = 4 if long_names else max(map(len, symbols)) + 2
    rows = [("state", "".join(str(i).ljust(width) for i in range(len(symbols))) + _again(trace))]
    if not long_names:
        return [*rows, ("", "".join(symbol.ljust(width) for symbol in symbols))], width
    for atom in atoms:
        held = (atom in letter for part in trace for letter in part)
        rows.append((atom.text, "".join(("●" if h else "·").ljust(width) for h in held)))
    return rows, width


def _aligned(rows: list[tuple[str, str]]) -> str:
    margin = max(len(label) for label, _ in rows) + 2
    return "\n".join(f"{label:<{margin}}{text}".rstrip() for label, text in rows)


def _again(trace: Lasso) -> str:
    """How the run goes on behind the last state."""
    prefix, cycle = trace
    return "…" if len(cycle) == 1 else f"and again from {len(prefix)}"


def timeline_svg(titled: list[tuple[str, Sample]]) -> str:
    """Pictures of runs below each other, the intervals shaded: green where the pattern holds, red where it fails."""
    left = 24 + _LABEL * max([8, *(len(atom.text) for _, sample in titled for atom in sample.atoms)])
    width = max(
        [left + 3 * _CELL, *(left + (len(show_states(s.trace)) + 1) * _CELL for _, s in titled)]
        + [24 + _LABEL * len(title) for title, _ in titled]
    )
    parts: list[str] = []
    y = 12
    for title, sample in titled:
        y += _picture(parts, title, sample, left, y) + 18
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{y}" viewBox="0 0 {width} {y}" '
        'font-family="sans-serif" font-size="13">'
    )
    return "\n".join([head, f'<rect width="{width}" height="{y}" fill="white"/>', *parts, "</svg>", ""])


def _picture(parts: list[str], title: str, sample: Sample, left: int, top: int) -> int:
    """Draws one run; gives its height."""
    letters = [*sample.trace[0], *sample.trace[1]]
    colour = _GREEN if sample.holds else _RED
    parts.append(f'<text x="12" y="{top + 14}" font-weight="bold" fill="{colour}">{escape(title)}</text>')
    first_row = top + 26
    bars = first_row + _ROW * (len(sample.atoms) + 1)
    for number, ((start, end), good) in enumerate(sample.intervals):
        last = len(letters) if end is None else min(end, len(letters))
        x, wide = left + start * _CELL, max(3, (last - start) * _CELL)
        shade = _GREEN if good else _RED
        at = bars + number * _ROW
        high = bars - first_row
        parts.append(f'<rect x="{x}" y="{first_row}" width="{wide}" height="{high}" fill="{shade}" opacity="0.1"/>')
        parts.append(f'<rect x="{x}" y="{at}" width="{wide}" height="{_ROW - 5}" rx="4" fill="{shade}" opacity="0.5"/>')
        note = ("holds" if good else "fails") + (" →" if end is None or end > len(letters) else "")
        parts.append(f'<text x="{x + 6}" y="{at + 13}" font-size="11">{note}</text>')
    for i in range(len(letters)):
        x = left + i * _CELL + _CELL // 2
        parts.append(f'<text x="{x}" y="{first_row + 15}" text-anchor="middle" fill="#777" font-size="11">{i}</text>')
    parts.append(
        f'<text x="{left + len(letters) * _CELL + 4}" y="{first_row + 15}" fill="#777">{_again(sample.trace)}</text>'
    )
    for row, atom in enumerate(sample.atoms, start=1):
        y = first_row + row * _ROW + _ROW // 2
        parts.append(f'<text x="12" y="{y + 4}">{escape(atom.text)}</text>')
        parts.append(f'<line x1="{left}" y1="{y}" x2="{left + len(letters) * _CELL}" y2="{y}" stroke="#ddd"/>')
        for i, letter in enumerate(letters):
            if atom in letter:
                parts.append(f'<circle cx="{left + i * _CELL + _CELL // 2}" cy="{y}" r="5" fill="#222"/>')
    return bars - top + max(1, len(sample.intervals)) * _ROW
