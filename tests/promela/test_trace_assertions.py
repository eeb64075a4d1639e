"""Trace and notrace assertions, decided by both engines."""

from __future__ import annotations

import random

import pytest

from bench.conformance.random_promela import generate
from bench.conformance.random_traces import with_trace
from clew.core.diagnostics import InputError
from clew.core.engines import Answer, Request, Search
from clew.core.registry import LoadOptions, load_engine
from clew.frontends.promela.language import LANGUAGE
from clew.host.compiler import find_compiler
from tests.explicit.native import QUICK

NO_COMPILER = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")
ENGINES = ["reference", pytest.param("native", marks=NO_COMPILER)]
SEARCHES: list[tuple[Search, int]] = [("bfs", 1), ("bfs", 2), ("dfs", 1)]


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled models of the tests go to a folder of their own."""
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path_factory.getbasetemp() / "clew-cache"))


def asked(engine: str, text: str, search: Search = "bfs", workers: int = 1, keep_going: bool = False) -> Answer:
    """The answer about the trace assertion of a model."""
    model = LANGUAGE.load("m.pml", text, LoadOptions())
    traced = tuple(p for p in model.properties if p.kind == "trace")
    options = {"workers": workers, "flags": QUICK} if engine == "native" else {}
    return load_engine(engine).run(Request(model.view, traced, search, keep_going=keep_going, options=options))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("automaton", "verdict"),
    [
        ("trace { do :: q!1 -> if :: q!1 :: q!2 fi :: q!2 od }", "holds"),
        ("trace { do :: q!1; q!2 od }", "violated"),
        ("trace { do :: q!_; q?_ od }", "holds"),
        ("trace { do :: q!1,2 :: q?_ od }", "violated"),  # no message has two fields
        ("notrace { q!1; q!2 }", "violated"),
        ("notrace { q!1; q!3 }", "holds"),
        ("notrace { do :: q!3 od }", "holds"),  # it has no end
    ],
)
def test_trace_assertions(engine: str, automaton: str, verdict: str) -> None:
    """Sheet 35, K7, and variations, all as in Spin."""
    text = "chan q = [1] of {byte}; active proctype P() { do :: q!1; q?1 :: q!2; q?2 od } " + automaton
    (decision,) = asked(engine, text).decisions
    assert decision.verdict == verdict


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("automaton", "verdict"),
    [
        ("trace { do :: rv!1 -> rv?1 -> box!1,2 -> box!3,_ -> box?1,2 -> box?3,4 od }", "holds"),
        ("trace { do :: rv!1 -> rv?1 -> box!1,2 -> box?1,2 -> box!3,4 od }", "violated"),
        ("trace { do :: rv?1 -> box?_,2 -> box?_,4 od }", "holds"),
        ("notrace { rv!1; rv?1; box!1,2; box!3,4; box?1,_; box?_,4 }", "violated"),
        ("notrace { rv!1; box!3,_ }", "holds"),
    ],
)
def test_trace_assertions_see_each_message_of_an_indivisible_step(engine: str, automaton: str, verdict: str) -> None:
    """In the order of the statements, the send of a handshake before its receive."""
    text = (
        "chan rv = [0] of {byte}; chan box = [2] of {byte, byte};"
        "active proctype P() { do :: atomic { rv!1; box!1,2; box!3,4 } od }"
        "active proctype Q() { byte x, y; do :: rv?x; d_step { box?x,y; box?x,y } od }"
    )
    answer = asked(engine, text + automaton)
    assert answer.decisions[0].verdict == verdict


@pytest.mark.parametrize("engine", ENGINES)
def test_a_trace_assertion_that_can_follow_a_message_in_two_ways_says_nothing(engine: str) -> None:
    """Spin: non-determinism in event-trace."""
    text = "chan q = [1] of {byte}; active proctype P() { q!1; q?1 } trace { do :: q!_ :: q!1; q!1 od }"
    (decision,) = asked(engine, text).decisions
    assert (decision.verdict, decision.reason) == ("unknown", "nothing is explored behind a run-time error")


@NO_COMPILER
@pytest.mark.parametrize("seed", [10, 15, 25])
def test_random_trace_assertions(seed: int) -> None:
    """The native engine, by one and by two workers and depth-first, says what the reference engine says, of as many
    states, and its counterexamples replay."""
    text = with_trace(generate(seed), random.Random(seed))
    assert text is not None
    expected = asked("reference", text, keep_going=True)
    for search, workers in SEARCHES:
        found = asked("native", text, search, workers, keep_going=True)
        assert found.decisions[0].verdict == expected.decisions[0].verdict
        assert found.statistics.states == expected.statistics.states
        assert found.statistics.transitions == expected.statistics.transitions


def test_a_second_trace_assertion_is_an_error() -> None:
    """As in Spin; both would have one name."""
    text = "chan q = [1] of {byte}; active proctype P() { q!1 } trace { q!1 } notrace { q!2 }"
    with pytest.raises(InputError, match="at most one trace or notrace assertion"):
        LANGUAGE.load("m.pml", text, LoadOptions())
