"""The reference engine: decisions, shortest runs, limits, replay, determinism."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.core.engines import Answer, Limits, Progress, Request, Search
from clew.core.interpreter import NetworkSpace
from clew.core.network import Network
from clew.core.properties import Property
from clew.core.replay import ReplayError, replay
from clew.core.simulate import Simulation, random_run
from clew.core.statements import Assert, Guard
from clew.core.types import Array, Int
from clew.reference.engine import ENGINE
from tests.core.build import Atomic, Choice, Element, Loop, Merged, Model, at, eq, let, op, recv, send, when

ASSERTION = Property("assertions", "assertion", "no assertion fails")
DEADLOCK = Property("deadlock", "deadlock", "no deadlock")
ERRORS = Property("errors", "runtime-error", "no run-time errors")
SAFETY = (ASSERTION, DEADLOCK, ERRORS)


def counter(bound: int, *, check: int | None = None) -> Network:
    """A counter that goes up to `bound` and starts again."""
    m = Model()
    g = m.var("g")
    options: list[list[Element]] = [
        [when(op(g, "<", bound)), let(g, op(g, "+", 1))],
        [when(eq(g, bound)), let(g, 0)],
    ]
    if check is not None:
        options.append([Assert(op(g, "!=", check))])
    m.process("P", [Loop(options)])
    return m.network()


def ask(network: Network, **options: object) -> Answer:
    return ENGINE.run(Request(network, SAFETY, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize("search", ["bfs", "dfs"])
def test_everything_holds(search: Search) -> None:
    answer = ask(counter(5), search=search)
    assert [d.verdict for d in answer.decisions] == ["holds"] * 3
    assert answer.decisions[0].evidence.text == "exhaustive: 12 states"
    assert (answer.statistics.states, answer.statistics.transitions) == (12, 12)
    assert answer.statistics.complete


def test_breadth_first_finds_a_shortest_run() -> None:
    decision = ask(counter(9, check=3)).decisions[0]
    assert decision.verdict == "violated"
    assert decision.reason == "assertion violated: g != 3"
    assert decision.trace is not None
    assert len(decision.trace) == 7
    assert decision.trace.final.values["g"] == "3"
    assert decision.evidence.text == "replayed trace: 7 steps"


def test_steps_inside_atomic_count_for_the_length() -> None:
    m = Model()
    g = m.var("g")
    slow = Atomic([let(g, n) for n in range(1, 7)])
    plain: list[Element] = [when(1), when(1), let(g, 6)]
    m.process("P", [Choice([[slow], plain]), Assert(op(g, "!=", 6))])
    trace = ask(m.network()).decisions[0].trace
    assert trace is not None
    assert [step.transient for step in trace.steps] == [False] * 4


def test_a_violation_inside_atomic_is_found_at_its_step() -> None:
    m = Model()
    g = m.var("g")
    m.process("P", [Atomic([let(g, 1), Assert(eq(g, 0)), let(g, 2)])])
    trace = ask(m.network()).decisions[0].trace
    assert trace is not None
    assert [step.note for step in trace.steps] == ["", "assertion violated: g == 0"]


def test_a_search_that_stops_leaves_other_properties_open() -> None:
    answer = ask(counter(9, check=3))
    assert [d.verdict for d in answer.decisions] == ["violated", "unknown", "unknown"]
    assert not answer.statistics.complete
    answer = ask(counter(9, check=3), keep_going=True)
    assert [d.verdict for d in answer.decisions] == ["violated", "holds", "holds"]
    assert answer.statistics.complete


@pytest.mark.parametrize("search", ["bfs", "dfs"])
def test_deadlock_and_runtime_error_come_with_replayed_traces(search: Search) -> None:
    m = Model()
    q, i = m.chan("q", 1), m.var("i")
    a = m.var("a", Array(Int("byte", 8), 2))
    m.process("P", [send(q, 1), Choice([[send(q, 2)], [let(i, 2), let(at(a, i), 1)]])])
    m.process("Q", [recv(q, 5)])
    answer = ask(m.network(), search=search, keep_going=True)
    assert [d.verdict for d in answer.decisions] == ["unknown", "unknown", "violated"]
    trace = answer.decisions[2].trace
    assert trace is not None
    assert len(trace) == 3
    assert trace.steps[-1].note == "index 2 of 'a' is out of range 0..1"
    stuck = Model()
    q = stuck.chan("q", 1)
    stuck.process("P", [send(q, 1), send(q, 2)])
    decision = ask(stuck.network(), search=search).decisions[1]
    assert decision.verdict == "violated"
    assert decision.trace is not None
    assert len(decision.trace) == 1


@pytest.mark.parametrize("search", ["bfs", "dfs"])
@pytest.mark.parametrize(
    ("limits", "name"),
    [
        (Limits(states=4), "states"),
        (Limits(depth=3), "depth"),
        (Limits(memory=1), "memory"),
        (Limits(seconds=-1.0), "time"),
    ],
)
def test_a_limit_makes_the_answer_partial(search: Search, limits: Limits, name: str) -> None:
    answer = ask(counter(9), search=search, limits=limits)
    assert answer.limits_hit == (name,)
    assert {d.verdict for d in answer.decisions} == {"unknown"}
    assert answer.decisions[0].reason == f"limit hit: {name}"
    assert not answer.statistics.complete


def test_the_states_limit_is_not_hit_when_it_just_suffices() -> None:
    assert ask(counter(5), limits=Limits(states=12)).statistics.complete


@pytest.mark.parametrize("search", ["bfs", "dfs"])
def test_an_interrupt_gives_what_is_known(search: Search) -> None:
    def interrupt(progress: Progress) -> None:
        raise KeyboardInterrupt

    answer = ENGINE.run(Request(counter(9), SAFETY, search=search), interrupt)
    assert answer.limits_hit == ("interrupt",)


def test_without_properties_everything_is_counted() -> None:
    answer = ENGINE.run(Request(counter(9, check=3)))
    assert answer.decisions == ()
    assert answer.statistics.states == 20


def test_a_loop_inside_atomic_is_noted() -> None:
    m = Model()
    g = m.var("g")
    m.process("P", [Atomic([Loop([[let(g, 1)], [let(g, 2)]])])])
    answer = ask(m.network())
    assert answer.notes == ("loop inside an atomic sequence: its states were explored once",)
    assert answer.statistics.complete


def test_limits_hold_inside_an_endless_atomic_sequence() -> None:
    m = Model()
    n = m.var("n", Int("int", 32, signed=True))
    m.process("P", [Atomic([Loop([[let(n, op(n, "+", 1))]])])])
    assert ask(m.network(), limits=Limits(seconds=-1.0)).limits_hit == ("time",)
    assert ask(m.network(), limits=Limits(depth=50)).limits_hit == ("depth",)


# --- replay


def test_replay_gives_the_same_trace() -> None:
    network = counter(9, check=3)
    trace = ask(network).decisions[0].trace
    assert trace is not None
    assert replay(network, trace) == trace


def test_a_trace_of_another_system_does_not_replay() -> None:
    trace = ask(counter(9, check=3)).decisions[0].trace
    assert trace is not None
    with pytest.raises(ReplayError, match="step 3 cannot be taken"):
        replay(counter(1), trace)
    broken = replace(trace, steps=(replace(trace.steps[0], step=999),))
    with pytest.raises(ReplayError, match="step 1 cannot be taken"):
        replay(counter(9, check=3), broken)


# --- simulation


def test_simulation_goes_forth_and_back() -> None:
    space = NetworkSpace(counter(3))
    simulation = Simulation(space)
    start = simulation.state
    ((move, step),) = simulation.choices()
    assert step.text == "Guard"
    simulation.take(move)
    assert len(simulation) == 1
    with pytest.raises(ValueError, match="cannot be taken"):
        simulation.take(move)
    assert simulation.back()
    assert simulation.state == start
    assert not simulation.back()


def test_a_random_run_depends_on_its_seed_only() -> None:
    network = counter(9, check=3)
    runs = [random_run(NetworkSpace(network), 7, 50).trace() for _ in range(2)]
    assert runs[0] == runs[1]
    assert replay(network, runs[0]) == runs[0]


# --- random systems


@st.composite
def networks(draw: st.DrawFn) -> Network:
    """Two or three small processes over two variables and two channels."""
    m = Model()
    x, y = m.var("x", Int("u2", 2)), m.var("y", Int("u2", 2), hidden=draw(st.booleans()))
    q, r = m.chan("q", 1), m.chan("r", 0)
    value = st.integers(0, 2)
    statement = st.one_of(
        value.map(lambda n: let(x, n)),
        value.map(lambda n: let(y, op(x, "+", n))),
        value.map(lambda n: when(op(x, "<=", n))),
        value.map(lambda n: Assert(op(y, "!=", n))),
        value.map(lambda n: send(q, n)),
        value.map(lambda n: send(r, n)),
        st.just(recv(q, x)),
        st.just(recv(r, y)),
        value.map(lambda n: recv(r, n)),
        value.map(lambda n: Merged((let(x, n), Assert(op(x, "<=", y))))),
        st.just(Guard(op(1, "/", x))),
    )
    block = st.lists(statement, min_size=1, max_size=3)
    element = st.one_of(statement, block.map(Atomic), st.lists(block, min_size=1, max_size=2).map(Choice))
    for number in range(draw(st.integers(1, 3))):
        m.process(f"P{number}", draw(st.lists(element, min_size=1, max_size=3)))
    return m.network()


@given(networks())
@settings(max_examples=60)
def test_both_searches_agree_and_every_trace_replays(network: Network) -> None:
    answers = [ask(network, search=search, keep_going=True) for search in ("bfs", "dfs")]
    if all(v.matched for v in network.variables):
        first, second = ((a.statistics.states, a.statistics.transitions) for a in answers)
        assert first == second
        shortest, other = answers
        for a, b in zip(shortest.decisions, other.decisions, strict=True):
            assert a.verdict == b.verdict
            if a.trace is not None and b.trace is not None:
                assert len(a.trace) <= len(b.trace)


@given(networks(), st.integers(0, 9))
@settings(max_examples=40)
def test_states_do_not_depend_on_the_instance(network: Network, seed: int) -> None:
    one = random_run(NetworkSpace(network), seed, 20)
    space = NetworkSpace(network)
    other = random_run(space, seed, 20)
    assert one.state == other.state
    assert hash(space.key(one.state)) == hash(space.key(other.state))
    assert space.key(one.state) == space.key(other.state)


def test_the_answer_does_not_depend_on_the_hash_seed() -> None:
    root = Path(__file__).parents[2]
    code = (
        "from tests.reference.test_engine import *\n"
        "a = ask(counter(30, check=7), keep_going=True)\n"
        "print(a.decisions, a.statistics.states, a.statistics.transitions)"
    )
    outputs = set()
    for seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}"}
        done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
        outputs.add(done.stdout)
    assert len(outputs) == 1
