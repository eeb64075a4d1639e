"""Basic statements of Promela to core statements, with the facts the optimisations ask about each.

`global_reference` follows sheet 35, 1.2: subscripts are not looked at, channels are global unless claimed by xr/xs.
When verdicts are asked for (`sound`), subscripts count and claims are not believed.
"""

from __future__ import annotations

from clew.core import expressions as core
from clew.core import statements as stmt
from clew.core import types
from clew.frontends.promela import syntax as ast
from clew.frontends.promela import unparse
from clew.frontends.promela.elements import Element, Form
from clew.frontends.promela.names import Names
from clew.frontends.promela.translate import ZERO, Translator


class BasicStatements:
    """Translates basic statements in the current scope."""

    def __init__(
        self,
        names: Names,
        translate: Translator,
        lossy: bool = False,
        sound: bool = False,
        pid_is_global: bool = False,
    ) -> None:
        self.names = names
        self.translate = translate
        self.lossy = lossy
        self.sound = sound
        self.pid_is_global = pid_is_global
        self.starts: list[tuple[ast.Run, int]] = []  # run expressions and how many arguments they pass
        self.unsafe_to_run: set[str] = set()  # proctypes whose creation may look at globals

    def form(self, node: ast.Statement) -> Form:
        match node:
            case ast.Condition(ast.Run()):
                return "run"
            case ast.Condition():
                return "condition"
            case ast.Assign():
                return "assign"
            case ast.Send():
                return "send"
            case ast.Receive():
                return "receive"
            case ast.Else():
                return "else"
            case ast.Assert():
                return "assert"
            case ast.Printf() | ast.Printm():
                return "print"
            case ast.SetPriority():
                return "set_priority"
            case ast.CCode():
                return "c_code"
            case _:
                raise TypeError(f"not a basic statement: {node!r}")

    def statement(self, node: ast.Statement) -> stmt.Statement:
        match node:
            case ast.Condition(ast.Run() as run, span):
                return self._start(run, None)
            case ast.Condition(value, span):
                return stmt.Guard(self.translate(value), span)
            case ast.Assign():
                return self._assign(node)
            case ast.Send(channel, args, ordered, span):
                return stmt.Send(
                    self.translate.channel(channel, strict=True),
                    self.translate.arguments(args),
                    ordered,
                    self.lossy,
                    span,
                )
            case ast.Receive(channel, args, anywhere, keep, span):
                pattern = self.translate.pattern(args)
                self._check_bound_once(pattern, node)
                return stmt.Receive(self.translate.channel(channel, strict=True), pattern, anywhere, keep, span)
            case ast.Else(span):
                return stmt.Otherwise(span)
            case ast.Assert(value, span):
                return stmt.Assert(self.translate(value), span)
            case ast.Printf(fmt, args, span):
                return stmt.Print(fmt, tuple(self.translate(a) for a in args), span)
            case ast.Printm(value, span):
                return stmt.Print("%e", (self.translate(value),), span)
            case ast.SetPriority(pid, value, span):
                return stmt.SetPriority(self.translate(pid), self.translate(value), span)
            case ast.CCode(text, precondition, span):
                return stmt.ForeignCode(text, precondition, span)
            case _:
                raise TypeError(f"not a basic statement: {node!r}")

    def _assign(self, node: ast.Assign) -> stmt.Statement:
        bag = self.names.bag
        if node.target.name in ("_pid", "_nr_pr", "_last", "_p") and self.names.lookup(node.target.name) is None:
            bag.error(node.span, "promela-internal", f"'{node.target.name}' cannot be assigned to")
            return stmt.Guard(core.TRUE, node.span)
        if node.target.name == "_priority":
            return stmt.SetPriority(core.Own("pid"), self.translate(node.value), node.span)
        if node.target.name == "_":
            return stmt.Guard(core.TRUE, node.span)
        target = self.translate.place(node.target)
        if isinstance(node.value, ast.Run):
            return self._start(node.value, target)
        value = self.translate(node.value)
        if target is None:
            return stmt.Guard(core.TRUE, node.span)
        self.check_assignment(target, node.value)
        if not types.is_scalar(target.type):
            bag.error(node.span, "promela-type", f"cannot assign to '{unparse.expression(node.target)}' as a whole")
        if isinstance(target.type, types.ChannelRef) and node.form != "=":
            bag.error(node.span, "promela-type", "arithmetic on a channel")
        return stmt.Assign(target, value, node.span)

    def check_assignment(self, target: core.Ref, value: ast.Expr) -> None:
        """Channels are assigned, not computed with: no constant to a chan, no arithmetic on a chan name."""
        if any(isinstance(part, str) for part in target.path):
            return  # fields of records are not checked, as in Spin
        constant = isinstance(value, ast.Number) or (isinstance(value, ast.Ref) and value.name in self.names.constants)
        if isinstance(target.type, types.ChannelRef) and constant:
            self.names.bag.error(value.span, "promela-type", "a channel cannot be assigned a constant")
        if isinstance(value, ast.Ref) and value.name in self.names.constants:
            kind = self.names.constants[value.name][1]
            known = self.names.mtype_of.setdefault(target.variable, kind)
            if known != kind:
                message = f"'{target.variable.name}' is of mtype '{known}', '{value.name}' is of mtype '{kind}'"
                self.names.bag.error(value.span, "promela-type", message)
        for operand in _operands(value):
            variable = self.names.lookup(operand.name)
            if variable is not None and isinstance(variable.type, types.ChannelRef):
                self.names.bag.error(operand.span, "promela-type", f"channel '{operand.name}' used in arithmetic")

    def _start(self, run: ast.Run, target: core.Ref | None) -> stmt.Start:
        args = self.translate.arguments(run.args)
        self.starts.append((run, len(args)))
        return stmt.Start(run.name, args, target, run.priority, run.span)

    def _check_bound_once(self, pattern: core.Pattern, node: ast.Receive) -> None:
        plain = [
            item.target.variable
            for item in pattern
            if isinstance(item, core.Bind) and item.target and not item.target.path
        ]
        for variable in plain:
            if plain.count(variable) > 1:
                self.names.bag.error(node.span, "promela-receive", f"'{variable.name}' is received into twice")
                return

    def declaration(self, variable: core.Variable, item: ast.Declarator) -> stmt.Statement:
        """The step of a declaration behind the first statement: the initial value, or 0; of an array element 0 only."""
        match variable.type:
            case types.Record():
                return stmt.Guard(core.TRUE, item.span)
            case types.Array(types.Record()):
                return stmt.Guard(core.TRUE, item.span)
            case types.Array():
                target = core.Ref(variable, (ZERO,))
            case _:
                target = core.Ref(variable)
        match item.init:
            case None | ast.ChannelInit():
                value: core.Expr = ZERO
            case ast.ArrayInit(values):
                value = self.translate(values[0])
            case init:
                value = self.translate(init)
        return stmt.Assign(target, value, item.span)

    def exclusive_use(self, node: ast.ExclusiveUse) -> None:
        for channel in node.channels:
            ref = self.translate.place(channel)
            if ref is None:
                continue
            if not isinstance(ref.type, types.ChannelRef):
                self.names.bag.error(node.span, "promela-type", f"{node.kind} of '{channel.name}', which is no channel")
                continue
            self.names.exclusive.setdefault(ref.variable, set()).add(node.kind)

    def analyse(self, element: Element, node: ast.Statement | None) -> None:
        """Fills in which plain scalar locals the statement reads and writes."""
        assert element.statement is not None
        reads: list[core.Variable] = []
        writes: list[core.Variable] = []
        for expr in _read_expressions(element.statement):
            _collect_reads(expr, reads)
        for target in written(element.statement):
            if not target.path:
                writes.append(target.variable)
            for index in core.children(target):
                _collect_reads(index, reads)
        element.reads = tuple(dict.fromkeys(reads))
        element.writes = tuple(dict.fromkeys(writes))

    # --- global references ----------------------------------------------------------------------------------------

    def global_reference(self, statement: stmt.Statement) -> bool:
        """Whether the statement looks at or changes something other processes can see (once all text is read)."""
        match statement:
            case stmt.Guard(value) | stmt.Assert(value):
                return self._global(value)
            case stmt.Assign(target, value):
                return self._global(target) or self._global(value)
            case stmt.Start(template, _, target_or_none):
                return template in self.unsafe_to_run or (target_or_none is not None and self._global(target_or_none))
            case stmt.Print(_, args):
                return any(self._global(a) for a in args)
            case stmt.Send(channel, args):
                return any(self._global(a) for a in args) or not self._claimed(channel, "xs")
            case stmt.Receive(channel, pattern):
                return self._pattern(pattern) or not self._claimed(channel, "xr")
            case stmt.SetPriority():
                return True
            case stmt.ForeignCode(text):
                return self.sound or _foreign_is_global(text)
            case _:
                return False

    def _pattern(self, pattern: core.Pattern) -> bool:
        for item in pattern:
            match item:
                case core.Match(value) if self._global(value):
                    return True
                case core.Bind(target) if target is not None and self._global(target):
                    return True
        return False

    def _claimed(self, channel: core.Expr, *claims: str) -> bool:
        if self.sound:
            return False
        held = self.names.exclusive.get(channel.variable, set()) if isinstance(channel, core.Ref) else set()
        return all(claim in held for claim in claims)

    def _global(self, expr: core.Expr) -> bool:
        match expr:
            case core.Own("pid") if self.pid_is_global:
                return True
            case core.Const() | core.Own():
                return False
            case core.Ref(variable) if self.sound:
                return variable.owner is None or any(self._global(index) for index in core.children(expr))
            case core.Ref(variable):
                return variable.owner is None and variable not in self.names.declared_local
            case core.Unary(_, operand):
                return self._global(operand)
            case core.Binary(_, left, right):
                return self._global(left) or self._global(right)
            case core.Conditional(test, then, other):
                return self._global(test) or self._global(then) or self._global(other)
            case core.Length(channel):
                return not self._claimed(channel, "xr", "xs")
            case core.Fill("nempty" | "full", channel):
                return not self._claimed(channel, "xr")
            case core.Fill(_, channel):
                return not self._claimed(channel, "xs")
            case core.Poll(channel, pattern):
                return self._pattern(pattern) or not self._claimed(channel, "xr", "xs")
            case core.Foreign(text):
                return self.sound or _foreign_is_global(text)
            case _:
                return True


