"""What people see."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import clew as clew_package
from clew.cli.main import COMMANDS, main
from tests.cli.conftest import Clew, ToyEngine, WriteModel


def test_report_of_a_violation(clew: Clew, model: WriteModel) -> None:
    text = clew("check", "--keep-going", model("bad")).out
    text = re.sub(r"\d+ ms, [\d.]+ MB", "TIME, MEMORY", re.sub(r"m-\w{8}", "m-HASH", text))
    assert (
        text
        == """\
m.toy: VIOLATED assertions
  assertions      VIOLATED  assertion violated: x != 7 (m.toy:3) · replayed trace: 4 steps
  end states      holds     exhaustive: 10 states
  runtime errors  holds     exhaustive: 10 states
  10 states, 12 transitions, depth 6, TIME, MEMORY

Shortest counterexample to assertions, 4 steps
  1   sender(1)    m.toy:2  q!7  sends 7 on q
                            q = [7]
  2   receiver(0)  m.toy:3  q?x  receives 7 from q
                            x = 7  q = []
  3   receiver(0)  m.toy:3  printf("got %d", x)
                            prints got 7
  4   receiver(0)  m.toy:3  assert(x != 7)
                            ✗ assertion violated: x != 7
  final state
    x = 7  q = []
    receiver(0)  at m.toy:3  receiver: q?x; print; assert
    sender(1)    at m.toy:2  sender: q!7; end

  replay:  clew trace last --replay
  chart:   clew trace last --to chart
  run:     .clew/runs/m-HASH
"""
    )


def test_report_of_a_count(clew: Clew, model: WriteModel, toy_engine: ToyEngine) -> None:
    assert (
        clew("count", model()).out
        == """\
m.toy: complete state space
  states       5
  stored       6
  transitions  8
  depth        2
  time         250 ms
  memory       1 MB
"""
    )


def test_the_reference_engine_says_that_it_has_one_worker_only_if_asked_for_more(clew: Clew, model: WriteModel) -> None:
    note = "note: the reference engine works with one worker"
    assert note in clew("check", "--workers", "4", model()).out
    assert note not in clew("check", model()).out


def test_full_shows_all_variables(clew: Clew, model: WriteModel) -> None:
    clew("check", model("bad"))
    assert "x = 0  q = [7]" in clew("trace", "--full").out
    assert "x = 0  q = [7]" not in clew("trace").out


def test_sequence_chart_of_a_buffered_message(clew: Clew, model: WriteModel) -> None:
    clew("check", model("bad"))
    assert (
        clew("trace", "--to", "chart").out
        == """\
     receiver(0)   sender(1)
          │            │
  1       │            ○ q!7
  2       │◀┄┄ q: 7 ┄┄┄┤
  3       » got 7      │
  4       ✗            │  assertion violated: x != 7
          │            │
