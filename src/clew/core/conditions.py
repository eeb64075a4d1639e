"""Conditions on states, decided in one concrete state of a state space."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clew.core.expressions import Expr
from clew.core.formula_values import Scope, evaluate
from clew.core.interpreter import NetworkSpace
from clew.core.interpreter.evaluate import Evaluate, compile_expression
from clew.core.interpreter.state import Context, EvaluationError
from clew.core.statespace import StateSpace
from clew.core.transition_space import TransitionSpace

Decide = Callable[[Expr, Any], bool]


def conditions(space: StateSpace[Any, Any]) -> Decide:
    """What decides conditions in states of this space; one that breaks down does not hold."""
    if isinstance(space, TransitionSpace):
        return lambda expr, state: bool(evaluate(expr, Scope(state)))
    if not isinstance(space, NetworkSpace):
        raise TypeError("states of this kind have no conditions")
    program = space.program
    known: dict[Expr, Evaluate] = {}

    def decide(expr: Expr, state: Any) -> bool:
        if expr not in known:
            known[expr] = compile_expression(expr, program)
        try:
            return bool(known[expr](Context.reading(program, state)))
        except EvaluationError:
            return False

    return decide
