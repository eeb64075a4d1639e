"""The exact matcher: a bijection of the vertices of two graphs that keeps root, labels and edges, or none.

Linearisation from the root: edges with functional labels are followed without choice; among the targets of relational
edges of one label every unmatched one is tried. A choice that succeeds here may have to be revised later, so the
search is one list of things to do with a stack of choices, not a recursion.
"""

from __future__ import annotations

from clew.solvers.isomorphism.graph import LabelledGraph
from clew.solvers.isomorphism.refine import refined

Pairs = dict[int, int]


def isomorphism(first: LabelledGraph, second: LabelledGraph) -> Pairs | None:
    """A mapping of vertices, or None."""
    return Matcher(first, second).run()


class Matcher:
    """One comparison. `backtracks` counts the choices that were revised."""

    def __init__(self, first: LabelledGraph, second: LabelledGraph) -> None:
        self.first = first
        self.second = second
        self.backtracks = 0

    def run(self) -> Pairs | None:
        if len(self.first) != len(self.second):
            return None
        self.colours = refined(self.first)
        self.others = refined(self.second)
        if sorted(self.colours) != sorted(self.others):
            return None
        forward: Pairs = {}
        backward: Pairs = {}
        todo: list[tuple[int, tuple[int, ...]]] = [(0, (0,))]  # a vertex and those it may go to
        trail: list[int] = []
        choices: list[tuple[int, list[tuple[int, tuple[int, ...]]], int, list[int]]] = []
        while todo:
            vertex, candidates = todo.pop()
            if vertex in forward:
                if forward[vertex] in candidates:
                    continue
                left: list[int] = []
            else:
                left = [c for c in candidates if c not in backward and self.colours[vertex] == self.others[c]]
            if not left:
                if not choices:
                    return None
                self.backtracks += 1
                vertex, todo, length, left = choices.pop()
                while len(trail) > length:
                    gone = trail.pop()
                    del backward[forward.pop(gone)]
            target, rest = left[0], left[1:]
            if rest:
                choices.append((vertex, list(todo), len(trail), rest))
            forward[vertex], backward[target] = target, vertex
            trail.append(vertex)
            todo += self._behind(vertex, target)
        return forward if self._keeps_edges(forward) else None

    def _behind(self, vertex: int, target: int) -> list[tuple[int, tuple[int, ...]]]:
        """What has to be matched because these two were; functional edges are on top."""
        mine, theirs = _by_label(self.first.out[vertex]), _by_label(self.second.out[target])
        later = [(v, theirs.get(label, ())) for label, vs in mine.items() if label in self.first.relational for v in vs]
        now = [
            (v, theirs.get(label, ())) for label, vs in mine.items() if label not in self.first.relational for v in vs
        ]
        return later + now

    def _keeps_edges(self, forward: Pairs) -> bool:
        """Every vertex is reached from the root, so all edges were looked at; this says it again in plain words."""
        for vertex, out in enumerate(self.first.out):
            if vertex not in forward:
                return False
            image = sorted((label, forward[v]) for label, v in out if v in forward)
            if len(image) != len(out) or image != sorted(self.second.out[forward[vertex]]):
                return False
        return True


def _by_label(edges: list[tuple[int, int]]) -> dict[int, tuple[int, ...]]:
    found: dict[int, tuple[int, ...]] = {}
    for label, vertex in edges:
        found[label] = (*found.get(label, ()), vertex)
    return found
