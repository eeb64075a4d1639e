"""The analysis of lossy stores: the figures of Dillinger and Manolios (SPIN 2005), from the formulas."""

from __future__ import annotations

import math

import pytest

from clew.core.omission.advice import GOAL, analyse, notes, recommend
from clew.core.omission.choosing import best_k, best_width, bytes_for, predicted
from clew.core.omission.formulas import (
    BLOCK_BITS,
    Omissions,
    bitstate,
    block_rate,
    blocked,
    compaction,
    compaction_of,
    missed_by_levels,
)
from clew.core.omission.prediction import predictions
from clew.core.stores import LossyStore, parse_store

MEMORY = 400 * 2**20 * 8  # figure 1: 400 MB


def three(value: float) -> str:
    return f"{value:.2e}"


@pytest.mark.parametrize(
    ("states", "supertrace", "tuned", "tuned_any", "signatures"),
    [
        (1e7, "1.77e-05", "5.66e-28", "5.66e-23", "1.19e-04"),
        (3e7, "4.67e-04", "3.20e-17", "9.60e-12", "1.24e-03"),
        (5e7, "2.12e-03", "1.41e-12", "7.05e-07", "4.17e-03"),
        (8e7, "8.40e-03", "1.15e-08", "9.16e-03", "1.64e-02"),
        (1e8, "1.61e-02", "5.63e-07", "4.31e-01", "5.04e-02"),
        (2e8, "1.16e-01", "1.13e-02", "1.00e+00", "1.00e+00"),
        (1e9, "6.67e+00", "4.75e+01", "1.00e+00", "1.00e+00"),
    ],
)
def test_figure_1(states: float, supertrace: str, tuned: str, tuned_any: str, signatures: str) -> None:
    assert three(100 * bitstate(states, MEMORY, 3).expected / states) == supertrace
    assert three(100 * bitstate(states, MEMORY, 24).expected / states) == tuned
    assert three(bitstate(states, MEMORY, 24).any) == tuned_any
    assert three(compaction(states, MEMORY // 32, 32).any) == signatures


def test_a_table_of_signatures_that_overflows_loses_the_rest() -> None:
    cells = MEMORY // 32
    assert cells == 104_857_600
    assert f"{100 * compaction(2e8, cells, 32).expected / 2e8:.1f}" == "47.6"
    assert f"{100 * compaction(1e9, cells, 32).expected / 1e9:.1f}" == "89.5"


def test_the_numbers_in_the_text() -> None:
    bits = {size: size * 2**20 * 8 for size in (1024, 1750)}
    assert f"{bitstate(3e8, bits[1024], 21).expected:.2f}" == "20.69"
    assert best_k("bitstate", bits[1024], 3e8) == 21
    assert f"{bitstate(3e8, bits[1750], 21).any:.4f}" == "0.0042"
    assert f"{bitstate(3e8, bits[1750], 35).any:.5f}" == "0.00073"
    assert best_k("bitstate", bits[1750], 3e8) == 35
    assert best_k("bitstate", MEMORY, 1e8) == 25


def test_wide_signatures_in_a_table_that_is_almost_full() -> None:
    assert 1e-11 < compaction(0.999e8, 10**8, 64).any < 1e-10


def test_the_bit_that_says_whether_a_cell_is_free_would_double_the_omissions() -> None:
    with_flag, without = compaction(9e7, 10**8, 31), compaction(9e7, 10**8, 32)
    assert with_flag.expected / without.expected == pytest.approx(2, rel=1e-6)


def test_where_bits_and_signatures_are_equally_good() -> None:
    """With the best settings the curves cross between 16 and 18 bits for each state."""
    shares = {
        bits: [predicted(name, bits * 10**8, 1e8).expected / 1e8 for name in ("bitstate", "compact")]
        for bits in (16, 18)
    }
    assert [three(x) for x in shares[16]] == ["4.96e-05", "5.97e-05"]
    assert [three(x) for x in shares[18]] == ["1.72e-05", "1.57e-05"]


@pytest.mark.parametrize(("n", "bits", "k"), [(200, 1000, 3), (2000, 9000, 4), (5000, 2000, 2)])
def test_the_integral_is_the_sum(n: int, bits: int, k: int) -> None:
    rates = [(1 - math.exp(-k * i / bits)) ** k for i in range(n)]
    assert bitstate(n, bits, k).expected == pytest.approx(sum(rates), rel=1e-6)
    assert bitstate(n, bits, k).any == pytest.approx(1 - math.prod(1 - rate for rate in rates), rel=1e-6)


@pytest.mark.parametrize(("n", "cells", "width"), [(50, 100, 16), (99, 100, 10), (1, 7, 4), (0, 7, 4)])
def test_compared_signatures_by_harmonic_numbers(n: int, cells: int, width: int) -> None:
    harmonic = [0.0]
    for i in range(1, cells + 2):
        harmonic.append(harmonic[-1] + 1 / i)
    comparisons = (cells + 1) * (harmonic[cells + 1] - harmonic[cells - n + 1]) - n
    assert compaction(n, cells, width).expected == pytest.approx(max(comparisons, 0) / (2**width - 1), rel=1e-9)


def test_states_that_are_missed_take_no_cell() -> None:
    """Measured with 2,000,000 random states, 2,000,003 cells of 20 bits, 100 seeds: 19.72, deviation at most 4.8."""
    assert compaction(2e6, 2_000_003, 20).expected == pytest.approx(22.89, abs=0.01)
    found = compaction_of(2e6, 2_000_003, 20).expected
    assert compaction(2e6 - found, 2_000_003, 20).expected == pytest.approx(found, rel=1e-6)
    assert abs(found - 19.72) < 3 * 4.8 / 10
    for n, cells, width in ((1e8, MEMORY // 32, 32), (0.999e8, 10**8, 64), (50, 100, 16), (0, 7, 4)):
        assert compaction_of(n, cells, width).expected == pytest.approx(compaction(n, cells, width).expected, rel=1e-4)
    assert compaction_of(2e8, MEMORY // 32, 32) == Omissions(2e8 - MEMORY // 32, 1.0)


@pytest.mark.parametrize(("states", "k"), [(1, 3), (20, 8), (64, 5), (90, 5)])
def test_a_block_misses_by_how_many_of_its_bits_are_set(states: int, k: int) -> None:
    """The exact distribution of the bits that are set by so many throws, one after the other."""
    set_bits = [1.0]
    for _ in range(states * k):
        longer = [*set_bits, 0.0]
        for n, chance in enumerate(set_bits):
            longer[n] += chance * (n / BLOCK_BITS - 1)
            longer[n + 1] += chance * (1 - n / BLOCK_BITS)
        set_bits = longer[: BLOCK_BITS + 1]
    exact = sum(chance * (n / BLOCK_BITS) ** k for n, chance in enumerate(set_bits))
    plain = (1 - (1 - 1 / BLOCK_BITS) ** (states * k)) ** k
    assert block_rate(states, k) == pytest.approx(exact, rel=2e-3)
    assert states == 1 or abs(block_rate(states, k) - exact) < abs(plain - exact) / 10


def test_more_memory_never_misses_more() -> None:
    for name in ("bitstate", "compact"):
        misses = [predicted(name, bits, 1e6).expected for bits in range(8_000_000, 40_000_000, 1_234_567)]
        assert misses == sorted(misses, reverse=True), name
    in_blocks = [blocked(1e6, bits, 6).expected for bits in (8_000_000, 9_999_999, 20_000_000)]
    assert in_blocks == sorted(in_blocks, reverse=True)


def test_nothing_is_missed_of_nothing() -> None:
    for found in (bitstate(0, 100, 3), blocked(0, 1024, 3), compaction(0, 100, 32)):
        assert (found.expected, found.any) == (0, 0)


def test_blocks_miss_more_than_a_whole_table() -> None:
    assert blocked(1e6, 10**7, 6).expected > 1.1 * bitstate(1e6, 10**7, 6).expected


def test_levels_bound_the_chance_of_missing_a_given_state() -> None:
    levels = [10, 100, 1000, 100]
    bound = missed_by_levels(levels, 2000, 32)
    assert 0 < bound < compaction(sum(levels), 2000, 32).any
    assert missed_by_levels(levels, 1000, 32) == 1.0


def test_signatures_are_as_wide_as_memory_allows() -> None:
    assert best_width(64 * 10**6, 10**6) in range(60, 65)
    assert best_width(10**6, 10**6) == 4


def test_memory_that_reaches_a_goal() -> None:
    for name in ("bitstate", "compact"):
        size = bytes_for(name, 1e6, GOAL)
        assert size is not None
        assert predicted(name, 8 * size, 1e6).any < GOAL <= predicted(name, 8 * (size // 2), 1e6).any


def test_after_a_rough_run_bits_are_recommended_after_a_tight_one_the_better() -> None:
    rough = recommend(8 * 10**8, visited=700, estimate=1000)
    assert (rough.store, rough.states) == ("bitstate", 1000)
    tight = recommend(40 * 10**6, visited=980_000, estimate=1_000_000)
    assert (tight.store, tight.states) == ("compact", 1_020_000)
    assert tight.any < GOAL


def test_what_people_are_told_of_a_run() -> None:
    store = LossyStore("bitstate", 4_000_000, k=3)
    omission = analyse(store, 950_000, 5_000_000, 2_000_000, [1, 900_000, 49_999], finished=True, full=False)
    assert omission.estimate is not None and omission.estimate > 950_000
    assert omission.reliability == "good" and omission.any == pytest.approx(1)
    said = notes(omission, goes_on=False)
    assert any("omission analysis" in line for line in said) and any(line.startswith("next: --store") for line in said)
    assert "next" not in " ".join(notes(omission, goes_on=True))
    assert analyse(store, 10, 11, 30, [], True, False).reliability == "poor"


def test_predictions_for_several_stores() -> None:
    found = predictions([10**8], MEMORY, ["bitstate:k=24", "compact:width=32"])
    assert [f"{p.any:.3g}" for p in found] == ["0.431", "0.0504"]
    with pytest.raises(ValueError, match="exact"):
        predictions([10], 1000, ["tree"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bitstate:bits=123456789,k=5", LossyStore("bitstate", 123456789, 5)),
        ("bitstate:memory=1000003", LossyStore("bitstate", 8000024, 3)),
        ("bitstate:memory=400M,expect=1e8", LossyStore("bitstate", MEMORY, 25)),
        ("blocked:memory=1k,k=8", LossyStore("blocked", 8192, 8)),
        ("compact:cells=1000,width=37", LossyStore("compact", 997, 0, 37)),
        ("compact:memory=400M,width=32", LossyStore("compact", 104_857_589, 0, 32)),
        ("bitstate:bits=64,hash=h3,sequence=double", LossyStore("bitstate", 64, 3, 0, "h3", "double")),
    ],
)
def test_stores_as_they_are_written(text: str, expected: LossyStore) -> None:
    assert parse_store(text) == expected
    assert parse_store(expected.text) == expected


@pytest.mark.parametrize("name", ["auto", "table", "tree"])
def test_exact_stores_have_no_settings(name: str) -> None:
    assert parse_store(name) is None
    with pytest.raises(ValueError, match="no settings"):
        parse_store(f"{name}:k=3")


@pytest.mark.parametrize(
    "text",
    [
        "bloom", "bitstate:k=0", "bitstate:k=65", "bitstate:width=3", "bitstate:k", "bitstate:k=3,k=4",
        "compact:width=3", "compact:width=65", "compact:memory=1M,cells=7", "bitstate:memory=", "bitstate:memory=-1",
        "bitstate:bits=x", "bitstate:hash=md5", "bitstate:sequence=odd", "compact:cells=1", "bitstate:expect=0",
    ],
)  # fmt: skip
def test_stores_that_make_no_sense(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        parse_store(text)
