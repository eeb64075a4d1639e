"""Transition-based generalized Büchi automata over the valuations of atoms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

from clew.core.records import record
from clew.logic import formulas as f
from clew.logic.diagrams import ANY, NEVER, Cube, Diagram, Diagrams


class Edge(NamedTuple):
    """Taken on letters that satisfy `condition`; bit i of `marks` says that it is in acceptance set i."""

    condition: Diagram
    marks: int
    target: int


@record
class Automaton:
    """Accepts the words with a run that takes, for each of the `sets` acceptance sets, an edge of it for ever again.

    Variable i of the conditions is `atoms[i]`. States are numbers; `edges[s]` leave s. Letters outside `possible` never
    come; on those the conditions say nothing. Immutable, except that its store of diagrams grows.
    """

    atoms: tuple[f.Atom, ...]
    diagrams: Diagrams
    sets: int
    initial: int
    edges: tuple[tuple[Edge, ...], ...]
    possible: Diagram = ANY

    @property
    def all_marks(self) -> int:
        return (1 << self.sets) - 1

    @property
    def states(self) -> int:
        return len(self.edges)

    def conditions(self) -> list[Diagram]:
        """The distinct conditions, in order of appearance."""
        return list(dict.fromkeys(e.condition for edges in self.edges for e in edges))

    def cubes(self, edge: Edge) -> list[Cube]:
        """The condition as a disjunction of (true atoms, false atoms)."""
        return self.diagrams.cubes(edge.condition, self.possible)

    def with_edges(
        self, edges: Iterable[Iterable[Edge]], initial: int | None = None, sets: int | None = None
    ) -> Automaton:
        """The same atoms and store, other edges."""
        return Automaton(
            self.atoms,
            self.diagrams,
            self.sets if sets is None else sets,
            self.initial if initial is None else initial,
            tuple(tuple(e) for e in edges),
            self.possible,
        )


def merged(diagrams: Diagrams, edges: Iterable[Edge]) -> list[Edge]:
    """Edges with the same marks and target as one; impossible ones left out."""
    found: dict[tuple[int, int], Diagram] = {}
    for condition, marks, target in edges:
        if condition != NEVER:
            found[marks, target] = diagrams.either(found.get((marks, target), NEVER), condition)
    return [Edge(condition, marks, target) for (marks, target), condition in found.items()]


def components(successors: Sequence[Iterable[int]], roots: Iterable[int]) -> list[list[int]]:
    """The strongly connected components reachable from the roots, each after those it leads to (Tarjan)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    on_stack: set[int] = set()
    stack: list[int] = []
    found: list[list[int]] = []
    for root in roots:
        if root in index:
            continue
        work = [(root, iter(successors[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            state, rest = work[-1]
            for target in rest:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(successors[target])))
                    break
                if target in on_stack:
                    low[state] = min(low[state], index[target])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[state])
                if low[state] == index[state]:
                    cut = len(stack) - 1
                    while stack[cut] != state:
                        cut -= 1
                    found.append(stack[cut:])
                    on_stack.difference_update(stack[cut:])
                    del stack[cut:]
    return found


def state_components(automaton: Automaton) -> list[list[int]]:
    """The strongly connected components of the reachable states, each after those it leads to."""
    return components([[e.target for e in edges] for edges in automaton.edges], [automaton.initial])


def is_accepting(automaton: Automaton, component: Iterable[int]) -> bool:
    """Whether the component has a cycle through all acceptance sets."""
    inside = set(component)
    marks = [e.marks for s in inside for e in automaton.edges[s] if e.target in inside]
    return bool(marks) and reduce(or_, marks) == automaton.all_marks


def is_empty(automaton: Automaton) -> bool:
    """Whether no word is accepted."""
    return not any(is_accepting(automaton, component) for component in state_components(automaton))


def product(a: Automaton, b: Automaton) -> Automaton:
    """Accepts the words that both accept. Needs the same atoms and the same store of diagrams."""
    if a.diagrams is not b.diagrams or a.atoms != b.atoms:
        raise ValueError("a product needs automata over the same atoms and diagrams")
    both = a.diagrams.both
    number = {(a.initial, b.initial): 0}
    pending = [(a.initial, b.initial)]
    edges: list[list[Edge]] = []
    for s, t in pending:
        found = []
        for condition, marks, target in a.edges[s]:
            for other, more, partner in b.edges[t]:
                common = both(condition, other)
                if common != NEVER:
                    pair = target, partner
                    if pair not in number:
                        number[pair] = len(pending)
                        pending.append(pair)
                    found.append(Edge(common, marks | more << a.sets, number[pair]))
        edges.append(merged(a.diagrams, found))
    return a.with_edges(edges, 0, a.sets + b.sets)


def accepts(automaton: Automaton, length: int, back: int, truth: Callable[[f.Atom, int], bool]) -> bool:
    """Whether a word of so many positions, the last followed by position `back`, is accepted; `truth` decides an atom
    at a position.
    """

    def enabled(condition: Diagram, position: int) -> bool:
        return bool(automaton.diagrams.value(condition, lambda v: truth(automaton.atoms[v], position)))

    return accepts_when(automaton, length, back, enabled, [automaton.initial])


def accepts_when(
    automaton: Automaton, length: int, back: int, enabled: Callable[[Diagram, int], bool], start: Iterable[int]
) -> bool:
    """Whether a word is accepted from one of the states; `enabled` says on which conditions each position passes."""
    successors: list[list[int]] = [[] for _ in range(automaton.states * length)]  # node: state * length + position
    marked: dict[tuple[int, int], int] = {}
    for position in range(length):
        after = position + 1 if position + 1 < length else back
        for state, edges in enumerate(automaton.edges):
            for condition, marks, target in edges:
                if enabled(condition, position):
                    node, to = state * length + position, target * length + after
                    if (node, to) not in marked:
                        successors[node].append(to)
                    marked[node, to] = marked.get((node, to), 0) | marks
    for component in components(successors, [s * length for s in start]):
        inside = set(component)
        seen = [marked[node, to] for node in component for to in successors[node] if to in inside]
        if seen and reduce(or_, seen) == automaton.all_marks:
            return True
    return False
