"""Where the nodes of a graph are placed: layers from top to bottom, one picture per group, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clew.core.diagnostics import NOWHERE, InputError
from clew.report.graphs.figure import Graph, Node

CHARACTER = 6.6
LINE = 14.0
_PADDING = 10.0
_BETWEEN_NODES = 34.0
_BETWEEN_LAYERS = 62.0
_LONGEST_LABEL = 46


@dataclass(frozen=True, slots=True)
class Box:
    """Centre and size of a node."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Layout:
    """`routes[i]` are the points edge i passes between its ends."""

    boxes: tuple[Box, ...]
    routes: tuple[tuple[tuple[float, float], ...], ...]
    width: float
    height: float
    titles: tuple[tuple[str, float], ...]  # group and its left side


def layout(graph: Graph) -> Layout:
    """A layered (Sugiyama) layout by igraph, imported only here."""
    boxes: dict[int, Box] = {}
    routes: dict[int, tuple[tuple[float, float], ...]] = {}
    titles: list[tuple[str, float]] = []
    left, height = 0.0, 0.0
    for group in graph.groups:
        members = [number for number, node in enumerate(graph.nodes) if node.group == group]
        top = 24.0 if group else 0.0
        width, bottom = _place(graph, members, left, top, boxes, routes)
        titles.append((group, left))
        left += max(width, CHARACTER * len(group)) + 60
        height = max(height, bottom)
    everything = tuple(boxes[number] for number in range(len(graph.nodes)))
    paths = tuple(routes.get(number, ()) for number in range(len(graph.edges)))
    return Layout(everything, paths, max(left - 60, 0), height, tuple(titles))


def label_lines(node: Node) -> list[str]:
    """The label as drawn: long lines are cut."""
    return [line if len(line) <= _LONGEST_LABEL else line[: _LONGEST_LABEL - 1] + "…" for line in node.lines]


def _place(
    graph: Graph,
    members: list[int],
    left: float,
    top: float,
    boxes: dict[int, Box],
    routes: dict[int, tuple[tuple[float, float], ...]],
) -> tuple[float, float]:
    """Fills in boxes and routes of one group; gives its width and bottom."""
    igraph = igraph_library()

    local = {number: position for position, number in enumerate(members)}
    inner = [n for n, edge in enumerate(graph.edges) if edge.source in local and edge.source != edge.target]
    pairs = [(local[graph.edges[n].source], local[graph.edges[n].target]) for n in inner]
    sizes = [_size(graph.nodes[number]) for number in members]
    drawing = igraph.Graph(n=len(members), edges=pairs, directed=True)
    labels = max((min(len(graph.edges[n].label), _LONGEST_LABEL) for n in inner), default=0)
    wide = max(width for width, _ in sizes) + _BETWEEN_NODES + labels * CHARACTER * 0.5
    starts = [local[number] for number in members if graph.nodes[number].initial]
    placed = drawing.layout_sugiyama(layers=_layers(len(members), pairs, starts), hgap=1, vgap=1)
    rows = _rows([int(point[1]) for point in placed.coords], [height for _, height in sizes])
    columns = [point[0] for point in placed.coords] + [p[0] for route in placed.edge_routing for p in route]
    first: float = min(columns)

    def across(x: float) -> float:
        return left + (x - first + 0.5) * wide

    for number, (x, y), (width, height) in zip(members, placed.coords, sizes, strict=True):
        boxes[number] = Box(across(x), top + rows[int(y)], width, height)
    for number, route in zip(inner, placed.edge_routing, strict=True):
        points = [(across(x), top + rows[int(y)]) for x, y in route]
        edge = graph.edges[number]
        if points and boxes[edge.source].y > boxes[edge.target].y:
            points.sort(key=lambda point: -point[1])
        elif points:
            points.sort(key=lambda point: point[1])
        routes[number] = tuple(points)
    bottom = top + max(rows.values()) + max(height for _, height in sizes) / 2
    return (max(columns) - first + 1) * wide, bottom


def _layers(count: int, pairs: list[tuple[int, int]], starts: list[int]) -> list[int]:
    """A layer for each node: below all nodes that lead to it and were found before it. Starts are on top."""
    after: list[list[int]] = [[] for _ in range(count)]
    for source, target in pairs:
        after[source].append(target)
    found = dict.fromkeys(starts or [0])
    order = list(found)
    for node in order:
        for other in after[node]:
            if other not in found:
                found[other] = None
                order.append(other)
    order += [node for node in range(count) if node not in found]
    place = {node: position for position, node in enumerate(order)}
    layers = [0] * count
    for node in order:
        for other in after[node]:
            if place[other] > place[node]:
                layers[other] = max(layers[other], layers[node] + 1)
    return layers


def igraph_library() -> Any:
    """Raises InputError if it is not installed."""
    try:
        import igraph
    except ImportError:
        hint = "pip install igraph, or choose --to dot"
        raise InputError.at(NOWHERE, "igraph-missing", "SVG needs the library igraph for its layout", hint) from None
    return igraph


def _rows(layers: list[int], heights: list[float]) -> dict[int, float]:
    """The vertical centre of each layer; a layer is as high as its highest node."""
    rows: dict[int, float] = {}
    y = 0.0
    for layer in range(max(layers) + 1):
        height = max((h for place, h in zip(layers, heights, strict=True) if place == layer), default=0.0)
        rows[layer] = y + height / 2
        y += height + _BETWEEN_LAYERS
    return rows


def _size(node: Node) -> tuple[float, float]:
    lines = label_lines(node)
    return max(max(map(len, lines)) * CHARACTER + 2 * _PADDING, 34), len(lines) * LINE + _PADDING
