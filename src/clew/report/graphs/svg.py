"""A graph as SVG: rounded boxes, labelled arrows, the initial state marked, errors red, ends with a double border."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import pairwise

from clew.report.graphs.figure import Edge, Graph, Node
from clew.report.graphs.labels import Places
from clew.report.graphs.layout import CHARACTER, LINE, Box, label_lines, layout
from clew.report.style import one_line

_MARGIN = 40.0
_LONGEST_EDGE_LABEL = 40
_MOST_TWINS = 3  # edges that are drawn side by side; more become one
_HEADS = (("arrow", "#6e7781"), ("wrong", "#cf222e"), ("start", "#0969da"))
_STYLE = """
  svg { background: #ffffff; font: 11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace }
  .node rect { fill: #f6f8fa; stroke: #57606a; stroke-width: 1.2 }
  .initial rect { fill: #ddf4ff; stroke: #0969da; stroke-width: 1.8 }
  .end rect.inner { fill: none; stroke-width: 1 }
  .error rect { fill: #ffebe9; stroke: #cf222e; stroke-width: 1.8 }
  .error text { fill: #a40e26 }
  .transient rect { fill: #ffffff; stroke: #8c959f; stroke-dasharray: 4 3 }
  .node text { fill: #1f2328 } .node text.name { font-weight: bold }
  .edge path { fill: none; stroke: #6e7781; stroke-width: 1.1 }
  .edge text { fill: #424a53; font-size: 10px }
  .edge text.halo { stroke: #ffffff; stroke-width: 3px }
  .edge.wrong path { stroke: #cf222e } .edge.wrong text { fill: #cf222e }
  .edge.second path { stroke-dasharray: 5 3 }
  .group { font-weight: bold; font-size: 13px }
"""


def svg(graph: Graph) -> str:
    """The whole picture. Hovering shows labels that were cut."""
    graph = replace(graph, edges=_bundled(graph.edges))
    plan = layout(graph)
    extra = max((_self_loop_room(graph, edge) for edge in graph.edges), default=0.0)
    width, height = plan.width + 2 * _MARGIN + extra, plan.height + 2 * _MARGIN
    body: list[str] = []
    for title, left in plan.titles:
        if title:
            body.append(f'<text class="group" x="{left + 4:.1f}" y="8">{escape(title)}</text>')
    loops: dict[int, int] = {}
    twins = _twins(graph)
    places = Places(plan.boxes, len(graph.edges))
    for number, edge in enumerate(graph.edges):
        if edge.source == edge.target:
            nth = loops[edge.source] = loops.get(edge.source, -1) + 1
            body.extend(_self_loop(edge, plan.boxes[edge.source], nth, places))
        else:
            ends = plan.boxes[edge.source], plan.boxes[edge.target]
            body.extend(_edge(edge, *ends, plan.routes[number], twins[number], places))
    for node, box in zip(graph.nodes, plan.boxes, strict=True):
        body.extend(_node(node, box))
    content = "\n".join(body)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" style="max-width: 100%; height: auto">\n'
        f"<title>{escape(graph.title)}</title>\n<style>{_STYLE}</style>\n"
        f"<defs>{''.join(_arrowhead(name, colour) for name, colour in _HEADS)}</defs>\n"
        f'<g transform="translate({_MARGIN:.0f},{_MARGIN:.0f})">\n{content}\n</g>\n</svg>\n'
    )


def _arrowhead(name: str, colour: str) -> str:
    return (
        f'<marker id="{name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0,0 L10,5 L0,10 z" fill="{colour}"/></marker>'
    )


def _node(node: Node, box: Box) -> Iterator[str]:
    classes = " ".join(["node", *(["initial"] if node.initial else []), *([] if node.kind == "plain" else [node.kind])])
    left, top = box.x - box.width / 2, box.y - box.height / 2
    yield f'<g class="{classes}"><title>{escape(one_line(chr(10).join(node.lines)))}</title>'
    yield _rectangle(left, top, box.width, box.height, "")
    if node.kind == "end":
        yield _rectangle(left + 3, top + 3, box.width - 6, box.height - 6, "inner")
    if node.initial:
        yield f'<path d="M{left - 22:.1f},{box.y:.1f} H{left - 2:.1f}" stroke="#0969da" marker-end="url(#start)"/>'
    lines = label_lines(node)
    y = box.y - (len(lines) - 1) * LINE / 2 + 4
    for position, line in enumerate(lines):
        look = ' class="name"' if position == 0 else ""
        yield f'<text{look} x="{box.x:.1f}" y="{y + position * LINE:.1f}" text-anchor="middle">{escape(line)}</text>'
    yield "</g>"


def _rectangle(x: float, y: float, width: float, height: float, look: str) -> str:
    classes = f' class="{look}"' if look else ""
    return f'<rect{classes} x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="7"/>'


def _edge(
    edge: Edge, source: Box, target: Box, route: tuple[tuple[float, float], ...], twin: tuple[int, int], places: Places
) -> Iterator[str]:
    """A smooth line through the points of the route. `twin`: which of how many edges between the same nodes it is."""
    nth, of = twin
    shift = (nth - (of - 1) / 2) * 18
    points = [(x + shift, y) for x, y in route]
    if not points:
        middle_x, middle_y = (source.x + target.x) / 2, (source.y + target.y) / 2
        beside = abs(source.y - target.y) < 1
        backward = target.y < source.y
        points = [(middle_x + (0 if beside else shift + (22 if backward else 0)), middle_y - (46 if beside else 0))]
    start = _border(source, points[0])
    end = _border(target, points[-1])
    path = _smooth([start, *points, end])
    middle = points[len(points) // 2]
    if not route and end[1] > start[1]:  # near the target, where labels of edges from one node are apart
        middle = (start[0] + 0.68 * (end[0] - start[0]), start[1] + 0.68 * (end[1] - start[1]))
    yield f'<g class="{_edge_classes(edge)}"><title>{escape(one_line(edge.label))}</title>'
    yield f'<path d="{path}" marker-end="url(#{_head(edge)})"/>'
    yield _label(edge, middle[0] + 4, middle[1] + (nth - (of - 1) / 2) * 12, places) + "</g>"


def _self_loop(edge: Edge, box: Box, nth: int, places: Places) -> Iterator[str]:
    x, y, out = box.x + box.width / 2, box.y, 26 + nth * 14
    yield f'<g class="{_edge_classes(edge)}"><title>{escape(one_line(edge.label))}</title>'
    yield (
        f'<path d="M{x:.1f},{y - 8:.1f} C{x + out:.1f},{y - 22:.1f} {x + out:.1f},{y + 22:.1f} {x:.1f},{y + 8:.1f}" '
        f'marker-end="url(#{_head(edge)})"/>'
    )
    yield _label(edge, x + out * 0.75 + 4, y + 4 + nth * 12, places) + "</g>"


def _label(edge: Edge, x: float, y: float, places: Places) -> str:
    """The text twice: first as a white halo that keeps it readable on lines."""
    shown = _short(edge.label)
    x, y = places.place(shown, x, y)
    text, place = escape(shown), f'x="{x:.1f}" y="{y:.1f}"'
    return f'<text class="halo" {place} aria-hidden="true">{text}</text><text {place}>{text}</text>'


def _head(edge: Edge) -> str:
    return "wrong" if edge.error else "arrow"


def _self_loop_room(graph: Graph, edge: Edge) -> float:
    """Space at the right side so that the label of a loop is not cut off."""
    return 40 + CHARACTER * len(_short(edge.label)) * (1.0 if edge.source == edge.target else 0.5)


def _bundled(edges: Sequence[Edge]) -> tuple[Edge, ...]:
    """Many edges between the same nodes are one, labelled with how many they are and what can be shown of them."""
    bundles: dict[tuple[int, int, bool, bool], list[Edge]] = {}
    for edge in edges:
        bundles.setdefault((edge.source, edge.target, edge.error, edge.preferred), []).append(edge)
    kept: list[Edge] = []
    for bundle in bundles.values():
        if len(bundle) <= _MOST_TWINS:
            kept += bundle
        else:
            labels = "; ".join(edge.label for edge in bundle)
            kept.append(replace(bundle[0], label=f"{len(bundle)} steps: {labels}"))
    return tuple(kept)


def _twins(graph: Graph) -> list[tuple[int, int]]:
    counts: dict[tuple[int, int], int] = {}
    positions = []
    for edge in graph.edges:
        pair = (edge.source, edge.target)
        positions.append(counts.get(pair, 0))
        counts[pair] = counts.get(pair, 0) + 1
    return [(nth, counts[e.source, e.target]) for nth, e in zip(positions, graph.edges, strict=True)]


def _edge_classes(edge: Edge) -> str:
    return " ".join(["edge", *(["wrong"] if edge.error else []), *([] if edge.preferred else ["second"])])


def _border(box: Box, towards: tuple[float, float]) -> tuple[float, float]:
    """Where the line from the centre of a box towards a point leaves the box."""
    dx, dy = towards[0] - box.x, towards[1] - box.y
    if dx == 0 and dy == 0:
        return box.x, box.y + box.height / 2
    scale = min(
        box.width / 2 / abs(dx) if dx else float("inf"),
        box.height / 2 / abs(dy) if dy else float("inf"),
    )
    return box.x + dx * scale, box.y + dy * scale


def _smooth(points: list[tuple[float, float]]) -> str:
    """A path through all points: quadratic curves that meet half-way between inner points."""
    path = f"M{points[0][0]:.1f},{points[0][1]:.1f}"
    for (x, y), (next_x, next_y) in pairwise(points[1:]):
        last = (next_x, next_y) == points[-1]
        end = (next_x, next_y) if last else ((x + next_x) / 2, (y + next_y) / 2)
        path += f" Q{x:.1f},{y:.1f} {end[0]:.1f},{end[1]:.1f}"
    return path


def _short(label: str) -> str:
    text = one_line(label)
    return text if len(text) <= _LONGEST_EDGE_LABEL else text[: _LONGEST_EDGE_LABEL - 1] + "…"
