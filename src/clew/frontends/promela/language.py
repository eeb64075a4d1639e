"""Promela as a language of the registry."""

from __future__ import annotations

from clew.core.diagnostics import Diagnostic, InputError, Severity, Span
from clew.core.properties import Property
from clew.core.registry import LoadedModel, LoadOptions
from clew.frontends.promela.lint import lint_lowered
from clew.frontends.promela.lower import Lowered, Switches, lower, model_name
from clew.frontends.promela.parser import parse_text

GRANULARITIES = ("default", "fine")


class Promela:
    """Reads Promela as Spin 6.5.2 does."""

    name = "promela"

    def load(self, path: str, text: str, options: LoadOptions) -> LoadedModel:
        lowered = self._lower(path, text, options)
        network = lowered.network
        return LoadedModel(
            name=model_name(path),
            language=self.name,
            view=network,
            properties=_properties(lowered),
            warnings=tuple(lowered.bag.warnings),
            files=network.files,
        )

    def lint(self, path: str, text: str, options: LoadOptions) -> tuple[Diagnostic, ...]:
        try:
            lowered = self._lower(path, text, options)
        except InputError as error:
            return error.diagnostics
        found = [*lowered.bag.items, *lint_lowered(lowered)]
        return tuple(sorted(found, key=lambda d: (d.span.file, d.span.line, d.span.column)))

    def _lower(self, path: str, text: str, options: LoadOptions) -> Lowered:
        granularity = options.switches.get("granularity", "default")
        if granularity not in GRANULARITIES:
            raise InputError(
                [
                    Diagnostic(
                        Severity.ERROR,
                        "promela-switch",
                        f"unknown granularity '{granularity}'",
                        Span(path, 1),
                        f"known: {', '.join(GRANULARITIES)}",
                    )
                ]
            )
        model = parse_text(text, path, dict(options.defines), tuple(options.include))
        switches = Switches.fine() if granularity == "fine" else Switches()
        try:
            return lower(model, model_name(path), switches)
        except RecursionError:
            raise InputError.at(Span(path, 1), "promela-nesting", "an expression is nested too deeply") from None


def _properties(lowered: Lowered) -> tuple[Property, ...]:
    network = lowered.network
    found = [
        Property("assertions", "assertion", "no assertion fails"),
        Property("deadlock", "deadlock", "every process that stops is at its end or at an end label"),
        Property("runtime-errors", "runtime-error", "no index, arithmetic, channel or process error"),
    ]
    found.extend(Property(f.name, "ltl", f.text, f.span) for f in network.formulas)
    for monitor in network.monitors:
        kind = "never" if monitor.kind == "never" else "trace"
        text = "the claim is never completed" if kind == "never" else f"runs fit the {monitor.kind} automaton"
        found.append(Property(monitor.template.name, kind, text, monitor.template.span))  # type: ignore[arg-type]
    return tuple(found)


LANGUAGE = Promela()
