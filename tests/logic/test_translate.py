"""Automata accept exactly the words on which their formula holds."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.logic import formulas as f
from clew.logic.automata import Automaton, accepts, is_empty, product
from clew.logic.degeneralize import accepting_states, one_set, state_based
from clew.logic.delay import delayed
from clew.logic.lasso import holds
from clew.logic.parse import parse_ltl
from clew.logic.stutter import is_stutter_invariant
from clew.logic.translate import translate, translate_both
from tests.logic.random_formulas import random_formula
from tests.logic.words import Lasso, lassos

WORDS = list(lassos("ab", 3))
SOME_WORDS = WORDS[::5]


def accepts_word(automaton: Automaton, word: Lasso) -> bool:
    prefix, cycle = word
    letters = prefix + cycle
    return accepts(automaton, len(letters), len(prefix), lambda atom, i: atom in letters[i])


@settings(max_examples=40)
@given(st.integers(0, 10**9))
def test_the_language_is_that_of_the_formula(seed: int) -> None:
    formula = random_formula(random.Random(seed), 8)
    automaton = translate(formula)
    assert all(accepts_word(automaton, word) is holds(formula, *word) for word in WORDS)


@settings(max_examples=40)
@given(st.integers(0, 10**9))
def test_an_automaton_and_that_of_the_negation_have_no_word_in_common(seed: int) -> None:
    automaton, opposite = translate_both(random_formula(random.Random(seed), 12, "abc"))
    assert is_empty(product(automaton, opposite()))


@settings(max_examples=40)
@given(st.integers(0, 10**9))
def test_late_guesses_change_nothing(seed: int) -> None:
    dice = random.Random(seed)
    part = random_formula(dice, 3)
    again, at_last = f.Always(f.Eventually(part)), f.Eventually(f.Always(random_formula(dice, 3)))
    for formula in (f.conjunction((again, at_last)), f.disjunction((again, at_last)), random_formula(dice, 8)):
        automaton = delayed(translate(formula))
        assert all(accepts_word(automaton, word) is holds(formula, *word) for word in WORDS)


def test_a_guess_waits_for_what_has_to_come_anyway() -> None:
    """`F G b` is guessed where `a` is true, too."""
    automaton = translate(parse_ltl("G F a && F G b"))
    diagrams = automaton.diagrams
    a, b = (diagrams.variable(automaton.atoms.index(f.proposition(name))) for name in "ab")
    early, late = (
        [e for e in one.edges[one.initial] if e.target != one.initial] for one in (automaton, delayed(automaton))
    )
    assert [edge.condition for edge in early] == [b]
    assert [edge.condition for edge in late] == [diagrams.both(a, b)]


@settings(max_examples=40)
@given(st.integers(0, 10**9))
def test_one_acceptance_set_is_enough(seed: int) -> None:
    formula = random_formula(random.Random(seed), 8)
    automaton = translate(formula)
    on_edges, on_states = one_set(automaton), state_based(automaton)
    assert on_edges.sets <= on_states.sets == 1
    accepting_states(on_states)
    for word in SOME_WORDS:
        expected = holds(formula, *word)
        assert accepts_word(on_edges, word) is expected
        assert accepts_word(on_states, word) is expected


@pytest.mark.parametrize(
    ("text", "states", "sets"),
    [
        ("false", 1, 0),
        ("true", 1, 0),
        ("G F a && G F b && G F c", 1, 3),  # one state, as many sets as conditions (Couvreur 1999)
        ("G (a -> F b)", 2, 1),
        ("F G a", 2, 1),
        ("(G F a && G F b) || (G F c && G F d)", 3, 2),  # the two halves share their sets
        ("X X X a", 5, 0),
        ("G (a -> X b)", 2, 0),
        ("F a && F b", 4, 1),
    ],
)
def test_sizes(text: str, states: int, sets: int) -> None:
    automaton = translate(parse_ltl(text))
    assert (automaton.states, automaton.sets) == (states, sets)


def test_the_result_does_not_depend_on_chance() -> None:
    texts = ["(a U b) R (c W d) && F (b M X a)", "G (a -> X (b U (c && F d)))"]
    first, second = ([translate(parse_ltl(t)).edges for t in texts] for _ in range(2))
    assert first == second


def at_most_one(names: str) -> f.Formula:
    """No two of the events at once."""
    pairs = itertools.combinations(map(f.proposition, names), 2)
    return f.conjunction(f.Or((f.Not(a), f.Not(b))) for a, b in pairs)


def test_letters_that_cannot_come_are_left_out() -> None:
    formula = parse_ltl("F (a && b) || F (c && X (a && c))")
    assert is_empty(translate(formula, at_most_one("abc")))
    automaton = translate(parse_ltl("G (a -> !b) && F c"), at_most_one("abc"))
    assert automaton.states == translate(parse_ltl("F c")).states
    guards = {cube for edges in automaton.edges for edge in edges for cube in automaton.cubes(edge)}
    assert all(positive.bit_count() + negative.bit_count() <= 1 for positive, negative in guards)


@settings(max_examples=30)
@given(st.integers(0, 10**9))
def test_leaving_letters_out_changes_nothing_for_the_others(seed: int) -> None:
    formula = random_formula(random.Random(seed), 8)
    automaton = translate(formula, at_most_one("ab"))
    for word in SOME_WORDS:
        if all(len(letter) < 2 for part in word for letter in part):
            assert accepts_word(automaton, word) is holds(formula, *word)


@pytest.mark.parametrize(
    ("text", "invariant"),
    [
        ("a U b", True),
        ("X a", False),
        ("X G F a", True),
        ("F (a && X (!a && b))", True),  # a followed by a different letter: with X, yet invariant
        ("F (a && X a)", False),
        ("G (a -> X b)", False),
        ("a && X b && !b", False),
        ("F X a", False),
    ],
)
def test_stutter_invariance(text: str, invariant: bool) -> None:
    assert is_stutter_invariant(parse_ltl(text)) is invariant


@settings(max_examples=40)
@given(st.integers(0, 10**9))
def test_stutter_invariant_formulas_do_not_see_repetitions(seed: int) -> None:
    formula = random_formula(random.Random(seed), 6)
    differ = _sees_a_repetition(lambda word: holds(formula, *word))
    if is_stutter_invariant(formula):
        assert not differ


def _sees_a_repetition(truth: Callable[[Lasso], bool]) -> bool:
    for prefix, cycle in SOME_WORDS:
        for i in range(len(prefix)):
            if truth((prefix[: i + 1] + prefix[i:], cycle)) is not truth((prefix, cycle)):
                return True
    return False
