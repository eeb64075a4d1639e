"""CTL with quantified rigid variables on a symbolic system: sets of states by fixpoints.

Values of rigid variables are put in one by one; each temporal subformula is solved once for each choice of the
variables that are free in it. `care` is a set closed under steps: nothing outside it is looked at.
"""

from __future__ import annotations

from clew.core.relational import expressions as x
from clew.core.relational.encode import Encoder, Values
from clew.symbolic.relational.diagrams import Diagram
from clew.symbolic.relational.meaning import Meaning
from clew.symbolic.relational.system import System


class Checker:
    def __init__(self, system: System, care: Diagram) -> None:
        self.system = system
        self.bdd = system.layout.bdd
        self.care = care
        self.encoder: Encoder[Diagram] = Encoder(self.bdd, system.look_up, self.temporal)
        self._known: dict[object, Diagram] = {}
        self._ends: Diagram | None = None

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
                return self.before(sets[0])
            case "AX":
                return care & ~self.before(care & ~sets[0])
            case "EF":
                return self.until(care, sets[0])
            case "AG":
                return care & ~self.until(care, care & ~sets[0])
            case "EG":
                return self.always(sets[0])
            case "AF":
                return care & ~self.always(care & ~sets[0])
            case "EU":
                return self.until(sets[0], sets[1])
            case "AU":
                left, right = care & ~sets[0], care & ~sets[1]
                return care & ~self.until(right, right & left) & ~self.always(right)

    def before(self, states: Diagram) -> Diagram:
        self.system.iterations["EX"] += 1
        return self.system.before(states) & self.care

    def until(self, left: Diagram, right: Diagram) -> Diagram:
        """Least fixpoint; each part adds to what the one before it found."""
        found, known = right, self.bdd.false
        while found != known:
            self.system.watch()
            self.system.iterations["EU"] += 1
            known = found
            loop = self.system.loop_state & found != self.bdd.false
            for part in self.system.parts:
                normal = found & ~self.system.layout.loop
                found |= left & self.system.before_part(part, normal, loop)
        return found

    def always(self, states: Diagram) -> Diagram:
        """Greatest fixpoint; a state without successor is the end of its runs."""
        found = states
        while True:
            self.system.watch()
            self.system.iterations["EG"] += 1
            less = found & (self.before(found) | self.ends)
            if less == found:
                return found
            found = less

    def moving_for_ever(self, states: Diagram) -> Diagram:
        """Where a run can stay inside the set for ever although each of its steps changes something."""
        layout, meanings = self.system.layout, self.system.compiler.meanings
        moving = [
            Meaning(part.meaning.changes, part.meaning.relation & ~layout.frame(part.meaning.changes))
            for part in self.system.parts
        ]
        found, loop = states, self.system.loop_state
        while True:
            before = self.ends
            for meaning in moving:
                before |= meanings.before(meaning, found & ~layout.loop)
            if found & loop != self.bdd.false:
                before |= loop | self.system.before(loop)
            if (less := found & before) == found:
                return found
            found = less

    @property
    def ends(self) -> Diagram:
        """The states in `care` without any successor."""
        if self._ends is None:
            everything = self.system.universe | self.system.loop_state
            self._ends = self.care & ~self.system.before(everything)
        return self._ends
