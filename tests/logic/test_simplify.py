"""Simplification keeps the meaning and never grows a formula."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.logic import formulas as f
from clew.logic.implication import Implication
from clew.logic.lasso import holds
from clew.logic.parse import parse_ltl
from clew.logic.simplify import simplify
from tests.logic.random_formulas import random_formula
from tests.logic.words import lassos

WORDS = list(lassos("ab", 3))


@pytest.mark.parametrize(
    ("text", "simple"),
    [
        ("F F a", "F a"),
        ("F G F a", "G F a"),
        ("X G F a", "G F a"),
        ("F (a U b)", "F b"),
        ("G (a R b)", "G b"),
        ("G a && G b", "G (a && b)"),
        ("F a || F b", "F (a || b)"),
        ("G F a || G F b", "G F (a || b)"),
        ("a && (a || b)", "a"),
        ("a || (!a && b)", "a || b"),
        ("a U (b && !b)", "false"),
        ("!a U a", "F a"),
        ("a W !a", "true"),
        ("(a U b) && F b", "a U b"),
        ("(a U b) && G !b", "false"),
        ("(a U c) && (b U c)", "(a && b) U c"),
        ("X a U X b", "X (a U b)"),
        ("(a -> b) && (b -> a) && a", "b && a"),
        ("a U G a", "G a"),
        ("!(F a && !F a)", "true"),
    ],
)
def test_rules(text: str, simple: str) -> None:
    assert str(simplify(parse_ltl(text))) == simple


@settings(max_examples=60)
@given(st.integers(0, 10**9))
def test_the_simplified_formula_means_the_same_and_is_not_larger(seed: int) -> None:
    formula = random_formula(random.Random(seed), 9)
    simple = simplify(formula)
    assert f.size(simple) <= f.size(f.negation_normal_form(formula))
    assert all(holds(formula, *word) is holds(simple, *word) for word in WORDS)


@settings(max_examples=60)
@given(st.integers(0, 10**9))
def test_syntactic_answers_are_true(seed: int) -> None:
    dice = random.Random(seed)
    logic = Implication()
    a, b = (f.negation_normal_form(random_formula(dice, 4)) for _ in range(2))
    if logic.implies(a, b):
        assert all(holds(b, *word) for word in WORDS if holds(a, *word))
    for formula in (a, b):
        if logic.is_eventual(formula):
            assert all(holds(formula, *word) for word in WORDS if holds(f.Next(formula), *word))
        if logic.is_universal(formula):
            assert all(holds(f.Next(formula), *word) for word in WORDS if holds(formula, *word))
