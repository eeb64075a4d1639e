"""Formulas built from parts, with constants folded away."""

from __future__ import annotations

from collections.abc import Iterable

from clew.core.expressions import TRUE, Binary, BinaryOp, Conditional, Const, Expr, Unary
from clew.core.records import record

FALSE = Const(0, "false")


@record
class Term:
    """A value, and whether computing it breaks down nowhere."""

    value: Expr
    defined: Expr = TRUE


def is_true(expr: Expr) -> bool:
    return isinstance(expr, Const) and expr.value != 0


def is_false(expr: Expr) -> bool:
    return isinstance(expr, Const) and expr.value == 0


def both(*parts: Expr) -> Expr:
    return every(parts)


def either(*parts: Expr) -> Expr:
    return some(parts)


def every(parts: Iterable[Expr]) -> Expr:
    found: Expr | None = None
    for part in parts:
        if is_false(part):
            return FALSE
        if not is_true(part):
            found = part if found is None else Binary("&&", found, part)
    return TRUE if found is None else found


def some(parts: Iterable[Expr]) -> Expr:
    found: Expr | None = None
    for part in parts:
        if is_true(part):
            return TRUE
        if not is_false(part):
            found = part if found is None else Binary("||", found, part)
    return FALSE if found is None else found


def negated(expr: Expr) -> Expr:
    """As a condition; as a value it may be another number than 0 or 1, see `truth`."""
    match expr:
        case Const(value):
            return FALSE if value else TRUE
        case Unary("!", operand):
            return operand
    return Unary("!", expr)


def truth(condition: Expr) -> Expr:
    """0 or 1, for a condition that may be a number that was negated twice or joined with what always holds."""
    match condition:
        case Const(value):
            return TRUE if value else FALSE
        case Unary("!") | Binary("==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||"):
            return condition
    return Binary("!=", condition, Const(0))


def chosen(test: Expr, then: Expr, other: Expr) -> Expr:
    if is_true(test) or then == other:
        return then
    return other if is_false(test) else Conditional(test, then, other)


def compared(op: BinaryOp, left: Expr, right: Expr | int) -> Expr:
    right = Const(right) if isinstance(right, int) else right
    if isinstance(left, Const) and isinstance(right, Const) and op in ("==", "!="):
        return TRUE if (left.value == right.value) == (op == "==") else FALSE
    return Binary(op, left, right)
