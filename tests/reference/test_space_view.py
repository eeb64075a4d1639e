"""Any state space can be a view: here a counter that a cap may stop."""

from __future__ import annotations

from collections.abc import Sequence

from clew.core.diagnostics import NOWHERE
from clew.core.engines import Request
from clew.core.properties import Property, Violation
from clew.core.registry import load_engine
from clew.core.statespace import Outcome
from clew.core.traces import TraceState, TraceStep
from clew.core.views import SpaceView

DEADLOCK = Property("deadlock", "deadlock", "it goes on for ever")


class Counter:
    """Adds 1 or 2 up to `cap`, and stays there only if `ends`."""

    def __init__(self, cap: int, ends: bool) -> None:
        self.cap = cap
        self.ends = ends

    def initial(self) -> Sequence[int]:
        return (0,)

    def moves(self, state: int) -> Sequence[int]:
        return [n for n in (1, 2) if state + n <= self.cap]

    def fire(self, state: int, move: int) -> Outcome[int]:
        return Outcome(state + move)

    def key(self, state: int) -> int:
        return state

    def transient(self, state: int) -> bool:
        return False

    def judge(self, state: int) -> tuple[Violation, ...]:
        return ()

    def stuck(self, state: int) -> Violation | None:
        return None if self.ends else Violation("deadlock", f"stuck at {state}")

    def describe(self, state: int) -> TraceState:
        return TraceState({"n": str(state)})

    def explain(self, state: int, move: int, after: int | None) -> TraceStep:
        return TraceStep(0, "counter", move, NOWHERE, f"add({move})", changes={"n": (str(state), str(after))})

    def find(self, state: int, step: TraceStep) -> int | None:
        return step.step if step.step in self.moves(state) else None


def test_a_state_space_is_explored_and_counted() -> None:
    answer = load_engine("reference").run(Request(SpaceView("counter", lambda: Counter(5, True)), (DEADLOCK,)))
    assert (answer.statistics.states, answer.statistics.transitions) == (6, 9)
    assert answer.decisions[0].verdict == "holds"


def test_a_counterexample_is_replayed_in_a_fresh_space() -> None:
    made: list[Counter] = []

    def fresh() -> Counter:
        made.append(Counter(5, False))
        return made[-1]

    answer = load_engine("reference").run(Request(SpaceView("counter", fresh), (DEADLOCK,)))
    trace = answer.decisions[0].trace
    assert trace is not None and [step.text for step in trace.steps] == ["add(1)", "add(2)", "add(2)"]
    assert len(made) >= 2


def test_the_native_engine_says_that_it_needs_a_network() -> None:
    reason = load_engine("native").refuses(Request(SpaceView("counter", lambda: Counter(5, True))))
    assert reason == "it explores networks of processes"
