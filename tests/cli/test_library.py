"""`import clew; clew.check(…)`."""

from __future__ import annotations

from pathlib import Path

import pytest

import clew
from tests.cli.conftest import TOY, WriteModel
from tests.cli.shapes import assert_fits


def test_a_result_and_its_trace(model: WriteModel, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    result = clew.check(model("bad"))
    assert (result.verdict, result.holds) == ("violated", False)
    result.trace.show()
    assert "✗ assertion violated: x != 7" in capsys.readouterr().out
    assert [step.text for step in result.trace.steps][:2] == ["q!7", "q?x"]
    assert_fits(result.to_json(), "result.schema.json")
    assert not (tmp_path / ".clew").exists()


def test_a_model_that_holds_has_no_trace() -> None:
    result = clew.check("m.toy", text=TOY)
    assert result.holds
    with pytest.raises(LookupError, match=r"m\.toy: holds, there is no counterexample"):
        _ = result.trace


def test_limits_and_definitions(model: WriteModel) -> None:
    assert clew.check(model(), max_states=2).verdict == "unknown"
    assert clew.check(model(), defines={"stuck": 1}).verdict == "violated"


def test_count(model: WriteModel) -> None:
    counted = clew.count(Path(model()))
    assert counted.statistics.states == 10
    assert str(counted).startswith("m.toy: complete state space")


def test_bad_input_raises(model: WriteModel) -> None:
    with pytest.raises(clew.InputError) as caught:
        clew.check(model("broken"))
    assert caught.value.diagnostics[0].span.line == 4


def test_results_render_in_notebooks(model: WriteModel) -> None:
    result = clew.check(model("bad"))
    assert result._repr_html_().startswith('<pre style="font-family: monospace">m.toy: VIOLATED')
    assert "assertion violated: x != 7" in result.trace._repr_html_()
    assert repr(result) == "<Checked m.toy: violated>"
