"""Words in the notation of the case study: `- L - (LP) R`, one symbol for each state, the last one repeated for ever.

A cycle of several states stands in square brackets at the end: `L [P R]`. The other notation names the states by
number: `L: i==3 || i==10; P: i==6`.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from clew.core.diagnostics import InputError, Span
from clew.logic import formulas as f
from clew.logic.patterns.words import Lasso

SYNTAX: Final = "trace-syntax"
LIMIT: Final = 20
"""The last state of traces given by numbers."""

_SYMBOL = re.compile(r"\s*(?:([-–])|([A-Za-z])|\(\s*([A-Za-z](?:[\s,]*[A-Za-z])*)\s*\)|(\[)|(\]))")
_DEFINITION = re.compile(r"\s*([A-Za-z])\s*:\s*(.*?)\s*\Z", re.DOTALL)
_STATE = re.compile(r"\(?\s*i\s*==\s*(\d+|limit)\s*\)?\Z")
_NUMBERED = re.compile(r"\s*[A-Za-z]\s*:")


def read_trace(text: str, file: str = "<trace>") -> Lasso:
    """The word a text in one of the two notations stands for. Raises `InputError` with a position."""
    if _NUMBERED.match(text):
        return _numbered(text, file)
    letters: list[frozenset[f.Atom]] = []
    back: int | None = None
    at, closed = 0, False
    while text[at:].strip():
        found = _SYMBOL.match(text, at)
        if not found or closed:
            at += len(text[at:]) - len(text[at:].lstrip())
            raise _error(file, at, f"cannot read '{text[at]}' here", "symbols are -, letters, (groups) and one [cycle]")
        dash, single, group, opening, closing = found.groups()
        at = found.end()
        if opening and back is None:
            back = len(letters)
        elif closing and back is not None and back < len(letters):
            closed = True
        elif dash or single or group:
            letters.append(frozenset(map(f.proposition, re.findall("[A-Za-z]", single or group or ""))))
        else:
            raise _error(file, at - 1, f"'{text[at - 1]}' makes no cycle here", "one cycle at the end: L [P R]")
    if not letters:
        raise _error(file, 0, "the trace is empty", "")
    if back is None:
        back = len(letters) - 1
    elif not closed:
        raise _error(file, text.index("["), "this '[' is never closed", "")
    return tuple(letters[:back]), tuple(letters[back:])


def _numbered(text: str, file: str) -> Lasso:
    """`L: i==3 || i==10; P: i==6` on the states 0 … LIMIT, the last one repeated."""
    held: list[set[f.Atom]] = [set() for _ in range(LIMIT + 1)]
    at = 0
    for piece in text.split(";"):
        found = _DEFINITION.match(piece)
        if piece.strip() and not found:
            raise _error(file, at, "expected a letter and a colon", "write L: i==3 || i==10; P: i==6")
        for state in re.split(r"\|\||∨", found[2]) if found else ():
            number = _STATE.match(state.strip())
            position = LIMIT if number and number[1] == "limit" else int(number[1]) if number else LIMIT + 1
            if position > LIMIT:
                raise _error(file, at, f"'{state.strip()}' is no state", f"states are i==0 … i=={LIMIT}, i==limit")
            assert found is not None
            held[position].add(f.proposition(found[1]))
        at += len(piece) + 1
    letters = [frozenset(h) for h in held]
    return tuple(letters[:-1]), tuple(letters[-1:])


def _error(file: str, at: int, message: str, hint: str) -> InputError:
    return InputError.at(Span(file, 1, at + 1), SYNTAX, message, hint)


def show_trace(lasso: Lasso) -> str:
    """The word as text; `read_trace` reads it if its atoms are letters."""
    prefix, cycle = lasso
    states = [_symbol(held) for held in prefix]
    states.append(_symbol(cycle[0]) if len(cycle) == 1 else f"[{' '.join(map(_symbol, cycle))}]")
    return " ".join(states)


def show_states(lasso: Lasso) -> list[str]:
    """A symbol for each state of prefix and cycle."""
    return [_symbol(held) for part in lasso for held in part]


def _symbol(held: frozenset[f.Atom]) -> str:
    names = sorted((a.text for a in held), key=_role_order)
    if not names:
        return "-"
    return names[0] if len(names) == 1 else f"({(' ' if any(len(n) > 1 for n in names) else '').join(names)})"


def _role_order(name: str) -> tuple[int, str]:
    """Delimiters first, as in the tables."""
    place = "LRTP".find(name) if len(name) == 1 else -1
    return (place if place >= 0 else 9), name


def without_repetitions(lasso: Lasso) -> Lasso:
    """The same word up to repeating letters, with none repeated in its prefix."""
    prefix, cycle = lasso
    letters = [*prefix, cycle[0]]
    kept = [x for x, y in pairwise(letters) if x != y]
    return tuple(kept), cycle
