"""Whether a reduced graph, as it was explored, keeps what its proviso promises.

Checked is the graph itself, with other code than the search: for `queue` and `visited` that there is a numbering (C2w
of Bosnacki and Holzmann): every state that is not fully expanded has a successor of a smaller number. Such a numbering
exists iff from every state a fully expanded one can be reached through states that are not; so it is looked for, and
not taken from the search. For `queue-live`, and for temporal properties, that every cycle has a fully expanded state.
"""

from __future__ import annotations

from collections.abc import Iterable

from clew.core.records import record

FULLY, FORCED, PARTLY, EXEMPT = range(4)  # as in runtime/reduce.h


@record
class Expansion:
    """One expansion of a state: its successors, and how. A state may have several; a full one counts."""

    state: int
    how: int
    to: tuple[int, ...]


@record
class Graph:
    """The reduced graph: successors of each state, and which states took every step, or needed no proviso."""

    successors: dict[int, tuple[int, ...]]
    settled: frozenset[int]
    full: frozenset[int]


def graph_of(expansions: Iterable[Expansion]) -> Graph:
    successors: dict[int, tuple[int, ...]] = {}
    full: set[int] = set()
    exempt: set[int] = set()
    for e in expansions:
        successors[e.state] = successors.get(e.state, ()) + e.to
        if e.how in (FULLY, FORCED):
            full.add(e.state)
        elif e.how == EXEMPT:
            exempt.add(e.state)
    return Graph(successors, frozenset(full | exempt), frozenset(full))


def ignoring_states(graph: Graph) -> set[int]:
    """States from which no settled state can be reached at all or, what is the same, that C2w has no number for."""
    known = set(graph.settled)
    before: dict[int, list[int]] = {}
    for state, targets in graph.successors.items():
        for target in targets:
            before.setdefault(target, []).append(state)
    work = list(known)
    while work:
        for state in before.get(work.pop(), ()):
            if state not in known:
                known.add(state)
                work.append(state)
    return set(graph.successors) - known


def unordered_states(graph: Graph) -> set[int]:
    """States that are not settled and have no successor of a greater number: what `queue` promises of the numbers."""
    return {
        state
        for state, targets in graph.successors.items()
        if state not in graph.settled and not any(target > state for target in targets)
    }


def reduced_cycle(graph: Graph) -> list[int]:
    """A cycle without a fully expanded state; empty if there is none."""
    colour: dict[int, int] = {}
    for root in graph.successors:
        if root in graph.full or root in colour:
            continue
        path = [(root, iter(graph.successors[root]))]
        colour[root] = 1
        while path:
            state, targets = path[-1]
            target = next(targets, None)
            if target is None:
                colour[state] = 2
                path.pop()
            elif target in graph.full or colour.get(target) == 2:
                continue
            elif colour.get(target) == 1:
                at = next(n for n, (known, _) in enumerate(path) if known == target)
                return [known for known, _ in path[at:]]
            else:
                colour[target] = 1
                path.append((target, iter(graph.successors.get(target, ()))))
    return []
