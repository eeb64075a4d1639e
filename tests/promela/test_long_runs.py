"""Runs of very many steps: judged as they go by, written down in parts, replayed from the names of their steps."""

from __future__ import annotations

import json
from itertools import chain
from typing import Any

import pytest

from clew.core import chronicle, replay
from clew.core.engines import Request
from clew.core.interpreter import Move
from clew.core.packed_steps import PackedSteps
from clew.core.registry import LoadedModel, LoadOptions, load_engine
from clew.core.replay import ReplayError, replay_in
from clew.core.results import Decision
from clew.core.traces import Trace, trace_from_json, trace_to_json
from clew.frontends.promela.language import LANGUAGE
from clew.host.compiler import find_compiler
from clew.host.spaces import network_space
from clew.logic.questions import question
from clew.logic.witnesses import Lasso, rejudged, witness
from clew.report.sequence import Divider, sequence_chart
from clew.report.trace_text import TraceOptions, trace_text
from clew.report.trace_view import About, trace_view
from tests.explicit.native import QUICK

THERE_AND_BACK = """
int x; bit up = 1, begun;
active proctype P() {
  do :: x < 30 -> x++ :: x == 30 -> x = 0; break od;
  begun = 1;
  do
  :: up && x < 40 -> x++
  :: up && x == 40 -> up = 0
  :: !up && x > 0 -> x--
  :: !up && x == 0 -> up = 1
  od
}
"""
CLAIM = "never { do :: true :: x == 0 && up -> accept: do :: true od od }"


@pytest.fixture(autouse=True)
def short_runs_are_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "LONG", 60)
    monkeypatch.setattr(chronicle, "PART", 10)


def loaded(text: str, *formulas: str) -> LoadedModel:
    return LANGUAGE.load("m.pml", text, LoadOptions(formulas=formulas))


def decided(model: LoadedModel, name: str, **options: Any) -> Decision:
    asked = next(p for p in (*model.properties, *model.further) if p.name == name)
    (decision,) = load_engine("reference").run(Request(model.view, (asked,), options=options)).decisions
    return decision


def lasso() -> tuple[LoadedModel, Trace]:
    """62 steps to the start of the cycle, which has 164: two for each change of x or up."""
    model = loaded(THERE_AND_BACK, "<> [] (x > 0)")
    trace = decided(model, "<> [] (x > 0)").trace
    assert trace is not None
    return model, trace


def test_of_a_long_run_parts_are_shown() -> None:
    _, trace = lasso()
    assert trace.length == 62 + 1 + 164
    assert trace.loop is not None and trace.before_cycle == 63
    assert [step.stands_for for step in trace.steps if step.stands_for > 1] == [
        63 - 5 - 10,  # between the beginning and the start of the cycle
        trace.length - 10 - (63 + 6),  # between that and the end
    ]


def test_steps_behind_a_gap_have_their_numbers_and_values() -> None:
    _, trace = lasso()
    lines = trace_text(trace, options=TraceOptions(full=True)).splitlines()
    assert any("48 steps left out" in line for line in lines)
    assert any(line.lstrip().startswith("59 ") for line in lines)
    at_the_end = next(n for n, line in enumerate(lines) if line.lstrip().startswith(f"{trace.length} "))
    assert "up = 1" in lines[at_the_end + 1]
    assert lines[-5].strip() == "── and goes on with step 64 ──"


def test_a_chart_and_a_view_have_the_gaps() -> None:
    _, trace = lasso()
    chart = sequence_chart(trace, every_step=True)
    assert next(e.label for e in chart.events if isinstance(e, Divider)) == "… 48 steps left out"
    view = trace_view(trace, {}, About("m.pml"))
    assert len(view["steps"]) == len(trace.steps)
    assert max(event.get("step", 0) for event in view["chart"]["events"]) == len(trace.steps)


