"""Statements and procedures run from one state: every result, and for results with `bad` the line that set it.

Recursion is solved as it is defined (Chang and Jackson 2006, section 5.3): each call with its state starts as "leads to
loop", and calls are run again until no result changes. Only calls that occur are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import product

from clew.core.diagnostics import Span
from clew.core.records import record
from clew.core.relational import expressions as x
from clew.core.relational import program as p
from clew.core.relational.evaluate import (
    DivisionByZero,
    Relation,
    Value,
    Values,
    evaluate,
    fitted,
    holds,
    tuples_of,
    well_formed,
)
from clew.core.relational.sorts import Rel, Scalar, Type, tuples

State = tuple[Value, ...]  # the variables in order of declaration, then bad (0 or 1)


@record
class Ended:
    """A run of a statement: the state and the locals it ends with, and where `bad` was set last."""

    state: State
    given: tuple[tuple[int, Value], ...]
    blame: Span | None = None


@record
class Results:
    """All runs of a statement. `stuck`: declarative statements that nothing satisfied."""

    ended: frozenset[Ended] = frozenset()
    loops: bool = False
    stuck: frozenset[Span] = frozenset()

    def __or__(self, other: Results) -> Results:
        return Results(self.ended | other.ended, self.loops or other.loops, self.stuck | other.stuck)


LOOP_RESULT = Results(loops=True)
Changed = tuple[tuple[int, Value], ...]  # numbers of locals and their values
Key = tuple[int, State, Changed]
Rest = tuple[Relation, State, Changed]


class TooMuch(Exception):
    """A declarative statement leaves more choices than can be tried one by one."""


MOST_CHOICES = 1 << 20
MOST_KNOWN = 200_000  # results of calls, and of declarative statements, that are kept


@dataclass(slots=True)
class Interpreter:
    """`hint`: where a declarative statement leaves too many choices to try them all, only this state is tried."""

    program: p.RelationalProgram
    hint: State | None = None
    place: dict[str, int] = field(init=False)
    _known: dict[Key, Results] = field(init=False, default_factory=dict)
    _asked: list[Key] = field(init=False, default_factory=list)
    _satisfying: dict[Key, tuple[tuple[State, Changed], ...]] = field(init=False, default_factory=dict)
    _settled: dict[int, dict[Rest, Results] | None] = field(init=False, default_factory=dict)  # foreach without calls
    _stmts: dict[int, p.Stmt] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        names = [*(v.name for v in self.program.variables), p.BAD]
        self.place = {name: place for place, name in enumerate(names)}

    def step(self, procedure: p.Procedure, arguments: tuple[Value, ...], state: State) -> Results:
        """What one call of a procedure leads to."""
        given = {q.number: value for q, value in zip(procedure.parameters, arguments, strict=True)}
        return self._solved(procedure.body, state, given)

    def _solved(self, stmt: p.Stmt, state: State, given: Values) -> Results:
        """The least fixpoint over the calls that occur: what is known stays as it is when it is run again."""
        if len(self._known) > MOST_KNOWN:
            self._known.clear()
        while True:
            found = self._run(stmt, state, given)
            asked, changed = list(self._asked), False
            for key in asked:
                again = self._run(self._stmts[key[0]], key[1], dict(key[2]))
                if again != self._known[key]:
                    self._known[key], changed = again, True
            if not changed and len(asked) == len(self._asked):
                self._asked.clear()
                return found

    def _demanded(self, stmt: p.Stmt, state: State, given: Values) -> Results:
        """The results of a loop or of the body of a recursive procedure, as far as they are known."""
        key = (id(stmt), state, tuple(sorted(given.items())))
        if key not in self._known:
            self._stmts[id(stmt)] = stmt
            self._known[key] = LOOP_RESULT
            self._asked.append(key)
        return self._known[key]

    def _run(self, stmt: p.Stmt, state: State, given: Values) -> Results:
        try:
            match stmt:
                case p.Block(inner):
                    return self._block(inner, state, given)
                case p.If(condition, then, otherwise):
                    chosen = then if holds(condition, self._now(state), given) else otherwise
                    return self._run(chosen, state, given)
                case p.While(condition, body):
                    if not holds(condition, self._now(state), given):
                        return _one(state, given)
                    return self._then(self._run(body, state, given), partial(self._demanded, stmt))
                case p.Foreach():
                    return self._foreach(stmt, state, given)
                case p.Call():
                    return self._call(stmt, state, given)
                case p.Declare():
                    return self._declare(stmt, state, given)
                case p.Assign() | p.AssignRow():
                    return self._assign(stmt, state, given)
        except DivisionByZero:
            assert not isinstance(stmt, p.Block)
            return self._spoilt(state, given, stmt.span)

    def _now(self, state: State) -> _Reader:
        return _Reader(self.place, state, None)

    def _then(self, first: Results, go_on: Callable[[State, Values], Results]) -> Results:
        """What comes behind each result."""
        ended, loops, stuck = set[Ended](), first.loops, set(first.stuck)
        for one in first.ended:
            later = go_on(one.state, dict(one.given))
            ended.update(Ended(e.state, e.given, e.blame or (one.blame if e.state[-1] else None)) for e in later.ended)
            loops = loops or later.loops
            stuck |= later.stuck
        return Results(frozenset(ended), loops, frozenset(stuck))

    def _block(self, inner: tuple[p.Stmt, ...], state: State, given: Values) -> Results:
        found = _one(state, given)
        for one in inner:
            found = self._then(found, partial(self._run, one))
        return found

    def _foreach(self, stmt: p.Foreach, state: State, given: Values) -> Results:
        left = tuples_of(stmt.range, self._now(state), given)
        if id(stmt) not in self._settled:
            settled = not any(isinstance(inner, p.Call | p.While) for inner in p.statements(stmt))
            self._settled[id(stmt)] = {} if settled else None
        seen = self._settled[id(stmt)]
        return self._rest(stmt, left, state, given, {} if seen is None else seen)

    def _rest(self, stmt: p.Foreach, left: Relation, state: State, given: Values, seen: dict[Rest, Results]) -> Results:
        """What is `left` to do; `seen` keeps it for states that are met again, after another choice or order."""
        if not left:
            return _one(state, given)
        key = (left, state, tuple(sorted(given.items())))
        if key in seen:
            return seen[key]
        found = Results()
        taken = sorted(left)
        for element in taken[:1] if self.program.switches.foreach == "declared" else taken:
            body = self._run(stmt.body, state, {**given, stmt.variable.number: element[0]})

            def go_on(s: State, g: Values, rest: Relation = left - {element}) -> Results:
                inner = {number: value for number, value in g.items() if number != stmt.variable.number}
                return self._rest(stmt, rest, s, inner, seen)

            found |= self._then(body, go_on)
        seen[key] = found
        return found

    def _call(self, stmt: p.Call, state: State, given: Values) -> Results:
        procedure = self.program.procedure(stmt.procedure)
        values = [evaluate(argument, self._now(state), given) for argument in stmt.arguments]
        inner = {q.number: value for q, value in zip(procedure.parameters, values, strict=True)}
        found = self._demanded(procedure.body, state, inner)
        kept = tuple(sorted(given.items()))  # by value: what the callee does to its parameters is its own business
        return Results(frozenset(Ended(e.state, kept, e.blame) for e in found.ended), found.loops, found.stuck)

    def _spoilt(self, state: State, given: Values, span: Span) -> Results:
        """An illegal statement sets `bad`."""
        if self.program.switches.bad == "freeze":
            return _one((*state[:-1], 1), given, span)
        every = product(*(self._values(v) for v in self.program.variables))
        kept = tuple(sorted(given.items()))
        return Results(frozenset(Ended((*values, 1), kept, span) for values in every))

    def _values(self, variable: p.Variable) -> list[Value]:
        return [value for value in all_values(variable.type) if well_formed(variable, value)]

    def _assign(self, stmt: p.Assign | p.AssignRow, state: State, given: Values) -> Results:
        now, target = self._now(state), stmt.target
        value: Value | None
        if isinstance(stmt, p.AssignRow):
            old = tuples_of(target, now, given)
            rows, new = tuples_of(stmt.rows, now, given), tuples_of(stmt.value, now, given)
            kept = frozenset(t for t in old if t[:1] not in rows)
            value = kept | frozenset(r + t for r in rows for t in new)
        else:
            value = fitted(evaluate(stmt.value, now, given), target.type, stmt.value)
        if value is None:
            return self._spoilt(state, given, stmt.span)
        if isinstance(target, x.Local):
            return _one(state, {**given, target.number: value})
        place = self.place[target.name]
        if target.name != p.BAD and not well_formed(self.program.variables[place], value):
            return self._spoilt(state, given, stmt.span)
        blame = stmt.span if target.name == p.BAD and value == 1 and not state[-1] else None
        return _one((*state[:place], value, *state[place + 1 :]), given, blame)

    def _declare(self, stmt: p.Declare, state: State, given: Values) -> Results:
        read = {local.number for local in x.free_locals(stmt.formula)}
        known = tuple(sorted((number, value) for number, value in given.items() if number in read))
        key = (id(stmt), state, known)
        if key not in self._satisfying:
            if len(self._satisfying) > MOST_KNOWN:
                self._satisfying.clear()
            self._satisfying[key] = tuple(self._solutions(stmt, state, dict(known)))
        found = set[Ended]()
        for after, changed in self._satisfying[key]:
            blame = stmt.span if after[-1] and not state[-1] else None
            found.add(Ended(after, tuple(sorted({**given, **dict(changed)}.items())), blame))
        return Results(frozenset(found)) if found else Results(stuck=frozenset({stmt.span}))

    def _solutions(self, stmt: p.Declare, state: State, given: Values) -> Iterator[tuple[State, Changed]]:
        """The states that satisfy a declarative statement, each with the locals that change."""
        changed = sorted(number for number in p.primed(stmt.formula) if isinstance(number, int))
        types = {q.number: q.type for procedure in self.program.procedures for q in procedure.parameters}
        locals_ = [all_values(types[number]) for number in changed]
        choices = self._choices(stmt, state, given, locals_)
        for after in product(*choices):
            if not all(map(well_formed, self.program.variables, after)):
                continue
            reader = _Reader(self.place, state, after)
            for values in product(*locals_):
                later = {**given, **{-number: value for number, value in zip(changed, values, strict=True)}}
                if _satisfied(stmt.formula, reader, later):
                    yield after, tuple(zip(changed, values, strict=True))

    def _choices(self, stmt: p.Declare, state: State, given: Values, locals_: list[list[Value]]) -> list[list[Value]]:
        """What each variable may become. Raises TooMuch."""
        bad = [0, 1] if p.BAD in p.primed(stmt.formula) else [state[-1]]
        pinned = self._pinned(stmt.formula, state, given)
        try:
            choices: list[list[Value]] = []
            for variable in self.program.variables:
                known = pinned.get(variable.name)
                choices.append(self._values(variable) if known is None else [known])
            _bounded([*choices, *locals_])
        except TooMuch:
            if not self.hint:
                raise
            return [[value] for value in self.hint[:-1]] + [list[Value](bad)]
        return [*choices, list[Value](bad)]

    def _pinned(self, formula: x.Expr, state: State, given: Values) -> dict[str, Value]:
        """Variables whose next value a conjunct `v' == e` gives outright."""
        match formula:
            case x.Binary("&&", left, right):
                return {**self._pinned(left, state, given), **self._pinned(right, state, given)}
            case x.Same(x.Global(name, type_, True), value) if not p.primed(value) and not x.divides(value):
                found = fitted(evaluate(value, self._now(state), given), type_, value)
                return {} if found is None or name == p.BAD else {name: found}
            case x.Count("no", x.Global(name, _, True)):
                return {name: frozenset()}
        return {}


@record
class _Reader:
    place: Mapping[str, int]
    state: State
    after: State | None

    def read(self, variable: x.Global) -> Value:
        if variable.name == p.LOOP:
            return 0
        values = self.after if variable.primed else self.state
        assert values is not None
        return values[self.place[variable.name]]

    def temporal(self, formula: x.Temporal, given: Values) -> bool:
        raise AssertionError("a temporal formula in a statement")


def _satisfied(formula: x.Expr, reader: _Reader, given: Values) -> bool:
    """Values for which a declarative statement divides by zero do not satisfy it."""
    try:
        return holds(formula, reader, given)
    except DivisionByZero:
        return False


def _one(state: State, given: Values, blame: Span | None = None) -> Results:
    return Results(frozenset({Ended(state, tuple(sorted(given.items())), blame)}))


def _bounded(choices: list[list[Value]]) -> None:
    size = 1
    for one in choices:
        size *= len(one)
    if size > MOST_CHOICES:
        raise TooMuch(f"a declarative statement leaves {size} choices")


def all_values(type_: Type) -> list[Value]:
    """Every value of a type. Raises TooMuch."""
    if isinstance(type_, Scalar):
        return list(range(type_.sort.size))
    assert isinstance(type_, Rel)
    every = list(tuples(type_.columns))
    if len(every) > 20:
        raise TooMuch(f"a relation over {type_} has 2^{len(every)} values")
    found: list[Value] = []
    for code in range(1 << len(every)):
        found.append(frozenset(t for place, t in enumerate(every) if code >> place & 1))
    return found


def all_states(program: p.RelationalProgram) -> Iterator[State]:
    """Every well-formed state, with `bad` and without. Raises TooMuch."""
    choices = [[v for v in all_values(one.type) if well_formed(one, v)] for one in program.variables]
    for values in product(*choices, (0, 1)):
        yield tuple(values)
