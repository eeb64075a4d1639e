"""Where the nodes of large graphs go: layers by distance, or springs. Small ones have `report.graphs.layout`.

Both are meant to be fast: a few thousand nodes in a fraction of a second, the same picture each time.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from clew.report.graphs.layout import igraph_library

Edge = tuple[int, int]
Point = tuple[float, float]

ACROSS = 30.0
SWEEPS = 6
WIDEST_LAYER = 48  # nodes in one row; a larger layer is laid out in several
FEW = 150  # nodes: then every two of them repel each other
STEPS = 30  # of the springs


def distances(count: int, edges: Sequence[Edge], starts: Sequence[int]) -> list[int]:
    """How many edges each node is away from the nearest start; unreached ones come after all others."""
    after: list[list[int]] = [[] for _ in range(count)]
    for source, target in edges:
        after[source].append(target)
    found = [-1] * count
    order = list(dict.fromkeys(starts)) or [0][:count]
    for node in order:
        found[node] = 0
    for node in order:
        for other in after[node]:
            if found[other] < 0:
                found[other] = found[node] + 1
                order.append(other)
    last = max(found, default=0)
    return [last + 1 if depth < 0 else depth for depth in found]


def layered(count: int, edges: Sequence[Edge], starts: Sequence[int], sweeps: int = SWEEPS) -> list[Point]:
    """A row for each distance from the start; in a row, nodes stand near those they are joined with."""
    if count == 0:
        return []
    depth = distances(count, edges, starts)
    rows: list[list[int]] = [[] for _ in range(max(depth) + 1)]
    for node in range(count):
        rows[depth[node]].append(node)
    above: list[list[int]] = [[] for _ in range(count)]
    below: list[list[int]] = [[] for _ in range(count)]
    for source, target in edges:
        if depth[target] == depth[source] + 1:
            above[target].append(source)
            below[source].append(target)
    place = [0.0] * count
    for row in rows:
        _spread(row, place)
    for sweep in range(sweeps):
        downwards = sweep % 2 == 0
        near = above if downwards else below
        for row in rows if downwards else reversed(rows):
            row.sort(
                key=lambda node: (sum(place[n] for n in near[node]) / len(near[node])) if near[node] else place[node]
            )
            _spread(row, place)
    lines = [
        row[begin : begin + size]
        for row in rows
        if row
        for size in [_line(len(row))]
        for begin in range(0, len(row), size)
    ]
    widest = max(len(line) for line in lines) * ACROSS
    down = min(120.0, max(34.0, widest / 1.7 / len(lines)))
    points: list[Point] = [(0.0, 0.0)] * count
    for number, line in enumerate(lines):
        for rank, node in enumerate(line):
            points[node] = (ACROSS * (rank - (len(line) - 1) / 2), down * number)
    return points


def _line(nodes: int) -> int:
    """How many nodes of a layer stand side by side."""
    return max(1, math.ceil(nodes / math.ceil(nodes / WIDEST_LAYER)))


def _spread(row: Sequence[int], place: list[float]) -> None:
    """Numbers for places in a row, centred."""
    for rank, node in enumerate(row):
        place[node] = rank - (len(row) - 1) / 2


def by_forces(count: int, edges: Sequence[Edge], starts: Sequence[int]) -> list[Point]:
    """Joined nodes attract each other, all others repel each other (igraph). Wider than high."""
    if count == 0:
        return []
    igraph = igraph_library()
    igraph.set_random_number_generator(random.Random(1))
    joined = sorted({(min(edge), max(edge)) for edge in edges if edge[0] != edge[1]})
    graph = igraph.Graph(n=count, edges=joined)
    if count <= FEW:
        placed = graph.layout_kamada_kawai()
    else:
        begin = [[x / ACROSS, y / ACROSS] for x, y in layered(count, edges, starts, sweeps=2)]
        placed = graph.layout_fruchterman_reingold(niter=STEPS, grid=True, seed=begin)
    return _scaled([(x, y) for x, y in placed], joined)


def _scaled(points: list[Point], edges: Sequence[Edge]) -> list[Point]:
    """So large that an edge of middle length is as long as two nodes are apart in a row."""
    lengths = sorted(math.dist(points[a], points[b]) for a, b in edges)
    middle = lengths[len(lengths) // 2] if lengths else 1.0
    scale = 1.6 * ACROSS / (middle or 1.0)
    return [(x * scale, y * scale) for x, y in points]
