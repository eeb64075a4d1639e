"""Every check leaves a run that is shown and replayed without the original file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Clew, WriteModel
from tests.cli.shapes import assert_fits


def only_run(folder: Path) -> Path:
    (run,) = (path for path in folder.iterdir() if path.is_dir())
    return run


def test_a_run_has_result_trace_options_and_texts(clew: Clew, model: WriteModel, tmp_path: Path) -> None:
    clew("check", model("bad"))
    run = only_run(tmp_path / ".clew/runs")
    assert sorted(path.name for path in run.iterdir()) == [
        "model", "options.json", "result.json", "samples.json", "trace.json",
    ]  # fmt: skip
    assert_fits(json.loads((run / "result.json").read_text()), "result.schema.json")
    assert_fits(json.loads((run / "trace.json").read_text()), "trace.schema.json")
    assert (run / "model/m.toy").read_text() == (tmp_path / "m.toy").read_text()
    assert (tmp_path / ".clew/runs/last").read_text().strip() == run.name
    assert (tmp_path / ".clew/.gitignore").read_text() == "*\n"


def test_the_same_question_has_the_same_run(clew: Clew, model: WriteModel, tmp_path: Path) -> None:
    clew("check", model("bad"))
    name = only_run(tmp_path / ".clew/runs").name
    clew("check", model("bad"))
    assert only_run(tmp_path / ".clew/runs").name == name


def test_another_text_or_option_makes_another_run(clew: Clew, model: WriteModel, tmp_path: Path) -> None:
    clew("check", model())
    clew("check", model("bad"))
    clew("check", "--search", "dfs", model("bad"))
    assert len([p for p in (tmp_path / ".clew/runs").iterdir() if p.is_dir()]) == 3


def test_a_run_is_shown_and_replayed_without_the_original_file(clew: Clew, model: WriteModel, tmp_path: Path) -> None:
    clew("check", model("bad"))
    (tmp_path / "m.toy").unlink()
    shown = clew("trace")
    assert shown.status == 0
    assert "counterexample to assertions, 4 steps" in shown.out
    replayed = clew("trace", "last", "--replay")
    assert replayed.status == 0
    assert "confirmed: the reference interpreter takes the same 4 steps" in replayed.err
    assert replayed.out == shown.out
    assert clew("simulate", "--trace", "last").status == 1


@pytest.mark.parametrize("absolute", [False, True])
def test_included_files_are_saved_and_found_again(
    clew: Clew, model: WriteModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, absolute: bool
) -> None:
    (tmp_path / "sub/lib").mkdir(parents=True)
    path = tmp_path / "sub" / model('include "lib/part.toy"', name="sub/m.toy").split("/")[1]
    (tmp_path / "sub/lib/part.toy").write_text("stuck\n")
    name = str(path) if absolute else "sub/m.toy"
    assert clew("check", name).status == 1
    path.unlink()
    (tmp_path / "sub/lib/part.toy").unlink()
    answer = clew("trace", "--replay", "--json")
    assert answer.status == 0
    assert json.loads(answer.out)["reason"] == f"invalid end state: receiver(0) at {name}:3:9 waits"


def test_a_trace_that_does_not_replay_is_an_internal_error(clew: Clew, model: WriteModel, tmp_path: Path) -> None:
    clew("check", model("bad"))
    saved = only_run(tmp_path / ".clew/runs") / "trace.json"
    trace = json.loads(saved.read_text())
    trace["steps"].reverse()
    saved.write_text(json.dumps(trace))
    answer = clew("trace", "--replay")
    assert answer.status == 4
    assert "does not replay: step 1 cannot be taken" in answer.err


def test_a_run_that_holds_has_no_trace(clew: Clew, model: WriteModel) -> None:
    clew("check", model())
    answer = clew("trace")
    assert answer.status == 3
    assert "the verdict is 'holds': there is no counterexample" in answer.err


def test_runs_are_found_by_name_beginning_and_folder(clew: Clew, model: WriteModel, tmp_path: Path) -> None:
    clew("check", "--runs-dir", "kept", model("bad"))
    run = only_run(tmp_path / "kept")
    for name in (run.name, run.name[:4]):
        assert clew("trace", "--runs-dir", "kept", name).status == 0
    assert clew("trace", str(run)).status == 0
    assert clew("trace", str(run / "trace.json")).status == 0


def test_the_environment_names_the_folder(
    clew: Clew, model: WriteModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLEW_RUNS", str(tmp_path / "elsewhere"))
    clew("check", model("bad"))
    assert only_run(tmp_path / "elsewhere").name.startswith("m-")
    assert clew("trace").status == 0
    assert not (tmp_path / ".clew").exists()


def test_no_run_leaves_nothing(clew: Clew, model: WriteModel, tmp_path: Path) -> None:
    answer = clew("check", "--no-run", model("bad"))
    assert not (tmp_path / ".clew").exists()
    assert "replay:" not in answer.out


def test_a_folder_that_cannot_be_written_gives_a_warning(clew: Clew, model: WriteModel, tmp_path: Path) -> None:
    (tmp_path / "occupied").write_text("not a folder")
    answer = clew("check", "--runs-dir", "occupied", model())
    assert answer.status == 0
    assert "warning: this run cannot be saved: occupied: File exists" in answer.err


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ("{", "trace.json:1:2: error: is not JSON"),
        ("[]", "is not a JSON object"),
        ("{}", "does not say that its schema"),
    ],
)
def test_a_damaged_trace_is_bad_input(clew: Clew, model: WriteModel, tmp_path: Path, damage: str, message: str) -> None:
    clew("check", model("bad"))
    (only_run(tmp_path / ".clew/runs") / "trace.json").write_text(damage)
    answer = clew("trace")
    assert answer.status == 3
    assert message in answer.err


def test_a_trace_is_written_to_a_file(clew: Clew, model: WriteModel, tmp_path: Path) -> None:
    clew("check", model("bad"))
    answer = clew("trace", "--to", "mermaid", "-o", "t.mmd")
    assert (answer.status, answer.out) == (0, "")
    assert (tmp_path / "t.mmd").read_text().startswith("sequenceDiagram\n")
    assert clew("trace", "-o", "no/such/place").status == 3
