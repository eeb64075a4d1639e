"""The formulas are those of the tables."""

from __future__ import annotations

import pytest

from clew.logic.patterns.catalogue import DIALECTS, NotInDialect, entries, formula
from clew.logic.patterns.properties import ENTRIES, Class, Composite, Pattern, Property, Scope, entry, letter
from clew.logic.patterns.syntaxes import mathematical
from clew.logic.stutter import is_stutter_invariant

# Tables 3 and 4 of Salamah, Gates, Roach, Mondragon (SPIN 2005), written out in full.
BETWEEN, UNTIL = "(L ∧ ¬R ∧ ◇R)", "(L ∧ ¬R)"
RESPONSE = "(P → (¬R U (T ∧ ¬R)))"
SPS = f"""
□¬P
◇R → (¬P U R)
□(L → □¬P)
□({BETWEEN} → (¬P U R))
□({UNTIL} → (¬P W R))
◇P
¬R W (P ∧ ¬R)
□¬L ∨ ◇(L ∧ ◇P)
□({UNTIL} → (¬R W (P ∧ ¬R)))
□({UNTIL} → (¬R U (P ∧ ¬R)))
□P
◇R → (P U R)
□(L → □P)
□({BETWEEN} → (P U R))
□({UNTIL} → (P W R))
¬P W T
◇R → (¬P U (T ∨ R))
□¬L ∨ ◇(L ∧ (¬P W T))
□({BETWEEN} → (¬P U (T ∨ R)))
□({UNTIL} → (¬P W (T ∨ R)))
□(P → ◇T)
◇R → ({RESPONSE} U R)
□(L → □(P → ◇T))
□({BETWEEN} → ({RESPONSE} U R))
□({UNTIL} → ({RESPONSE} W R))
""".split("\n")[1:-1]
PROSPEC = f"""
¬◇P
◇R → ¬(¬R U P)
¬L W (L ∧ ¬◇P)
□({BETWEEN} → ¬(¬R U P))
□({UNTIL} → ¬(¬R U P))
◇P
◇R → (¬R U (P ∧ ¬R))
¬L W (L ∧ ◇P)
□({BETWEEN} → (¬R U (P ∧ ¬R)))
□({UNTIL} → (¬R U (P ∧ ¬R)))
□P
◇R → (P U R)
¬L W (L ∧ □P)
□({BETWEEN} → (P U R))
□({UNTIL} → (P W R))
¬P W T
◇R → (¬P U (T ∨ R))
¬L W (L ∧ (¬P W T))
□({BETWEEN} → (¬P U (T ∨ R)))
□({UNTIL} → (¬P W (T ∨ R)))
□(P → ◇T)
◇R → ({RESPONSE} U R)
¬L W (L ∧ □(P → ◇T))
□({BETWEEN} → ({RESPONSE} U R))
□({UNTIL} → ({RESPONSE} W R))
¬P W (T ∧ ¬P)
◇R → (¬P U ((T ∧ ¬P) ∨ R))
¬L W (L ∧ (¬P W (T ∧ ¬P)))
□({BETWEEN} → (¬P U ((T ∧ ¬P) ∨ R)))
□({UNTIL} → (¬P W ((T ∧ ¬P) ∨ R)))
""".split("\n")[1:-1]
FIXED = [
    line.replace("¬(¬R U P)", "¬(¬R U (P ∧ ¬R))") if i in (1, 3, 4) else line for i, line in enumerate(PROSPEC)
]  # section 4.1


@pytest.mark.parametrize(("dialect", "table"), [("sps", SPS), ("prospec", PROSPEC), ("prospec-fixed", FIXED)])
def test_formulas_are_those_of_the_tables(dialect: str, table: list[str]) -> None:
    assert [mathematical(formula(dialect, entry(*e))) for e in entries(dialect)] == table


def test_how_many_there_are() -> None:
    assert [len(entries(d)) for d in DIALECTS] == [25, 30, 30, 30]
    assert len(ENTRIES) == 30


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_formula_is_stutter_invariant_by_its_automata(dialect: str) -> None:
    for e in entries(dialect):
        assert is_stutter_invariant(formula(dialect, entry(*e)), by_syntax=False), e


def test_sequences_are_not_put_into_the_tables() -> None:
    sequence = Composite(Class.CONSECUTIVE_C, (letter("P"), letter("T")))
    prop = Property(Pattern.ABSENCE, Scope.GLOBAL, (("P", sequence),))
    with pytest.raises(NotInDialect, match="not sound"):
        formula("sps", prop)
    assert not is_stutter_invariant(formula("ours", prop), by_syntax=False)


def test_strict_precedence_is_not_in_sps() -> None:
    with pytest.raises(NotInDialect):
        formula("sps", entry(Pattern.STRICT_PRECEDENCE, Scope.GLOBAL))
