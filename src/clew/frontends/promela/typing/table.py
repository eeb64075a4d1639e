"""The types of a model as a table and as a graph."""

from __future__ import annotations

from clew.core.typed_names import TypedName, TypeGraph, TypeTable
from clew.frontends.promela.typing.infer import Typing
from clew.frontends.promela.typing.symbols import Symbol


def type_table(typing: Typing) -> TypeTable:
    rows = {
        (s.span, s.name): TypedName(s.name, s.role, s.owner, typing.text(s), s.span)
        for s in typing.symbols
        if s.role != "constant"
    }
    names = sorted(rows.values(), key=lambda row: (row.span.file, row.span.line, row.span.column))
    return TypeTable(tuple(names), _graph(typing))


def _graph(typing: Typing) -> TypeGraph:
    """One node for each type of channel, with the names that have it; edges lead to the channels in its messages."""
    notation = typing.notation
    holders: dict[int, list[str]] = {}
    for symbol, node in typing.channels:
        found = holders.setdefault(notation.number(node), [])
        if _full_name(symbol) not in found:
            found.append(_full_name(symbol))
    shown = notation.channels_below(holders)
    place = {number: position for position, number in enumerate(shown)}
    parts = [
        (place[number], place[child], str(slot + 1))
        for number in shown
        for slot, child in enumerate(notation.parts(number))
        if child in place
    ]
    return TypeGraph(
        tuple((notation.written(number), tuple(holders.get(number, ()))) for number in shown), tuple(parts)
    )


def _full_name(symbol: Symbol) -> str:
    return f"{symbol.owner}.{symbol.name}" if symbol.owner else symbol.name
