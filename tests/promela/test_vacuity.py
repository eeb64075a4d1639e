"""Properties that hold vacuously say so, and those that do not, do not."""

from __future__ import annotations

import pytest

from tests.promela.test_temporal import ENGINES, cache, decide

__all__ = ["cache"]  # a fixture

COUNTS = "byte x; bool done; active proctype P() { do :: x < 3 -> x++ :: x == 3 -> break od; done = true }"
FOR_EVER = "byte x; chan q = [1] of { byte }; active proctype P() { do :: x = (x + 1) % 3 od }"
NEVER_7 = "vacuously: x == 7 is never true; the rest of the formula does not matter"

CASES = [
    (COUNTS, "[] (x == 7 -> <> done)", "stutter", NEVER_7),
    (COUNTS, "[] (x == 2 -> <> done)", "stutter", ""),
    (COUNTS, "[] (x == 2 -> <> done)", "infinite", "vacuously: the system has no infinite run"),
    (COUNTS, "x != 3 W x == 2", "stutter", ""),  # x is 3 later on, where the automaton does not look any more
    (COUNTS, "[] (x < 7)", "stutter", ""),  # always true, and that is what it says
    (FOR_EVER, "[] (x == 7 -> <> (x == 0))", "infinite", NEVER_7),
    (FOR_EVER, "[] <> (x == 0)", "infinite", ""),
    (
        FOR_EVER,
        "[] (q!_ -> <> (x == 1 U x == 2))",
        "stutter",
        "vacuously: q!_ is never true; the rest of the formula does not matter",
    ),
]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("text", "formula", "ends", "reason"), CASES)
def test_what_is_said_of_a_formula_that_holds(engine: str, text: str, formula: str, ends: str, reason: str) -> None:
    decision = decide(engine, text, formula, ends=ends)
    assert (decision.verdict, decision.reason) == ("holds", reason)


@pytest.mark.parametrize("engine", ENGINES)
def test_fairness_is_named_first(engine: str) -> None:
    decision = decide(engine, COUNTS, "[] (x == 7 -> <> done)", fair="weak")
    assert decision.reason == f"on weakly fair runs, {NEVER_7}"
