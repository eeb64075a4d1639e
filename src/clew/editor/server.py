"""The language server: listens, keeps the documents, and looks at them when nobody types."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from lsprotocol import types as lsp
from pygls import uris
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from clew import __version__
from clew.editor.answers import CHECK, SIMULATE, Answers, merged
from clew.editor.documents import Document, study
from clew.editor.runs import Answer, Runs, Task
from clew.editor.settings import Settings, settings_from

Published = Mapping[str, list[lsp.Diagnostic]]


class Server(LanguageServer):
    """All state is here: the newest version of each document, its diagnostics, and what is under way."""

    def __init__(self) -> None:
        super().__init__("clew", __version__)
        self.settings = Settings()
        self.documents: dict[str, Document] = {}
        self.runs = Runs()
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._said: dict[str, Published] = {}  # about the text
        self._found: dict[str, Published] = {}  # by a run; gone with the next change of the text
        self._shown: dict[str, set[str]] = {}  # documents that diagnostics of this one are published for

    # --- documents ------------------------------------------------------------------------------------------------

    def changed(self, uri: str, language: str = "", *, at_once: bool = False) -> None:
        """A new version of a text: what was found in the old one is forgotten, and it is looked at a little later."""
        source = self.workspace.get_text_document(uri)
        before = self.documents.get(uri)
        path = uris.to_fs_path(uri) or uri
        types = None if before is None else before.types
        self.documents[uri] = Document(path, source.source, source.version or 0, language, types)
        self.runs.stop(path)
        self._found.pop(uri, None)
        waiting = self._waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()
        delay = 0.0 if at_once else self.settings.delay
        self._waiting[uri] = asyncio.get_running_loop().create_task(self._look(uri, delay))

    def closed(self, uri: str) -> None:
        document = self.documents.pop(uri, None)
        waiting = self._waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()
        if document is not None:
            self.runs.stop(document.path)
        for of in (self._said, self._found):
            of.pop(uri, None)
        for shown in self._shown.pop(uri, set()):
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(shown, []))

    def answers(self, uri: str) -> Answers:
        document = self.documents.get(uri)
        if document is None:
            raise JsonRpcInvalidParams(f"{uri} is not open")
        codec = self.workspace.position_codec
        return Answers(document, uri, self.settings.for_language(), codec.client_num_units)

    async def _look(self, uri: str, delay: float) -> None:
        """Diagnostics and types of a version, unless another one comes in the meantime."""
        await asyncio.sleep(delay)
        document = self.documents[uri]
        found = await asyncio.to_thread(study, document, self.settings.for_language())
        if self.documents.get(uri) is not document:
            return
        document.learn(found.types)
        self._said[uri] = self.answers(uri).diagnostics(found.diagnostics)
        self.publish(uri)

    def publish(self, uri: str) -> None:
        """All there is to say about a document; where nothing is left to say, that."""
        now = merged(self._said.get(uri, {uri: []}), self._found.get(uri, {}))
        for other in self._shown.get(uri, set()) - set(now):
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(other, []))
        for other, found in now.items():
            version = self.documents[uri].version if other == uri else None
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(other, found, version))
        self._shown[uri] = set(now)

    # --- runs -----------------------------------------------------------------------------------------------------

    async def run(self, task: Task, uri: str, property_: str) -> dict[str, Any]:
        """Checks or simulates the text as it is in the editor; the answer is shown as a text and as diagnostics."""
        document = self.documents.get(uri)
        if document is None:
            raise JsonRpcInvalidParams(f"{uri} is not open")
        token = f"clew-{task}-{uri}"
        reports = await self._begin(token, task, document)
        try:
            answer = await self.runs.run(task, document, property_, self.settings)
        finally:
            if reports:
                self.work_done_progress.end(token, lsp.WorkDoneProgressEnd())
                self.work_done_progress.tokens.pop(token, None)
        if answer is None or self.documents.get(uri) is not document:
            return {"verdict": "stopped"}
        self._found[uri] = self.answers(uri).findings(answer.findings)
        self.publish(uri)
        return await self._show(task, document, answer)

    async def _begin(self, token: str, task: Task, document: Document) -> bool:
        """A line about what is going on, with a button that ends it, in editors that have such a thing."""
        window = self.client_capabilities.window
        if window is None or not window.work_done_progress or token in self.work_done_progress.tokens:
            return False
        await self.work_done_progress.create_async(token)
        title = f"clew {task}"
        self.work_done_progress.begin(token, lsp.WorkDoneProgressBegin(title, cancellable=True))
        stop = self.work_done_progress.tokens[token]
        stop.add_done_callback(lambda done: self.runs.stop(document.path) if done.cancelled() else None)
        return True

    async def _show(self, task: Task, document: Document, answer: Answer) -> dict[str, Any]:
        shown = uris.from_fs_path(str(self.runs.keep(task, document, answer)))
        window = self.client_capabilities.window
        if shown and window is not None and window.show_document is not None and window.show_document.support:
            await self.window_show_document_async(lsp.ShowDocumentParams(shown, take_focus=False))
        places = [
            {"property": f.property, "message": f.message, "lines": [span.line for span, _ in f.steps]}
            for f in answer.findings
        ]
        return {"verdict": answer.verdict, "text": answer.text, "document": shown, "counterexamples": places}


def make_server() -> Server:
    server = Server()

    @server.feature(lsp.INITIALIZE)
    def initialize(ls: Server, params: lsp.InitializeParams) -> None:
        ls.settings = settings_from(params.initialization_options)

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
        ls.changed(params.text_document.uri, params.text_document.language_id, at_once=True)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
        ls.changed(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
        ls.closed(params.text_document.uri)

    @server.feature(lsp.SHUTDOWN)
    def shut_down(ls: Server, _: None) -> None:
        ls.runs.stop_all()

    _names(server)
    _changes(server)

    @server.command(CHECK)
    async def check(ls: Server, uri: str, property_: str) -> dict[str, Any]:
        return await ls.run("check", uri, property_)

    @server.command(SIMULATE)
    async def simulate(ls: Server, uri: str) -> dict[str, Any]:
        return await ls.run("simulate", uri, "")

    return server


def _names(server: Server) -> None:
    """What names are and where they are."""

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
        return ls.answers(params.text_document.uri).hover(params.position)

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(ls: Server, params: lsp.DefinitionParams) -> lsp.Location | None:
        return ls.answers(params.text_document.uri).definition(params.position)

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def references(ls: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
        return ls.answers(params.text_document.uri).references(params.position, params.context.include_declaration)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(ls: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        return ls.answers(params.text_document.uri).symbols()

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=["."]))
    def completion(ls: Server, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        return ls.answers(params.text_document.uri).completion(params.position)

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    def lenses(ls: Server, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        return ls.answers(params.text_document.uri).lenses()


def _changes(server: Server) -> None:
    """What changes a text."""

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def renameable(ls: Server, params: lsp.PrepareRenameParams) -> lsp.Range | None:
        return ls.answers(params.text_document.uri).renameable(params.position)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def rename(ls: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        edit = ls.answers(params.text_document.uri).renamed(params.position, params.new_name)
        if isinstance(edit, str):
            raise JsonRpcInvalidParams(edit)
        return edit

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def formatting(ls: Server, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        return ls.answers(params.text_document.uri).formatted()
