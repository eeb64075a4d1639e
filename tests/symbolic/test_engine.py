"""`--engine symbolic` and `--ctl` from the command line, limits, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import clew
from clew.cli.main import main
from clew.solvers.bdd import Diagrams
from clew.symbolic.explored import make_diagrams

EXAMPLES = Path(__file__).parents[2] / "examples" / "promela"
RACE = "byte x; active [2] proctype P() { byte t; t = x; x = t + 1; t = 0 }"


def _json(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, object]]:
    status = main([*arguments, "--json"])
    return status, json.loads(capsys.readouterr().out)


def test_counterexamples_are_as_short_as_those_of_the_reference_engine() -> None:
    for name in ("peterson_broken", "dining_philosophers"):
        lengths = {
            engine: len(clew.check(EXAMPLES / f"{name}.pml", engine=engine).trace)
            for engine in ("symbolic", "reference")
        }
        assert lengths["symbolic"] == lengths["reference"]


@pytest.mark.parametrize("engine", ["symbolic", "reference"])
def test_branching_formulas(engine: str) -> None:
    found = clew.check(
        "race.pml", text=RACE, engine=engine, properties=["ctl:EF (x == 1 && _nr_pr == 0)", "ctl:AF x == 2"]
    )
    assert [d.verdict for d in found.properties] == ["holds", "violated"]
    witness, counterexample = (d.trace for d in found.properties)
    assert witness is not None and counterexample is not None
    assert witness.final.values["x"] == "1"
    assert counterexample.loop == len(counterexample)  # the run ends, and its last state repeats


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "race.pml"
    model.write_text(RACE)
    status, answer = _json(capsys, "check", "--no-run", str(model), "--ctl", "AG EF x == 2")
    assert status == 1
    assert answer["properties"][0]["kind"] == "ctl"  # type: ignore[index]
    status, answer = _json(capsys, "count", "--engine", "symbolic", str(model))
    assert status == 0
    _, explicit = _json(capsys, "count", "--engine", "reference", str(model))
    assert answer["statistics"]["states"] == explicit["statistics"]["states"]  # type: ignore[index]


def test_a_saved_witness_replays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "race.pml"
    model.write_text(RACE)
    runs = ["--runs-dir", str(tmp_path / "runs")]
    assert main(["check", str(model), "--ctl", "EF x == 1 && EF x == 2", *runs]) == 0
    capsys.readouterr()
    assert main(["trace", "last", "--replay", *runs]) == 0
    shown = capsys.readouterr()
    assert "confirmed" in shown.err
    assert "another run begins" in shown.out


def test_a_formula_of_the_command_line_needs_no_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "race.pml"
    model.write_text(RACE)
    assert main(["check", "--no-run", str(model), "--ctl", "AG x == 0"]) == 1
    assert "not every initial state satisfies AG x == 0 ·" in capsys.readouterr().out


def test_an_error_in_a_formula_has_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "race.pml"
    model.write_text(RACE)
    assert main(["check", "--no-run", str(model), "--ctl", "AG (F x == 2)"]) == 3
    assert "--ctl:1" in capsys.readouterr().err
    assert main(["check", "--no-run", str(model), "--ctl", "AG nowhere == 2"]) == 3
    assert "nowhere" in capsys.readouterr().err


def test_what_has_no_form_as_a_transition_system_is_said() -> None:
    with pytest.raises(clew.InputError, match="embedded C"):
        clew.check(EXAMPLES / "ring_buffer_in_c.pml", engine="symbolic")


def test_a_time_limit_makes_the_answer_partial() -> None:
    found = clew.check(EXAMPLES / "lockfree_queue.pml", engine="symbolic", max_time=0.000001)
    assert found.verdict == "unknown"
    assert found.result.limits_hit == ("time",)
    assert not found.statistics.complete


MULTIPLIED = """
short a, b, c;
active proctype P() { do :: a++ :: b++ :: c = a * b od }
"""


def test_with_a_time_limit_memory_is_granted_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """One operation on the diagrams of a product would go on until all memory is used up."""
    granted: list[int] = []

    def noted(kind: str, memory: int, threads: int, bits: int) -> Diagrams:
        granted.append(memory)
        return make_diagrams(kind, memory, threads, bits)

    monkeypatch.setattr("clew.symbolic.explored.make_diagrams", noted)
    monkeypatch.setattr("clew.symbolic.explored.FIRST_GRANT", 1 << 18)
    found = clew.check("product.pml", text=MULTIPLIED, engine="symbolic", max_time=1000, max_memory=1 << 20)
    assert (found.verdict, found.result.limits_hit) == ("unknown", ("memory",))
    assert granted == sorted(granted) and set(granted) == {1 << 18, 1 << 20}
    found = clew.check(EXAMPLES / "lockfree_queue.pml", engine="symbolic", max_time=1000, max_memory=64 << 20)
    assert (found.verdict, found.result.limits_hit) == ("holds", ())


def test_behind_a_run_time_error_nothing_is_claimed() -> None:
    text = "byte x; active proctype P() { x = 1; x = 1 / (x - 1); x = 3 }"
    found = clew.check("division.pml", text=text, engine="symbolic", properties=["runtime-errors", "ctl:AF x == 3"])
    assert [d.verdict for d in found.properties] == ["violated", "unknown"]


def test_schedules_reach_the_same_states() -> None:
    from clew.core.engines import Request
    from clew.host.checking import ModelOptions, load_text
    from clew.symbolic.engine import ENGINE

    network = load_text("race.pml", RACE, ModelOptions(), counting=True).network
    options = [{"schedule": s} for s in ("bfs", "chain", "saturate")] + [{"diagrams": "cudd", "sift": True}]
    assert len({ENGINE.run(Request(network, options=dict(o))).statistics.states for o in options}) == 1
