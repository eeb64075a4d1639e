"""What a language says, as objects of the protocol. Lines and columns count from 0 there, and columns count the units
that were agreed upon with the editor (UTF-16, as a rule)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from lsprotocol import types as lsp
from pygls import uris

from clew.core.diagnostics import Diagnostic, Severity, Span
from clew.core.outline import Definition, FormattedLanguage, Outline, RenamingLanguage
from clew.core.registry import LoadOptions
from clew.editor.documents import Document
from clew.editor.runs import Finding

SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.NOTE: lsp.DiagnosticSeverity.Information,
}
SYMBOLS = {
    "process": lsp.SymbolKind.Class, "procedure": lsp.SymbolKind.Function, "variable": lsp.SymbolKind.Variable,
    "parameter": lsp.SymbolKind.Variable, "field": lsp.SymbolKind.Field, "type": lsp.SymbolKind.Struct,
    "constant": lsp.SymbolKind.EnumMember, "label": lsp.SymbolKind.Key, "macro": lsp.SymbolKind.Constant,
    "property": lsp.SymbolKind.Boolean,
}  # fmt: skip
COMPLETIONS = {
    "process": lsp.CompletionItemKind.Class, "procedure": lsp.CompletionItemKind.Function,
    "variable": lsp.CompletionItemKind.Variable, "parameter": lsp.CompletionItemKind.Variable,
    "field": lsp.CompletionItemKind.Field, "type": lsp.CompletionItemKind.Struct,
    "constant": lsp.CompletionItemKind.EnumMember, "label": lsp.CompletionItemKind.Reference,
    "macro": lsp.CompletionItemKind.Constant, "property": lsp.CompletionItemKind.Value,
}  # fmt: skip
CHECK, SIMULATE = "clew.check", "clew.simulate"
_FIELD = re.compile(r"([A-Za-z_]\w*)\s*(?:\[[^\[\]]*\]\s*)?\.\s*\w*\Z", re.ASCII)
_GOTO = re.compile(r"\bgoto\s+\w*\Z", re.ASCII)
Units = Callable[[str], int]


class Answers:
    """Answers about one document. `units`: how long a text is for the editor."""

    def __init__(self, document: Document, uri: str, options: LoadOptions, units: Units) -> None:
        self.document, self.uri, self.options, self.units = document, uri, options, units

    @property
    def outline(self) -> Outline:
        return self.document.outline(self.options)

    # --- places ---------------------------------------------------------------------------------------------------

    def range(self, span: Span) -> lsp.Range:
        line = max(span.line - 1, 0)
        here = span.file == self.document.path and line < len(self.document.lines)
        text = self.document.lines[line] if here else ""
        start, end = max(span.column - 1, 0), max(span.column - 1, 0) + max(span.length, 1)
        if here:
            start, end = self.units(text[:start]), self.units(text[:end])
        return lsp.Range(lsp.Position(line, start), lsp.Position(line, end))

    def location(self, span: Span) -> lsp.Location:
        return lsp.Location(self.uri_of(span.file), self.range(span))

    def uri_of(self, file: str) -> str:
        if file == self.document.path or not file:
            return self.uri
        return uris.from_fs_path(str(Path(file).absolute())) or self.uri

    def column(self, position: lsp.Position) -> int:
        """The column of a position, counted from 1 in characters."""
        text = self.document.lines[position.line] if position.line < len(self.document.lines) else ""
        units = 0
        for number, character in enumerate(text):
            if units >= position.character:
                return number + 1
            units += self.units(character)
        return len(text) + 1

    def meant(self, position: lsp.Position) -> tuple[Span, int] | None:
        return self.outline.at(self.document.path, position.line + 1, self.column(position))

    # --- diagnostics ----------------------------------------------------------------------------------------------

    def diagnostics(self, found: Iterable[Diagnostic]) -> dict[str, list[lsp.Diagnostic]]:
        """By document; the one that is edited is always there."""
        result: dict[str, list[lsp.Diagnostic]] = {self.uri: []}
        for one in found:
            related = [lsp.DiagnosticRelatedInformation(self.location(span), text) for span, text in one.related]
            message = f"{one.message}\n{one.hint}" if one.hint else one.message
            result.setdefault(self.uri_of(one.span.file), []).append(
                lsp.Diagnostic(
                    self.range(one.span), message, SEVERITIES[one.severity], one.code, source="clew",
                    tags=[lsp.DiagnosticTag.Unnecessary] if one.code.endswith(("-unused", "-unreachable")) else None,
                    related_information=related or None,
                )
            )  # fmt: skip
        return result

    def findings(self, found: Iterable[Finding]) -> dict[str, list[lsp.Diagnostic]]:
        """What a check or simulation found, with the lines of the counterexample."""
        result: dict[str, list[lsp.Diagnostic]] = {}
        for one in found:
            steps = [lsp.DiagnosticRelatedInformation(self.location(span), text) for span, text in one.steps]
            result.setdefault(self.uri_of(one.span.file), []).append(
                lsp.Diagnostic(
                    self.range(one.span), one.message, lsp.DiagnosticSeverity.Error, one.property,
                    source="clew check", related_information=steps,
                )
            )  # fmt: skip
        return result

    # --- names ----------------------------------------------------------------------------------------------------

    def hover(self, position: lsp.Position) -> lsp.Hover | None:
        found = self.meant(position)
        if found is None:
            return None
        span, number = found
        definition = self.outline.definitions[number]
        inferred = self.document.type_of(definition)
        lines = [f"```\n{self._headline(definition, inferred)}\n```"]
        if inferred != definition.type and definition.type:
            lines.append(f"declared as `{definition.type}`")
        if definition.span.file != self.document.path or definition.span.line != span.line:
            place = "" if definition.span.file == self.document.path else f"{Path(definition.span.file).name}, "
            lines.append(f"{place}line {definition.span.line}")
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, "\n\n".join(lines)), self.range(span))

    def _headline(self, definition: Definition, inferred: str) -> str:
        name = f"{definition.owner}.{definition.name}" if definition.owner else definition.name
        return f"{definition.kind} {name}: {inferred}" if inferred else f"{definition.kind} {name}"

    def definition(self, position: lsp.Position) -> lsp.Location | None:
        found = self.meant(position)
        return None if found is None else self.location(self.outline.definitions[found[1]].span)

    def references(self, position: lsp.Position, with_declaration: bool) -> list[lsp.Location]:
        found = self.meant(position)
        if found is None:
            return []
        declared = self.outline.definitions[found[1]].span
        return [self.location(s) for s in self.outline.places(found[1]) if with_declaration or s != declared]

    def symbols(self) -> list[lsp.DocumentSymbol]:
        """What is declared in this text: globals, and below them what belongs to them."""
        mine = [d for d in self.outline.definitions if d.span.file == self.document.path]
        globals_ = {d.name: self._symbol(d) for d in mine if not d.owner}
        inner: dict[str, list[lsp.DocumentSymbol]] = {}
        for definition in mine:
            if definition.owner in globals_:
                inner.setdefault(definition.owner, []).append(self._symbol(definition))
        for name, symbol in globals_.items():
            symbol.children = inner.get(name)
        return list(globals_.values())

    def _symbol(self, definition: Definition) -> lsp.DocumentSymbol:
        place = self.range(definition.span)
        end = place.end
        if definition.last > definition.span.line:
            line = min(definition.last, len(self.document.lines)) - 1
            end = lsp.Position(line, self.units(self.document.lines[line]))
        whole = lsp.Range(lsp.Position(place.start.line, 0), end)
        kind = SYMBOLS[definition.kind]
        return lsp.DocumentSymbol(definition.name, kind, whole, place, self.document.type_of(definition) or None)

    def completion(self, position: lsp.Position) -> list[lsp.CompletionItem]:
        line = self.document.lines[position.line] if position.line < len(self.document.lines) else ""
        before = line[: self.column(position) - 1]
        field, goto = _FIELD.search(before), _GOTO.search(before)
        known: Iterable[Definition]
        if field is not None:
            known = self._fields(position.line + 1, field.start(1) + 1)
        else:
            visible = self.outline.visible(self.document.path, position.line + 1)
            known = [d for d in visible if (d.kind == "label") == (goto is not None)]
        items = {
            d.name: lsp.CompletionItem(d.name, kind=COMPLETIONS[d.kind], detail=self.document.type_of(d) or d.kind)
            for d in known
        }
        if field is None and goto is None:
            for word in self.document.keywords:
                items.setdefault(word, lsp.CompletionItem(word, kind=lsp.CompletionItemKind.Keyword))
        return list(items.values())

    def _fields(self, line: int, column: int) -> list[Definition]:
        """Of what is named there."""
        found = self.outline.at(self.document.path, line, column)
        if found is None:
            return []
        type_ = self.outline.definitions[found[1]].type.partition("[")[0]
        return [d for d in self.outline.definitions if d.kind == "field" and d.owner == type_]

    # --- changes --------------------------------------------------------------------------------------------------

    def renameable(self, position: lsp.Position) -> lsp.Range | None:
        found = self.meant(position)
        if found is None or not isinstance(self.document.language, RenamingLanguage):
            return None
        return self.range(found[0])

    def renamed(self, position: lsp.Position, new: str) -> lsp.WorkspaceEdit | str:
        """The edits, or why not. A model that would not be the same but for the name is not made."""
        found, language = self.meant(position), self.document.language
        if found is None:
            return "there is no name here"
        if not isinstance(language, RenamingLanguage):
            return "names are not changed in this language"
        old = self.outline.definitions[found[1]].name
        places = self.outline.places(found[1])
        elsewhere = sorted({Path(span.file).name for span in places if span.file != self.document.path})
        if elsewhere:
            return f"'{old}' is also used in {', '.join(elsewhere)}: it is not changed there"
        if new == old:
            return lsp.WorkspaceEdit({self.uri: []})
        clash = self._clash(self.outline.definitions[found[1]], new)
        if clash is not None:
            return f"'{new}' is already declared in line {clash.span.line}"
        after = _replaced(self.document.lines, places, new)
        wrong = language.renamed(self.document.path, self.document.text, after, old, new, self.options)
        if wrong:
            return wrong
        return lsp.WorkspaceEdit({self.uri: [lsp.TextEdit(self.range(span), new) for span in places]})

    def _clash(self, definition: Definition, new: str) -> Definition | None:
        """What could be mistaken for it under its new name: a name of the same owner, a global, or for a global any."""
        for other in self.outline.definitions:
            if other.name == new and (not definition.owner or not other.owner or other.owner == definition.owner):
                return other
        return None

    def formatted(self) -> list[lsp.TextEdit]:
        """One edit for the whole text, none if it is laid out already."""
        language = self.document.language
        if not isinstance(language, FormattedLanguage):
            return []
        after = language.formatted(self.document.text)
        if after == self.document.text:
            return []
        last = len(self.document.lines)
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(last, 0))
        return [lsp.TextEdit(whole, after)]

    # --- lenses ---------------------------------------------------------------------------------------------------

    def lenses(self) -> list[lsp.CodeLens]:
        """Above the text for everything in it, above a property for that alone."""
        if self.document.language is None:
            return []
        top = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
        found = [
            lsp.CodeLens(top, lsp.Command("check", CHECK, arguments=[self.uri, ""])),
            lsp.CodeLens(top, lsp.Command("simulate", SIMULATE, arguments=[self.uri])),
        ]
        for definition in self.outline.definitions:
            named = definition.kind == "property" and definition.name not in self.document.keywords
            if named and definition.span.file == self.document.path:
                command = lsp.Command(f"check {definition.name}", CHECK, arguments=[self.uri, definition.name])
                found.append(lsp.CodeLens(self.range(definition.span), command))
        return found


def _replaced(before: Sequence[str], places: Sequence[Span], new: str) -> str:
    lines = list(before)
    for span in sorted(places, key=lambda s: (s.line, s.column), reverse=True):
        line = lines[span.line - 1]
        lines[span.line - 1] = line[: span.column - 1] + new + line[span.column - 1 + span.length :]
    return "\n".join(lines)


def merged(*parts: Mapping[str, list[lsp.Diagnostic]]) -> dict[str, list[lsp.Diagnostic]]:
    result: dict[str, list[lsp.Diagnostic]] = {}
    for part in parts:
        for uri, found in part.items():
            result.setdefault(uri, []).extend(found)
    return result
