"""Watch expressions: read once, evaluated in any state that is shown, whatever language it came from.

They speak of values as the tables show them: `leaders > 1`, `len(link[2]) == 0`, `"idle" == Node(1).phase`,
`(p1, m1) in has`. Operators are those of C, or `and`, `or`, `not`.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import lru_cache

from clew.core.records import record

Value = int | bool | str | tuple["Value", ...] | None
Values = Mapping[str, str]
Evaluate = Callable[[Values], Value]


class WatchError(ValueError):
    """The text is no expression, or speaks of something that is not there; says why."""


class NoValue(Exception):
    """An expression has no value in this state; says why."""


@record
class Expression:
    """An expression over the names of a model."""

    text: str
    evaluate: Evaluate

    def shown(self, values: Values) -> str:
        """Its value in a state, as text; what is wrong if it has none."""
        try:
            return show(self.evaluate(values))
        except NoValue as reason:
            return f"✗ {reason}"


def read_expression(text: str, names: Iterable[str], symbols: Iterable[str] = ()) -> Expression:
    """`names`: of all variables; `symbols`: words that are values, such as those of enumerations. Raises WatchError."""
    return Expression(text.strip(), _Reader(text, names, frozenset(symbols)).whole())


def symbols_in(values: Iterable[str]) -> set[str]:
    """The words that are values or parts of values."""
    return {word for text in values for word in re.findall(r"[A-Za-z_]\w*", text)} - {"true", "false"}


@lru_cache(maxsize=20_000)
def value_of(text: str) -> Value:
    """A shown value: numbers and truth values as such, anything in brackets as the sequence of what is in it."""
    text = text.strip()
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    if text in ("true", "false"):
        return text == "true"
    bracketed = re.fullmatch(r"(?:[A-Za-z_][\w<>]*)?([\[({])(.*)[\])}]", text, re.DOTALL)
    if bracketed:
        return tuple(value_of(part) for part in _parts(bracketed[2]))
    return text.strip('"')


def show(value: Value) -> str:
    match value:
        case None:
            return "·"
        case bool():
            return "true" if value else "false"
        case tuple():
            return f"({', '.join(map(show, value))})"
        case _:
            return str(value)


def _parts(text: str) -> list[str]:
    """Split at the commas that are inside no brackets."""
    parts, depth, begun = [], 0, 0
    for place, character in enumerate(text):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[begun:place])
            begun = place + 1
    parts.append(text[begun:])
    return [part for part in parts if part.strip()]


_TOKEN = re.compile(
    r'\s*(?:(\d+)|("(?:[^"\\]|\\.)*"|\'[^\']*\')|([A-Za-z_]\w*)|(&&|\|\||[=!<>]=|->|[-+*/%<>!()\[\],]))'
)
_WORDS = {"and": "&&", "or": "||", "not": "!"}
_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_DEEPEST = 60


class _Reader:
    """Recursive descent. Names of variables are recognised first and whole: `Node(1).who`, `link[2]`."""

    def __init__(self, text: str, names: Iterable[str], symbols: frozenset[str]) -> None:
        self.text = text
        self.names = sorted(names, key=len, reverse=True)
        self.stems = {re.split(r"[\[.(]", name)[0] for name in self.names}
        self.symbols = symbols
        self.place = 0
        self.depth = 0
        self.kind, self.word = "", ""
        self._next()

    def whole(self) -> Evaluate:
        if self.kind == "end":
            raise WatchError("nothing to evaluate")
        found = self._implies()
        if self.kind != "end":
            raise WatchError(f"did not expect '{self.word}'")
        return found

    def _next(self) -> None:
        start = re.compile(r"\s*").match(self.text, self.place)
        assert start is not None
        begin = start.end()
        if begin >= len(self.text):
            self.kind, self.word, self.place = "end", "the end", begin
            return
        for name in self.names:
            if self.text.startswith(name, begin):
                after = self.text[begin + len(name) : begin + len(name) + 1]
                if not (name[-1].isalnum() and (after.isalnum() or after == "_")):
                    self.kind, self.word, self.place = "variable", name, begin + len(name)
                    return
        token = _TOKEN.match(self.text, self.place)
        if token is None:
            raise WatchError(f"did not expect '{self.text[begin]}'")
        self.place = token.end()
        for kind, word in zip(("number", "quoted", "name", "operator"), token.groups(), strict=True):
            if word is not None:
                self.kind, self.word = kind, word
        if self.kind == "name" and self.word in _WORDS:
            self.kind, self.word = "operator", _WORDS[self.word]

    def _takes(self, *words: str) -> str | None:
        if (self.kind == "operator" and self.word in words) or (
            (self.kind, self.word) == ("name", "in") and "in" in words
        ):
            found = self.word
            self._next()
            return found
        return None

    def _expect(self, word: str) -> None:
        if self._takes(word) is None:
            raise WatchError(f"expected '{word}' before {self.word}")

    def _implies(self) -> Evaluate:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise WatchError("too deeply nested")
        left = self._joined("||", lambda: self._joined("&&", self._compared))
        if self._takes("->"):
            right = self._implies()
            return self._leave(lambda v: not _truth(left(v)) or _truth(right(v)))
        return self._leave(left)

    def _leave(self, found: Evaluate) -> Evaluate:
        self.depth -= 1
        return found

    def _joined(self, word: str, part: Callable[[], Evaluate]) -> Evaluate:
        parts = [part()]
        while self._takes(word):
            parts.append(part())
        if len(parts) == 1:
            return parts[0]
        decide = any if word == "||" else all
        return lambda v: decide(_truth(one(v)) for one in parts)

    def _compared(self) -> Evaluate:
        left = self._sum()
        word = self._takes("==", "!=", "<", "<=", ">", ">=", "in")
        if word is None:
            return left
        right = self._sum()
        if word == "in":
            return lambda v: left(v) in _items(right(v))
        if word in ("==", "!="):
            return lambda v: (left(v) == right(v)) == (word == "==")
        compare = _COMPARE[word]
        return lambda v: compare(_number(left(v)), _number(right(v)))

    def _sum(self) -> Evaluate:
        left = self._product()
        while word := self._takes("+", "-"):
            left = _arithmetic(word, left, self._product())
        return left

    def _product(self) -> Evaluate:
        left = self._unary()
        while word := self._takes("*", "/", "%"):
            left = _arithmetic(word, left, self._unary())
        return left

    def _unary(self) -> Evaluate:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise WatchError("too deeply nested")
        if self._takes("!"):
            operand = self._unary()
            return self._leave(lambda v: not _truth(operand(v)))
        if self._takes("-"):
            operand = self._unary()
            return self._leave(lambda v: -_number(operand(v)))
        return self._leave(self._indexed())

    def _indexed(self) -> Evaluate:
        found = self._primary()
        while self._takes("["):
            found = _element(found, self._implies())
            self._expect("]")
        return found

    def _primary(self) -> Evaluate:
        kind, word = self.kind, self.word
        if kind == "end":
            raise WatchError("the expression stops in the middle")
        self._next()
        match kind:
            case "number":
                number = int(word)
                return lambda v: number
            case "quoted":
                inside = word[1:-1]
                return lambda v: inside
            case "variable":
                return lambda v: _value(v, word)
            case "name":
                return self._word(word)
            case _ if word == "(":
                return self._in_parentheses()
        raise WatchError(f"did not expect '{word}'")

    def _in_parentheses(self) -> Evaluate:
        items = [self._implies()]
        while self._takes(","):
            items.append(self._implies())
        self._expect(")")
        return items[0] if len(items) == 1 else lambda v: tuple(item(v) for item in items)

    def _word(self, word: str) -> Evaluate:
        if word in ("true", "false"):
            return lambda v: word == "true"
        if word == "len" and self._takes("("):
            inner = self._implies()
            self._expect(")")
            return lambda v: len(_items(inner(v)))
        if word in self.symbols and word not in self.stems:
            return lambda v: word
        close = get_close_matches(word, [*self.names, *self.symbols], n=1)
        raise WatchError(f"no variable '{word}'" + (f"; did you mean {close[0]}?" if close else ""))


def _value(values: Values, name: str) -> Value:
    text = values.get(name)
    return None if text is None else value_of(text)


def _element(sequence: Evaluate, index: Evaluate) -> Evaluate:
    def element(values: Values) -> Value:
        items, place = _items(sequence(values)), _number(index(values))
        if not 0 <= place < len(items):
            raise NoValue(f"there is no element {place}")
        return items[place]

    return element


def _arithmetic(word: str, left: Evaluate, right: Evaluate) -> Evaluate:
    def result(values: Values) -> Value:
        a, b = _number(left(values)), _number(right(values))
        match word:
            case "+":
                return a + b
            case "-":
                return a - b
            case "*":
                return a * b
        if b == 0:
            raise NoValue("division by zero")
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)  # rounds towards zero, as in C
        return quotient if word == "/" else a - b * quotient

    return result


def _truth(value: Value) -> bool:
    if isinstance(value, int):
        return value != 0
    raise NoValue("does not exist here" if value is None else f"'{show(value)}' is neither true nor false")


def _number(value: Value) -> int:
    if isinstance(value, int):
        return int(value)
    raise NoValue("does not exist here" if value is None else f"'{show(value)}' is not a number")


def _items(value: Value) -> tuple[Value, ...]:
    if isinstance(value, tuple):
        return value
    raise NoValue("does not exist here" if value is None else f"'{show(value)}' has no elements")
