"""Expressions and formulas with names resolved and types known. Immutable; formulas are scalars of sort `BOOL`.

`type_of` gives the type of any node. Variables bound inside an expression or a procedure are `Local`s with a number of
their own, so that a rigid variable never meets a state variable of the same name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Literal

from clew.core.records import record
from clew.core.relational.sorts import FORMULA, IntSort, Rel, Scalar, Sort, Type

SetOperator = Literal["+", "&", "-"]
ArithmeticOperator = Literal["+", "-", "*", "/"]
Order = Literal["<", "<=", ">", ">="]
Quantifier = Literal["all", "some", "one", "no", "lone"]
CountTest = Literal["some", "one", "no", "lone"]
TemporalOperator = Literal["AG", "AX", "AF", "EG", "EX", "EF", "AU", "EU"]


@record
class Literal_:
    """One atom."""

    atom: int
    sort: Sort


@record
class Global:
    """A state variable, now or (primed) after the statement."""

    name: str
    type: Type
    primed: bool = False


@record
class Local:
    """A parameter, an iterator, a bound variable. `number` makes it unique in the program."""

    name: str
    number: int
    type: Type
    primed: bool = False


@record
class Universe:
    """All atoms of a sort, as a set."""

    sort: Sort


@record
class Empty:
    columns: tuple[Sort, ...]


@record
class Singleton:
    """A scalar as the set that holds just it."""

    scalar: Expr


@record
class SetOperation:
    operator: SetOperator
    left: Expr
    right: Expr
    columns: tuple[Sort, ...]


@record
class Join:
    left: Expr
    right: Expr
    columns: tuple[Sort, ...]


@record
class Product:
    left: Expr
    right: Expr
    columns: tuple[Sort, ...]


@record
class Transpose:
    body: Expr
    columns: tuple[Sort, ...]


@record
class Closure:
    """Transitive closure of a binary relation over one sort; reflexive: with the identity over the sort."""

    body: Expr
    reflexive: bool
    columns: tuple[Sort, ...]


@record
class Comprehension:
    """The tuples of values of the variables, each in its range (a set), for which the body is true."""

    variables: tuple[Local, ...]
    ranges: tuple[Expr, ...]
    body: Expr


@record
class Arithmetic:
    operator: ArithmeticOperator
    left: Expr
    right: Expr
    signed: bool
    sort: IntSort


@record
class Not:
    body: Expr


@record
class Binary:
    """A connective; the right side counts only if the left does not settle it."""

    operator: Literal["&&", "||", "=>"]
    left: Expr
    right: Expr


@record
class Same:
    """Equality of two scalars, or of two relations."""

    left: Expr
    right: Expr


@record
class Compare:
    """Order of two scalars of one sort."""

    operator: Order
    left: Expr
    right: Expr
    signed: bool


@record
class CompareSets:
    """Every element of the left set stands in the order to every element of the right one; true if one is empty."""

    operator: Order
    left: Expr
    right: Expr
    signed: bool


@record
class Subset:
    left: Expr
    right: Expr


@record
class Count:
    """How many tuples a relation has."""

    test: CountTest
    body: Expr


@record
class Quantified:
    """For how many tuples of values, each in its range, the body is true."""

    quantifier: Quantifier
    variables: tuple[Local, ...]
    ranges: tuple[Expr, ...]
    body: Expr


@record
class Temporal:
    operator: TemporalOperator
    operands: tuple[Expr, ...]


@record
class Apply:
    """A call of a function: the body, with the parameters standing for the values of the arguments."""

    function: str
    parameters: tuple[Local, ...]
    arguments: tuple[Expr, ...]
    body: Expr


Expr = (
    Literal_
    | Global
    | Local
    | Universe
    | Empty
    | Singleton
    | SetOperation
    | Join
    | Product
    | Transpose
    | Closure
    | Comprehension
    | Arithmetic
    | Not
    | Binary
    | Same
    | Compare
    | CompareSets
    | Subset
    | Count
    | Quantified
    | Temporal
    | Apply
)


def type_of(expr: Expr) -> Type:
    match expr:
        case Literal_(_, sort) | Arithmetic(sort=sort):
            return Scalar(sort)
        case Global() | Local():
            return expr.type
        case Universe(sort):
            return Rel((sort,))
        case Singleton(scalar):
            inner = type_of(scalar)
            assert isinstance(inner, Scalar)
            return Rel((inner.sort,))
        case Empty(columns):
            return Rel(columns)
        case SetOperation() | Join() | Product() | Transpose() | Closure():
            return Rel(expr.columns)
        case Comprehension(variables):
            sorts = (v.type for v in variables)
            return Rel(tuple(t.sort for t in sorts if isinstance(t, Scalar)))
        case Apply(body=body):
            return type_of(body)
        case _:
            return FORMULA


def columns_of(expr: Expr) -> tuple[Sort, ...]:
    """The columns of an expression that is a relation."""
    found = type_of(expr)
    assert isinstance(found, Rel), found
    return found.columns


def sort_of(expr: Expr) -> Sort:
    """The sort of an expression that is a scalar."""
    found = type_of(expr)
    assert isinstance(found, Scalar), found
    return found.sort


def children(expr: Expr) -> Iterator[Expr]:
    """The expressions directly inside, bound variables left out."""
    if isinstance(expr, Quantified | Comprehension):
        yield from expr.ranges
        yield expr.body
        return
    if isinstance(expr, Apply):
        yield from expr.arguments
        yield expr.body
        return
    for field in fields(expr):
        value = getattr(expr, field.name)
        if isinstance(value, Expr):
            yield value
        elif isinstance(value, tuple) and value and isinstance(value[0], Expr):
            yield from value


def nodes(expr: Expr) -> Iterator[Expr]:
    """The expression and everything inside it."""
    yield expr
    for child in children(expr):
        yield from nodes(child)


def is_temporal(expr: Expr) -> bool:
    return any(isinstance(node, Temporal) for node in nodes(expr))


def divides(expr: Expr) -> bool:
    """Whether evaluating it can fail. What is inside a temporal operator is evaluated elsewhere, and fails there."""
    match expr:
        case Temporal():
            return False
        case Arithmetic("/"):
            return True
    return any(map(divides, children(expr)))


def free_locals(expr: Expr) -> frozenset[Local]:
    """The locals that have to be given a value from outside."""
    match expr:
        case Local():
            return frozenset({Local(expr.name, expr.number, expr.type)})
        case Quantified() | Comprehension():
            inside = free_locals(expr.body) - set(expr.variables)
            return inside.union(*map(free_locals, expr.ranges))
        case Apply():
            inside = free_locals(expr.body) - set(expr.parameters)
            return inside.union(*map(free_locals, expr.arguments))
        case _:
            return frozenset[Local]().union(*map(free_locals, children(expr)))
