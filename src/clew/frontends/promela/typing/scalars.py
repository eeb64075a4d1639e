"""Scalar types and their order: bit <: byte <: unsigned(12) <: short <: int, and bit <: bool."""

from __future__ import annotations

from typing import Literal

Kind = Literal["unsigned", "signed", "bool", "pid"]


class Scalar:
    """A type of numbers, `bool`, or `pid` where that is a type of its own. Made once each: compare with `is`."""

    __slots__ = ("bits", "kind", "name")

    def __init__(self, kind: Kind, bits: int, name: str) -> None:
        self.kind, self.bits, self.name = kind, bits, name

    def __repr__(self) -> str:
        return self.name

    @property
    def is_number(self) -> bool:
        return self.kind == "unsigned" or self.kind == "signed"


_UNSIGNED = tuple(Scalar("unsigned", n, {1: "bit", 8: "byte"}.get(n, f"unsigned({n})")) for n in range(33))
BIT, BYTE = _UNSIGNED[1], _UNSIGNED[8]
SHORT, INT = Scalar("signed", 16, "short"), Scalar("signed", 32, "int")
BOOL, PID = Scalar("bool", 1, "bool"), Scalar("pid", 8, "pid")


def unsigned(bits: int) -> Scalar:
    return _UNSIGNED[min(max(bits, 1), 32)]


def literal(value: int) -> Scalar:
    """The smallest type that holds a number."""
    if value >= 0:
        return unsigned(value.bit_length())
    return SHORT if value >= -(2**15) else INT


def is_subtype(small: Scalar, large: Scalar) -> bool:
    if small is large:
        return True
    match small.kind, large.kind:
        case "unsigned", "unsigned":
            return small.bits <= large.bits
        case "unsigned", "signed":
            return small.bits < large.bits
        case "signed", "signed":
            return small.bits <= large.bits
        case "unsigned", "bool":
            return small is BIT
        case _:
            return False


def join(left: Scalar, right: Scalar) -> Scalar | None:
    """The least type above both; None if they are unrelated."""
    if is_subtype(left, right):
        return right
    if is_subtype(right, left):
        return left
    if left.is_number and right.is_number:
        return SHORT if max(left.bits, right.bits) <= 16 and SHORT in (left, right) and _fits(left, right) else INT
    return None


def _fits(left: Scalar, right: Scalar) -> bool:
    return is_subtype(left, SHORT) and is_subtype(right, SHORT)
