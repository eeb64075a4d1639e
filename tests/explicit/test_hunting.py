"""Hunting: many searches with tables that are much too small. Sound for what is found, silent about the rest."""

from __future__ import annotations

import pytest

from clew.core.engines import Answer, Limits, Request, Search
from clew.core.hunting import Hunt, parse_hunt
from clew.core.traces import Trace
from clew.explicit.engine import ENGINE
from tests.explicit.native import NO_LIMITS, QUICK, SAFETY, needs_compiler, network

PHILOSOPHERS = """
byte fork[10];
active [10] proctype P() {
    do
    :: atomic { fork[_pid] == 0 -> fork[_pid] = 1 }; atomic { fork[(_pid + 1) % 10] == 0 -> fork[(_pid + 1) % 10] = 1 };
       fork[_pid] = 0; fork[(_pid + 1) % 10] = 0
    od
}
"""
COUNTERS = """
int xx, yy;
active proctype Inc() { do :: xx = (xx + 1) % 40 od }
active proctype Dec() { do :: yy = (yy - 1) % 40 od }
active proctype Monitor() { do :: assert(!(xx == 39 && yy == -39)) od }
"""
FINE = "byte x; active proctype P() { do :: x = (x + 1) % 50 od }"


def hunted(
    text: str,
    hunt: str = "most=400",
    search: Search = "hunt",
    workers: int = 1,
    seed: int = 0,
    limits: Limits = NO_LIMITS,
    improved: list[Trace] | None = None,
) -> Answer:
    options: dict[str, object] = {"flags": QUICK, "workers": workers, "seed": seed, "hunt": parse_hunt(hunt)}
    if improved is not None:
        options["improved"] = lambda kind, trace: improved.append(trace)
    return ENGINE.run(Request(network(text), SAFETY, search, limits, options=options))


def trace_of(answer: Answer) -> Trace:
    (decision,) = [d for d in answer.decisions if d.verdict == "violated"]
    assert decision.evidence.kind == "replayed-trace" and decision.trace is not None
    return decision.trace


@needs_compiler
@pytest.mark.parametrize(("search", "workers"), [("hunt", 1), ("hunt", 2), ("random", 2)])
def test_a_deadlock_is_found_and_its_run_gets_short(search: Search, workers: int) -> None:
    limits = Limits(seconds=2) if search == "random" else NO_LIMITS
    assert len(trace_of(hunted(PHILOSOPHERS, search=search, workers=workers, limits=limits))) <= 40


@needs_compiler
def test_a_violation_in_a_table_that_holds_a_fraction_of_the_states() -> None:
    """1,600 valuations, one of them bad, 78 steps away; found with tables of a few dozen bytes."""
    trace = trace_of(hunted(COUNTERS, "most=300,first"))
    assert len(trace) >= 78 + 1


@needs_compiler
@pytest.mark.parametrize("order", ["last", "random"])
def test_the_order_of_successors_is_a_choice(order: str) -> None:
    assert trace_of(hunted(PHILOSOPHERS, f"most=300,order={order},first"))


@needs_compiler
def test_equal_seeds_find_equal_runs() -> None:
    runs = [[step.pid for step in trace_of(hunted(PHILOSOPHERS, "first", seed=seed)).steps] for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]


@needs_compiler
def test_better_runs_are_shown_at_once() -> None:
    shown: list[Trace] = []
    last = trace_of(hunted(PHILOSOPHERS, improved=shown))
    assert shown and len(shown[-1]) >= len(last)


@needs_compiler
def test_a_hunt_that_finds_nothing_proves_nothing() -> None:
    """Even though every state was visited, without a single collision."""
    answer = hunted(FINE, "start=2000,most=2001,steps=1")
    assert {d.verdict for d in answer.decisions} == {"unknown"}
    assert "does not show" in answer.decisions[0].reason
    assert not answer.statistics.complete


@needs_compiler
def test_a_hunt_ends_when_time_is_up() -> None:
    answer = hunted(FINE, "most=100000000", limits=Limits(seconds=0.2))
    assert answer.limits_hit == ("time",)
    assert answer.decisions[0].verdict == "unknown"


def test_settings_as_they_are_written() -> None:
    assert parse_hunt("") == Hunt()
    expected = Hunt(start=5, steps=10, threshold=99, factor=1.5, most=1000, shrink=3, first=True, k=3, order="last")
    assert parse_hunt("start=5,steps=10,threshold=99,factor=1.5,most=1_000,shrink=3,first,k=3,order=last") == expected


@pytest.mark.parametrize(
    "text", ["most", "most=0", "most=x", "size=3", "order=odd", "first=maybe", "k=65", "factor=0.5"]
)
def test_settings_that_make_no_sense(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        parse_hunt(text)
