"""What is suspicious in a Promela text, found in its syntax: one-sided channels, variables that only take values,
constant assertions, `else` beside a look into a channel, and loops that wait for messages without an `end` label."""

from __future__ import annotations

from collections.abc import Iterator

from clew.core.diagnostics import Diagnostic, Severity, Span
from clew.frontends.promela import syntax as ast
from clew.frontends.promela.features import children

NEVER_READ, NEVER_WRITTEN = "promela-never-received", "promela-never-sent"
CONSTANT_ASSERTION, ELSE_POLL, MISSING_END = "promela-constant-assertion", "promela-else-poll", "promela-missing-end"


def suspicious(model: ast.Model) -> list[Diagnostic]:
    """Warnings about a whole text."""
    found: list[Diagnostic] = []
    found.extend(_one_sided(model))
    for unit in model.units:
        if isinstance(unit, ast.Proctype):
            found.extend(_in_body(unit))
            found.extend(_missing_end(unit))
    return list({(d.code, d.span): d for d in found}.values())  # an inline body is met with each call


def _warning(code: str, message: str, span: Span, hint: str) -> Diagnostic:
    return Diagnostic(Severity.WARNING, code, message, span, hint)


def nodes_in(node: object) -> Iterator[object]:
    """The node and all syntax nodes inside it."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(children(current))


# --- channels that are only sent to, or only received from --------------------------------------------------------


def _one_sided(model: ast.Model) -> Iterator[Diagnostic]:
    """Of global channels that are nowhere passed on: whoever holds a channel elsewhere might use it."""
    sent: set[str] = set()
    received: set[str] = set()
    passed: set[str] = set()
    for unit in model.units:
        if isinstance(unit, (ast.CCode, ast.CDecl, ast.CState)):
            return
        if isinstance(unit, ast.InlineDef):  # calls have been expanded; what nobody calls does nothing
            continue
        for node in nodes_in(unit):
            match node:
                case ast.CCode() | ast.CExpr():
                    return
                case ast.Send(channel, args):
                    sent.add(channel.name)
                    passed.update(_names(args))
                case ast.Receive(channel, args) | ast.Poll(channel, args):
                    received.add(channel.name)
                    passed.update(_names(args))
                case ast.Run(_, args):
                    passed.update(_names(args))
                case ast.Assign(target, value):
                    passed.update(_names((target, value)))
                case ast.ForIn(_, container):
                    received.add(container.name)
                case ast.Binary(_, left, right):
                    passed.update(_names((left, right)))
                case ast.Declarator(init=ast.Ref() as value):
                    passed.update(_names((value,)))
                case _:
                    pass
    for unit in model.units:
        if not isinstance(unit, ast.VarDecl) or unit.type != "chan":
            continue
        for item in unit.declarators:
            if item.name in passed or not isinstance(item.init, ast.ChannelInit):
                continue
            if item.name in sent and item.name not in received:
                hint = "a process that sends to it waits for ever once it is full"
                yield _warning(NEVER_READ, f"nothing is received from channel '{item.name}'", item.span, hint)
            elif item.name in received and item.name not in sent:
                hint = "a process that receives from it waits for ever"
                yield _warning(NEVER_WRITTEN, f"nothing is sent to channel '{item.name}'", item.span, hint)


def _names(args: tuple[ast.Expr | ast.Eval, ...]) -> Iterator[str]:
    for arg in args:
        if isinstance(arg, ast.Eval):
            arg = arg.value
        if isinstance(arg, ast.Ref):
            yield arg.name
        elif isinstance(arg, ast.Conditional):
            yield from _names((arg.then, arg.other))


# --- assertions and else ------------------------------------------------------------------------------------------


def _in_body(unit: ast.Proctype) -> Iterator[Diagnostic]:
    for node in nodes_in(unit):
        match node:
            case ast.Assert(value, span):
                known = constant(value)
                if known:
                    yield _warning(CONSTANT_ASSERTION, "this assertion always holds", span, "assert what may fail")
                elif known == 0 and not isinstance(value, ast.Number):
                    hint = "assert(false) says so plainly"
                    yield _warning(CONSTANT_ASSERTION, "this assertion always fails", span, hint)
            case ast.If(options) | ast.Do(options):
                yield from _else_poll(options)
            case _:
                pass


def constant(node: ast.Expr) -> int | None:
    """The value of an expression without variables. Division by zero has none."""
    match node:
        case ast.Number(value):
            return value
        case ast.Unary("!", operand):
            inner = constant(operand)
            return None if inner is None else int(not inner)
        case ast.Unary("-", operand):
            inner = constant(operand)
            return None if inner is None else -inner
        case ast.Binary("&&" | "||" as op, left, right):
            values = (constant(left), constant(right))
            decisive = 0 if op == "&&" else 1
            if any(v is not None and bool(v) == bool(decisive) for v in values):
                return decisive
            return None if None in values else 1 - decisive
        case ast.Binary("==" | "<=" | ">=", ast.Ref() as left, ast.Ref() as right) if _same(left, right):
            return 1
        case ast.Binary(op, left, right):
            a, b = constant(left), constant(right)
            return None if a is None or b is None else _computed(op, a, b)
        case _:
            return None


def _computed(op: str, a: int, b: int) -> int | None:
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "==":
            return int(a == b)
        case "!=":
            return int(a != b)
        case "<":
            return int(a < b)
        case "<=":
            return int(a <= b)
        case ">":
            return int(a > b)
        case ">=":
            return int(a >= b)
        case _:
            return None


def _same(left: ast.Ref, right: ast.Ref) -> bool:
    return left.name == right.name and all(r.index is None and r.field is None for r in (left, right))


def _else_poll(options: tuple[ast.Option, ...]) -> Iterator[Diagnostic]:
    """Spin calls it dubious: whether `else` can be taken then depends on the contents of a channel."""
    otherwise = next((o.body[0] for o in options if o.body and isinstance(first_statement(o.body[0]), ast.Else)), None)
    if otherwise is None:
        return
    for option in options:
        first = first_statement(option.body[0]) if option.body else None
        looks = isinstance(first, (ast.Send, ast.Receive)) or (
            isinstance(first, ast.Condition) and any(isinstance(n, ast.Poll) for n in nodes_in(first.value))
        )
        if looks:
            message = "'else' stands beside an option that depends on the contents of a channel"
            hint = "the option is skipped whenever the message has not come yet; wait for it, or use 'timeout'"
            yield _warning(ELSE_POLL, message, otherwise.span, hint)
            return


def first_statement(item: ast.Item) -> ast.Item | None:
    """What an option begins with, without labels and braces."""
    while isinstance(item, (ast.Labelled, ast.Block)):
        if isinstance(item, ast.Labelled):
            if item.statement is None:
                return None
            item = item.statement
        else:
            if not item.body:
                return None
            item = item.body[0]
    return item


# --- servers without an end label ---------------------------------------------------------------------------------


def _missing_end(unit: ast.Proctype) -> Iterator[Diagnostic]:
    """A loop that is never left, all of whose options start by waiting for a message: a server. It is at its valid end
    whenever nobody asks, but only an `end` label says so."""
    for item in unit.body:
        labels: list[str] = []
        while isinstance(item, ast.Labelled) and item.statement is not None:
            labels.append(item.label)
            item = item.statement
        if not isinstance(item, ast.Do) or any(label.startswith("end") for label in labels):
            continue
        firsts = [first_statement(option.body[0]) for option in item.options if option.body]
        waits = all(isinstance(first, ast.Receive) for first in firsts)
        leaves = any(isinstance(n, (ast.Break, ast.Goto)) for n in nodes_in(item))
        inside = any(isinstance(o.body[0], ast.Labelled) and o.body[0].label.startswith("end") for o in item.options)
        if waits and firsts and not leaves and not inside:
            message = (
                f"{unit.name} waits here for messages for ever, and is not at a valid end: suspected false deadlock"
            )
            yield _warning(MISSING_END, message, item.span, "put an end label before the loop, as in  end: do …")
