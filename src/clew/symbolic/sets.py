"""Reachable states as decision diagrams, for `logic.fixpoints`.

States inside indivisible sequences are passed through: a step leads from one visible state to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Generic, TypeVar

from clew.core.bitwise.words import Word
from clew.core.expressions import Expr, Variable
from clew.logic import formulas as f
from clew.logic.ctl_questions import condition_of
from clew.logic.fixpoints import Turn
from clew.solvers.bdd import Function
from clew.symbolic.relation import Relation

X = TypeVar("X")


class DiagramSets(Generic[X]):
    """`reached`: all states that exist for these sets. `encoded`: a concrete state as values of slots. `lowered`: a
    condition of the user's as a formula of the system."""

    def __init__(
        self,
        relation: Relation,
        reached: Function,
        encoded: Callable[[X], Sequence[int]],
        lowered: Callable[[Expr], Expr],
        watch: Callable[[Function], None] = lambda states: None,
    ) -> None:
        self.relation = relation
        self.encoding = relation.encoding
        self.diagrams = relation.diagrams
        self._encoded, self._lowered, self._watch = encoded, lowered, watch
        inside = self.encoding.condition(self.encoding.system.transient)
        self.transient: Function = self.diagrams.both(reached, inside)
        self.everything: Function = self.diagrams.without(reached, inside)
        self.nothing: Function = self.diagrams.false
        self._bound: dict[Variable, Sequence[Word[Function]]] = {}
        self._bits: dict[Variable, tuple[list[int], Function]] = {}

    def union(self, a: Function, b: Function) -> Function:
        return self.diagrams.either(a, b)

    def intersection(self, a: Function, b: Function) -> Function:
        return self.diagrams.both(a, b)

    def difference(self, a: Function, b: Function) -> Function:
        return self.diagrams.without(a, b)

    def same(self, a: Function, b: Function) -> bool:
        return self.diagrams.same(a, b)

    def includes(self, a: Function, state: X) -> bool:
        return self.diagrams.holds(a, self.encoding.assignment(self._encoded(state)))

    def singleton(self, state: X) -> Function:
        return self.encoding.singleton(self._encoded(state))

    def before(self, a: Function) -> Function:
        """Also through any number of states inside an indivisible sequence."""
        self._watch(a)
        return self.diagrams.both(self.everything, self.relation.pre(self._through(a)))

    def before_by(self, process: int, a: Function) -> Function:
        """The same for steps in which the process moves: at once, or inside an indivisible sequence."""
        diagrams = self.diagrams
        self._watch(a)
        moving = self.relation.pre(self._through(a), process)
        inside = diagrams.both(self.transient, moving)
        if not diagrams.same(inside, diagrams.false):
            moving = diagrams.either(moving, self.relation.pre(self._through(inside)))
        return diagrams.both(self.everything, moving)

    def _through(self, a: Function) -> Function:
        """The set, and the states inside indivisible sequences from which it can be reached inside them."""
        diagrams, found = self.diagrams, a
        if not diagrams.same(self.transient, diagrams.false):
            fresh = a
            while not diagrams.same(fresh, diagrams.false):
                fresh = diagrams.without(diagrams.both(self.transient, self.relation.pre(fresh)), found)
                found = diagrams.either(found, fresh)
        return found

    def turns(self, strong: bool) -> list[Turn[Function]]:
        """Fairness to each process."""
        diagrams, found = self.diagrams, []
        for process, enabled in sorted(self.relation.enabled_by.items()):
            able = diagrams.false
            for condition in enabled:
                able = diagrams.either(able, diagrams.both(self.everything, condition))
            found.append(Turn(process, able, partial(self.before_by, process), strong))
        return found

    def atom(self, atom: f.Atom) -> Function:
        return self.encoding.condition(self._lowered(condition_of(atom)), self._bound or None)

    def bind(self, formula: f.Formula) -> None:
        """Makes room for the rigid variables of a formula; to be called before its states are asked for."""
        for node in f.subformulas(formula):
            if isinstance(node, f.Rigid) and isinstance(node.variable, Variable) and node.variable not in self._bound:
                words, bits, valid = self.encoding.bind(node.variable)
                self._bound[node.variable] = words
                self._bits[node.variable] = bits, valid

    def quantified(self, formula: f.Rigid, body: Function) -> Function:
        assert isinstance(formula.variable, Variable)
        bits, valid = self._bits[formula.variable]
        diagrams, cube = self.diagrams, self.diagrams.cube(bits)
        if formula.kind == "some":
            return diagrams.exists(cube, diagrams.both(valid, body))
        return diagrams.without(self.everything, diagrams.exists(cube, diagrams.without(valid, body)))
