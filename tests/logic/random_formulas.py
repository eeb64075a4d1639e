"""Formulas at random, for comparing two ways of computing the same."""

from __future__ import annotations

import random

from clew.logic import formulas as f

_UNARY = (f.Not, f.Next, f.Eventually, f.Always)
_BINARY = (f.Until, f.Release, f.WeakUntil, f.StrongRelease, f.Implies, f.Equivalent)


def random_formula(dice: random.Random, operators: int, names: str = "ab") -> f.Formula:
    """A formula with about so many operators over the given one-letter atoms."""
    if operators <= 0:
        choice = dice.random()
        return f.Constant(choice < 0.05) if choice < 0.1 else f.proposition(dice.choice(names))
    if dice.random() < 0.4:
        return dice.choice(_UNARY)(random_formula(dice, operators - 1, names))
    left = dice.randrange(operators)
    parts = random_formula(dice, left, names), random_formula(dice, operators - 1 - left, names)
    if dice.random() < 0.45:
        return dice.choice((f.And, f.Or))(parts)
    return dice.choice(_BINARY)(*parts)
