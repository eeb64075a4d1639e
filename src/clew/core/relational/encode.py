"""Relational expressions as Boolean functions of the bits of a state, over any `Builder`.

A scalar is a tuple of bits, least first; a relation is a map from tuples of atoms to the condition under which they are
in it (tuples that never are, are left out). Bound variables are expanded value by value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import Generic, TypeVar

from clew.core.relational import expressions as x
from clew.core.relational.booleans import Builder, Circuits
from clew.core.relational.expressions import Expr, Local, columns_of, divides, sort_of
from clew.core.relational.program import Variable
from clew.core.relational.sorts import FORMULA, IntSort, Rel, Scalar, Sort, tuples

B = TypeVar("B")
Tuple = tuple[int, ...]
Table = Mapping[Tuple, B]
Value = tuple[B, ...] | Mapping[Tuple, B]
Values = Mapping[int, Value[B]]  # by the number of the local; by minus it, after the statement


class Encoder(Generic[B]):
    """`look_up` gives the value of a state variable, `temporal` the meaning of a temporal formula."""

    def __init__(
        self,
        builder: Builder[B],
        look_up: Callable[[x.Global], Value[B]],
        temporal: Callable[[x.Temporal, Values[B]], B] | None = None,
    ) -> None:
        self.b = builder
        self.circuits = Circuits(builder)
        self.look_up = look_up
        self.temporal = temporal

    # values by type

    def value(self, expr: Expr, given: Values[B]) -> Value[B]:
        if isinstance(x.type_of(expr), Rel):
            return self.relation(expr, given)
        return self.scalar(expr, given)

    def scalar(self, expr: Expr, given: Values[B]) -> tuple[B, ...]:
        match expr:
            case x.Literal_(atom, sort):
                return self.circuits.constant(atom, sort.bits)
            case x.Global(type=Scalar()):
                found = self.look_up(expr)
                assert isinstance(found, tuple)
                return found
            case Local(_, number, Scalar(), primed):
                found = given[-number if primed else number]
                assert isinstance(found, tuple)
                return found
            case x.Arithmetic(operator, left, right, signed, sort):
                a = self.circuits.widened(self.scalar(left, given), sort.bits)
                b = self.circuits.widened(self.scalar(right, given), sort.bits)
                match operator:
                    case "+":
                        return self.circuits.add(a, b)
                    case "-":
                        return self.circuits.subtract(a, b)
                    case "*":
                        return self.circuits.multiply(a, b)
                return self.circuits.divide(a, b, signed)
            case x.Apply(_, parameters, arguments, body) if x.type_of(body) != FORMULA:
                return self.scalar(body, self._passed(parameters, arguments, given))
        return (self.formula(expr, given),)

    def formula(self, expr: Expr, given: Values[B]) -> B:
        b, c = self.b, self.circuits
        match expr:
            case x.Literal_() | x.Global() | Local():
                return self.scalar(expr, given)[0]
            case x.Not(body):
                return b.not_(self.formula(body, given))
            case x.Binary(operator, left, right):
                p = self.formula(left, given)
                if operator == "=>":
                    p = b.not_(p)
                if operator == "&&":
                    return p if b.is_false(p) else b.and_(p, self.formula(right, given))
                return p if b.is_true(p) else b.or_(p, self.formula(right, given))
            case x.Same(left, right):
                if isinstance(x.type_of(left), Scalar):
                    return c.equal(self.scalar(left, given), self.scalar(right, given))
                r, s = self.relation(left, given), self.relation(right, given)
                return c.all_(b.iff(r.get(t, b.false), s.get(t, b.false)) for t in {**r, **s})
            case x.Compare(operator, left, right, signed):
                return self._ordered(operator, self.scalar(left, given), self.scalar(right, given), signed)
            case x.CompareSets():
                return self._compare_sets(expr, given)
            case x.Subset(left, right):
                s = self.relation(right, given)
                inside = self.relation(left, given).items()
                return c.all_(c.implies(condition, s.get(t, b.false)) for t, condition in inside)
            case x.Count(test, body):
                return c.count(test, self.relation(body, given).values())
            case x.Quantified():
                return self._quantified(expr, given)
            case x.Temporal():
                assert self.temporal is not None, "a temporal formula outside an assertion"
                return self.temporal(expr, given)
            case x.Apply(_, parameters, arguments, body):
                return self.formula(body, self._passed(parameters, arguments, given))
        raise TypeError(f"{type(expr).__name__} is not a formula")

    def relation(self, expr: Expr, given: Values[B]) -> Table[B]:
        b, c = self.b, self.circuits
        match expr:
            case x.Global(type=Rel()):
                found = self.look_up(expr)
                assert isinstance(found, Mapping)
                return found
            case Local(_, number, Rel(), primed):
                found = given[-number if primed else number]
                assert isinstance(found, Mapping)
                return found
            case x.Universe(sort):
                return {(atom,): b.true for atom in range(sort.size)}
            case x.Empty():
                return {}
            case x.Singleton(scalar):
                bits, sort = self.scalar(scalar, given), sort_of(scalar)
                return self._kept(((atom,), c.equals(bits, atom)) for atom in range(sort.size))
            case x.SetOperation(operator, left, right):
                return self._set_operation(operator, self.relation(left, given), self.relation(right, given))
            case x.Join(left, right):
                return self._join(self.relation(left, given), self.relation(right, given))
            case x.Product(left, right):
                r, s = self.relation(left, given), self.relation(right, given)
                return self._kept((t + u, b.and_(p, q)) for (t, p), (u, q) in product(r.items(), s.items()))
            case x.Transpose(body):
                return {(t[1], t[0]): p for t, p in self.relation(body, given).items()}
            case x.Closure(body, reflexive, columns):
                return self._closure(self.relation(body, given), reflexive, columns[0])
            case x.Comprehension(variables, ranges, body):
                every = self.instances(variables, ranges, given)
                return self._kept((t, b.and_(p, self.formula(body, inner))) for t, p, inner in every)
            case x.Apply(_, parameters, arguments, body):
                return self.relation(body, self._passed(parameters, arguments, given))
        raise TypeError(f"{type(expr).__name__} is not a relation")

    # parts

    def _passed(self, parameters: tuple[Local, ...], arguments: tuple[Expr, ...], given: Values[B]) -> Values[B]:
        inner = dict(given)
        for parameter, argument in zip(parameters, arguments, strict=True):
            inner[parameter.number] = self.value(argument, given)
        return inner

    def _kept(self, items: Iterable[tuple[Tuple, B]]) -> dict[Tuple, B]:
        return {t: p for t, p in items if not self.b.is_false(p)}

    def _ordered(self, operator: x.Order, p: tuple[B, ...], q: tuple[B, ...], signed: bool) -> B:
        match operator:
            case "<":
                return self.circuits.less(p, q, signed)
            case ">":
                return self.circuits.less(q, p, signed)
            case "<=":
                return self.b.not_(self.circuits.less(q, p, signed))
            case ">=":
                return self.b.not_(self.circuits.less(p, q, signed))

    def _compare_sets(self, expr: x.CompareSets, given: Values[B]) -> B:
        r, s = self.relation(expr.left, given), self.relation(expr.right, given)
        widest = [sort.bits for side in (expr.left, expr.right) for sort in columns_of(side)]
        bits = max(widest, default=0)
        return self.circuits.all_(
            self.b.not_(self.b.and_(p, q))
            for ((a,), p), ((e,), q) in product(r.items(), s.items())
            if not in_order(expr.operator, a, e, bits if expr.signed else None)
        )

    def _set_operation(self, operator: x.SetOperator, r: Table[B], s: Table[B]) -> dict[Tuple, B]:
        b = self.b
        match operator:
            case "+":
                return {t: b.or_(r.get(t, b.false), s.get(t, b.false)) for t in {**r, **s}}
            case "&":
                return self._kept((t, b.and_(p, s[t])) for t, p in r.items() if t in s)
            case "-":
                return self._kept((t, b.and_(p, b.not_(s[t])) if t in s else p) for t, p in r.items())

    def _join(self, r: Table[B], s: Table[B]) -> dict[Tuple, B]:
        b = self.b
        by_first: dict[int, list[tuple[Tuple, B]]] = {}
        for t, p in s.items():
            by_first.setdefault(t[0], []).append((t[1:], p))
        found: dict[Tuple, B] = {}
        for t, p in r.items():
            for rest, q in by_first.get(t[-1], ()):
                both = b.and_(p, q)
                if not b.is_false(both):
                    key = t[:-1] + rest
                    found[key] = b.or_(found.get(key, b.false), both)
        return found

    def _closure(self, r: Table[B], reflexive: bool, sort: Sort) -> dict[Tuple, B]:
        """By repeated squaring."""
        found = dict(r)
        steps = 1
        while steps < sort.size:
            found = self._set_operation("+", found, self._join(found, found))
            steps *= 2
        if reflexive:
            found.update({(atom, atom): self.b.true for atom in range(sort.size)})
        return found

    def instances(
        self, variables: tuple[Local, ...], ranges: tuple[Expr, ...], given: Values[B]
    ) -> Iterator[tuple[Tuple, B, Values[B]]]:
        """Values of the variables, the condition that each is in its range, and the values of all locals then."""
        if not variables:
            yield (), self.b.true, given
            return
        variable = variables[0]
        assert isinstance(variable.type, Scalar)
        for (atom,), condition in self.relation(ranges[0], given).items():
            inner = {**given, variable.number: self.circuits.constant(atom, variable.type.sort.bits)}
            for rest, other, innermost in self.instances(variables[1:], ranges[1:], inner):
                yield (atom, *rest), self.b.and_(condition, other), innermost

    def _quantified(self, expr: x.Quantified, given: Values[B]) -> B:
        c, b = self.circuits, self.b
        found = self.instances(expr.variables, expr.ranges, given)
        if expr.quantifier == "all":
            return c.all_(c.implies(condition, self.formula(expr.body, inner)) for _, condition, inner in found)
        true = (b.and_(condition, self.formula(expr.body, inner)) for _, condition, inner in found)
        if expr.quantifier in ("some", "no"):
            some = c.any_(true)
            return some if expr.quantifier == "some" else b.not_(some)
        return c.count(expr.quantifier, true)

    def fails(self, expr: Expr, given: Values[B]) -> B:
        """Where evaluating the expression divides by zero."""
        b, c = self.b, self.circuits
        if not divides(expr):
            return b.false
        match expr:
            case x.Arithmetic("/", left, right):
                zero = c.equals(self.scalar(right, given), 0)
                return c.any_((self.fails(left, given), self.fails(right, given), zero))
            case x.Binary(operator, left, right):
                goes_on = self.formula(left, given)
                if operator == "||":
                    goes_on = b.not_(goes_on)
                return b.or_(self.fails(left, given), b.and_(goes_on, self.fails(right, given)))
            case x.Quantified(_, variables, ranges, body) | x.Comprehension(variables, ranges, body):
                return self._fails_inside(variables, ranges, body, given)
            case x.Apply(_, parameters, arguments, body):
                inner = self._passed(parameters, arguments, given)
                return c.any_([*(self.fails(a, given) for a in arguments), self.fails(body, inner)])
        return c.any_(self.fails(child, given) for child in x.children(expr))

    def _fails_inside(self, variables: tuple[Local, ...], ranges: tuple[Expr, ...], body: Expr, given: Values[B]) -> B:
        if not variables:
            return self.fails(body, given)
        found = [self.fails(ranges[0], given)]
        for _, condition, inner in self.instances(variables[:1], ranges[:1], given):
            found.append(self.b.and_(condition, self._fails_inside(variables[1:], ranges[1:], body, inner)))
        return self.circuits.any_(found)

    # variables

    def well_formed(self, variable: Variable, value: Value[B]) -> B:
        """Whether a variable may have the value: no unused code, and its multiplicities."""
        if isinstance(value, tuple):
            assert isinstance(variable.type, Scalar)
            return self.valid_code(variable.type.sort, value)
        assert isinstance(variable.type, Rel)
        found = self.b.true
        for place, multiplicity in enumerate(variable.multiplicities, 1):
            if multiplicity == "set":
                continue
            columns = variable.type.columns
            reached: dict[Tuple, B] = {}
            for t, condition in value.items():
                start = t[: place + 1]
                reached[start] = self.b.or_(reached.get(start, self.b.false), condition)
            for row in tuples(columns[:place]):
                cells = (reached.get((*row, atom), self.b.false) for atom in range(columns[place].size))
                found = self.b.and_(found, self.circuits.count(multiplicity, cells))
        return found

    def valid_code(self, sort: Sort, bits: tuple[B, ...]) -> B:
        if isinstance(sort, IntSort) or sort.size == 1 << sort.bits:
            return self.b.true
        return self.circuits.less(bits, self.circuits.constant(sort.size, sort.bits + 1))


def in_order(operator: x.Order, a: int, b: int, signed_bits: int | None = None) -> bool:
    """Whether two atoms stand in the order; with a width, read in two's complement."""
    if signed_bits is not None:
        half = 1 << (signed_bits - 1)
        a, b = a ^ half, b ^ half
    match operator:
        case "<":
            return a < b
        case "<=":
            return a <= b
        case ">":
            return a > b
        case ">=":
            return a >= b
