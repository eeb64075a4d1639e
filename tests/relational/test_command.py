"""Relational models on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clew.cli.main import main
from tests.relational.models import EXAMPLES

RING, DIVERGENCE = str(EXAMPLES / "ring_token.rel"), str(EXAMPLES / "divergence.rel")


@pytest.fixture(autouse=True)
def _runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CLEW_RUNS", str(tmp_path))


def test_check_replay_and_picture(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", RING]) == 1
    assert "drop()" in capsys.readouterr().out
    assert main(["trace", "--replay"]) == 0
    assert "confirmed" in capsys.readouterr().err
    assert main(["trace", "--to", "svg"]) == 0
    assert "<svg" in capsys.readouterr().out


def test_other_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", DIVERGENCE]) == 0
    assert main(["count", DIVERGENCE]) == 0
    assert main(["simulate", "--seed", "1", "--steps", "2", DIVERGENCE]) == 0
    assert main(["graph", DIVERGENCE]) == 0
    assert "digraph" in capsys.readouterr().out
    assert main(["convert", "--to", "smv", DIVERGENCE]) == 3
    assert "cannot be written in the other language" in capsys.readouterr().err


def test_parameters_and_switches(capsys: pytest.CaptureFixture[str]) -> None:
    mutex = str(EXAMPLES / "mutex.rel")
    assert main(["check", "--no-run", "-D", "N=1", "--foreach", "declared", "--bad", "havoc", "--blocking", mutex]) == 0
    assert main(["check", "--no-run", "-D", "M=1", mutex]) == 3
    assert "there is no such parameter" in capsys.readouterr().err


def test_orders_of_variables_change_figures_and_no_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = tmp_path / "order.txt"
    listed.write_text("length list\nlabel,dependOn\n")
    said = set()
    for order in ("static", "reversed", f"@{listed}"):
        assert main(["check", "--no-run", "-D", "N=2", "--order", order, str(EXAMPLES / "topological_sort.rel")]) == 0
        said.add(next(line for line in capsys.readouterr().out.splitlines() if "nodes in" in line))
    assert len(said) == 3


def test_an_order_of_what_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--no-run", "--order", "next,holdr", RING]) == 3
    assert "there is no variable 'holdr'" in capsys.readouterr().err
    assert main(["check", "--no-run", "--order", f"@{tmp_path / 'none'}", RING]) == 3
    assert "cannot read" in capsys.readouterr().err


def test_sifting_is_for_diagrams_that_can_be_reordered(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("dd.cudd")
    nodes = []
    for further in ([], ["--sift"]):
        words = ["check", "--no-run", "-D", "N=2", "--order", "reversed", *further]
        assert main([*words, str(EXAMPLES / "topological_sort.rel")]) == 0
        nodes.append(next(line for line in capsys.readouterr().out.splitlines() if "nodes in" in line))
    assert nodes[0] != nodes[1]


def test_a_limit_on_time_is_unknown() -> None:
    path = str(EXAMPLES / "topological_sort.rel")
    assert main(["check", "--no-run", "-q", "-D", "N=5", "--max-time", "0.01", path]) == 2


def test_nothing_to_check_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Else a model whose assertions were forgotten would just hold."""
    model = tmp_path / "m.rel"
    model.write_text("bool p; toplevel void f() { p := !p; }")
    assert main(["check", "--no-run", str(model)]) == 0
    said = capsys.readouterr()
    assert "no assertion: there is nothing to check" in said.out + said.err


def test_another_meaning_of_runs_that_end_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for engine in ("relational", "enumerative"):
        words = ["check", "--no-run", "-q", "--engine", engine, str(EXAMPLES / "divergence.rel")]
        assert main([*words, "--ends", "infinite"]) == 3
        assert "a run that ends is a run" in capsys.readouterr().err
        assert main([*words, "--ends", "maximal"]) == 1


def test_fairness_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """There are no processes that it could be about, and an answer would count all runs."""
    for engine in ("relational", "enumerative"):
        assert main(["check", "--no-run", "--fair", "weak", "--engine", engine, str(EXAMPLES / "divergence.rel")]) == 3
        assert "fairness needs a network of processes" in capsys.readouterr().err


def test_a_count_says_the_depth_and_no_transitions(capsys: pytest.CaptureFixture[str]) -> None:
    """Sets of states have no number of transitions: 0 would be a figure that is wrong."""
    assert main(["count", "--json", str(EXAMPLES / "mutex.rel")]) == 0
    figures = json.loads(capsys.readouterr().out)["statistics"]
    assert (figures["states"], figures["transitions"], figures["depth"]) == (37, None, 5)
    assert main(["count", str(EXAMPLES / "mutex.rel")]) == 0
    assert "not counted" in capsys.readouterr().out


def test_a_limit_on_memory_where_variables_are_reordered(capsys: pytest.CaptureFixture[str]) -> None:
    model = str(EXAMPLES / "topological_sort.rel")
    assert main(["check", "--sift", "--max-memory", "8M", "--json", model]) == 2
    assert json.loads(capsys.readouterr().out)["limits_hit"] == ["memory"]
