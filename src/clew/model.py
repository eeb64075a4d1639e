"""What a model program imports: `from clew.model import *`.

A model is a Python module, or a class derived from `ModelProgram`. See docs/languages/python.md.
"""

from __future__ import annotations

from clew.frontends.modelprogram.declarations import (
    Domain,
    ModelProgram,
    New,
    accepting,
    action,
    feature,
    guard,
    invariant,
    observable,
    parameter,
    proposition,
    state_filter,
)
from clew.frontends.modelprogram.elements import Abstract, Instance, ModelError
from clew.frontends.modelprogram.values import Bag, Map, Pair, Sequence, Set, Triple, record

__all__ = [
    "Abstract",
    "Bag",
    "Domain",
    "Instance",
    "Map",
    "ModelError",
    "ModelProgram",
    "New",
    "Pair",
    "Sequence",
    "Set",
    "Triple",
    "accepting",
    "action",
    "feature",
    "guard",
    "invariant",
    "observable",
    "parameter",
    "proposition",
    "record",
    "state_filter",
]
