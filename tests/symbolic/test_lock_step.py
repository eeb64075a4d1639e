"""Parts in lock step: all move at once, and one that cannot move rests (sheet 29, section 3)."""

from __future__ import annotations

from clew.core.engines import Limits, Request
from clew.core.expressions import Binary, Const, Ref, Variable
from clew.core.procedures import Block
from clew.core.statements import Assign, Guard
from clew.core.transition_space import TransitionSpace
from clew.core.transition_system import Action, Interleave, LockStep, TransitionSystem
from clew.core.types import Int
from clew.reference.search import breadth_first
from clew.symbolic.engine import ENGINE

A, B = Variable("a", Int("two", 2), 0), Variable("b", Int("two", 2), 1)


def _counts(variable: Variable, limit: int) -> Block:
    return (
        Guard(Binary("<", Ref(variable), Const(limit))),
        Assign(Ref(variable), Binary("+", Ref(variable), Const(1))),
    )


def _system(node: type[Interleave] | type[LockStep]) -> TransitionSystem:
    parts = (Action("count a", _counts(A, 3)), Action("count b", _counts(B, 1)))
    start = Binary("&&", Binary("==", Ref(A), Const(0)), Binary("==", Ref(B), Const(0)))
    return TransitionSystem("t", (A, B), 2, node(parts), start)


def _states(system: TransitionSystem) -> tuple[int, int]:
    explicit = breadth_first(TransitionSpace(system), frozenset(), Limits(), True).statistics.states
    return explicit, ENGINE.run(Request(system)).statistics.states


def test_interleaving_gives_every_pair() -> None:
    assert _states(_system(Interleave)) == (8, 8)


def test_lock_step_gives_one_run() -> None:
    assert _states(_system(LockStep)) == (4, 4)  # (0,0) (1,1) (2,1) (3,1)
