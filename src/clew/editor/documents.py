"""A text being edited, and what its language knows of it. Knows nothing of the protocol."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from clew.core.diagnostics import Diagnostic, InputError
from clew.core.outline import Definition, Outline, OutlinedLanguage
from clew.core.records import record
from clew.core.registry import LANGUAGES, Language, LoadOptions, TypedLanguage, language_of, load_language
from clew.core.typed_names import TypeTable

Types = Mapping[tuple[str, str], Sequence[tuple[int, str]]]  # owner and name to line and type
NO_NAMES = Outline((), ())
LINE_END = re.compile(r"\r\n|\r|\n")


@record
class Study:
    """What takes longer than an answer may: done while nobody waits. `types` is None if the text cannot be parsed."""

    diagnostics: tuple[Diagnostic, ...]
    types: TypeTable | None


class Document:
    """One version of a text. The outline is made when it is first asked for; types come with a study, and until then
    are those of the version before."""

    def __init__(self, path: str, text: str, version: int, wanted: str = "", types: Types | None = None) -> None:
        self.path, self.text, self.version = path, text, version
        self.language = _language(path, text, wanted)
        self.types: Types = types or {}
        self.lines = LINE_END.split(text)
        self._outline: Outline | None = None

    def outline(self, options: LoadOptions) -> Outline:
        if self._outline is None:
            language = self.language
            known = isinstance(language, OutlinedLanguage)
            self._outline = language.outline(self.path, self.text, options) if known else NO_NAMES  # type: ignore[union-attr]
        return self._outline

    @property
    def keywords(self) -> tuple[str, ...]:
        return self.language.keywords if isinstance(self.language, OutlinedLanguage) else ()

    def type_of(self, definition: Definition) -> str:
        """The inferred type of a name; as declared where nothing is inferred."""
        found = self.types.get((definition.owner, definition.name))
        if not found:
            return definition.type
        return min(found, key=lambda known: abs(known[0] - definition.span.line))[1]

    def learn(self, table: TypeTable | None) -> None:
        if table is None:
            return
        types: dict[tuple[str, str], list[tuple[int, str]]] = {}
        for row in table.names:
            types.setdefault((row.owner.strip(":"), row.name.strip(":")), []).append((row.span.line, row.type))
        self.types = types


def study(document: Document, options: LoadOptions) -> Study:
    """Everything worth saying about a text, without running anything of it."""
    language = document.language
    if language is None:
        return Study((), None)
    if not isinstance(language, OutlinedLanguage):
        return Study(language.lint(document.path, document.text, options), None)
    found = language.at_a_glance(document.path, document.text, options)
    table: TypeTable | None = None
    if isinstance(language, TypedLanguage):
        try:
            table = language.types(document.path, document.text, options)
        except InputError:
            table = None
    return Study(found, table)


def _language(path: str, text: str, wanted: str) -> Language | None:
    """By extension or content, else as the editor calls it; None if it is nothing of ours."""
    try:
        entry = language_of(path, text)
    except InputError:
        named = next((entry for entry in LANGUAGES if entry.name == wanted), None)
        if named is None:
            return None
        entry = named
    if entry.name == "python" and not any(word in text for word in entry.hint):
        return None  # any program is Python; a model says so
    return load_language(entry)
