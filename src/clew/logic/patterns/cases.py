"""Test cases made from a pattern and a scope: equivalence classes, then boundary values.

The classes say whether the pattern has something to judge in an interval, and what intervals the trace has. The
boundary values put P and T one state before, on, and one behind each delimiter and at the ends of the trace. The
expected answers come from the oracle.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from clew.core.records import record
from clew.logic.patterns import oracle
from clew.logic.patterns.properties import NESTED, Pattern, Property, Reading, Scope, entry, letter
from clew.logic.patterns.suites import Case
from clew.logic.patterns.traces import without_repetitions
from clew.logic.patterns.words import Lasso, these_words

LENGTH: Final = 9

# Where the delimiters are, on LENGTH states.
_SKELETONS: Final[dict[Scope, tuple[str, ...]]] = {
    Scope.GLOBAL: ("---------",),
    Scope.BEFORE: ("R--------", "--------R", "----R----", "---R--R--", "---------"),
    Scope.AFTER: ("L--------", "--------L", "----L----", "---L--L--", "---------"),
    Scope.BETWEEN: (
        "---------", "---L-----", "---R-----", "----X----", "--R---L--",  # no interval; X is both at once
        "L---R----", "---L----R", "--L---R--", "---LR----", "--X--R---", "L-----R-R",  # one
        "-L-R-L-R-", "-LR--L--R", "L--R--L--", "--L-X--R-",  # several
        "-L--L--R-", "L--L----R", "-LL--R-R-", "-L-L-----", "L-LR-L---",  # nested
    ),
}  # fmt: skip
_SKELETONS_OF = {**_SKELETONS, Scope.AFTER_UNTIL: _SKELETONS[Scope.BETWEEN]}

Leaf = tuple[str, str]
"""What is in the intervals, and what intervals there are."""

Intervals = list[tuple[oracle.Interval, bool]]


@record
class GeneratedCase(Case):
    leaf: Leaf = ("", "")


@cache
def generate(pattern: Pattern, scope: Scope, reading: Reading = NESTED) -> tuple[GeneratedCase, ...]:
    """The cases of a property. Of traces that differ only in how often a state is repeated, one is kept."""
    prop = entry(pattern, scope)
    found: dict[Lasso, Lasso] = {}
    for skeleton in _SKELETONS_OF[scope]:
        for trace in _placements(skeleton, pattern):
            found.setdefault(without_repetitions(trace), trace)
    traces = list(found.values())
    valid = oracle.satisfying(prop, these_words(prop.atoms(), traces), reading)
    by_leaf: dict[Leaf, list[int]] = {leaf: [] for leaf in partition(pattern, scope, reading)}
    for number, intervals in enumerate(oracle.intervals_of_all(prop, traces, reading)):
        by_leaf[_leaf(prop, traces[number], intervals)].append(number)
    return tuple(
        GeneratedCase(f"{i}.{j}", pattern, scope, traces[number], bool(valid >> number & 1), "", leaf)
        for i, (leaf, numbers) in enumerate(by_leaf.items(), start=1)
        for j, number in enumerate(numbers, start=1)
    )


def _placements(skeleton: str, pattern: Pattern) -> Iterator[Lasso]:
    """The skeleton with P and T at boundary values."""
    places = _boundaries(skeleton)
    for p in _p_places(places, pattern):
        for t in _up_to(1, places) if pattern.has_t else [()]:
            yield _trace(skeleton, {"P": p, "T": t})


def _trace(skeleton: str, places: dict[str, tuple[int, ...]]) -> Lasso:
    letters = [
        frozenset(map(letter, ("LR" if symbol == "X" else symbol.strip("-")) + "".join(_at(places, i))))
        for i, symbol in enumerate(skeleton)
    ]
    return tuple(letters[:-1]), tuple(letters[-1:])


def _at(places: dict[str, tuple[int, ...]], state: int) -> Iterator[str]:
    return (role for role, states in places.items() if state in states)


def _boundaries(skeleton: str) -> list[int]:
    """The first and the last state, and one before, on and one behind each delimiter."""
    delimiters = [i for i, symbol in enumerate(skeleton) if symbol != "-"]
    near = {i + d for i in delimiters for d in (-1, 0, 1)}
    return sorted({0, LENGTH - 1, LENGTH // 2, *near} & set(range(LENGTH)))


def _up_to(most: int, places: list[int]) -> Iterator[tuple[int, ...]]:
    """At most so many of the places."""
    return itertools.chain.from_iterable(itertools.combinations(places, n) for n in range(most + 1))


def _p_places(places: list[int], pattern: Pattern) -> Iterable[tuple[int, ...]]:
    """P at one place beside T, else at two; of universality, missing there."""
    if pattern.has_t:
        return _up_to(1, places)
    if pattern is not Pattern.UNIVERSALITY:
        return _up_to(2, places)
    return (tuple(i for i in range(LENGTH) if i not in missing) for missing in _up_to(2, places))


# Equivalence classes

_NONE: Final = "no interval"


def partition(pattern: Pattern, scope: Scope, reading: Reading = NESTED) -> list[Leaf]:
    """The leaves of the tree of equivalence classes; those that no trace can be in are left out."""
    without, within = _contents(pattern)
    shapes = _shapes(scope, reading)
    empty = [_NONE] + ["R in the first state"] * (scope is Scope.BEFORE)
    precedence = pattern in (Pattern.PRECEDENCE, Pattern.STRICT_PRECEDENCE)
    if scope is Scope.AFTER and precedence and (reading.strict_precedence or pattern is Pattern.STRICT_PRECEDENCE):
        empty.append("L in the last state")  # all states of the interval are alike
    return [(without, s) for s in shapes] + [(within, s) for s in shapes if s not in empty]


def classify(prop: Property, trace: Lasso, reading: Reading = NESTED) -> Leaf:
    """The leaf a trace belongs to."""
    return _leaf(prop, trace, oracle.intervals(prop, trace, reading))


def _leaf(prop: Property, trace: Lasso, intervals: Intervals) -> Leaf:
    without, within = _contents(prop.pattern)
    return within if _has_content(prop, trace, intervals) else without, _shape(prop, trace, intervals)


def _contents(pattern: Pattern) -> tuple[str, str]:
    match pattern:
        case Pattern.ABSENCE | Pattern.EXISTENCE:
            return "P in no state of an interval", "P in some state of an interval"
        case Pattern.UNIVERSALITY:
            return "P missing in no state of an interval", "P missing in some state of an interval"
        case Pattern.RESPONSE:
            return "T responds to P in no interval", "T responds to P in some interval"
    return "T precedes P in no interval", "T precedes P in some interval"


def _has_content(prop: Property, trace: Lasso, intervals: Intervals) -> bool:
    """Whether there is an interval with P (universality: without) in some state and, if the pattern has a T, the
    pattern holds in it.
    """
    letters = (*trace[0], *trace[1])
    present = prop.pattern is not Pattern.UNIVERSALITY
    for (start, end), good in intervals:
        inside = letters[start:end]
        if any((letter("P") in held) is present for held in inside) and (good or not prop.pattern.has_t):
            return True
    return False


def _shapes(scope: Scope, reading: Reading) -> list[str]:
    match scope:
        case Scope.GLOBAL:
            return ["the whole run"]
        case Scope.BEFORE | Scope.AFTER:
            delimiter = "R" if scope is Scope.BEFORE else "L"
            return [f"{delimiter} in {where}" for where in ("the first state", "the last state", "another state")] + [
                _NONE
            ]
    endless = ["one interval, without end"] if scope is Scope.AFTER_UNTIL else []
    return [
        _NONE, "one interval, L in the first state", "one interval, R in the last state", "one interval, elsewhere",
        *endless, "several intervals", *([] if reading.outermost else ["nested intervals"]),
    ]  # fmt: skip


def _shape(prop: Property, trace: Lasso, intervals: Intervals) -> str:
    found = [interval for interval, _ in intervals]
    last = len(trace[0])
    if prop.scope is Scope.GLOBAL:
        return "the whole run"
    if not found:
        return _NONE
    start, end = found[0]
    if prop.scope in (Scope.BEFORE, Scope.AFTER):
        delimiter, at = ("R", end) if prop.scope is Scope.BEFORE else ("L", start)
        where = {0: "the first state", last: "the last state"}.get(-1 if at is None else at, "another state")
        return f"{delimiter} in {where}"
    if len(found) > 1:
        ends = [e for _, e in found]
        return "nested intervals" if len(set(ends)) < len(ends) else "several intervals"
    if end is None:
        return "one interval, without end"
    if start == 0:
        return "one interval, L in the first state"
    return "one interval, R in the last state" if end == last else "one interval, elsewhere"
