"""Temporal formulas as views carry them: operators over conditions on states. Their meaning is up to `clew.logic`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from clew.core.expressions import Expr

Operator = Literal["!", "&&", "||", "->", "<->", "X", "F", "G", "U", "W", "R", "M"]
Ends = Literal["stutter", "maximal", "infinite"]
Fairness = Literal["none", "weak", "strong"]


@dataclass(frozen=True, slots=True)
class Proposition:
    """A condition on one state, and how it is written."""

    text: str
    meaning: Expr


@dataclass(frozen=True, slots=True)
class Compound:
    """An operator over one or two formulas."""

    operator: Operator
    operands: tuple[TemporalFormula, ...]


TemporalFormula = Proposition | Compound


def propositions(formula: TemporalFormula) -> Iterator[Proposition]:
    """The conditions in a formula, each occurrence."""
    match formula:
        case Proposition():
            yield formula
        case Compound(_, operands):
            for operand in operands:
                yield from propositions(operand)
