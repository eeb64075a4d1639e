"""The constant expressions of `#if` and `#elif`: 64-bit integers, C operators, unknown names are 0."""

from __future__ import annotations

from collections.abc import Callable

from clew.core.diagnostics import InputError, Span
from clew.frontends.promela.lexer import BAD, CONST, NUMBER, STRING, Token

CODE = "promela-preprocessor"
_LEVELS = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
    "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip
_ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11}


def evaluate(tokens: list[Token], where: Span) -> bool:
    """Truth of the expression; `defined` has been replaced and macros expanded. Raises InputError."""
    if not tokens:
        raise InputError.at(where, CODE, "#if with no expression")
    reader = _Reader(tokens, where)
    value = reader.conditional(True)
    if reader.position < len(reader.tokens):
        raise reader.error(f"unexpected '{reader.tokens[reader.position].text}' in #if expression")
    return value != 0


class _Reader:
    """Recursive descent; `live` is False in a part that is not evaluated (division by zero is no error there)."""

    def __init__(self, tokens: list[Token], where: Span) -> None:
        self.tokens = tokens
        self.where = where
        self.position = 0

    def error(self, message: str) -> InputError:
        return InputError.at(self.where, CODE, message)

    def kind(self) -> str:
        return self.tokens[self.position].kind if self.position < len(self.tokens) else ""

    def take(self, kind: str) -> None:
        if self.kind() != kind:
            raise self.error(f"expected '{kind}' in #if expression")
        self.position += 1

    def conditional(self, live: bool) -> int:
        test = self.binary(0, live)
        if self.kind() != "?":
            return test
        self.position += 1
        then = self.conditional(live and test != 0)
        self.take(":")
        other = self.conditional(live and test == 0)
        return then if test else other

    def binary(self, lowest: int, live: bool) -> int:
        left = self.unary(live)
        while True:
            op = self.kind()
            level = _LEVELS.get(op, 0)
            if level <= lowest:
                return left
            self.position += 1
            needed = live and not (op == "&&" and not left) and not (op == "||" and left)
            right = self.binary(level, needed)
            if op in "/%" and right == 0:
                if needed:
                    raise self.error("division by zero in #if")
                left = 0
            else:
                left = _wrapped(_OPERATIONS[op](left, right))

    def unary(self, live: bool) -> int:
        kind = self.kind()
        if not kind:
            raise self.error("#if expression ends too early")
        token = self.tokens[self.position]
        self.position += 1
        if kind == "!":
            return int(not self.unary(live))
        if kind == "!!":
            return int(bool(self.unary(live)))
        if kind == "-":
            return _wrapped(-self.unary(live))
        if kind == "+":
            return self.unary(live)
        if kind == "~":
            return ~self.unary(live)
        if kind == "(":
            value = self.conditional(live)
            self.take(")")
            return value
        if kind in (CONST, NUMBER):
            return self.number(token.text)
        if kind in (STRING, BAD) or not (token.text[0].isalpha() or token.text[0] == "_"):
            raise self.error(f"'{token.text}' is not valid in a #if expression")
        return 0

    def number(self, text: str) -> int:
        if text[0] == "'":
            inner = text[1:-1]
            if inner[0] == "\\" and inner[1] in "01234567":
                return int("".join(c for c in inner[1:4] if c in "01234567"), 8)
            return _ESCAPES[inner[1]] if inner[0] == "\\" and inner[1] in _ESCAPES else ord(inner[-1])
        digits = text.rstrip("uUlL")
        if len(digits) > 80:
            raise self.error(f"'{text[:20]}…' is too large")
        try:
            if digits[:2] in ("0x", "0X"):
                return _wrapped(int(digits, 16))
            if digits[:2] in ("0b", "0B"):
                return _wrapped(int(digits, 2))
            return _wrapped(int(digits, 8 if digits.startswith("0") and len(digits) > 1 else 10))
        except ValueError:
            raise self.error(f"'{text}' is not an integer") from None


def _wrapped(value: int) -> int:
    return (value + 2**63) % 2**64 - 2**63


def _quotient(left: int, right: int) -> int:
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "||": lambda a, b: int(a != 0 or b != 0),
    "&&": lambda a, b: int(a != 0 and b != 0),
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "&": lambda a, b: a & b,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
    "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b),
    "<<": lambda a, b: a << (b & 63),
    ">>": lambda a, b: a >> (b & 63),
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _quotient,
    "%": lambda a, b: a - b * _quotient(a, b),
}
