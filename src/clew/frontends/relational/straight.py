"""Procedures without loops and recursion as functions: what each bit of the state becomes, as a formula.

For exports. `foreach` is unrolled in the order of declaration; what needs a fixpoint or leaves a choice is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from clew.core.diagnostics import InputError, Span
from clew.core.relational import program as p
from clew.core.relational.encode import Encoder, Value
from clew.core.relational.expressions import Global, Local, Temporal, divides, type_of
from clew.core.relational.formulas import Formulas, Node
from clew.core.relational.sorts import Rel, Scalar, Type, tuples

REFUSED = "relational-export"
Given = Mapping[int, Value[Node]]


def bit_name(variable: str, place: object) -> str:
    parts = place if isinstance(place, tuple) else (place,)
    return "_".join([variable, *map(str, parts)])


@dataclass(slots=True)
class Straight:
    """Runs statements symbolically. `temporal` gives a name to a temporal subformula."""

    program: p.RelationalProgram
    formulas: Formulas = field(default_factory=Formulas)
    state: dict[str, Value[Node]] = field(default_factory=dict)
    encoder: Encoder[Node] = field(init=False)

    def __post_init__(self) -> None:
        self.encoder = Encoder(self.formulas, self.look_up, self._temporal)
        for variable in self.program.variables:
            self.state[variable.name] = self.variable(variable.name, variable.type)
        self.state[p.BAD] = (self.formulas.variable(p.BAD),)

    def variable(self, name: str, type_: Type) -> Value[Node]:
        if isinstance(type_, Rel):
            return {t: self.formulas.variable(bit_name(name, t)) for t in tuples(type_.columns)}
        return tuple(self.formulas.variable(bit_name(name, k)) for k in range(type_.sort.bits))

    def look_up(self, variable: Global) -> Value[Node]:
        if variable.name == p.LOOP:
            return (self.formulas.false,)
        return self.state[variable.name]

    def _temporal(self, formula: Temporal, given: object) -> Node:
        raise AssertionError("temporal formulas are exported one by one")

    def after(self, procedure: p.Procedure, given: Given) -> dict[str, Value[Node]]:
        """The variables after a run of a procedure. Raises InputError."""
        before = dict(self.state)
        self._run(procedure.body, dict(given), self.formulas.true)
        found, self.state = self.state, before
        return found

    def _run(self, stmt: p.Stmt, given: Given, where: Node) -> None:
        match stmt:
            case p.Block(inner):
                for one in inner:
                    self._run(one, given, where)
            case p.If(condition, then, otherwise):
                if divides(condition):
                    raise _refused(stmt.span, "a division in a condition")
                test = self.encoder.formula(condition, given)
                self._run(then, given, self.formulas.and_(where, test))
                self._run(otherwise, given, self.formulas.and_(where, self.formulas.not_(test)))
            case p.Assign() | p.AssignRow():
                self._assign(stmt, given, where)
            case p.Foreach(variable, over, body):
                members = dict(self.encoder.relation(over, given))
                assert isinstance(variable.type, Scalar)
                for (atom,), member in sorted(members.items()):
                    value = self.encoder.circuits.constant(atom, variable.type.sort.bits)
                    self._run(body, {**given, variable.number: value}, self.formulas.and_(where, member))
            case p.Call(name, arguments):
                procedure = self.program.procedure(name)
                pairs = zip(procedure.parameters, arguments, strict=True)
                passed = {q.number: self.encoder.value(a, given) for q, a in pairs}
                try:
                    self._run(procedure.body, passed, where)
                except RecursionError:
                    raise _refused(stmt.span, "a recursive procedure needs a fixpoint") from None
            case p.While():
                raise _refused(stmt.span, "a loop needs a fixpoint")
            case p.Declare():
                raise _refused(stmt.span, "a declarative statement leaves a choice")

    def _assign(self, stmt: p.Assign | p.AssignRow, given: Given, where: Node) -> None:
        target, fails = stmt.target, self.encoder.fails(stmt.value, given)
        new: Value[Node]
        if isinstance(target, Local):
            raise _refused(stmt.span, "a parameter that is assigned to")
        if isinstance(stmt, p.AssignRow):
            rows, value = self.encoder.relation(stmt.rows, given), self.encoder.relation(stmt.value, given)
            none = self.formulas.false
            old = self.encoder.relation(target, given)
            new = {t: self.formulas.ite(rows.get(t[:1], none), value.get(t[1:], none), c) for t, c in old.items()}
        elif isinstance(target.type, Scalar) and isinstance(type_of(stmt.value), Rel):
            table = self.encoder.relation(stmt.value, given)
            one = self.encoder.circuits.count("one", table.values())
            fails = self.formulas.or_(fails, self.formulas.not_(one))
            bits = range(target.type.sort.bits)
            new = tuple(self.encoder.circuits.any_(c for (a,), c in table.items() if a >> k & 1) for k in bits)
        else:
            new = self.encoder.value(stmt.value, given)
        variable = next((v for v in self.program.variables if v.name == target.name), None)
        if variable is not None and variable.constrained:
            fails = self.formulas.or_(fails, self.formulas.not_(self.encoder.well_formed(variable, new)))
        self._store(target, new, self.formulas.and_(where, self.formulas.not_(fails)))
        if fails is not self.formulas.false:
            self._store(p.BAD_VARIABLE, (self.formulas.true,), self.formulas.and_(where, fails))

    def _store(self, target: Global, new: Value[Node], where: Node) -> None:
        old, none = self.state[target.name], self.formulas.false
        if isinstance(old, tuple):
            assert isinstance(new, tuple)
            wide = self.encoder.circuits.widened(new, len(old))
            self.state[target.name] = tuple(self.formulas.ite(where, n, o) for n, o in zip(wide, old, strict=True))
        else:
            assert not isinstance(new, tuple)
            self.state[target.name] = {t: self.formulas.ite(where, new.get(t, none), o) for t, o in old.items()}


def _refused(span: Span, why: str) -> InputError:
    return InputError.at(span, REFUSED, f"cannot be written in the other language: {why}")
