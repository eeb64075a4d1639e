"""Formulas rewritten letter by letter, against their value on whole words."""

import random
from collections.abc import Collection, Iterable

from hypothesis import given, settings
from hypothesis import strategies as st

from clew.logic import formulas as f
from clew.logic.lasso import holds
from clew.logic.progression import Progression
from tests.logic.random_formulas import random_formula
from tests.logic.words import lassos

P, Q = f.proposition("p"), f.proposition("q")


def seen(formula: f.Formula, letters: Iterable[Collection[f.Atom]]) -> Progression:
    rest = Progression(formula)
    for letter in letters:
        rest.see(lambda atom, here=letter: atom in here)
    return rest


def test_always_is_bad_at_the_first_letter_without() -> None:
    always = f.Always(P)
    assert not seen(always, [frozenset({P}), frozenset({P, Q})]).is_bad
    assert seen(always, [frozenset({P}), frozenset({Q})]).is_bad


def test_what_may_still_come_is_never_bad() -> None:
    assert not seen(f.Eventually(P), [frozenset()] * 5).is_bad


def test_weak_until_is_bad_where_both_are_missing() -> None:
    assert seen(f.WeakUntil(P, Q), [frozenset({P}), frozenset()]).is_bad
    assert not seen(f.WeakUntil(P, Q), [frozenset({P}), frozenset({Q}), frozenset()]).is_bad


def test_next_waits_one_letter() -> None:
    assert not seen(f.Next(P), [frozenset()]).is_bad
    assert seen(f.Next(P), [frozenset({P}), frozenset()]).is_bad


@settings(max_examples=30)
@given(st.integers(0, 10**9))
def test_what_is_left_holds_of_the_rest_of_the_word(seed: int) -> None:
    formula = random_formula(random.Random(seed), 8)
    for prefix, cycle in lassos("ab", 3):
        assert holds(formula, prefix, cycle) is holds(seen(formula, prefix).left, [], cycle)
