"""Automata from plain lists of edges, as benchmarks of emptiness checks use them:

    acc = f g ;                 the names of the acceptance sets
    s0, s1, "a & !b", f ;       source, target, condition, the sets the edge is in

The source of the first edge is the initial state. `#` begins a comment.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NoReturn

from clew.core.diagnostics import InputError, Span
from clew.logic import formulas as f
from clew.logic.automata import Automaton, Edge
from clew.logic.diagrams import Diagrams
from clew.logic.parse import AtomReader, parse_ltl, plain_atom
from clew.logic.translate import condition_of

SYNTAX: Final = "edges-syntax"

_TOKEN = re.compile(r'(?P<space>\s+|#[^\n]*)|(?P<string>"[^"\n]*")|(?P<sign>[,;=])|(?P<name>[^\s,;="#]+)')


@dataclass(slots=True)
class _Token:
    kind: str
    text: str
    span: Span


def read_edges(text: str, file: str = "<edges>", atom: AtomReader | None = None) -> Automaton:
    """The automaton that the text describes. Raises `InputError` with a position."""
    reader = _Reader(_tokens(text, file))
    names = reader.sets()
    rows = []
    while reader.token.kind != "end":
        rows.append(reader.edge(names, atom or plain_atom))
    if not rows:
        reader.fail("there are no edges")
    states: dict[str, int] = {}
    for source, target, _, _ in rows:
        states.setdefault(source, len(states))
        states.setdefault(target, len(states))
    atoms = tuple(dict.fromkeys(a for _, _, condition, _ in rows for a in f.atoms(condition)))
    diagrams = Diagrams()
    edges: list[list[Edge]] = [[] for _ in states]
    for source, target, condition, marks in rows:
        diagram = condition_of(f.negation_normal_form(condition), diagrams, atoms)
        edges[states[source]].append(Edge(diagram, marks, states[target]))
    return Automaton(atoms, diagrams, len(names), 0, tuple(map(tuple, edges)))


def _tokens(text: str, file: str) -> list[_Token]:
    found = []
    offset, line, start = 0, 1, 0
    while offset < len(text):
        match = _TOKEN.match(text, offset)
        span = Span(file, line, offset - start + 1, len(match[0]) if match else 1)
        if match is None:
            raise InputError.at(span, SYNTAX, f"unexpected character {text[offset]!r}")
        assert match.lastgroup is not None
        if match.lastgroup != "space":
            found.append(_Token(match.lastgroup, match[0], span))
        offset = match.end()
        line += match[0].count("\n")
        start = max(start, text.rfind("\n", 0, offset) + 1)
    return [*found, _Token("end", "the end", Span(file, line, offset - start + 1))]


class _Reader:
    def __init__(self, tokens: list[_Token]) -> None:
        self.tokens = tokens
        self.position = 0

    @property
    def token(self) -> _Token:
        return self.tokens[self.position]

    def fail(self, message: str, token: _Token | None = None) -> NoReturn:
        raise InputError.at((token or self.token).span, SYNTAX, message)

    def take(self, kind: str, text: str = "") -> _Token:
        token = self.token
        if token.kind != kind or (text and token.text != text):
            self.fail(f"expected {text or 'a ' + kind}, found {token.text}")
        self.position += 1
        return token

    def names(self) -> list[_Token]:
        found = []
        while self.token.kind == "name":
            found.append(self.take("name"))
        self.take("sign", ";")
        return found

    def sets(self) -> list[str]:
        if self.token.text != "acc" or self.tokens[self.position + 1].text != "=":
            return []
        self.position += 2
        return list(dict.fromkeys(token.text for token in self.names()))

    def edge(self, names: list[str], atom: AtomReader) -> tuple[str, str, f.Formula, int]:
        source = self.take("name").text
        self.take("sign", ",")
        target = self.take("name").text
        self.take("sign", ",")
        label = self.take("string")
        start = Span(label.span.file, label.span.line, label.span.column + 1, max(label.span.length - 2, 1))
        condition = parse_ltl(label.text[1:-1], atom, start)
        if not f.is_boolean(condition):
            self.fail("the condition of an edge has no temporal operators", label)
        self.take("sign", ",")
        marks = 0
        for token in self.names():
            if token.text not in names:
                self.fail(f"there is no acceptance set {token.text}", token)
            marks |= 1 << names.index(token.text)
        return source, target, condition, marks
