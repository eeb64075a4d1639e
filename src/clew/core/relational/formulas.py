"""Boolean formulas as shared trees: a second builder for relational expressions, for solvers and for text."""

from __future__ import annotations

from dataclasses import dataclass, field

from clew.core.records import record


@record
class Node:
    """`operator` is a name (a variable), true, false, !, &, | or <->; equal nodes of one builder are one object."""

    operator: str
    operands: tuple[Node, ...] = ()


@dataclass(slots=True)
class Formulas:
    """Keeps formulas small by folding constants and sharing nodes."""

    _known: dict[tuple[str, tuple[int, ...]], Node] = field(default_factory=dict)

    @property
    def true(self) -> Node:
        return self.make("true")

    @property
    def false(self) -> Node:
        return self.make("false")

    def make(self, operator: str, *operands: Node) -> Node:
        key = (operator, tuple(map(id, operands)))
        if key not in self._known:
            self._known[key] = Node(operator, operands)
        return self._known[key]

    def variable(self, name: str) -> Node:
        return self.make(name)

    def not_(self, a: Node) -> Node:
        match a.operator:
            case "true":
                return self.false
            case "false":
                return self.true
            case "!":
                return a.operands[0]
        return self.make("!", a)

    def and_(self, a: Node, b: Node) -> Node:
        if a.operator == "false" or b.operator == "true" or a is b:
            return a
        if b.operator == "false" or a.operator == "true":
            return b
        return self.make("&", a, b)

    def or_(self, a: Node, b: Node) -> Node:
        return self.not_(self.and_(self.not_(a), self.not_(b)))

    def iff(self, a: Node, b: Node) -> Node:
        if a is b:
            return self.true
        for p, q in ((a, b), (b, a)):
            if p.operator == "true":
                return q
            if p.operator == "false":
                return self.not_(q)
        return self.make("<->", a, b)

    def ite(self, test: Node, a: Node, b: Node) -> Node:
        return self.or_(self.and_(test, a), self.and_(self.not_(test), b))

    def is_true(self, a: Node) -> bool:
        return a.operator == "true"

    def is_false(self, a: Node) -> bool:
        return a.operator == "false"


def evaluated(node: Node, values: dict[str, bool]) -> bool:
    """The value under an assignment of all variables."""
    match node.operator:
        case "true":
            return True
        case "false":
            return False
        case "!":
            return not evaluated(node.operands[0], values)
        case "&":
            return evaluated(node.operands[0], values) and evaluated(node.operands[1], values)
        case "<->":
            return evaluated(node.operands[0], values) == evaluated(node.operands[1], values)
    return values[node.operator]
