"""The states that can be reached, by one of three schedules.

`bfs` takes all steps from all states, round by round. `chain` lets each relation add to what the one before it found.
`saturate` repeats the relations lowest in the order until they add nothing before it goes up: close to the saturation
of Ciardo, Lüttgen and Siminiceanu (2001), on ordinary diagrams.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from clew.solvers.bdd import Function
from clew.symbolic.relation import Relation

Schedule = Literal["bfs", "chain", "saturate"]
Watch = Callable[[Function], None]


def reachable(relation: Relation, start: Function, schedule: Schedule, watch: Watch) -> Function:
    """`watch` sees what was found so far, and may raise to end it."""
    match schedule:
        case "bfs":
            return _breadth_first(relation, start, watch)
        case "chain":
            return _chained(relation, start, watch)
        case "saturate":
            return _saturated(relation, start, watch)


def _breadth_first(relation: Relation, start: Function, watch: Watch) -> Function:
    diagrams = relation.diagrams
    known = fresh = start
    while not diagrams.same(fresh, diagrams.false):
        watch(known)
        fresh = diagrams.without(relation.post(fresh), known)
        known = diagrams.either(known, fresh)
    return known


def _chained(relation: Relation, start: Function, watch: Watch) -> Function:
    diagrams = relation.diagrams
    known, before = start, diagrams.false
    parts = sorted(relation.parts, key=lambda part: part.top)
    while not diagrams.same(known, before):
        before = known
        for part in parts:
            watch(known)
            known = diagrams.either(known, relation.post_of(part, known))
    return known


def _saturated(relation: Relation, start: Function, watch: Watch) -> Function:
    diagrams = relation.diagrams
    parts = sorted(relation.parts, key=lambda part: -part.top)
    known, place = start, 0
    while place < len(parts):
        watch(known)
        larger = diagrams.either(known, relation.post_of(parts[place], known))
        if diagrams.same(larger, known):
            place += 1
        else:
            known, place = larger, 0
    return known
