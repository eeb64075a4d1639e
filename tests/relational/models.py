"""Reading and deciding relational models in tests."""

from __future__ import annotations

from pathlib import Path

from clew.core.diagnostics import DiagnosticBag
from clew.core.engines import Answer, Request
from clew.core.properties import Property
from clew.core.registry import LoadOptions, language_of, load_engine, load_language
from clew.core.relational.program import RelationalProgram, Switches
from clew.frontends.relational.build import build

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "relational"


def read(text: str, switches: Switches = Switches(), **defines: int) -> RelationalProgram:  # noqa: B008
    return build("model.rel", text, {name: str(value) for name, value in defines.items()}, switches, DiagnosticBag())


def example(name: str, switches: Switches = Switches(), **defines: int) -> RelationalProgram:  # noqa: B008
    return read((EXAMPLES / f"{name}.rel").read_text(), switches, **defines)


def check(text: str, engine: str = "relational", **switches: str) -> Answer:
    """Every assertion of a model, decided by an engine."""
    language = load_language(language_of("model.rel", text))
    model = language.load("model.rel", text, LoadOptions(switches=switches))
    return load_engine(engine).run(Request(model.view, model.properties))


def decided(program: RelationalProgram) -> Answer:
    """Every assertion of a program, decided with decision diagrams."""
    properties = tuple(Property(a.name, "ctl", a.text, a.span) for a in program.assertions)
    return load_engine("relational").run(Request(program, properties))


def verdicts(answer: Answer) -> list[str]:
    return [decision.verdict for decision in answer.decisions]
