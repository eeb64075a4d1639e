"""The neutral graph that every writer draws."""

from __future__ import annotations

from typing import Literal

from clew.core.records import record

NodeKind = Literal["plain", "end", "error", "transient"]


@record
class Node:
    """`lines` is the label. `group` keeps several automata in one figure apart. `key` is what a program reads."""

    lines: tuple[str, ...]
    initial: bool = False
    kind: NodeKind = "plain"
    group: str = ""
    key: tuple[tuple[str, str], ...] = ()


@record
class Edge:
    source: int
    target: int
    label: str
    error: bool = False
    preferred: bool = True  # false: taken only if no preferred edge of the same node can be


@record
class Graph:
    """Nodes are numbered by their position."""

    title: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups in order of first appearance."""
        return tuple(dict.fromkeys(node.group for node in self.nodes))
