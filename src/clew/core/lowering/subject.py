"""What a symbolic engine works on: a view as a transition system, beside the space that its states are replayed in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from clew.core.expressions import Expr
from clew.core.interpreter import NetworkSpace
from clew.core.lowering import Lowered, lower
from clew.core.network import Network
from clew.core.properties import Violation
from clew.core.statespace import StateSpace
from clew.core.transition_space import TransitionSpace
from clew.core.transition_system import TransitionSystem
from clew.core.views import View


@dataclass(frozen=True, slots=True)
class Subject:
    """`fresh` makes a space of concrete states; `encoded` and `lowered` take its states and conditions on them to the
    system. `enlarged`: the same with room for what was reached beyond it (None: nothing ever is)."""

    system: TransitionSystem
    fresh: Callable[[], StateSpace[Any, Any]]
    encoded: Callable[[Any], Sequence[int]]
    lowered: Callable[[Expr], Expr]
    enlarged: Callable[[frozenset[Violation]], Subject] | None = None


def subject_of(view: View) -> Subject:
    """Raises NotLowered if a network has no form as a transition system, TypeError for other views."""
    match view:
        case TransitionSystem():
            return Subject(view, lambda: TransitionSpace(view), lambda state: state, lambda expr: expr)
        case Network():
            return _of_network(lower(view))
    raise TypeError(f"{view.name} is neither a network nor a transition system")


def _of_network(lowered: Lowered) -> Subject:
    return Subject(
        lowered.system,
        lambda: NetworkSpace(lowered.network),
        lowered.memory.encoded,
        lowered.condition,
        lambda reached: _of_network(lowered.enlarged(reached)),
    )
