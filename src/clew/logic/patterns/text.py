"""Properties as text: `absence of P between L and R`, `T precedes P, after L until R`."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Final, NoReturn

from clew.core.diagnostics import InputError, Span
from clew.logic import formulas as f
from clew.logic.parse import AtomReader, Parser, plain_atom
from clew.logic.patterns.catalogue import DIALECTS, NotInDialect, formula
from clew.logic.patterns.construct import Unclear
from clew.logic.patterns.properties import NESTED, Class, Composite, Operand, Pattern, Property, Reading, Scope

SYNTAX: Final = "property-syntax"
EXAMPLES: Final = "absence of P between L and R; T precedes P, after L until R; T responds to P globally"
MOST_PARTS: Final = 8

_KEYWORD = re.compile(
    r"(?<![\w.@$])(absence|existence|universality|of|strictly[\s-]+precedes|precedes|responds[\s-]+to"
    r"|globally|before|after|between|and|until)(?![\w$])|,"
)
_ONE: Final = {"absence": Pattern.ABSENCE, "existence": Pattern.EXISTENCE, "universality": Pattern.UNIVERSALITY}
_TWO: Final = {
    "precedes": Pattern.PRECEDENCE,
    "strictly precedes": Pattern.STRICT_PRECEDENCE,
    "responds to": Pattern.RESPONSE,
}
_COMPOSITE = re.compile(rf"({'|'.join(c.value for c in Class)})\s*\(")
_ALMOST_COMPOSITE = re.compile(r"((?:AtLeastOne|Parallel|Consecutive|Eventual)[A-Z]?)\s*\(", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_OPERATOR = re.compile(r"[^\w\s]")
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}


def pattern_formula(
    text: str,
    dialect: str = "ours",
    parse_atom: AtomReader | None = None,
    reading: Reading = NESTED,
    start: Span = Span("<property>", 1),  # noqa: B008
) -> f.Formula:
    """The formula of a property in words. `parse_atom` reads the atoms of its propositions, by default plain names;
    `start` is where the text stands. Raises `InputError` with a position.
    """
    prop = parse_property(text, parse_atom, start)
    if dialect not in DIALECTS:
        raise InputError.at(start, "unknown-dialect", f"unknown dialect '{dialect}'", f"one of {', '.join(DIALECTS)}")
    try:
        return formula(dialect, prop, reading)
    except NotInDialect as error:
        raise InputError.at(start, "not-in-dialect", str(error), "dialect ours has a formula for it") from None
    except Unclear as error:
        raise InputError.at(start, "unclear-property", str(error)) from None


def parse_property(text: str, parse_atom: AtomReader | None = None, start: Span = Span("<property>", 1)) -> Property:  # noqa: B008
    """The property that the text is. Raises `InputError` with a position."""
    return _Reader(text, parse_atom or plain_atom, start).whole()


def parse_propositions(
    text: str,
    parse_atom: AtomReader | None = None,
    start: Span = Span("<propositions>", 1),  # noqa: B008
) -> list[f.Formula]:
    """Conditions with commas in between. Raises `InputError` with a position."""
    return _Reader(text, parse_atom or plain_atom, start).conditions()


def any_condition(text: str, place: Span) -> f.Atom:
    """A condition on a model that is not at hand: a name, or anything with an operator in it."""
    if _NAME.fullmatch(text) or _OPERATOR.search(text):
        return f.proposition(text)
    raise InputError.at(place, SYNTAX, f"'{text}' is no condition", f"for example: {EXAMPLES}")


class _Reader:
    """Keywords outside brackets and quotes cut the text into operands."""

    def __init__(self, text: str, atom: AtomReader, start: Span) -> None:
        self.text = text
        self.atom = atom
        self.parser = Parser(text, atom, start)
        self.tokens = self._cut()  # keyword or "" for an operand, begin, end
        self.next = 0

    def conditions(self) -> list[f.Formula]:
        cuts = [-1, *self._commas(0, len(self.text)), len(self.text)]
        return [self._condition(a + 1, b) for a, b in pairwise(cuts)]

    def whole(self) -> Property:
        operands: dict[str, Operand] = {}
        keyword = self.peek()
        if keyword in _ONE:
            pattern = _ONE[keyword]
            self.next += 1
            self.skip("of")
            operands["P"] = self.operand(f"what the {keyword} is about")
        else:
            operands["T"] = self.operand("a pattern or a proposition")
            keyword = self.peek()
            if keyword not in _TWO:
                self.fail("expected 'precedes', 'strictly precedes' or 'responds to'")
            pattern = _TWO[keyword]
            self.next += 1
            operands["P"] = self.operand(f"what it {keyword}")
        self.skip(",")
        scope = self.scope(operands)
        if self.peek() is not None:
            self.fail("expected the end of the property")
        return Property(pattern, scope, tuple((role, operands[role]) for role in "PTLR" if role in operands))

    def scope(self, operands: dict[str, Operand]) -> Scope:
        keyword = self.peek()
        if keyword is None:
            return Scope.GLOBAL
        self.next += 1
        match keyword:
            case "globally":
                return Scope.GLOBAL
            case "before":
                operands["R"] = self.operand("what closes the scope")
                return Scope.BEFORE
            case "after":
                operands["L"] = self.operand("what opens the scope")
                if not self.skip("until"):
                    return Scope.AFTER
                operands["R"] = self.operand("what closes the scope")
                return Scope.AFTER_UNTIL
            case "between":
                operands["L"] = self.operand("what opens the scope")
                if not self.skip("and"):
                    self.fail("expected 'and'")
                operands["R"] = self.operand("what closes the scope")
                return Scope.BETWEEN
        self.next -= 1
        self.fail("expected a scope: globally, before R, after L, between L and R, or after L until R")

    def peek(self) -> str | None:
        return self.tokens[self.next][0] if self.next < len(self.tokens) else None

    def skip(self, keyword: str) -> bool:
        found = self.peek() == keyword
        self.next += found
        return found

    def operand(self, what: str) -> Operand:
        if self.peek() != "":
            self.fail(f"expected {what}")
        _, begin, end = self.tokens[self.next]
        self.next += 1
        return self._operand(begin, end)

    def _operand(self, begin: int, end: int) -> Operand:
        begin, end = self._trim(begin, end)
        if composite := _COMPOSITE.match(self.text, begin, end):
            if self._closes(composite.end() - 1, end) == end - 1:
                return self._composite(Class(composite[1]), begin, composite.end(), end - 1)
        elif (almost := _ALMOST_COMPOSITE.match(self.text, begin, end)) and "," in self.text[begin:end]:
            kinds = ", ".join(c.value for c in Class)
            self.fail_at(begin, almost.end(1), f"unknown class '{almost[1]}'", f"classes: {kinds}")
        return self._condition(begin, end)

    def _composite(self, kind: Class, begin: int, inner: int, closing: int) -> Composite:
        cuts = [inner - 1, *self._commas(inner, closing), closing]
        if len(cuts) - 1 > MOST_PARTS:
            self.fail_at(begin, closing + 1, f"a composite proposition has at most {MOST_PARTS} parts")
        return Composite(kind, tuple(self._condition(a + 1, b) for a, b in pairwise(cuts)))

    def _condition(self, begin: int, end: int) -> f.Formula:
        begin, end = self._trim(begin, end)
        if begin == end:
            self.fail_at(begin, begin + 1, "expected a proposition")
        while self.text[begin] == "(" and self._closes(begin, end) == end - 1:
            inner = self._trim(begin + 1, end - 1)
            if not _NAME.fullmatch(self.text, *inner):
                break
            begin, end = inner
        piece = self.text[begin:end]
        if _NAME.fullmatch(piece) and piece not in ("true", "false"):
            return self.atom(piece, self.parser.span(begin, end))
        found = Parser(piece, self.atom, self.parser.span(begin, end)).whole()
        if not f.is_boolean(found):
            hint = "composite propositions such as ConsecutiveC(p, q) speak about several states"
            self.fail_at(begin, end, "a proposition is a condition on one state, without temporal operators", hint)
        return found

    def _cut(self) -> list[tuple[str, int, int]]:
        tokens: list[tuple[str, int, int]] = []
        begin = 0

        def operand(until: int) -> None:
            if self.text[begin:until].strip():
                tokens.append(("", begin, until))

        for at in self._outside(0, len(self.text)):
            if at >= begin and (found := _KEYWORD.match(self.text, at)):
                operand(at)
                tokens.append((re.sub(r"[\s-]+", " ", found[0]), at, found.end()))
                begin = found.end()
        operand(len(self.text))
        return tokens

    def _outside(self, begin: int, end: int) -> list[int]:
        """The positions outside brackets and quotes. Raises if a bracket is never closed."""
        found: list[int] = []
        expected: list[tuple[str, int]] = []
        at = begin
        while at < end:
            character = self.text[at]
            if character == '"':
                quote = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL).match(self.text, at, end)
                if not quote:
                    self.fail_at(at, at + 1, "this quote is never closed")
                at = quote.end()
                continue
            if character in _CLOSING:
                expected.append((_CLOSING[character], at))
            elif character in ")]}":
                if not expected or expected.pop()[0] != character:
                    self.fail_at(at, at + 1, f"this '{character}' closes nothing")
            elif not expected:
                found.append(at)
            at += 1
        if expected:
            place = expected[-1][1]
            self.fail_at(place, place + 1, f"this '{self.text[place]}' is never closed")
        return found

    def _commas(self, begin: int, end: int) -> list[int]:
        return [at for at in self._outside(begin, end) if self.text[at] == ","]

    def _closes(self, opening: int, end: int) -> int:
        """Where the bracket at `opening` closes."""
        outside = self._outside(opening, end)
        return min(outside, default=end) - 1

    def _trim(self, begin: int, end: int) -> tuple[int, int]:
        while begin < end and self.text[begin].isspace():
            begin += 1
        while begin < end and self.text[end - 1].isspace():
            end -= 1
        return begin, end

    def fail(self, message: str) -> NoReturn:
        if self.next < len(self.tokens):
            _, begin, end = self.tokens[self.next]
            begin, end = self._trim(begin, end)
            self.fail_at(begin, end, f"{message}, found '{self.text[begin:end]}'", f"for example: {EXAMPLES}")
        end = len(self.text.rstrip())
        self.fail_at(end, end + 1, f"{message}, found the end", f"for example: {EXAMPLES}")

    def fail_at(self, begin: int, end: int, message: str, hint: str = "") -> NoReturn:
        raise InputError.at(self.parser.span(begin, end), SYNTAX, message, hint)


def words(prop: Property, show: Callable[[f.Formula], str] = str) -> str:
    """The property in the words that `parse_property` reads."""

    def said(role: str) -> str:
        operand = prop.operand(role)
        if isinstance(operand, Composite):
            return f"{operand.kind.value}({', '.join(map(show, operand.parts))})"
        if isinstance(operand, f.Atom):
            return operand.text if _NAME.fullmatch(operand.text) else show(operand)
        return f"({show(operand)})"

    match prop.pattern:
        case Pattern.ABSENCE | Pattern.EXISTENCE | Pattern.UNIVERSALITY:
            pattern = f"{prop.pattern.value} of {said('P')}"
        case Pattern.RESPONSE:
            pattern = f"{said('T')} responds to {said('P')}"
        case _:
            verb = "strictly precedes" if prop.pattern is Pattern.STRICT_PRECEDENCE else "precedes"
            pattern = f"{said('T')} {verb} {said('P')}"
    match prop.scope:
        case Scope.GLOBAL:
            return f"{pattern} globally"
        case Scope.BEFORE:
            return f"{pattern} before {said('R')}"
        case Scope.AFTER:
            return f"{pattern} after {said('L')}"
        case Scope.BETWEEN:
            return f"{pattern} between {said('L')} and {said('R')}"
        case Scope.AFTER_UNTIL:
            return f"{pattern} after {said('L')} until {said('R')}"
