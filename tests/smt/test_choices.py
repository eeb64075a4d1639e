"""Steps with choices inside: each step makes its own, so that no path is overlooked and nothing proved without it."""

from __future__ import annotations

import pytest

from bench.symbolic.choosing_systems import SMALL, X, Y, compare, never, system, verdict
from clew.core.expressions import Const, Ref, Variable
from clew.core.procedures import Block, Choose, Pick
from clew.core.statements import Assign
from clew.core.transition_system import Action

PARAMETER = Variable("p", SMALL, 0, "a")


@pytest.mark.parametrize(
    ("choice", "parameters"),
    [
        ((Assign(Ref(X), Ref(PARAMETER)),), (PARAMETER,)),
        ((Pick((Ref(X),)),), ()),
        ((Choose(((Assign(Ref(X), Const(1)),), (Assign(Ref(X), Const(2)),))),), ()),
    ],
    ids=["a parameter", "any value", "alternatives"],
)
def test_two_steps_may_choose_differently(choice: Block, parameters: tuple[Variable, ...]) -> None:
    """First 1, then 2."""
    view = system(Action("a", (Assign(Ref(Y), Ref(X)), *choice, never(2, 1)), parameters))
    assert verdict(view, "smt") == "violated"


@pytest.mark.parametrize("seed", range(60))
def test_all_engines_say_the_same(seed: int) -> None:
    assert len(set(compare(seed))) == 1
