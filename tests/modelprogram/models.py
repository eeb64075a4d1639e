"""Small model programs as texts, and how to explore them."""

from __future__ import annotations

from collections.abc import Iterable

from clew.core.engines import Limits
from clew.core.registry import LoadOptions
from clew.core.results import Statistics
from clew.frontends.modelprogram.canonical_space import CanonicalSpace
from clew.frontends.modelprogram.language import LANGUAGE, read_programs
from clew.frontends.modelprogram.program import Part
from clew.frontends.modelprogram.space import ModelSpace
from clew.reference.search import breadth_first

TRIANGLE = """
from clew.model import *
from enum import Enum

class Side(Abstract): S1, S2, S3 = range(3)
class Color(Abstract): RED, BLUE = range(2)

assigned = Map()

@action
def AssignColor(s: Side, c: Color):
    global assigned
    assigned = assigned.add(s, c)

@guard("AssignColor")
def _(s):
    return s not in assigned
"""

TRIANGLE_OF_OBJECTS = """
from clew.model import *

class Color(Abstract): RED, BLUE = range(2)
class Side(Instance): color = None

sides = Set()

@action
def AssignColor(s: New(Side), c: Color):
    global sides
    s.color = c
    sides = sides.add(s)

@guard("AssignColor")
def _():
    return len(sides) < 3
"""


def space(
    text: str,
    *,
    canonical: bool = False,
    compiled: bool = True,
    fixed: Iterable[str] = (),
    with_parts: Iterable[Part] = (),
    **defines: object,
) -> ModelSpace:
    program = read_programs(
        [compile(text, "model.py", "exec")],
        [("model.py", text)],
        LoadOptions({k: str(v) for k, v in defines.items()}),
    )
    program.parts += with_parts
    if not canonical:
        return ModelSpace(program)
    types = [cls for cls in (*program.classes, *program.abstract) if cls.__name__ in set(fixed)]
    return CanonicalSpace(program, types, compiled=compiled)


def explored(found: ModelSpace) -> Statistics:
    return breadth_first(found, frozenset(), Limits(), True).statistics


def size(
    text: str, *, canonical: bool = False, compiled: bool = True, fixed: Iterable[str] = (), **defines: object
) -> tuple[int, int]:
    """States and transitions."""
    figures = explored(space(text, canonical=canonical, compiled=compiled, fixed=fixed, **defines))
    return figures.states, figures.transitions


def load(text: str, **defines: object):  # type: ignore[no-untyped-def]
    return LANGUAGE.load("model.py", text, LoadOptions({k: str(v) for k, v in defines.items()}))
