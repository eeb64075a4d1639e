"""Where languages and engines meet. Holds module names as text, so that nothing is imported before it is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from importlib import import_module
from pathlib import Path
from typing import Protocol, runtime_checkable

from clew.core.diagnostics import NOWHERE, Diagnostic, InputError, Span
from clew.core.engines import Engine
from clew.core.network import Network
from clew.core.properties import Property
from clew.core.records import record
from clew.core.typed_names import TypeTable
from clew.core.views import View, network_in


@record
class LoadOptions:
    """How to read a model: `-D` definitions, include folders, language switches such as `granularity`, and temporal
    formulas (over runs, or in CTL: `branching`), and properties in words (`patterns`), that are to be checked besides
    those written in it; `composed`: files that restrict or extend it; `goals`: conditions that are to be reached;
    `monitors`: names and texts of files with automata that no run may be accepted by."""

    defines: Mapping[str, str] = field(default_factory=dict)
    include: Sequence[str] = ()
    switches: Mapping[str, str] = field(default_factory=dict)
    formulas: Sequence[str] = ()
    patterns: Sequence[str] = ()
    branching: Sequence[str] = ()
    composed: Sequence[str] = ()
    goals: Sequence[str] = ()
    monitors: Sequence[tuple[str, str]] = ()


def formula_file(number: int, kind: str = "ltl") -> str:
    """What messages call the text of a formula given on the command line, counted from 0 for each kind."""
    return f"--{kind}" if number == 0 else f"--{kind}({number + 1})"


@record
class LoadedModel:
    """A model ready for an engine: its view, the properties written in it (checked by default), what was noticed.
    `further`: properties it has that are only checked when they are asked for."""

    name: str
    language: str
    view: View
    properties: tuple[Property, ...]
    warnings: tuple[Diagnostic, ...]
    files: tuple[tuple[str, str], ...]  # name and text of every file read, main file first
    further: tuple[Property, ...] = ()

    @property
    def network(self) -> Network:
        """The view of a model that is a network of processes. Raises NotANetwork."""
        return network_in(self.view)


class Language(Protocol):
    """One input language. Raises InputError for bad input, nothing else."""

    name: str

    def load(self, path: str, text: str, options: LoadOptions) -> LoadedModel:
        """Parses, checks and lowers a model."""

    def lint(self, path: str, text: str, options: LoadOptions) -> tuple[Diagnostic, ...]:
        """Everything worth saying about the text, errors included; never raises for bad input."""


@runtime_checkable
class TypedLanguage(Protocol):
    """A language whose names have types that can be shown."""

    def types(self, path: str, text: str, options: LoadOptions) -> TypeTable:
        """The types of all names. Raises InputError if the text cannot be parsed."""


@record
class LanguageEntry:
    name: str
    module: str  # has LANGUAGE: Language
    extensions: tuple[str, ...]
    hint: tuple[str, ...]  # words that tell the language when the extension does not
    options: tuple[str, ...] = ()  # of those that only some languages have


@record
class EngineEntry:
    name: str
    module: str  # has ENGINE: Engine
    instant: bool = False  # starts at once: tried first on every model, within a small budget
    only: tuple[str, ...] | None = None  # unless it is named, it is asked only about properties of these kinds


LANGUAGES: tuple[LanguageEntry, ...] = (
    LanguageEntry(
        "promela",
        "clew.frontends.promela.language",
        (".pml", ".prom", ".promela", ".pm"),
        ("proctype", "init {", "active", "never {"),
        ("-D", "-I", "--granularity", "--compat", "--strict", "--distinct-pid", "--narrowing"),
    ),
    LanguageEntry(
        "python",
        "clew.frontends.modelprogram.language",
        (".py",),
        ("clew.model",),
        ("-D", "--with", "--feature", "--no-symmetry"),
    ),
    LanguageEntry("automaton", "clew.frontends.automata.language", (".hoa", ".edges"), ("HOA: v1",)),
    LanguageEntry(
        "relational",
        "clew.frontends.relational.language",
        (".rel",),
        ("toplevel void",),
        ("-D", "--foreach", "--bad", "--blocking", "--order", "--sift"),
    ),
)
ENGINES: tuple[EngineEntry, ...] = (  # in order of preference
    EngineEntry("native", "clew.explicit.engine"),
    EngineEntry("symbolic", "clew.symbolic.engine", only=("ctl",)),
    EngineEntry("relational", "clew.symbolic.relational.engine"),
    EngineEntry("enumerative", "clew.reference.relational"),
    EngineEntry("reference", "clew.reference.engine", instant=True),
    EngineEntry("smt", "clew.smt.engine", only=()),
)


def language_of(path: str, text: str, wanted: str | None = None) -> LanguageEntry:
    """The language of a file: as asked for, by extension, then by content. Raises InputError."""
    if wanted is not None:
        for entry in LANGUAGES:
            if entry.name == wanted:
                return entry
        known = ", ".join(e.name for e in LANGUAGES)
        raise InputError.at(NOWHERE, "unknown-language", f"unknown language '{wanted}'", f"known languages: {known}")
    suffix = Path(path).suffix.lower()
    for entry in LANGUAGES:
        if suffix in entry.extensions:
            return entry
    for entry in LANGUAGES:
        if any(word in text for word in entry.hint):
            return entry
    hint = f"name it with --language: {', '.join(e.name for e in LANGUAGES)}"
    raise InputError.at(Span(path, 1), "unknown-language", "cannot tell the language of this file", hint)


def options_without_meaning(given: Iterable[str], entry: LanguageEntry) -> tuple[str, ...]:
    """Those of the options that another language has and this one has not."""
    elsewhere = {option for other in LANGUAGES for option in other.options} - set(entry.options)
    return tuple(option for option in given if option in elsewhere)


def load_language(entry: LanguageEntry) -> Language:
    language: Language = import_module(entry.module).LANGUAGE
    return language


CONVERTERS: dict[tuple[str, str], tuple[str, str]] = {  # language and target to module and function
    ("relational", "smv"): ("clew.frontends.relational.smv", "smv"),
    ("relational", "alloy"): ("clew.frontends.relational.alloy", "alloy"),
}


def converter(language: str, target: str) -> Callable[[View], str] | None:
    """What writes a view of the language as text of the target language, if there is such a thing."""
    place = CONVERTERS.get((language, target))
    if place is None:
        return None
    found: Callable[[View], str] = getattr(import_module(place[0]), place[1])
    return found


def load_engine(name: str) -> Engine:
    """The engine of that name. Raises InputError if there is none."""
    for entry in ENGINES:
        if entry.name == name:
            engine: Engine = import_module(entry.module).ENGINE
            return engine
    known = ", ".join(e.name for e in ENGINES)
    raise InputError.at(NOWHERE, "unknown-engine", f"unknown engine '{name}'", f"known engines: {known}")
