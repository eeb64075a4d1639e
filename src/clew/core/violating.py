"""The last step of a run that shows a violation."""

from __future__ import annotations

from typing import Any

from clew.core.properties import PropertyKind, Violation
from clew.core.replay import ReplayError
from clew.core.statespace import StateSpace


def violating_step(space: StateSpace[Any, Any], state: Any, kind: PropertyKind) -> tuple[list[Any], Violation]:
    """A move that shows a violation of this kind in the state; none for being stuck."""
    if kind == "deadlock":
        violation = None if space.moves(state) else space.stuck(state)
        if violation is None:
            raise ReplayError("a state that should be stuck is not")
        return [], violation
    for move in space.moves(state):
        for violation in space.fire(state, move).violations:
            if violation.kind == kind:
                return [move], violation
    raise ReplayError(f"no step shows the {kind} that was found")
