"""A property in plain words, and runs that show what it allows and forbids."""

from __future__ import annotations

from functools import reduce
from operator import or_

from clew.core.records import record
from clew.logic import formulas as f
from clew.logic.patterns import oracle
from clew.logic.patterns.properties import NESTED, Class, Composite, Operand, Pattern, Property, Reading, Scope
from clew.logic.patterns.words import Lasso, Words, all_words

ENOUGH_STATES = 5
"""A state each for L, T, P and R, and one more."""


@record
class Sample:
    """A run, whether the property holds on it, and the intervals of its scope with whether the pattern holds there."""

    atoms: tuple[f.Atom, ...]
    trace: Lasso
    holds: bool
    intervals: tuple[tuple[oracle.Interval, bool], ...]


def sentence(prop: Property, reading: Reading = NESTED) -> str:
    """What the property says."""
    scope, pattern = _scope(prop, reading), _pattern(prop, reading)
    text = f"{scope}, {pattern}."
    if prop.scope.has_l or prop.scope.has_r:
        text += f" {_boundary(prop)}"
    for role, operand in prop.operands:
        if isinstance(operand, Composite):
            text += f" {role} stands for {_composite(operand)}."
    return text[0].upper() + text[1:]


def _name(prop: Property, role: str) -> str:
    operand = prop.operand(role)
    return role if isinstance(operand, Composite) else _said(operand)


def _said(condition: f.Formula) -> str:
    return condition.text if isinstance(condition, f.Atom) else f"({condition})"


def _scope(prop: Property, reading: Reading) -> str:
    left = _name(prop, "L") if prop.scope.has_l else ""
    right = _name(prop, "R") if prop.scope.has_r else ""
    each = f"each {left}" if not reading.outermost else f"each {left} outside an open interval"
    match prop.scope:
        case Scope.GLOBAL:
            return "in the whole run"
        case Scope.BEFORE:
            return f"before the first {right}, if it comes"
        case Scope.AFTER:
            return f"from the first {left} on, if it comes"
        case Scope.BETWEEN:
            return f"from {each} up to the next {right}, if it comes"
        case Scope.AFTER_UNTIL:
            return f"from {each} up to the next {right}, or for ever if it does not come"


def _pattern(prop: Property, reading: Reading) -> str:
    p = _name(prop, "P")
    composite = isinstance(prop.operand("P"), Composite)
    match prop.pattern:
        case Pattern.ABSENCE:
            return f"{p} never occurs" if composite else f"{p} is never true"
        case Pattern.EXISTENCE:
            return f"{p} {'occurs' if composite else 'is true'} at least once"
        case Pattern.UNIVERSALITY:
            return f"{p} is true in every state"
    t = _name(prop, "T")
    if prop.pattern is Pattern.RESPONSE:
        when = "in a later state" if reading.strict_response else "in the same or a later state"
        return f"each {p} is followed by {t} {when}"
    strict = reading.strict_precedence or prop.pattern is Pattern.STRICT_PRECEDENCE
    return f"{p} comes only after {t} has come in {'an earlier' if strict else 'the same or an earlier'} state"


def _boundary(prop: Property) -> str:
    parts = []
    if prop.scope.has_l:
        left = _name(prop, "L")
        last = f"the last state of {left}" if _spans(prop.operand("L")) else f"the state with {left}"
        parts.append(f"{last} belongs to the interval")
    if prop.scope.has_r:
        right = _name(prop, "R")
        first = f"the first state of {right}" if _spans(prop.operand("R")) else f"the state with {right}"
        parts.append(f"{first} does not" + ("" if prop.scope.has_l else " belong to the interval"))
    text = ", ".join(parts)
    return text[0].upper() + text[1:] + "."


def _spans(operand: Operand) -> bool:
    return isinstance(operand, Composite) and operand.spans_states


def _composite(composite: Composite) -> str:
    parts = list(map(_said, composite.parts))
    listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    match composite.kind:
        case Class.AT_LEAST_ONE_C:
            return f"at least one of {listed}"
        case Class.PARALLEL_C:
            return f"{listed} at once"
        case Class.CONSECUTIVE_C:
            return f"{listed} in consecutive states"
        case Class.EVENTUAL_C:
            return f"{listed} one after the other, each in a later state"
        case Class.AT_LEAST_ONE_E:
            return f"the change from none of {listed} to at least one"
        case Class.PARALLEL_E:
            return f"the change from none of {listed} to all at once"
        case Class.CONSECUTIVE_E:
            return f"the change from none of {listed} to the first, then one more in each state"
        case Class.EVENTUAL_E:
            return f"the change from none of {listed} to the first, and later to the others in this order"


def samples(prop: Property, reading: Reading = NESTED) -> tuple[Sample | None, Sample | None]:
    """A run on which the property holds and one on which it does not: where possible with an interval, with P in it,
    and with what the property speaks about in states of their own, so that its order shows.

    None if there is no such run among those tried. Raises `ValueError` for more than eight atoms.
    """
    atoms = prop.atoms()
    if len(atoms) > 8:
        raise ValueError(f"{len(atoms)} atoms are too many to look for sample runs")
    length = ENOUGH_STATES if len(atoms) < ENOUGH_STATES else max(2, 17 // len(atoms))
    words = all_words(atoms, length, length - 1)
    good = oracle.satisfying(prop, words, reading)
    with_interval = oracle.with_interval(prop, words, reading)
    role = "T" if prop.pattern.has_t else "P"
    occurring = oracle.with_interval(prop, words, reading, role) if prop.pattern is not Pattern.ABSENCE else -1
    p_inside = oracle.with_interval(prop, words, reading, "P") if prop.pattern.has_t else -1
    apart = words.one_at_a_time()
    quiet_start = words.every & ~reduce(or_, words.truth[0], 0)
    accepting = _pick(words, good, [with_interval, p_inside, occurring, apart, quiet_start])
    rejecting = _pick(words, words.every & ~good, [with_interval, apart, quiet_start])
    return tuple(None if t is None else _sample(prop, t, reading) for t in (accepting, rejecting))  # type: ignore[return-value]


def _pick(words: Words, mask: int, wishes: list[int]) -> Lasso | None:
    """A word of the mask that grants the wishes, as far as any does."""
    for wish in wishes:
        mask = mask & wish or mask
    return words.first(mask) if mask else None


def _sample(prop: Property, trace: Lasso, reading: Reading) -> Sample:
    return Sample(
        tuple(prop.atoms()), trace, oracle.holds(prop, trace, reading), tuple(oracle.intervals(prop, trace, reading))
    )
