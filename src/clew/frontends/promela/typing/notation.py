"""Types as people read them: minimal, canonical text, and back.

A solved type is a graph, possibly with cycles. The graph is reduced to its coarsest bisimulation by partition
refinement, so that equal types become one node; text is written with one `mu` for each node that is met again below
itself. `mu X.chan{chan{X,bit},bit}` and `chan mu X.{chan X,bit}` are both `mu X.chan{X,bit}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from clew.frontends.promela.typing.nodes import CHAN, MTYPE, RECORD, TUPLE, Node, find
from clew.frontends.promela.typing.scalars import BOOL, Scalar, is_subtype, join

Label = tuple[object, ...]
_LARGEST, _DEEPEST = 2000, 100  # parts and levels of a type that are written; beyond them it is "…"


def scalar_of(root: Node) -> Scalar | None:
    """The type of a scalar slot: as declared, else the least that takes all that is sent, else the least that it is
    received into."""
    if root.declared:
        return root.declared[0][0]
    if root.lower:
        least: Scalar | None = root.lower[0][0]
        for bound, _, _ in root.lower:
            least = least if least is None else join(least, bound) or least
        if least is not None and least.name == "bit" and any(bound is BOOL for bound, _, _ in root.upper or ()):
            return BOOL
        return least
    if root.upper:
        smallest = root.upper[0][0]
        for bound, _, _ in root.upper:
            smallest = bound if is_subtype(bound, smallest) else smallest
        return smallest
    return None


def _label(root: Node) -> tuple[Label, Sequence[Node]]:
    """What a node is, without its parts; and the parts. A chan and its contents are one."""
    match root.kind:
        case "chan":
            contents = find(root.args[0])
            if contents.kind == TUPLE:
                return (CHAN, len(contents.args)), contents.args
            return ("open", id(contents)), ()
        case "tuple":
            return (TUPLE, len(root.args)), root.args
        case "scalar":
            known = scalar_of(root)
            return (("base", known.name) if known is not None else ("any", id(root))), ()
        case "record":
            return ("base", root.name), ()
        case "mtype":
            return (MTYPE, root.name), ()
        case _:
            return ("any", id(root)), ()


class Notation:
    """Text for nodes of one solved model. Everything reachable from `roots` is reduced at once."""

    def __init__(self, roots: Iterable[Node]) -> None:
        self._class: dict[Node, int] = {}
        self._labels: list[Label] = []
        self._children: list[list[int]] = []
        self._reduce([find(root) for root in roots])

    def text(self, node: Node) -> str:
        """The type of a node among the roots or below."""
        return self._written(self._class[find(node)])

    def message(self, contents: Node) -> str:
        """The layout `{…}` of a tuple; of unknown contents, a variable."""
        root = find(contents)
        if root.kind != TUPLE:
            return "X"
        return "{" + ",".join(self._all(root.args)) + "}"

    def number(self, node: Node) -> int:
        """Equal types have equal numbers."""
        return self._class[find(node)]

    def parts(self, number: int) -> Sequence[int]:
        """The types of the fields of a channel's messages."""
        return self._children[number]

    def written(self, number: int) -> str:
        return self._written(number)

    def channels_below(self, numbers: Iterable[int]) -> list[int]:
        """The channel types among these and in their messages."""
        found: dict[int, None] = {}
        stack = sorted(numbers, reverse=True)
        while stack:
            number = stack.pop()
            if number not in found and self._labels[number][0] in (CHAN, "open"):
                found[number] = None
                stack.extend(reversed(self._children[number]))
        return list(found)

    def _all(self, nodes: Sequence[Node]) -> list[str]:
        names: dict[object, str] = {}
        return [self._written(self._class[find(node)], names) for node in nodes]

    def _reduce(self, roots: list[Node]) -> None:
        nodes: dict[Node, int] = {}
        order: list[Node] = []
        parts: list[Sequence[Node]] = []
        labels: list[Label] = []
        stack = roots[::-1]
        while stack:
            node = find(stack.pop())
            if node in nodes:
                continue
            nodes[node] = len(order)
            order.append(node)
            label, below = _label(node)
            labels.append(label)
            parts.append(below)
            stack.extend(find(part) for part in reversed(below))
        below_of = [[nodes[find(part)] for part in below] for below in parts]
        blocks = refined(labels, below_of)
        first: dict[int, int] = {}
        for number, block in enumerate(blocks):
            first.setdefault(block, number)
        position = {block: place for place, block in enumerate(first)}
        self._labels = [labels[number] for number in first.values()]
        self._children = [[position[blocks[child]] for child in below_of[number]] for number in first.values()]
        self._class = {node: position[blocks[number]] for node, number in nodes.items()}

    def _written(self, root: int, free: dict[object, str] | None = None) -> str:
        """Depth first; a class met again while it is open gets a `mu`. Names are given in the order of first use."""
        names: dict[object, str] = {} if free is None else free
        repeated = self._met_again(root)
        budget = _LARGEST

        def name(key: object) -> str:
            return names.setdefault(key, _letter(len(names)))

        def walk(number: int, open_: frozenset[int]) -> str:
            nonlocal budget
            budget -= 1
            if budget < 0 or len(open_) > _DEEPEST:
                return "…"
            label = self._labels[number]
            if number in open_:
                return name(("mu", root, number))
            match label[0]:
                case "open":
                    return f"chan {name(label)}"
                case "any":
                    return name(label)
                case "base":
                    return str(label[1])
                case "mtype":
                    return f"mtype:{label[1]}" if label[1] else MTYPE
            mu = f"mu {name(('mu', root, number))}." if number in repeated else ""
            inner = open_ | {number}
            slots = ",".join(walk(child, inner) for child in self._children[number])
            return f"{mu}{CHAN if label[0] == CHAN else ''}{{{slots}}}"

        return walk(root, frozenset())

    def _met_again(self, root: int) -> set[int]:
        """Classes that are below themselves on a path from the root which meets them first."""
        found: set[int] = set()
        opened: set[int] = set()
        budget = _LARGEST

        def walk(number: int) -> None:
            nonlocal budget
            budget -= 1
            if number in opened:
                found.add(number)
                return
            if budget < 0 or len(opened) > _DEEPEST:
                return
            opened.add(number)
            for child in self._children[number]:
                walk(child)
            opened.discard(number)

        walk(root)
        return found


