"""Formulas with the same meaning, and what their automata cost."""

from __future__ import annotations

from clew.core.records import record
from clew.logic import formulas as f
from clew.logic.automata import Automaton
from clew.logic.patterns import catalogue
from clew.logic.patterns.mutants import equivalent
from clew.logic.patterns.properties import NESTED, Property, Reading
from clew.logic.simplify import simplify
from clew.logic.translate import tableau, translate


@record
class Size:
    """States and edges of the automaton a check runs, that of the negation: as constructed, and reduced."""

    states: int
    edges: int
    reduced_states: int
    reduced_edges: int


@record
class Alternative:
    """A formula some dialects have; `same`: it means what the first one means."""

    dialects: tuple[str, ...]
    formula: f.Formula
    size: Size
    same: bool


def alternatives(prop: Property, reading: Reading = NESTED) -> list[Alternative]:
    """The formulas the catalogues have for a property, ours first, then those with the same meaning, cheapest first."""
    found: dict[f.Formula, list[str]] = {}
    for dialect in reversed(catalogue.DIALECTS):
        try:
            found.setdefault(catalogue.formula(dialect, prop, reading), []).append(dialect)
        except catalogue.NotInDialect:
            continue
    ours = next(iter(found))
    listed = [
        Alternative(tuple(reversed(dialects)), formula, size_of(formula), formula is ours or equivalent(formula, ours))
        for formula, dialects in found.items()
    ]
    return sorted(listed, key=lambda a: (a.formula is not ours, not a.same, a.size.reduced_states, a.size.states))


def size_of(formula: f.Formula) -> Size:
    """What a check of the formula costs before it meets a system."""
    negated = f.Not(formula)
    plain, reduced = tableau(simplify(negated)), translate(negated)
    return Size(plain.states, _edges(plain), reduced.states, _edges(reduced))


def _edges(automaton: Automaton) -> int:
    return sum(map(len, automaton.edges))
