"""A shortest run to a set of states: layers of diagrams backwards, then concrete steps forwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clew.core.replay import ReplayError
from clew.core.statespace import StateSpace
from clew.solvers.bdd import Function
from clew.symbolic.explored import Explored


def run_to(
    explored: Explored, space: StateSpace[Any, Any], goal: Function, watch: Callable[[Function], None]
) -> tuple[Any, list[Any], Any]:
    """An initial state, the moves from there, and the state of the goal that they lead to.

    Raises ReplayError if the system does not offer what the diagrams say."""
    relation, diagrams = explored.relation, explored.relation.diagrams
    start = diagrams.both(explored.encoding.condition(explored.subject.system.initial), explored.reached)
    layers = [diagrams.both(goal, explored.reached)]
    known = layers[0]
    while diagrams.same(diagrams.both(known, start), diagrams.false):
        watch(known)
        before = diagrams.without(diagrams.both(relation.pre(layers[-1]), explored.reached), known)
        if diagrams.same(before, diagrams.false):
            raise ReplayError("a state that was reached cannot be reached")
        layers.append(before)
        known = diagrams.either(known, before)
    state = initial_state(explored, space, diagrams.both(layers[-1], start))
    first, path = state, []
    for layer in reversed(layers[:-1]):
        move, state = _step_into(explored, space, state, layer)
        path.append(move)
    return first, path, state


def initial_state(explored: Explored, space: StateSpace[Any, Any], wanted: Function) -> Any:
    """A concrete initial state in the set."""
    diagrams, encoding = explored.relation.diagrams, explored.encoding
    picked = encoding.pick(wanted)
    assert picked is not None
    recognise = getattr(space, "is_initial", None)
    if recognise is not None:
        if not recognise(picked):
            raise ReplayError("an initial state of the diagrams is none of the system")
        return picked
    for state in space.initial():
        if diagrams.holds(wanted, encoding.assignment(explored.subject.encoded(state))):
            return state
    raise ReplayError("an initial state of the diagrams is none of the system")


def _step_into(explored: Explored, space: StateSpace[Any, Any], state: Any, goal: Function) -> tuple[Any, Any]:
    diagrams, encoding = explored.relation.diagrams, explored.encoding
    for move in space.moves(state):
        after = space.fire(state, move).state
        if after is not None and diagrams.holds(goal, encoding.assignment(explored.subject.encoded(after))):
            return move, after
    raise ReplayError("the system offers no step into the set of states that was computed")
