"""Reduction against the full search on generated programs, and against Spin's own reduced searches."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bench.por import audited, handshake_programs
from bench.por.explored import AS_SPIN, QUICK, network, searched
from bench.por.random_run import compare, compare_formulas
from bench.spin import build
from bench.spin.search import search as run_pan
from clew.core.engines import Search
from clew.explicit.reduction.generated import ProvisoName, Reduction
from tests.explicit.native import needs_compiler

pytestmark = needs_compiler

RING = """
mtype = { token, done };
chan ring[3] = [2] of { mtype, byte };
byte turns;

proctype node(chan inp, out; byte me) {
    byte n, i;
    xr inp;
    xs out;
    if
    :: me == 0 -> out!token(0)
    :: else
    fi;
    do
    :: inp?token(n) ->
        i = 0;
        do
        :: i < me -> i++
        :: else -> break
        od;
        if
        :: n < 5 -> out!token(n + 1)
        :: else -> turns++; out!done(me); break
        fi
    :: inp?done(n) -> if :: n != me -> out!done(n) :: else fi; break
    od
}

init { byte k; atomic { do :: k < 3 -> run node(ring[k], ring[(k + 1) % 3], k); k++ :: else -> break od } }
"""
HANDSHAKES = """
chan ask = [0] of { byte };
chan answer = [0] of { byte };
byte served;
active proctype server() {
    byte n, work;
    do :: ask?n; work = n; do :: work > 0 -> work-- :: else -> break od; answer!n; served = 1 - served od }
active [2] proctype client() {
    byte n, rest;
    do :: ask!2; answer?n; rest = n; do :: rest > 0 -> rest-- :: else -> break od od }
"""


@pytest.mark.parametrize("seed", [3, 8, 19, 28, 31])
def test_a_generated_program_has_the_same_errors_and_deadlocks_with_reduction(seed: int) -> None:
    results = list(compare(seed, 2))
    assert [result.difference for result in results] == ["", ""]


@pytest.mark.parametrize("seed", [5000, 5003])
def test_handshakes_in_atomic_sequences_lose_nothing(seed: int) -> None:
    results = list(compare(seed, 2, handshake_programs.generate))
    assert [result.difference for result in results] == ["", ""]


@pytest.mark.parametrize("seed", [4, 23, 30])
def test_a_generated_program_has_the_same_formulas_with_reduction(seed: int) -> None:
    results = list(compare_formulas(seed))
    assert [result.difference for result in results] == ["", ""]


@pytest.mark.skipif(shutil.which("spin") is None, reason="the peer, spin, is not installed")
@pytest.mark.parametrize("text", [RING, HANDSHAKES], ids=["ring", "handshakes"])
def test_figures_as_spin_are_those_of_spin(text: str, tmp_path: Path) -> None:
    model = tmp_path / "in" / "model.pml"
    model.parent.mkdir()
    model.write_text(text)
    assert build.generate(model, tmp_path) is None
    ways: tuple[tuple[Search, ProvisoName, tuple[str, ...]], ...] = (
        ("dfs", "stack", ("-DSAFETY",)),
        ("bfs", "queue", ("-DSAFETY", "-DBFS")),
    )
    for search, proviso, flags in ways:
        assert build.compile_pan(model, tmp_path, ("-O0",), basis=flags) is None
        report = run_pan(tmp_path, 100_000, ("-c0",), seconds=3600, megabytes=1024).report
        figures = searched(
            network(text, AS_SPIN), search, Reduction(proviso, True, search == "bfs"), flags=QUICK
        ).figures
        assert (figures["stored"], figures["transitions"] + 1) == (report.stored, report.transitions)
        assert figures["reduced"] > 0


IGNORED = """
byte g;
active proctype A() { byte i; do :: i < 3 -> i++ :: i >= 3 -> i = 0 od }
active proctype B() { g = 1; assert(g == 0) }
"""


@pytest.mark.parametrize(
    ("proviso", "status", "said"),
    [
        ("queue", 0, ["12 states, 14 transitions", "violations: assertion", "keeps what proviso queue promises"]),
        ("none", 1, ["violations: none", "states from which something is ignored for ever"]),
    ],
)
def test_a_reduced_graph_is_written_and_audited(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], proviso: str, status: int, said: list[str]
) -> None:
    model, graph = tmp_path / "ignored.pml", tmp_path / "reduced.aut"
    model.write_text(IGNORED)
    assert audited.main(["--proviso", proviso, "--write", str(graph), str(model)]) == status
    out = capsys.readouterr().out
    assert [text for text in said if text not in out] == []
    head, *edges = graph.read_text().splitlines()
    assert head == f"des (0, {len(edges)}, {12 if proviso == 'queue' else 4})"
    assert any('"all, forced"' in edge for edge in edges) == (proviso == "queue")
