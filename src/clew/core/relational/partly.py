"""What a few runs alone show about a formula, whatever else there may be: it holds, it does not, or they do not say.

A graph that is known in part: a run in it is a run of the system, but there may be others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from clew.core.relational import expressions as x
from clew.core.relational.evaluate import Value
from clew.core.relational.explicit import Checker, Graph, Place
from clew.core.relational.program import RelationalProgram
from clew.core.relational.reaching import always, before, until

Known = bool | None  # None: the runs do not say


@dataclass(slots=True)
class PartOfGraph:
    """`steps`: from each state, where some of its steps lead. `ends`: states known to have no step."""

    program: RelationalProgram
    steps: dict[Place, set[Place]]
    ends: set[Place]
    _known: dict[object, tuple[frozenset[Place], frozenset[Place]]] = field(default_factory=dict)
    _values: Checker = field(init=False)

    def __post_init__(self) -> None:
        self._values = Checker(Graph(self.program))

    def says(self, formula: x.Expr, state: Place, given: Mapping[int, Value]) -> Known:
        if not x.is_temporal(formula):
            return self._values.holds(formula, state, given)
        if x.divides(formula):
            return None
        match formula:
            case x.Not(body):
                return _not(self.says(body, state, given))
            case x.Binary("&&", left, right):
                return _all((self.says(left, state, given), self.says(right, state, given)))
            case x.Binary(connective, left, right):
                first = self.says(left, state, given)
                return _some((_not(first) if connective == "=>" else first, self.says(right, state, given)))
            case x.Quantified("all" | "some" | "no" as quantifier, variables, ranges, body):
                if any(map(x.is_temporal, ranges)):
                    return None
                every = self._values.instances(variables, ranges, state, given)
                found = [self.says(body, state, inner) for inner in every]
                return {"all": _all(found), "some": _some(found), "no": _not(_some(found))}[quantifier]
            case x.Apply(_, parameters, arguments, body) if not any(map(x.is_temporal, arguments)):
                passed = zip(parameters, arguments, strict=True)
                return self.says(
                    body, state, {**given, **{p.number: self._values.value(a, state, given) for p, a in passed}}
                )
            case x.Temporal():
                true, false = self._temporal(formula, given)
                return True if state in true else False if state in false else None
        return None

    def _temporal(self, formula: x.Temporal, given: Mapping[int, Value]) -> tuple[frozenset[Place], frozenset[Place]]:
        """The states where it is known to hold, and those where it is known not to."""
        free = {local.number for local in x.free_locals(formula)}
        key = (id(formula), tuple(sorted((n, v) for n, v in given.items() if n in free)))
        if key not in self._known:
            self._known[key] = self._shown(formula, given)
        return self._known[key]

    def _shown(self, formula: x.Temporal, given: Mapping[int, Value]) -> tuple[frozenset[Place], frozenset[Place]]:
        every, none = frozenset(self.steps), frozenset[Place]()
        said = [{state: self.says(operand, state, given) for state in every} for operand in formula.operands]
        true = [frozenset(s for s, known in operand.items() if known is True) for operand in said]
        false = [frozenset(s for s, known in operand.items() if known is False) for operand in said]
        match formula.operator:
            case "EX":
                return before(self.steps, true[0]), none
            case "AX":
                return none, before(self.steps, false[0])
            case "EF":
                return self._until(every, true[0]), none
            case "AG":
                return none, self._until(every, false[0])
            case "EG":
                return self._always(true[0]), false[0]
            case "AF":
                return true[0], self._always(false[0])
            case "EU":
                return self._until(true[0], true[1]), false[0] & false[1]
            case "AU":
                return true[1], self._until(false[1], false[1] & false[0]) | self._always(false[1])

    def _until(self, through: frozenset[Place], goal: frozenset[Place]) -> frozenset[Place]:
        return until(self.steps, through, goal)

    def _always(self, states: frozenset[Place]) -> frozenset[Place]:
        return always(self.steps, self.ends, states)


def can_be_shown(formula: x.Expr, value: bool) -> bool:
    """Whether some runs can show that the formula has this value: nothing in it is about all runs."""
    if not x.is_temporal(formula):
        return True
    match formula:
        case x.Not(body):
            return can_be_shown(body, not value)
        case x.Binary("=>", left, right) if not x.divides(formula):
            return can_be_shown(left, not value) and can_be_shown(right, value)
        case x.Binary(_, left, right) if not x.divides(formula):
            return can_be_shown(left, value) and can_be_shown(right, value)
        case x.Quantified("all" | "some" | "no" as quantifier, _, ranges, body) if not x.divides(formula):
            return not any(map(x.is_temporal, ranges)) and can_be_shown(body, value != (quantifier == "no"))
        case x.Apply(_, _, arguments, body) if not x.divides(formula):
            return not any(map(x.is_temporal, arguments)) and can_be_shown(body, value)
        case x.Temporal(operator, operands):
            return value == operator.startswith("E") and all(can_be_shown(operand, value) for operand in operands)
    return False


def _not(known: Known) -> Known:
    return None if known is None else not known


def _all(known: Iterable[Known]) -> Known:
    found = set(known)
    return False if False in found else None if None in found else True


def _some(known: Iterable[Known]) -> Known:
    return _not(_all(map(_not, known)))
