"""What a Promela text says that is almost certainly meant in another way: `=` for `==` at the start of an option, and
an `else` that begins no option. Both are accepted and change what the model does, so a check says it, too."""

from __future__ import annotations

from collections.abc import Iterator

from clew.core.diagnostics import Diagnostic, Severity, Span
from clew.frontends.promela import syntax as ast
from clew.frontends.promela.suspicious import first_statement, nodes_in

ASSIGNING_GUARD, STRAY_ELSE = "promela-assigning-guard", "promela-stray-else"


def mistakes(model: ast.Model) -> list[Diagnostic]:
    """Warnings about a whole text."""
    found: list[Diagnostic] = []
    for unit in model.units:
        if isinstance(unit, ast.Proctype):
            nodes = list(nodes_in(unit))
            choices = [node.options for node in nodes if isinstance(node, (ast.If, ast.Do))]
            found.extend(d for options in choices for d in _assigning_guards(options))
            guards = {id(first_statement(o.body[0])) for options in choices for o in options if o.body}
            found.extend(_stray_else(n.span) for n in nodes if isinstance(n, ast.Else) and id(n) not in guards)
    return list({(d.code, d.span): d for d in found}.values())  # an inline body is met with each call


def _assigning_guards(options: tuple[ast.Option, ...]) -> Iterator[Diagnostic]:
    """Where another option compares the same variable with a number, or is an `else`, which then never comes. An
    assignment beside others that do not look at it is a choice of values."""
    firsts = [first_statement(option.body[0]) for option in options if option.body]
    otherwise = any(isinstance(first, ast.Else) for first in firsts)
    tested = {_compared(first.value) for first in firsts if isinstance(first, ast.Condition)}
    for first in firsts:
        if isinstance(first, ast.Assign) and first.form == "=" and (otherwise or first.target.name in tested):
            message = f"this option assigns to '{first.target.name}' and is always possible"
            yield Diagnostic(Severity.WARNING, ASSIGNING_GUARD, message, first.span, "'=' assigns; use '==' to compare")


def _compared(test: ast.Expr) -> str | None:
    """The variable that is compared with a number, and nothing else."""
    match test:
        case ast.Binary("==" | "!=" | "<" | "<=" | ">" | ">=", ast.Ref(index=None) as left, ast.Number()):
            return left.name
        case _:
            return None


def _stray_else(span: Span) -> Diagnostic:
    hint = "an option begins with '::', as in :: else -> …"
    return Diagnostic(Severity.WARNING, STRAY_ELSE, "this 'else' begins no option and does nothing", span, hint)
