"""What statements and procedures do, as decision diagrams: forward, from the states that can get there.

A statement is compiled together with the set of states from which it is run, so that nothing is spent on inputs that
never occur. A recursive procedure is solved by two fixpoints over its strongly connected part of the call graph: the
least relation (with the inputs that calls demand growing along), then, below it, the greatest set of inputs from which
a run may go on for ever. Together they are the least fixpoint of Chang and Jackson that starts with "every input leads
to loop": once the results that end are known, an input leads to `loop` as well exactly if it is in the greatest set of
inputs from which some run reaches a call with such an input (specs: 3.4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from clew.core.relational import program as p
from clew.core.relational.encode import Encoder, Value
from clew.core.relational.expressions import Expr, Global, Local, type_of
from clew.core.relational.program import BAD, RelationalProgram
from clew.core.relational.sorts import Rel, Scalar
from clew.symbolic.relational.call_graph import CallGraph
from clew.symbolic.relational.diagrams import Diagram
from clew.symbolic.relational.inputs import untouched
from clew.symbolic.relational.layout import Bit, Layout, remaining
from clew.symbolic.relational.meaning import Meaning, Meanings

Values = Mapping[int, Value[Diagram]]
Trouble = Literal["diverges", "sticks"]
TROUBLES: tuple[Trouble, ...] = ("diverges", "sticks")


@dataclass(slots=True)
class Summary:
    """What is known of a recursive procedure: the inputs that were asked for, and what it does with them.

    What is known of `settled` inputs is final: all that they call was asked for and settled with them."""

    inputs: Diagram
    meaning: Meaning
    trouble: dict[Trouble, Diagram]
    settled: Diagram
    of_settled: Meaning
    rounds: int = 0

    @property
    def open(self) -> Diagram:
        return self.inputs & ~self.settled


class Compiler:
    """`everything`: compile procedures for all inputs instead of those that occur (the baseline of the paper)."""

    def __init__(
        self,
        program: RelationalProgram,
        layout: Layout,
        everything: bool = False,
        watch: Callable[[], None] = lambda: None,
    ) -> None:
        self.program = program
        self.layout = layout
        self.bdd = layout.bdd
        self.everything = everything
        self.watch = watch  # called again and again; may raise to give up
        self.meanings = Meanings(layout)
        self.encoder = Encoder(layout.bdd, layout.look_up)
        self.calls = CallGraph(program)
        self.summaries: dict[str, Summary] = {}
        self.unsolved: set[str] = set()
        self.variables = {v.name: v for v in program.variables}
        self.universe = self._well_formed(False)
        self.universe_after = self._well_formed(True)
        self._memo: dict[object, Meaning] = {}
        self._unchanged: dict[str, tuple[int, ...]] = {}
        self._passing: dict[object, Meaning] = {}  # as long as no summary changes

    def _well_formed(self, primed: bool) -> Diagram:
        found = self.bdd.true
        for v in self.program.variables:
            found &= self.encoder.well_formed(v, self.layout.value(v.name, primed))
        return found

    # statements, from the states `pre`

    def statement(self, stmt: p.Stmt, given: Values, pre: Diagram) -> Meaning:
        known = self._passing if self.calls.may_recurse(stmt) else self._memo
        key = (id(stmt), pre, _hashable(given))
        if key not in known:
            self.watch()
            known[key] = self._statement(stmt, given, pre)
        return known[key]

    def _statement(self, stmt: p.Stmt, given: Values, pre: Diagram) -> Meaning:
        if pre == self.bdd.false:
            return self.meanings.nothing
        match stmt:
            case p.Block(inner):
                found = self.meanings.skip_in(pre)
                for place, (one, states) in enumerate(self._course(inner, given, pre)):
                    step = self.statement(one, given, states)
                    found = step if place == 0 else self.meanings.sequence(found, step)
                return found
            case p.Assign(target, value):
                return self._assign(target, value, given, pre)
            case p.AssignRow():
                return self._assign_row(stmt, given, pre)
            case p.Declare(formula):
                return self.meanings.where(pre, self._declared(formula, given))
            case p.If(condition, then, otherwise):
                test = self.encoder.formula(condition, given)
                fails = self.encoder.fails(condition, given)
                yes = self.statement(then, given, pre & test & ~fails)
                no = self.statement(otherwise, given, pre & ~test & ~fails)
                return self._unless(fails, self.meanings.any_of((yes, no)), pre)
            case p.While():
                return self._while(stmt, given, pre)
            case p.Foreach():
                return self._foreach(stmt, given, pre)
            case p.Call():
                return self._call(stmt, given, pre)

    def _course(self, stmts: Iterable[p.Stmt], given: Values, pre: Diagram) -> Iterable[tuple[p.Stmt, Diagram]]:
        """Statements one after the other, each with the states from which it is run."""
        for one in stmts:
            yield one, pre
            pre = self.meanings.after(self.statement(one, given, pre), pre)

    def _unless(self, fails: Diagram, meaning: Meaning, pre: Diagram) -> Meaning:
        """An illegal statement does nothing but set `bad`; with the switch, it may do anything besides."""
        fails = fails & pre
        if fails == self.bdd.false:
            return meaning
        bad = self.layout.bits[BAD][0]
        changes, relation = {bad}, self.bdd.var(bad.next)
        if self.program.switches.bad == "havoc":
            changes.update(b for v in self.program.variables for b in self.layout.bits[v.name])
            relation &= self.universe_after
        spoilt = Meaning(frozenset(changes), relation & fails)
        return self.meanings.any_of((spoilt, self.meanings.where(~fails, meaning)))

    def _store(self, target: Global | Local, new: Value[Diagram], fails: Diagram, pre: Diagram) -> Meaning:
        if isinstance(target, Global) and target.name != BAD and self.variables[target.name].constrained:
            fails |= ~self.encoder.well_formed(self.variables[target.name], new)
        changes, relation = set[Bit](), pre
        for bit, value in self.layout.spread(_owner(target), new):
            if value & pre != self.bdd.var(bit.present) & pre:
                changes.add(bit)
                relation &= self.bdd.iff(self.bdd.var(bit.next), value)
        return self._unless(fails, Meaning(frozenset(changes), relation), pre)

    def _assign(self, target: Global | Local, value: Expr, given: Values, pre: Diagram) -> Meaning:
        fails = self.encoder.fails(value, given)
        if isinstance(target.type, Scalar) and isinstance(type_of(value), Rel):
            table = self.encoder.relation(value, given)
            fails |= ~self.encoder.circuits.count("one", table.values())
            bits = range(target.type.sort.bits)
            chosen = ((condition for (atom,), condition in table.items() if atom >> k & 1) for k in bits)
            return self._store(target, tuple(map(self.encoder.circuits.any_, chosen)), fails, pre)
        return self._store(target, self.encoder.value(value, given), fails, pre)

    def _assign_row(self, stmt: p.AssignRow, given: Values, pre: Diagram) -> Meaning:
        rows, value = self.encoder.relation(stmt.rows, given), self.encoder.relation(stmt.value, given)
        old = self.encoder.relation(stmt.target, given)
        new = {
            t: self.bdd.ite(rows.get(t[:1], self.bdd.false), value.get(t[1:], self.bdd.false), condition)
            for t, condition in old.items()
        }
        fails = self.encoder.fails(stmt.rows, given) | self.encoder.fails(stmt.value, given)
        return self._store(stmt.target, new, fails, pre)

    def _declared(self, formula: Expr, given: Values) -> Meaning:
        said = p.primed(formula)
        owners: list[str | int] = [v.name for v in self.program.variables]
        owners += [BAD] if BAD in said else []
        owners += sorted(name for name in said if isinstance(name, int))
        relation = self.encoder.formula(formula, given) & ~self.encoder.fails(formula, given) & self.universe_after
        for owner in owners:
            match self.layout.types[owner], self.layout.value(owner, primed=True):
                case Scalar(sort), tuple() as bits:
                    relation &= self.encoder.valid_code(sort, bits)
        return Meaning(frozenset(b for owner in owners for b in self.layout.bits[owner]), relation)

    # loops

    def _while(self, stmt: p.While, given: Values, pre: Diagram) -> Meaning:
        test, fails = self.encoder.formula(stmt.condition, given), self.encoder.fails(stmt.condition, given)
        goes_on = test & ~fails
        body = self.statement(stmt.body, given, self._loop_heads(stmt, given, pre) & goes_on)
        found = fresh = self.meanings.skip_in(pre)
        while fresh.relation != self.bdd.false:
            step = self.meanings.sequence(self.meanings.ending_in(goes_on, fresh), body)
            fresh, found = self.meanings.difference(step, found), self.meanings.any_of((found, step))
        ended = self.meanings.ending_in(~goes_on, found)
        if fails & pre == self.bdd.false and self.encoder.fails(stmt.condition, given) == self.bdd.false:
            return ended
        end = self.meanings.after(ended, pre)
        return self.meanings.sequence(ended, self._unless(fails, self.meanings.skip_in(end), end))

    def _loop_heads(self, stmt: p.While, given: Values, pre: Diagram) -> Diagram:
        """The states in which the condition is tested."""
        goes_on = self.encoder.formula(stmt.condition, given) & ~self.encoder.fails(stmt.condition, given)
        found = pre
        while True:
            states = found & goes_on
            wider = found | self.meanings.after(self.statement(stmt.body, given, states), states)
            if wider == found:
                return found
            found = wider

    def _foreach(self, stmt: p.Foreach, given: Values, pre: Diagram) -> Meaning:
        fails = self.encoder.fails(stmt.range, given) & pre
        start = self._entered(stmt, given, pre & ~fails)
        found, ended = start, list[Meaning]()
        for step in self._rounds(stmt, given, self.meanings.after(start, pre & ~fails)):
            ended.append(self.meanings.ending_in(self._none_left(stmt), found))
            found = self.meanings.sequence(self.meanings.ending_in(~self._none_left(stmt), found), step)
        ended.append(self.meanings.ending_in(self._none_left(stmt), found))
        done = self.meanings.forgetting(self.meanings.any_of(ended), self.layout.bits[remaining(stmt.variable)])
        return self._unless(fails, done, pre)

    def _entered(self, stmt: p.Foreach, given: Values, pre: Diagram) -> Meaning:
        """What is to be done is written down before the first element is taken."""
        left = Local(stmt.variable.name, remaining(stmt.variable), self.layout.types[remaining(stmt.variable)])
        return self._store(left, self.encoder.relation(stmt.range, given), self.bdd.false, pre)

    def _none_left(self, stmt: p.Foreach) -> Diagram:
        found = self.bdd.true
        for bit in reversed(self.layout.bits[remaining(stmt.variable)]):
            found &= ~self.bdd.var(bit.present)
        return found

    def _elements(self, stmt: p.Foreach, given: Values, states: Diagram) -> Iterable[tuple[Diagram, Bit, Values]]:
        """The states in which an element may be taken, its bit in what is left, and the values of locals then."""
        assert isinstance(stmt.variable.type, Scalar)
        sort = stmt.variable.type.sort
        for bit in self.layout.bits[remaining(stmt.variable)]:
            assert isinstance(bit.place, tuple)
            taken = states & self.bdd.var(bit.present)
            value = self.encoder.circuits.constant(bit.place[0], sort.bits)
            yield taken, bit, {**given, stmt.variable.number: value}
            if self.program.switches.foreach == "declared":
                states &= ~self.bdd.var(bit.present)

    def _rounds(self, stmt: p.Foreach, given: Values, states: Diagram) -> Iterable[Meaning]:
        """For each element that is taken one after the other: taking one and running the body."""
        while (states := states & ~self._none_left(stmt)) != self.bdd.false:
            step = self.meanings.any_of(self._turns(stmt, given, states))
            yield step
            states = self.meanings.after(step, states)

    def _turns(self, stmt: p.Foreach, given: Values, states: Diagram) -> list[Meaning]:
        turns = []
        for taken, bit, inner in self._elements(stmt, given, states):
            without = self.bdd.exists([bit.present], taken) & ~self.bdd.var(bit.present)
            body = self.statement(stmt.body, inner, without)
            taking = Meaning(frozenset({bit}), taken & ~self.bdd.var(bit.next))
            turns.append(self.meanings.sequence(taking, body))
        return turns

    # calls

    def _call(self, stmt: p.Call, given: Values, pre: Diagram) -> Meaning:
        procedure = self.program.procedure(stmt.procedure)
        fails = self._arguments_fail(stmt, given) & pre
        legal = pre & ~fails
        if self.calls.recursive(procedure):
            summary = self._demanded(procedure, self._bound(procedure, stmt, given), legal)
            made = self.meanings.replaced(summary.meaning, self._bound(procedure, stmt, given))
            return self._unless(fails, self.meanings.where(legal, made), pre)
        entering, inner = self._inlined(procedure, stmt, given, legal)
        body = self.statement(procedure.body, inner, self.meanings.after(entering, legal))
        made = self.meanings.sequence(entering, body)
        return self._unless(fails, self.meanings.forgetting(made, self._parameter_bits(procedure)), pre)

    def _arguments_fail(self, stmt: p.Call, given: Values) -> Diagram:
        return self.encoder.circuits.any_(self.encoder.fails(a, given) for a in stmt.arguments)

    def _parameter_bits(self, procedure: p.Procedure) -> list[Bit]:
        return [bit for local in procedure.parameters for bit in self.layout.bits[local.number]]

    def _bound(self, procedure: p.Procedure, stmt: p.Call, given: Values) -> dict[int, Diagram]:
        """The values of the parameters, by the names of their bits."""
        found = {}
        for parameter, argument in zip(procedure.parameters, stmt.arguments, strict=True):
            value = self.encoder.value(argument, given)
            found.update({bit.present: one for bit, one in self.layout.spread(parameter.number, value)})
        return found

    def _inlined(self, procedure: p.Procedure, stmt: p.Call, given: Values, pre: Diagram) -> tuple[Meaning, Values]:
        """How the parameters get their values, and the values of the locals then. A constant is put in; anything else
        is kept in the bits of the parameter, since what it was computed from may change."""
        assigned = p.assigned_locals(procedure.body)
        entering, inner = self.meanings.skip_in(pre), dict[int, Value[Diagram]]()
        for parameter, argument in zip(procedure.parameters, stmt.arguments, strict=True):
            value = self.encoder.value(argument, given)
            if parameter not in assigned and self.layout.is_constant(value):
                inner[parameter.number] = value
                continue
            inner.update(self.layout.locals_([parameter]))
            entering = self.meanings.sequence(
                entering, self._store(parameter, value, self.bdd.false, self.meanings.after(entering, pre))
            )
        return entering, inner

    def _demanded(self, procedure: p.Procedure, bound: dict[int, Diagram], pre: Diagram) -> Summary:
        """The summary of a recursive procedure, for these inputs at least."""
        bits = self._parameter_bits(procedure)
        inputs = pre
        for bit in bits:
            inputs &= self.bdd.iff(self.bdd.var(bit.middle), bound[bit.present])
        inputs = self.bdd.exists(self.layout.local_names, inputs)
        inputs = self.bdd.rename({bit.middle: bit.present for bit in bits}, inputs)
        inputs = self.bdd.exists(self._forgotten(procedure), inputs) & self.universe
        summary = self.summary(procedure)
        wider = summary.inputs | inputs
        if wider != summary.inputs:
            summary.inputs = wider
            self.unsolved.add(procedure.name)
        return summary

    def _forgotten(self, procedure: p.Procedure) -> tuple[int, ...]:
        """The bits of what the procedure leaves alone: it is solved for all their values."""
        if procedure.name not in self._unchanged:
            variables = untouched(self.program, self.calls.reached[procedure.name])
            self._unchanged[procedure.name] = tuple(bit.present for v in variables for bit in self.layout.bits[v.name])
        return self._unchanged[procedure.name]

    def summary(self, procedure: p.Procedure) -> Summary:
        if procedure.name not in self.summaries:
            inputs = self.bdd.false
            if self.everything:
                inputs = self.universe
                self.unsolved.add(procedure.name)
                for parameter in procedure.parameters:
                    inputs &= self.layout.valid(parameter)
            none = self.bdd.false
            trouble: dict[Trouble, Diagram] = {"diverges": none, "sticks": none}
            nothing = self.meanings.nothing
            self.summaries[procedure.name] = Summary(inputs, nothing, trouble, none, nothing)
        return self.summaries[procedure.name]

    def top_level(
        self,
        procedure: p.Procedure,
        given: Values,
        entering: Iterable[tuple[Local, Value[Diagram]]],
        pre: Diagram,
    ) -> tuple[Meaning, Diagram, Diagram]:
        """What a step does, where it may diverge, and where it may get stuck. `entering`: parameters to store first."""
        start, states = self.meanings.skip_in(pre), pre
        for parameter, value in entering:
            start = self.meanings.sequence(start, self._store(parameter, value, self.bdd.false, states))
            states = self.meanings.after(start, pre)
        body = self.run(procedure.body, given, states)
        made = self.meanings.forgetting(self.meanings.sequence(start, body), self._parameter_bits(procedure))
        troubles = (self.trouble(kind, procedure.body, given, states) for kind in TROUBLES)
        diverges, sticks = (self.meanings.before(start, trouble) for trouble in troubles)
        self._memo.clear()
        self._passing.clear()
        return made, diverges, sticks

    def run(self, stmt: p.Stmt, given: Values, pre: Diagram) -> Meaning:
        """What a statement does, from these states, with every procedure that it calls solved."""
        while True:
            made = self.statement(stmt, given, pre)
            if not self.unsolved:
                return made
            while self.unsolved:
                self._solve(self.calls.component(self.program.procedure(min(self.unsolved))))

    def _solve(self, part: tuple[p.Procedure, ...]) -> None:
        """The least relation, for the inputs that are asked for, and where trouble is. Recursive procedures that are
        called, but do not call back, are solved on the way."""
        for one in part:
            self.summary(one)
        while True:
            while self._widened(part):
                pass
            inner = self.unsolved & self.calls.below(part)
            if not inner:
                break
            while inner & self.unsolved:
                self._solve(self.calls.component(self.program.procedure(min(inner & self.unsolved))))
        self._troubled(part)
        for one in part:
            summary = self.summaries[one.name]
            summary.settled, summary.of_settled = summary.inputs, summary.meaning
        self.unsolved.difference_update(one.name for one in part)

    def _widened(self, part: tuple[p.Procedure, ...]) -> bool:
        """One round of the least fixpoint, for open inputs: whether it brought anything new."""
        asked = [self.summaries[one.name].inputs for one in part]
        changed = False
        for one in part:
            summary = self.summaries[one.name]
            body = self.statement(one.body, self.layout.locals_(one.parameters), summary.open)
            found = self.meanings.forgetting(body, self._parameter_bits(one))
            made = self.meanings.any_of((summary.of_settled, found))
            if not made.same(summary.meaning):
                summary.meaning, changed = made, True
                summary.rounds += 1
                self._passing.clear()
        return changed or asked != [self.summaries[one.name].inputs for one in part]

    def _troubled(self, part: tuple[p.Procedure, ...]) -> None:
        """From which open inputs runs diverge (the greatest such set) or get stuck (the least)."""
        for kind in TROUBLES:
            known = {one.name: self.summaries[one.name].trouble[kind] for one in part}
            if kind == "diverges":
                for one in part:
                    self.summaries[one.name].trouble[kind] |= self.summaries[one.name].open
            while self._settled(part, kind, known):
                pass

    def _settled(self, part: tuple[p.Procedure, ...], kind: Trouble, known: dict[str, Diagram]) -> bool:
        changed = False
        for one in part:
            summary = self.summaries[one.name]
            made = self.trouble(kind, one.body, self.layout.locals_(one.parameters), summary.open) | known[one.name]
            changed = changed or made != summary.trouble[kind]
            summary.trouble[kind] = made
        return changed

    # runs that do not end, or end nowhere

    def trouble(self, kind: Trouble, stmt: p.Stmt, given: Values, pre: Diagram) -> Diagram:
        """The states in `pre` from which some run of the statement diverges, or gets stuck."""
        none = self.bdd.false
        if pre == none or not self.calls.may(kind, stmt):
            return none
        before = self.meanings.before
        match stmt:
            case p.Block(inner):
                found = none
                for one, states in reversed(list(self._course(inner, given, pre))):
                    later = before(self.statement(one, given, states), found)
                    found = self.trouble(kind, one, given, states) | later
                return found
            case p.If(condition, then, otherwise):
                test = self.encoder.formula(condition, given)
                legal = pre & ~self.encoder.fails(condition, given)
                yes = self.trouble(kind, then, given, legal & test)
                return yes | self.trouble(kind, otherwise, given, legal & ~test)
            case p.Declare(formula):
                made = self._declared(formula, given)
                return pre & ~self.bdd.exists([bit.next for bit in made.changes], made.relation)
            case p.While():
                return self._trouble_in_loop(kind, stmt, given, pre)
            case p.Foreach():
                return self._trouble_in_foreach(kind, stmt, given, pre)
            case p.Call():
                return self._trouble_in_call(kind, stmt, given, pre)
        return none

    def _trouble_in_loop(self, kind: Trouble, stmt: p.While, given: Values, pre: Diagram) -> Diagram:
        heads = self._loop_heads(stmt, given, pre)
        states = heads & self.encoder.formula(stmt.condition, given) & ~self.encoder.fails(stmt.condition, given)
        body, inside = self.statement(stmt.body, given, states), self.trouble(kind, stmt.body, given, states)
        found = states if kind == "diverges" else inside
        while True:
            again = states & (inside | self.meanings.before(body, found))
            if again == found:
                return found & pre
            found = again

    def _trouble_in_foreach(self, kind: Trouble, stmt: p.Foreach, given: Values, pre: Diagram) -> Diagram:
        legal = pre & ~self.encoder.fails(stmt.range, given)
        start = self._entered(stmt, given, legal)
        states = self.meanings.after(start, legal)
        course = []
        for step in self._rounds(stmt, given, states):
            states &= ~self._none_left(stmt)
            course.append((states, step))
            states = self.meanings.after(step, states)
        found = self.bdd.false
        for states, step in reversed(course):
            found = self.meanings.before(step, found)
            for taken, bit, inner in self._elements(stmt, given, states):
                without = self.bdd.exists([bit.present], taken) & ~self.bdd.var(bit.present)
                inside = self.bdd.exists([bit.present], self.trouble(kind, stmt.body, inner, without))
                found |= taken & inside
        return self.meanings.before(start, found)

    def _trouble_in_call(self, kind: Trouble, stmt: p.Call, given: Values, pre: Diagram) -> Diagram:
        procedure = self.program.procedure(stmt.procedure)
        legal = pre & ~self._arguments_fail(stmt, given)
        if self.calls.recursive(procedure):
            bound = self._bound(procedure, stmt, given)
            summary = self._demanded(procedure, bound, legal)
            return legal & self.bdd.compose(bound, summary.trouble[kind])
        entering, inner = self._inlined(procedure, stmt, given, legal)
        inside = self.trouble(kind, procedure.body, inner, self.meanings.after(entering, legal))
        return self.meanings.before(entering, inside)


def _owner(target: Global | Local) -> str | int:
    return target.name if isinstance(target, Global) else target.number


def _hashable(given: Values) -> object:
    return tuple(
        (number, value if isinstance(value, tuple) else tuple(value.items())) for number, value in given.items()
    )
