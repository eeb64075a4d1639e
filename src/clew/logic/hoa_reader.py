"""Automata from text in the Hanoi Omega-Automata format, version 1.

Any acceptance condition is read: it is brought into disjunctive form, and a run chooses a disjunct, and the moment
after which the edges that may come only finitely often are gone, by itself. Alternating automata are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NoReturn, TypeVar

from clew.core.diagnostics import InputError, Span
from clew.logic import formulas as f
from clew.logic.automata import Automaton, Edge, merged
from clew.logic.diagrams import ANY, NEVER, Diagram, Diagrams
from clew.logic.parse import DEEPEST, MOST_ATOMS, AtomReader, plain_atom

SYNTAX: Final = "hoa-syntax"
UNSUPPORTED: Final = "hoa-unsupported"
MOST_STATES: Final = 1_000_000
MOST_DISJUNCTS: Final = 64

_TOKEN = re.compile(
    r"""(?P<space>\s+|/\*.*?\*/)|(?P<mark>--(?:BODY|END|ABORT)--)|(?P<string>"(?:[^"\\]|\\.)*")
    |(?P<header>[A-Za-z_][\w-]*:)|(?P<name>[A-Za-z_][\w-]*)|(?P<alias>@[\w-]+)|(?P<number>\d+)|(?P<sign>[][{}()!&|])""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)

_Edge = tuple[Diagram, int, int]
T = TypeVar("T")
Disjunct = tuple[frozenset[tuple[int, bool]], frozenset[tuple[int, bool]]]
"""Sets met for ever again and sets met finitely often: (number, whether it is the set itself, not its complement)."""


@dataclass(slots=True)
class _Token:
    kind: str
    text: str
    offset: int


@dataclass(slots=True)
class _Header:
    states: int | None = None
    starts: list[tuple[int, _Token]] = field(default_factory=list)
    atoms: tuple[f.Atom, ...] | None = None
    sets: int | None = None
    acceptance: list[Disjunct] = field(default_factory=list)
    aliases: dict[str, Diagram] = field(default_factory=dict)


def read_hoa(text: str, file: str = "<automaton>", atom: AtomReader | None = None) -> Automaton:
    """The automaton that the text describes. Raises `InputError` with a position."""
    return _Reader(text, file, atom or plain_atom).automaton()


