"""Words of bits compute what 32-bit C integers do; here the bits are plain Booleans."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from clew.core.bitwise.words import Word, Words
from clew.core.interpreter.evaluate import OPERATIONS, wrapped
from clew.core.types import BYTE, SHORT, Int, wrap


class Plain:
    """The algebra of two values."""

    true, false = True, False

    def both(self, a: bool, b: bool) -> bool:
        return a and b

    def either(self, a: bool, b: bool) -> bool:
        return a or b

    def negated(self, a: bool) -> bool:
        return not a

    def differ(self, a: bool, b: bool) -> bool:
        return a != b

    def chosen(self, test: bool, then: bool, other: bool) -> bool:
        return then if test else other

    def same(self, a: bool, b: bool) -> bool:
        return a == b


WORDS = Words(Plain())
INTS = st.one_of(st.integers(-20, 20), st.integers(-(1 << 31), (1 << 31) - 1))


def value(word: Word[bool]) -> int:
    known = WORDS.known(word)
    assert known is not None
    return known


@given(INTS, INTS)
def test_arithmetic(a: int, b: int) -> None:
    x, y = WORDS.constant(a), WORDS.constant(b)
    assert value(WORDS.add(x, y)) == OPERATIONS["+"](a, b)
    assert value(WORDS.subtract(x, y)) == OPERATIONS["-"](a, b)
    assert value(WORDS.multiply(x, y)) == OPERATIONS["*"](a, b)
    assert value(WORDS.negative(x)) == wrapped(-a)
    assert value(WORDS.inverted(x)) == ~a
    for op in "&|^":
        assert value(WORDS.bitwise(op, x, y)) == OPERATIONS[op](a, b)
    for op in ("<<", ">>"):
        assert value(WORDS.shift(op, x, y)) == OPERATIONS[op](a, b)
    assert WORDS.equal(x, y) == (a == b)
    assert WORDS.less(x, y) == (a < b)


@given(INTS, INTS)
def test_division_rounds_towards_zero_and_by_zero_is_zero(a: int, b: int) -> None:
    quotient, rest = WORDS.divide(WORDS.constant(a), WORDS.constant(b))
    assert value(quotient) == (OPERATIONS["/"](a, b) if b else 0)
    assert value(rest) == (OPERATIONS["%"](a, b) if b else 0)


@given(INTS, st.sampled_from([BYTE, SHORT, Int("three", 3), Int("five", 5, signed=True)]))
def test_storing_cuts(a: int, type_: Int) -> None:
    assert value(WORDS.cut(WORDS.constant(a), type_.bits, type_.signed)) == wrap(type_, a)
