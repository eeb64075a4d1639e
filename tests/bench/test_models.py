"""Which models of a folder are measured, and the sizes of our own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bench.common import child
from bench.speed.growth import MODELS
from bench.speed.models import find
from clew.core.engines import Request
from clew.core.registry import LoadedModel, LoadOptions
from clew.explicit.engine import ENGINE
from clew.frontends.promela.language import LANGUAGE
from clew.host.compiler import find_compiler

needs_spin = pytest.mark.skipif(
    shutil.which("spin") is None or shutil.which("gcc") is None, reason="spin or gcc is not installed"
)
needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")


@needs_spin
def test_a_text_is_measured_once_and_small_ones_first(tmp_path: Path) -> None:
    text = "active proctype p() { skip }\n"
    (tmp_path / "b.2.pm").write_text(text)
    (tmp_path / "b.1.pm").write_text(text + "active proctype q() { skip }\n")
    (tmp_path / "copy.pml").write_text(text)
    assert [model.name for model in find([tmp_path])] == ["b.1.pm", "b.2.pm"]


@needs_compiler
@pytest.mark.parametrize("size", [3, 4, 7])
def test_philosophers_have_as_many_states_as_the_formula_says(size: int) -> None:
    """3^N - 1 states and N (2 · 3^(N-1) - 1) transitions: the size of the largest run is foretold by it."""
    path = MODELS / "philosophers.pml"
    model = LANGUAGE.load(str(path), path.read_text(), LoadOptions(defines={"N": str(size)}))
    figures = ENGINE.run(Request(model.view, ())).statistics
    assert (figures.states, figures.transitions) == (3**size - 1, size * (2 * 3 ** (size - 1) - 1))


def echo_election(*formulas: str, **defines: str) -> LoadedModel:
    path = MODELS / "echo_election.pml"
    options = LoadOptions(defines=defines, switches={"counts": "spin"}, formulas=formulas)
    return LANGUAGE.load(str(path), path.read_text(), options)


@needs_compiler
@pytest.mark.parametrize(("next_turn", "states"), [("(turn + 1) % 3", 145_400), ("turn", 49_335)])
def test_echo_election_has_the_published_size(next_turn: str, states: int) -> None:
    """145400 states and 413351 transitions: product E of table 2 (Couvreur, Duret-Lutz, Poitrenaud, SPIN 2005)."""
    figures = ENGINE.run(Request(echo_election(NEXT=next_turn).view, ())).statistics
    assert figures.states == states
    assert states != 145_400 or figures.transitions == 413_351


@needs_compiler
@pytest.mark.parametrize(("algorithm", "transitions", "stack"), [("cou99", 365, 365), ("cvwy90", 703, 704)])
def test_a_run_is_found_before_the_system_is_built(algorithm: str, transitions: int, stack: int) -> None:
    """The figures of row E of the same table; under 1 % of the states are generated."""
    model = echo_election("false")
    asked = tuple(p for p in model.properties if p.kind == "ltl")
    answer = ENGINE.run(Request(model.view, asked, options={"algorithm": algorithm}))
    figures = answer.statistics
    assert answer.decisions[0].verdict == "violated"
    assert (figures.transitions, figures.depth) == (transitions, stack)
    assert figures.states < 1454


def test_a_child_that_uses_too_much_processor_time_is_stopped(tmp_path: Path) -> None:
    done = child.run(["sh", "-c", "while :; do :; done"], cwd=tmp_path, seconds=3600, cpu_seconds=1)
    assert done.stopped == "time"


def test_a_child_tells_what_it_used(tmp_path: Path) -> None:
    done = child.run(["sh", "-c", "echo here; exit 5"], cwd=tmp_path, seconds=3600)
    assert (done.status, done.stdout, done.stopped) == (5, "here\n", "")
    assert done.peak_bytes > 100_000


def test_a_child_is_stopped_by_its_output(tmp_path: Path) -> None:
    done = child.run(
        ["sh", "-c", "echo now; sleep 3600"], cwd=tmp_path, seconds=3000, watch=lambda piece: "now" in piece
    )
    assert done.stopped == "watch"
