"""`--json`: one object on stdout that fits its schema (docs/json.md)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Clew, ToyEngine, WriteModel
from tests.cli.shapes import assert_fits


def without_measurements(result: dict[str, Any]) -> dict[str, Any]:
    """What must be the same in equal runs."""
    for name in ("seconds", "peak_bytes", "bytes_per_state"):
        del result["statistics"][name]
    return result


@pytest.mark.parametrize("words", [(), ("bad",), ("stuck",)])
def test_result_fits_its_schema(clew: Clew, model: WriteModel, words: tuple[str, ...]) -> None:
    answer = clew("check", "--json", model(*words))
    assert_fits(json.loads(answer.out), "result.schema.json")
    assert answer.err == ""


def test_fields_of_a_violation(clew: Clew, model: WriteModel) -> None:
    result = json.loads(clew("check", "--json", "--keep-going", model("bad")).out)
    assert result["verdict"] == "violated"
    assert result["model"] == "m.toy"
    assert result["engine"] == "reference"
    assert [(p["kind"], p["verdict"]) for p in result["properties"]] == [
        ("assertion", "violated"),
        ("deadlock", "holds"),
        ("runtime-error", "holds"),
    ]
    violated = result["properties"][0]
    assert violated["evidence"]["kind"] == "replayed-trace"
    steps = violated["trace"]["steps"]
    assert [(s["pid"], s["process"], s["text"]) for s in steps][:2] == [(1, "sender", "q!7"), (0, "receiver", "q?x")]
    assert result["statistics"]["complete"] is True


def test_equal_runs_give_equal_json(clew: Clew, model: WriteModel) -> None:
    first = json.loads(clew("check", "--json", model("bad")).out)
    second = json.loads(clew("check", "--json", model("bad")).out)
    assert without_measurements(first) == without_measurements(second)


def test_count_has_figures_and_no_properties(clew: Clew, model: WriteModel) -> None:
    answer = clew("count", "--json", "--granularity", "fine", "--max-states", "100", "--max-time", "60", model())
    result = json.loads(answer.out)
    assert_fits(result, "result.schema.json")
    assert result["properties"] == []
    assert result["verdict"] == "holds"
    # By hand: sender 0-2 steps done, receiver 0-4 after the send; the receiver (pid 0) ends after the sender.
    assert result["statistics"]["states"] == 10
    assert result["statistics"]["transitions"] == 12


def test_partial_count_is_unknown(clew: Clew, model: WriteModel) -> None:
    answer = clew("count", "--json", "--max-states", "3", model())
    result = json.loads(answer.out)
    assert (answer.status, result["verdict"], result["limits_hit"]) == (2, "unknown", ["states"])
    assert result["statistics"]["complete"] is False


def test_several_files_are_one_object(clew: Clew, model: WriteModel) -> None:
    answer = clew("check", "--json", model(name="a.toy"), model("broken", name="b.toy"))
    results = json.loads(answer.out)
    assert results["schema"] == "clew.results/1"
    good, bad = results["results"]
    assert_fits(good, "result.schema.json")
    assert bad["schema"] == "clew.diagnostics/1"
    assert (bad["model"], bad["diagnostics"][0]["line"], bad["diagnostics"][0]["column"]) == ("b.toy", 4, 3)


@pytest.mark.parametrize("command", ["check", "count"])
def test_bad_input_is_an_object_too(clew: Clew, model: WriteModel, command: str) -> None:
    answer = clew(command, "--json", model("broken"))
    assert answer.status == 3
    assert json.loads(answer.out)["diagnostics"][0]["message"] == "this is broken"
    assert "m.toy:4:3: error: this is broken" in answer.err


def test_options_are_what_was_asked(clew: Clew, model: WriteModel, toy_engine: ToyEngine) -> None:
    answer = clew(
        "check", "--json", "-D", "N=3", "-D", "FAST", "-I", "lib", "--search", "dfs", "--keep-going", "--seed", "5",
        "--workers", "4", "--max-states", "10k", "--max-depth", "1e3", "--max-memory", "2G", "--max-time", "1h30m",
        "--granularity", "fine", "--property", "deadlock", model(),
    )  # fmt: skip
    options = json.loads(answer.out)["options"]
    assert options == {
        "language": None,
        "defines": {"FAST": "1", "N": "3"},
        "include": ["lib"],
        "granularity": "fine",
        "compat": [],
        "engine": "auto",
        "properties": ["deadlock"],
        "search": "dfs",
        "keep_going": True,
        "max_states": 10_000,
        "max_depth": 1000,
        "max_memory": 2 * 1024**3,
        "max_time": 5400.0,
        "seed": 5,
        "workers": 4,
        "store": "auto",
        "ends": None,
        "fair": "none",
        "algorithm": None,
        "minimal_cycle": False,
        "hunt": "",
        "cluster": None,
        "swarm": "",
        "reduce": "auto",
        "proviso": None,
    }
    (request,) = toy_engine.asked
    assert [p.kind for p in request.properties] == ["deadlock"]
    assert (request.search, request.keep_going, request.limits.states) == ("dfs", True, 10_000)
    assert request.options == {"seed": 5, "workers": 4, "reduce": "auto"}


def test_a_formula_from_the_command_line_reaches_the_engine(
    clew: Clew, model: WriteModel, toy_engine: ToyEngine
) -> None:
    clew("check", "--property", "ltl:[] p", "--ltl", "<> q", "--property", "assertion", "--fair", "weak", model())
    assert [(p.kind, p.text) for p in toy_engine.asked[0].properties] == [
        ("ltl", "[] p"),
        ("ltl", "<> q"),
        ("assertion", "no assertion fails"),
    ]
    assert toy_engine.asked[0].options == {"fair": "weak", "reduce": "auto"}


def test_progress_as_json_lines(clew: Clew, model: WriteModel, toy_engine: ToyEngine) -> None:
    answer = clew("check", "--json", "--progress", "json", model())
    progress, saved = map(json.loads, answer.err.splitlines())
    assert progress["states"] == 5
    assert json.loads(Path(saved["run"], "result.json").read_text())["verdict"] == "holds"
    assert json.loads(answer.out)["verdict"] == "holds"


def test_lint_simulate_graph_and_doctor_have_json(clew: Clew, model: WriteModel) -> None:
    lint = json.loads(clew("lint", "--json", model("suspicious")).out)
    assert lint["diagnostics"][0]["severity"] == "warning"
    assert_fits(json.loads(clew("simulate", "--json", model()).out), "trace.schema.json")
    assert json.loads(clew("graph", "--json", model()).out)["schema"] == "clew.graph/1"
    assert json.loads(clew("doctor", "--json").out)["languages"] == ["toy"]
