"""Facts about a whole Promela text that change how each part of it executes (sheet 35, section 0).

A scalar global that is never read is not stored; C code, remote references and `provided` switch optimisations off.
Local names cannot shadow global ones in Promela, so a name stands for one global throughout.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields

from clew.core.diagnostics import Span
from clew.frontends.promela import syntax as ast


@dataclass(slots=True)
class Features:
    """What occurs anywhere in the text, reachable or not."""

    read: set[str] = field(default_factory=set)  # names that occur in a reading position
    mentioned: set[str] = field(default_factory=set)  # names that occur at all
    foreign: bool = False  # any C fragment
    remote_variable: bool = False
    provided: bool = False
    priorities: bool = False
    priority_use: Span | None = None  # where one is read or set, other than by the word `priority`
    handshake_channel: bool = False
    unless: bool = False


def scan(model: ast.Model) -> Features:
    """Collects the features of a text in one walk over its syntax."""
    features = Features()
    for unit in model.units:
        if not isinstance(unit, ast.InlineDef):  # calls have been expanded; what nobody calls does nothing
            _node(unit, features)
    features.priorities = features.priorities or features.priority_use is not None
    return features


def _node(node: object, out: Features) -> None:
    match node:
        case ast.Ref():
            _reading(node, out)
            return
        case ast.Assign(target, value, form):
            _written(target, out)
            if form == "=":
                _node(value, out)
            return
        case ast.Printf(_, args):
            for arg in args:
                _mention(arg, out)
            return
        case ast.Printm(value):
            _mention(value, out)
            return
        case ast.Select(index, low, high, textual):
            wide = textual and isinstance(low, ast.Number) and isinstance(high, ast.Number)
            wide = wide and high.value - low.value > 32  # type: ignore[union-attr]
            if textual and not wide:
                _written(index, out)
            else:
                _reading(index, out)
            _node(low, out)
            _node(high, out)
            return
        case ast.Run(_, _, priority) if priority is not None:
            out.priorities = True
        case ast.Proctype(priority=priority, provided=provided):
            out.priorities = out.priorities or priority is not None
            out.provided = out.provided or provided is not None
        case ast.SetPriority(span=span) | ast.ProcessQuery("get_priority", span=span):
            _priority(span, out)
        case ast.CExpr() | ast.CCode() | ast.CDecl() | ast.CState():
            out.foreign = True
        case ast.RemoteVar():
            out.remote_variable = True
        case ast.ChannelInit(0):
            out.handshake_channel = True
        case ast.Unless():
            out.unless = True
        case _:
            pass
    for child in children(node):
        _node(child, out)


def _reading(ref: ast.Ref, out: Features) -> None:
    out.read.add(ref.name)
    _parts(ref, out)


def _written(ref: ast.Ref, out: Features) -> None:
    _parts(ref, out)


def _parts(ref: ast.Ref, out: Features) -> None:
    _mentioned(ref, out)
    if ref.index is not None:
        _node(ref.index, out)
    if ref.field is not None:
        field_ref = ref.field
        if field_ref.index is not None:
            _node(field_ref.index, out)
        while field_ref.field is not None:
            field_ref = field_ref.field
            if field_ref.index is not None:
                _node(field_ref.index, out)


def _mentioned(ref: ast.Ref, out: Features) -> None:
    out.mentioned.add(ref.name)
    if ref.name == "_priority":
        _priority(ref.span, out)


def _priority(span: Span, out: Features) -> None:
    out.priority_use = out.priority_use or span


def _mention(node: object, out: Features) -> None:
    """Walks an argument of a print: names in it count as mentioned, not as read."""
    if isinstance(node, ast.Ref):
        _mentioned(node, out)
    if isinstance(node, ast.RemoteVar):
        out.remote_variable = True
    if isinstance(node, ast.CExpr):
        out.foreign = True
    if isinstance(node, ast.ProcessQuery) and node.kind == "get_priority":
        _priority(node.span, out)
    for child in children(node):
        _mention(child, out)


def children(node: object) -> Iterator[object]:
    """The syntax nodes directly inside a node, whatever its kind."""
    for item in fields(node):  # type: ignore[arg-type]
        value = getattr(node, item.name)
        if hasattr(value, "span"):
            yield value
        elif isinstance(value, tuple):
            for element in value:
                if hasattr(element, "span"):
                    yield element
