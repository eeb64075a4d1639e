"""Type nodes and their unification: union-find whose merges can be taken back, so that a clash leaves no trace.

Channel types are recursive: nodes are merged before their parts are looked at, and nothing forbids a cycle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from clew.core.diagnostics import Span
from clew.frontends.promela.typing.scalars import Scalar

CHAN: Final = "chan"
TUPLE: Final = "tuple"
SCALAR: Final = "scalar"
MTYPE: Final = "mtype"
RECORD: Final = "record"

Bound = tuple[Scalar, Span, int]  # a type, where it comes from, the number of the constraint


class Node:
    """What is known of a type. `kind` None: nothing yet. `args`: contents of a chan, slots of a tuple.

    A scalar slot has `declared` types, `lower` bounds (what is sent) and `upper` bounds (what it is received into).
    `origin` is where the structure was first given. `waiting`: uses that are looked at once the node has a kind.
    """

    __slots__ = ("args", "declared", "kind", "lower", "name", "origin", "parent", "upper", "waiting", "weight", "why")

    def __init__(self, kind: str | None = None, name: str = "", args: Sequence[Node] = (), origin: Span | None = None):
        self.kind, self.name, self.args, self.origin = kind, name, args, origin
        self.parent: Node | None = None
        self.why = -1  # the constraint that merged this node into its parent
        self.weight = 1
        self.lower: list[Bound] | None = None
        self.upper: list[Bound] | None = None
        self.declared: list[Bound] | None = None
        self.waiting: list[int] | None = None


def find(node: Node) -> Node:
    """The representative. Paths are not shortened, so that merges can be taken back; weights keep them short."""
    while node.parent is not None:
        node = node.parent
    return node


def channel(origin: Span, slots: Sequence[Node] | None = None) -> Node:
    """A channel; without `slots` nothing is known of its messages."""
    contents = Node() if slots is None else Node(TUPLE, "", slots, origin)
    return Node(CHAN, "", (contents,), origin)


_Saved = tuple[Node, Node, str | None, str, Sequence[Node], Span | None, int, tuple[int, ...]]
_LISTS = ("lower", "upper", "declared", "waiting")


class Unifier:
    """`flattened` gives the slots of a record by its name: a record in a message is the list of its fields.
    `release` is called with the uses that waited for a node, once it has a kind."""

    def __init__(self, flattened: Callable[[str], Sequence[Node]], release: Callable[[list[int]], None]) -> None:
        self.flattened = flattened
        self.release = release

    def unify(self, left: Node, right: Node, why: int) -> tuple[Node, Node] | None:
        """Makes both equal; a clash is returned as the two nodes that cannot be, and nothing has changed."""
        trail: list[_Saved] = []
        stack = [(left, right)]
        while stack:
            a, b = stack.pop()
            a, b = find(a), find(b)
            if a is b:
                continue
            parts: Sequence[tuple[Node, Node]] = ()
            if a.kind is not None and b.kind is not None:
                if a.kind != b.kind or a.name != b.name:
                    return _undone(trail, a, b)
                pairs = self._pairs(a, b)
                if pairs is None:
                    return _undone(trail, a, b)
                parts = pairs
            trail.append(_merge(a, b, why))
            stack.extend(parts)
        for _, winner, *_ in trail:
            if winner.parent is None and winner.kind is not None and winner.waiting:
                waiting, winner.waiting = winner.waiting, None
                self.release(waiting)
        return None

    def _pairs(self, a: Node, b: Node) -> Sequence[tuple[Node, Node]] | None:
        """Which parts must be equal; None if the lengths differ."""
        if len(a.args) == len(b.args):
            return list(zip(a.args, b.args, strict=True))
        left, right = self.flat(a.args), self.flat(b.args)
        return list(zip(left, right, strict=True)) if len(left) == len(right) else None

    def flat(self, slots: Sequence[Node]) -> list[Node]:
        result: list[Node] = []
        for slot in slots:
            root = find(slot)
            result.extend(self.flattened(root.name) if root.kind == RECORD else (slot,))
        return result


def _merge(a: Node, b: Node, why: int) -> _Saved:
    winner, loser = (a, b) if a.weight >= b.weight else (b, a)
    sizes = tuple(len(getattr(winner, field) or ()) for field in _LISTS)
    saved: _Saved = (loser, winner, winner.kind, winner.name, winner.args, winner.origin, winner.weight, sizes)
    loser.parent, loser.why = winner, why
    winner.weight += loser.weight
    if winner.kind is None:
        winner.kind, winner.name, winner.args, winner.origin = loser.kind, loser.name, loser.args, loser.origin
    for field in _LISTS:
        more = getattr(loser, field)
        if more:
            found = getattr(winner, field)
            if found is None:
                setattr(winner, field, list(more))
            else:
                found.extend(more)
    return saved


def _undone(trail: list[_Saved], a: Node, b: Node) -> tuple[Node, Node]:
    for loser, winner, kind, name, args, origin, weight, sizes in reversed(trail):
        loser.parent, loser.why = None, -1
        winner.kind, winner.name, winner.args, winner.origin, winner.weight = kind, name, args, origin, weight
        for field, size in zip(_LISTS, sizes, strict=True):
            found = getattr(winner, field)
            if found is not None:
                del found[size:]
    return a, b
