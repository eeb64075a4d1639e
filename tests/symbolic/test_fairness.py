"""CTL over runs that are fair to every process: by both engines, and beside formulas over single runs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import clew
from bench.symbolic.cyclic_programs import generate_cyclic
from bench.symbolic.fair_runs import compare_fair
from clew.cli.main import main
from clew.core.engines import Limits, Request
from clew.core.interpreter import NetworkSpace
from clew.core.network import Network
from clew.core.properties import Property
from clew.core.replay import ReplayError
from clew.core.results import Decision
from clew.core.temporal import Fairness
from clew.core.transition_system import TransitionSystem
from clew.host.checking import ModelOptions, load_text
from clew.logic.ctl_traces import check_fairness
from clew.logic.fixpoints import PathOperators
from clew.reference.ctl import ExplicitSets, exhausted
from clew.reference.engine import ENGINE as REFERENCE
from clew.symbolic.engine import ENGINE as SYMBOLIC
from tests.symbolic.test_ctl import asked, is_at, system

EXAMPLES = Path(__file__).parents[2] / "examples" / "promela"
ENGINES = pytest.mark.parametrize("engine", ["reference", "symbolic"])

# B can move at every other state of the cycle of A: fair to it only if fairness is weak.
NOW_AND_THEN = """byte x, done; active proctype A() { do :: x = 1 - x od }
    active proctype B() { x == 1 -> done = 1 }"""
ALL_THE_TIME = NOW_AND_THEN.replace("x == 1 ->", "true ->")


def network(text: str) -> Network:
    return load_text("m.pml", text, ModelOptions(language="promela"), counting=True).network


def decided(text: str, formula: str, fair: Fairness, engine: str) -> Decision:
    found = clew.check("m.pml", text=text, engine=engine, fair=fair, properties=[f"ctl:{formula}"])
    (decision,) = found.properties
    return decision


@ENGINES
def test_weak_and_strong(engine: str) -> None:
    verdicts = {
        (text, fair): decided(text, "AF done == 1", fair, engine).verdict
        for text in (NOW_AND_THEN, ALL_THE_TIME)
        for fair in ("none", "weak", "strong")
    }
    assert [verdicts[NOW_AND_THEN, fair] for fair in ("none", "weak", "strong")] == ["violated", "violated", "holds"]
    assert [verdicts[ALL_THE_TIME, fair] for fair in ("none", "weak", "strong")] == ["violated", "holds", "holds"]


@ENGINES
def test_a_handshake_is_a_move_of_its_sender(engine: str) -> None:
    """Only senders can be treated unfairly by handshakes: S by itself may choose the same message for ever; T, who has
    no other, can send it only where R waits, and so again and again but not all the time."""
    receiver = "active proctype R() { do :: c?0; got = 0 :: c?1 -> got = 1 od }"
    one = f"chan c = [0] of {{ bit }}; bit got; active proctype S() {{ do :: c!0 :: c!1 od }} {receiver}"
    two = one.replace(":: c!1 od }", "od } active proctype T() { c!1 }")
    assert decided(one, "AF got == 1", "strong", engine).verdict == "violated"
    assert decided(two, "AF got == 1", "weak", engine).verdict == "violated"
    assert decided(two, "AF got == 1", "strong", engine).verdict == "holds"


@ENGINES
def test_a_move_inside_the_sequence_of_another_counts(engine: str) -> None:
    """B can always set y, and is treated fairly without it: each step of A gives control to B, who moves, too."""
    text = """chan c = [0] of { bit }; bit x, y; active proctype A() { do :: atomic { c!0; skip } od }
        active proctype B() { do :: atomic { c?0; if :: x = 0 :: x = 1 fi } :: y = 1 od }"""
    found = decided(text, "AF y == 1", "weak", engine)
    assert found.verdict == "violated" and found.trace is not None
    assert {step.pid for step in found.trace.steps} == {0, 1}
    (linear,) = clew.check("m.pml", text=text, fair="weak", properties=["ltl:<> (y == 1)"]).properties
    assert linear.verdict == "violated"
    alone = text.replace("atomic { c?0; if :: x = 0 :: x = 1 fi }", "c?0")
    assert decided(alone, "AF y == 1", "weak", engine).verdict == "holds"  # the handshake is a move of A


@ENGINES
def test_a_run_that_ends_is_fair(engine: str) -> None:
    text = "byte x; active proctype P() { if :: x = 1 :: x = 2 fi }"
    found = decided(text, "AF x == 2", "strong", engine)
    assert found.verdict == "violated"
    assert found.trace is not None and found.trace.loop == len(found.trace)


@ENGINES
def test_what_some_run_begins_with_is_the_same(engine: str) -> None:
    """Whatever has happened, a run can go on fairly: EX, EF and AG are as without fairness."""
    for formula, verdict in (("EF done == 1", "holds"), ("AG done == 0", "violated"), ("EX x == 1", "holds")):
        found = {decided(NOW_AND_THEN, formula, fair, engine).verdict for fair in ("none", "weak", "strong")}
        assert found == {verdict}


@pytest.mark.parametrize("strong", [False, True])
def test_every_state_begins_a_fair_run(strong: bool) -> None:
    for seed in range(8):
        space = NetworkSpace(network(generate_cyclic(seed)))
        graph, _ = exhausted(space, Limits(states=500), fair="strong" if strong else "weak")
        sets: ExplicitSets[object] = ExplicitSets(graph, space, lambda atom, state: False)
        if graph.processes is not None:
            fair = PathOperators(sets, "stutter", turns=sets.turns(strong))
            assert fair.always(sets.everything) == sets.everything


@ENGINES
@pytest.mark.parametrize("fair", ["weak", "strong"])
def test_a_counterexample_is_a_fair_cycle(engine: str, fair: Fairness) -> None:
    """All three processes of the crossing move, again and again; the light is not green for ever."""
    text = (EXAMPLES / "traffic_light.pml").read_text()
    found = decided(text, "AF AG north == green", fair, engine)
    assert found.verdict == "violated" and found.trace is not None and found.trace.loop is not None
    assert {step.pid for step in found.trace.steps[found.trace.loop :]} == {0, 1, 2}


def test_an_unfair_cycle_is_refused() -> None:
    """What no search should find is no longer taken for a counterexample when it is replayed."""
    trace = decided(ALL_THE_TIME, "AF done == 1", "none", "reference").trace
    assert trace is not None and trace.loop is not None
    space = NetworkSpace(network(ALL_THE_TIME))
    check_fairness(space, trace, "none")
    for fair in ("weak", "strong"):
        with pytest.raises(ReplayError, match="not fair to process 1"):
            check_fairness(space, trace, fair)  # type: ignore[arg-type]


def test_a_saved_fair_cycle_replays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, runs = tmp_path / "m.pml", ["--runs-dir", str(tmp_path / "runs")]
    model.write_text(NOW_AND_THEN)
    assert main(["check", str(model), "--ctl", "AF done == 1", "--fair", "weak", *runs]) == 1
    assert "on weakly fair runs" in capsys.readouterr().out
    assert main(["trace", "last", "--replay", *runs]) == 0
    assert "confirmed" in capsys.readouterr().err
    assert main(["check", str(model), "--ctl", "AF done == 1", "--fair", "strong", "--json", "--no-run"]) == 0
    assert json.loads(capsys.readouterr().out)["options"]["fair"] == "strong"


def test_fairness_needs_processes() -> None:
    view: TransitionSystem = replace(system([(0, 0)], is_at(0), ()))
    for engine in (REFERENCE, SYMBOLIC):
        request = Request(view, (Property("f", "ctl", "f"),), options={"fair": "weak"})
        assert engine.refuses(request) == "fairness needs a network of processes"
        assert engine.refuses(Request(view, asked(view))) is None


@pytest.mark.parametrize("fair", ["weak", "strong"])
@pytest.mark.parametrize("seed", range(1, 19))
def test_random_programs(seed: int, fair: Fairness) -> None:
    """The long run: `python -m bench.symbolic fair`."""
    found = compare_fair(network(generate_cyclic(seed)), seed, fair, states=300)
    assert found.skipped in ("", "too many states or nodes")
    assert found.disagreements == []
