"""Mutual exclusion of Chang and Jackson (2006), figure 2: counts of sheet 28, exact."""

from __future__ import annotations

import pytest

from clew.symbolic.relational.diagrams import Diagram
from clew.symbolic.relational.system import Options, System, build
from clew.symbolic.relational.verdicts import Verdicts
from tests.relational.models import example


def empty_state(system: System) -> Diagram:
    start = system.universe
    for bit in system.layout.state_bits:
        start &= ~system.layout.bdd.var(bit.present)
    return start


@pytest.mark.parametrize(("n", "states", "depth"), [(1, 3, 2), (2, 37, 5), (3, 1060, 8), (4, 55121, 11)])
def test_reachable_states_and_depth(n: int, states: int, depth: int) -> None:
    system = build(example("mutex", N=n), Options())
    layers = system.layers(empty_state(system))
    assert system.count(system.reachable(empty_state(system))) == states
    assert len(layers) - 1 == depth


def test_reachable_states_of_five_processes() -> None:
    system = build(example("mutex", N=5), Options())
    assert system.count(system.reachable(empty_state(system))) == 4_543_056


@pytest.mark.parametrize(("n", "states", "violating"), [(2, 81, 18), (3, 4096, 1650), (4, 390_625, 203_552)])
def test_without_the_order_processes_deadlock(n: int, states: int, violating: int) -> None:
    program = example("mutex_unordered", N=n)
    system = build(program, Options())
    verdicts = Verdicts(system)
    (exclusion, progress) = program.assertions
    assert all(case.fails() == system.layout.bdd.false for case in verdicts.cases(exclusion))
    assert any(case.fails() != system.layout.bdd.false for case in verdicts.cases(progress))
    reach, checker = verdicts.reached(empty_state(system))
    assert system.count(reach) == states
    every = program.assertions[1].formula.right.right.operands[0]  # what AG says of each state
    assert system.count(reach & ~checker.where(every, {})) == violating
