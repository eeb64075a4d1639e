"""States as graphs, and keys that are the same for states that differ only in which elements play a part.

Objects and abstract elements are vertices. A value without any is a label; one with some is a vertex of its own, with
edges to its parts: by position for tuples and records (functional), alike for sets, bags and the pairs of maps
(relational). Labels are whole values, so that empty collections and several equal entries leave their marks.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable
from typing import Any, NamedTuple

from clew.frontends.modelprogram.elements import Element
from clew.frontends.modelprogram.space import SIMPLE, ModelSpace, Row, State
from clew.frontends.modelprogram.values import Bag, Map, is_record, parts_of
from clew.solvers.isomorphism import Figures, LabelledGraph, canonical_order

Numbering = dict[Element, int]


class Shape(NamedTuple):
    """An object as a vertex: its label, and its edges to other elements."""

    label: int
    edges: tuple[tuple[int, Element], ...]


class StateGraphs:
    """Makes graphs of the states of one program; labels are numbered as they are met."""

    def __init__(self, space: ModelSpace, fixed: Iterable[type] = ()) -> None:
        """`fixed`: types whose elements are not interchangeable after all."""
        self.space = space
        self.fixed = tuple(fixed)
        self._labels: dict[Hashable, int] = {}
        self._relational: set[int] = set()
        self._with_elements: dict[Any, bool] = {}
        self._fields = [(cls, [self.label("field", name) for name in cls._fields]) for cls in space.program.classes]
        self.variables = [self.label("variable", name) for name in space.names]
        self._in = self.label("in")
        self._key, self._value = self.label("key"), self.label("value")
        self._relational.add(self._in)
        self._shapes: dict[Row, Shape | None] = {}
        self._types: dict[type, int] = {}

    def label(self, *what: Any) -> int:
        return self._labels.setdefault(what, len(self._labels))

    def graph(self, state: State) -> tuple[LabelledGraph, Numbering]:
        """The graph of a state, and which vertex each element is."""
        graph = LabelledGraph(relational=self._relational)
        vertices: Numbering = {}
        root: list[Hashable] = []
        start = graph.vertex(0)
        for label, value in zip(self.variables, state.values, strict=True):
            self._put(graph, vertices, start, root, label, value)
        graph.labels[start] = self.label("root", tuple(root))
        for (_, fields), rows in zip(self._fields, state.heap, strict=True):
            for row in rows:
                self._put_row(graph, vertices, fields, row)
        return graph, vertices

    def _put_row(self, graph: LabelledGraph, vertices: Numbering, fields: list[int], row: Row) -> None:
        vertex = self._vertex(graph, vertices, row.element)
        shape = self._shape(row, fields)
        if shape is not None:
            graph.labels[vertex] = shape.label
            for label, element in shape.edges:
                graph.edge(vertex, label, self._vertex(graph, vertices, element))
            return
        plain: list[Hashable] = []
        for label, value in zip(fields, row.values, strict=True):
            self._put(graph, vertices, vertex, plain, label, value)
        graph.labels[vertex] = self.label(self.who(row.element), tuple(plain))

    def of_value(self, at: int, value: Any) -> tuple[LabelledGraph, Numbering]:
        """The part of a graph that one variable is: vertex 0, with an edge to its value or with the value as label."""
        graph, vertices, plain = LabelledGraph(), Numbering(), list[Hashable]()
        start = graph.vertex(0)
        self._put(graph, vertices, start, plain, self.variables[at], value)
        graph.labels[start] = self.label("of", self.variables[at], *plain)
        return graph, vertices

    def of_row(self, at: int, row: Row) -> tuple[LabelledGraph, Numbering]:
        """The part of a graph that one object of the class is, as vertex 0."""
        graph, vertices = LabelledGraph(), Numbering()
        self._put_row(graph, vertices, self._fields[at][1], row)
        return graph, vertices

    def _shape(self, row: Row, fields: list[int]) -> Shape | None:
        """What a row looks like in every graph; None if it has collections of elements, which are vertices, too."""
        try:
            return self._shapes[row]
        except KeyError:
            pass
        plain: list[Hashable] = []
        edges: list[tuple[int, Element]] = []
        simple = True
        for label, value in zip(fields, row.values, strict=True):
            if self.is_plain(value):
                plain.append((label, value))
            elif isinstance(value, Element):
                edges.append((label, value))
            else:
                simple = False
        label = self.label(self.who(row.element), tuple(plain))
        self._shapes[row] = found = Shape(label, tuple(edges)) if simple else None
        return found

    def _vertex(self, graph: LabelledGraph, vertices: Numbering, element: Element) -> int:
        vertex = vertices.get(element)
        if vertex is None:
            vertex = vertices[element] = graph.vertex(self.label(self.who(element), ()))
        return vertex

    def who(self, element: Element) -> object:
        """What a label tells of an element: its type, unless it is to be told from the others of it."""
        return element if isinstance(element, self.fixed) else type(element)

    def is_plain(self, value: Any) -> bool:
        """Whether there is no interchangeable element in it."""
        if type(value) in SIMPLE:
            return True
        if isinstance(value, Element):
            return isinstance(value, self.fixed)
        known = self._with_elements.get(value)
        if known is None:
            known = self._with_elements[value] = all(map(self.is_plain, parts_of(value)))
        return known

    def _put(
        self, graph: LabelledGraph, vertices: Numbering, parent: int, plain: list[Hashable], label: int, value: Any
    ) -> None:
        """An edge to what the value is, or if there is no element in it a part of the parent's label."""
        if self.is_plain(value):
            plain.append((label, value))
        elif isinstance(value, Element):
            graph.edge(parent, label, self._vertex(graph, vertices, value))
        else:
            vertex = graph.vertex(0)
            graph.edge(parent, label, vertex)
            contents: list[Hashable] = []
            self._parts(graph, vertices, vertex, contents, value)
            graph.labels[vertex] = self.label("value", _kind(value), tuple(contents))

    def _parts(self, graph: LabelledGraph, vertices: Numbering, vertex: int, plain: list[Hashable], value: Any) -> None:
        if isinstance(value, tuple) or is_record(value):
            for at, part in enumerate(parts_of(value)):
                self._put(graph, vertices, vertex, plain, self.label("at", at), part)
            return
        unordered: list[Hashable] = []
        if isinstance(value, frozenset):
            for part in frozenset.__iter__(value):
                self._put(graph, vertices, vertex, unordered, self._in, part)
        elif isinstance(value, Bag):
            for part, count in value._counts.items():
                times = self.label("times", count)
                self._relational.add(times)
                self._put(graph, vertices, vertex, unordered, times, part)
        elif isinstance(value, Map):
            for key, image in value._items.items():
                pair = graph.vertex(0)
                graph.edge(vertex, self._in, pair)
                contents: list[Hashable] = []
                self._put(graph, vertices, pair, contents, self._key, key)
                self._put(graph, vertices, pair, contents, self._value, image)
                graph.labels[pair] = self.label("pair", tuple(contents))
        plain.append(frozenset(unordered) if len(set(unordered)) == len(unordered) else Bag(*unordered))

    # --- canonical keys ---

    def numbering(self, state: State, figures: Figures | None = None) -> Numbering:
        """A number for each element, by which isomorphic states become the same."""
        graph, vertices = self.graph(state)
        order = canonical_order(graph, figures)
        place = {vertex: rank for rank, vertex in enumerate(order)}
        counts: dict[type, int] = {}
        numbers: Numbering = {}
        for element in sorted(vertices, key=lambda element: place[vertices[element]]):
            numbers[element] = counts[type(element)] = counts.get(type(element), 0) + 1
        return numbers

    def key(self, state: State, figures: Figures | None = None) -> Hashable:
        """The state with its elements renamed canonically: equal for isomorphic states, and only for them. Written as
        numbers: labels stand for values (they differ if the values do), codes for elements."""
        numbers = self.numbering(state, figures)
        if not numbers:
            return state

        def name(element: Element) -> object:
            return (type(element), numbers[element]) if element in numbers else element

        def renamed(value: Any) -> Any:
            return value if self.is_plain(value) else rename(value, name)

        types = self._types
        codes = {e: number << 16 | types.setdefault(type(e), len(types)) for e, number in numbers.items()}
        key = array("q", [self.label("values", tuple(map(renamed, state.values)))])
        for (_, fields), rows in zip(self._fields, state.heap, strict=True):
            for row in sorted(rows, key=lambda row: codes[row.element]):
                shape = self._shape(row, fields)
                if shape is None:
                    key.append(-1 - self.label("row", self.who(row.element), tuple(map(renamed, row.values))))
                else:
                    key.append(shape.label)
                    key.extend([codes[element] for _, element in shape.edges])
            key.append(-1)
        return key.tobytes()


def _kind(value: Any) -> str:
    """What tells values of different types apart, as `==` does: all tuples are alike, and all sets."""
    return "tuple" if isinstance(value, tuple) else "set" if isinstance(value, frozenset) else type(value).__name__


def rename(value: Any, name: Callable[[Element], Any]) -> Any:
    """The value with other things in place of its elements."""
    if isinstance(value, Element):
        return name(value)
    if type(value) in SIMPLE:
        return value
    if isinstance(value, frozenset):
        return frozenset(rename(part, name) for part in frozenset.__iter__(value))
    if isinstance(value, Map):
        return Map((rename(k, name), rename(v, name)) for k, v in value._items.items())
    if isinstance(value, Bag):
        return Bag(*(rename(part, name) for part in value))
    if isinstance(value, tuple) or is_record(value):
        return (_kind(value), *(rename(part, name) for part in parts_of(value)))
    return value
