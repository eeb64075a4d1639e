"""All outcomes of running a block of commands from one state, with calls, choices and divergence.

The outcomes of a call (or loop) are the least fixpoint above "only divergence": a table of the calls met so far starts
with that and is computed anew until nothing changes. A divergence is left in it exactly if there is an endless run.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import NamedTuple

from clew.core.expressions import Ref
from clew.core.formula_values import Scope, Values, evaluate, slot_of, solutions, values_of
from clew.core.procedures import (
    Block,
    Call,
    Check,
    Choose,
    Claim,
    Command,
    Flowchart,
    If,
    Pick,
    Relate,
    Simultaneous,
    While,
)
from clew.core.properties import Violation
from clew.core.statements import Assign, Guard
from clew.core.transition_system import Action, TransitionSystem
from clew.core.types import Scalar, is_scalar, scalars, slots, wrap


class Ended(NamedTuple):
    """How a run of a block ended: the values of the system and of the frame. `values` None: it never ends.
    `broken`: it broke down."""

    values: Values | None
    frame: Values
    violations: tuple[Violation, ...] = ()
    broken: bool = False


DIVERGED = Ended(None, ())
Outcomes = frozenset[Ended]


class Runs:
    """Runs the actions of one system."""

    def __init__(self, system: TransitionSystem) -> None:
        self.system = system
        self._procedures = {procedure.name: procedure for procedure in system.procedures}
        self._slots = [(n, t, v) for v in system.variables for n, t in scalars(v.type, v.name)]
        self._table: dict[Hashable, Outcomes] = {}
        self._todo: dict[Hashable, Callable[[], Outcomes]] = {}

    def outcomes(self, action: Action, state: Values, parameters: Values) -> Iterator[Ended]:
        """In a fixed order. An endless run ends in the state that stands for divergence."""
        diverged = self.system.diverged
        if diverged is not None and state[diverged.slot]:
            yield Ended(state, parameters)
            return
        self._table, self._todo = {}, {}
        found = self._block(action.body, state, parameters)
        while self._table:
            before = dict(self._table)
            for key, again in list(self._todo.items()):
                self._table[key] = again()
            found = self._block(action.body, state, parameters)
            if self._table == before:
                break
        for ended in sorted(found, key=lambda e: (e.broken, e.values or (), e.frame, len(e.violations))):
            yield self._divergence(state, parameters) if ended.values is None and not ended.broken else ended

    def _divergence(self, state: Values, parameters: Values) -> Ended:
        diverged, frozen = self.system.diverged, self.system.frozen
        if diverged is None:
            raise TypeError("a run that never ends in a system without a variable for it")
        values = [
            value if variable in frozen else 0 for (_, _, variable), value in zip(self._slots, state, strict=True)
        ]
        values[diverged.slot] = 1
        return Ended(tuple(values), parameters)

    def _block(self, block: Block, state: Values, frame: Values) -> Outcomes:
        current: set[Ended] = {Ended(state, frame)}
        for command in block:
            following: set[Ended] = set()
            for ended in current:
                if ended.values is None or ended.broken:
                    following.add(ended)
                    continue
                for after in self._command(command, ended.values, ended.frame):
                    following.add(after._replace(violations=ended.violations + after.violations))
            current = following
        return frozenset(current)

    def _command(self, command: Command, state: Values, frame: Values) -> Outcomes:
        scope = Scope(state, frame)
        same = Ended(state, frame)
        match command:
            case Guard(value):
                return frozenset({same} if evaluate(value, scope) else ())
            case Assign():
                return frozenset({self._stored((command,), scope)})
            case Simultaneous(assignments):
                return frozenset({self._stored(assignments, scope)})
            case If(test, then, otherwise):
                return self._block(then if evaluate(test, scope) else otherwise, state, frame)
            case Choose(alternatives):
                return frozenset().union(*(self._block(block, state, frame) for block in alternatives))
            case Pick(targets):
                return frozenset(self._picked(targets, scope))
            case Relate(formula, targets):
                keep = {n: v for n, v in enumerate(state) if n not in set(_parts(targets, scope))}
                return frozenset(Ended(v, frame) for v in solutions((formula,), self._slots, keep, scope))
            case Check(condition, violation):
                return frozenset({same if evaluate(condition, scope) else Ended(None, (), (violation,), broken=True)})
            case Claim(condition, violation):
                return frozenset({same if evaluate(condition, scope) else Ended(state, frame, (violation,))})
            case Flowchart():
                return self._flowchart(command, state, frame)
            case While():
                return self._later((id(command), state, frame), lambda: self._while(command, state, frame))
            case Call(name, args):
                return self._call(name, tuple(evaluate(arg, scope) for arg in args), state, frame)

    # --- storing

    def _stored(self, assignments: Sequence[Assign], scope: Scope) -> Ended:
        state, frame = list(scope.state), list(scope.frame)
        for assignment in assignments:
            slot = slot_of(assignment.target, scope)
            if slot is not None:
                place = state if assignment.target.variable.owner is None else frame
                place[slot] = wrap(_scalar(assignment.target), evaluate(assignment.value, scope))
        return Ended(tuple(state), tuple(frame))

    def _picked(self, targets: Sequence[Ref], scope: Scope) -> Iterator[Ended]:
        if not targets:
            yield Ended(tuple(scope.state), tuple(scope.frame))
            return
        ref, *others = targets
        first = slot_of(ref, scope)
        types = [type_ for _, type_ in scalars(ref.type)]

        def fill(state: Values, frame: Values, place: int) -> Iterator[Ended]:
            if first is None or place == len(types):
                yield from self._picked(others, Scope(state, frame))
                return
            for value in values_of(types[place]):
                changed = list(state if ref.variable.owner is None else frame)
                changed[first + place] = value
                if ref.variable.owner is None:
                    yield from fill(tuple(changed), frame, place + 1)
                else:
                    yield from fill(state, tuple(changed), place + 1)

        yield from fill(tuple(scope.state), tuple(scope.frame), 0)

    # --- going round

    def _flowchart(self, chart: Flowchart, state: Values, frame: Values) -> Outcomes:
        found: set[Ended] = set()

        def walk(node: int, at: Ended, path: frozenset[Hashable]) -> None:
            if node < 0 or at.values is None or at.broken:
                found.add(at)
                return
            here = (node, at.values, at.frame)
            if here in path:
                found.add(Ended(None, (), (*at.violations, chart.endless), broken=True))
                return
            scope = Scope(at.values, at.frame)
            way = next((way for way in chart.nodes[node] if evaluate(way.guard, scope)), None)
            if way is None:
                found.add(Ended(None, (), (*at.violations, chart.blocked), broken=True))
                return
            for after in self._block(way.block, at.values, at.frame):
                walk(way.target, after._replace(violations=at.violations + after.violations), path | {here})

        walk(0, Ended(state, frame), frozenset())
        return frozenset(found)

    def _while(self, loop: While, state: Values, frame: Values) -> Outcomes:
        if not evaluate(loop.test, Scope(state, frame)):
            return frozenset({Ended(state, frame)})
        return self._block((*loop.body, loop), state, frame)

    def _call(self, name: str, args: Values, state: Values, frame: Values) -> Outcomes:
        procedure = self._procedures[name]
        types = [type_ for variable in procedure.parameters for _, type_ in scalars(variable.type)]
        given = [wrap(type_, value) for type_, value in zip(types, args, strict=True)]
        inner = (*given, *(0 for _ in range(procedure.frame - len(given))))
        found = self._later((name, state, inner), lambda: self._block(procedure.body, state, inner))
        return frozenset(ended if ended.values is None else ended._replace(frame=frame) for ended in found)

    def _later(self, key: Hashable, compute: Callable[[], Outcomes]) -> Outcomes:
        """What is known so far of a call or loop."""
        if key not in self._table:
            self._table[key] = frozenset({DIVERGED})
            self._todo[key] = compute
        return self._table[key]


def _scalar(ref: Ref) -> Scalar:
    return next(type_ for _, type_ in scalars(ref.type))


def _parts(targets: Sequence[Ref], scope: Scope) -> Iterator[int]:
    for ref in targets:
        first = slot_of(ref, scope)
        if first is not None:
            yield from range(first, first + (1 if is_scalar(ref.type) else slots(ref.type)))
