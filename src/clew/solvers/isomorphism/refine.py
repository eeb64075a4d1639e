"""Colour refinement: vertices that labels and neighbours tell apart get different colours.

Colours are numbers that depend on the graph up to isomorphism only, so that the colours of two graphs can be compared.
Two vertices may get the same colour by accident; then they are told apart by what comes after.
"""

from __future__ import annotations

from clew.solvers.isomorphism.graph import LabelledGraph


def refined(graph: LabelledGraph) -> list[int]:
    """The colour of each vertex. Stops when a round tells no more vertices apart."""
    colours = [
        hash((label, len(out), len(into))) for label, out, into in zip(graph.labels, graph.out, graph.into, strict=True)
    ]
    size = len(colours)
    known = len(set(colours))
    while known < size:
        colours = [
            hash(
                (
                    colour,
                    sum([hash((label, colours[v])) for label, v in out]),
                    sum([hash((label, colours[v])) for label, v in into]),
                )
            )
            for colour, out, into in zip(colours, graph.out, graph.into, strict=True)
        ]
        now = len(set(colours))
        if now == known:
            break
        known = now
    return colours
