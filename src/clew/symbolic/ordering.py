"""A static order of the slots of a system: those that actions use together come close to each other.

The method is FORCE (Aloul, Markov, Sakallah 2003): every action pulls its slots to their centre, until nothing gets
shorter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from clew.core.expressions import Const, Expr, Ref, walk
from clew.core.procedures import (
    Block,
    Call,
    Check,
    Claim,
    Flowchart,
    If,
    Pick,
    Relate,
    Simultaneous,
    While,
    commands_in,
)
from clew.core.statements import Assign, Guard
from clew.core.transition_system import TransitionSystem
from clew.core.types import slots

ROUNDS = 60


def slot_order(system: TransitionSystem) -> list[int]:
    """The slots of the system in the order in which diagrams should have them."""
    start = _clustered(system)
    edges = [frozenset(_slots_in(action.body)) for action in system.actions]
    for procedure in system.procedures:
        edges.append(frozenset(_slots_in(procedure.body)))
    return force(start, [edge for edge in edges if 1 < len(edge) <= max(8, system.frame // 3)])


def force(start: Sequence[int], edges: Sequence[Collection[int]]) -> list[int]:
    """The order with the shortest edges met on the way. Deterministic."""
    best = list(start)
    shortest = _span(best, edges)
    order = best
    for _ in range(ROUNDS):
        place = {item: float(n) for n, item in enumerate(order)}
        pulls: dict[int, list[float]] = {item: [] for item in order}
        for edge in edges:
            centre = sum(place[item] for item in edge) / len(edge)
            for item in edge:
                pulls[item].append(centre)
        wanted = {item: sum(pull) / len(pull) if pull else place[item] for item, pull in pulls.items()}
        order = sorted(order, key=lambda item: (wanted[item], place[item]))
        span = _span(order, edges)
        if span < shortest:
            best, shortest = order, span
    return list(best)


def _span(order: Sequence[int], edges: Sequence[Collection[int]]) -> int:
    place = {item: n for n, item in enumerate(order)}
    return sum(max(place[i] for i in edge) - min(place[i] for i in edge) for edge in edges)


def _clustered(system: TransitionSystem) -> list[int]:
    """Cluster by cluster, then what belongs to none."""
    found: dict[int, None] = {}
    for variable in (*(v for cluster in system.clusters for v in cluster), *system.variables):
        for slot in range(variable.slot, variable.slot + slots(variable.type)):
            found.setdefault(slot)
    return list(found)


def _slots_in(block: Block) -> Iterator[int]:
    for expr in _expressions(block):
        for part in walk(expr):
            if isinstance(part, Ref) and part.variable.owner is None:
                yield from slots_of(part)


def slots_of(ref: Ref) -> range | tuple[int, ...]:
    """The slots that a reference may mean: one, or all of the variable."""
    base, terms = ref.offset_terms()
    if all(isinstance(index, Const) for index, _, _ in terms):
        at = base + sum(index.value * stride for index, stride, _ in terms if isinstance(index, Const))
        return range(at, at + slots(ref.type))
    return range(ref.variable.slot, ref.variable.slot + slots(ref.variable.type))


def _expressions(block: Block) -> Iterator[Expr]:
    for command in commands_in(block):
        match command:
            case Guard(value):
                yield value
            case Assign(target, value):
                yield from (target, value)
            case Simultaneous(assignments):
                for assignment in assignments:
                    yield from (assignment.target, assignment.value)
            case If(test) | While(test):
                yield test
            case Check(condition) | Claim(condition):
                yield condition
            case Relate(formula, targets):
                yield formula
                yield from targets
            case Pick(targets):
                yield from targets
            case Call(_, args):
                yield from args
            case Flowchart(nodes):
                for node in nodes:
                    for way in node:
                        yield way.guard
