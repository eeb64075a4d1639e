"""Canonical keys of states by way of the compiled kernel.

The words of a state are the blocks of its variables and of its objects, one after the other. A block is made once for
each value and each row, so that a state is written by joining bytes that are there already.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable
from typing import Any

from clew.frontends.modelprogram.elements import Element
from clew.frontends.modelprogram.space import Row, State
from clew.frontends.modelprogram.state_graph import Numbering, StateGraphs
from clew.solvers.isomorphism import Figures, Kernel, LabelledGraph


class StateWords:
    """Keys of the states of one program. Those with too much symmetry get theirs from nauty."""

    def __init__(self, graphs: StateGraphs, kernel: Kernel) -> None:
        self.graphs = graphs
        self.kernel = kernel
        self._keys = self._by_nauty = 0
        self._elements: dict[Element, int] = {}
        self._blocks: list[dict[Any, bytes]] = [{} for _ in graphs.variables]

    @property
    def figures(self) -> Figures:
        return Figures(self._keys - self.kernel.searched, self.kernel.searched - self._by_nauty, self._by_nauty)

    def key(self, state: State) -> Hashable:
        self._keys += 1
        words = [
            known.get(value) or self._of_value(at, value)
            for at, (known, value) in enumerate(zip(self._blocks, state.values, strict=True))
        ]
        for at, rows in enumerate(state.heap):
            words += [row.words or self._of_row(at, row) for row in rows]
        key = self.kernel.key(b"".join(words))
        if key is None:
            self._by_nauty += 1
            return "nauty", self.graphs.key(state)
        return key

    def _of_value(self, at: int, value: Any) -> bytes:
        graph, vertices = self.graphs.of_value(at, value)
        self._blocks[at][value] = words = self._block(graph, vertices)
        return words

    def _of_row(self, at: int, row: Row) -> bytes:
        row.words = words = self._block(*self.graphs.of_row(at, row))
        return words

    def _block(self, graph: LabelledGraph, vertices: Numbering) -> bytes:
        """Its records: the first vertex, and those that are no elements."""
        element_at = {vertex: element for element, vertex in vertices.items()}
        own = [vertex for vertex in range(len(graph)) if vertex == 0 or vertex not in element_at]
        place = {vertex: -1 - n for n, vertex in enumerate(own)}
        place |= {vertex: self._number(element) for vertex, element in element_at.items()}
        words = array("i", [len(own)])
        for vertex in own:
            words.extend((max(place[vertex], -1), graph.labels[vertex], len(graph.out[vertex])))
            for label, target in graph.out[vertex]:
                words.extend((label, place[target]))
        return words.tobytes()

    def _number(self, element: Element) -> int:
        number = self._elements.get(element)
        if number is None:
            number = self._elements[element] = len(self._elements)
            self.kernel.declare(number, self.graphs.label(self.graphs.who(element), ()))
        return number
