"""Promela as a language of the registry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from clew.core.diagnostics import Diagnostic, InputError, Severity, Span
from clew.core.outline import Outline
from clew.core.properties import Property
from clew.core.registry import LoadedModel, LoadOptions
from clew.core.typed_names import TypeTable
from clew.frontends.promela.claim_files import ClaimFiles
from clew.frontends.promela.formulas import GivenFormulas
from clew.frontends.promela.inline import KEYWORDS
from clew.frontends.promela.lint import lint_lowered, never_run
from clew.frontends.promela.lower import Lowered, Switches, lower, model_name
from clew.frontends.promela.mistakes import mistakes
from clew.frontends.promela.parser import parse_text
from clew.frontends.promela.preprocess import decoded
from clew.frontends.promela.suspicious import suspicious
from clew.frontends.promela.syntax import Model
from clew.frontends.promela.typing.infer import Typing, infer
from clew.frontends.promela.typing.symbols import Options as TypeOptions

GRANULARITIES = ("default", "fine")
COMPAT = {
    "spin-m": {"lossy_channels": True},  # a send to a full channel loses the message
    "pan-J": {"inner_escapes_first": True},  # nested unless: the inner escape first
    "pan-q": {"ends_empty": True},  # an end state with a message in a channel is not valid
    "spin-o6": {"no_priorities": True},  # the word `priority` means nothing
    "spin": {"sound": False, "marks_ample": True},  # steps cut, and reduced, as Spin does it on trust
    "pid-global": {"pid_is_global": True},  # as in Spin before 4.2.3
}


class Promela:
    """Reads Promela as Spin 6.5.2 does."""

    name = "promela"
    _last: tuple[object, Model, Typing] | None = None

    def load(self, path: str, text: str, options: LoadOptions) -> LoadedModel:
        model = self._parse(path, text, options)
        lowered = self._lower(model, path, options)
        network = lowered.network
        return LoadedModel(
            name=model_name(path),
            language=self.name,
            view=network,
            properties=_properties(lowered),
            warnings=_in_order(
                [*lowered.bag.warnings, *_type_warnings(model, options), *never_run(lowered), *mistakes(model)]
            ),
            files=network.files,
            further=FURTHER,
        )

    def lint(self, path: str, text: str, options: LoadOptions) -> tuple[Diagnostic, ...]:
        try:
            model, typing = self._inferred(path, text, options)
        except InputError as error:
            return error.diagnostics
        typed = typing.diagnostics
        try:
            lowered = self._lower(model, path, options)
        except InputError as error:
            return _merged(typed, error.diagnostics)
        return _merged(typed, [*lowered.bag.items, *lint_lowered(lowered), *suspicious(model), *mistakes(model)])

    def types(self, path: str, text: str, options: LoadOptions) -> TypeTable:
        """The inferred types of a model. Raises InputError if it cannot be parsed."""
        from clew.frontends.promela.typing.table import type_table

        return type_table(self._inferred(path, text, options)[1])

    keywords = tuple(sorted(KEYWORDS))

    def outline(self, path: str, text: str, options: LoadOptions) -> Outline:
        """The names of a text, with or without errors."""
        from clew.frontends.promela.outline import outline_of

        return outline_of(path, text, tuple(options.include))

    def at_a_glance(self, path: str, text: str, options: LoadOptions) -> tuple[Diagnostic, ...]:
        return self.lint(path, text, options)

    def renamed(self, path: str, before: str, after: str, old: str, new: str, options: LoadOptions) -> str:
        """Why `after`, which is `before` with a name replaced, is not the same model; '' if it is."""
        from clew.frontends.promela.renaming import difference, not_a_name

        wrong = not_a_name(new)
        if wrong:
            return wrong
        try:
            first, known = self._inferred(path, before, options)
        except InputError as error:
            wrong_now = _first_error(error)
            return f"the model has an error in line {wrong_now.span.line}: {wrong_now.message}"
        try:
            second = self._parse(path, after, options)
        except InputError as error:
            return f"with '{new}' it would have an error: {_first_error(error).message}"
        return difference(first, known, second, old, new)

    def formatted(self, text: str) -> str:
        """The text, indented by structure."""
        from clew.frontends.promela.layout import laid_out

        return laid_out(text)

    def _inferred(self, path: str, text: str, options: LoadOptions) -> tuple[Model, Typing]:
        """A model with its types. The last one is kept: an editor asks several things about one text."""
        question = (path, text, options)
        last = self._last
        if last is not None and last[0] == question and all(_as_read(*file) for file in last[1].files[1:]):
            return last[1:]
        model = self._parse(path, text, options)
        typing = infer(model, _type_options(options))
        self._last = (question, model, typing)
        return model, typing

    def _parse(self, path: str, text: str, options: LoadOptions) -> Model:
        claims = ClaimFiles(options.monitors)
        given = GivenFormulas(options.formulas, options.patterns, options.branching, claims.automata)
        whole = claims.behind(given.behind(text))
        parsed = parse_text(whole, path, dict(options.defines), tuple(options.include))
        return given.settled(claims.settled(parsed, path, text), path, text)

    def _lower(self, model: Model, path: str, options: LoadOptions) -> Lowered:
        switches = _switches(path, options)
        try:
            return lower(model, model_name(path), switches)
        except RecursionError:
            raise InputError.at(Span(path, 1), "promela-nesting", "an expression is nested too deeply") from None


def _type_options(options: LoadOptions) -> TypeOptions:
    switches = options.switches
    return TypeOptions("distinct-pid" in switches, switches.get("narrowing") != "off")


def _type_warnings(model: Model, options: LoadOptions) -> list[Diagnostic]:
    """Type errors in a model that can be run are warnings; with `strict` they are bad input. Values that may not fit
    are only worth stopping for if that is asked for."""
    strict = "strict" in options.switches
    wanted = _type_options(options)
    try:
        found = infer(model, TypeOptions(wanted.distinct_pid, strict and wanted.narrowing)).diagnostics
    except RecursionError:  # a very deep expression: what cannot be read is not complained about
        return []
    if strict and any(d.severity is Severity.ERROR for d in found):
        raise InputError(found)
    return [replace(d, severity=Severity.WARNING) for d in found]


def _as_read(name: str, text: str) -> bool:
    """Whether an included file still has this text."""
    try:
        return decoded(Path(name).read_bytes()) == text
    except (OSError, ValueError):
        return False


def _first_error(error: InputError) -> Diagnostic:
    return next(d for d in error.diagnostics if d.severity is Severity.ERROR)


def _merged(typed: Sequence[Diagnostic], others: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """In the order of the text. What the types say about a place is better than what else is said about it."""
    explained = {d.span for d in typed if d.severity is Severity.ERROR}
    return _in_order([*typed, *(d for d in others if d.span not in explained)])


def _in_order(found: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(found, key=lambda d: (d.span.file, d.span.line, d.span.column)))


def _switches(path: str, options: LoadOptions) -> Switches:
    """How to cut steps, from `granularity`, `counts` (`spin`: exactly Spin's, on trust) and `compat`."""
    granularity = options.switches.get("granularity", "default")
    if granularity not in GRANULARITIES:
        known = f"known: {', '.join(GRANULARITIES)}"
        raise InputError.at(Span(path, 1), "promela-switch", f"unknown granularity '{granularity}'", known)
    switches = Switches.fine() if granularity == "fine" else Switches()
    switches = replace(switches, sound=options.switches.get("counts") != "spin")
    for name in filter(None, options.switches.get("compat", "").split(",")):
        if name not in COMPAT:
            known = f"known: {', '.join(COMPAT)}"
            raise InputError.at(Span(path, 1), "promela-switch", f"unknown --compat '{name}'", known)
        switches = replace(switches, **COMPAT[name])
    return switches


FURTHER = (
    Property("acceptance", "acceptance", "no run is at an accept label for ever again"),
    Property("progress", "progress", "every infinite run is at a progress label for ever again"),
)


def _properties(lowered: Lowered) -> tuple[Property, ...]:
    network = lowered.network
    found = [
        Property("assertions", "assertion", "no assertion fails"),
        Property("deadlock", "deadlock", "every process that stops is at its end or at an end label"),
        Property("runtime-errors", "runtime-error", "no index, arithmetic, channel or process error"),
    ]
    for f in network.formulas:
        text = f"no run is accepted by the automaton in {f.name}" if f.logic == "monitor" else f.text
        found.append(Property(f.name, f.logic, text, f.span))
    for monitor in network.monitors:
        kind = "never" if monitor.kind == "never" else "trace"
        text = "the claim is never completed" if kind == "never" else f"runs fit the {monitor.kind} automaton"
        found.append(Property(monitor.template.name, kind, text, monitor.template.span))  # type: ignore[arg-type]
    return tuple(found)


LANGUAGE = Promela()
