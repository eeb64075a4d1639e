"""Integers as sequences of Booleans: two's complement, lowest bit first, the last bit is the sign.

Words are as short as their values allow; results are those of 32-bit C arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

B = TypeVar("B")
Word = tuple[B, ...]
WIDTH = 32


class Booleans(Protocol[B]):
    """`same`: cheap; may say no for two forms of one function. Constants are recognised by it."""

    @property
    def true(self) -> B: ...
    @property
    def false(self) -> B: ...
    def both(self, a: B, b: B, /) -> B: ...
    def either(self, a: B, b: B, /) -> B: ...
    def negated(self, a: B, /) -> B: ...
    def differ(self, a: B, b: B, /) -> B: ...
    def chosen(self, test: B, then: B, other: B, /) -> B: ...
    def same(self, a: B, b: B, /) -> bool: ...


class Words(Generic[B]):
    """Arithmetic over one algebra."""

    def __init__(self, algebra: Booleans[B]) -> None:
        self.algebra = algebra
        self._constants: dict[int, Word[B]] = {}
        self.zero: Word[B] = (algebra.false,)

    # --- making and cutting

    def constant(self, value: int) -> Word[B]:
        if value not in self._constants:
            width = (value if value >= 0 else ~value).bit_length() + 1
            self._constants[value] = tuple(
                self.algebra.true if value >> n & 1 else self.algebra.false for n in range(width)
            )
        return self._constants[value]

    def truth(self, condition: B) -> Word[B]:
        """1 or 0."""
        return self.short((condition, self.algebra.false))

    def known(self, word: Word[B]) -> int | None:
        """The value of a constant."""
        algebra, value = self.algebra, 0
        for place, bit in enumerate(word):
            if algebra.same(bit, algebra.true):
                value |= 1 << place
            elif not algebra.same(bit, algebra.false):
                return None
        return value - (1 << len(word)) if value >> (len(word) - 1) else value

    def short(self, word: Word[B]) -> Word[B]:
        """Without repeated signs, and cut to 32 bits."""
        word = word[:WIDTH]
        end = len(word)
        while end > 1 and self.algebra.same(word[end - 1], word[end - 2]):
            end -= 1
        return word[:end]

    def cut(self, word: Word[B], bits: int, signed: bool) -> Word[B]:
        """As stored in `bits` bits."""
        stored = self.wide(word, bits)[:bits]
        return self.short(stored if signed else (*stored, self.algebra.false))

    def wide(self, word: Word[B], width: int) -> Word[B]:
        return word + (word[-1],) * (width - len(word))

    # --- conditions

    def nonzero(self, word: Word[B]) -> B:
        found = self.algebra.false
        for bit in word:
            found = self.algebra.either(found, bit)
        return found

    def equal(self, a: Word[B], b: Word[B]) -> B:
        algebra = self.algebra
        width = max(len(a), len(b))
        result = algebra.true
        for x, y in zip(self.wide(a, width), self.wide(b, width), strict=True):
            result = algebra.both(result, algebra.negated(algebra.differ(x, y)))
            if algebra.same(result, algebra.false):
                break
        return result

    def less(self, a: Word[B], b: Word[B]) -> B:
        width = max(len(a), len(b)) + 1
        return self._sum(self.wide(a, width), tuple(map(self.algebra.negated, self.wide(b, width))), True)[-1]

    # --- arithmetic

    def _sum(self, a: Word[B], b: Word[B], carry: bool) -> Word[B]:
        """Of words of one width, in that width."""
        algebra, result = self.algebra, []
        carried = algebra.true if carry else algebra.false
        for x, y in zip(a, b, strict=True):
            half = algebra.differ(x, y)
            result.append(algebra.differ(half, carried))
            carried = algebra.either(algebra.both(x, y), algebra.both(half, carried))
        return tuple(result)

    def add(self, a: Word[B], b: Word[B]) -> Word[B]:
        width = max(len(a), len(b)) + 1
        return self.short(self._sum(self.wide(a, width), self.wide(b, width), False))

    def subtract(self, a: Word[B], b: Word[B]) -> Word[B]:
        width = max(len(a), len(b)) + 1
        return self.short(self._sum(self.wide(a, width), tuple(map(self.algebra.negated, self.wide(b, width))), True))

    def negative(self, a: Word[B]) -> Word[B]:
        return self.subtract(self.zero, a)

    def multiply(self, a: Word[B], b: Word[B]) -> Word[B]:
        algebra = self.algebra
        width = min(WIDTH, len(a) + len(b))
        total: Word[B] = (algebra.false,) * width
        shifted = self.wide(a, width)[:width]
        for place, bit in enumerate(self.wide(b, width)[:width]):
            if not algebra.same(bit, algebra.false):
                row = (algebra.false,) * place + shifted[: width - place]
                total = self._sum(total, tuple(algebra.both(bit, x) for x in row), False)
        return self.short(total)

    def divide(self, a: Word[B], b: Word[B]) -> tuple[Word[B], Word[B]]:
        """Quotient and remainder, rounded towards 0; 0 where b is 0."""
        algebra = self.algebra
        width = max(len(a), len(b)) + 1
        x, y = self._magnitude(a, width), self._magnitude(b, width)
        rest: Word[B] = (algebra.false,) * width
        quotient: list[B] = []
        for bit in reversed(x):
            rest = (bit, *rest[:-1])
            reduced = self._sum((*rest, algebra.false), tuple(map(algebra.negated, (*y, algebra.false))), True)
            fits = algebra.negated(reduced[-1])
            quotient.append(fits)
            rest = tuple(algebra.chosen(fits, r, old) for r, old in zip(reduced, rest, strict=False))
        signs = algebra.differ(a[-1], b[-1])
        sure = self.nonzero(b)
        positive = self.short((*reversed(quotient), algebra.false))
        left = self.short((*rest, algebra.false))
        return (
            self.choose(sure, self.choose(signs, self.negative(positive), positive), self.zero),
            self.choose(sure, self.choose(a[-1], self.negative(left), left), self.zero),
        )

    def _magnitude(self, a: Word[B], width: int) -> Word[B]:
        algebra, whole = self.algebra, self.wide(a, width)
        opposite = self._sum((algebra.false,) * width, tuple(map(algebra.negated, whole)), True)
        return tuple(algebra.chosen(a[-1], x, y) for x, y in zip(opposite, whole, strict=True))

    # --- bits

    def bitwise(self, op: str, a: Word[B], b: Word[B]) -> Word[B]:
        algebra = self.algebra
        apply = {"&": algebra.both, "|": algebra.either, "^": algebra.differ}[op]
        width = max(len(a), len(b))
        return self.short(tuple(map(apply, self.wide(a, width), self.wide(b, width))))

    def inverted(self, a: Word[B]) -> Word[B]:
        return tuple(map(self.algebra.negated, a))

    def shift(self, op: str, a: Word[B], amount: Word[B]) -> Word[B]:
        """The amount counts modulo 32."""
        for place, bit in enumerate(self.wide(amount, 5)[:5]):
            if self.algebra.same(bit, self.algebra.false):
                continue
            distance = 1 << place
            if op == "<<":
                moved = self.short((self.algebra.false,) * distance + a)
            else:
                moved = self.short(self.wide(a, distance + 1)[distance:])
            a = self.choose(bit, moved, a)
        return a

    def choose(self, test: B, then: Word[B], other: Word[B]) -> Word[B]:
        if then is other:
            return then
        width = max(len(then), len(other))
        pairs: Sequence[tuple[B, B]] = list(zip(self.wide(then, width), self.wide(other, width), strict=True))
        return self.short(tuple(self.algebra.chosen(test, x, y) for x, y in pairs))
