"""Why a formula is false, or true, in a state: a tree of runs that shows it, as far as runs can.

A run goes through the temporal operators from the outside in; what one run cannot show beside the rest is a branch.
Where a claim is about all runs (that none leads somewhere), the run ends and says how many states were looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from clew.core.records import record
from clew.core.relational import expressions as x
from clew.core.relational.encode import Values
from clew.core.relational.explicit import Place
from clew.core.relational.sorts import Scalar
from clew.core.relational.text import bracketed, text_of
from clew.core.relational.witnesses import Branch, Run
from clew.symbolic.relational.ctl import Checker
from clew.symbolic.relational.diagrams import Diagram
from clew.symbolic.relational.system import System


@dataclass(slots=True)
class Witness:
    """States from the first to the last; `turn` is the place where the run begins to repeat. `names`: rigid variables
    with their values, `remarks`: what runs cannot show."""

    states: list[Place]
    turn: int | None = None
    names: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)

    @property
    def bare(self) -> bool:
        """Nothing happens in it."""
        return len(self.states) == 1 and not self.branches

    @property
    def run(self) -> Run:
        return Run(tuple(self.states), self.turn, tuple(self.branches))

    def go_on(self, other: Witness) -> None:
        """Continues with one that begins in the last state."""
        offset = len(self.states) - 1
        self.states += other.states[1:]
        self.turn = None if other.turn is None else other.turn + offset
        self.names += other.names
        self.branches += [Branch(branch.at + offset, branch.shows, branch.run) for branch in other.branches]
        self.remark(other.remarks)

    def remark(self, remarks: Iterable[str]) -> None:
        self.remarks += [remark for remark in remarks if remark not in self.remarks]


@record
class Goal:
    """That a formula has a value. `given`: values of the locals in it, `atoms`: of those that are rigid variables."""

    formula: x.Expr
    value: bool
    given: Values[Diagram]
    atoms: Mapping[int, int]

    def to(self, formula: x.Expr, value: bool) -> Goal:
        return Goal(formula, value, self.given, self.atoms)

    def __str__(self) -> str:
        return text_of(self.formula, self.atoms) if self.value else f"not {bracketed(self.formula, self.atoms)}"


class Explainer:
    def __init__(self, system: System, checker: Checker) -> None:
        self.system = system
        self.checker = checker
        self.none = system.layout.bdd.false

    def refutation(
        self, claim: x.Expr, given: Values[Diagram], atoms: Mapping[x.Local, int], fails: Diagram
    ) -> Witness:
        """Runs that show that the claim is false in some of these states; the shortest for AG."""
        numbered = {variable.number: atom for variable, atom in atoms.items()}
        witness = self._shown(Goal(claim, False, given, numbered), self._first(claim, given, fails))
        witness.names[:0] = [_named(variable, atom) for variable, atom in atoms.items()]
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

    def _holds(self, goal: Goal, state: Place) -> bool:
        return self._in(self.checker.where(goal.formula, goal.given), state) == goal.value

    def _in(self, states: Diagram, state: Place) -> bool:
        return bool(states & self.system.single(state) != self.none)

    def _shown(self, goal: Goal, state: Place) -> Witness:
        """Why it is so in the state; it must be so."""
        if not x.is_temporal(goal.formula):
            return Witness([state])
        match goal.formula:
            case formula if x.divides(formula):
                pass  # it may be false because of that
            case x.Not(body):
                return self._shown(goal.to(body, not goal.value), state)
            case x.Binary(operator, left, right):
                sides = [goal.to(left, goal.value != (operator == "=>")), goal.to(right, goal.value)]
                if goal.value == (operator == "&&"):
                    return self._all(sides, state)
                return self._shown(self._simplest(side for side in sides if self._holds(side, state)), state)
            case x.Apply(_, parameters, arguments, body):
                given, atoms = dict(goal.given), dict(goal.atoms)
                for parameter, argument in zip(parameters, arguments, strict=True):
                    given[parameter.number] = self.checker.encoder.value(argument, goal.given)
                    if isinstance(argument, x.Local) and argument.number in atoms:
                        atoms[parameter.number] = atoms[argument.number]
                return self._shown(Goal(body, goal.value, given, atoms), state)
            case x.Quantified("all" | "some" | "no") if not any(map(x.is_temporal, goal.formula.ranges)):
                return self._instances(goal, goal.formula, state)
            case x.Temporal():
                return self._temporal(goal, goal.formula, state)
        return Witness([state], remarks=[f"{goal} is not taken apart"])

    def _simplest(self, goals: Iterable[Goal]) -> Goal:
        """Rather one that no steps are needed for."""
        found = list(goals)
        return next((goal for goal in found if not x.is_temporal(goal.formula)), found[0])

    def _all(self, goals: Iterable[Goal], state: Place) -> Witness:
        """The first goal that needs steps is shown by the run itself, the others by branches."""
        main = Witness([state])
        for goal in goals:
            if main.bare:
                remarks, main = main.remarks, self._shown(goal, state)
                main.remark(remarks)
            else:
                self._aside(main, goal, 0)
        return main

    def _aside(self, run: Witness, goal: Goal, at: int | None = None) -> None:
        """What one more run has to show in a state of the run: the last one, unless another is named."""
        at = len(run.states) - 1 if at is None else at
        shown = self._shown(goal, run.states[at])
        if not shown.bare:
            run.branches.append(Branch(at, str(goal), shown.run))
        run.remark(shown.remarks)

    def _instances(self, goal: Goal, formula: x.Quantified, state: Place) -> Witness:
        """One value of the variables that settles it, or all of them."""
        wanted = goal.value != (formula.quantifier == "no")
        one_settles = goal.value == (formula.quantifier == "some")
        here, found = self.system.single(state), list[tuple[str, Goal]]()
        for chosen, condition, given in self.checker.encoder.instances(formula.variables, formula.ranges, goal.given):
            if condition & here == self.none:
                continue
            named = list(zip(formula.variables, chosen, strict=True))
            atoms = {**goal.atoms, **{variable.number: atom for variable, atom in named}}
            name = ", ".join(_named(variable, atom) for variable, atom in named)
            found.append((name, Goal(formula.body, wanted, given, atoms)))
        if not one_settles:
            return self._all((inner for _, inner in found), state)
        name, inner = next((name, inner) for name, inner in found if self._holds(inner, state))
        witness = self._shown(inner, state)
        witness.names.insert(0, name)
        return witness

    def _temporal(self, goal: Goal, formula: x.Temporal, state: Place) -> Witness:
        witness = Witness([state])
        operator, value = formula.operator, goal.value
        if value != operator.startswith("E"):
            count = self.system.count(self.system.reachable(self.system.single(state)))
            word = "no run from here shows it" if operator.startswith("E") else "it holds on all runs from here"
            states = "1 state" if count == 1 else f"{count:,} states"
            witness.remarks.append(f"{operator}: {word} ({states} in reach)")
            return witness
        goals = [goal.to(operand, value) for operand in formula.operands]
        sets = [self._where(inner) for inner in goals]
        start = self.system.single(state)
        match operator:
            case "EX" | "AX":
                self._follow(witness, self._path(start, sets[0], at_least=1), [], goals[:1])
            case "EF" | "AG":
                self._follow(witness, self._path(start, sets[0]), [], goals[:1])
            case "EG" | "AF":
                self._lasso(witness, self.checker.always(sets[0]), goals[0])
            case "EU":
                self._follow(witness, self._path(start, sets[1], within=sets[0]), goals[:1], goals[1:])
            case "AU" if self._in(self.checker.reaching(sets[1], sets[1] & sets[0]), state):
                neither = sets[1] & sets[0]
                self._follow(witness, self._path(start, neither, within=sets[1]), goals[1:], goals)
            case "AU":
                self._lasso(witness, self.checker.always(sets[1]), goals[1])
        return witness

    def _where(self, goal: Goal) -> Diagram:
        states = self.checker.where(goal.formula, goal.given)
        return states if goal.value else self.checker.care & ~states

    def _follow(self, witness: Witness, path: list[Place], on_the_way: list[Goal], at_the_end: list[Goal]) -> None:
        for state in path[1:]:
            for goal in on_the_way:
                self._aside(witness, goal)
            witness.states.append(state)
        witness.go_on(self._all(at_the_end, path[-1]))

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

    def _lasso(self, witness: Witness, states: Diagram, goal: Goal) -> None:
        """Goes on inside the set until a state comes again, at once if it can stay, or until the run ends. The goal is
        shown in every state."""
        places: dict[Place, int] = {}
        while True:
            state = witness.states[-1]
            if state in places:
                witness.turn = places[state]
                return
            places[state] = len(witness.states) - 1
            self._aside(witness, goal)
            if state is None:
                return
            fresh = self.system.after(self.system.single(state)) & states
            if fresh == self.none:
                return  # the run ends here
            stays = fresh & self.system.single(state)
            witness.states.append(self.system.pick_state(fresh if stays == self.none else stays))


def _named(variable: x.Local, atom: int) -> str:
    assert isinstance(variable.type, Scalar)
    return f"{variable.name} = {variable.type.sort.label(atom)}"
