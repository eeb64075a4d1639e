"""The formulas of the catalogues, as trees.

`sps` is the Specification Pattern System (Dwyer, Avrunin, Corbett 1999), `prospec` the tool of Mondragon and Gates,
both as printed in tables 3 and 4 of Salamah, Gates, Roach, Mondragon (SPIN 2005); `prospec-fixed` has the corrections
of its section 4.1; `ours` is built by `clew.logic.patterns.construct`, for any reading and for composite propositions.
"""

from __future__ import annotations

from typing import Final

from clew.logic.formulas import (
    Always,
    And,
    Eventually,
    Formula,
    Implies,
    Not,
    Or,
    Until,
    WeakUntil,
)
from clew.logic.patterns.composites import as_formula
from clew.logic.patterns.construct import construct
from clew.logic.patterns.properties import ENTRIES, NESTED, Pattern, Property, Reading, Scope

DIALECTS: Final = ("sps", "prospec", "prospec-fixed", "ours")


class NotInDialect(ValueError):
    """The dialect has no formula for this property; the text says why."""


def entries(dialect: str) -> list[tuple[Pattern, Scope]]:
    """What the dialect has formulas for, in the order of the tables."""
    return [e for e in ENTRIES if dialect != "sps" or e[0] is not Pattern.STRICT_PRECEDENCE]


def formula(dialect: str, prop: Property, reading: Reading = NESTED, naive: bool = False) -> Formula:
    """The formula of a property. Only `ours` follows the reading; the tables are what they are.

    `naive` puts propositions that span several states into the tables all the same. Raises `NotInDialect`.
    """
    if dialect == "ours":
        return construct(prop, reading)
    if (prop.pattern, prop.scope) not in entries(dialect):
        raise NotInDialect(f"{dialect} has no {prop.pattern.value}")
    if prop.spans_states and not naive:
        raise NotInDialect(f"putting a proposition that spans several states into a formula of {dialect} is not sound")
    operands = {role: as_formula(operand) for role, operand in prop.operands}
    p, t, left, right = (operands.get(role) for role in "PTLR")
    return _table(dialect, prop.pattern, prop.scope, p, t, left, right)


def _table(
    dialect: str,
    pattern: Pattern,
    scope: Scope,
    p: Formula | None,
    t: Formula | None,
    left: Formula | None,
    right: Formula | None,
) -> Formula:
    assert p is not None
    if pattern is Pattern.STRICT_PRECEDENCE:
        assert t is not None
        return _table(dialect, Pattern.PRECEDENCE, scope, p, And((t, Not(p))), left, right)
    sps = dialect == "sps"
    match scope:
        case Scope.GLOBAL:
            return Not(Eventually(p)) if pattern is Pattern.ABSENCE and not sps else _unbounded(pattern, p, t)
        case Scope.BEFORE:
            assert right is not None
            if sps and pattern is Pattern.EXISTENCE:
                return WeakUntil(Not(right), And((p, Not(right))))
            return Implies(Eventually(right), _bounded(dialect, pattern, p, t, right, weak=False))
        case Scope.AFTER:
            assert left is not None
            if not sps:
                body = Not(Eventually(p)) if pattern is Pattern.ABSENCE else _unbounded(pattern, p, t)
                return WeakUntil(Not(left), And((left, body)))
            if pattern in (Pattern.EXISTENCE, Pattern.PRECEDENCE):
                return Or((Always(Not(left)), Eventually(And((left, _unbounded(pattern, p, t))))))
            return Always(Implies(left, _unbounded(pattern, p, t)))
        case Scope.BETWEEN:
            assert left is not None and right is not None
            if sps and pattern is Pattern.EXISTENCE:
                return Always(Implies(And((left, Not(right))), WeakUntil(Not(right), And((p, Not(right))))))
            opens = And((left, Not(right), Eventually(right)))
            return Always(Implies(opens, _bounded(dialect, pattern, p, t, right, weak=False)))
        case Scope.AFTER_UNTIL:
            assert left is not None and right is not None
            opens = And((left, Not(right)))
            return Always(Implies(opens, _bounded(dialect, pattern, p, t, right, weak=True)))


def _unbounded(pattern: Pattern, p: Formula, t: Formula | None) -> Formula:
    """The pattern from here on for ever."""
    match pattern:
        case Pattern.ABSENCE:
            return Always(Not(p))
        case Pattern.EXISTENCE:
            return Eventually(p)
        case Pattern.UNIVERSALITY:
            return Always(p)
    assert t is not None
    return WeakUntil(Not(p), t) if pattern is Pattern.PRECEDENCE else Always(Implies(p, Eventually(t)))


def _bounded(dialect: str, pattern: Pattern, p: Formula, t: Formula | None, right: Formula, weak: bool) -> Formula:
    """The pattern from here up to the closing delimiter; `weak`: which need not come."""
    until = WeakUntil if weak else Until
    match pattern:
        case Pattern.ABSENCE:
            if dialect == "sps":
                return until(Not(p), right)
            return Not(Until(Not(right), p if dialect == "prospec" else And((p, Not(right)))))
        case Pattern.EXISTENCE:
            return Until(Not(right), And((p, Not(right))))
        case Pattern.UNIVERSALITY:
            return until(p, right)
    assert t is not None
    if pattern is Pattern.PRECEDENCE:
        return until(Not(p), Or((t, right)))
    return until(Implies(p, Until(Not(right), And((t, Not(right))))), right)
