"""Reachability and temporal formulas over model programs; the oracle is the same system in Promela."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import clew
from clew.cli.main import main
from clew.core.diagnostics import InputError

EXAMPLES = Path(__file__).parents[2] / "examples/python"
QUEUE = EXAMPLES / "bounded_queue.py"
FORMULAS = ("<> p", "[] <> p", "[] (p -> <> q)", "p U q", "<> [] !p", "[] (q -> X !q)", "X X p", "(<> p) -> [] q")


def systems(seed: int) -> tuple[str, str]:
    """A random graph as a model program and as a Promela model; p and q are true in some of its states."""
    chance = random.Random(seed)
    count = chance.randint(3, 5)
    arcs = sorted({(s, chance.randrange(count)) for s in range(count) for _ in range(chance.randint(0, 2))})
    p, q = (sorted(chance.sample(range(count), 2)) for _ in range(2))
    python = (
        f"from clew.model import *\nARCS = {tuple(arcs)}\ns = 0\n"
        "def after(): return [t for f, t in ARCS if f == s]\n"
        "@action\ndef Go(t: Domain('after')):\n    global s\n    s = t\n"
        f"@proposition\ndef p(): return s in {tuple(p)}\n@proposition\ndef q(): return s in {tuple(q)}\n"
        "@accepting\ndef everywhere(): return True\n"
    )
    steps = "".join(f"  :: d_step {{ s == {f}; s = {t} }}\n" for f, t in arcs) or "  :: false\n"
    either = [" || ".join(f"s == {n}" for n in where) for where in (p, q)]
    head = f"byte s;\n#define p ({either[0]})\n#define q ({either[1]})\n"
    promela = head + f"active proctype P() {{\n  end: do\n{steps}  od\n}}\n"
    return python, promela


@pytest.mark.parametrize("seed", range(12))
def test_formulas_hold_where_they_hold_in_promela(seed: int) -> None:
    python, promela = systems(seed)
    for formula in FORMULAS:
        verdicts = [
            clew.check(name, text=text, properties=[f"ltl:{formula}"], engine="reference").verdict
            for name, text in (("m.py", python), ("m.pml", promela))
        ]
        assert verdicts[0] == verdicts[1], formula


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        ("[] (Take -> X Taken)", "holds"),
        ("[] (Put(1) -> <> Taken(1))", "holds"),
        ("[] (Put(1) -> <> Taken(0))", "violated"),
        ("<> Put(_)", "holds"),
        ("[] (taking -> X !taking)", "holds"),
        ('[] ("len(items) < 3" || taking)', "violated"),
    ],
)
def test_formulas_speak_of_actions_variables_and_expressions(formula: str, verdict: str) -> None:
    assert clew.check(QUEUE, properties=[f"ltl:{formula}"]).verdict == verdict


def test_what_is_reached_holds_with_a_shortest_witness() -> None:
    found = clew.check(QUEUE, properties=["reach:len(items) == 3"])
    assert found.verdict == "holds" and len(found.trace) == 3
    never = clew.check(QUEUE, properties=["reach:len(items) == 4"])
    assert never.verdict == "violated" and not never.traces
    assert never.properties[0].evidence.text == "exhaustive: 29 states"


def test_goals_that_name_elements_are_looked_for_without_symmetry() -> None:
    """Only a search up to isomorphism could miss the states where RIGHT comes first."""
    found = clew.check(EXAMPLES / "triangle.py", properties=["reach:Side.RIGHT in colors and len(colors) == 1"])
    assert found.verdict == "holds"


def test_runs_of_formulas_replay_from_their_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = ["--runs-dir", str(tmp_path)]
    assert main(["check", *runs, "--ltl", "[] (Put(1) -> <> Taken(0))", str(QUEUE)]) == 1
    assert main(["trace", "last", "--replay", *runs]) == 0
    assert "from here on the run repeats" in capsys.readouterr().out


@pytest.mark.parametrize("given", ["ltl:[] foo", "ltl:[] (", "reach:foo > 1", "reach:1 +", "reach:Put(1)", "ltl:Put(("])
def test_what_means_nothing_is_refused(given: str) -> None:
    with pytest.raises(InputError):
        clew.check(QUEUE, properties=[given])


def test_goals_are_refused_for_other_languages() -> None:
    with pytest.raises(InputError, match="model programs only"):
        clew.check("m.pml", text="active proctype P() { skip }", properties=["reach:true"])


def test_a_goal_that_was_reached_leaves_the_others_open_and_says_how_to_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "up.py"
    model.write_text(
        "from clew.model import *\nx = 0\n@action\ndef Up():\n    global x\n    x = x + 1\n"
        "@Up.guard\ndef _():\n    return x < 3\n"
    )
    assert main(["check", "--no-run", "--reach", "x == 1", "--reach", "x == 2", str(model)]) == 2
    text = capsys.readouterr().out
    assert "x == 2  unknown  the search ended when another property was decided" in text.replace("   ", "  ")
    assert "note: --keep-going explores the rest, too" in text
