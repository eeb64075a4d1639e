"""The state space of a model, as the reference interpreter sees it; embedded C is run in a child process."""

from __future__ import annotations

from typing import Any

from clew.core.diagnostics import InputError, Span
from clew.core.foreign import has_foreign_code
from clew.core.interpreter import NetworkSpace, Unsupported, trace_product
from clew.core.network import Network
from clew.core.properties import Property
from clew.core.registry import LoadedModel
from clew.core.relational.program import RelationalProgram
from clew.core.relational.space import RelationalSpace
from clew.core.statespace import StateSpace
from clew.core.transition_space import TransitionSpace
from clew.core.transition_system import TransitionSystem
from clew.core.views import SpaceView, View
from clew.host.checking import NO_SYMMETRY, main_file


def network_space(network: Network) -> NetworkSpace:
    """Raises Unsupported if it cannot be interpreted, InputError if embedded C cannot be compiled."""
    if not has_foreign_code(network):
        return NetworkSpace(network)
    from clew.host.foreign_runner import ForeignChild

    return NetworkSpace(network, ForeignChild(network))


def space_of(view: View) -> StateSpace[Any, Any]:
    """A state space of its own for whoever asks. Raises as network_space does."""
    match view:
        case SpaceView():
            return view.fresh()
        case TransitionSystem():
            return TransitionSpace(view)
        case RelationalProgram():
            return RelationalSpace(view)
        case _:
            return network_space(view)


def reference_space(model: LoadedModel) -> StateSpace[Any, Any]:
    """For walking, drawing and replaying. Raises InputError if the model has parts that cannot be interpreted."""
    try:
        return space_of(model.view)
    except Unsupported as error:
        raise InputError.at(
            Span(main_file(model), 0), "not-interpretable", f"cannot be executed step by step: {error}"
        ) from None


def drawn_space(model: LoadedModel, reduce: str) -> StateSpace[Any, Any]:
    """For drawing: with `symmetry` up to isomorphism. Raises InputError if the model has nothing interchangeable."""
    if reduce != "symmetry":
        return reference_space(model)
    if not isinstance(model.view, SpaceView) or model.view.up_to_isomorphism is None:
        raise InputError.at(Span(main_file(model), 0), "no-symmetry", NO_SYMMETRY)
    return model.view.up_to_isomorphism()


def watched_space(model: LoadedModel, asked: Property | None) -> StateSpace[Any, Any]:
    """The same, beside the trace automaton that a property is, if it is one."""
    if asked is not None and asked.kind == "trace":
        for number, monitor in enumerate(model.network.monitors):
            if monitor.template.name == asked.name:
                return trace_product(model.network, number)
    return reference_space(model)
