"""Mutual exclusion of Chang and Jackson (2006), figure 2: counts of sheet 28, exact."""

from __future__ import annotations

import json

import pytest

from clew.core.relational.space import RelationalSpace
from clew.core.replay import replay_in
from clew.core.traces import trace_from_json, trace_to_json
from clew.symbolic.relational.diagrams import Diagram
from clew.symbolic.relational.system import Options, System, build
from clew.symbolic.relational.verdicts import Verdicts
from tests.relational.models import decided, example, verdicts


def empty_state(system: System) -> Diagram:
    start = system.universe
    for bit in system.layout.state_bits:
        start &= ~system.layout.bdd.var(bit.present)
    return start


@pytest.mark.parametrize(
    ("n", "states", "depth"), [(1, 3, 2), (2, 37, 5), (3, 1060, 8), (4, 55121, 11), (5, 4_543_056, 14)]
)
def test_reachable_states_and_depth(n: int, states: int, depth: int) -> None:
    system = build(example("mutex", N=n), Options())
    layers = system.layers(empty_state(system))
    assert system.count(system.reachable(empty_state(system))) == states
    assert len(layers) - 1 == depth


@pytest.mark.parametrize(("n", "pairs"), [(1, 3), (2, 90), (3, 4074), (4, 287_020)])
def test_steps_that_change_something(n: int, pairs: int) -> None:
    """Pairs of a reachable state and another one that is one step on."""
    system = build(example("mutex", N=n), Options())
    bdd, bits = system.layout.bdd, frozenset(system.layout.state_bits)
    relation = system.compiler.meanings.any_of(part.meaning for part in system.parts)
    steps = system.compiler.meanings.over(relation, bits) & ~system.layout.frame(bits)
    steps &= system.reachable(empty_state(system))
    spare = len(system.layout.order) * 3 + 1 - 2 * len(bits)  # `loop`, and the middle variables
    free = bdd.diagrams.count(bdd.compose({0: bdd.false}, steps), 3 * len(system.layout.order) + 1)
    assert free >> spare == pairs


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_both_assertions_hold(n: int) -> None:
    program = example("mutex", N=n)
    assert verdicts(decided(program)) == ["holds", "holds"]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_without_the_order_a_run_into_a_deadlock_is_shown(n: int) -> None:
    program = example("mutex_unordered", N=n)
    exclusion, progress = decided(program).decisions
    assert (exclusion.verdict, progress.verdict) == ("holds", "violated")
    assert progress.trace is not None
    saved = trace_from_json(json.loads(json.dumps(trace_to_json(progress.trace))))
    assert len(replay_in(RelationalSpace(program), saved).trace) == 4


@pytest.mark.parametrize(("n", "states", "violating"), [(1, 4, 0), (2, 81, 18), (3, 4096, 1650), (4, 390_625, 203_552)])
def test_states_without_the_order(n: int, states: int, violating: int) -> None:
    program = example("mutex_unordered", N=n)
    system = build(program, Options())
    reach, checker = Verdicts(system).reached(empty_state(system))
    assert system.count(reach) == states
    every = program.assertions[1].formula.right.right.operands[0]  # what AG says of each state
    assert system.count(reach & ~checker.where(every, {})) == violating
