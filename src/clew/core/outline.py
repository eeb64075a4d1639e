"""What a language tells an editor about a text: its names, where they are declared and used.

A language implements `OutlinedLanguage` to be known to `clew lsp`; with that alone it has diagnostics, symbols,
definitions, references, completion and hovers. `TypedLanguage` gives better types. What more a language
can do is a protocol of its own: `RenamingLanguage` and `FormattedLanguage`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Literal, Protocol, runtime_checkable

from clew.core.diagnostics import Diagnostic, Span
from clew.core.records import record
from clew.core.registry import LoadOptions

EntityKind = Literal[
    "process", "procedure", "variable", "parameter", "field", "type", "constant", "label", "macro", "property"
]


@record
class Definition:
    """A declared name. `span`: the name where it is declared; `last`: the last line of what it names; `owner`: the
    process, procedure or type it belongs to, '' for a global; `type`: as declared, '' if there is none."""

    name: str
    kind: EntityKind
    span: Span
    last: int
    owner: str = ""
    type: str = ""


class Outline:
    """The names of a text. `uses`: every place of a name, declarations included, and the number of what it means."""

    def __init__(self, definitions: Iterable[Definition], uses: Iterable[tuple[Span, int]]) -> None:
        self.definitions = tuple(definitions)
        self.uses = tuple(sorted(uses, key=lambda use: (use[0].file, use[0].line, use[0].column)))
        self._order = [(span.file, span.line, span.column) for span, _ in self.uses]

    def at(self, file: str, line: int, column: int) -> tuple[Span, int] | None:
        """The name at a place, or just before it, and what it means."""
        number = bisect_right(self._order, (file, line, column)) - 1
        if number >= 0:
            span, meant = self.uses[number]
            if span.file == file and span.line == line and column <= span.column + span.length:
                return span, meant
        return None

    def places(self, number: int) -> list[Span]:
        """Where a definition is declared and used, in the order of the text."""
        return [span for span, meant in self.uses if meant == number]

    def visible(self, file: str, line: int) -> list[Definition]:
        """What can be named at a line: globals, and what belongs to the unit around it."""
        around = {d.name for d in self.definitions if d.span.file == file and d.span.line <= line <= d.last}
        return [d for d in self.definitions if (not d.owner or d.owner in around) and d.kind != "field"]


@runtime_checkable
class OutlinedLanguage(Protocol):
    """A language whose names an editor can know."""

    keywords: tuple[str, ...]

    def outline(self, path: str, text: str, options: LoadOptions) -> Outline:
        """As much as can be understood; never raises for bad input."""

    def at_a_glance(self, path: str, text: str, options: LoadOptions) -> tuple[Diagnostic, ...]:
        """What `lint` says, as far as nothing of the text has to be run: it may be half typed."""


@runtime_checkable
class RenamingLanguage(Protocol):
    """A language whose names can be changed without changing what a text means."""

    def renamed(self, path: str, before: str, after: str, old: str, new: str, options: LoadOptions) -> str:
        """Why `after`, which is `before` with a name replaced, is not the same model; '' if it is."""


@runtime_checkable
class FormattedLanguage(Protocol):
    def formatted(self, text: str) -> str:
        """The text, laid out by rule: only white space differs."""
