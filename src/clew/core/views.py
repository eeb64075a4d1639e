"""The views that a front-end may give and an engine may be asked about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, TypeAlias

from clew.core.network import Network
from clew.core.records import record
from clew.core.statespace import StateSpace

if TYPE_CHECKING:  # a view that is not used is not loaded
    from clew.core.relational.program import RelationalProgram
    from clew.core.transition_system import TransitionSystem


@record(eq=False)
class SpaceView:
    """A system given by a generator of states. `fresh` makes one anew, so that a replay shares nothing with the search
    whose run it judges. `bounds`: what of the model itself keeps its state space small; verdicts name it.

    `up_to_isomorphism` makes a space where states that differ only in the names of interchangeable things are the same,
    if the system has such things. Its runs are runs of the plain one. `remarks`: what users should know of that.
    `formulas`: those of `clew.logic`, by name, with atoms that the method `letters` of the space can read. `automaton`:
    the one of `clew.logic` that the states are those of, if it is asked whether that accepts anything."""

    name: str
    fresh: Callable[[], StateSpace[Any, Any]]
    bounds: tuple[str, ...] = ()
    up_to_isomorphism: Callable[[], StateSpace[Any, Any]] | None = None
    remarks: tuple[str, ...] = ()
    formulas: Mapping[str, object] = field(default_factory=dict)
    automaton: object | None = None


View: TypeAlias = "Network | TransitionSystem | RelationalProgram | SpaceView"


class NotANetwork(TypeError):
    """What needs processes with locations was asked of another view."""


def network_in(view: View) -> Network:
    """The view, which must be a network. Raises NotANetwork."""
    if isinstance(view, Network):
        return view
    raise NotANetwork(f"{view.name} is not a network of processes")
