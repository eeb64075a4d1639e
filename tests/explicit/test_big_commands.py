"""Lossy stores, hunts, estimates and checkpoints as a user sees them."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pytest

from tests.cli.shapes import assert_fits
from tests.explicit.command import clew_command, environment, run
from tests.explicit.native import needs_compiler

pytestmark = needs_compiler

GRID = """byte a, b, c;
active proctype A() { do :: atomic { a < 60 -> a++ } :: atomic { a == 60 -> a = 0 } od }
active proctype B() { do :: atomic { b < 40 -> b++ } :: atomic { b == 40 -> b = 0 } od }
active proctype C() { do :: atomic { c < 20 -> c++ } :: atomic { c == 20 -> c = 0 } od }
"""
STATES = 61 * 41 * 21
DEADLOCK = """byte fork[6];
active [6] proctype P() { do
    :: atomic { fork[_pid] == 0 -> fork[_pid] = 1 }; atomic { fork[(_pid + 1) % 6] == 0 -> fork[(_pid + 1) % 6] = 1 };
       fork[_pid] = 0; fork[(_pid + 1) % 6] = 0 od }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "grid.pml").write_text(GRID)
    (tmp_path / "meal.pml").write_text(DEADLOCK)
    return tmp_path


def test_a_lossy_check_is_unknown_with_advice(folder: Path) -> None:
    answer = run("check", "--json", "--store", "bitstate:memory=40k", "grid.pml", cwd=folder)
    result = json.loads(answer.stdout)
    assert_fits(result, "result.schema.json")
    assert (answer.returncode, result["verdict"]) == (2, "unknown")
    assert result["properties"][0]["evidence"]["kind"] == "omission-probability"
    omission = result["omission"]
    assert omission["store"] == "bitstate:bits=327680,k=3" and omission["visited"] == result["statistics"]["states"]
    assert omission["estimate"] == pytest.approx(STATES, rel=0.05)
    assert omission["advice"]["any"] < 1e-3


def test_a_lossy_count_is_not_called_the_size(folder: Path) -> None:
    answer = run("count", "--store", "compact:memory=1M", "grid.pml", cwd=folder)
    assert answer.returncode == 2
    assert "lossy count, states may have been missed" in answer.stdout
    assert f"{STATES:,}" in answer.stdout and "complete" not in answer.stdout


def test_an_estimate(folder: Path) -> None:
    answer = run("estimate", "--memory", "30k", "grid.pml", cwd=folder)
    assert answer.returncode == 0
    assert "next: --store" in answer.stdout and "any missed" in answer.stdout
    predicted = run("estimate", "--json", "--states", "1e8", "--memory", "400M", "--store", "bitstate:k=24", cwd=folder)
    (prediction,) = json.loads(predicted.stdout)["predictions"]
    assert f"{prediction['any']:.3f}" == "0.431"


@pytest.mark.parametrize(
    "words",
    [
        ("check", "--store", "bitstate:k=99", "grid.pml"),
        ("check", "--hunt", "most=10", "grid.pml"),
        ("check", "--search", "hunt", "--hunt", "most=none", "grid.pml"),
        ("check", "--checkpoint", "--store", "bitstate", "grid.pml"),
        ("check", "--checkpoint", "--search", "hunt", "grid.pml"),
        ("count", "--search", "hunt", "grid.pml"),
        ("estimate",),
        ("estimate", "--states", "5", "--store", "tree"),
        ("resume",),
        ("resume", "nothing"),
    ],
)
def test_what_makes_no_sense_is_refused(folder: Path, words: tuple[str, ...]) -> None:
    answer = run(*words, cwd=folder)
    assert answer.returncode == 3
    assert "error" in answer.stderr and "Traceback" not in answer.stderr


def test_a_hunt_shows_and_saves_what_it_finds(folder: Path) -> None:
    answer = run("check", "--search", "hunt", "--hunt", "most=200", "meal.pml", cwd=folder)
    assert answer.returncode == 1
    assert "found: deadlock after" in answer.stderr
    assert "VIOLATED" in answer.stdout and "hunted in" in answer.stdout
    assert run("trace", "--replay", cwd=folder).returncode == 0
    nothing = run("check", "--search", "hunt", "--hunt", "most=60", "-q", "grid.pml", cwd=folder)
    said = "grid.pml: unknown (nothing was found; a hunt does not show that there is nothing)"
    assert (nothing.returncode, nothing.stdout.strip()) == (2, said)


def test_a_search_that_was_stopped_goes_on(folder: Path) -> None:
    stopped = run("check", "--checkpoint", "--max-states", "20k", "--workers", "1", "grid.pml", cwd=folder)
    assert stopped.returncode == 2 and "to go on: clew resume last" in stopped.stdout
    (folder / "grid.pml").unlink()  # the run has it
    resumed = run("resume", "--json", cwd=folder)
    result = json.loads(resumed.stdout)
    assert_fits(result, "result.schema.json")
    assert (resumed.returncode, result["verdict"], result["statistics"]["states"]) == (0, "holds", STATES)
    assert result["statistics"]["complete"]
    again = run("resume", cwd=folder)
    assert again.returncode == 3 and "has no checkpoint" in again.stderr


def test_an_interrupt_leaves_a_checkpoint(folder: Path) -> None:
    (folder / "big.pml").write_text(GRID.replace("byte a", "short a").replace("60", "30000"))
    command = clew_command("check", "--checkpoint", "--progress", "json", "big.pml")
    child = subprocess.Popen(command, cwd=folder, env=environment(), stdout=-1, stderr=-1, text=True)
    assert child.stderr is not None
    for line in child.stderr:
        if line.startswith("{") and json.loads(line)["states"] > 0:
            break
    child.send_signal(signal.SIGINT)
    output, _ = child.communicate()
    assert child.returncode == 2 and "to go on: clew resume" in output
    resumed = run("resume", "--json", "--max-states", "1k", cwd=folder)
    before = json.loads(resumed.stdout)
    assert resumed.returncode == 2 and before["statistics"]["states"] > 1


def test_a_damaged_checkpoint_is_bad_input(folder: Path) -> None:
    run("check", "--checkpoint", "--max-states", "9k", "grid.pml", cwd=folder)
    (file,) = folder.glob(".clew/runs/*/checkpoint")
    file.write_bytes(file.read_bytes()[:-9])
    answer = run("resume", cwd=folder)
    assert answer.returncode == 3
    assert "this checkpoint cannot be used" in answer.stderr and "Traceback" not in answer.stderr