class _Reader:
    def __init__(self, text: str, file: str, atom: AtomReader) -> None:
        self.text = text
        self.file = file
        self.read_atom = atom
        self.diagrams = Diagrams()
        self.tokens = self._tokens()
        self.position = 0
        self.depth = 0

    # Tokens

    def _tokens(self) -> list[_Token]:
        found: list[_Token] = []
        offset = 0
        while offset < len(self.text):
            match = _TOKEN.match(self.text, offset)
            if match is None:
                self.fail(f"unexpected character {self.text[offset]!r}", _Token("", self.text[offset], offset))
            assert match.lastgroup is not None
            if match.lastgroup != "space":
                found.append(_Token(match.lastgroup, match[0], offset))
            offset = match.end()
        found.append(_Token("end", "the end", len(self.text)))
        return found

    @property
    def token(self) -> _Token:
        return self.tokens[self.position]

    def advance(self) -> _Token:
        token = self.token
        self.position += token.kind != "end"
        return token

    def accept(self, text: str) -> bool:
        if self.token.text == text and self.token.kind != "string":
            self.advance()
            return True
        return False

    def expect(self, text: str) -> None:
        if not self.accept(text):
            self.fail(f"expected '{text}', found {self.found()}")

    def number(self, what: str, below: int | None = None) -> int:
        if self.token.kind != "number":
            self.fail(f"expected {what}, found {self.found()}")
        value = int(self.token.text) if len(self.token.text) < 12 else MOST_STATES * MOST_STATES
        if below is not None and value >= below:
            self.fail(f"{what} {value} is out of range: there are only {below}")
        self.advance()
        return value

    def string(self, what: str) -> tuple[str, _Token]:
        token = self.token
        if token.kind != "string":
            self.fail(f"expected {what} in double quotes, found {self.found()}")
        self.advance()
        return re.sub(r"\\(.)", r"\1", token.text[1:-1], flags=re.DOTALL), token

    def found(self) -> str:
        return "the end of the file" if self.token.kind == "end" else f"'{self.token.text}'"

    def span(self, token: _Token) -> Span:
        line = self.text.count("\n", 0, token.offset)
        start = self.text.rfind("\n", 0, token.offset) + 1
        length = len(token.text.split("\n")[0]) if token.kind != "end" else 1
        return Span(self.file, line + 1, token.offset - start + 1, max(1, length))

    def fail(self, message: str, token: _Token | None = None, code: str = SYNTAX, hint: str = "") -> NoReturn:
        raise InputError.at(self.span(token or self.token), code, message, hint)

    # The parts of a file

    def automaton(self) -> Automaton:
        header = self.header()
        rows = self.body(header)
        initials = list(dict.fromkeys(state for state, _ in header.starts))
        for state, token in header.starts:
            if state >= len(rows):
                self.fail(f"the initial state {state} is not described", token)
        assert header.atoms is not None
        return _generalized(self.diagrams, header.atoms, initials, rows, header.acceptance)

    def header(self) -> _Header:
        self.expect("HOA:")
        if self.token.text != "v1":
            self.fail(f"expected version 'v1', found {self.found()}", code=UNSUPPORTED)
        self.advance()
        header = _Header()
        aliases: list[tuple[str, int]] = []
        while not self.accept("--BODY--"):
            item = self.token
            if item.kind != "header":
                self.fail(f"expected a header item or '--BODY--', found {self.found()}")
            self.advance()
            match item.text:
                case "States:":
                    _once(self, item, header.states)
                    header.states = self.number("the number of states")
                    if header.states > MOST_STATES:
                        self.fail(f"more than {MOST_STATES} states", item, UNSUPPORTED)
                case "Start:":
                    token = self.token
                    header.starts.append((self.number("the number of a state"), token))
                    self.no_conjunction()
                case "AP:":
                    _once(self, item, header.atoms)
                    header.atoms = self.atoms()
                case "Acceptance:":
                    _once(self, item, header.sets)
                    header.sets = self.number("the number of acceptance sets")
                    if header.sets > 4096:
                        self.fail("more than 4096 acceptance sets", item, UNSUPPORTED)
                    header.acceptance = self.acceptance(header.sets)
                case "Alias:":
                    name = self.token
                    if name.kind != "alias":
                        self.fail(f"expected a name such as @a, found {self.found()}")
                    self.advance()
                    aliases.append((name.text, self.position))
                    self.skip_item()
                case "tool:" | "name:" | "properties:" | "acc-name:":
                    self.skip_item()
                case _ if item.text[0].isupper():
                    self.fail(f"unknown header item '{item.text}'", item, UNSUPPORTED)
                case _:
                    self.skip_item()
        if header.sets is None:
            self.fail("the header has no 'Acceptance:'")
        header.atoms = header.atoms or ()
        body = self.position
        for alias, self.position in aliases:
            if alias in header.aliases:
                self.fail(f"alias {alias} is defined twice", self.tokens[self.position - 1])
            header.aliases[alias] = self.label(header)
        self.position = body
        return header

    def skip_item(self) -> None:
        while self.token.kind not in ("header", "mark", "end"):
            self.advance()

    def no_conjunction(self) -> None:
        if self.token.text == "&":
            self.fail("alternating automata are not supported", code=UNSUPPORTED)

    def atoms(self) -> tuple[f.Atom, ...]:
        count = self.number("the number of atoms")
        if count > MOST_ATOMS:
            self.fail(f"more than {MOST_ATOMS} atoms", code=UNSUPPORTED)
        found: list[f.Atom] = []
        while self.token.kind == "string":
            text, token = self.string("an atom")
            atom = self.read_atom(text, self.span(token))
            if atom in found:
                self.fail(f"atom {token.text} appears twice", token)
            found.append(atom)
        if len(found) != count:
            self.fail(f"{count} atoms announced, {len(found)} given")
        return tuple(found)

    def acceptance(self, sets: int) -> list[Disjunct]:
        """A disjunction of conjunctions; `&` binds tighter than `|`."""

        def primary() -> list[Disjunct]:
            if self.accept("t"):
                return [(frozenset(), frozenset())]
            if self.accept("f"):
                return []
            if self.accept("("):
                found = self.nested(either)
                self.expect(")")
                return found
            kind = self.token
            if kind.text not in ("Inf", "Fin"):
                self.fail(f"expected Inf, Fin, t, f or '(', found {self.found()}")
            self.advance()
            self.expect("(")
            plain = not self.accept("!")
            member = frozenset([(self.number("acceptance set", sets), plain)])
            self.expect(")")
            return [(member, frozenset())] if kind.text == "Inf" else [(frozenset(), member)]

        def both() -> list[Disjunct]:
            found = primary()
            while self.accept("&"):
                right = primary()
                found = self.few(list(dict.fromkeys((i | j, p | q) for i, p in found for j, q in right)))
            return found

        def either() -> list[Disjunct]:
            found = both()
            while self.accept("|"):
                found = self.few(list(dict.fromkeys((*found, *both()))))
            return found

        return either()

    def few(self, disjuncts: list[Disjunct]) -> list[Disjunct]:
        if len(disjuncts) > MOST_DISJUNCTS:
            self.fail(f"the acceptance condition has more than {MOST_DISJUNCTS} disjuncts", code=UNSUPPORTED)
        return disjuncts

    def nested(self, read: Callable[[], T]) -> T:
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail(f"nested more than {DEEPEST} deep")
        found = read()
        self.depth -= 1
        return found

    def label(self, header: _Header) -> Diagram:
        """A Boolean expression over atoms and aliases."""
        assert header.atoms is not None
        count = len(header.atoms)

        def primary() -> Diagram:
            if self.accept("!"):
                return self.diagrams.negate(self.nested(primary))
            if self.accept("("):
                found = self.nested(either)
                self.expect(")")
                return found
            if self.accept("t"):
                return ANY
            if self.accept("f"):
                return NEVER
            if self.token.kind == "alias":
                alias = self.token
                if alias.text not in header.aliases:
                    self.fail(f"alias {alias.text} is not defined")
                self.advance()
                return header.aliases[alias.text]
            return self.diagrams.variable(self.number("atom", count))

        def both() -> Diagram:
            found = primary()
            while self.accept("&"):
                found = self.diagrams.both(found, primary())
            return found

        def either() -> Diagram:
            found = both()
            while self.accept("|"):
                found = self.diagrams.either(found, both())
            return found

        return either()

    def body(self, header: _Header) -> list[list[_Edge]]:
        assert header.atoms is not None and header.sets is not None
        limit = MOST_STATES if header.states is None else header.states
        rows: dict[int, list[_Edge]] = {}
        targets: list[tuple[int, _Token]] = []
        while not self.accept("--END--"):
            if self.token.text == "--ABORT--":
                self.fail("the automaton is aborted")
            self.expect("State:")
            shared = self.optional_label(header)
            token = self.token
            state = self.number("the number of a state", limit)
            if state in rows:
                self.fail(f"state {state} is described twice", token)
            if self.token.kind == "string":
                self.advance()
            state_marks = self.marks(header.sets)
            row = rows.setdefault(state, [])
            implicit = 0
            while self.token.text != "State:" and self.token.kind not in ("mark", "end"):
                label = self.optional_label(header)
                if label is None:
                    label = shared
                if label is None:
                    if implicit >> len(header.atoms):
                        self.fail("more edges without labels than letters")
                    label = self.diagrams.cube((implicit, (1 << len(header.atoms)) - 1 & ~implicit))
                    implicit += 1
                target = self.token
                targets.append((self.number("the number of a state", limit), target))
                self.no_conjunction()
                row.append((label, state_marks | self.marks(header.sets), targets[-1][0]))
        if self.token.kind != "end":
            self.fail(f"expected the end of the file after '--END--', found {self.found()}")
        count = header.states if header.states is not None else max(rows, default=-1) + 1
        for state, token in targets:
            if state >= count:
                self.fail(f"state {state} is not described", token)
        return [rows.get(s, []) for s in range(count)]

    def optional_label(self, header: _Header) -> Diagram | None:
        if not self.accept("["):
            return None
        found = self.label(header)
        self.expect("]")
        return found

    def marks(self, sets: int) -> int:
        found = 0
        if self.accept("{"):
            while not self.accept("}"):
                found |= 1 << self.number("acceptance set", sets)
        return found


