"""A directed graph whose vertices and edges have labels (numbers that mean the same in all graphs compared)."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class LabelledGraph:
    """Vertex 0 is the root. `out[v]` and `into[v]` are pairs (edge label, other vertex).

    An edge label is *functional* if no vertex has two edges with it; the matcher need not choose there.
    """

    labels: list[int] = field(default_factory=list)
    out: list[list[tuple[int, int]]] = field(default_factory=list)
    into: list[list[tuple[int, int]]] = field(default_factory=list)
    relational: set[int] = field(default_factory=set)  # edge labels that are not functional

    def vertex(self, label: int) -> int:
        self.labels.append(label)
        self.out.append([])
        self.into.append([])
        return len(self.labels) - 1

    def edge(self, source: int, label: int, target: int) -> None:
        self.out[source].append((label, target))
        self.into[target].append((label, source))

    def __len__(self) -> int:
        return len(self.labels)
