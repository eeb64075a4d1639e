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
from clew.core.types import scalars, slots

ROUNDS = 60
FEW_INDEX_BITS = 8


def slot_order(system: TransitionSystem) -> list[int]:
    """The slots of the system in the order in which diagrams should have them."""
    edges = [frozenset(_slots_in(action.body)) for action in system.actions]
    for procedure in system.procedures:
        edges.append(frozenset(_slots_in(procedure.body)))
    pulling = [edge for edge in edges if 1 < len(edge) <= max(8, system.frame // 3)]
    orders = [force(start, pulling) for start in (_clustered(system), _zipped(system))]
    order = min(orders, key=lambda order: _span(order, pulling))
    first = _indices(system)
    return [slot for slot in order if slot in first] + [slot for slot in order if slot not in first]


def _indices(system: TransitionSystem) -> frozenset[int]:
    """Slots that choose an element of an array, if they are few: below them, each element is looked at once."""
    found: set[int] = set()
    for action in system.actions:
        for expr in _expressions(action.body):
            for part in walk(expr):
                if isinstance(part, Ref) and part.variable.owner is None:
                    for index in part.path:
                        if not isinstance(index, str | Const):
                            found.update(slot for ref in _refs(index) for slot in slots_of(ref))
    types = [type_ for variable in system.variables for _, type_ in scalars(variable.type)]
    return frozenset(found) if sum(types[slot].bits for slot in found) <= FEW_INDEX_BITS else frozenset()


def _refs(expr: Expr) -> Iterator[Ref]:
    for part in walk(expr):
        if isinstance(part, Ref) and part.variable.owner is None:
            yield part


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


def _zipped(system: TransitionSystem) -> list[int]:
    """Elements of arrays and clusters side by side: the first of each, then the second of each, and so on."""
    place: dict[int, float] = {}
    for number, cluster in enumerate(system.clusters):
        for variable in cluster:
            for slot in range(variable.slot, variable.slot + slots(variable.type)):
                place[slot] = (number + 0.5) / len(system.clusters)
    for variable in system.variables:
        count = slots(variable.type)
        for offset in range(count):
            place.setdefault(variable.slot + offset, (offset + 0.5) / count)
    return sorted(range(system.frame), key=lambda slot: (place[slot], slot))


def _slots_in(block: Block) -> Iterator[int]:
    for expr in _expressions(block):
        for ref in _refs(expr):
            yield from slots_of(ref)


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
