"""Assertions taken apart: from which states what must hold, and where it does not.

`all`, `&&` and antecedents without temporal operators are taken off the front; what is left is decided on the states
that can be reached from those that satisfy the antecedents.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from clew.core.records import record
from clew.core.relational import expressions as x
from clew.core.relational.encode import Values
from clew.core.relational.program import Assertion
from clew.symbolic.relational.ctl import Checker
from clew.symbolic.relational.diagrams import Diagram
from clew.symbolic.relational.system import System


@record
class Case:
    """The claim must hold in each state of `start`. `given`: values of rigid variables, `atoms`: the same as atoms."""

    start: Diagram
    claim: x.Expr
    given: Values[Diagram]
    atoms: Mapping[x.Local, int]
    checker: Checker
    reach: Diagram  # what the claim is about: a set that holds `start`

    def fails(self) -> Diagram:
        return self.start & ~self.checker.where(self.claim, self.given)


@dataclass(slots=True)
class Verdicts:
    system: System
    _reached: dict[Diagram, tuple[Diagram, Checker]] = field(default_factory=dict)
    _whole: Checker | None = None

    def cases(self, assertion: Assertion) -> Iterator[Case]:
        yield from self._cases(assertion.formula, {}, {}, self.system.universe)

    @property
    def whole(self) -> Checker:
        """Looks at every state."""
        if self._whole is None:
            self._whole = Checker(self.system, self.system.universe | self.system.loop_state)
        return self._whole

    def _cases(
        self, formula: x.Expr, given: Values[Diagram], atoms: Mapping[x.Local, int], start: Diagram
    ) -> Iterator[Case]:
        if start == self.system.layout.bdd.false:
            return
        encoder = self.whole.encoder
        match formula:
            case x.Quantified("all", variables, ranges, body) if not any(map(x.is_temporal, ranges)):
                for chosen, condition, inner in encoder.instances(variables, ranges, given):
                    named = {**atoms, **dict(zip(variables, chosen, strict=True))}
                    yield from self._cases(body, inner, named, start & condition)
            case x.Binary("&&", left, right) if not x.divides(formula):
                yield from self._cases(left, given, atoms, start)
                yield from self._cases(right, given, atoms, start)
            case x.Binary("=>", left, right) if not x.is_temporal(left) and not x.divides(left):
                yield from self._cases(right, given, atoms, start & encoder.formula(left, given))
            case _:
                yield self._case(formula, given, atoms, start)

    def _case(self, claim: x.Expr, given: Values[Diagram], atoms: Mapping[x.Local, int], start: Diagram) -> Case:
        depth = x_depth(claim)
        if depth is not None:
            return Case(start, claim, given, atoms, self.whole, self._near(start, depth))
        reach, checker = self.reached(start)
        return Case(start, claim, given, atoms, checker, reach)

    def reached(self, start: Diagram) -> tuple[Diagram, Checker]:
        if start not in self._reached:
            reach = self.system.reachable(start)
            self._reached[start] = reach, Checker(self.system, reach)
        return self._reached[start]

    def _near(self, start: Diagram, depth: int) -> Diagram:
        """The states from which the claim looks one step on."""
        found = fresh = start if depth else self.system.layout.bdd.false
        for _ in range(depth - 1):
            fresh = self.system.after(fresh) & ~found
            found |= fresh
        return found


def x_depth(formula: x.Expr) -> int | None:
    """How many steps a claim looks ahead; None if there is no bound."""
    deepest = max((-1 if (d := x_depth(child)) is None else d for child in x.children(formula)), default=0)
    if any(x_depth(child) is None for child in x.children(formula)):
        return None
    if isinstance(formula, x.Temporal):
        return deepest + 1 if formula.operator in ("AX", "EX") else None
    return deepest
