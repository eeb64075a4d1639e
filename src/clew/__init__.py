"""Clew: explores the state space of a model or a program and hands you the thread.

import clew
result = clew.check("leader.pml")
if not result.holds:
    result.trace.show()
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clew.api import Checked, Counterexample, Drawing, NotHolding, check, count, graph
    from clew.core.diagnostics import InputError
    from clew.testing.expect import conforms

__version__ = "0.1.0"

__all__ = [
    "Checked",
    "Counterexample",
    "Drawing",
    "InputError",
    "NotHolding",
    "__version__",
    "check",
    "conforms",
    "count",
    "graph",
]


def __getattr__(name: str) -> Any:
    """The library is loaded on first use, so that the command line starts fast."""
    if name == "InputError":
        from clew.core.diagnostics import InputError

        return InputError
    if name == "conforms":
        from clew.testing.expect import conforms

        return conforms
    if name in __all__:
        from clew import api

        return getattr(api, name)
    raise AttributeError(f"module 'clew' has no attribute '{name}'")
