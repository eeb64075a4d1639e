"""Text to formulas, in Clew's, Spin's or Spot's spelling.

Binding from loose to tight: `->` and `<->`; `||`; `&&`; `U V R W M`; the prefix operators. Binary temporal operators
and implications group to the right, as in Spot: `a U b U c` is `a U (b U c)`, and `[] a U b` is `([] a) U b`.

An atom reaches from where an operand may start to the next operator outside brackets. So `x + 1 > y && P[1]@busy` has
two atoms, and `q!ack(_)` is one: `!` is a negation only where an operand starts. A group in parentheses is a formula,
unless more of an atom follows: `(x + 1) * 2 > y`. Text in double quotes is always one atom.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NoReturn

from clew.core.diagnostics import InputError, Span
from clew.logic import formulas as f

SYNTAX: Final = "formula-syntax"
DEEPEST: Final = 150
MOST_ATOMS: Final = 300

AtomReader = Callable[[str, Span], f.Atom]
"""Makes an atom of its text; raises an `InputError` at the given place, or behind it, if it means nothing."""

_SPACE = re.compile(r"\s*")
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_PREFIX = re.compile(r"!(?!=)|~|\[\]|<>|(?:[XFG]|next|always|eventually)\b", re.ASCII)
_BINARY = re.compile(
    r"<->|->|&&?|\|\|?|/\\|\\/|(?:[UVRWM]|until|stronguntil|weakuntil|release|implies|equivalent)\b",
    re.ASCII,
)
_MEMBER = re.compile(r"[.@:]\s*[A-Za-z_]\w*", re.ASCII)  # a name that cannot be an operator
_BRACKETS: Final = {"(": ")", "[": "]", "{": "}"}

_MEANING: Final[dict[str, str]] = {
    "until": "U", "stronguntil": "U", "weakuntil": "W", "release": "R", "V": "R", "implies": "->", "equivalent": "<->",
    "&": "&&", "/\\": "&&", "|": "||", "\\/": "||",
    "next": "X", "[]": "G", "always": "G", "<>": "F", "eventually": "F", "~": "!",
}  # fmt: skip
_UNARY: Final[dict[str, type[f.Unary]]] = {"!": f.Not, "X": f.Next, "F": f.Eventually, "G": f.Always}
_LEVEL: Final = {"->": 1, "<->": 1, "||": 2, "&&": 3, "U": 4, "R": 4, "W": 4, "M": 4}
_NODE: Final[dict[str, type[f.Binary]]] = {
    "->": f.Implies,
    "<->": f.Equivalent,
    "U": f.Until,
    "R": f.Release,
    "W": f.WeakUntil,
    "M": f.StrongRelease,
}


def parse_ltl(text: str, atom: AtomReader | None = None, start: Span = Span("<formula>", 1)) -> f.Formula:  # noqa: B008
    """The formula that `text` is. `atom` reads its atoms, by default plain names and quoted text; `start` is where
    the text stands in its file. Raises `InputError` with a position.
    """
    return Parser(text, atom or plain_atom, start).whole()


def plain_atom(text: str, place: Span) -> f.Atom:
    """A name, `true` of nothing but itself. Quoted text has arrived here without its quotes."""
    return f.proposition(text)


class Parser:
    """Precedence climbing over the text; `operand` is where branching time differs."""

    def __init__(self, text: str, atom: AtomReader, start: Span) -> None:
        self.text = text
        self.atom = atom
        self.start = start
        self.at = 0
        self.depth = 0
        self.standalone = atom is plain_atom

    def whole(self) -> f.Formula:
        self._skip()
        if self.at == len(self.text):
            self.fail("the formula is empty")
        formula = self.binary(0)
        if self.at < len(self.text):
            self.fail(f"expected an operator or the end of the formula, found {self._here()}")
        if len(f.atoms(formula)) > MOST_ATOMS:
            self.fail(f"the formula has more than {MOST_ATOMS} atoms")
        return formula

    def binary(self, loosest: int) -> f.Formula:
        """Operands joined by operators that bind tighter than `loosest`."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail(f"the formula is nested more than {DEEPEST} deep")
        left = self.operand()
        while (found := self._operator(_BINARY)) and (level := _LEVEL[found[0]]) > loosest:
            operator, self.at = found
            self._skip()
            if operator in ("&&", "||"):
                parts = [left, self.binary(level)]
                while (more := self._operator(_BINARY)) and more[0] == operator:
                    self.at = more[1]
                    self._skip()
                    parts.append(self.binary(level))
                left = (f.And if operator == "&&" else f.Or)(tuple(parts))
            else:
                left = _NODE[operator](left, self.binary(level - 1))
        self.depth -= 1
        return left

    def operand(self) -> f.Formula:
        prefixes: list[str] = []
        while found := self._operator(_PREFIX):
            prefixes.append(found[0])
            self.at = found[1]
            self._skip()
        if self.depth + len(prefixes) > DEEPEST:
            self.fail(f"the formula is nested more than {DEEPEST} deep")
        self.depth += len(prefixes)
        formula = self.primary()
        self.depth -= len(prefixes)
        for operator in reversed(prefixes):
            formula = _UNARY[operator](formula)
        return formula

    def primary(self) -> f.Formula:
        if self.at == len(self.text):
            self.fail("the formula ends where an operand is expected")
        if self.text[self.at] == "(" and self.is_group(self.at):
            return self.group("(")
        begin = self.at
        if (quoted := _QUOTED.match(self.text, begin)) and self._ends_operand(quoted.end()):
            self.at = quoted.end()
            self._skip()
            return self.atom(re.sub(r"\\(.)", r"\1", quoted[1], flags=re.DOTALL), self.span(begin, self.at))
        end = self._end_of_atom()
        text = self.text[begin:end].rstrip()
        if not text:
            self.fail(f"expected an operand, found {self._here()}")
        if text in ("true", "1", "false", "0"):
            formula: f.Formula = f.TRUE if text in ("true", "1") else f.FALSE
        elif self.standalone and not (name := _NAME.match(text)):
            self.fail(f"expected an operand, found {self._here()}", "atoms are names or text in double quotes")
        elif self.standalone and name and name.end() < len(text):
            self.at = begin + name.end()
            self._skip()
            self.fail(f"expected an operator, found {self._here()}", "atoms are names or text in double quotes")
        else:
            formula = self.atom(text, self.span(begin, begin + len(text)))
        self.at = end
        return formula

    def group(self, bracket: str) -> f.Formula:
        """The formula in the brackets that open here."""
        opening = self.at
        self.at += 1
        self._skip()
        formula = self.binary(0)
        if not self.text.startswith(_BRACKETS[bracket], self.at):
            if self.at < len(self.text):
                self.fail(f"expected an operator or '{_BRACKETS[bracket]}', found {self._here()}")
            self.at = opening
            self.fail(f"this '{bracket}' is never closed")
        self.at += 1
        self._skip()
        return formula

    def fail(self, message: str, hint: str = "") -> NoReturn:
        raise InputError.at(self.span(self.at, self.at + 1), SYNTAX, message, hint)

    def span(self, begin: int, end: int) -> Span:
        """The place in the file of a piece of the text; only its first line if it has several."""
        line = self.text.count("\n", 0, begin)
        column = begin - (self.text.rindex("\n", 0, begin) + 1) + 1 if line else self.start.column + begin
        length = len(self.text[begin:end].split("\n")[0])
        return Span(self.start.file, self.start.line + line, column, max(1, length))

    def _here(self) -> str:
        if self.at == len(self.text):
            return "the end"
        found = _BINARY.match(self.text, self.at) or _NAME.match(self.text, self.at)
        return f"'{found[0] if found else self.text[self.at]}'"

    def _skip(self) -> None:
        space = _SPACE.match(self.text, self.at)
        assert space is not None
        self.at = space.end()

    def _operator(self, pattern: re.Pattern[str]) -> tuple[str, int] | None:
        """The operator here and where it ends."""
        found = pattern.match(self.text, self.at)
        return (_MEANING.get(found[0], found[0]), found.end()) if found else None

    def _ends_operand(self, position: int) -> bool:
        space = _SPACE.match(self.text, position)
        assert space is not None
        rest = space.end()
        return rest == len(self.text) or self.text[rest] in ")]}" or bool(_BINARY.match(self.text, rest))

    def is_group(self, opening: int) -> bool:
        """Whether the bracket that opens there encloses a formula rather than a part of an atom."""
        end = _closing(self.text, opening)
        return end is None or self._ends_operand(end + 1)

    def _end_of_atom(self) -> int:
        """Where the atom that starts here stops: at an operator, a closing bracket or the end."""
        position = self.at
        while position < len(self.text):
            character = self.text[position]
            if character in ")]}":
                break
            if character in _BRACKETS:
                closing = _closing(self.text, position)
                if closing is None:
                    self.at = position
                    self.fail(f"this '{character}' is never closed")
                position = closing + 1
            elif quoted := _QUOTED.match(self.text, position):
                position = quoted.end()
            elif member := _MEMBER.match(self.text, position):
                position = member.end()
            elif _BINARY.match(self.text, position):
                break
            elif name := _NAME.match(self.text, position):
                position = name.end()
            else:
                position += 1
        return position


def _closing(text: str, opening: int) -> int | None:
    """Where the bracket at `opening` is closed; None if it never is, or by one that does not match."""
    expected: list[str] = []
    position = opening
    while position < len(text):
        character = text[position]
        if character == '"' and (quoted := _QUOTED.match(text, position)):
            position = quoted.end()
            continue
        if character in _BRACKETS:
            expected.append(_BRACKETS[character])
        elif character in ")]}":
            if character != expected.pop():
                return None
            if not expected:
                return position
        position += 1
    return None
