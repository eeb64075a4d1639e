"""Temporal formulas as views carry them: operators over conditions on states and events of steps.

What a formula says about a place of a run is said of the state there and of the step that leaves it. What operators
mean is up to `clew.logic`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from clew.core.expressions import Expr, Variable
from clew.core.records import record

Operator = Literal["!", "&&", "||", "->", "<->", "X", "F", "G", "U", "W", "R", "M", "A", "E"]
Ends = Literal["stutter", "maximal", "infinite"]
Fairness = Literal["none", "weak", "strong"]


@record
class MessageEvent:
    """A step puts a message into a channel, or takes one out. `values`: those of its fields, None is any. Channel and
    values are computed in the state that the step leaves."""

    kind: Literal["send", "receive"]
    channel: Expr
    values: tuple[Expr | None, ...]


@record
class LabelEvent:
    """A step leads a process of the template to one of these locations. pid None: any process of it."""

    template: str
    pid: Expr | None
    label: str
    locations: frozenset[int]


StepEvent = MessageEvent | LabelEvent


@record
class Proposition:
    """A condition on one state or an event of the step that leaves it, and how it is written."""

    text: str
    meaning: Expr | StepEvent


@record
class Compound:
    """An operator over one or two formulas. `A` and `E` (on all runs, on some run) stand above a formula over runs."""

    operator: Operator
    operands: tuple[TemporalFormula, ...]


@record
class Rigid:
    """The formula for all, or for some, values of a variable that is no part of the state: what it is bound to stays
    the same along every run. Conditions inside refer to it as to any variable (its owner is not None)."""

    kind: Literal["all", "some"]
    variable: Variable
    body: TemporalFormula


TemporalFormula = Proposition | Compound | Rigid


def propositions(formula: TemporalFormula) -> Iterator[Proposition]:
    """The conditions in a formula, each occurrence."""
    match formula:
        case Proposition():
            yield formula
        case Compound(_, operands):
            for operand in operands:
                yield from propositions(operand)
        case Rigid(_, _, body):
            yield from propositions(body)


def whole_expressions(meaning: Expr | StepEvent) -> Iterator[Expr]:
    """The expressions that a proposition is made of."""
    match meaning:
        case MessageEvent(_, channel, values):
            yield channel
            yield from (value for value in values if value is not None)
        case LabelEvent(_, pid):
            if pid is not None:
                yield pid
        case _:
            yield meaning