def test_a_long_run_is_replayed_from_its_saved_form() -> None:
    model, trace = lasso()
    saved = trace_from_json(json.loads(json.dumps(trace_to_json(trace))))
    assert saved == trace
    told: list[tuple[int, int]] = []
    assert replay_in(network_space(model.network), saved, lambda *how_far: told.append(how_far)).trace == trace
    wanted = question(model.view, model.properties[-1], None, "none")
    assert rejudged(model.view, wanted, saved) == trace


def test_a_long_run_that_is_none_is_refused() -> None:
    model, trace = lasso()
    assert trace.packed is not None
    wanted = question(model.view, model.properties[-1], None, "none")
    moves = [Move(*name) for name in trace.packed]  # type: ignore[arg-type]
    wrong = (*moves[:100], *moves[101:])
    with pytest.raises(ReplayError, match="step 101 cannot be taken"):
        witness(model.view, wanted, Lasso(wrong[:63], wrong[63:]))
    with pytest.raises(ReplayError, match="does not come back"):
        witness(model.view, wanted, Lasso(moves[:63], moves[63:-2]))


def test_a_formula_with_next_is_judged_on_all_letters() -> None:
    formula = "[] (x == 30 && !begun -> X X (x == 0))"
    model = loaded(THERE_AND_BACK.replace("x = 0; break", "begun = 1; x = 0; break"), formula)
    assert decided(model, formula).verdict == "violated"


@pytest.mark.parametrize(
    ("claim", "loops"),
    [
        (CLAIM, True),
        ("never { do :: !begun :: begun -> break od; do :: x < 3 :: x == 3 -> break od }", False),
        ("never { S0: if :: x % 2 == 0 -> goto accept_S1 :: x % 2 == 1 -> goto S0 fi; accept_S1: goto S0 }", True),
    ],
)
def test_claims_are_followed_along_long_runs(claim: str, loops: bool) -> None:
    decision = decided(loaded(THERE_AND_BACK + claim), "never_0")
    assert decision.verdict == "violated" and decision.trace is not None
    assert decision.trace.packed is not None
    assert (decision.trace.loop is not None) == loops


def test_a_long_run_to_a_failed_assertion() -> None:
    model = loaded(THERE_AND_BACK.replace("up = 0", "up = 0; assert(x < 40)"))
    trace = decided(model, "assertions").trace
    assert trace is not None and trace.packed is not None
    assert trace.length == len(trace.packed) > 140
    assert trace.steps[-1].note.startswith("assertion violated")


@pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")
def test_compiled_models_tell_long_runs_in_pieces() -> None:
    """3,000 times two steps, then three, on lines of at most 1,000."""
    text = "int x; active proctype P() { do :: x < 3000 -> x++ :: x == 3000 -> x = 0; assert(x > 0) od }"
    model = loaded(text, "<> [] (x == 0)")
    options = {"flags": (*QUICK, "-DTOLD_ON_A_LINE=1000")}
    wanted = tuple(p for p in model.properties if p.name in ("assertions", "<> [] (x == 0)"))
    found = load_engine("native").run(Request(model.view, wanted, options=options))
    assert [d.verdict for d in found.decisions] == ["violated", "violated"]
    assert [d.trace.length for d in found.decisions if d.trace is not None] == [6003, 6003]


def test_packed_steps_are_a_sequence() -> None:
    first, second = PackedSteps[tuple[int, int]](), PackedSteps[tuple[int, int]]()
    for name in [(0, 1), (0, 2), (0, 1)]:
        first.append(name)
    for name in [(1, 5), (0, 2)]:
        second.append(name)
    both = first.followed_by(second)
    assert list(both) == list(chain(first, second)) == [(0, 1), (0, 2), (0, 1), (1, 5), (0, 2)]
    assert list(both[1:4]) == [(0, 2), (0, 1), (1, 5)]
    assert (len(first), both[-1], first[2]) == (3, (0, 2), (0, 1))


@pytest.mark.parametrize("damage", ["AAAA", "not base 64!", ""])
def test_damaged_steps_are_refused(damage: str) -> None:
    _, trace = lasso()
    data = trace_to_json(trace)
    data["packed"]["numbers"] = damage
    with pytest.raises(ValueError, match="damaged"):
        trace_from_json(data)
