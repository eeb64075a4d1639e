"""Formulas against the oracle: equivalence by automata, and the shortest word on which they differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from clew.core.records import record
from clew.logic import formulas as f
from clew.logic.common_words import Complement, FormulaMachine, Machine, common_word
from clew.logic.patterns import catalogue, oracle
from clew.logic.patterns.monitors import Satisfied, Violated
from clew.logic.patterns.properties import (
    DOCUMENTED_SPS,
    NESTED,
    Pattern,
    Property,
    Reading,
    Scope,
    entry,
    letter,
    roles,
)
from clew.logic.patterns.words import Lasso, all_words, shapes

LONGEST: Final = 6
MOST_BITS_TRIED: Final = 20


@record
class Comparison:
    """A formula and the oracle. `allows`: the formula holds on words it should not; `forbids`: not on words it
    should; `witness` is a shortest word on which they differ, if they do.
    """

    formula: f.Formula
    allows: bool
    forbids: bool
    witness: Lasso | None

    @property
    def agrees(self) -> bool:
        return not (self.allows or self.forbids)


def compare(formula: f.Formula, pattern: Pattern, scope: Scope, reading: Reading = NESTED) -> Comparison:
    """Whether a formula over P, T, L and R means what the property means: both inclusions, by automata."""
    return _compare(formula, pattern, scope, reading, ())


def compare_with_one_opening(formula: f.Formula, pattern: Pattern, scope: Scope, reading: Reading) -> Comparison:
    """The same for runs on which L is true at most once."""
    once = f.Always(f.Implies(letter("L"), f.Next(f.Always(f.Not(letter("L"))))))
    return _compare(formula, pattern, scope, reading, (once,))


def _compare(
    formula: f.Formula, pattern: Pattern, scope: Scope, reading: Reading, assumed: tuple[f.Formula, ...]
) -> Comparison:
    prop = entry(pattern, scope)
    atoms = [letter(role) for role in roles(pattern, scope)]
    if not set(f.atoms(formula)) <= set(atoms):
        raise ValueError("the formula speaks about more than the property")
    satisfied, violated = Satisfied(prop, reading), Violated(prop, reading)
    positive, negative = FormulaMachine(formula), FormulaMachine(f.Not(formula))
    context = [FormulaMachine(a) for a in assumed]

    def share_a_word(*machines: Machine) -> bool:
        return common_word([*machines, *context], atoms) is not None

    allows = share_a_word(positive, Complement(satisfied))
    forbids = share_a_word(negative, satisfied)
    if share_a_word(positive, violated) != allows or share_a_word(satisfied, violated):
        raise AssertionError("the two automata of the oracle contradict each other")
    witness = None
    if allows or forbids:
        witness = search_difference(formula, prop, reading, assumed).witness or common_word(
            [positive, Complement(satisfied), *context] if allows else [negative, satisfied, *context], atoms
        )
    return Comparison(formula, allows, forbids, witness)


@record
class Search:
    """All words of up to `longest` states, so many, and a shortest one on which formula and oracle differ, if any."""

    witness: Lasso | None
    words: int
    longest: int


def search_difference(
    formula: f.Formula,
    prop: Property,
    reading: Reading = NESTED,
    assumed: Sequence[f.Formula] = (),
    longest: int = LONGEST,
) -> Search:
    """Compares a formula with the oracle word by word, up to `longest` states or what is feasible.

    Raises `ValueError` if it has too many atoms for that.
    """
    atoms = list(dict.fromkeys((*prop.atoms(), *f.atoms(formula))))
    longest = min(longest, MOST_BITS_TRIED // max(1, len(atoms)))
    if longest < 2:
        raise ValueError(f"{len(atoms)} atoms are too many to try all words")
    tried = 0
    for length, back in shapes(longest):
        words = all_words(atoms, length, back)
        differ = words.satisfying(formula) ^ oracle.satisfying(prop, words, reading)
        tried += 1 << len(atoms) * length
        for assumption in assumed:
            differ &= words.satisfying(assumption)
        if differ:
            return Search(words.first(differ), tried, length)
    return Search(None, tried, longest)


@record
class Finding:
    """One entry of a catalogue under one reading. `only_reading`: it agrees with the nested reading, so that the
    difference is one of reading; `needs_several_openings`: it agrees on runs where L is true at most once.
    """

    pattern: Pattern
    scope: Scope
    result: Comparison
    only_reading: bool = False
    needs_several_openings: bool = False


@record
class Audit:
    """A catalogue under one reading."""

    dialect: str
    reading: Reading
    findings: tuple[Finding, ...]

    @property
    def agreeing(self) -> int:
        return sum(x.result.agrees for x in self.findings)

    @property
    def agreeing_with_one_opening(self) -> int:
        """Counting also those that differ only where scope `after` has several L: no test of the study has that."""
        return sum(x.result.agrees or x.needs_several_openings for x in self.findings)


READINGS: Final[dict[str, tuple[Reading, ...]]] = {
    "sps": (NESTED, DOCUMENTED_SPS),
    "prospec": (NESTED,),
    "prospec-fixed": (NESTED,),
    "ours": (NESTED, DOCUMENTED_SPS, Reading(strict_response=True, strict_precedence=True)),
}
"""The readings a catalogue is audited under: that of its formulas, and those its documentation suggests."""


def audit(dialect: str, reading: Reading) -> Audit:
    """Every formula of a catalogue against the oracle."""
    findings = []
    for pattern, scope in catalogue.entries(dialect):
        formula = catalogue.formula(dialect, entry(pattern, scope), reading)
        result = compare(formula, pattern, scope, reading)
        only_reading = several = False
        if not result.agrees:
            only_reading = reading != NESTED and compare(formula, pattern, scope, NESTED).agrees
            several = scope is Scope.AFTER and compare_with_one_opening(formula, pattern, scope, reading).agrees
        findings.append(Finding(pattern, scope, result, only_reading, several))
    return Audit(dialect, reading, tuple(findings))
