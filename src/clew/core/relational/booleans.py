"""The abstract Boolean builder that relational expressions are compiled to: decision diagrams, formulas for a SAT or
SMT solver, or text are all possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, Protocol, TypeVar

B = TypeVar("B")


class Builder(Protocol[B]):
    """Boolean functions. `is_true` and `is_false` may answer no when they cannot tell."""

    @property
    def true(self) -> B: ...
    @property
    def false(self) -> B: ...
    def not_(self, a: B) -> B: ...
    def and_(self, a: B, b: B) -> B: ...
    def or_(self, a: B, b: B) -> B: ...
    def iff(self, a: B, b: B) -> B: ...
    def ite(self, test: B, a: B, b: B) -> B: ...
    def is_true(self, a: B) -> bool: ...
    def is_false(self, a: B) -> bool: ...


Bits = tuple[B, ...]


class Circuits(Generic[B]):
    """Numbers as bits, least first, and counting. Shorter numbers are filled up with zeros."""

    def __init__(self, builder: Builder[B]) -> None:
        self.b = builder

    def constant(self, value: int, bits: int) -> tuple[B, ...]:
        return tuple(self.b.true if value >> k & 1 else self.b.false for k in range(bits))

    def widened(self, number: Sequence[B], bits: int) -> tuple[B, ...]:
        """Filled up, or cut off."""
        return (*number[:bits], *(self.b.false for _ in range(bits - len(number))))

    def all_(self, items: Iterable[B]) -> B:
        found = self.b.true
        for item in items:
            found = self.b.and_(found, item)
            if self.b.is_false(found):
                break
        return found

    def any_(self, items: Iterable[B]) -> B:
        found = self.b.false
        for item in items:
            found = self.b.or_(found, item)
            if self.b.is_true(found):
                break
        return found

    def implies(self, a: B, b: B) -> B:
        return self.b.or_(self.b.not_(a), b)

    def equal(self, a: Sequence[B], b: Sequence[B]) -> B:
        width = max(len(a), len(b))
        return self.all_(map(self.b.iff, self.widened(a, width), self.widened(b, width)))

    def equals(self, number: Sequence[B], value: int) -> B:
        return self.equal(number, self.constant(value, max(len(number), value.bit_length())))

    def less(self, a: Sequence[B], b: Sequence[B], signed: bool = False) -> B:
        """Whether a < b; signed: in two's complement of the wider width."""
        width = max(len(a), len(b))
        found = self.b.false
        pairs = list(zip(self.widened(a, width), self.widened(b, width), strict=True))
        for place, (p, q) in enumerate(pairs):
            if signed and place == width - 1:
                p, q = q, p
            found = self.b.ite(self.b.iff(p, q), found, q)
        return found

    def add(self, a: Sequence[B], b: Sequence[B], carry: B | None = None) -> tuple[B, ...]:
        """Two numbers of one width; what does not fit is lost."""
        found = []
        carry = self.b.false if carry is None else carry
        for p, q in zip(a, b, strict=True):
            differ = self.b.not_(self.b.iff(p, q))
            found.append(self.b.not_(self.b.iff(differ, carry)))
            carry = self.b.ite(differ, carry, p)
        return tuple(found)

    def negated(self, a: Sequence[B]) -> tuple[B, ...]:
        return self.add(self.constant(0, len(a)), [self.b.not_(p) for p in a], self.b.true)

    def subtract(self, a: Sequence[B], b: Sequence[B]) -> tuple[B, ...]:
        return self.add(a, [self.b.not_(p) for p in b], self.b.true)

    def multiply(self, a: Sequence[B], b: Sequence[B]) -> tuple[B, ...]:
        width = len(a)
        found = self.constant(0, width)
        for shift, digit in enumerate(b):
            row = [self.b.and_(digit, p) for p in a[: width - shift]]
            found = self.add(found, (*self.constant(0, shift), *row))
        return found

    def divide(self, a: Sequence[B], b: Sequence[B], signed: bool) -> tuple[B, ...]:
        """Towards zero; 0 where the divisor is 0."""
        width = len(a)
        if signed:
            negative = self.b.not_(self.b.iff(a[-1], b[-1]))
            found = self._divide(self._magnitude(a), self._magnitude(b))
            found = self.choose(negative, self.negated(found), found)
        else:
            found = self._divide(a, b)
        zero = self.equals(b, 0)
        return self.choose(zero, self.constant(0, width), found)

    def _magnitude(self, a: Sequence[B]) -> tuple[B, ...]:
        return self.choose(a[-1], self.negated(a), a)

    def _divide(self, a: Sequence[B], b: Sequence[B]) -> tuple[B, ...]:
        width = len(a)
        rest = self.constant(0, width + 1)
        wide = self.widened(b, width + 1)
        found: list[B] = []
        for digit in reversed(a):
            rest = (digit, *rest[:-1])
            fits = self.b.not_(self.less(rest, wide))
            rest = self.choose(fits, self.subtract(rest, wide), rest)
            found.append(fits)
        return tuple(reversed(found))

    def choose(self, test: B, a: Sequence[B], b: Sequence[B]) -> tuple[B, ...]:
        return tuple(self.b.ite(test, p, q) for p, q in zip(a, b, strict=True))

    def how_many(self, items: Iterable[B]) -> tuple[B, B]:
        """Whether at least one, and whether at least two of them are true."""
        one, two = self.b.false, self.b.false
        for item in items:
            two = self.b.or_(two, self.b.and_(one, item))
            one = self.b.or_(one, item)
        return one, two

    def count(self, test: str, items: Iterable[B]) -> B:
        """`some`, `no`, `one` or `lone` of them."""
        one, two = self.how_many(items)
        match test:
            case "some":
                return one
            case "no":
                return self.b.not_(one)
            case "one":
                return self.b.and_(one, self.b.not_(two))
            case "lone":
                return self.b.not_(two)
        raise ValueError(test)
