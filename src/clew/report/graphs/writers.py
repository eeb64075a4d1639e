"""Graphs as DOT (Graphviz), AUT (CADP, mCRL2, LTSmin) and JSON."""

from __future__ import annotations

import json
from typing import Any

from clew.report.graphs.figure import Graph, Node
from clew.report.style import one_line

SCHEMA = "clew.graph/1"


def dot(graph: Graph) -> str:
    """Graphviz input; several groups become clusters."""
    lines = [
        f"digraph {_quoted(graph.title)} {{",
        '  graph [fontname="Helvetica"];',
        '  node [shape=box, style=rounded, fontname="Helvetica", fontsize=10];',
        '  edge [fontname="Helvetica", fontsize=9];',
    ]
    groups = graph.groups
    for position, group in enumerate(groups):
        inside = [(number, node) for number, node in enumerate(graph.nodes) if node.group == group]
        if len(groups) > 1:
            lines.append(f"  subgraph cluster_{position} {{")
            lines.append(f"    label={_quoted(group)};")
        indent = "    " if len(groups) > 1 else "  "
        for number, node in inside:
            lines.append(f"{indent}{number} [{_node_attributes(node)}];")
            if node.initial:
                lines.append(f"{indent}start{number} [shape=point]; start{number} -> {number};")
        if len(groups) > 1:
            lines.append("  }")
    for edge in graph.edges:
        look = ', color="#c62828", fontcolor="#c62828"' if edge.error else ""
        look += "" if edge.preferred else ", style=dashed"
        lines.append(f"  {edge.source} -> {edge.target} [label={_quoted(edge.label)}{look}];")
    lines.append("}")
    return "\n".join(lines) + "\n"


def aut(graph: Graph) -> str:
    """The Aldebaran format. Needs exactly one initial node; raises ValueError otherwise.

    The format has no way to write a quote inside a label, so quotes become apostrophes."""
    initial = [number for number, node in enumerate(graph.nodes) if node.initial]
    if len(initial) != 1:
        raise ValueError(f"AUT needs one initial state, this graph has {len(initial)}")
    lines = [f"des ({initial[0]}, {len(graph.edges)}, {len(graph.nodes)})"]
    for edge in graph.edges:
        label = one_line(edge.label).replace('"', "'")
        lines.append(f'({edge.source}, "{label}", {edge.target})')
    return "\n".join(lines) + "\n"


def graph_json(graph: Graph) -> dict[str, Any]:
    """A `clew.graph/1` object, defined in docs/json.md."""
    return {
        "schema": SCHEMA,
        "title": graph.title,
        "nodes": [
            {
                "id": number,
                "label": "\n".join(node.lines),
                "initial": node.initial,
                "kind": node.kind,
                "group": node.group,
                "values": dict(node.key),
            }
            for number, node in enumerate(graph.nodes)
        ],
        "edges": [
            {"source": e.source, "target": e.target, "label": e.label, "error": e.error, "preferred": e.preferred}
            for e in graph.edges
        ],
    }


def graph_json_text(graph: Graph) -> str:
    return json.dumps(graph_json(graph), indent=1, ensure_ascii=False) + "\n"


def _node_attributes(node: Node) -> str:
    text = "\\n".join(_escaped(line) for line in node.lines)
    looks = {
        "plain": "",
        "end": ", peripheries=2",
        "error": ', color="#c62828", fontcolor="#c62828", penwidth=2',
        "transient": ', style="rounded,dashed", color="#888888"',
    }
    return f'label="{text}"{looks[node.kind]}'


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    return one_line(text).replace("\\", "\\\\").replace('"', '\\"')
