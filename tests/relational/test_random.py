"""Random models: decision diagrams against the interpreter and explicit CTL (1000 of them: bench.relational)."""

from __future__ import annotations

import pytest

from bench.relational.random_models import RandomModel
from bench.relational.random_run import compared
from clew.core.relational.interpreter import TooMuch


@pytest.mark.parametrize("seed", range(24))
def test_steps_stuck_states_and_verdicts_agree(seed: int) -> None:
    try:
        text, differences = compared(RandomModel(seed, most_bits=4), seed)
    except TooMuch as reason:
        pytest.skip(f"too large to enumerate: {reason}")
    assert differences == [], text


@pytest.mark.parametrize("seed", [0, 1, *range(4, 12)])
def test_functions_and_rarer_statements(seed: int) -> None:
    try:
        text, differences = compared(RandomModel(seed, most_bits=4, rich=True), seed)
    except TooMuch as reason:
        pytest.skip(f"too large to enumerate: {reason}")
    assert differences == [], text


@pytest.mark.parametrize("seed", [282, 284, 304])
def test_division_inside_constraints_and_temporal_operators(seed: int) -> None:
    """Models on which the two once disagreed."""
    text, differences = compared(RandomModel(seed, most_bits=5), seed)
    assert differences == [], text
