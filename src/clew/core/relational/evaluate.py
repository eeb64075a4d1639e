"""Expressions evaluated in one state: scalars are numbers, formulas bools, relations frozensets of tuples.

This is the definition that symbolic engines are measured against; it shares nothing with their compiler.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Protocol

from clew.core.relational import expressions as x
from clew.core.relational.expressions import Expr, Local, sort_of, type_of
from clew.core.relational.program import Variable
from clew.core.relational.sorts import IntSort, Rel, Scalar, tuples

Relation = frozenset[tuple[int, ...]]
Value = int | Relation  # a Boolean is 0 or 1
Values = Mapping[int, Value]  # of locals, by number; by minus the number, afterwards


class DivisionByZero(Exception):
    """An expression divides by zero."""


class Reader(Protocol):
    """Where the values of state variables and of temporal formulas come from."""

    def read(self, variable: x.Global) -> Value: ...

    def temporal(self, formula: x.Temporal, given: Values) -> bool: ...


def evaluate(expr: Expr, reader: Reader, given: Values) -> Value:
    """The value. Raises DivisionByZero."""
    match expr:
        case x.Literal_(atom):
            return atom
        case x.Global():
            return reader.read(expr)
        case Local(_, number, _, primed):
            return given[-number if primed else number]
        case x.Universe(sort):
            return frozenset((atom,) for atom in range(sort.size))
        case x.Empty():
            return frozenset()
        case x.Singleton(scalar):
            return frozenset({(_number(scalar, reader, given),)})
        case x.Arithmetic():
            return _arithmetic(expr, reader, given)
        case x.Apply(_, parameters, arguments, body):
            passed = {p.number: evaluate(a, reader, given) for p, a in zip(parameters, arguments, strict=True)}
            return evaluate(body, reader, {**given, **passed})
        case x.SetOperation() | x.Join() | x.Product() | x.Transpose() | x.Closure() | x.Comprehension():
            return _relation(expr, reader, given)
        case _:
            return int(_truth(expr, reader, given))


def holds(expr: Expr, reader: Reader, given: Values) -> bool:
    return evaluate(expr, reader, given) == 1


def _number(expr: Expr, reader: Reader, given: Values) -> int:
    found = evaluate(expr, reader, given)
    assert isinstance(found, int)
    return found


def tuples_of(expr: Expr, reader: Reader, given: Values) -> Relation:
    found = evaluate(expr, reader, given)
    assert isinstance(found, frozenset)
    return found


def _relation(expr: Expr, reader: Reader, given: Values) -> Relation:
    match expr:
        case x.SetOperation(operator, left, right):
            a, b = tuples_of(left, reader, given), tuples_of(right, reader, given)
            return a | b if operator == "+" else a & b if operator == "&" else a - b
        case x.Join(left, right):
            a, b = tuples_of(left, reader, given), tuples_of(right, reader, given)
            return frozenset(t[:-1] + u[1:] for t in a for u in b if t[-1] == u[0])
        case x.Product(left, right):
            a, b = tuples_of(left, reader, given), tuples_of(right, reader, given)
            return frozenset(t + u for t in a for u in b)
        case x.Transpose(body):
            return frozenset((b, a) for a, b in tuples_of(body, reader, given))
        case x.Closure(body, reflexive, columns):
            found = set(tuples_of(body, reader, given))
            while more := {(a, d) for a, b in found for c, d in found if b == c} - found:
                found |= more
            return frozenset(found | {(a, a) for a in range(columns[0].size)} if reflexive else found)
        case x.Comprehension(variables, ranges, body):
            every = instances(variables, ranges, reader, given)
            return frozenset([chosen for chosen, inner in every if holds(body, reader, inner)])
    raise TypeError(f"{type(expr).__name__} is not a relation")


def instances(
    variables: tuple[Local, ...], ranges: tuple[Expr, ...], reader: Reader, given: Values
) -> Iterator[tuple[tuple[int, ...], Values]]:
    """Values of the variables, each in its range."""
    if not variables:
        yield (), given
        return
    for (atom,) in sorted(tuples_of(ranges[0], reader, given)):
        for rest, inner in instances(variables[1:], ranges[1:], reader, {**given, variables[0].number: atom}):
            yield (atom, *rest), inner


def _truth(expr: Expr, reader: Reader, given: Values) -> bool:
    match expr:
        case x.Not(body):
            return not holds(body, reader, given)
        case x.Binary("&&", left, right):
            return holds(left, reader, given) and holds(right, reader, given)
        case x.Binary("||", left, right):
            return holds(left, reader, given) or holds(right, reader, given)
        case x.Binary("=>", left, right):
            return not holds(left, reader, given) or holds(right, reader, given)
        case x.Same(left, right):
            return evaluate(left, reader, given) == evaluate(right, reader, given)
        case x.Compare(operator, left, right, signed):
            width = max(sort_of(left).bits, sort_of(right).bits) if signed else None
            return _in_order(operator, _number(left, reader, given), _number(right, reader, given), width)
        case x.CompareSets(operator, left, right, signed):
            a, b = tuples_of(left, reader, given), tuples_of(right, reader, given)
            widths = [sort.bits for side in (left, right) for sort in x.columns_of(side)]
            width = max(widths, default=1) if signed else None
            return all(_in_order(operator, p, q, width) for (p,), (q,) in product(a, b))
        case x.Subset(left, right):
            return tuples_of(left, reader, given) <= tuples_of(right, reader, given)
        case x.Count(test, body):
            return _counted(test, len(tuples_of(body, reader, given)))
        case x.Quantified(quantifier, variables, ranges, body):
            truths = [holds(body, reader, inner) for _, inner in instances(variables, ranges, reader, given)]
            return all(truths) if quantifier == "all" else _counted(quantifier, sum(truths))
        case x.Temporal():
            return reader.temporal(expr, given)
    raise TypeError(f"{type(expr).__name__} is not a formula")


def _counted(test: str, size: int) -> bool:
    return {"some": size > 0, "no": size == 0, "one": size == 1, "lone": size <= 1}[test]


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def _in_order(operator: str, a: int, b: int, width: int | None) -> bool:
    if width is not None:
        a, b = _signed(a, width), _signed(b, width)
    return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[operator]


def _arithmetic(expr: x.Arithmetic, reader: Reader, given: Values) -> int:
    a, b, bits = _number(expr.left, reader, given), _number(expr.right, reader, given), expr.sort.bits
    match expr.operator:
        case "+":
            return (a + b) % (1 << bits)
        case "-":
            return (a - b) % (1 << bits)
        case "*":
            return a * b % (1 << bits)
    if b == 0:
        raise DivisionByZero
    if expr.signed:
        p, q = _signed(a, bits), _signed(b, bits)
        size = abs(p) // abs(q)
        return (size if (p < 0) == (q < 0) else -size) % (1 << bits)
    return a // b


def well_formed(variable: Variable, value: Value) -> bool:
    """Whether a variable may have the value: one of its sort, with its multiplicities."""
    if isinstance(value, int):
        return isinstance(variable.type, Scalar) and value < variable.type.sort.size
    assert isinstance(variable.type, Rel)
    for place, multiplicity in enumerate(variable.multiplicities, 1):
        if multiplicity != "set":
            cells = {t[: place + 1] for t in value}
            for row in tuples(variable.type.columns[:place]):
                if not _counted(multiplicity, sum(cell[:-1] == row for cell in cells)):
                    return False
    return True


def fitted(value: Value, wanted: Scalar | Rel, expr: Expr) -> Value | None:
    """The value as a variable of the wanted type takes it; None if a set for a scalar has not one element. Numbers
    that are too wide wrap around."""
    if isinstance(wanted, Rel):
        return frozenset({(value,)}) if isinstance(value, int) else value
    if isinstance(type_of(expr), Rel):
        assert isinstance(value, frozenset)
        if len(value) != 1:
            return None
        ((value,),) = value
    assert isinstance(value, int)
    return value % (1 << wanted.sort.bits) if isinstance(wanted.sort, IntSort) else value
