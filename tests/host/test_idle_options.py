"""An option that says nothing to a model is told: the answer would look like one for another model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clew.cli.main import main

PROMELA = "#define N 2\nbyte x; active proctype P() { do :: x < N -> x++ :: else -> break od }\n"
PYTHON = "from clew.model import *\nx = 0\n@action\ndef Up():\n    global x\n    x = (x + 1) % 3\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.pml").write_text(PROMELA)
    Path("m.py").write_text(PYTHON)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--blocking", "m.pml"], "--blocking says nothing to a model in promela"),
        (["--no-symmetry", "T", "m.pml"], "--no-symmetry says nothing to a model in promela"),
        (["--granularity", "fine", "m.py"], "--granularity says nothing to a model in python"),
        (["-D", "M=3", "m.pml"], "-D M: the name M is not in the model"),
    ],
)
@pytest.mark.parametrize("command", ["check", "count"])
def test_it_is_warned_of(command: str, words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, *words]) == 0
    assert f"warning: {said} [idle-option]" in capsys.readouterr().out
    assert main([command, "--json", *words]) == 0
    assert [found["code"] for found in json.loads(capsys.readouterr().out)["warnings"]] == ["idle-option"]


@pytest.mark.parametrize("words", [["-D", "N=3", "m.pml"], ["-D", "LOW=(x < 9)", "--ltl", "[] LOW", "m.pml"]])
def test_what_says_something_is_not(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *words]) == 0
    assert "idle-option" not in capsys.readouterr().out
