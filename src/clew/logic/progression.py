"""What a formula asks of the rest of a run, once the run has begun: rewriting by one letter after another.

A beginning of a run after which nothing is left that could hold is *bad*: the formula is violated, however the run goes
on. Bad beginnings whose reason can be read off the letters are found here (those that Kupferman and Vardi, Formal
Methods in System Design 19, 2001, call informative); that is enough for `[] p`, `p W q` and what is made of them.
"""

from __future__ import annotations

from collections.abc import Callable

from clew.logic import formulas as f

MOST_LEFT = 2000
"""Sub-formulas beyond which what is left is not rewritten any further."""


class Progression:
    """`left` is what has to hold of the rest. Formulas are given in any form."""

    def __init__(self, formula: f.Formula) -> None:
        self.left = f.negation_normal_form(formula)
        self.given_up = False

    @property
    def is_bad(self) -> bool:
        """The formula does not hold on any run that begins like this."""
        return self.left is f.FALSE

    def see(self, truth: Callable[[f.Atom], bool]) -> None:
        """One more letter."""
        if self.given_up or isinstance(self.left, f.Constant):
            return
        self.left = _progressed(self.left, truth, {})
        self.given_up = len(f.subformulas(self.left)) > MOST_LEFT


def _progressed(node: f.Formula, truth: Callable[[f.Atom], bool], known: dict[f.Formula, f.Formula]) -> f.Formula:
    if node in known:
        return known[node]

    found: f.Formula

    def after(operand: f.Formula) -> f.Formula:
        return _progressed(operand, truth, known)

    match node:
        case f.Constant():
            found = node
        case f.Atom():
            found = f.Constant(truth(node))
        case f.Not(f.Atom() as atom):
            found = f.Constant(not truth(atom))
        case f.And(parts):
            found = f.conjunction(map(after, parts))
        case f.Or(parts):
            found = f.disjunction(map(after, parts))
        case f.Next(body):
            found = body
        case f.Always(body):
            found = f.conjunction((after(body), node))
        case f.Eventually(body):
            found = f.disjunction((after(body), node))
        case f.Until(left, right) | f.WeakUntil(left, right):
            found = f.disjunction((after(right), f.conjunction((after(left), node))))
        case f.Release(left, right) | f.StrongRelease(left, right):
            found = f.conjunction((after(right), f.disjunction((after(left), node))))
        case _:
            raise TypeError(f"{type(node).__name__} does not speak about one run")
    known[node] = found
    return found
