"""Inference over a parsed model: constraints solved, types printed, clashes explained."""

from __future__ import annotations

import heapq
from collections import Counter, deque
from collections.abc import Iterator

from clew.core.diagnostics import Diagnostic, Severity, Span
from clew.frontends.promela import syntax as ast
from clew.frontends.promela.typing.expressions import KIND, NARROWING, Constraint
from clew.frontends.promela.typing.nodes import SCALAR, TUPLE, Bound, Node, Unifier, find
from clew.frontends.promela.typing.notation import Notation
from clew.frontends.promela.typing.scalars import is_subtype
from clew.frontends.promela.typing.statements import Statements
from clew.frontends.promela.typing.symbols import Array, Options, Symbol, Type, shown

LENGTH, MESSAGE, CHANNEL = "promela-message-length", "promela-message-type", "promela-channel-type"
UNINITIALISED = "promela-uninitialised-channel"


class Typing:
    """What is known of a model. `symbols`: every declared name, in order. `uses`: what references stand for."""

    def __init__(self, walk: Statements, diagnostics: tuple[Diagnostic, ...]) -> None:
        self._walk = walk
        self.symbols: tuple[Symbol, ...] = tuple(walk.symbols)
        self.uses: tuple[tuple[Span, Symbol], ...] = tuple(walk.uses)
        self.diagnostics = diagnostics
        self._notation: Notation | None = None

    def text(self, symbol: Symbol) -> str:
        """The inferred type of a name, as people read it."""
        if symbol.role == "proctype":
            parameters = self._walk.parameters.get(symbol.name, [])
            return f"proctype ({', '.join(f'{p.name}: {self.text(p)}' for p in parameters)})"
        if symbol.role == "typedef":
            fields = self._walk.records[symbol.name].fields.values()
            return "record {" + ", ".join(f"{f.name}: {self.text(f)}" for f in fields) + "}"
        return self.type_text(symbol.type)

    def type_text(self, type_: Type) -> str:
        match type_:
            case Node():
                return self.notation.text(type_)
            case Array(element=element, size=size):
                return f"{self.type_text(element)}[{size or ''}]"
            case _:
                return shown(type_)

    @property
    def notation(self) -> Notation:
        if self._notation is None:
            self._notation = Notation(_channel_nodes(self.symbols))
        return self._notation

    @property
    def channels(self) -> tuple[tuple[Symbol, Node], ...]:
        """Names that hold channels, with their types."""
        return tuple((symbol, node) for symbol in self.symbols for node in _channel_nodes([symbol]))


def infer(model: ast.Model, options: Options | None = None) -> Typing:
    """The types of a model and what is wrong with them. Never raises for bad input: names that are not declared have
    no type and are not complained about here."""
    walk = Statements(options or Options())
    walk.model(model)
    _Solver(walk).solve()
    _uninitialised(walk, model)
    found = sorted(walk.found.values(), key=lambda d: (d.span.file, d.span.line, d.span.column))
    return Typing(walk, tuple(found))


def _channel_nodes(symbols: list[Symbol] | tuple[Symbol, ...]) -> Iterator[Node]:
    for symbol in symbols:
        type_ = symbol.type.element if isinstance(symbol.type, Array) else symbol.type
        if isinstance(type_, Node):
            yield type_


