"""Formulas of linear and branching time logic, as immutable shared trees.

A letter of a word is a state and the event that leaves it; an atom says something about either. What an atom means is
up to whoever made it: here it is an opaque value with a text. Equal formulas are the same object, so comparing and
hashing them costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import fields
from typing import Any
from weakref import WeakValueDictionary

from clew.core.records import record

_shared: WeakValueDictionary[tuple[Any, ...], Formula] = WeakValueDictionary()


class _Shared(type):
    """Makes each distinct node once."""

    def __call__(cls, *arguments: Any) -> Any:
        key = (cls, *arguments, *map(type, arguments))  # the types keep 1 and True apart
        node = _shared.get(key)
        return node if node is not None else _shared.setdefault(key, super().__call__(*arguments))


@record(eq=False, weakref_slot=True)
class Formula(metaclass=_Shared):
    """What all formulas have in common."""

    def __str__(self) -> str:
        from clew.logic.spelling import CLEW, show

        return show(self, CLEW)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, f.name) for f in fields(self))

    @property
    def children(self) -> tuple[Formula, ...]:
        return ()


@record(eq=False)
class Constant(Formula):
    value: bool


@record(eq=False)
class Atom(Formula):
    """`meaning` is whatever the owner of the atoms needs to decide it; `text` is how it is written."""

    text: str
    meaning: Hashable


@record(eq=False)
class Unary(Formula):
    body: Formula

    @property
    def children(self) -> tuple[Formula, ...]:
        return (self.body,)


@record(eq=False)
class Binary(Formula):
    left: Formula
    right: Formula

    @property
    def children(self) -> tuple[Formula, ...]:
        return self.left, self.right


@record(eq=False)
class Several(Formula):
    parts: tuple[Formula, ...]

    @property
    def children(self) -> tuple[Formula, ...]:
        return self.parts


@record(eq=False)
class Rigid(Formula):
    """The body for all, or for some, values (`kind`) of a variable that stays the same along every run."""

    kind: str
    variable: Hashable
    body: Formula

    @property
    def children(self) -> tuple[Formula, ...]:
        return (self.body,)


class Not(Unary):
    __slots__ = ()


class And(Several):
    """Two or more conjuncts; `conjunction` makes it for any number."""

    __slots__ = ()


class Or(Several):
    """Two or more disjuncts; `disjunction` makes it for any number."""

    __slots__ = ()


class Implies(Binary):
    __slots__ = ()


class Equivalent(Binary):
    __slots__ = ()


class Next(Unary):
    """X f: f holds one step later."""

    __slots__ = ()


class Eventually(Unary):
    """F f: f holds now or later."""

    __slots__ = ()


class Always(Unary):
    """G f: f holds from now on."""

    __slots__ = ()


class Until(Binary):
    """f U g: g holds now or later, and f up to then."""

    __slots__ = ()


class WeakUntil(Binary):
    """f W g: f U g, or f for ever."""

    __slots__ = ()


class Release(Binary):
    """f R g: g holds up to and including the first f, or for ever."""

    __slots__ = ()


class StrongRelease(Binary):
    """f M g: f R g, and f comes."""

    __slots__ = ()


class ForAll(Unary):
    """A f: on every path from here."""

    __slots__ = ()


class Exists(Unary):
    """E f: on some path from here."""

    __slots__ = ()


def proposition(name: str) -> Atom:
    """An atom that means nothing but its name."""
    return Atom(name, None)


TRUE = Constant(True)
FALSE = Constant(False)
TEMPORAL = (Next, Eventually, Always, Until, WeakUntil, Release, StrongRelease)


def conjunction(parts: Iterable[Formula]) -> Formula:
    """Flat, without repetitions and constants, in the given order."""
    return _join(parts, And, TRUE, FALSE)


def disjunction(parts: Iterable[Formula]) -> Formula:
    """Flat, without repetitions and constants, in the given order."""
    return _join(parts, Or, FALSE, TRUE)


def _join(parts: Iterable[Formula], kind: type[Several], unit: Formula, zero: Formula) -> Formula:
    found: dict[Formula, None] = {}
    for part in parts:
        if part is zero:
            return zero
        found.update(dict.fromkeys(part.parts if isinstance(part, kind) else (part,)))
    found.pop(unit, None)
    match list(found):
        case []:
            return unit
        case [only]:
            return only
        case several:
            return kind(tuple(several))


def subformulas(formula: Formula) -> list[Formula]:
    """Each distinct sub-formula once, operands before what is made of them."""
    found: dict[Formula, None] = {}

    def visit(node: Formula) -> None:
        if node not in found:
            for child in node.children:
                visit(child)
            found[node] = None

    visit(formula)
    return list(found)


def atoms(formula: Formula) -> list[Atom]:
    """The atoms in order of appearance."""
    return [f for f in subformulas(formula) if isinstance(f, Atom)]


def replace_atoms(formula: Formula, by: Callable[[Atom], Formula]) -> Formula:
    """The formula with each atom replaced."""
    match formula:
        case Constant():
            return formula
        case Atom():
            return by(formula)
    return with_children(formula, [replace_atoms(child, by) for child in formula.children])


def with_children(formula: Formula, children: Iterable[Formula]) -> Formula:
    """The same operator on other operands, as many."""
    made: Formula = type(formula)(tuple(children)) if isinstance(formula, Several) else type(formula)(*children)
    return made


def walk(formula: Formula) -> Iterator[Formula]:
    """Every occurrence of every sub-formula, from the root down."""
    yield formula
    for child in formula.children:
        yield from walk(child)


def size(formula: Formula) -> int:
    """Operators and atoms, each occurrence; n-ary operators count n - 1."""
    return sum(len(node.parts) - 1 if isinstance(node, Several) else 1 for node in walk(formula))


def is_boolean(formula: Formula) -> bool:
    """Speaks about one letter only."""
    return not any(isinstance(f, (*TEMPORAL, ForAll, Exists)) for f in subformulas(formula))


def has_next(formula: Formula) -> bool:
    return any(isinstance(f, Next) for f in subformulas(formula))


DUAL: dict[type[Formula], Any] = {
    And: Or,
    Or: And,
    Next: Next,
    Eventually: Always,
    Always: Eventually,
    Until: Release,
    Release: Until,
    WeakUntil: StrongRelease,
    StrongRelease: WeakUntil,
    ForAll: Exists,
    Exists: ForAll,
}


def negation_normal_form(formula: Formula) -> Formula:
    """The same with negations only in front of atoms, without `->` and `<->`."""
    known: dict[tuple[Formula, bool], Formula] = {}

    def positive(node: Formula) -> Formula:
        return push(node, False)

    def negative(node: Formula) -> Formula:
        return push(node, True)

    def push(node: Formula, negated: bool) -> Formula:
        key = node, negated
        if key not in known:
            known[key] = expand(node, negated)
        return known[key]

    def expand(node: Formula, negated: bool) -> Formula:
        match node:
            case Constant(value):
                return Constant(value != negated)
            case Atom():
                return Not(node) if negated else node
            case Not(body):
                return push(body, not negated)
            case Implies(left, right):
                if negated:
                    return conjunction((positive(left), negative(right)))
                return disjunction((negative(left), positive(right)))
            case Equivalent(left, right):
                return disjunction(
                    (
                        conjunction((positive(left), push(right, negated))),
                        conjunction((negative(left), push(right, not negated))),
                    )
                )
            case And(parts) | Or(parts):
                both = isinstance(node, And) != negated
                return (conjunction if both else disjunction)(push(p, negated) for p in parts)
        kind = DUAL[type(node)] if negated else type(node)
        result: Formula = kind(*(push(c, negated) for c in node.children))
        return result

    return positive(formula)


def negation(formula: Formula) -> Formula:
    """The negation in negation normal form."""
    return negation_normal_form(Not(formula))
