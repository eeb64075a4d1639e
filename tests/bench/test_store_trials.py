"""The tables of the runtime, filled with random states, against the formulas; a small version of bench/stores."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.stores.trials import time_hash, try_store
from clew.core.stores import parse_store
from tests.explicit.native import needs_compiler

pytestmark = needs_compiler


@pytest.mark.parametrize(
    ("text", "states", "seeds"),
    [
        ("bitstate:bits=80000,k=3", 20_000, 40),
        ("bitstate:bits=160003,k=5,hash=h3", 20_000, 40),
        ("bitstate:bits=160003,k=5,hash=jenkins", 20_000, 40),
        ("blocked:bits=160000,k=5", 20_000, 40),
        ("compact:cells=21000,width=12", 20_000, 40),
        ("compact:cells=50000,width=9,hash=h3", 20_000, 40),
    ],
)
def test_measured_omissions_agree_with_the_formula(tmp_path: Path, text: str, states: int, seeds: int) -> None:
    """Seeds are fixed, so that this either holds or does not; it did by 3 standard errors when it was written."""
    store = parse_store(text)
    assert store is not None
    trial = try_store(tmp_path, store, states, seeds)
    assert trial.predicted.expected > 5
    assert abs(trial.errors) < 3, trial


def test_double_hashing_misses_many_times_more(tmp_path: Path) -> None:
    trials = {}
    for sequence in ("triple", "double"):
        store = parse_store(f"bitstate:bits=12000,k=16,sequence={sequence}")
        assert store is not None
        trials[sequence] = try_store(tmp_path, store, 500, 1500)
    assert trials["triple"].predicted.expected < 0.001
    assert trials["triple"].mean < 0.003 < 0.006 < trials["double"].mean


def test_differential_hashes_are_full_ones(tmp_path: Path) -> None:
    """The program compares them after a million steps of two bytes each, and fails if they differ."""
    full, differential = time_hash(tmp_path, 8, 1_000_000, "-DHASH_H3")
    assert (full["differential"], differential["differential"]) == (0, 1)
