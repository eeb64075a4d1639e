"""Model programs on the command line: symmetry by default, scenarios and further programs, features, text without
processes."""

from __future__ import annotations

from pathlib import Path

import pytest

import clew
from clew.cli.main import main
from clew.core.diagnostics import InputError
from clew.core.engines import Request
from clew.core.registry import LoadOptions, load_engine
from clew.frontends.modelprogram.language import LANGUAGE

from ..cli.shapes import assert_fits
from .models import TRIANGLE, load, size

EXAMPLES = Path(__file__).parents[2] / "examples/python"
QUEUE = EXAMPLES / "bounded_queue.py"

HEAD = "from clew.model import *\n"
WORKERS = HEAD + "class W(Abstract): A, B, C = range(3)\nbusy = Set()\n"
START = (
    "@action\ndef Start(w: W):\n    global busy\n    busy = busy.add(w)\n"
    "@guard('Start')\ndef _(w): return w not in busy\n"
)


def states(text: str, **switches: str) -> int:
    model = LANGUAGE.load("model.py", text, LoadOptions(switches=switches))
    return load_engine("reference").run(Request(model.view, options={"reduce": "auto"})).statistics.states


def test_symmetry_is_used_by_check_and_named_in_the_evidence() -> None:
    answer = clew.check(EXAMPLES / "philosophers.py", properties=["assertion"])
    assert answer.properties[0].evidence.text == "exhaustive: 11 states, up to isomorphism"
    assert answer.to_json()["statistics"]["reduction"]["name"] == "symmetry"
    assert_fits(answer.to_json(), "result.schema.json")


def test_count_is_plain_unless_symmetry_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", str(EXAMPLES / "philosophers.py")]) == 0
    assert main(["count", "--reduce", "symmetry", str(EXAMPLES / "philosophers.py")]) == 0
    plain, reduced = (part for part in capsys.readouterr().out.split("\n") if "states" in part)
    assert (plain.split(), reduced.split()) == (["states", "27"], ["states", "11"])


@pytest.mark.parametrize(("fixed", "classes"), [("Side", 14), ("Color", 10), ("Side,Color", 27)])
def test_types_can_be_taken_out_of_the_symmetry(fixed: str, classes: int) -> None:
    """With one type fixed, the classes are those of only the other one abstract (sheet 25: 10 and 14)."""
    assert states(TRIANGLE, **{"no-symmetry": fixed}) == classes


def test_elements_that_the_model_names_are_not_exchanged() -> None:
    assert states(WORKERS + START) == 4
    named = WORKERS + START + "@invariant\ndef first(): return not busy or W.A in busy\n"
    assert states(named) == 8
    model = load(named)
    answer = load_engine("reference").run(Request(model.view, model.properties[:1], options={"reduce": "auto"}))
    assert answer.decisions[0].verdict == "violated"
    half = WORKERS + START.replace("w: W", "w: (W.A, W.B)")
    assert states(half) == 4
    constant = WORKERS + "BOSS = W.A\n" + START.replace("w not in busy", "w not in busy and w is not BOSS")
    assert states(constant) == 4


def test_objects_may_be_there_from_the_beginning() -> None:
    text = HEAD + (
        "class Job(Instance): done = False\njobs = Set(Job(), Job())\n"
        "@action\ndef Do(j: Domain('jobs')):\n    global jobs\n    j.done = True\n    jobs = jobs.remove(j)\n"
    )
    assert size(text) == (4, 4)
    assert size(text, canonical=True) == (3, 3)


def test_objects_in_a_constant_are_refused_where_they_are() -> None:
    text = HEAD + "class Job(Instance): done = False\nJOB = Job()\n@action\ndef Do():\n    JOB.done = True\n"
    with pytest.raises(InputError) as caught:
        load(text)
    (found,) = caught.value.diagnostics
    assert (found.code, found.span.line) == ("object-outside-state", 3)


def test_an_action_that_breaks_down_leaves_no_traces() -> None:
    text = HEAD + (
        "class Job(Instance): n = 0\njobs = Set(Job())\nk = 0\n"
        "@action\ndef Break(j: Domain('jobs')):\n    j.n = 7\n    assert False\n"
        "@action\ndef Look(j: Domain('jobs')):\n    global jobs, k\n    k = j.n\n    jobs = jobs\n"
    )
    assert size(text) == (1, 1)


