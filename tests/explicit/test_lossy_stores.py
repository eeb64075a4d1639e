"""Stores that keep only hashes: exact counts with wide signatures, honest verdicts, and traces that replay."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.conformance.random_promela import generate as random_program
from clew.core.engines import Answer, Limits, Request, Search
from clew.core.stores import parse_store
from clew.explicit.engine import ENGINE
from tests.explicit.native import NO_LIMITS, QUICK, SAFETY, needs_compiler, network

pytestmark = needs_compiler

GRID = """
byte a[4]; short v[2];
active [2] proctype P() {
    do
    :: a[_pid] < 7 -> a[_pid]++; a[_pid + 2] = a[_pid] / 2
    :: a[_pid] == 7 && v[_pid] < 900 -> v[_pid] = v[_pid] + 100; a[_pid] = 0
    od
}
"""
LATE = """
byte x, y; bool done;
active proctype A() { do :: atomic { x < 40 -> x++ } :: atomic { x > 0 -> x-- } od }
active proctype B() { do :: y < 30 -> y++ :: y > 3 -> y = y - 3 :: atomic { y == 29 && x == 37 -> assert(done) } od }
"""


def searched(
    text: str, store: str, search: Search = "bfs", workers: int = 1, seed: int = 0, limits: Limits = NO_LIMITS
) -> Answer:
    options = {"flags": QUICK, "workers": workers, "seed": seed, "lossy": parse_store(store)}
    asked = Request(network(text), SAFETY, search, limits, True, options)
    if options["lossy"] is None:
        asked = replace(asked, options={"flags": QUICK, "workers": workers, "store": store})
    return ENGINE.run(asked)


def counts(answer: Answer) -> tuple[int, int]:
    return answer.statistics.states, answer.statistics.transitions


@pytest.fixture(scope="module")
def grid() -> tuple[int, int]:
    return counts(searched(GRID, "table"))


@pytest.mark.parametrize(("search", "workers"), [("bfs", 1), ("bfs", 2), ("dfs", 1), ("dfs", 2)])
def test_wide_signatures_give_exact_counts(grid: tuple[int, int], search: Search, workers: int) -> None:
    assert grid[0] > 16_384  # records are narrowed on the way
    answer = searched(GRID, "compact:cells=100_000,width=64", search, workers)
    assert counts(answer) == grid
    assert not answer.statistics.complete and answer.limits_hit == ()
    assert answer.omission is not None and answer.omission.any < 1e-10
    assert answer.omission.load == grid[0]


@pytest.mark.parametrize("hash_name", ["jenkins", "h3"])
def test_every_hash_tells_states_apart(grid: tuple[int, int], hash_name: str) -> None:
    assert counts(searched(GRID, f"compact:cells=99991,width=63,hash={hash_name}")) == grid


@pytest.mark.parametrize(
    "store", ["bitstate:bits=3333333,k=11", "blocked:bits=6666667,k=11", "compact:memory=500003,width=37"]
)
def test_any_size_will_do(grid: tuple[int, int], store: str) -> None:
    answer = searched(GRID, store, workers=2)
    assert counts(answer) == grid
    assert answer.omission is not None and answer.omission.any < 0.01


@pytest.mark.parametrize("seed", range(6100, 6108))
def test_random_programs_have_exact_counts(seed: int) -> None:
    text = random_program(seed)
    assert counts(searched(text, "compact:cells=50000,width=64")) == counts(searched(text, "table"))


@pytest.mark.parametrize("search", ["bfs", "dfs"])
def test_finding_nothing_is_unknown_with_the_chance_of_a_miss(search: Search) -> None:
    answer = searched(GRID, "compact:cells=100_000,width=48", search)
    for decision in answer.decisions:
        if decision.property.kind != "deadlock":
            assert (decision.verdict, decision.evidence.kind) == ("unknown", "omission-probability")
            assert "probability of a missed state" in decision.evidence.text


@pytest.mark.parametrize("search", ["bfs", "dfs"])
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("store", ["bitstate:bits=20011,k=2", "blocked:bits=40000,k=3", "compact:cells=20000,width=20"])
def test_what_is_found_is_replayed(search: Search, workers: int, store: str) -> None:
    answer = searched(LATE, store, search, workers)
    (decision,) = [d for d in answer.decisions if d.property.kind == "assertion"]
    assert decision.verdict == "violated" and decision.evidence.kind == "replayed-trace"
    assert decision.trace is not None and len(decision.trace) >= 67  # 37 + 29 steps to get there, then the assertion


def test_a_breadth_first_run_is_as_short_as_with_an_exact_store() -> None:
    lengths = []
    for store in ("table", "compact:cells=5000,width=64"):
        (decision,) = [d for d in searched(LATE, store).decisions if d.property.kind == "assertion"]
        assert decision.trace is not None
        lengths.append(len(decision.trace))
    assert lengths[0] == lengths[1]


@pytest.mark.parametrize("search", ["bfs", "dfs"])
def test_a_full_table_ends_the_search_cleanly(search: Search) -> None:
    answer = searched(GRID, "compact:cells=5000,width=32", search)
    assert answer.limits_hit == ("table",)
    assert answer.statistics.states <= 5000
    assert {d.verdict for d in answer.decisions if d.property.kind != "deadlock"} == {"unknown"}
    assert answer.omission is not None and answer.omission.estimate is None


def test_a_small_table_misses_about_what_is_predicted(grid: tuple[int, int]) -> None:
    answer = searched(GRID, f"bitstate:bits={4 * grid[0]},k=3")
    assert answer.omission is not None and answer.omission.estimate is not None
    missed = grid[0] - answer.statistics.states
    assert 0.02 * grid[0] < missed < 0.3 * grid[0]
    assert answer.omission.estimate == pytest.approx(grid[0], rel=0.05)
    assert any(note.startswith("next: --store") for note in answer.notes)


def test_the_recommended_run_reaches_its_goal(grid: tuple[int, int]) -> None:
    first = searched(GRID, f"bitstate:bits={6 * grid[0]},k=3").omission
    assert first is not None and first.advice is not None and first.advice.any < 1e-3
    again = searched(GRID, first.advice.option.removeprefix("--store "))
    assert again.omission is not None and again.omission.any < 1e-3
    assert counts(again) == grid


def test_equal_seeds_miss_the_same_states() -> None:
    store = "bitstate:bits=60000,k=2"
    one, again, other = (counts(searched(GRID, store, seed=seed)) for seed in (5, 5, 6))
    assert one == again != other


def test_differential_hashing_is_hashing() -> None:
    """The same states are missed whether hashes are made from those of the parents or from scratch."""
    options = {"workers": 1, "lossy": parse_store("bitstate:bits=60000,k=3,hash=h3")}
    ways = [(*QUICK,), (*QUICK, "-DHASH_H3_FULL")]
    answers = [ENGINE.run(Request(network(GRID), (), options={**options, "flags": flags})) for flags in ways]
    assert counts(answers[0]) == counts(answers[1])


def test_limits_are_kept(grid: tuple[int, int]) -> None:
    answer = searched(GRID, "bitstate:bits=1000000", limits=Limits(states=5000))
    assert answer.limits_hit == ("states",) and answer.statistics.states <= 5000
    shallow = searched(GRID, "compact:cells=100000", "dfs", limits=Limits(depth=10))
    assert shallow.limits_hit == ("depth",) and shallow.statistics.depth <= 10
    tight = searched(GRID, "bitstate:memory=64M", limits=Limits(memory=16 << 20))
    assert tight.limits_hit == ("memory",)