def _operands(value: ast.Expr) -> list[ast.Ref]:
    """Names that are operands of an operator in an expression (not the expression itself, not subscripts)."""
    match value:
        case ast.Unary(_, operand):
            parts: tuple[ast.Expr, ...] = (operand,)
        case ast.Binary(_, left, right):
            parts = (left, right)
        case _:
            return []
    found = [p for p in parts if isinstance(p, ast.Ref)]
    return found + [name for part in parts for name in _operands(part)]


def _foreign_is_global(text: str) -> bool:
    return "now." in text or "(" in text[1:]


def written(statement: stmt.Statement) -> list[core.Ref]:
    """The places a basic statement stores into."""
    match statement:
        case stmt.Assign(target):
            return [target]
        case stmt.Receive(_, pattern):
            return [item.target for item in pattern if isinstance(item, core.Bind) and item.target is not None]
        case stmt.Start(_, _, target) if target is not None:
            return [target]
        case _:
            return []


def _read_expressions(statement: stmt.Statement) -> list[core.Expr]:
    stores = written(statement)
    return [e for e in stmt.expressions(statement) if not any(e is s for s in stores)]


def _collect_reads(expr: core.Expr, out: list[core.Variable]) -> None:
    for part in core.walk(expr):
        if isinstance(part, core.Ref) and not part.path and types.is_scalar(part.variable.type):
            out.append(part.variable)