def test_a_scenario_restricts_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scenario = tmp_path / "once.fsm"
    scenario.write_text('FSM(0, AcceptingStates(1), Transitions(t(0, Put(1), 1)), Vocabulary("Put", "Take"))')
    assert main(["count", "--with", str(scenario), str(QUEUE)]) == 0
    assert capsys.readouterr().out.split("\n")[1].split() == ["states", "2"]


def test_a_saved_run_keeps_what_it_was_composed_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scenario = tmp_path / "once.fsm"
    scenario.write_text('FSM(0, AcceptingStates(2), Transitions(t(0, Put(1), 1)), Vocabulary("Put", "Take"))')
    runs = ["--runs-dir", str(tmp_path / "runs")]
    assert main(["check", *runs, "--with", str(scenario), str(QUEUE)]) == 1
    scenario.unlink()
    assert main(["trace", "last", "--replay", *runs]) in (0, 1)
    assert "Put(1)" in capsys.readouterr().out.rpartition("replay")[2]


def test_a_program_can_be_composed_with_another_that_uses_its_classes(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(
        HEAD + "class Job(Instance): done = False\njobs = Set()\n"
        "@action\ndef Make(j: New(Job)):\n    global jobs\n    jobs = jobs.add(j)\n"
        "@guard('Make')\ndef _(): return len(jobs) < 3\n"
    )
    (tmp_path / "limit.py").write_text(
        HEAD + "from shop import Job\njobs = 0\n@action\ndef Make(j):\n    global jobs\n    jobs += 1\n"
        "@guard('Make')\ndef _(j): return jobs < 2 and isinstance(j, Job)\n"
    )
    text = (tmp_path / "shop.py").read_text()
    model = LANGUAGE.load(str(tmp_path / "shop.py"), text, LoadOptions(composed=[str(tmp_path / "limit.py")]))
    space = model.view.fresh()  # type: ignore[union-attr]
    assert list(space.describe(*space.initial()).values) == ["shop.jobs", "limit.jobs"]
    assert load_engine("reference").run(Request(model.view)).statistics.states == 3


def test_features_are_chosen_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "light.py"
    model.write_text(
        HEAD + "class Light(ModelProgram):\n    on = False\n    @action\n    def Toggle(self): self.on = not self.on\n"
        "@feature('once')\nclass Once(ModelProgram):\n    left = 1\n    @action\n    def Toggle(self): self.left -= 1\n"
        "    @Toggle.guard\n    def _(self): return self.left > 0\n"
    )
    assert main(["check", "--no-run", str(model)]) == 0
    assert main(["check", "--no-run", "--feature", "once", str(model)]) == 1
    assert main(["check", "--no-run", "--feature", "twice", str(model)]) == 3
    assert "no feature 'twice'" in capsys.readouterr().err


def test_the_text_of_a_trace_knows_no_processes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--no-run", str(EXAMPLES / "philosophers.py")]) == 1
    text = capsys.readouterr().out
    assert "philosophers(0)" not in text and "process" not in text and "starts" not in text
    assert "new Fork(1)" in text


@pytest.mark.parametrize("command", ["graph", "simulate", "lint"])
def test_other_commands_work_on_model_programs(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = {"simulate": ["--seed", "1", "--steps", "3"]}.get(command, [])
    assert main([command, *options, str(EXAMPLES / "triangle.py")]) == 0
    assert command == "lint" or "AssignColor(" in capsys.readouterr().out


def test_objects_of_a_type_without_symmetry_keep_their_names() -> None:
    """Which of two jobs is done makes a difference, although no variable says which."""
    text = HEAD + (
        "class Job(Instance): done = False\nclass W(Abstract): A, B = range(2)\njobs = Set(Job(), Job())\nlast = None\n"
        "@action\ndef Do(j: Domain('jobs'), w: W):\n"
        "    global jobs, last\n    j.done = True\n    last = w\n    jobs = jobs\n"
        "@guard('Do')\ndef _(j): return not j.done\n"
    )
    for compiled in (True, False):
        assert size(text, canonical=True, compiled=compiled)[0] == 3  # none, one, two are done
        assert size(text, canonical=True, compiled=compiled, fixed=["Job"])[0] == 4
        assert size(text, canonical=True, compiled=compiled, fixed=["Job", "W"])[0] == 7
