"""Formulas and expressions as text again, for messages."""

from __future__ import annotations

from collections.abc import Mapping

from clew.core.relational import expressions as x
from clew.core.relational.sorts import Scalar

_NO_BRACKETS = (
    x.Literal_, x.Global, x.Local, x.Universe, x.Empty, x.Join, x.Transpose, x.Closure, x.Comprehension, x.Apply,
    x.Not, x.Temporal,
)  # fmt: skip
_COMPARISONS = (x.Same, x.Compare, x.CompareSets, x.Subset, x.Count)


def bracketed(expr: x.Expr, known: Mapping[int, int]) -> str:
    """With brackets around it, unless it holds together without."""
    while isinstance(expr, x.Singleton):
        expr = expr.scalar
    written = text_of(expr, known)
    return written if isinstance(expr, _NO_BRACKETS) else f"({written})"


def text_of(expr: x.Expr, known: Mapping[int, int]) -> str:
    """The language's own notation. `known`: atoms of rigid variables, by number, which stand in for their names."""

    def text(inner: x.Expr) -> str:
        return bracketed(inner, known)

    def claim(inner: x.Expr) -> str:
        return text_of(inner, known) if isinstance(inner, _COMPARISONS) else text(inner)

    def bound(variables: tuple[x.Local, ...], ranges: tuple[x.Expr, ...]) -> str:
        return ", ".join(f"{v.name}:{text(r)}" for v, r in zip(variables, ranges, strict=True))

    match expr:
        case x.Literal_(atom, sort):
            return sort.label(atom)
        case x.Local(name, number, Scalar(sort), primed) if number in known and not primed:
            return sort.label(known[number])
        case x.Global(name, _, primed) | x.Local(name, primed=primed):
            return f"{name}'" if primed else name
        case x.Universe(sort):
            return str(sort)
        case x.Empty():
            return "emptyset"
        case x.Singleton(scalar):
            return text_of(scalar, known)
        case x.SetOperation(operator, left, right):
            return f"{text(left)} {operator} {text(right)}"
        case x.Arithmetic(operator, left, right, signed):
            return f"{text(left)} {operator}{'$' if signed else ''} {text(right)}"
        case x.Compare(operator, left, right, signed) | x.CompareSets(operator, left, right, signed):
            return f"{text(left)} {operator}{'$' if signed else ''} {text(right)}"
        case x.Join(left, right):
            return f"{text(left)}.{text(right)}"
        case x.Product(left, right):
            return f"{text(left)}->{text(right)}"
        case x.Transpose(body):
            return f"~{text(body)}"
        case x.Closure(body, reflexive):
            return f"{'*' if reflexive else '^'}{text(body)}"
        case x.Comprehension(variables, ranges, body):
            return f"{{{bound(variables, ranges)} | {text_of(body, known)}}}"
        case x.Not(body):
            return f"!{text(body)}"
        case x.Binary(connective, left, right):
            return f"{claim(left)} {connective} {claim(right)}"
        case x.Same(left, right):
            return f"{text(left)} == {text(right)}"
        case x.Subset(left, right):
            return f"{text(left)} in {text(right)}"
        case x.Count(test, body):
            return f"{test} {text(body)}"
        case x.Quantified(quantifier, variables, ranges, body):
            return f"{quantifier} {bound(variables, ranges)} | {text_of(body, known)}"
        case x.Apply(function, _, arguments):
            return f"{function}({', '.join(text_of(argument, known) for argument in arguments)})"
        case x.Temporal(path, (left, right)):
            return f"{path[0]} [{text_of(left, known)} U {text_of(right, known)}]"
        case x.Temporal(path, (body,)):
            return f"{path} {claim(body)}"
    raise TypeError(f"not an expression: {expr}")
