"""Composite propositions as formulas.

The classes are those of Mondragon and Gates (2004) as tabulated by Salamah, Gates, Roach (Advances in Software
Engineering 2011, table 6), where the Eventual classes with strictly later parts are called strict. An *occurrence*
begins in one state and ends in a later or the same one. An event begins in the state it leaves: none of its
propositions is true there, and in the next state the first one is.
"""

from __future__ import annotations

from clew.logic.formulas import TRUE, And, Formula, Next, Not, Until, conjunction, disjunction
from clew.logic.patterns.properties import Class, Composite, Operand


def occurs(operand: Operand, during: Formula = TRUE, at_end: Formula = TRUE) -> Formula:
    """An occurrence begins here, `during` holds in all its states but the last, and `at_end` in the last."""
    if not isinstance(operand, Composite):
        return conjunction((operand, at_end))
    parts = operand.parts
    match operand.kind:
        case Class.AT_LEAST_ONE_C:
            return conjunction((disjunction(parts), at_end))
        case Class.PARALLEL_C:
            return conjunction((*parts, at_end))
        case Class.CONSECUTIVE_C | Class.EVENTUAL_C:
            return _sequence(operand, parts, during, at_end)
        case Class.AT_LEAST_ONE_E:
            activated = conjunction((disjunction(parts), at_end))
        case Class.PARALLEL_E:
            activated = conjunction((*parts, at_end))
        case Class.CONSECUTIVE_E | Class.EVENTUAL_E:
            alone = [conjunction((p, *map(Not, parts[i + 1 :]))) for i, p in enumerate(parts)]
            activated = _sequence(operand, tuple(alone), during, at_end)
    return conjunction((*map(Not, parts), during, Next(activated)))


def _sequence(operand: Composite, links: tuple[Formula, ...], during: Formula, at_end: Formula) -> Formula:
    """One link after the other; the last at the end."""
    found = conjunction((links[-1], at_end))
    for i in reversed(range(len(links) - 1)):
        match operand.kind:
            case Class.EVENTUAL_C:
                found = Until(conjunction((Not(operand.parts[i + 1]), during)), found)
            case Class.EVENTUAL_E:
                found = Until(conjunction((*map(Not, operand.parts[i + 1 :]), during)), found)
        found = conjunction((links[i], during, Next(found)))
    return found


def as_formula(operand: Operand) -> Formula:
    """The published formula of a composite proposition: what naive substitution puts in place of a letter."""
    if not isinstance(operand, Composite) or not operand.kind.is_event:
        return occurs(operand)
    quiet = conjunction(map(Not, operand.parts))
    began = occurs(operand)
    assert isinstance(began, And)
    activated = next(p.body for p in began.parts if isinstance(p, Next))
    return conjunction((quiet, Until(quiet, activated)))
