"""The names of a relational model for editors: what is declared at the outermost level, and where it is mentioned.

Names that are also declared inside something (parameters, quantified variables) are not followed."""

from __future__ import annotations

from clew.core.diagnostics import DiagnosticBag, InputError
from clew.core.outline import Definition, EntityKind, Outline
from clew.frontends.relational.lexer import Token, tokens
from clew.frontends.relational.parser import parse
from clew.frontends.relational.syntax import (
    Declaration,
    EnumDecl,
    FuncDecl,
    Model,
    ParamDecl,
    ProcDecl,
    TypeForm,
    VarDecl,
)


def outline_of(path: str, text: str) -> Outline:
    bag = DiagnosticBag()
    found = tokens(text, path, bag)
    try:
        model = parse(text, path, bag)
    except (InputError, RecursionError):
        model = Model(())
    sizes = {d.name for d in model.declarations if isinstance(d, ParamDecl)}  # `{N}` is N values, not one called N
    definitions = [
        d
        for declaration in model.declarations
        for d in _declared(declaration, found)
        if not (d.kind == "constant" and d.name in sizes)
    ]
    names: dict[str, list[int]] = {}
    for number, definition in enumerate(definitions):
        names.setdefault(definition.name, []).append(number)
    inner = {name for declaration in model.declarations for name in _inner(declaration)}
    places = {definition.span for definition in definitions}
    uses = [(definition.span, number) for number, definition in enumerate(definitions)]
    for token in found:
        meant = names.get(token.text, ())
        if token.kind == "name" and len(meant) == 1 and token.text not in inner and token.span not in places:
            uses.append((token.span, meant[0]))
    return Outline(definitions, uses)


def _declared(declaration: Declaration, found: list[Token]) -> list[Definition]:
    match declaration:
        case EnumDecl(name, labels, _, span):
            known = [Definition(name, "type", span, span.line, "", "enum")]
            return known + [Definition(label, "constant", at, at.line, "", name) for label, at in labels]
        case ParamDecl(name, value, span):
            return [Definition(name, "parameter", span, span.line, "", f"param = {value}")]
        case VarDecl(form, names):
            return [Definition(name, "variable", span, span.line, "", _written(form)) for name, span in names]
        case FuncDecl() | ProcDecl():
            kind: EntityKind = "procedure"
            last = _last_line(declaration.span.line, declaration.span.column, found)
            parameters = ", ".join(f"{_written(p.type)} {p.name}" for p in declaration.parameters)
            return [Definition(declaration.name, kind, declaration.span, last, "", f"({parameters})")]
        case _:
            return []


def _inner(declaration: Declaration) -> set[str]:
    """Names that are declared somewhere inside."""
    found: set[str] = set()
    stack: list[object] = [declaration]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack.extend(node)
            continue
        if not hasattr(node, "__dataclass_fields__"):
            continue
        if type(node).__name__ in ("Parameter", "DeclareForm", "ForeachForm", "Binding"):
            names = getattr(node, "names", ()) or (getattr(node, "name", ""),)
            found.update(name if isinstance(name, str) else name[0] for name in names)
        stack.extend(getattr(node, field) for field in node.__dataclass_fields__)
    return found


def _last_line(line: int, column: int, found: list[Token]) -> int:
    """Of the first block behind a place."""
    depth, last = 0, line
    for token in found:
        if (token.span.line, token.span.column) < (line, column):
            continue
        last = token.span.line
        depth += 1 if token.is_("{") else -1 if token.is_("}") else 0
        if depth == 0 and token.is_("}", ";"):
            break
    return last


def _written(form: TypeForm) -> str:
    text = "set " if form.is_set else ""
    text += form.scalars[0].name
    for multiplicity, scalar in zip(form.multiplicities, form.scalars[1:], strict=True):
        text += f" -> {'' if multiplicity == 'set' else multiplicity + ' '}{scalar.name}"
    return text
