"""The types of a model's channels as a graph: which channels travel in whose messages."""

from __future__ import annotations

from clew.core.typed_names import TypeGraph
from clew.report.graphs.figure import Edge, Graph, Node


def types_figure(graph: TypeGraph, title: str) -> Graph:
    """A node for each type, with the names that have it; an edge is labelled with the field of the message."""
    nodes = tuple(
        Node((text, *(", ".join(names[i : i + 4]) for i in range(0, len(names), 4)))) for text, names in graph.types
    )
    return Graph(title, nodes, tuple(Edge(source, target, f"field {part}") for source, target, part in graph.parts))
