"""Checks and simulations in processes of their own, one for each document at a time."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from clew.core.diagnostics import Span
from clew.core.records import record
from clew.editor.documents import Document
from clew.editor.settings import Settings

Task = Literal["check", "simulate"]
GRACE = 30.0  # seconds beyond the limit of the search: compilers, replay


@record
class Finding:
    """Something that goes wrong: where, and the steps that lead there."""

    property: str
    message: str
    span: Span
    steps: tuple[tuple[Span, str], ...]


@record
class Answer:
    verdict: str
    text: str
    findings: tuple[Finding, ...]


class Runs:
    """`texts`: a folder with the last answer of each kind for each model, where an editor can open it."""

    def __init__(self) -> None:
        self._children: dict[str, asyncio.subprocess.Process] = {}
        self._texts = TemporaryDirectory(prefix="clew-")

    def keep(self, task: Task, document: Document, answer: Answer) -> Path:
        """Writes the answer down. What was there from an earlier run of the model is replaced."""
        target = Path(self._texts.name) / f"{Path(document.path).stem or 'model'}-{task}.txt"
        target.write_text(answer.text + "\n", encoding="utf-8")
        return target.resolve()

    async def run(self, task: Task, document: Document, property_: str, settings: Settings) -> Answer | None:
        """The answer; None if the run was stopped or another took its place."""
        self.stop(document.path)
        request = {
            "task": task, "path": document.path, "text": document.text, "property": property_,
            "defines": dict(settings.defines), "include": list(settings.include), "switches": dict(settings.switches),
            "seconds": settings.seconds, "bytes": settings.bytes, "steps": settings.steps, "seed": settings.seed,
        }  # fmt: skip
        pipe = asyncio.subprocess.PIPE
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "clew.editor.child", stdin=pipe, stdout=pipe, stderr=pipe
        )
        self._children[document.path] = child
        try:
            limit = settings.seconds + GRACE
            out, said = await asyncio.wait_for(child.communicate(json.dumps(request).encode()), limit)
        except TimeoutError:
            self._kill(child)
            return Answer("unknown", f"{document.path}: no answer within {limit:g} s", ())
        finally:
            if self._children.get(document.path) is child:
                del self._children[document.path]
        if child.returncode is not None and child.returncode < 0 and not out:
            return None
        try:
            return _answer(json.loads(out))
        except ValueError:
            return Answer("internal error", f"{document.path}: internal error\n\n{said.decode(errors='replace')}", ())

    def stop(self, path: str) -> None:
        child = self._children.pop(path, None)
        if child is not None:
            self._kill(child)

    def stop_all(self) -> None:
        for path in list(self._children):
            self.stop(path)
        self._texts.cleanup()

    def _kill(self, child: asyncio.subprocess.Process) -> None:
        if child.returncode is None:
            child.kill()


def _answer(data: dict[str, Any]) -> Answer:
    findings = [
        Finding(
            found["property"],
            found["message"],
            Span(*found["span"]),
            tuple((Span(*step["span"]), step["text"]) for step in found["steps"]),
        )
        for found in data["findings"]
    ]
    return Answer(data["verdict"], data["text"], tuple(findings))
