"""Processor time of the language server's answers on a model of 1,000 lines: the server is in this process, so that
nothing but its own work is counted. `first` is the first question about a new version of the text."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from statistics import median

from lsprotocol import types as lsp

from bench.typing.size import long_model
from clew.core.registry import LoadOptions
from clew.editor.answers import Answers
from clew.editor.documents import Document, study

ROUNDS = 15
PATH, URI = "/models/long.pml", "file:///models/long.pml"


def run() -> int:
    gc.set_threshold(200_000, 50, 50)  # as the command does
    text = long_model(1_000)
    lines = text.split("\n")
    line = next(n for n, t in enumerate(lines) if n > len(lines) // 2 and "peer!reply" in t)
    name, local = lsp.Position(line, 6), lsp.Position(line, lines[line].index("seen"))
    mtype = lsp.Position(line, lines[line].index("reply"))

    def opened() -> Answers:
        return Answers(Document(PATH, text, 1), URI, LoadOptions(), len)

    def version(number: int) -> Answers:
        """The text with another end, so that nothing is known of it."""
        return Answers(Document(PATH, f"{text}/* {number} */\n", number), URI, LoadOptions(), len)

    ready = opened()
    ready.document.learn(study(ready.document, LoadOptions()).types)
    questions: dict[str, Callable[[Answers], object]] = {
        "hover": lambda a: a.hover(name),
        "definition": lambda a: a.definition(mtype),
        "references": lambda a: a.references(mtype, True),
        "rename of a local": lambda a: a.renamed(local, "counted"),
        "rename of a constant": lambda a: a.renamed(mtype, "answer"),
        "symbols": lambda a: a.symbols(),
        "completion": lambda a: a.completion(name),
        "formatting": lambda a: a.formatted(),
        "lenses": lambda a: a.lenses(),
    }
    print(f"{text.count(chr(10)):,} lines, processor time in ms, medians of {ROUNDS}")
    print("| question | first | later | largest |\n|---|---|---|---|")
    worst = 0.0
    for what, ask in questions.items():
        assert ask(ready) or what == "formatting"
        first = [_milliseconds(ask, opened()) for _ in range(ROUNDS)]
        later = [_milliseconds(ask, ready) for _ in range(ROUNDS)]
        worst = max(worst, median(later))
        print(f"| {what} | {median(first):.1f} | {median(later):.1f} | {max(*first, *later):.1f} |")
    looks = [_milliseconds(lambda a: study(a.document, LoadOptions()), version(n)) for n in range(5)]
    print(f"| diagnostics and types (in the background) | {median(looks):.0f} | | {max(looks):.0f} |")
    return 0 if worst < 100 else 1


def _milliseconds(ask: Callable[[Answers], object], answers: Answers) -> float:
    start = time.process_time()
    ask(answers)
    return (time.process_time() - start) * 1000
