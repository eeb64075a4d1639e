"""Where the nodes of a graph are placed: layers from top to bottom, one picture per group, side by side."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

from clew.core.diagnostics import NOWHERE, InputError
from clew.core.records import record
from clew.report.graphs.figure import Graph, Node
from clew.report.graphs.rows import across

CHARACTER = 6.6
LINE = 14.0
_PADDING = 10.0
_BETWEEN_NODES = 34.0
_BETWEEN_LAYERS = 62.0
_LONGEST_LABEL = 46
_THREAD = 14.0  # room for an edge that passes between nodes
_MANY = 60  # nodes: beyond that, labels of edges get no room of their own
_LONGEST_ROUTE = 4  # layers that an edge is led through where there are many nodes; a longer one goes straight
_FEWEST_IN_A_ROW = 12


@record
class Box:
    """Centre and size of a node."""

    x: float
    y: float
    width: float
    height: float


@record
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
    starts = [local[number] for number in members if graph.nodes[number].initial]
    layers = _folded(_layers(len(members), pairs, starts))
    roomy = len(members) <= _MANY
    longest = len(layers) if roomy else _LONGEST_ROUTE
    short = [n for n, (source, target) in enumerate(pairs) if abs(layers[source] - layers[target]) <= longest]
    drawing = igraph.Graph(n=len(members), edges=[pairs[n] for n in short], directed=True)
    placed = drawing.layout_sugiyama(layers=layers, hgap=1, vgap=1)

    # Items are nodes, and behind them the points that edges pass in the layers between their ends.
    items = [(point[0], int(point[1])) for point in placed.coords]
    labels = [min(len(graph.edges[n].label), _LONGEST_LABEL) * CHARACTER for n in inner]
    between = _BETWEEN_NODES + (0.4 * sum(labels) / len(labels) if roomy and labels else 0.0)
    widths = [width + between for width, _ in sizes]
    joined: list[tuple[int, int]] = []
    passed: dict[int, list[int]] = {}
    for n, points in zip(short, placed.edge_routing, strict=True):
        points = sorted(points, key=lambda point: point[1])
        passed[n] = list(range(len(items), len(items) + len(points)))
        items += [(x, int(y)) for x, y in points]
        widths += [labels[n] if roomy and k == len(points) // 2 else _THREAD for k in range(len(points))]
        ends = sorted(pairs[n], key=lambda node: layers[node])
        joined += pairwise([ends[0], *passed[n], ends[1]])
    rows: list[list[int]] = [[] for _ in range(max(layers) + 1)]
    for item in sorted(range(len(items)), key=items.__getitem__):
        rows[items[item][1]].append(item)
    places = across(rows, joined, widths)
    heights = _rows(layers, [height for _, height in sizes])
    first = min(place - width / 2 for place, width in zip(places, widths, strict=True))

    def point(item: int) -> tuple[float, float]:
        return left + places[item] - first, top + heights[items[item][1]]

    for node, (number, (width, height)) in enumerate(zip(members, sizes, strict=True)):
        boxes[number] = Box(*point(node), width, height)
    for n, through in passed.items():
        source, target = pairs[n]
        routes[inner[n]] = tuple(map(point, through if layers[source] <= layers[target] else reversed(through)))
    bottom = top + max(heights.values()) + max(height for _, height in sizes) / 2
    return max(place + width / 2 for place, width in zip(places, widths, strict=True)) - first, bottom


def _folded(layers: list[int]) -> list[int]:
    """A layer with more nodes than fit becomes several."""
    members: dict[int, list[int]] = {}
    for node, layer in enumerate(layers):
        members.setdefault(layer, []).append(node)
    most = max(_FEWEST_IN_A_ROW, math.ceil(1.5 * math.sqrt(len(layers))))
    folded = [0] * len(layers)
    number = 0
    for layer in sorted(members):
        rows = math.ceil(len(members[layer]) / most)
        for place, node in enumerate(members[layer]):
            folded[node] = number + place * rows // len(members[layer])
        number += rows
    return folded


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
