"""The same questions to Spot, if it is installed (`pip install spottl`)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from clew.logic import formulas as f
from clew.logic.degeneralize import one_set, state_based
from clew.logic.hoa import write_hoa
from clew.logic.hoa_reader import read_hoa
from clew.logic.never import never_claim
from clew.logic.parse import parse_ltl
from clew.logic.spelling import SPOT, show
from clew.logic.stutter import is_stutter_invariant
from clew.logic.translate import translate
from tests.logic.random_formulas import random_formula

spot: Any = pytest.importorskip("spot")


@pytest.mark.parametrize("seed", range(120))
def test_automata_are_equivalent(seed: int) -> None:
    formula = random_formula(random.Random(seed), 11, "abc")
    expected = spot.translate(show(formula, SPOT))
    automaton = translate(formula)
    texts = [
        write_hoa(automaton),
        write_hoa(one_set(automaton)),
        write_hoa(state_based(automaton), by_state=True),
        never_claim(automaton),
    ]
    for text in texts:
        assert spot.are_equivalent(spot.automaton(text), expected)


@pytest.mark.parametrize("seed", range(60))
def test_stutter_invariance(seed: int) -> None:
    formula = random_formula(random.Random(seed), 6)
    assert is_stutter_invariant(formula) is spot.is_stutter_invariant(spot.formula(show(formula, SPOT)))


@pytest.mark.parametrize("kind", ["Buchi", "GeneralizedBuchi", "coBuchi", "parity", "Generic"])
@pytest.mark.parametrize("text", ["G F a -> G F b", "F G a || (b U X c)", "G (a -> F b) && F G c"])
def test_reading_the_automata_of_another_tool(text: str, kind: str) -> None:
    theirs = spot.translate(text.replace("&&", "&").replace("||", "|"), kind)
    ours = spot.automaton(write_hoa(read_hoa(theirs.to_str("hoa"))))
    assert spot.are_equivalent(ours, theirs)


def test_both_read_the_same_formula() -> None:
    for text in ("a U b U c", "a -> b -> c", "G a U b", "!a U b & c | d", "a <-> b -> c", "X a R b", "F a & b"):
        ours = spot.formula(show(parse_ltl(text), SPOT))
        assert ours == spot.formula(text)
    assert spot.formula(show(f.Atom("x > 3", None), SPOT)).ap_name() == "x > 3"
