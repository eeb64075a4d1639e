"""What the properties of a model say about single states: the conditions in its formulas, and its invariants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, cast

from clew.core.conditions import conditions
from clew.core.network import Network
from clew.core.properties import Property
from clew.core.records import record
from clew.core.statespace import StateSpace
from clew.core.temporal import Compound, Proposition, Rigid, StepEvent, TemporalFormula
from clew.core.views import SpaceView, View
from clew.logic import formulas as f

Holds = Callable[[Any], bool]


@record
class StateProperty:
    """Something that is true or false of a state. `good`: being false is an error."""

    text: str
    holds: Holds
    good: bool = False


def state_properties(
    view: View, space: StateSpace[Any, Any], properties: tuple[Property, ...]
) -> tuple[StateProperty, ...]:
    """Each condition once, in the order of the model."""
    found: dict[str, StateProperty] = {}
    for asked in properties:
        if asked.kind == "invariant":
            found[asked.text] = StateProperty(asked.text, _invariant(space, asked.name), good=True)
    for one in _conditions(view, space):
        found.setdefault(one.text, one)
    return tuple(found.values())


def _invariant(space: StateSpace[Any, Any], name: str) -> Holds:
    return lambda state: all(violation.name != name for violation in space.judge(state))


def _conditions(view: View, space: StateSpace[Any, Any]) -> Iterator[StateProperty]:
    if isinstance(view, Network) and view.formulas:
        decide = conditions(space)
        for formula in view.formulas:
            for leaf in _leaves(formula.body):
                meaning = leaf.meaning
                if not isinstance(meaning, StepEvent):
                    yield StateProperty(leaf.text, partial(decide, meaning))
    if isinstance(view, SpaceView):
        for wanted in view.formulas.values():
            for atom in f.subformulas(cast(f.Formula, wanted)):
                if isinstance(atom, f.Atom):
                    letters = cast(Any, space).letters([atom.meaning])
                    if not letters.have_events:
                        yield StateProperty(atom.text, _read(letters))


def _read(letters: Callable[[Any], int]) -> Holds:
    return lambda state: bool(letters(state))


def _leaves(formula: TemporalFormula) -> Iterator[Proposition]:
    match formula:
        case Proposition():
            yield formula
        case Compound(_, operands):
            for operand in operands:
                yield from _leaves(operand)
        case Rigid(_, _, body):
            yield from _leaves(body)