def refined(labels: Sequence[Label], children: Sequence[Sequence[int]]) -> list[int]:
    """The coarsest partition in which nodes of one block have one label and children in equal blocks."""
    numbers: dict[object, int] = {}
    blocks = [numbers.setdefault(label, len(numbers)) for label in labels]
    count = len(numbers)
    while True:
        signatures: dict[tuple[int, ...], int] = {}
        refined_ = [
            signatures.setdefault((block, *(blocks[child] for child in below)), len(signatures))
            for block, below in zip(blocks, children, strict=True)
        ]
        if len(signatures) == count:
            return refined_
        blocks, count = refined_, len(signatures)


def _letter(number: int) -> str:
    """X, Y, Z, X1, Y1, …"""
    return "XYZ"[number % 3] + (str(number // 3) if number >= 3 else "")


# --- reading types ------------------------------------------------------------------------------------------------

_TOKEN = re.compile(r"\s*(?:(unsigned\(\d+\)|mtype:\w+|\w+)|([{},.]))")


def parse_type(text: str) -> Node:
    """The graph of a written type: the inverse of `Notation.text`, for any equivalent spelling. Raises ValueError."""
    tokens: list[str] = []
    position = 0
    while position < len(text.rstrip()):
        found = _TOKEN.match(text, position)
        if found is None:
            raise ValueError(f"cannot read '{text[position:]}'")
        tokens.append(found.group(1) or found.group(2))
        position = found.end()
    reader = _Reader(tokens)
    node = reader.type()
    if reader.tokens:
        raise ValueError(f"'{reader.tokens[0]}' behind the type")
    return node


class _Reader:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.names: dict[str, Node] = {}
        self.free: dict[str, Node] = {}

    def _next(self, wanted: str = "") -> str:
        if not self.tokens or (wanted and self.tokens[0] != wanted):
            raise ValueError(f"expected '{wanted or 'a type'}'")
        return self.tokens.pop(0)

    def type(self) -> Node:
        word = self._next()
        match word:
            case "mu":
                name = self._next()
                self._next(".")
                bound = Node()
                outer, self.names[name] = self.names.get(name), bound
                body = self.type()
                if find(body) is not bound:
                    bound.parent = body  # the variable is the body
                if outer is None:
                    del self.names[name]
                else:
                    self.names[name] = outer
                return bound
            case "chan":
                return Node(CHAN, "", (self.type(),))
            case "{":
                slots = [self.type()]
                while self.tokens and self.tokens[0] == ",":
                    self._next()
                    slots.append(self.type())
                self._next("}")
                return Node(TUPLE, "", slots)
            case "mtype":
                return Node(MTYPE)
            case _ if word.startswith("mtype:"):
                return Node(MTYPE, word.removeprefix("mtype:"))
            case _ if word in self.names:
                return self.names[word]
            case _ if re.fullmatch(r"[XYZ]\d*", word):
                return self.free.setdefault(word, Node())
            case _ if re.fullmatch(r"\w+|unsigned\(\d+\)", word):
                return Node(RECORD, word)
            case _:
                raise ValueError(f"expected a type, found '{word}'")
