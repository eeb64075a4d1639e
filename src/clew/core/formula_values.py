"""Values of formulas in one state (and a next one), and the states that make formulas true.

Formulas of a `TransitionSystem` have a value in every state: dividing by 0 gives 0, and an element outside an array is
0. Arithmetic is that of 32-bit C integers, as in networks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache
from itertools import product

from clew.core.expressions import Binary, Conditional, Const, Expr, Next, Quantified, Ref, Unary, Variable, walk
from clew.core.interpreter.evaluate import OPERATIONS, wrapped
from clew.core.records import record
from clew.core.types import ChannelRef, Enum, Int, Scalar, scalars

Values = tuple[int, ...]


@record
class Scope:
    """What a formula sees: the state, the frame of the running procedure or action, the next state, and variables bound
    by quantifiers."""

    state: Sequence[int]
    frame: Sequence[int] = ()
    after: Sequence[int] | None = None
    bound: Mapping[Variable, Sequence[int]] = field(default_factory=dict)


def evaluate(expr: Expr, scope: Scope) -> int:
    """Raises TypeError for an expression that is no formula of a transition system."""
    match expr:
        case Const(value):
            return value
        case Ref():
            return _read(expr, scope, scope.state)
        case Next(ref):
            if scope.after is None:
                raise TypeError("a next value outside a relation between two states")
            return _read(ref, scope, scope.after)
        case Unary("!", operand):
            return 0 if evaluate(operand, scope) else 1
        case Unary("-", operand):
            return wrapped(-evaluate(operand, scope))
        case Unary("~", operand):
            return ~evaluate(operand, scope)
        case Binary("&&", left, right):
            return 1 if evaluate(left, scope) and evaluate(right, scope) else 0
        case Binary("||", left, right):
            return 1 if evaluate(left, scope) or evaluate(right, scope) else 0
        case Binary(op, left, right):
            a, b = evaluate(left, scope), evaluate(right, scope)
            return 0 if op in "/%" and b == 0 else OPERATIONS[op](a, b)
        case Conditional(test, then, other):
            return evaluate(then if evaluate(test, scope) else other, scope)
        case Quantified(kind, variable, body):
            values = product(*(values_of(type_) for _, type_ in scalars(variable.type)))
            found = (evaluate(body, replace(scope, bound={**scope.bound, variable: v})) for v in values)
            return int(all(found) if kind == "all" else any(found))
        case _:
            raise TypeError(f"no formula of a transition system: {expr!r}")


def slot_of(ref: Ref, scope: Scope) -> int | None:
    """The slot that a reference means, within the state, the frame or the bound variable; None if there is none."""
    slot, terms = ref.offset_terms()
    for index, stride, size in terms:
        value = evaluate(index, scope)
        if not 0 <= value < size:
            return None
        slot += value * stride
    return slot


def _read(ref: Ref, scope: Scope, state: Sequence[int]) -> int:
    slot = slot_of(ref, scope)
    if slot is None:
        return 0
    variable = ref.variable
    if variable in scope.bound:
        return scope.bound[variable][slot - variable.slot]
    return state[slot] if variable.owner is None else scope.frame[slot]


@lru_cache(maxsize=1024)
def values_of(type_: Scalar) -> Sequence[int]:
    """The values of a scalar type, in order."""
    match type_:
        case Enum(_, labels, _, True):
            return tuple(sorted(number for number, _ in labels))
        case Int():
            return range(type_.low, type_.high + 1)
        case Enum() | ChannelRef():
            return range(1 << type_.bits)


def conjuncts(expr: Expr) -> Iterator[Expr]:
    """The parts of a conjunction."""
    match expr:
        case Binary("&&", left, right):
            yield from conjuncts(left)
            yield from conjuncts(right)
        case _:
            yield expr


def solutions(
    formulas: Sequence[Expr],
    slots: Sequence[tuple[str, Scalar, Variable]],
    known: Mapping[int, int] | None = None,
    scope: Scope | None = None,
) -> Iterator[Values]:
    """All values of these slots that make the formulas true, in order of the slots. With a `scope`, the slots are those
    of the next state. `known`: slots whose values are given."""
    fixed = dict(known or {})
    parts = [part for formula in formulas for part in conjuncts(formula)]
    relation = scope is not None
    for part in parts:
        found = _equality(part, relation)
        if found is not None:
            fixed.setdefault(*found)
    tests: list[list[Expr]] = [[] for _ in range(len(slots) + 1)]
    for part in parts:
        tests[1 + max(_slots_in(part, relation), default=-1)].append(part)
    values = [0] * len(slots)

    def holds(depth: int) -> bool:
        seen = Scope(values) if scope is None else replace(scope, after=values)
        return all(evaluate(test, seen) for test in tests[depth])

    def search(depth: int) -> Iterator[Values]:
        if not holds(depth):
            return
        if depth == len(slots):
            yield tuple(values)
            return
        domain = (fixed[depth],) if depth in fixed else values_of(slots[depth][1])
        for value in domain:
            values[depth] = value
            yield from search(depth + 1)

    return search(0)


def _equality(part: Expr, relation: bool) -> tuple[int, int] | None:
    """The slot and value of a part `slot == constant`."""
    match part:
        case Binary("==", Ref() as ref, Const(value)) if not relation and ref.variable.owner is None:
            pass
        case Binary("==", Next(ref), Const(value)) if relation:
            pass
        case _:
            return None
    slot, terms = ref.offset_terms()
    for index, stride, size in terms:
        if not isinstance(index, Const) or not 0 <= index.value < size:
            return None
        slot += index.value * stride
    return slot, value


def _slots_in(part: Expr, relation: bool) -> Iterator[int]:
    """The slots that are being searched and that the part may read."""
    for inner in walk(part):
        ref = inner.ref if isinstance(inner, Next) else inner
        if isinstance(inner, Next) == relation and isinstance(ref, Ref) and ref.variable.owner is None:
            slot, terms = ref.offset_terms()
            if all(isinstance(index, Const) for index, _, _ in terms):
                yield slot + sum(index.value * stride for index, stride, _ in terms if isinstance(index, Const))
            else:
                yield slot + sum((size - 1) * stride for _, stride, size in terms)
