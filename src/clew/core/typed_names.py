"""What a language knows of the types of names, in a form that any language can give and any report can show."""

from __future__ import annotations

from clew.core.diagnostics import Span
from clew.core.records import record


@record
class TypedName:
    """A declared name with its type. `owner`: the process or type it belongs to, '' for a global."""

    name: str
    role: str
    owner: str
    type: str
    span: Span


@record
class TypeGraph:
    """Types that refer to each other. `types`: the text of each, with the names that have it; `parts`: type, the type
    of a part of it, and which part."""

    types: tuple[tuple[str, tuple[str, ...]], ...]
    parts: tuple[tuple[int, int, str], ...]


@record
class TypeTable:
    """All names of a model in the order of the text, and how the types of its channels hang together."""

    names: tuple[TypedName, ...]
    graph: TypeGraph
