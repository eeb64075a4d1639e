"""An editor for tests: a client of the protocol by pygls, which starts `clew lsp` and talks to it."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

LONGEST = 600  # seconds before a missing answer fails a test


class Editor:
    """Synchronous: each call returns when the server has answered."""

    def __init__(
        self, options: dict[str, Any] | None = None, capabilities: lsp.ClientCapabilities | None = None
    ) -> None:
        self.runner = asyncio.Runner()
        self.client = LanguageClient("tests", "1")
        self.published: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()
        self.shown: list[str] = []
        self.versions: dict[str, int] = {}

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(params)

        @self.client.feature(lsp.WINDOW_SHOW_DOCUMENT)
        def show(params: lsp.ShowDocumentParams) -> lsp.ShowDocumentResult:
            self.shown.append(params.uri)
            return lsp.ShowDocumentResult(True)

        @self.client.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CREATE)
        def progress(params: lsp.WorkDoneProgressCreateParams) -> None:
            return None

        self.wait(self.client.start_io(sys.executable, "-m", "clew", "lsp"))
        params = lsp.InitializeParams(
            capabilities or lsp.ClientCapabilities(), initialization_options={"delay": 0, **(options or {})}
        )
        self.capabilities = self.wait(self.client.initialize_async(params)).capabilities
        self.client.initialized(lsp.InitializedParams())

    def wait(self, answer: Any) -> Any:
        async def timed() -> Any:
            return await asyncio.wait_for(answer, LONGEST)

        return self.runner.run(timed())

    def quit(self) -> None:
        self.wait(self.client.shutdown_async(None))
        self.client.exit(None)
        self.wait(self.client.stop())
        self.runner.close()

    # --- texts ----------------------------------------------------------------------------------------------------

    def open(self, path: Path, text: str, language: str = "promela") -> str:
        uri = path.as_uri()
        self.versions[uri] = 1

        async def send() -> None:
            item = lsp.TextDocumentItem(uri, language, 1, text)
            self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

        self.wait(send())
        return uri

    def edit(self, uri: str, *changes: lsp.TextDocumentContentChangeEvent) -> int:
        self.versions[uri] += 1

        async def send() -> None:
            identifier = lsp.VersionedTextDocumentIdentifier(self.versions[uri], uri)
            self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(identifier, list(changes)))

        self.wait(send())
        return self.versions[uri]

    def replace(self, uri: str, text: str) -> int:
        return self.edit(uri, lsp.TextDocumentContentChangeWholeDocument(text))

    def diagnostics(self, uri: str, version: int | None = None) -> list[lsp.Diagnostic]:
        """Those that are published next for a document, or for this version of it."""
        while True:
            params = self.wait(self.published.get())
            if params.uri == uri and (version is None or params.version == version):
                return list(params.diagnostics)

    # --- questions ------------------------------------------------------------------------------------------------

    def hover(self, uri: str, place: lsp.Position) -> str:
        found = self.wait(self.client.text_document_hover_async(lsp.HoverParams(_document(uri), place)))
        return "" if found is None else found.contents.value

    def definition(self, uri: str, place: lsp.Position) -> tuple[str, int, int]:
        found = self.wait(self.client.text_document_definition_async(lsp.DefinitionParams(_document(uri), place)))
        return found.uri, found.range.start.line, found.range.start.character

    def references(self, uri: str, place: lsp.Position) -> list[tuple[int, int]]:
        params = lsp.ReferenceParams(lsp.ReferenceContext(True), _document(uri), place)
        found = self.wait(self.client.text_document_references_async(params))
        return [(where.range.start.line, where.range.start.character) for where in found]

    def rename(self, uri: str, place: lsp.Position, new: str) -> list[lsp.TextEdit]:
        params = lsp.RenameParams(_document(uri), place, new)
        edit = self.wait(self.client.text_document_rename_async(params))
        return list(edit.changes[uri])

    def symbols(self, uri: str) -> list[lsp.DocumentSymbol]:
        return list(
            self.wait(self.client.text_document_document_symbol_async(lsp.DocumentSymbolParams(_document(uri))))
        )

    def completion(self, uri: str, place: lsp.Position) -> dict[str, lsp.CompletionItem]:
        found = self.wait(self.client.text_document_completion_async(lsp.CompletionParams(_document(uri), place)))
        return {item.label: item for item in found}

    def formatting(self, uri: str) -> list[lsp.TextEdit]:
        params = lsp.DocumentFormattingParams(_document(uri), lsp.FormattingOptions(2, True))
        return list(self.wait(self.client.text_document_formatting_async(params)))

    def lenses(self, uri: str) -> dict[str, lsp.Command]:
        found = self.wait(self.client.text_document_code_lens_async(lsp.CodeLensParams(_document(uri))))
        return {lens.command.title: lens.command for lens in found}

    def execute(self, command: lsp.Command) -> Any:
        params = lsp.ExecuteCommandParams(command.command, command.arguments)
        return self.wait(self.client.workspace_execute_command_async(params))


def _document(uri: str) -> lsp.TextDocumentIdentifier:
    return lsp.TextDocumentIdentifier(uri)


def place(text: str, what: str, number: int = 0) -> lsp.Position:
    """Where a word stands in a text, for the n-th time."""
    at = -1
    for _ in range(number + 1):
        at = text.index(what, at + 1)
    line = text.count("\n", 0, at)
    return lsp.Position(line, at - (text.rfind("\n", 0, at) + 1))


def applied(text: str, edits: list[lsp.TextEdit]) -> str:
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
        start, end = edit.range.start, edit.range.end
        before = lines[start.line][: start.character]
        behind = lines[end.line][end.character :] if end.line < len(lines) else ""
        lines[start.line : end.line + 1] = (before + edit.new_text + behind).split("\n")
    return "\n".join(lines)
