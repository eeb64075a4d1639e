"""Transition tours: test cases that take every arc, as few of them as possible, and then as few actions.

The directed postman problem. A test case begins in the first state and ends in an accepting one; ending is an arc to
an extra node R, from which an arc leads to the first state. A circulation of least cost that uses every arc of the
graph at least once, where going through R is dearer than any detour, is balanced everywhere and connected, so it is a
closed walk (Euler); cut at R it is the suite. Successive shortest paths find it (Edmonds and Johnson, *Matching, Euler
tours and the Chinese postman*, 1973).
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

from clew.testing.behaviour import Behaviour


def transition_tour(behaviour: Behaviour) -> list[list[int]]:
    """Test cases as numbers of arcs; every arc is in one. Every state must lead to an accepting one."""
    if not behaviour.arcs:
        return []
    extra = behaviour.states  # R
    dear = len(behaviour.arcs) * (behaviour.states + 2) + 1
    arcs = [(arc.source, arc.target, 1) for arc in behaviour.arcs]
    used = {target for _, target, _ in arcs} | {0}
    arcs += [(state, extra, 0) for state in sorted(behaviour.accepting & used)]
    arcs.append((extra, 0, dear))
    least = [1] * len(behaviour.arcs) + [0] * (len(arcs) - len(behaviour.arcs) - 1) + [1]
    times = _circulation(extra + 1, arcs, least)
    return _cut(_closed_walk(extra, arcs, times), arcs, extra, len(behaviour.arcs))


def _circulation(nodes: int, arcs: list[tuple[int, int, int]], least: list[int]) -> list[int]:
    """How often each arc is used, at least so often, at least cost; from any node at least one arc leads away."""
    excess = [0] * nodes  # how much more comes in than goes out
    for (source, target, _), times in zip(arcs, least, strict=True):
        excess[target] += times
        excess[source] -= times
    flow = _Flow(nodes)
    for source, target, cost in arcs:
        flow.add(source, target, cost)
    flow.settle(excess)
    return [times + flow.used(number) for number, times in enumerate(least)]


@dataclass(slots=True)
class _Edge:
    target: int
    cost: int
    room: int | None  # None: without bound


class _Flow:
    """Residual graph: edge 2i is arc i, edge 2i + 1 its way back."""

    def __init__(self, nodes: int) -> None:
        self.edges: list[_Edge] = []
        self.leaving: list[list[int]] = [[] for _ in range(nodes)]
        self.potential = [0] * nodes  # costs are not negative at first

    def add(self, source: int, target: int, cost: int) -> None:
        self.leaving[source].append(len(self.edges))
        self.edges.append(_Edge(target, cost, None))
        self.leaving[target].append(len(self.edges))
        self.edges.append(_Edge(source, -cost, 0))

    def used(self, arc: int) -> int:
        return self.edges[2 * arc + 1].room or 0

    def settle(self, excess: list[int]) -> None:
        """Sends what is too much to where it is missing."""
        while any(amount > 0 for amount in excess):
            start = next(node for node, amount in enumerate(excess) if amount > 0)
            distance, came = self._distances(start)
            end = min(
                (node for node, amount in enumerate(excess) if amount < 0 and node in distance),
                key=lambda node: (distance[node] + self.potential[node], node),
            )
            farthest = max(distance.values())
            for node in range(len(self.potential)):
                self.potential[node] += distance.get(node, farthest)
            way, node = [], end
            while node != start:
                way.append(came[node])
                node = self.edges[came[node] ^ 1].target
            amount = min(excess[start], -excess[end])
            for edge in way:
                room = self.edges[edge].room
                amount = amount if room is None else min(amount, room)
            for edge in way:
                there, back = self.edges[edge], self.edges[edge ^ 1]
                there.room = None if there.room is None else there.room - amount
                back.room = None if back.room is None else back.room + amount
            excess[start] -= amount
            excess[end] += amount

    def _distances(self, start: int) -> tuple[dict[int, int], dict[int, int]]:
        """By reduced cost, and the edge by which each node is reached."""
        distance, came = {start: 0}, dict[int, int]()
        waiting = [(0, start)]
        while waiting:
            far, node = heapq.heappop(waiting)
            if far > distance[node]:
                continue
            for number in self.leaving[node]:
                edge = self.edges[number]
                if edge.room == 0:
                    continue
                there = far + edge.cost + self.potential[node] - self.potential[edge.target]
                if there < distance.get(edge.target, there + 1):
                    distance[edge.target], came[edge.target] = there, number
                    heapq.heappush(waiting, (there, edge.target))
        return distance, came


def _closed_walk(start: int, arcs: list[tuple[int, int, int]], times: list[int]) -> list[int]:
    """The arcs, each as often as it is used, in an order that is a walk from `start` back to it (Hierholzer)."""
    leaving: dict[int, list[int]] = {}
    for number in range(len(arcs) - 1, -1, -1):
        leaving.setdefault(arcs[number][0], []).extend([number] * times[number])
    walk: list[int] = []
    stack: list[tuple[int, int | None]] = [(start, None)]
    while stack:
        node, by = stack[-1]
        if leaving.get(node):
            number = leaving[node].pop()
            stack.append((arcs[number][1], number))
        else:
            stack.pop()
            if by is not None:
                walk.append(by)
    return walk[::-1]


def _cut(walk: list[int], arcs: list[tuple[int, int, int]], extra: int, real: int) -> list[list[int]]:
    cases: list[list[int]] = []
    for number in walk:
        if arcs[number][0] == extra:
            cases.append([])
        elif number < real:
            cases[-1].append(number)
    return [case for case in cases if case]
