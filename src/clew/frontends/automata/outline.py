"""The names in a text with an automaton: its states, and the acceptance sets of a list of edges."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from clew.core.diagnostics import Span
from clew.core.outline import Definition, EntityKind, Outline

KEYWORDS = (
    "HOA",
    "States",
    "Start",
    "AP",
    "Alias",
    "Acceptance",
    "name",
    "properties",
    "State",
    "Inf",
    "Fin",
    "t",
    "f",
)
_STATE = re.compile(r"\bState:\s*(?:\[[^\]]*\]\s*)?(\d+)")
_TARGET = re.compile(r"\bStart:\s*(\d+)|^\s*(?:\[[^\]]*\]\s*)?(\d+)(?=\s*(?:\{|$))")
_ROW = re.compile(r"^\s*([^\s,;=\"#]+)\s*,\s*([^\s,;=\"#]+)\s*,")
_SETS = re.compile(r"\bacc\s*=([^;]*);")

_Found = tuple[str, EntityKind, Span]


def outline_of(path: str, text: str, is_list: bool) -> Outline:
    """As much as can be understood."""
    lines = text.split("\n")
    found = list(_in_list(path, lines) if is_list else _in_hoa(path, lines))
    first: dict[tuple[str, EntityKind], int] = {}
    definitions: list[Definition] = []
    for name, kind, span in found:
        if (name, kind) not in first:
            first[name, kind] = len(definitions)
            definitions.append(Definition(name, kind, span, span.line))
    return Outline(definitions, [(span, first[name, kind]) for name, kind, span in found])


def _in_hoa(path: str, lines: Iterable[str]) -> Iterator[_Found]:
    """States where they are declared first, then where edges lead to them."""
    declared: list[_Found] = []
    used: list[_Found] = []
    for number, line in enumerate(lines, 1):
        declared += [(m[1], "label", _span(path, number, m, 1)) for m in _STATE.finditer(line)]
        used += [
            (m[group], "label", _span(path, number, m, group))
            for m in _TARGET.finditer(line)
            for group in [1 if m[1] else 2]
        ]
    known = {name for name, _, _ in declared}
    return iter([*declared, *(use for use in used if use[0] in known)])


def _in_list(path: str, lines: Iterable[str]) -> Iterator[_Found]:
    for number, line in enumerate(lines, 1):
        for sets in _SETS.finditer(line):
            for name in re.finditer(r"[^\s,]+", sets[1]):
                yield name[0], "constant", Span(path, number, sets.start(1) + name.start() + 1, len(name[0]))
        row = _ROW.match(line)
        if row is not None:
            yield row[1], "label", _span(path, number, row, 1)
            yield row[2], "label", _span(path, number, row, 2)


def _span(path: str, line: int, match: re.Match[str], group: int) -> Span:
    return Span(path, line, match.start(group) + 1, len(match[group]))
