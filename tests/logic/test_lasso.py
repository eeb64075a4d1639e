"""The evaluator on words that repeat."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.logic import formulas as f
from clew.logic.lasso import holds
from clew.logic.parse import parse_ltl
from tests.logic.random_formulas import random_formula
from tests.logic.words import lassos


def word(text: str) -> list[list[f.Atom]]:
    return [[f.proposition(c) for c in letter if c != "-"] for letter in text.split()]


@pytest.mark.parametrize(
    ("formula", "prefix", "cycle", "expected"),
    [
        ("G F a", "", "- a", True),
        ("F G a", "", "- a", False),
        ("F G a", "- -", "a", True),
        ("a U b", "a a", "b -", True),
        ("a U b", "a a", "a", False),
        ("a W b", "a a", "a", True),
        ("a R b", "b b", "ab -", True),
        ("a R b", "b", "b -", False),
        ("a R b", "", "b", True),
        ("a M b", "", "b", False),
        ("a M b", "b", "ab -", True),
        ("X X a", "- -", "a", True),
        ("X a", "", "a -", False),
        ("G (a -> X b)", "a", "b ab", True),
        ("a <-> X a", "", "a -", False),
    ],
)
def test_each_operator(formula: str, prefix: str, cycle: str, expected: bool) -> None:
    assert holds(parse_ltl(formula), word(prefix), word(cycle)) is expected


def test_an_event_leaving_a_state_is_at_the_position_of_that_state() -> None:
    # State/event LTL (Chaki, Clarke, Ouaknine, Sharygina, Sinha 2004): d leaves an r-state, and r never comes again.
    prefix, cycle = word("dr"), word("-")
    assert holds(parse_ltl("G (d -> F r)"), prefix, cycle)
    assert not holds(parse_ltl("G (d -> X F r)"), prefix, cycle)


def test_a_lasso_needs_a_cycle() -> None:
    with pytest.raises(ValueError, match="at least one position"):
        holds(parse_ltl("a"), word("a"), [])


@settings(max_examples=30)
@given(st.integers(0, 10**9))
def test_unrolling_the_cycle_changes_nothing(seed: int) -> None:
    formula = random_formula(random.Random(seed), 8)
    for prefix, cycle in list(lassos("ab", 2)):
        expected = holds(formula, prefix, cycle)
        assert holds(formula, prefix + cycle, cycle) is expected
        assert holds(formula, prefix, cycle + cycle) is expected


@settings(max_examples=30)
@given(st.integers(0, 10**9))
def test_negation_normal_form_means_the_same(seed: int) -> None:
    formula = random_formula(random.Random(seed), 8)
    same, opposite = f.negation_normal_form(formula), f.negation(formula)
    for prefix, cycle in lassos("ab", 3):
        expected = holds(formula, prefix, cycle)
        assert holds(same, prefix, cycle) is expected
        assert holds(opposite, prefix, cycle) is not expected
