"""Ways of searching: any number of workers, breadth-first and depth-first, every store. All see the same states."""

from __future__ import annotations

import json
import subprocess

import pytest

from bench.conformance.random_promela import generate as random_program
from bench.native import FLAGS, WAYS, differences, searched
from clew.core.engines import Limits, Request, Search
from clew.explicit.generate import first_room
from clew.explicit.program import compiled
from clew.reference.engine import ENGINE as REFERENCE
from tests.explicit.native import check, explore, needs_compiler, network

pytestmark = needs_compiler

GRID = """
byte a[4]; chan q = [1] of {byte, short};
active [2] proctype P() {
    short v = _pid;
    do
    :: a[_pid] < 3 -> a[_pid]++; a[_pid + 2] = a[_pid] / 2
    :: a[_pid] == 3 && v < 500 -> q!_pid, v; v = v + 200; a[_pid] = 0
    :: q?a[_pid + 2], v -> a[_pid + 2] = 0
    od
}
"""
HUNT = """
byte x, y;
active [2] proctype P() {
    do
    :: atomic { x < 60 -> x++; if :: x % 3 == 0 -> y++ :: else -> skip; y = y + 0 fi }
    :: atomic { y > 0 && y < 40 -> y++; y-- }
    :: y == 7 -> assert(x < 21)
    od
}
"""
PHILOSOPHERS = """
byte fork[13];
active [13] proctype P() {
    do
    :: atomic { fork[_pid] == 0 -> fork[_pid] = 1 }; atomic { fork[(_pid + 1) % 13] == 0 -> fork[(_pid + 1) % 13] = 1 };
       fork[_pid] = 0; fork[(_pid + 1) % 13] = 0
    od
}
"""


def test_values_that_grow_are_kept_in_every_way() -> None:
    view = network(GRID)
    expected, room = searched(view, WAYS[0], first_room(view))
    assert isinstance(expected[0], int) and expected[0] > 10_000
    for way in WAYS[1:]:
        assert searched(view, way, room)[0] == expected, way


GROWS = """
byte f[40]; short n; byte g;
active proctype P() {
    do
    :: n < 900 -> n++; f[n / 30] = 1; f[(n / 30 * 7) % 40] = n / 64
    :: n > 200 && g < 3 -> g++
    :: n > 600 && f[3] < 50 -> f[3] = f[3] + 9
    od
}
"""


GROWS_FIGURES = (54_616, 69_044)


@pytest.mark.parametrize("way", ["--workers 1", "--workers 2", "--workers 1 --search dfs", "--workers 3 --search dfs"])
def test_records_grow_without_being_made_anew(way: str) -> None:
    """The states there are keep their places in the table."""
    view = network(GROWS)
    program = compiled(view, 12, FLAGS)
    said = subprocess.run([program, "--keep-going", *way.split()], capture_output=True, text=True, check=True).stdout
    result = json.loads(said.splitlines()[-1])
    assert result["extended"] > 0
    assert (result["states"], result["transitions"]) == GROWS_FIGURES
    if way == "--workers 1":
        counted = REFERENCE.run(Request(view, (), "bfs", Limits(), True)).statistics
        assert (counted.states, counted.transitions) == GROWS_FIGURES


LATE = """
short n; byte f[20]; byte unread;
active proctype P() {
    do
    :: n < 3000 && f[0] < 256 -> f[n % 20] = n * 37; n++
    :: n > 2900 -> unread = n
    od
}
"""


def test_what_is_no_part_of_the_key_may_show_late() -> None:
    """Once it does, records cannot be roots of a tree any more, which are compared as a whole."""
    figures, *rest = differences(network(LATE))
    assert rest == [], figures


@pytest.mark.parametrize("seed", range(5000, 5012))
def test_random_programs(seed: int) -> None:
    figures, *rest = differences(network(random_program(seed)))
    assert rest == [], figures


@pytest.mark.parametrize("workers", [2, 3, 5])
def test_a_counterexample_does_not_depend_on_the_number_of_workers(workers: int) -> None:
    one, several = (check(HUNT, workers=n) for n in (1, workers))
    traces = [next(d.trace for d in answer.decisions if d.trace is not None) for answer in (one, several)]
    assert [(s.pid, s.step) for s in traces[0].steps] == [(s.pid, s.step) for s in traces[1].steps]


def test_a_depth_first_search_by_several_says_what_is_left_to_chance() -> None:
    notes = explore(PHILOSOPHERS, search="dfs", workers=2).notes
    assert any("left to chance" in note for note in notes)
    assert not any("left to chance" in note for note in explore(PHILOSOPHERS, search="dfs", workers=1).notes)


@pytest.mark.parametrize("search", ["bfs", "dfs"])
@pytest.mark.parametrize("workers", [1, 2])
def test_a_memory_limit_is_kept(search: Search, workers: int) -> None:
    limit = 12 << 20
    answer = explore(PHILOSOPHERS, Limits(memory=limit), search=search, workers=workers)
    assert answer.limits_hit == ("memory",)
    assert answer.statistics.peak_bytes < 1.05 * limit