class _Solver:
    """A message on a channel of unknown layout waits until the layout is known from elsewhere: declarations are
    believed first, then what follows from them, and only then what most uses of an undeclared channel agree on."""

    def __init__(self, walk: Statements) -> None:
        self.walk = walk
        self.constraints = walk.constraints
        self.ready: list[int] = []
        self.done = bytearray(len(self.constraints))
        flattened: dict[str, list[Node]] = {}

        def fields(name: str) -> list[Node]:
            if name not in flattened:
                flattened[name] = walk.flattened(name)
            return flattened[name]

        self.unifier = Unifier(fields, self._release)
        self.slots: list[Node] = []
        self.clashes: list[tuple[Constraint, Node, Node]] = []

    def _release(self, waiting: list[int]) -> None:
        for number in waiting:
            heapq.heappush(self.ready, number)

    def solve(self) -> None:
        waiting: list[int] = []
        for number, constraint in enumerate(self.constraints):
            if not constraint.use:
                self._settle(number)
            elif find(constraint.left).kind is None:
                root = find(constraint.left)
                root.waiting = [] if root.waiting is None else root.waiting
                root.waiting.append(number)
                waiting.append(number)
            else:
                self._settle(number)
            self._drain()
        queue = deque(waiting)
        while queue:
            number = queue.popleft()
            if self.done[number]:
                continue
            self._settle(self._typical(number))
            self._drain()
            if not self.done[number]:
                self._settle(number)
                self._drain()
        self._report_clashes()
        self._check_bounds()

    def _drain(self) -> None:
        while self.ready:
            self._settle(heapq.heappop(self.ready))

    def _typical(self, number: int) -> int:
        """Of the uses of one channel of unknown layout, the first of those that most agree with."""
        waiting = [n for n in find(self.constraints[number].left).waiting or () if not self.done[n]]
        if len(waiting) < 2:
            return number
        shapes = {n: tuple(find(slot).kind for slot in self.constraints[n].right.args) for n in waiting}
        common = Counter(shapes.values())
        most = max(common.values())
        return min(n for n in waiting if common[shapes[n]] == most)

    def _settle(self, number: int) -> None:
        if self.done[number]:
            return
        self.done[number] = True
        constraint = self.constraints[number]
        left, right = find(constraint.left), find(constraint.right)
        if not (constraint.use and left.kind == TUPLE and right.kind == TUPLE):
            if constraint.use:
                self.slots.extend(right.args)
            clash = self.unifier.unify(left, right, number)
            if clash is not None:
                self.clashes.append((constraint, *clash))
            return
        wanted, given = left.args, right.args
        if len(wanted) != len(given):
            wanted, given = self.unifier.flat(wanted), self.unifier.flat(given)
        if len(wanted) != len(given):
            self.clashes.append((constraint, left, right))
            return
        self.slots.extend(given)
        first: tuple[Node, Node] | None = None
        for a, b in zip(wanted, given, strict=True):
            clash = self.unifier.unify(a, b, number)
            first = first or clash
        if first is not None:
            self.clashes.append((constraint, *first))

    # --- clashes --------------------------------------------------------------------------------------------------

    def _report_clashes(self) -> None:
        if not self.clashes:
            return
        roots = [node for c, a, b in self.clashes for node in (c.left, c.right, a, b)]
        notation = Notation(roots)
        for constraint, a, b in self.clashes:
            related = list(constraint.related)
            origin = find(constraint.left).origin
            if origin is not None and origin != constraint.span and constraint.use:
                related.append((origin, f"messages here are {notation.message(constraint.left)}"))
            related.extend(self._passed(constraint))
            if constraint.use:
                self._report_use(constraint, a, b, notation, tuple(related))
            else:
                message = (
                    f"unable to unify {notation.text(constraint.left)} with {notation.text(constraint.right)}: "
                    f"{constraint.text}"
                )
                self.walk.report_in(constraint.chain, CHANNEL, message, constraint.span, tuple(related))

    def _report_use(
        self, c: Constraint, a: Node, b: Node, notation: Notation, related: tuple[tuple[Span, str], ...]
    ) -> None:
        wanted, given = notation.message(c.left), notation.message(c.right)
        if find(a).kind == TUPLE and find(b).kind == TUPLE and find(a) is find(c.left):
            message = f"messages of different lengths are used for one channel: unable to unify {wanted} with {given}"
            self.walk.report_in(c.chain, LENGTH, message, c.span, related)
            return
        message = f"unable to unify {wanted} with {given}: {_part(notation, a)} is not {_part(notation, b)}"
        self.walk.report_in(c.chain, MESSAGE, message, c.span, related)

    def _passed(self, constraint: Constraint) -> list[tuple[Span, str]]:
        """Where the channel came to be the same as the one whose messages are known."""
        found: list[tuple[Span, str]] = []
        node: Node | None = constraint.left
        while node is not None and len(found) < 3:
            if node.why >= 0:
                by = self.constraints[node.why]
                if by.span != constraint.span and all(by.span != span for span, _ in found):
                    found.append((by.span, "the channel is passed here"))
            node = node.parent
        return found

    # --- bounds of scalar slots -----------------------------------------------------------------------------------

    def _check_bounds(self) -> None:
        seen: set[Node] = set()
        for slot in self.slots:
            root = find(slot)
            if root.kind == SCALAR and root not in seen:
                seen.add(root)
                self._check_slot(root)

    def _check_slot(self, root: Node) -> None:
        declared, lower, upper = root.declared or [], root.lower or [], root.upper or []
        if declared:
            kind = declared[0]
            for other in declared:
                if other[0] is not kind[0]:
                    self._misfit(other, kind, "one channel has messages declared with {a} and with {b}")
                    break
            for bound in lower:
                if not is_subtype(bound[0], kind[0]):
                    self._misfit(bound, kind, "{a} is sent where the message has {b}")
            for bound in upper:
                if not is_subtype(kind[0], bound[0]):
                    self._misfit(bound, kind, "{b} in the message is received into {a}")
            return
        lowest = {bound[0]: bound for bound in reversed(lower)}
        uppermost = {bound[0]: bound for bound in reversed(upper)}
        for low in lowest.values():
            for high in uppermost.values():
                if not is_subtype(low[0], high[0]):
                    self._misfit(high, low, "{b} is sent and received into {a}")
                    return
        kinds = {bound[0].kind if not bound[0].is_number else "number" for bound in lower if bound[0].name != "bit"}
        if len(kinds) > 1:
            first = lower[0]
            other = next(b for b in lower if b[0].is_number != first[0].is_number or b[0].kind != first[0].kind)
            self._misfit(other, first, "{a} is sent where {b} is sent elsewhere")

    def _misfit(self, bound: Bound, other: Bound, text: str) -> None:
        numbers = bound[0].is_number and other[0].is_number
        if numbers and not self.walk.options.narrowing:
            return
        message = text.format(a=f"{_article(bound[0].name)}", b=f"{_article(other[0].name)}")
        chain = self.constraints[bound[2]].chain if 0 <= bound[2] < len(self.constraints) else ()
        related = ((other[1], f"{_article(other[0].name)} here"),) if other[1] != bound[1] else ()
        self.walk.report_in(chain, NARROWING if numbers else KIND, message, bound[1], related)


def _part(notation: Notation, node: Node) -> str:
    root = find(node)
    if root.kind == TUPLE:
        return notation.message(root)
    return notation.text(root)


def _article(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _uninitialised(walk: Statements, model: ast.Model) -> None:
    """Channels that are used and never given a value. Foreign code may give one to any."""
    if any(isinstance(unit, (ast.CDecl, ast.CState, ast.CCode)) for unit in model.units):
        return
    used: dict[Symbol, Span] = {}
    for span, symbol in walk.uses:
        used.setdefault(symbol, span)
    for symbol in walk.symbols:
        if symbol.role != "variable" or symbol.initialised or symbol.assigned or symbol not in used:
            continue
        if symbol.name == "STDIN":  # what is typed
            continue
        if isinstance(symbol.type, Node):
            message = f"channel '{symbol.name}' is used but never initialised"
            related = ((symbol.span, "declared here"),)
            hint = "give it a capacity and messages, as in [1] of { byte }, or receive or assign one first"
            walk.report_in((), UNINITIALISED, message, used[symbol], related, hint, Severity.WARNING)
