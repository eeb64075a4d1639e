"""CTL with quantified rigid variables on a symbolic system: sets of states by fixpoints.

Values of rigid variables are put in one by one; each temporal subformula is solved once for each choice of the
variables that are free in it. `care` is a set closed under steps: nothing outside it is looked at.
"""

from __future__ import annotations

from clew.core.records import record
from clew.core.relational import expressions as x
from clew.core.relational.encode import Encoder, Values
from clew.logic.fixpoints import PathOperators
from clew.symbolic.relational.diagrams import Diagram
from clew.symbolic.relational.meaning import Meaning
from clew.symbolic.relational.system import System


@record
class DiagramSets:
    """Parts of a set that is closed under steps."""

    system: System
    everything: Diagram

    @property
    def nothing(self) -> Diagram:
        return self.system.layout.bdd.false

    def union(self, a: Diagram, b: Diagram) -> Diagram:
        return a | b

    def intersection(self, a: Diagram, b: Diagram) -> Diagram:
        return a & b

    def difference(self, a: Diagram, b: Diagram) -> Diagram:
        return a & ~b

    def same(self, a: Diagram, b: Diagram) -> bool:
        return bool(a == b)

    def before(self, a: Diagram) -> Diagram:
        return self.system.before(a) & self.everything


class Checker(PathOperators[Diagram]):
    def __init__(self, system: System, care: Diagram) -> None:
        super().__init__(DiagramSets(system, care), "maximal")
        self.system = system
        self.bdd = system.layout.bdd
        self.care = care
        self.encoder: Encoder[Diagram] = Encoder(self.bdd, system.look_up, self.temporal)
        self._known: dict[object, Diagram] = {}

    def where(self, formula: x.Expr, given: Values[Diagram]) -> Diagram:
        """The states in `care` that satisfy the formula. Where evaluating it divides by zero, it is false."""
        if x.divides(formula):
            return self.encoder.formula(formula, given) & ~self.encoder.fails(formula, given) & self.care
        return self.encoder.formula(formula, given) & self.care

    def temporal(self, formula: x.Temporal, given: Values[Diagram]) -> Diagram:
        free = sorted(local.number for local in x.free_locals(formula))
        key = (id(formula), tuple((number, given[number]) for number in free if isinstance(given[number], tuple)))
        if key not in self._known:
            self._known[key] = self._temporal(formula, given)
        return self._known[key]

    def _temporal(self, formula: x.Temporal, given: Values[Diagram]) -> Diagram:
        sets = [self.where(operand, given) for operand in formula.operands]
        care = self.care
        match formula.operator:
            case "EX":
                return self._one_step(sets[0])
            case "AX":
                return care & ~self._one_step(care & ~sets[0])
            case "EF":
                return self.reaching(care, sets[0])
            case "AG":
                return care & ~self.reaching(care, care & ~sets[0])
            case "EG":
                return self.always(sets[0])
            case "AF":
                return care & ~self.always(care & ~sets[0])
            case "EU":
                return self.reaching(sets[0], sets[1])
            case "AU":
                left, right = care & ~sets[0], care & ~sets[1]
                return care & ~self.reaching(right, right & left) & ~self.always(right)

    def _one_step(self, states: Diagram) -> Diagram:
        self.begin_round("EX")
        return self.step(states)

    def begin_round(self, operator: str) -> None:
        self.system.watch()
        self.system.iterations[operator] += 1

    def reaching(self, through: Diagram, goal: Diagram) -> Diagram:
        """Each part adds to what the one before it found."""
        found, known = goal, self.bdd.false
        while found != known:
            self.begin_round("EU")
            known = found
            loop = self.system.loop_state & found != self.bdd.false
            for part in self.system.parts:
                normal = found & ~self.system.layout.loop
                found |= through & self.system.before_part(part, normal, loop)
        return found

    def moving_for_ever(self, states: Diagram) -> Diagram:
        """Where a run can stay inside the set for ever although each of its steps changes something."""
        layout, meanings = self.system.layout, self.system.compiler.meanings
        moving = [
            Meaning(part.meaning.changes, part.meaning.relation & ~layout.frame(part.meaning.changes))
            for part in self.system.parts
        ]
        found, loop = states, self.system.loop_state
        while True:
            before = self.stuck
            for meaning in moving:
                before |= meanings.before(meaning, found & ~layout.loop)
            if found & loop != self.bdd.false:
                before |= loop | self.system.before(loop)
            if (less := found & before) == found:
                return found
            found = less