def _once(reader: _Reader, item: _Token, known: object) -> None:
    if known is not None:
        reader.fail(f"'{item.text}' appears twice", item)


def _generalized(
    diagrams: Diagrams,
    atoms: tuple[f.Atom, ...],
    initials: list[int],
    rows: list[list[_Edge]],
    acceptance: list[Disjunct],
) -> Automaton:
    """A generalized Büchi automaton for any acceptance in disjunctive form.

    A disjunct without `Fin`, if it is the only one, is taken as it is. Otherwise the states are copied once per
    disjunct, without the edges that may come only finitely often; runs enter a copy from the original when they like.
    """
    count = len(rows)
    sets = max((len(infinite) for infinite, _ in acceptance), default=0)
    simple = len(acceptance) == 1 and not acceptance[0][1]
    copies = [] if simple else acceptance
    edges: list[list[Edge]] = [[] for _ in range(count * (1 + len(copies)))]

    def has(marks: int, member: tuple[int, bool]) -> bool:
        number, plain = member
        return bool(marks >> number & 1) == plain

    def translated(marks: int, disjunct: Disjunct) -> int:
        required = sorted(disjunct[0])
        return sum(1 << i for i in range(sets) if i >= len(required) or has(marks, required[i]))

    needed = sets if simple else max(sets, 1)
    for source, row in enumerate(rows):
        for condition, marks, target in row:
            edges[source].append(Edge(condition, translated(marks, acceptance[0]) if simple else 0, target))
            for i, disjunct in enumerate(copies, 1):
                if not any(has(marks, member) for member in disjunct[1]):
                    mark = translated(marks, disjunct) | ((1 << needed) - (1 << sets))
                    edges[source].append(Edge(condition, 0, i * count + target))
                    edges[i * count + source].append(Edge(condition, mark, i * count + target))
    if len(initials) != 1:
        edges.append([edge for s in initials for edge in edges[s]])
        initials = [len(edges) - 1]
    return Automaton(atoms, diagrams, needed, initials[0], tuple(tuple(merged(diagrams, es)) for es in edges))
