"""Formulas built from the meaning of a property: for every reading, and for propositions that span several states.

An interval opens in the last state of an occurrence of L and closes before the first state of an occurrence of R; what
the pattern speaks about must lie inside as a whole. An occurrence is determined by where it begins, and of two
occurrences the one that begins first ends no later; the formulas rely on both.
"""

from __future__ import annotations

from clew.logic.formulas import (
    TRUE,
    Always,
    Eventually,
    Formula,
    Implies,
    Next,
    Not,
    Until,
    WeakUntil,
    conjunction,
    disjunction,
)
from clew.logic.patterns.composites import occurs
from clew.logic.patterns.properties import Composite, Operand, Pattern, Property, Reading, Scope


class Unclear(ValueError):
    """The property has no agreed meaning; the text says why."""


def check_meaning(prop: Property, reading: Reading) -> None:
    """Raises `Unclear` for combinations nobody has given a meaning."""
    if prop.pattern is Pattern.UNIVERSALITY and _spans(prop.operand("P")):
        raise Unclear("universality needs a condition on single states, not a sequence or an event")
    if reading.outermost and prop.scope.repeats and any(_spans(prop.operand(role)) for role in "LR"):
        raise Unclear("the outermost reading needs delimiters that are conditions on single states")


def construct(prop: Property, reading: Reading) -> Formula:
    """A formula that holds iff the pattern holds in every interval of the scope. Raises `Unclear`."""
    check_meaning(prop, reading)
    match prop.scope:
        case Scope.GLOBAL:
            return _inside(prop, reading, None)
        case Scope.BEFORE:
            closes = occurs(prop.operand("R"))
            return Implies(Eventually(closes), _inside(prop, reading, closes))
        case Scope.AFTER:
            first = prop.operand("L")
            return WeakUntil(Not(occurs(first)), occurs(first, at_end=_inside(prop, reading, None)))
    closes = occurs(prop.operand("R"))
    opening = prop.operand("L")
    condition: Formula = Not(closes)
    if prop.scope is Scope.BETWEEN:
        condition = conjunction((condition, Eventually(closes)))
    body = _inside(prop, reading, closes)
    if reading.outermost:
        opens = conjunction((occurs(opening), Not(closes)))
        if prop.scope is Scope.BETWEEN:
            body = Implies(Eventually(closes), body)
        block = WeakUntil(Not(opens), conjunction((opens, body)))
        return conjunction((block, Always(Implies(closes, block))))
    if _spans(opening):
        return Always(Not(occurs(opening, at_end=conjunction((condition, Not(body))))))
    return Always(Implies(conjunction((occurs(opening), condition)), body))


def _inside(prop: Property, reading: Reading, closes: Formula | None) -> Formula:
    """The pattern in the interval that starts here and ends before the first `closes`, if any."""
    within = TRUE if closes is None else Not(closes)
    p = prop.operand("P")

    def some(what: Formula) -> Formula:
        return Eventually(what) if closes is None else Until(within, what)

    def whole(operand: Operand, at_end: Formula = TRUE) -> Formula:
        return occurs(operand, within, conjunction((within, at_end)))

    match prop.pattern:
        case Pattern.EXISTENCE:
            return some(whole(p))
        case Pattern.ABSENCE:
            return Not(some(whole(p)))
        case Pattern.UNIVERSALITY:
            return Always(occurs(p)) if closes is None else WeakUntil(occurs(p), closes)
        case Pattern.RESPONSE:
            answered = some(whole(prop.operand("T")))
            if reading.strict_response:
                answered = Next(answered)
            return Not(some(whole(p, Not(answered))))
    t = prop.operand("T")
    strict = reading.strict_precedence or prop.pattern is Pattern.STRICT_PRECEDENCE
    if not _spans(p) and not _spans(t):
        enabled = conjunction((occurs(t), Not(occurs(p)))) if strict else occurs(t)
        return WeakUntil(Not(occurs(p)), enabled if closes is None else disjunction((enabled, closes)))
    early = conjunction((within, Not(whole(p))))
    enabled = occurs(t, early, early if strict else within)
    return disjunction((Not(some(whole(p))), Until(early, enabled)))


def _spans(operand: Operand) -> bool:
    return isinstance(operand, Composite) and operand.spans_states
