"""Statements of a process body to elements: expansion of for/select, joins, atomicity, escapes, labels.

Follows what Spin's parser builds, because the number of states depends on it (sheet 35, section 1.1).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from clew.core import expressions as core
from clew.core import statements as core_statements
from clew.core import types
from clew.core.diagnostics import InputError, Span
from clew.frontends.promela import syntax as ast
from clew.frontends.promela import unparse
from clew.frontends.promela.basic import BasicStatements
from clew.frontends.promela.elements import Element, Form, Kind, Sequence, uses_channel
from clew.frontends.promela.names import Names, ScopePath
from clew.frontends.promela.structure import attach_escape, drop_redundant_skips, make_atomic
from clew.frontends.promela.translate import Translator

SPECIAL_LABELS = ("accept", "end", "progress")


@dataclass(slots=True)
class Label:
    name: str
    scope: ScopePath
    element: Element


@dataclass(slots=True)
class Body:
    """A process body as elements, with the labels of the whole process."""

    sequence: Sequence
    elements: list[Element]
    labels: list[Label]
    end: Element


@dataclass(slots=True)
class _Jump:
    element: Element
    label: str
    scope: ScopePath
    dstep: int


@dataclass(slots=True)
class _Builder:
    names: Names
    translate: Translator
    basic: BasicStatements
    claim: bool
    elements: list[Element] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    jumps: list[_Jump] = field(default_factory=list)
    breaks: list[Element] = field(default_factory=list)
    declarations_free: bool = True  # before the first statement of the body: declarations cost no step
    dsteps: list[int] = field(default_factory=list)
    dstep_of: dict[Element, int] = field(default_factory=dict)

    # --- elements -------------------------------------------------------------------------------------------------

    def element(self, kind: Kind, span: Span, text: str = "", form: Form = "") -> Element:
        element = Element(kind, span, text, len(self.elements) + 1, form)
        self.elements.append(element)
        if self.dsteps:
            self.dstep_of[element] = self.dsteps[-1]
        return element

    def add(self, sequence: Sequence, element: Element) -> None:
        """Appends; a goto with an accept, end or progress label gets a skip in front that carries the label."""
        if element.kind == "goto" and any(name.startswith(SPECIAL_LABELS) for name in element.labels):
            skip = self.skip(element.span)
            self._move_labels(element, skip)
            sequence.append(skip)
        sequence.append(element)

    def skip(self, span: Span) -> Element:
        element = self.element("basic", span, "skip", "condition")
        element.statement = core_statements.Guard(core.TRUE, span)
        return element

    def _move_labels(self, source: Element, target: Element) -> None:
        target.labels, source.labels = source.labels, []
        for label in self.labels:
            if label.element is source:
                label.element = target

    # --- sequences ------------------------------------------------------------------------------------------------

    def sequence(self, items: Iterable[ast.Item], span: Span, *, what: str = "") -> Sequence:
        """A sequence of items; `what` names the construct for the rule that its first statement has no label."""
        result = Sequence()
        for item in items:
            self.item(item, result)
        return self._closed(result, span, what)

    def _closed(self, sequence: Sequence, span: Span, what: str) -> Sequence:
        if sequence.first is None:
            raise InputError.at(span, "promela-empty", "a sequence must have at least one statement", "write 'skip'")
        if what and sequence.first.labels:
            label = sequence.first.labels[0]
            message = f"label '{label}' on the first statement of {what}"
            if what == "an option":
                self.names.bag.warning(sequence.first.span, "promela-label", message, "put it before the if or do")
            else:
                raise InputError.at(sequence.first.span, "promela-label", message, f"put the label before {what}")
        sequence.extent = sequence.last
        return sequence

    def item(self, item: ast.Item, sequence: Sequence) -> None:
        match item:
            case ast.VarDecl():
                self.declaration(item, sequence)
            case ast.ExclusiveUse():
                self.basic.exclusive_use(item)
            case _:
                self.statement(item, (), sequence)
                self.declarations_free = False

    def declaration(self, decl: ast.VarDecl, sequence: Sequence) -> None:
        """Before the first statement a declaration happens at creation; later it is an assignment step."""
        for item in decl.declarators:
            late = not self.declarations_free
            if late and isinstance(item.init, ast.ChannelInit):
                self.names.bag.error(
                    item.span,
                    "promela-late-channel",
                    f"initialised channel '{item.name}' declared after the first statement",
                )
            variable = self.names.declare(decl, item, self.translate, late=late)
            if late:
                element = self.element("basic", item.span, _declaration_text(decl, item), "declare")
                element.statement = self.basic.declaration(variable, item)
                self.basic.analyse(element, None)
                if isinstance(variable.type, types.Record):
                    element.writes = ()
                else:
                    element.writes = (variable,)
                self.add(sequence, element)

    # --- statements -----------------------------------------------------------------------------------------------

    def statement(self, node: ast.Statement, labels: tuple[tuple[str, Span], ...], sequence: Sequence) -> None:
        """Adds a statement with the labels in front of it."""
        match node:
            case ast.Labelled(label, None, span):
                element = self.skip(span)
                self.label(element, (*labels, (label, span)))
                self.add(sequence, element)
            case ast.Labelled(label, inner, span) if inner is not None:
                self.statement(inner, (*labels, (label, span)), sequence)
            case ast.If(options, span):
                self.choice("if", options, span, labels, sequence)
            case ast.Do(options, span):
                self.choice("do", options, span, labels, sequence)
            case ast.ForRange() | ast.ForIn():
                self.loop(node, labels, sequence)
            case ast.Select():
                self.select(node, labels, sequence)
            case ast.Block():
                element = self.block(node)
                self.label(element, labels)
                self.add(sequence, element)
            case ast.Unless():
                self.unless(node, labels, sequence)
            case ast.Goto(name, span):
                element = self.element("goto", span, f"goto {name}")
                self.jumps.append(_Jump(element, name, self.names.scope_path, self.dsteps[-1] if self.dsteps else 0))
                self.label(element, labels)
                self.add(sequence, element)
            case ast.Break(span):
                element = self.element("goto", span, "break")
                if not self.breaks:
                    raise InputError.at(span, "promela-break", "break outside a loop")
                element.jump = self.breaks[-1]
                self.label(element, labels)
                self.add(sequence, element)
            case _:
                element = self.element("basic", node.span, unparse.statement(node), self.basic.form(node))
                element.statement = self.basic.statement(node)
                self.basic.analyse(element, node)
                self.label(element, labels)
                self.add(sequence, element)

    def label(self, element: Element, labels: Iterable[tuple[str, Span]]) -> None:
        for name, span in reversed(tuple(labels)):
            if self.names.lookup(name) is not None or name in self.names.constants:
                self.names.bag.error(
                    span, "promela-label", f"label '{name}' is also the name of a variable or constant"
                )
            scope = self.names.scope_path
            if any(known.name == name and known.scope == scope for known in self.labels):
                self.names.bag.error(span, "promela-label", f"label '{name}' is declared twice")
            self.labels.append(Label(name, scope, element))
            element.labels.append(name)

    def block(self, node: ast.Block) -> Element:
        kind = _kind(node)
        what = {"plain": "a block", "atomic": "atomic", "d_step": "d_step"}[kind]
        self.declarations_free = False
        self.check_arguments(node)
        self.names.open_scope()
        if kind == "d_step":
            self.dsteps.append(len(self.elements) + 1)
        inner = self.sequence(node.body, node.span, what=what)
        if kind == "d_step":
            self.dsteps.pop()
        self.names.close_scope()
        element = self.element(kind, node.span, unparse.statement(node))
        element.inner = inner
        if kind in ("atomic", "d_step"):
            make_atomic(inner, kind == "d_step")
        return element

    def check_arguments(self, node: ast.Block) -> None:
        """Names given to an inline must be declared, even if its body does not use them."""
        known = {label.name for label in self.labels}
        for argument in node.arguments:
            if isinstance(argument, ast.Ref) and not self.names.declared(argument.name) and argument.name not in known:
                self.names.bag.error(argument.span, "promela-undeclared", f"undeclared variable '{argument.name}'")

    def choice(
        self,
        kind: Kind,
        options: tuple[ast.Option, ...],
        span: Span,
        labels: tuple[tuple[str, Span], ...],
        sequence: Sequence,
    ) -> None:
        target = None
        if kind == "do":
            target = self.element("break_target", span, "(end of loop)")
            self.breaks.append(target)
        sequences = []
        for option in options:
            self.declarations_free = False
            body = self.sequence(option.body, option.span, what="an option")
            if not self.claim:
                drop_redundant_skips(body)
            sequences.append(body)
        if target is not None:
            self.breaks.pop()
        self.finish_choice(kind, sequences, span, target, labels, sequence)

    def finish_choice(
        self,
        kind: Kind,
        options: list[Sequence],
        span: Span,
        target: Element | None,
        labels: Iterable[tuple[str, Span]],
        sequence: Sequence,
    ) -> None:
        """Links the options of an if or do to their join; `else` goes last."""
        elses = [o for o in options if o.first is not None and o.first.form == "else"]
        if len(elses) > 1:
            assert elses[1].first is not None
            raise InputError.at(elses[1].first.span, "promela-else", "two 'else' in one choice")
        for option in elses:
            assert option.first is not None
            option.first.beside_channels = any(o.first is not None and uses_channel(o.first) for o in options)
        head = self.element(kind, span, "if" if kind == "if" else "do")
        join = self.element("dot", span, "(end of choice)")
        head.options = [o for o in options if o not in elses] + elses
        for option in head.options:
            option.append(join)
        self.label(head, labels)
        if kind == "do":
            assert target is not None
            sequence.append(join)
            sequence.append(head)
            sequence.append(target)
        else:
            sequence.append(head)
            sequence.append(join)

    def unless(self, node: ast.Unless, labels: tuple[tuple[str, Span], ...], sequence: Sequence) -> None:
        body = node.body
        inner_labels: tuple[tuple[str, Span], ...] = ()
        while isinstance(body, ast.Labelled) and body.statement is not None:
            inner_labels = (*inner_labels, (body.label, body.span))
            body = body.statement
        labels = (*labels, *inner_labels)
        self.declarations_free = False
        wrapped = bool(labels) and isinstance(body, ast.Block)
        if labels and not wrapped:
            raise InputError.at(
                node.span, "promela-label", "label on a statement with unless", "write 'label: { statement unless … }'"
            )
        body_sequence = self._side(body, node.span, "a statement with unless", opened=wrapped)
        escape_sequence = self._side(node.escape, node.span, "an escape")
        if wrapped:
            assert isinstance(body, ast.Block)
            kind = _kind(body)
            wrapper = self.element(kind, node.span, unparse.statement(body))
            wrapper.inner = Sequence()
            self._attach(body_sequence, escape_sequence, node.span, wrapper.inner)
            wrapper.inner.extent = wrapper.inner.last
            self.label(wrapper, labels)
            self.add(sequence, wrapper)
        else:
            self._attach(body_sequence, escape_sequence, node.span, sequence)

    def _side(self, side: ast.Statement, span: Span, what: str, opened: bool = False) -> Sequence:
        """One side of an `unless`. `opened`: whatever kind of block it is, its braces do not count."""
        if isinstance(side, ast.Block) and (opened or side.kind in ("plain", "inline")):
            element = self.block(side)
            assert element.inner is not None
            inside, element.inner = element.inner, None
            return inside
        alone = Sequence()
        self.statement(side, (), alone)
        return self._closed(alone, span, what)

    def _attach(self, body: Sequence, escape: Sequence, span: Span, sequence: Sequence) -> None:
        head = self.element("unless", span, "unless")
        join = self.element("dot", span, "(end of unless)")
        head.options = [body, escape]
        body.append(join)
        escape.append(join)
        attach_escape(body, escape)
        sequence.append(head)
        sequence.append(join)

    # --- for and select -------------------------------------------------------------------------------------------

    def loop(self, node: ast.ForRange | ast.ForIn, labels: tuple[tuple[str, Span], ...], sequence: Sequence) -> None:
        """`for` is an assignment and a do loop; a label in front of it is a label of the loop, as in Spin."""
        self.declarations_free = False
        index = node.index
        span = node.span
        target = self.element("break_target", span, "(end of loop)")
        if isinstance(node, ast.ForRange):
            self._check_index(index)
            start: ast.Expr = node.low
            condition: ast.Expr = ast.Binary("<=", index, node.high, span)
            rotate: tuple[ast.Statement, ...] = ()
        else:
            index, start, condition, rotate = self._for_in(node)
        self.statement(ast.Assign(index, start, "=", span), (), sequence)
        body = Sequence()
        self.breaks.append(target)
        self.statement(ast.Condition(condition, span), (), body)
        for statement in rotate:
            self.statement(statement, (), body)
        self.names.open_scope()
        for item in node.body:
            self.item(item, body)
        self.names.close_scope()
        self.breaks.pop()
        self._increment(index, span, body)
        body = self._closed(body, span, "")
        leave = Sequence()
        self.statement(ast.Else(span), (), leave)
        leave.append(self._jump_to(target, span))
        self.finish_choice("do", [body, self._closed(leave, span, "")], span, target, labels, sequence)

    def _increment(self, index: ast.Ref, span: Span, body: Sequence) -> None:
        plus = ast.Binary("+", index, ast.Number(1, "1", span), span)
        self.statement(ast.Assign(index, plus, "=", span), (), body)

    def _jump_to(self, target: Element, span: Span) -> Element:
        element = self.element("goto", span, "break")
        element.jump = target
        return element

    def _check_index(self, index: ast.Ref) -> None:
        variable = self.names.lookup(index.name)
        if index.field is not None or index.index is not None:
            return
        if variable is not None and (isinstance(variable.type, types.ChannelRef) or not types.is_scalar(variable.type)):
            self.names.bag.error(index.span, "promela-for", f"'{index.name}' cannot be the index of a loop")

    def _for_in(self, node: ast.ForIn) -> tuple[ast.Ref, ast.Expr, ast.Expr, tuple[ast.Statement, ...]]:
        span = node.span
        zero = ast.Number(0, "0", span)
        container = self.names.lookup(node.container.name)
        variable = self.names.lookup(node.index.name)
        if container is None or variable is None:
            missing = node.container if container is None else node.index
            raise InputError.at(missing.span, "promela-undeclared", f"undeclared variable '{missing.name}'")
        if isinstance(variable.type, types.Record):
            channel = self.names.channel_of.get(container)
            if channel is None or channel.capacity <= 0:
                raise InputError.at(span, "promela-for", f"'{node.container.name}' is not a buffered channel")
            fields = tuple(scalar for _, scalar in types.scalars(variable.type))
            if len(fields) != len(channel.fields):
                raise InputError.at(
                    span, "promela-for", f"messages of '{node.container.name}' are not {variable.type.name}"
                )
            assert self.names.frame is not None
            name = f"_{node.index.name}_count"
            counter = self.names.frame.add(name, types.SHORT if channel.capacity > 255 else types.BYTE, span=span)
            self.names.scopes[-1][1][name] = counter
            index = ast.Ref(name, None, None, span)
            length = ast.ChannelQuery("len", node.container, span)
            rotate = (
                ast.Receive(node.container, (node.index,), False, False, span),
                ast.Send(node.container, (node.index,), False, span),
            )
            return index, zero, ast.Binary("<", index, length, span), rotate
        if not isinstance(container.type, types.Array):
            raise InputError.at(span, "promela-for", f"'{node.container.name}' is not an array")
        self._check_index(node.index)
        last = container.type.size - 1
        return node.index, zero, ast.Binary("<=", node.index, ast.Number(last, str(last), span), span), ()

    def select(self, node: ast.Select, labels: tuple[tuple[str, Span], ...], sequence: Sequence) -> None:
        """Small literal ranges are one step (Spin rewrites the text); others count up in a loop."""
        self.declarations_free = False
        span, index = node.span, node.index
        self._check_index(index)
        if node.textual and isinstance(node.low, ast.Number) and isinstance(node.high, ast.Number):
            low, high = node.low.value, node.high.value
            if high - low <= 32:
                if high < low:
                    self.names.bag.error(span, "promela-select", f"empty range {low} .. {high}")
                    high = low
                numbers = [ast.Number(v, str(v), span) for v in range(low, high + 1)]
                options = tuple(ast.Option((ast.Assign(index, n, "=", span),), span) for n in numbers)
                self.choice("if", options, span, labels, sequence)
                return
            up: tuple[ast.Item, ...] = (
                ast.Condition(ast.Binary("<", index, node.high, span), span),
                ast.Assign(index, ast.Binary("+", index, ast.Number(1, "1", span), span), "++", span),
            )
            self.statement(ast.Assign(index, node.low, "=", span), labels, sequence)
            self.choice("do", (ast.Option(up, span), ast.Option((ast.Break(span),), span)), span, (), sequence)
            return
        self.statement(ast.Assign(index, node.low, "=", span), (), sequence)
        target = self.element("break_target", span, "(end of loop)")
        body = Sequence()
        self.statement(ast.Condition(ast.Binary("<", index, node.high, span), span), (), body)
        self._increment(index, span, body)
        leave = Sequence()
        leave.append(self._jump_to(target, span))
        options_built = [self._closed(leave, span, ""), self._closed(body, span, "")]
        self.finish_choice("do", options_built, span, target, labels, sequence)


def build(
    names: Names, translate: Translator, basic: BasicStatements, items: tuple[ast.Item, ...], end: Span, claim: bool
) -> Body:
    """The elements of a process body (the scope of the process is open in `names`). Raises InputError."""
    builder = _Builder(names, translate, basic, claim)
    sequence = Sequence()
    for item in items:
        builder.item(item, sequence)
    last = builder.element("end", end, "-end-")
    sequence.append(last)
    sequence.extent = last
    _resolve_jumps(builder)
    _tie_blocks(builder.elements)
    return Body(sequence, builder.elements, builder.labels, last)


def _kind(block: ast.Block) -> Kind:
    return "plain" if block.kind == "inline" else block.kind


def _declaration_text(decl: ast.VarDecl, item: ast.Declarator) -> str:
    size = "" if item.size is None else f"[{item.size}]"
    match item.init:
        case None | ast.ChannelInit() | ast.ArrayInit():
            return f"{decl.type} {item.name}{size}"
        case value:
            return f"{decl.type} {item.name}{size} = {unparse.expression(value)}"


def find_label(labels: list[Label], name: str, scope: ScopePath) -> Label | None:
    """The label a goto means: one in the same scope, else in an enclosing one, else anywhere in the process."""
    best: Label | None = None
    for label in reversed(labels):
        if label.name != name:
            continue
        if label.scope == scope:
            return label
        if scope[: len(label.scope)] == label.scope or best is None:
            best = label
    return best


def _resolve_jumps(builder: _Builder) -> None:
    for jump in builder.jumps:
        label = find_label(builder.labels, jump.label, jump.scope)
        if label is None:
            builder.names.bag.error(jump.element.span, "promela-label", f"undefined label '{jump.label}'")
            jump.element.jump = builder.elements[-1]
            continue
        jump.element.jump = label.element
        source, target = builder.dstep_of.get(jump.element, 0), builder.dstep_of.get(label.element, 0)
        if source != target:
            where = "out of" if source else "into"
            builder.names.bag.error(jump.element.span, "promela-dstep", f"goto {jump.label} jumps {where} a d_step")
        elif label.element is jump.element:
            builder.names.bag.error(jump.element.span, "promela-goto-loop", f"goto {jump.label} jumps to itself")
    for element in builder.elements:
        if element.kind == "goto" and element.text == "break" and element.jump is not None:
            source, target = builder.dstep_of.get(element, 0), builder.dstep_of.get(element.jump, 0)
            if source != target:
                builder.names.bag.error(element.span, "promela-dstep", "break out of a d_step")


def _tie_blocks(elements: list[Element]) -> None:
    """The last element of a block leads to what follows the block. Outer blocks come later in the list: backwards."""
    for element in reversed(elements):
        if element.inner is not None and element.inner.last is not None:
            element.inner.last.next = element.next
