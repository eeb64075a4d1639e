"""Test suites: made from the behaviour of a model for some coverage, written and read as terms.

TestSuite(TestCase(Put(1), Take(), Taken(1)), TestCase(…))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from clew.core.diagnostics import NOWHERE, InputError, Span
from clew.core.records import record
from clew.frontends.modelprogram.terms import Literal, Term, read_term, text_of
from clew.testing.actions import TestedModel
from clew.testing.behaviour import Behaviour, explore, shortest
from clew.testing.tours import transition_tour

COVERAGES = ("transitions", "states", "actions", "switch:K")


@record
class Suite:
    """Test cases as texts of actions. `goals`: how many things were to be covered; all are. `left_out`: arcs from which
    no accepting state can be reached."""

    cases: tuple[tuple[str, ...], ...]
    coverage: str = ""
    goals: int = 0
    left_out: int = 0
    observable: frozenset[str] = frozenset()  # actions that the implementation takes

    @property
    def actions(self) -> int:
        return sum(map(len, self.cases))

    @property
    def term(self) -> str:
        cases = ",\n  ".join(f"TestCase({', '.join(case)})" for case in self.cases)
        return f"TestSuite(\n  {cases})\n" if cases else "TestSuite()\n"


def make_suite(model: TestedModel, coverage: str = "transitions") -> Suite:
    """Raises InputError if there is no such coverage, or the model has too many states."""
    kind, _, number = coverage.partition(":")
    if kind not in ("transitions", "states", "actions", "switch") or (kind == "switch") != number.isdigit():
        message = f"unknown coverage '{coverage}'"
        raise InputError.at(NOWHERE, "unknown-coverage", message, f"known: {', '.join(COVERAGES)}")
    behaviour = explore(model)
    if kind == "transitions":
        cases, goals = transition_tour(behaviour), len(behaviour.arcs)
    else:
        reach = int(number) + 1 if number else 1
        cases, goals = _greedy(behaviour, *_goals(behaviour, kind, reach), reach)
    texts = tuple(tuple(str(behaviour.arcs[arc].action) for arc in case) for case in cases)
    observable = frozenset(symbol.name for symbol in model.space.symbols if symbol.observable)
    return Suite(texts, coverage, goals, behaviour.left_out, observable)


Covered = Callable[[tuple[int, ...]], object]


def _goals(behaviour: Behaviour, kind: str, reach: int) -> tuple[set[object], Covered]:
    """What is to be covered, and which of it the last arc of a walk covers, given its last `reach` arcs."""
    if kind == "states":
        return {arc.target for arc in behaviour.arcs}, lambda last: behaviour.arcs[last[-1]].target
    if kind == "actions":
        return {arc.action for arc in behaviour.arcs}, lambda last: behaviour.arcs[last[-1]].action
    leaving = behaviour.leaving()
    paths: list[tuple[int, ...]] = [(arc,) for arc in range(len(behaviour.arcs))]
    for _ in range(reach - 1):
        paths = [(*path, arc) for path in paths for arc in leaving[behaviour.arcs[path[-1]].target]]
    return set(paths), lambda last: last


def _greedy(behaviour: Behaviour, goals: set[object], covers: Covered, reach: int) -> tuple[list[list[int]], int]:
    """Always on to the nearest thing that is not covered yet; where none can be reached, a new test case."""
    leaving = behaviour.leaving()
    accepting = behaviour.accepting.__contains__
    left, cases, case = set(goals), list[list[int]](), list[int]()
    while left:
        more = _way_to_new(behaviour, leaving, case, left, covers, reach)
        if more is None:
            assert case, "a goal that cannot be reached from the first state"
            cases.append(case)
            case = []
            continue
        for arc in more:
            case.append(arc)
            left.discard(covers(tuple(case[-reach:])))
    if case:
        cases.append(case)
    for found in cases:
        found += shortest(behaviour, leaving, behaviour.arcs[found[-1]].target, accepting) or []
    return cases, len(goals)


def _way_to_new(
    behaviour: Behaviour, leaving: list[list[int]], case: list[int], left: set[object], covers: Covered, reach: int
) -> list[int] | None:
    """Breadth-first over what the next arcs can be, by where they lead and the arcs that still count."""
    first = tuple(case[-reach:])
    waiting: list[tuple[tuple[int, ...], list[int]]] = [(first, [])]
    seen = {first[1 - reach :] if reach > 1 else (_end(behaviour, first),)}
    for last, way in waiting:
        for arc in leaving[_end(behaviour, last)]:
            now = (*last, arc)[-reach:]
            if covers(now) in left:
                return [*way, arc]
            key = now[1 - reach :] if reach > 1 else (behaviour.arcs[arc].target,)
            if key not in seen:
                seen.add(key)
                waiting.append((now, [*way, arc]))
    return None


def _end(behaviour: Behaviour, path: tuple[int, ...]) -> int:
    return behaviour.arcs[path[-1]].target if path else 0


# --- terms


def read_suite(text: str, file: str) -> Suite:
    """Raises InputError, located."""
    term = read_term(text, file)
    if not isinstance(term, Term) or term.symbol != "TestSuite":
        raise InputError.at(Span(file, 1), "bad-suite", "expected TestSuite(TestCase(…), …)")
    return Suite(tuple(_case(case, file) for case in term.args))


def _case(term: Term | Literal, file: str) -> tuple[str, ...]:
    if not isinstance(term, Term) or term.symbol != "TestCase":
        raise InputError.at(Span(file, 1), "bad-suite", f"expected TestCase(…), found {text_of(term)}")
    return tuple(_actions(term.args, file))


def _actions(terms: Iterable[Term | Literal], file: str) -> Iterable[str]:
    for term in terms:
        if not isinstance(term, Term):
            raise InputError.at(Span(file, 1), "bad-suite", f"expected an action, found {text_of(term)}")
        yield str(term) if term.args else f"{term.symbol}()"
