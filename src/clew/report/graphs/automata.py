"""The automaton of each process template of a network."""

from __future__ import annotations

from collections.abc import Iterable

from clew.core.network import Location, Network, Template
from clew.core.statements import Terminate
from clew.report.graphs.figure import Edge, Graph, Node


def automata(network: Network, names: Iterable[str] | None = None) -> Graph:
    """One group per template (all of them, or those named). Raises KeyError for an unknown name."""
    monitors = tuple(monitor.template for monitor in network.monitors)
    known = {template.name: template for template in (*network.templates, *monitors)}
    templates = list(known.values()) if names is None else [known[name] for name in names]
    nodes: list[Node] = []
    edges: list[Edge] = []
    for template in templates:
        _add(template, nodes, edges, template.name if len(templates) > 1 else "")
    title = f"{network.name}: {templates[0].name}" if len(templates) == 1 else network.name
    return Graph(title, tuple(nodes), tuple(edges))


def _add(template: Template, nodes: list[Node], edges: list[Edge], group: str) -> None:
    by_number = {location.number: location for location in template.locations}
    numbers = _reachable(template, by_number)
    index = {number: len(nodes) + position for position, number in enumerate(numbers)}
    for number in numbers:
        nodes.append(_node(by_number.get(number), number, number == template.initial, group))
    for number in numbers:
        location = by_number.get(number)
        for rank, choice in enumerate(location.choices if location else ()):
            for step in choice:
                if step.target in index:
                    edges.append(Edge(index[number], index[step.target], step.text, preferred=rank == 0))
                elif any(isinstance(statement, Terminate) for statement in step.block):
                    nodes.append(Node(("gone",), kind="end", group=group, key=(("location", "gone"),)))
                    edges.append(Edge(index[number], len(nodes) - 1, step.text, preferred=rank == 0))


def _reachable(template: Template, by_number: dict[int, Location]) -> list[int]:
    """Locations in breadth-first order from the initial one."""
    order = [template.initial]
    seen = {template.initial}
    for number in order:
        location = by_number.get(number)
        for choice in location.choices if location else ():
            for step in choice:
                if step.target not in seen and step.target in by_number:
                    seen.add(step.target)
                    order.append(step.target)
    return order


def _node(location: Location | None, number: int, initial: bool, group: str) -> Node:
    lines = [f"{number}"]
    if location is not None and location.labels:
        lines[0] += f" {', '.join(location.labels)}"
    if location is not None and location.span.line > 0:
        lines.append(f"line {location.span.line}")
    marks = [n for n in ("progress", "accept") if location is not None and getattr(location, n)]
    if marks:
        lines.append(", ".join(marks))
    ends = location is None or location.final or not any(location.choices)
    key = (("location", str(number)), ("line", str(location.span.line if location else 0)))
    return Node(tuple(lines), initial, "end" if ends else "plain", group, key)
