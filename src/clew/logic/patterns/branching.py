"""Properties in computation tree logic.

Each formula says that no path shows a violation. A violation is a path on which one thing comes after the other, so
nested `E[ U ]` describe exactly the paths of the linear formula's negation, and both hold of the same systems.
"""

from __future__ import annotations

from clew.logic.formulas import (
    Always,
    Eventually,
    Exists,
    ForAll,
    Formula,
    Implies,
    Not,
    Until,
    conjunction,
)
from clew.logic.patterns.composites import as_formula
from clew.logic.patterns.properties import Pattern, Property, Reading, Scope


def branching(prop: Property, reading: Reading) -> Formula | None:
    """A CTL formula that holds of the systems on whose runs the property holds; None if none is known: sequences,
    the outermost reading, a strict response.
    """
    strict_response = prop.pattern is Pattern.RESPONSE and reading.strict_response
    if prop.spans_states or strict_response or (reading.outermost and prop.scope.repeats):
        return None
    operand = {role: as_formula(o) for role, o in prop.operands}
    if prop.pattern is Pattern.STRICT_PRECEDENCE or (prop.pattern is Pattern.PRECEDENCE and reading.strict_precedence):
        operand["T"] = conjunction((operand["T"], Not(operand["P"])))
    right = operand.get("R")
    match prop.scope:
        case Scope.GLOBAL:
            return _always(prop.pattern, operand)
        case Scope.BEFORE:
            assert right is not None
            return Not(_wrong(prop.pattern, operand, right, must_close=True))
        case Scope.AFTER:
            left = operand["L"]
            return Not(Exists(Until(Not(left), conjunction((left, _not(_always(prop.pattern, operand)))))))
    assert right is not None
    wrong = _wrong(prop.pattern, operand, right, prop.scope.must_close)
    return ForAll(Always(Implies(conjunction((operand["L"], Not(right))), Not(wrong))))


def _not(formula: Formula) -> Formula:
    return formula.body if isinstance(formula, Not) else Not(formula)


def _always(pattern: Pattern, operand: dict[str, Formula]) -> Formula:
    """The pattern from here on for ever."""
    p = operand["P"]
    match pattern:
        case Pattern.ABSENCE:
            return ForAll(Always(Not(p)))
        case Pattern.EXISTENCE:
            return ForAll(Eventually(p))
        case Pattern.UNIVERSALITY:
            return ForAll(Always(p))
        case Pattern.RESPONSE:
            return ForAll(Always(Implies(p, ForAll(Eventually(operand["T"])))))
    lacking = Not(operand["T"])
    return Not(Exists(Until(lacking, conjunction((p, lacking)))))


def _wrong(pattern: Pattern, operand: dict[str, Formula], right: Formula, must_close: bool) -> Formula:
    """A path on which the pattern fails before R; `must_close`: and R comes."""
    p, within = operand["P"], Not(right)
    closes = [Exists(Eventually(right))] * must_close

    def lacking(what: Formula) -> Formula:
        """A path without it up to R or, if R need not come, for ever."""
        if must_close:
            return Exists(Until(conjunction((Not(what), within)), right))
        return Not(ForAll(Until(within, conjunction((what, within)))))

    match pattern:
        case Pattern.EXISTENCE:
            return lacking(p)
        case Pattern.ABSENCE:
            return Exists(Until(within, conjunction((p, within, *closes))))
        case Pattern.UNIVERSALITY:
            return Exists(Until(within, conjunction((Not(p), within, *closes))))
        case Pattern.RESPONSE:
            return Exists(Until(within, conjunction((p, within, lacking(operand["T"])))))
    early = Not(operand["T"])
    return Exists(Until(conjunction((early, within)), conjunction((p, early, within, *closes))))
