"""Models with more states than are asked for: Clew must not be done with fewer."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.common.clew_command import ClewResult
from bench.conformance.compare import DISAGREE, TOO_LARGE, compare, settled_by_spin
from bench.conformance.spin_peer import SpinResult

LARGER = SpinResult("limit", limit="states")
MODEL = Path("m.pml")


@pytest.mark.parametrize("spin", [LARGER, SpinResult("counted", stored=1001)])
def test_clew_is_asked_about_larger_models(spin: SpinResult) -> None:
    assert settled_by_spin(spin, 1000) == ""
    assert compare(MODEL, "default", spin, ClewResult("limit", "states"), 1000).category == TOO_LARGE
    assert compare(MODEL, "default", spin, None, 1000).category == TOO_LARGE


def test_fewer_states_are_a_disagreement() -> None:
    found = compare(MODEL, "default", LARGER, ClewResult("counted", stored=45, states=45, transitions=80), 1000)
    assert (found.category, "more than 1000" in found.reason) == (DISAGREE, True)


@pytest.mark.parametrize("limit", ["time", "memory", "depth"])
def test_where_spin_counted_too_little_nothing_is_said(limit: str) -> None:
    assert settled_by_spin(SpinResult("limit", limit=limit), 1000) == TOO_LARGE
