"""Verdicts, replayed counterexamples, limits."""

from __future__ import annotations

import json
import signal
import subprocess

import pytest

from clew.core.diagnostics import InputError
from clew.core.engines import Limits, Progress
from clew.explicit.engine import ENGINE
from clew.explicit.program import compiled
from clew.frontends.promela.lower import Switches
from clew.reference.engine import ENGINE as REFERENCE
from tests.explicit.native import QUICK, SAFETY, check, explore, needs_compiler, network, request

pytestmark = needs_compiler

ENDLESS = "int a, b, c; active proctype P() { do :: a++ :: b++ :: c++ :: a + b + c == -1 -> break od }"


def test_a_failing_assertion_is_shown_by_a_shortest_run() -> None:
    answer = check("byte g; active proctype P() { do :: g++ :: g = g + 2 :: assert(g < 5) od }")
    decision = answer.decisions[0]
    assert decision.verdict == "violated"
    assert decision.reason == "assertion violated: g < 5"
    assert decision.trace is not None and len(decision.trace) == 4  # 2 + 2 + 1, then the assertion


def test_a_deadlock_is_shown() -> None:
    answer = check("chan q = [1] of { byte }; active proctype P() { q!1; q!2 }")
    decision = answer.decisions[1]
    assert decision.verdict == "violated"
    assert decision.trace is not None and len(decision.trace) == 1


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("chan q = [2] of {byte}; active proctype A() { q!1 }", "q"),
        ("chan q = [2] of {byte}; active proctype A() { q!1; q?_ }", ""),
        (
            "chan r = [1] of {byte}; proctype B() { chan l = [1] of {int}; l!1; r!1; end: r?9 } init { run B() }",
            "r, B(1).l",
        ),
    ],
)
def test_messages_left_at_the_end(text: str, left: str) -> None:
    """pan -q"""
    view = network(text, Switches(ends_empty=True))
    for engine in (ENGINE, REFERENCE):
        decision = engine.run(request(view, SAFETY[1:2])).decisions[0]
        assert decision.reason == (f"invalid end state: messages left in {left}" if left else "")


def test_a_handshake_in_a_run_names_both_sides() -> None:
    answer = check(
        "chan q = [0] of { byte }; byte g; active proctype S() { atomic { g = 1; q!7 } }"
        " active proctype R() { byte x; q?x; assert(x == 8) }"
    )
    trace = answer.decisions[0].trace
    assert trace is not None
    handshake = trace.steps[1]
    assert (handshake.pid, handshake.partner) == (0, 1)
    assert handshake.message is not None and handshake.message.values == ("7",)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("byte a[3], i; active proctype P() { do :: i++ :: a[i] = 1 od }", "index 3 of 'a' is out of range 0..2"),
        ("byte a[1], i; active proctype P() { do :: i++ :: i = a[i] od }", "index 1 of 'a' is out of range 0..0"),
        ("byte i = 2, g; active proctype P() { do :: i > 0 -> i-- :: g = 4 / i od }", "division by zero"),
        ("chan c; active proctype P() { c!1 }", "use of an uninitialised channel"),
        ("proctype B() { false } init { do :: run B() od }", "too many processes (at most 255)"),
    ],
)
def test_run_time_errors(text: str, reason: str) -> None:
    decision = check(text).decisions[2]
    assert (decision.verdict, decision.reason) == ("violated", reason)


def test_what_holds_rests_on_an_exhaustive_search() -> None:
    answer = check("byte g; active proctype P() { g = 1; assert(g == 1) }")
    assert [d.verdict for d in answer.decisions] == ["holds"] * 3
    assert answer.decisions[0].evidence.text == "exhaustive: 4 states"


def test_a_bad_initial_state_is_bad_input() -> None:
    with pytest.raises(InputError, match="division by zero"):
        explore("byte z; byte g = 1 / z; active proctype P() { g = 1 }")


# --- limits


def test_the_state_limit_is_exact() -> None:
    answer = explore(ENDLESS, Limits(states=20_000))
    assert (answer.statistics.states, answer.limits_hit) == (20_000, ("states",))
    assert not answer.statistics.complete


def test_the_depth_limit() -> None:
    answer = check(ENDLESS, limits=Limits(depth=3))
    assert (answer.statistics.depth, answer.limits_hit) == (3, ("depth",))
    assert answer.statistics.states == 20  # a + b + c <= 3
    assert answer.decisions[0].verdict == "unknown"


def test_the_memory_limit_is_kept() -> None:
    limit = 64 << 20
    answer = explore(ENDLESS, Limits(memory=limit))
    assert answer.limits_hit == ("memory",)
    assert answer.statistics.peak_bytes < limit * 1.05


def test_the_time_limit() -> None:
    assert explore(ENDLESS, Limits(seconds=0.0)).limits_hit == ("time",)


def test_an_interrupt_gives_a_partial_result() -> None:
    path = compiled(network(ENDLESS), 1, QUICK)
    with subprocess.Popen([str(path), "--keep-going", "--progress"], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert json.loads(child.stdout.readline())["type"] == "progress"
        child.send_signal(signal.SIGINT)
        result = json.loads(child.stdout.read().splitlines()[-1])
    assert child.returncode == 0
    assert result["type"] == "result" and result["limits"] == 16 and not result["complete"]


def test_progress_is_reported() -> None:
    seen: list[Progress] = []
    ENGINE.run(request(network(ENDLESS), limits=Limits(states=50_000)), seen.append)
    assert seen and seen[0].depth == 0