"""
    )


def test_random_simulation_is_repeatable(clew: Clew, model: WriteModel) -> None:
    first = clew("simulate", "--seed", "3", model("bad"))
    assert first.status == 1
    assert "✗ assertion violated: x != 7" in first.out
    assert clew("simulate", "--seed", "3", model("bad")).out == first.out


def test_simulation_stops_after_the_steps_asked_for(clew: Clew, model: WriteModel) -> None:
    answer = clew("simulate", "--steps", "1", model())
    assert answer.status == 0
    assert "stopped after 1 step\n" in answer.out


def test_quiet_simulation_prints_what_the_model_prints(clew: Clew, model: WriteModel) -> None:
    answer = clew("simulate", "-q", model())
    assert answer.out == "got 7\n"
    assert answer.err == "the run ends after 6 steps\n"


def test_interactive_simulation(clew: Clew, model: WriteModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n9\n2\nb\nb\nb\ns\nh\nq\n"))
    out = clew("simulate", "-i", model()).out
    assert "  [1] sender(1)     m.toy:2  q!7  sends 7 on q\nstep 1> " in out
    assert "step 2>   type a number from 1 to 2, or h for help\n" in out
    assert "receives 7 from q" in out
    assert "this is the beginning" in out
    assert "go back one step" in out


def test_interactive_simulation_ends_with_its_input(
    clew: Clew, model: WriteModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert clew("simulate", "-i", model()).status == 0


def test_guided_simulation_follows_a_trace_of_the_model_only(clew: Clew, model: WriteModel) -> None:
    clew("check", model("bad"))
    assert clew("simulate", "--trace", "last", model("bad")).status == 1
    answer = clew("simulate", "--trace", "last", model("stuck"))
    assert answer.status == 3
    assert "step 1 cannot be taken: sender(1) q!7" in answer.err


def test_colour_only_when_wanted(clew: Clew, model: WriteModel, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" not in clew("check", model()).out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1;32mholds\x1b[0m" in clew("check", model()).out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in clew("check", model()).out


def test_every_command_explains_itself(clew: Clew) -> None:
    assert clew("--version").out.startswith("clew ")
    assert clew("--help").out == clew("help").out
    for command in ("check", "count", "simulate", "trace", "graph", "lint", "doctor"):
        assert f"  {command} " in clew("--help").out
        answer = clew(command, "--help")
        assert answer.status == 0
        assert answer.out.startswith(f"usage: clew {command} [OPTIONS]")
        assert "examples:\n" in answer.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(clew: Clew, command: str) -> None:
    answer = clew(command, "--help")
    assert answer.status == 0
    assert answer.out.startswith(f"usage: clew {command} ")


def test_help_imports_nothing_heavy() -> None:
    """`clew --help` stays under 0.2 s because it loads neither the core, but for what makes classes, nor a library."""
    code = (
        "import sys; from clew.cli.main import COMMANDS, main; main(['check', '--help']);"
        "found = {m for m in sys.modules if m.startswith(('clew.core', 'clew.host', 'rich', 'igraph', 'json'))};"
        "assert found <= {'clew.core', 'clew.core.records'}, found"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(clew_package.__file__).parent.parent)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, env=environment)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(("words", "status"), [((), 0), (("bad",), 1)])
def test_a_reader_that_stops_early_does_not_change_the_verdict(
    model: WriteModel, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], status: int
) -> None:
    class Closed(io.StringIO):
        def flush(self) -> None:
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stdout", Closed())
    assert main(["check", model(*words)]) == status


def test_a_reader_that_stops_before_the_verdict_gets_none(model: WriteModel, monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stdout", Closed())
    assert main(["check", model()]) == 2


def test_a_text_is_not_written_under_the_name_of_a_picture(clew: Clew, model: WriteModel, tmp_path: Path) -> None:
    answer = clew("graph", model(), "-o", str(tmp_path / "states.PNG"))
    assert answer.status == 3
    assert "cannot-write" in answer.err and ".svg" in answer.err
    assert not list(tmp_path.glob("*.PNG"))


def test_a_report_is_refused_before_the_search(clew: Clew, model: WriteModel, toy_engine: ToyEngine) -> None:
    answer = clew("check", "--html", "no/such/folder/report.html", model())
    assert answer.status == 3
    assert answer.out == ""
    assert "report.html: error: cannot be written: there is no folder no/such/folder" in answer.err


def test_a_value_that_is_almost_right_is_named(clew: Clew, model: WriteModel) -> None:
    assert "did you mean bfs?" in clew("check", "--search", "bsf", model()).err
    assert "clew check --help" in clew("check", "--search", "xyz", model()).err


def test_what_is_no_model_is_told_in_a_few_lines(clew: Clew, tmp_path: Path) -> None:
    file = tmp_path / "huge.pml"
    file.write_text("x" * 100_000)
    answer = clew("check", "--language", "promela", str(file))
    assert answer.status == 3
    assert len(answer.err) < 10_000


def test_standard_input_has_a_name(clew: Clew) -> None:
    assert "hint: standard input is called /dev/stdin" in clew("check", "-").err


def test_several_files_are_counted_one_by_one(clew: Clew, model: WriteModel) -> None:
    one, other = model(), model("broken", name="broken.toy")
    answer = clew("count", "-q", one, other, one)
    assert answer.status == 3
    assert [line.split(":")[0] for line in answer.out.splitlines()] == [one, one]
    assert "broken.toy:" in answer.err
    found = json.loads(clew("count", "--json", one, other).out)
    assert [result["schema"] for result in found["results"]] == ["clew.result/1", "clew.diagnostics/1"]
