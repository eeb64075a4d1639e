"""Terms: how values and actions are written in traces, test suites and scenarios.

    term    = literal | symbol [ "(" [ term { "," term } ] ")" ] ;
    symbol  = ident [ "<" symbol { "," symbol } ">" ] ;
    literal = integer | float | string | "true" | "false" | "null" ;

`Claim(Job(1), W2)`, `Set(1, 2)`, `Map("a", 1, "b", 2)`. In a pattern `_` stands for any term.
"""

from __future__ import annotations

import dataclasses
import re
from enum import Enum
from typing import Any, NoReturn

from clew.core.diagnostics import InputError, Span
from clew.frontends.modelprogram.elements import Element
from clew.frontends.modelprogram.values import Bag, Map, is_record

Literal = bool | int | float | str | bytes | None


@dataclasses.dataclass(frozen=True, slots=True)
class Term:
    """A symbol with its arguments."""

    symbol: str
    args: tuple[Term | Literal, ...] = ()

    def __str__(self) -> str:
        return f"{self.symbol}({', '.join(map(text_of, self.args))})" if self.args else self.symbol


ANYTHING = Term("_")


def term_of(value: Any) -> Term | Literal:
    """The term of a value of a state. Raises TypeError for anything else."""
    match value:
        case Enum():
            return Term(value.name)
        case None | bool() | int() | float() | str() | bytes():
            return value
        case Element():
            name = value._name()
            return Term(type(value).__name__, (value._number,)) if name.endswith(")") else Term(name)
        case tuple():
            kind = type(value).__name__
            return Term("Tuple" if kind == "tuple" else kind, tuple(map(term_of, value)))
        case frozenset():
            from clew.frontends.modelprogram.values import in_order

            return Term("Set", tuple(map(term_of, in_order(frozenset.__iter__(value)))))
        case Map():
            return Term("Map", tuple(term_of(part) for pair in value.items() for part in pair))
        case Bag():
            return Term("Bag", tuple(map(term_of, value)))
    if is_record(value):
        return Term(type(value).__name__, tuple(term_of(getattr(value, f.name)) for f in dataclasses.fields(value)))
    raise TypeError(f"{type(value).__name__} is not a value of a state")


def text_of(term: Term | Literal) -> str:
    match term:
        case None:
            return "null"
        case bool():
            return "true" if term else "false"
        case str():
            return '"' + term.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
        case _:
            return str(term)


def shown(value: Any) -> str:
    """A value as people read it."""
    term = term_of(value)
    if isinstance(term, Term) and not term.args and isinstance(value, tuple | frozenset | Map | Bag):
        return f"{term.symbol}()"
    return text_of(term)


def fits(pattern: Term | Literal, term: Term | Literal) -> bool:
    """Whether a term is one that the pattern stands for."""
    if pattern == ANYTHING:
        return True
    if isinstance(pattern, Term) and isinstance(term, Term):
        same = pattern.symbol == term.symbol and len(pattern.args) == len(term.args)
        return same and all(map(fits, pattern.args, term.args))
    return type(pattern) is type(term) and pattern == term


_TOKEN = re.compile(r'\s*(?:(-?\d+\.\d+)|(-?\d+)|("(?:[^"\\]|\\.)*")|([A-Za-z_]\w*(?:<[\w<>, ]*>)?)|([(),])|$)')


def read_term(text: str, file: str = "term", line: int = 1) -> Term | Literal:
    """Raises InputError, located."""
    return read_terms(text, file, line, one=True)[0]


def read_terms(text: str, file: str = "terms", line: int = 1, *, one: bool = False) -> list[Term | Literal]:
    """All terms in a text, or the only one. Raises InputError, located."""
    reader = _Reader(text, file, line)
    terms = []
    while not reader.at_end():
        terms.append(reader.term(0))
    if not terms or (one and len(terms) > 1):
        raise InputError.at(Span(file, line), "bad-term", "expected one term" if one else "expected a term")
    return terms


class _Reader:
    DEEPEST = 200

    def __init__(self, text: str, file: str, line: int) -> None:
        self.text = text
        self.file = file
        self.first = line
        self.place = 0
        self.token: str = ""
        self.kind = 0
        self._step()

    def _step(self) -> None:
        found = _TOKEN.match(self.text, self.place)
        if found is None:
            skipped = len(self.text) - len(self.text[self.place :].lstrip())
            self._fail(f"unexpected {self.text[skipped]!r}", skipped)
        self.kind = found.lastindex or 0
        self.token = found.group(self.kind) if self.kind else ""
        self.start = found.start(self.kind) if self.kind else len(self.text)
        self.place = found.end()

    def _fail(self, message: str, place: int) -> NoReturn:
        before = self.text[:place]
        line = self.first + before.count("\n")
        raise InputError.at(Span(self.file, line, place - before.rfind("\n"), 1), "bad-term", message)

    def at_end(self) -> bool:
        return self.kind == 0

    def term(self, depth: int) -> Term | Literal:
        if depth > self.DEEPEST:
            self._fail("too deeply nested", self.start)
        kind, token = self.kind, self.token
        if kind not in (1, 2, 3, 4):
            self._fail(f"expected a term, found {token!r}" if token else "expected a term, found the end", self.start)
        self._step()
        if kind == 1:
            return float(token)
        if kind == 2:
            return int(token)
        if kind == 3:
            return re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], token[1:-1])
        if self.token != "(":
            return {"true": True, "false": False, "null": None}.get(token, Term(token))
        self._step()
        args: list[Term | Literal] = []
        while self.token != ")":
            if args:
                if self.token != ",":
                    self._fail("expected ',' or ')'", self.start)
                self._step()
            args.append(self.term(depth + 1))
        self._step()
        return Term(token, tuple(args))
