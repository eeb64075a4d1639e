"""Why a formula is false, or true, in a state: a run that shows it, as far as one run can.

A run goes through the temporal operators from the outside in. Where a claim is about all runs (that none leads
somewhere), the witness ends and says how many states were looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from clew.core.relational import expressions as x
from clew.core.relational.encode import Values
from clew.core.relational.explicit import Place
from clew.symbolic.relational.ctl import Checker
from clew.symbolic.relational.diagrams import Diagram
from clew.symbolic.relational.system import System


@dataclass(slots=True)
class Witness:
    """States from the first to the last; `turn` is the place where the run begins to repeat. `names`: rigid variables
    with their values, `remarks`: what a run cannot show."""

    states: list[Place]
    turn: int | None = None
    names: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


class Explainer:
    def __init__(self, system: System, checker: Checker) -> None:
        self.system = system
        self.checker = checker
        self.none = system.layout.bdd.false

    def refutation(self, claim: x.Expr, given: Values[Diagram], fails: Diagram) -> Witness:
        """A run that shows that the claim is false in some of these states; the shortest for AG."""
        first = self._first(claim, given, fails)
        witness = Witness([first])
        self._explain(claim, given, False, witness)
        return witness

    def run_to(self, start: Diagram, target: Diagram) -> list[Place]:
        """A shortest run from the first set to the second."""
        return self._path(start, target)

    def _first(self, claim: x.Expr, given: Values[Diagram], fails: Diagram) -> Place:
        match claim:
            case x.Temporal("AG", (body,)):
                target = self.checker.care & ~self.checker.where(body, given)
                return self._path(fails, target)[0]
        return self.system.pick_state(fails)

    def _holds(self, formula: x.Expr, given: Values[Diagram], state: Place) -> bool:
        return bool(self.checker.where(formula, given) & self.system.single(state) != self.none)

    def _explain(self, formula: x.Expr, given: Values[Diagram], value: bool, witness: Witness) -> None:
        """The formula has this value in the last state of the witness."""
        state = witness.states[-1]
        match formula:
            case x.Not(body):
                self._explain(body, given, not value, witness)
            case x.Binary(operator, left, right):
                pairs = [(left, operator != "=>"), (right, True)]
                wanted = [
                    (part, value == sign) for part, sign in pairs if self._holds(part, given, state) == (value == sign)
                ]
                settles = value == (operator != "&&")  # one side is enough
                temporal = [(part, v) for part, v in wanted if x.is_temporal(part)]
                if temporal and (settles or len(temporal) == 1):
                    self._explain(*_order(temporal[0], given), witness)
                elif temporal:
                    self._explain(*_order(temporal[0], given), witness)
                    witness.remarks.append("the other side of && holds as well; one run cannot show both")
            case x.Apply(_, parameters, arguments, body):
                inner = dict(given)
                for parameter, argument in zip(parameters, arguments, strict=True):
                    inner[parameter.number] = self.checker.encoder.value(argument, given)
                self._explain(body, inner, value, witness)
            case x.Quantified("all" | "some" | "no", variables, ranges, body):
                self._instance(formula, variables, ranges, body, given, value, witness)
            case x.Temporal():
                self._temporal(formula, given, value, witness)

    def _instance(self, formula, variables, ranges, body, given, value, witness) -> None:  # type: ignore[no-untyped-def]
        wanted = {"all": False, "some": True, "no": True}[formula.quantifier]
        shown = value == (formula.quantifier == "some")  # whether one instance settles it
        if not shown:
            return
        here = self.system.single(witness.states[-1])
        for atoms, condition, inner in self.checker.encoder.instances(variables, ranges, given):
            if condition & here != self.none and self._holds(body, inner, witness.states[-1]) == wanted:
                for variable, atom in zip(variables, atoms, strict=True):
                    witness.names.append(f"{variable.name} = {variable.type.sort.label(atom)}")
                self._explain(body, inner, wanted, witness)
                return

    def _temporal(self, formula: x.Temporal, given: Values[Diagram], value: bool, witness: Witness) -> None:
        sets = [self.checker.where(operand, given) for operand in formula.operands]
        care, operator, operands = self.checker.care, formula.operator, formula.operands
        if value != operator.startswith("E"):
            count = self.system.count(self.system.reachable(self.system.single(witness.states[-1])))
            word = "no run from here shows it" if operator.startswith("E") else "it holds on all runs from here"
            states = "1 state" if count == 1 else f"{count:,} states"
            witness.remarks.append(f"{operator}: {word} ({states} in reach)")
            return
        if not value:
            sets = [care & ~one for one in sets]
        match operator:
            case "EX" | "AX":
                self._extend(witness, self._path(self.system.single(witness.states[-1]), sets[0], at_least=1))
                self._explain(operands[0], given, value, witness)
            case "EF" | "AG":
                self._extend(witness, self._path(self.system.single(witness.states[-1]), sets[0]))
                self._explain(operands[0], given, value, witness)
            case "EG" | "AF":
                self._lasso(witness, self.checker.always(sets[0]))
            case "EU":
                self._extend(witness, self._path(self.system.single(witness.states[-1]), sets[1], within=sets[0]))
                self._explain(operands[1], given, True, witness)
            case "AU":
                self._no_until(witness, sets[0], sets[1])

    def _no_until(self, witness: Witness, left: Diagram, right: Diagram) -> None:
        """`left`, `right`: where the operands are false."""
        start = self.system.single(witness.states[-1])
        if self.checker.reaching(right, right & left) & start != self.none:
            self._extend(witness, self._path(start, right & left, within=right))
        else:
            self._lasso(witness, self.checker.always(right))

    def _extend(self, witness: Witness, path: list[Place]) -> None:
        witness.states += path[1:]

    def _path(self, start: Diagram, target: Diagram, within: Diagram | None = None, at_least: int = 0) -> list[Place]:
        """A shortest run from a state of `start` to one of `target`; before that, through `within`."""
        layers, seen = [start], start if at_least == 0 else self.none
        while len(layers) <= at_least or layers[-1] & target == self.none:
            inside = layers[-1] if within is None else layers[-1] & within
            fresh = self.system.after(inside) & ~seen
            assert fresh != self.none, "there is no such run"
            seen |= fresh
            layers.append(fresh)
        state = self.system.pick_state(layers[-1] & target)
        path = [state]
        for layer in reversed(layers[:-1]):
            inside = layer if within is None else layer & within
            state = self.system.pick_state(self.system.before(self.system.single(state)) & inside)
            path.append(state)
        return path[::-1]

    def _lasso(self, witness: Witness, states: Diagram) -> None:
        """Goes on inside the set until a state comes again, or the run ends; rather through a step that changes
        something."""
        places = {state: place for place, state in enumerate(witness.states)}
        while True:
            state = witness.states[-1]
            if state is None:
                return
            fresh = self.system.after(self.system.single(state)) & states
            if fresh == self.none:
                return  # the run ends here
            moving = fresh & ~self.system.single(state)
            stays = fresh & self.system.single(state) != self.none
            if stays:
                witness.states.append(state)
                witness.turn = len(witness.states) - 2
                return
            following = self.system.pick_state(moving)
            witness.states.append(following)
            if following in places:
                witness.turn = places[following]
                return
            places[following] = len(witness.states) - 1


def _order(chosen: tuple[x.Expr, bool], given: Values[Diagram]) -> tuple[x.Expr, Values[Diagram], bool]:
    return chosen[0], given, chosen[1]
