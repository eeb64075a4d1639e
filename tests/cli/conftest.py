"""A toy language, so that the command line is tested without a real front-end.

Its models are two processes and a channel. The word `bad` in the text adds an assertion that fails, `stuck` takes the
sender away, `broken` is a syntax error, `suspicious` a warning, `crash` an error in the front-end itself;
`include "name"` reads another file.
"""

from __future__ import annotations

import re
import sys
import tempfile
import types
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from clew.cli.main import main
from clew.core import registry
from clew.core.diagnostics import Diagnostic, InputError, Severity, Span
from clew.core.engines import Answer, Observer, Progress, Request
from clew.core.expressions import Binary, Bind, Channel, Const, Ref, Variable
from clew.core.network import EventPattern, Instance, Location, Network, Step, Template
from clew.core.properties import Property
from clew.core.registry import EngineEntry, LanguageEntry, LoadedModel, LoadOptions
from clew.core.results import Decision, Evidence, Statistics
from clew.core.statements import Assert, Print, Receive, Send, Statement, Terminate
from clew.core.types import BYTE, CHANNEL

TOY = """\
channel q
sender: q!7; end
receiver: q?x; print; assert
"""


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str


def toy_network(name: str, text: str) -> Network:
    queue = Variable("q", CHANNEL, 0, initial=Channel("q", 1, (BYTE,)))
    x = Variable("x", BYTE, 1)
    steps: list[Step] = []

    def step(template: str, source: int, line: int, text: str, *block: Statement, kind: str = "internal") -> Step:
        event = EventPattern(kind)  # type: ignore[arg-type]
        made = Step(len(steps), template, source, source + 1, block, False, Span(name, line, 9, 3), text, event)
        steps.append(made)
        return made

    def template(name_: str, line: int, *found: Step) -> Template:
        locations = [
            Location(i, ((s,),), Span(name, line, 9, 3), final=i == len(found) - 1) for i, s in enumerate(found)
        ]
        locations.append(Location(len(found), (), final=True))
        return Template(name_, (), (), 0, tuple(locations), 0)

    sender = template(
        "sender",
        2,
        step("sender", 0, 2, "q!7", Send(Ref(queue), (Const(7),)), kind="send"),
        step("sender", 1, 2, "end", Terminate()),
    )
    wrong = Assert(Binary("!=", Ref(x), Const(7)), Span(name, 3, 23, 6))
    receiver = template(
        "receiver",
        3,
        step("receiver", 0, 3, "q?x", Receive(Ref(queue), (Bind(Ref(x)),)), kind="receive"),
        step("receiver", 1, 3, 'printf("got %d", x)', Print("got %d\\n", (Ref(x),))),
        step("receiver", 2, 3, "assert(x != 7)", *((wrong,) if "bad" in text else ())),
        step("receiver", 3, 3, "end", Terminate()),
    )
    instances = (Instance("receiver"),) if "stuck" in text else (Instance("receiver"), Instance("sender"))
    return Network(name, (queue, x), 2, (sender, receiver), instances, files=((name, text),), steps=tuple(steps))


class ToyLanguage:
    name = "toy"

    def load(self, path: str, text: str, options: LoadOptions) -> LoadedModel:
        files = [(path, text)]
        for included in re.findall(r'include "(.*?)"', text):
            other = Path(path).parent / included
            files.append((str(other), other.read_text()))
        text = "\n".join(content for _, content in files) + " ".join(options.defines)
        if "crash" in text:
            raise RuntimeError("the toy front-end\nfell over")
        errors = [d for d in self.lint(path, text, options) if d.severity is Severity.ERROR]
        if errors:
            raise InputError(errors)
        properties = (
            Property("assertions", "assertion", "no assertion fails"),
            Property("end states", "deadlock", "no invalid end state"),
            Property("runtime errors", "runtime-error", "nothing breaks down"),
            *(Property(formula, "ltl", formula) for formula in options.formulas),
        )
        return LoadedModel(path, "toy", toy_network(path, text), properties, (), tuple(files))

    def lint(self, path: str, text: str, options: LoadOptions) -> tuple[Diagnostic, ...]:
        found = []
        for number, line in enumerate(text.splitlines(), start=1):
            for word, severity in (("broken", Severity.ERROR), ("suspicious", Severity.WARNING)):
                if word in line:
                    span = Span(path, number, line.index(word) + 1, len(word))
                    found.append(Diagnostic(severity, word, f"this is {word}", span, "mend it"))
        return tuple(found)


class ToyEngine:
    """Answers whatever the test wants, without exploring anything."""

    name = "toy"

    def __init__(self) -> None:
        self.asked: list[Request] = []
        self.verdict = "holds"
        self.limits_hit: tuple[str, ...] = ()
        self.refusal: str | None = None
        self.failure: BaseException | None = None

    def refuses(self, request: Request) -> str | None:
        return self.refusal

    def run(self, request: Request, observer: Observer | None = None) -> Answer:
        self.asked.append(request)
        if self.failure is not None:
            raise self.failure
        if observer is not None:
            observer(Progress(5, 8, 2, 1, 0.5, 1 << 20))
        evidence = Evidence("exhaustive", "exhaustive: 5 states") if self.verdict == "holds" else Evidence("none", "")
        decisions = tuple(Decision(p, self.verdict, "", evidence) for p in request.properties)  # type: ignore[arg-type]
        figures = Statistics(5, 6, 8, 2, 0.25, 1 << 20, 100.0, complete=not self.limits_hit)
        return Answer(decisions, figures, self.limits_hit)


@pytest.fixture
def toy_engine(monkeypatch: pytest.MonkeyPatch) -> ToyEngine:
    """Replaces the engines by one that answers what the test wants."""
    engine = ToyEngine()
    module = types.ModuleType("toy_engine")
    module.ENGINE = engine  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "toy_engine", module)
    monkeypatch.setattr(registry, "ENGINES", (EngineEntry("toy", "toy_engine"),))
    return engine


@pytest.fixture(autouse=True)
def toy_language(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every test knows only the toy language, works in its own folder, and has no colour."""
    module = types.ModuleType("toy_language")
    module.LANGUAGE = ToyLanguage()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "toy_language", module)
    monkeypatch.setattr(registry, "LANGUAGES", (LanguageEntry("toy", "toy_language", (".toy",), ("sender:",)),))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in ("CLEW_RUNS", "CLEW_DEBUG", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


Clew = Callable[..., Outcome]
WriteModel = Callable[..., str]


@pytest.fixture
def clew(capsys: pytest.CaptureFixture[str]) -> Clew:
    """Runs the command and gives what it wrote."""

    def run(*words: str) -> Outcome:
        status = main([str(word) for word in words])
        captured = capsys.readouterr()
        return Outcome(status, captured.out, captured.err)

    return run


@pytest.fixture
def model(tmp_path: Path) -> WriteModel:
    """Writes a toy model with these words in it; gives its name."""

    def write(*words: str, name: str = "m.toy") -> str:
        comment = "".join(f"# {word}\n" for word in words)
        (tmp_path / name).write_text(TOY + comment)
        return name

    return write
