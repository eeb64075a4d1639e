"""A canonical order of the vertices of a graph: isomorphic graphs, in their orders, are the same.

Colour refinement does most of the work. Where it leaves vertices alike, nauty orders them; only these vertices and the
edges between them are given to it, since edges to a vertex that is alone in its colour are in the colours already.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.solvers.isomorphism.graph import LabelledGraph
from clew.solvers.isomorphism.refine import refined


@dataclass(slots=True)
class Figures:
    """How many keys were made, and which method was enough: how often refinement alone, how often vertices had to be
    told apart one by one, how often nauty was asked."""

    refined: int = 0
    searched: int = 0
    by_nauty: int = 0


def canonical_order(graph: LabelledGraph, figures: Figures | None = None) -> list[int]:
    """The vertices in an order that depends on the graph up to isomorphism only."""
    colours = refined(graph)
    cells: dict[int, list[int]] = {}
    for vertex, colour in enumerate(colours):
        cells.setdefault(colour, []).append(vertex)
    if len(cells) == len(colours):
        if figures is not None:
            figures.refined += 1
        return sorted(range(len(colours)), key=colours.__getitem__)
    if figures is not None:
        figures.by_nauty += 1
    rank = _ranks(graph, [cells[colour] for colour in sorted(cells) if len(cells[colour]) > 1])
    return sorted(range(len(colours)), key=lambda vertex: (colours[vertex], rank.get(vertex, 0)))


def _ranks(graph: LabelledGraph, cells: Sequence[Sequence[int]]) -> dict[int, int]:
    """Canonical ranks of vertices that are alike. An edge becomes two vertices in a row, whose colours tell its label
    and its direction: nauty's search in directed graphs, as pynauty 2.8 calls it, does not end on some rings."""
    import pynauty

    number = {vertex: n for n, vertex in enumerate(v for cell in cells for v in cell)}
    adjacency: dict[int, list[int]] = {n: [] for n in number.values()}
    edge_cells: dict[tuple[int, int], set[int]] = {}
    count = len(number)
    for vertex in number:
        for label, target in graph.out[vertex]:
            if target in number:
                adjacency[number[vertex]].append(count)
                adjacency[count] = [count + 1]
                adjacency[count + 1] = [number[target]]
                edge_cells.setdefault((label, 0), set()).add(count)
                edge_cells.setdefault((label, 1), set()).add(count + 1)
                count += 2
    colouring = [{number[v] for v in cell} for cell in cells]
    colouring += [edge_cells[kind] for kind in sorted(edge_cells)]
    canonical = pynauty.canon_label(pynauty.Graph(count, adjacency_dict=adjacency, vertex_coloring=colouring))
    place = {n: rank for rank, n in enumerate(canonical)}
    return {vertex: place[n] for vertex, n in number.items()}
