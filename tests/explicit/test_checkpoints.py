"""Checkpoints: a search that was stopped and goes on has the answer of one that was not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from clew.core.diagnostics import InputError
from clew.core.engines import Answer, Checkpoints, Limits, Request, Search
from clew.explicit.engine import ENGINE
from tests.explicit.native import NO_LIMITS, QUICK, SAFETY, needs_compiler, network

pytestmark = needs_compiler

COUNTERS = """
byte a[4]; short v[2];
active [2] proctype P() {
    do
    :: a[_pid] < 7 -> a[_pid]++; a[_pid + 2] = a[_pid] / 2
    :: a[_pid] == 7 && v[_pid] < 900 -> v[_pid] = v[_pid] + 100; a[_pid] = 0
    :: v[0] == 700 && v[1] == 800 -> assert(a[0] != 3)
    od
}
"""
LONG = """
int x[30]; byte n;
active [2] proctype P() {
    do
    :: atomic { n < 100 -> x[n % 30] = x[n % 30] * 7 + _pid + 1; n++ }
    :: n >= 14 -> break
    od
}
"""
CREATES = """
proctype Child(byte n) { byte v; do :: v < 3 -> v++ :: v == 3 -> break od }
init { byte i; do :: i < 6 -> run Child(i); i++ :: i == 6 -> break od }
"""


def asked(text: str, search: Search = "bfs", workers: int = 1, store: str = "auto") -> Request:
    options = {"flags": (*QUICK, "-DTREE_IS_POSSIBLE=1"), "workers": workers, "store": store}
    return Request(network(text), SAFETY, search, keep_going=True, options=options)


def with_checkpoint(request: Request, file: Path, resume: bool, limits: Limits = NO_LIMITS, workers: int = 1) -> Answer:
    options = {**request.options, "workers": workers, "checkpoint": Checkpoints(str(file), 0.0, resume)}
    return ENGINE.run(replace(request, limits=limits, options=options))


def figures(answer: Answer) -> tuple[object, ...]:
    verdicts = [(d.property.kind, d.verdict) for d in answer.decisions]
    return answer.statistics.states, answer.statistics.transitions, answer.statistics.complete, verdicts


@pytest.mark.parametrize("search", ["bfs", "dfs"])
@pytest.mark.parametrize(("before", "after"), [(1, 1), (1, 2), (2, 1), (2, 3)])
def test_a_stopped_search_goes_on_with_any_number_of_workers(
    tmp_path: Path, search: Search, before: int, after: int
) -> None:
    request, file = asked(COUNTERS, search), tmp_path / "checkpoint"
    expected = ENGINE.run(request)
    assert expected.statistics.complete and expected.statistics.states > 20_000
    stopped = with_checkpoint(request, file, False, Limits(states=9000), before)
    assert stopped.limits_hit == ("states",) and file.is_file()
    again = with_checkpoint(request, file, True, Limits(states=18_000), after)
    assert again.limits_hit == ("states",) and again.statistics.states > stopped.statistics.states
    finished = with_checkpoint(request, file, True, workers=before)
    assert figures(finished) == figures(expected)
    if search == "bfs":
        assert finished.statistics.depth == expected.statistics.depth


@pytest.mark.parametrize("most", [300, 3000, 9000])
def test_records_that_were_extended_are_kept(tmp_path: Path, most: int) -> None:
    request, file = asked(COUNTERS), tmp_path / "checkpoint"
    flags = (*request.options["flags"], "-DSAMPLE_STATES=60", "-DWORTH_EXTENDING=1")
    narrow = replace(request, options={**request.options, "flags": flags})
    with_checkpoint(narrow, file, False, Limits(states=most))
    assert figures(with_checkpoint(narrow, file, True)) == figures(ENGINE.run(request))


@pytest.mark.parametrize("search", ["bfs", "dfs"])
def test_memory_that_runs_out_loses_nothing(tmp_path: Path, search: Search) -> None:
    request, file = asked(COUNTERS.replace("900", "1900"), search), tmp_path / "checkpoint"
    stopped = with_checkpoint(request, file, False, Limits(memory=4 << 20))
    assert stopped.limits_hit == ("memory",)
    assert figures(with_checkpoint(request, file, True)) == figures(ENGINE.run(request))


@pytest.mark.parametrize("workers", [1, 2])
def test_long_records_in_a_tree_are_kept(tmp_path: Path, workers: int) -> None:
    request, file = asked(LONG, store="tree"), tmp_path / "checkpoint"
    limits = Limits(depth=15)
    expected = ENGINE.run(replace(request, limits=limits))
    assert expected.statistics.states > 16_384
    stopped = with_checkpoint(request, file, False, replace(limits, states=expected.statistics.states - 50), workers)
    assert "states" in stopped.limits_hit
    assert figures(with_checkpoint(request, file, True, limits, 2)) == figures(expected)


def test_processes_that_were_created_have_their_room(tmp_path: Path) -> None:
    request, file = asked(CREATES), tmp_path / "checkpoint"
    expected = ENGINE.run(request)
    with_checkpoint(request, file, False, Limits(states=expected.statistics.states // 2))
    assert figures(with_checkpoint(request, file, True)) == figures(expected)


def test_every_so_often(tmp_path: Path) -> None:
    """A checkpoint of a search that goes on is complete in itself."""
    request, file = asked(COUNTERS), tmp_path / "checkpoint"
    often = replace(request, options={**request.options, "checkpoint": Checkpoints(str(file), 0.001)})
    expected = ENGINE.run(often)
    assert expected.statistics.complete and file.is_file()
    assert figures(with_checkpoint(request, file, True)) == figures(expected) == figures(ENGINE.run(request))


def stopped_file(tmp_path: Path) -> Path:
    file = tmp_path / "checkpoint"
    with_checkpoint(asked(COUNTERS), file, False, Limits(states=3000))
    return file


@pytest.mark.parametrize("damage", ["cut", "flip", "head", "longer", "empty", "text"])
def test_a_damaged_checkpoint_is_refused(tmp_path: Path, damage: str) -> None:
    file = stopped_file(tmp_path)
    good = file.read_bytes()
    middle = len(good) // 2
    bad = {
        "cut": good[:middle],
        "flip": good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1 :],
        "head": good[:90] + b"\xff" + good[91:],
        "longer": good + b"more",
        "empty": b"",
        "text": b"not a checkpoint at all" * 50,
    }
    file.write_bytes(bad[damage])
    with pytest.raises(InputError, match="this checkpoint cannot be used"):
        with_checkpoint(asked(COUNTERS), file, True)


@pytest.mark.parametrize("other", ["model", "search"])
def test_a_checkpoint_of_something_else_is_refused(tmp_path: Path, other: str) -> None:
    file = stopped_file(tmp_path)
    request = asked(COUNTERS.replace("900", "800")) if other == "model" else asked(COUNTERS, "dfs")
    with pytest.raises(InputError, match="belongs to another model or search"):
        with_checkpoint(request, file, True)


def test_a_disk_that_is_full_is_told_and_the_search_goes_on() -> None:
    answer = with_checkpoint(asked(COUNTERS), Path("/proc/nowhere/checkpoint"), False, Limits(states=3000))
    assert answer.limits_hit == ("states",)
    assert any(note.startswith("no checkpoint was written") for note in answer.notes)
