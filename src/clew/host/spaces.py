"""The state space of a loaded model, as the reference interpreter sees it."""

from __future__ import annotations

from typing import Any

from clew.core.diagnostics import InputError, Span
from clew.core.registry import LoadedModel
from clew.core.statespace import StateSpace
from clew.host.checking import main_file


def reference_space(model: LoadedModel) -> StateSpace[Any, Any]:
    """For walking, drawing and replaying. Raises InputError if the model has parts that cannot be interpreted."""
    from clew.core.interpreter import NetworkSpace, Unsupported

    try:
        return NetworkSpace(model.view)
    except Unsupported as error:
        raise InputError.at(
            Span(main_file(model), 0), "not-interpretable", f"cannot be executed step by step: {error}"
        ) from None
