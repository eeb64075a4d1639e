"""The state graph of a small program, state by state, and CTL on it: what symbolic engines are measured against."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from clew.core.diagnostics import Span
from clew.core.records import record
from clew.core.relational import expressions as x
from clew.core.relational import program as p
from clew.core.relational.evaluate import DivisionByZero, Value, Values, evaluate, holds, instances
from clew.core.relational.interpreter import Interpreter, State, TooMuch, all_states, all_values
from clew.core.relational.reaching import always, before, until
from clew.core.relational.sorts import Rel

Place = State | None  # None is the state `loop`


@dataclass(slots=True)
class Graph:
    """Everything that can be reached from some states. `stuck`: where a run meets a statement nothing satisfies."""

    program: p.RelationalProgram
    successors: dict[Place, frozenset[Place]] = field(default_factory=dict)
    stuck: dict[Place, frozenset[Span]] = field(default_factory=dict)

    @classmethod
    def explored(cls, program: p.RelationalProgram, start: Iterable[Place], most: int | None = None) -> Graph:
        """Raises TooMuch beyond so many states."""
        graph, interpreter = cls(program), Interpreter(program)
        todo = list(start)
        while todo:
            state = todo.pop()
            if state in graph.successors:
                continue
            found, stuck = after(interpreter, state)
            graph.successors[state], graph.stuck[state] = found, stuck
            if most is not None and len(graph.successors) > most:
                raise TooMuch(f"more than {most} states")
            todo.extend(found)
        return graph


def after(interpreter: Interpreter, state: Place) -> tuple[frozenset[Place], frozenset[Span]]:
    """Where one step leads, and which declarative statements nothing satisfies on the way."""
    if state is None:
        return frozenset({None}), frozenset()
    found, stuck = set[Place](), set[Span]()
    for procedure in interpreter.program.toplevel:
        for arguments in argument_choices(procedure):
            results = interpreter.step(procedure, arguments, state)
            found.update(ended.state for ended in results.ended)
            if results.loops:
                found.add(None)
            stuck |= results.stuck
    return frozenset(found), frozenset(stuck)


def argument_choices(procedure: p.Procedure) -> Iterator[tuple[Value, ...]]:
    """All arguments that a procedure can be called with."""
    choices: list[tuple[Value, ...]] = [()]
    for parameter in procedure.parameters:
        choices = [(*known, value) for known in choices for value in all_values(parameter.type)]
    return iter(choices)


def zeros(program: p.RelationalProgram) -> State:
    """What the variables are in the state `loop`."""
    return (*(frozenset() if isinstance(v.type, Rel) else 0 for v in program.variables), 0)


@dataclass(slots=True)
class Checker:
    """CTL over a graph, by its definition. A state without successor is the end of its runs."""

    graph: Graph
    place: dict[str, int] = field(init=False)
    _known: dict[object, frozenset[Place]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = [*(v.name for v in self.graph.program.variables), p.BAD]
        self.place = {name: place for place, name in enumerate(names)}

    def holds(self, formula: x.Expr, state: Place, given: Values) -> bool:
        """Where evaluating a formula divides by zero, it is false."""
        try:
            return holds(formula, _At(self, state), given)
        except DivisionByZero:
            return False

    def value(self, expr: x.Expr, state: Place, given: Values) -> Value:
        return evaluate(expr, _At(self, state), given)

    def instances(
        self, variables: tuple[x.Local, ...], ranges: tuple[x.Expr, ...], state: Place, given: Values
    ) -> Iterator[Values]:
        """The values of all locals, for each choice of the variables in their ranges."""
        return (inner for _, inner in instances(variables, ranges, _At(self, state), given))

    def where(self, formula: x.Expr, given: Values) -> frozenset[Place]:
        return frozenset(state for state in self.graph.successors if self.holds(formula, state, given))

    def temporal(self, formula: x.Temporal, given: Values) -> frozenset[Place]:
        """The states that satisfy it."""
        free = {local.number for local in x.free_locals(formula)}
        key = (id(formula), tuple(sorted((n, v) for n, v in given.items() if n in free)))
        if key not in self._known:
            self._known[key] = self._temporal(formula, given)
        return self._known[key]

    def _temporal(self, formula: x.Temporal, given: Values) -> frozenset[Place]:
        every = frozenset(self.graph.successors)
        sets = [self.where(operand, given) for operand in formula.operands]
        match formula.operator:
            case "EX":
                return before(self.graph.successors, sets[0])
            case "AX":
                some = before(self.graph.successors, every - sets[0])
                return every - some
            case "EF":
                return self._until(every, sets[0])
            case "AG":
                return every - self._until(every, every - sets[0])
            case "EG":
                return self._always(sets[0])
            case "AF":
                return every - self._always(every - sets[0])
            case "EU":
                return self._until(sets[0], sets[1])
            case "AU":
                left, right = every - sets[0], every - sets[1]
                return every - self._until(right, right & left) - self._always(right)

    def _until(self, left: frozenset[Place], right: frozenset[Place]) -> frozenset[Place]:
        return until(self.graph.successors, left, right)

    def _always(self, states: frozenset[Place]) -> frozenset[Place]:
        ends = frozenset(s for s, next_ in self.graph.successors.items() if not next_)
        return always(self.graph.successors, ends, states)


@record
class _At:
    checker: Checker
    state: Place

    def read(self, variable: x.Global) -> Value:
        if variable.name == p.LOOP:
            return int(self.state is None)
        values = zeros(self.checker.graph.program) if self.state is None else self.state
        return values[self.checker.place[variable.name]]

    def temporal(self, formula: x.Temporal, given: Values) -> bool:
        return self.state in self.checker.temporal(formula, given)


def whole(program: p.RelationalProgram) -> Graph:
    """The graph of all well-formed states. Raises TooMuch."""
    return Graph.explored(program, all_states(program))
