"""Exit statuses: 0 holds, 1 violated, 2 unknown, 3 bad input or usage, 4 internal error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clew.cli import status
from tests.cli.conftest import Clew, ToyEngine, WriteModel
from tests.cli.shapes import assert_fits


def test_everything_holds(clew: Clew, model: WriteModel) -> None:
    assert clew("check", model()).status == 0


def test_something_is_violated(clew: Clew, model: WriteModel) -> None:
    assert clew("check", model("bad")).status == 1


def test_a_limit_was_hit(clew: Clew, model: WriteModel, toy_engine: ToyEngine) -> None:
    toy_engine.verdict, toy_engine.limits_hit = "unknown", ("states",)
    answer = clew("check", model())
    assert answer.status == 2
    assert "stopped by the limit on states (--max-states)" in answer.out


def test_a_partial_count_is_unknown_and_not_called_the_size_of_the_state_space(
    clew: Clew, model: WriteModel, toy_engine: ToyEngine
) -> None:
    toy_engine.limits_hit = ("time",)
    answer = clew("count", model())
    assert answer.status == 2
    assert "partial count, the state space is larger" in answer.out
    assert "complete" not in answer.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "usage: clew COMMAND"),
        (("chekc", "m.toy"), "unknown command 'chekc'"),
        (("check",), "the following arguments are required: FILE"),
        (("check", "--frobnicate", "m.toy"), "clew check has no option --frobnicate"),
        (("check", "--sarch", "dfs", "m.toy"), "did you mean --search?"),
        (("check", "--max-states", "none", "m.toy"), "'none' is not a positive whole number"),
        (("check", "--max-memory", "2X", "m.toy"), "'2X' is not a size such as 500M or 2G"),
        (("check", "--max-time", "soon", "m.toy"), "'soon' is not a time such as 90, 5m or 1h30m"),
        (("check", "--search", "upwards", "m.toy"), "invalid choice: 'upwards'"),
        (("check", "-D", "1=2", "m.toy"), "'1=2' is not NAME=VALUE"),
        (("check", "--language", "latin", "m.toy"), "unknown language 'latin'"),
        (("check", "--engine", "steam", "m.toy"), "unknown engine 'steam'"),
        (("check", "--property", "beauty", "m.toy"), "m.toy has no property 'beauty'"),
        (("check", "--ltl", " ", "m.toy"), "ltl: is followed by a text, and here is none"),
        (("check", "--seed", "x", "m.toy"), "'x' is not a whole number"),
        (("lint", "-o", "x.svg", "m.toy"), "-o is for --graph"),
        (("explore", "--no-browser", "--check=--sarch dfs", "m.toy"), "did you mean --search?"),
        (("explore", "--no-browser", "--check='", "m.toy"), "No closing quotation"),
        (("check", "--property", "poem:roses", "m.toy"), "unknown kind of property 'poem'"),
        (("check", "--property", "deadlock:x", "m.toy"), "is written in the model, not on the command line"),
        (("simulate",), "needs a FILE, or --trace RUN"),
        (("trace",), "there is no run yet"),
        (("trace", "nothing"), "no such run"),
        (("graph", "--what", "beauty", "m.toy"), "cannot draw 'beauty'"),
        (("graph", "--what", "process:nobody", "m.toy"), "has no process 'nobody'"),
        (("graph", "--max-states", "3", "m.toy"), "--what processes draws the automata"),
    ],
)
def test_bad_usage(clew: Clew, model: WriteModel, words: tuple[str, ...], message: str) -> None:
    model()
    answer = clew(*words)
    assert answer.status == 3
    assert message in answer.err
    assert answer.out == ""


@pytest.mark.parametrize("command", ["check", "count", "simulate", "graph", "lint"])
def test_missing_file_folder_binary_and_empty_file(clew: Clew, tmp_path: Path, command: str) -> None:
    (tmp_path / "empty.toy").write_text(" \n")
    (tmp_path / "binary.toy").write_bytes(b"\0\1\2")
    for path, message in [
        ("nowhere.toy", "nowhere.toy: error: no such file"),
        (".", ".: error: is a folder, not a model"),
        ("empty.toy", "empty.toy:1:1: error: the file is empty"),
        ("binary.toy", "binary.toy: error: is not a text file"),
    ]:
        answer = clew(command, path)
        assert answer.status == 3
        assert message in answer.err


def test_unknown_language_of_a_file(clew: Clew, tmp_path: Path) -> None:
    (tmp_path / "poem.txt").write_text("roses are red\n")
    answer = clew("check", "poem.txt")
    assert answer.status == 3
    assert "poem.txt:1:1: error: cannot tell the language of this file" in answer.err


def test_errors_in_the_model_are_shown_with_source_line_and_caret(clew: Clew, model: WriteModel) -> None:
    answer = clew("check", model("broken", "and broken again"))
    assert answer.status == 3
    assert answer.err == (
        "m.toy:4:3: error: this is broken [broken]\n"
        "    4 │ # broken\n"
        "      │   ^~~~~~\n"
        "  hint: mend it\n"
        "m.toy:5:7: error: this is broken [broken]\n"
        "    5 │ # and broken again\n"
        "      │       ^~~~~~\n"
        "  hint: mend it\n"
    )


def test_an_engine_that_refuses_says_why(clew: Clew, model: WriteModel, toy_engine: ToyEngine) -> None:
    toy_engine.refusal = "it is Sunday"
    assert "toy: it is Sunday" in clew("check", model()).err
    answer = clew("check", "--engine", "toy", model())
    assert answer.status == 3
    assert "the toy engine cannot do this: it is Sunday" in answer.err


@pytest.mark.parametrize("command", ["check", "count"])
def test_internal_error_is_one_line_and_a_crash_report(
    clew: Clew, model: WriteModel, command: str, tmp_path: Path
) -> None:
    answer = clew(command, model("crash"))
    assert answer.status == 4
    assert "internal error: RuntimeError: the toy front-end fell over" in answer.err
    assert "Traceback" not in answer.err
    (report,) = tmp_path.glob("clew-crash-*.txt")
    assert str(report) in answer.err
    assert "Traceback" in report.read_text()


@pytest.mark.parametrize("command", ["check", "count", "graph"])
def test_an_internal_error_is_an_object_with_json(clew: Clew, model: WriteModel, command: str) -> None:
    answer = clew(command, "--json", model("crash"))
    said = json.loads(answer.out)
    assert_fits(said, "diagnostics.schema.json")
    assert (answer.status, said["diagnostics"][0]["code"]) == (4, "internal")
    assert "the toy front-end fell over" in said["diagnostics"][0]["message"]


def test_debugging_shows_the_traceback(clew: Clew, model: WriteModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_DEBUG", "1")
    assert "Traceback" in clew("check", model("crash")).err


def test_running_out_of_memory_or_patience_is_unknown(clew: Clew, model: WriteModel, toy_engine: ToyEngine) -> None:
    toy_engine.failure = MemoryError()
    assert clew("check", model()).status == 2
    toy_engine.failure = KeyboardInterrupt()
    assert clew("check", model()).status == 2


def test_after_an_interrupt_the_remaining_files_are_left_alone(
    clew: Clew, model: WriteModel, toy_engine: ToyEngine
) -> None:
    toy_engine.verdict, toy_engine.limits_hit = "unknown", ("interrupt",)
    answer = clew("check", model(), model(name="n.toy"))
    assert answer.status == 2
    assert "stopped by an interrupt" in answer.out
    assert "n.toy" not in answer.out


def test_several_files_worst_first() -> None:
    assert status.worst([0, 2]) == 2
    assert status.worst([0, 2, 1]) == 1
    assert status.worst([1, 3, 2]) == 3
    assert status.worst([3, 4, 1]) == 4
    assert status.worst([]) == 0


def test_several_files_are_all_checked(clew: Clew, model: WriteModel) -> None:
    answer = clew("check", "-q", model(name="good.toy"), model("bad", name="bad.toy"), "nowhere.toy")
    assert answer.status == 3
    assert answer.out == "good.toy: holds\nbad.toy: VIOLATED assertions\n"
    assert "nowhere.toy: error: no such file" in answer.err


def test_lint_is_clean_suspicious_or_wrong(clew: Clew, model: WriteModel) -> None:
    assert clew("lint", model()).status == 0
    assert clew("lint", model("suspicious")).status == 0
    answer = clew("lint", model("broken", "suspicious"))
    assert answer.status == 1
    assert answer.out.endswith("m.toy: 1 error, 1 warning\n")


def test_how_to_ask_whether_a_condition_can_be_reached(clew: Clew, model: WriteModel) -> None:
    answer = clew("check", "--reach", "x == 3", model())
    assert answer.status == 3
    assert "--ctl 'EF (x == 3)' asks the same" in answer.err
