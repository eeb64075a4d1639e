"""The names of a model in Python for editors, read from its syntax: nothing of it is run.

A name of the module is followed into functions that do not bind it themselves."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from clew.core.diagnostics import Span
from clew.core.outline import Definition, EntityKind, Outline

Function = ast.FunctionDef | ast.AsyncFunctionDef


def outline_of(path: str, text: str) -> Outline:
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Outline((), ())
    lines = text.splitlines()
    definitions: list[Definition] = []
    numbers: dict[str, int] = {}
    for statement in module.body:
        for definition in _declared(statement, path, lines):
            if definition.name not in numbers:
                numbers[definition.name] = len(definitions)
                definitions.append(definition)
    uses = {definition.span: number for number, definition in enumerate(definitions)}
    for name in _mentions(module, frozenset()):
        span = Span(path, name.lineno, _column(lines, name), len(name.id))
        if name.id in numbers:
            uses.setdefault(span, numbers[name.id])
    return Outline(definitions, uses.items())


def _declared(statement: ast.stmt, path: str, lines: list[str]) -> Iterator[Definition]:
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name != "_":
            decorators = [_decorator(d) for d in statement.decorator_list]
            kind: EntityKind = "property" if "invariant" in decorators else "procedure"
            arguments = f"({', '.join(ast.unparse(a) for a in statement.args.args)})"
            yield _named(name, kind, statement, path, lines, " ".join([*(f"@{d}" for d in decorators if d), arguments]))
        case ast.ClassDef(name=name):
            yield _named(name, "type", statement, path, lines, "class")
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                if isinstance(target, ast.Name):
                    yield _variable(target, ast.unparse(value), path, lines)
        case ast.AnnAssign(target=ast.Name() as target, annotation=annotation):
            yield _variable(target, ast.unparse(annotation), path, lines)
        case _:
            return


def _variable(target: ast.Name, text: str, path: str, lines: list[str]) -> Definition:
    span = Span(path, target.lineno, _column(lines, target), len(target.id))
    kind: EntityKind = "parameter" if text.startswith("parameter(") else "variable"
    return Definition(target.id, kind, span, target.lineno, "", text if len(text) <= 60 else text[:59] + "…")


def _named(
    name: str, kind: EntityKind, node: Function | ast.ClassDef, path: str, lines: list[str], type_: str
) -> Definition:
    line = lines[node.lineno - 1]
    column = line.find(name, node.col_offset) + 1
    return Definition(name, kind, Span(path, node.lineno, column, len(name)), node.end_lineno or node.lineno, "", type_)


def _decorator(node: ast.expr) -> str:
    while isinstance(node, ast.Call):
        node = node.func
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _mentions(node: ast.AST, bound: frozenset[str]) -> Iterator[ast.Name]:
    """Names that mean something of the module."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Name):
            if child.id not in bound:
                yield child
        elif isinstance(child, Function | ast.Lambda):
            yield from _mentions(child, bound | _bound_in(child))
        else:
            yield from _mentions(child, bound)


def _bound_in(function: Function | ast.Lambda) -> set[str]:
    arguments = function.args
    names = {a.arg for a in (*arguments.args, *arguments.posonlyargs, *arguments.kwonlyargs)}
    names |= {a.arg for a in (arguments.vararg, arguments.kwarg) if a is not None}
    outer: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            outer.update(node.names)
    return names - outer


def _column(lines: list[str], node: ast.expr) -> int:
    """Python counts columns in bytes of UTF-8."""
    line = lines[node.lineno - 1] if node.lineno <= len(lines) else ""
    return len(line.encode()[: node.col_offset].decode(errors="replace")) + 1
