"""The relational language in the registry."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from clew.core.diagnostics import Diagnostic, DiagnosticBag, InputError, Span
from clew.core.outline import Outline
from clew.core.properties import Property
from clew.core.registry import LoadedModel, LoadOptions
from clew.core.relational import program as p
from clew.core.relational.expressions import Global, nodes
from clew.frontends.relational.build import build
from clew.frontends.relational.lexer import KEYWORDS

LOOPS = "relational-loop"
CHOICES = {"bad": ("freeze", "havoc"), "foreach": ("any", "declared"), "blocking": ("no", "yes")}


class Relational:
    """Reads models over sets and relations (Chang and Jackson 2006)."""

    name = "relational"
    keywords = tuple(sorted(KEYWORDS))

    def load(self, path: str, text: str, options: LoadOptions) -> LoadedModel:
        bag = DiagnosticBag()
        program = self._build(path, text, options, bag)
        properties = tuple(Property(a.name, "ctl", a.text, a.span) for a in program.assertions)
        return LoadedModel(program.name, self.name, program, properties, tuple(bag.warnings), program.files)

    def lint(self, path: str, text: str, options: LoadOptions) -> tuple[Diagnostic, ...]:
        bag = DiagnosticBag()
        try:
            program = self._build(path, text, options, bag)
        except InputError as error:
            return error.diagnostics
        _warn_of_loops(program, bag)
        return tuple(sorted(bag.items, key=lambda d: (d.span.file, d.span.line, d.span.column)))

    def outline(self, path: str, text: str, options: LoadOptions) -> Outline:
        from clew.frontends.relational.outline import outline_of

        return outline_of(path, text)

    def at_a_glance(self, path: str, text: str, options: LoadOptions) -> tuple[Diagnostic, ...]:
        return self.lint(path, text, options)

    def _build(self, path: str, text: str, options: LoadOptions, bag: DiagnosticBag) -> p.RelationalProgram:
        try:
            program = build(path, text, options.defines, _switches(path, options), bag)
        except RecursionError:
            raise InputError.at(Span(path, 1), "relational-syntax", "nested too deeply") from None
        return replace(program, placing=_placing(path, program, options))


def _switches(path: str, options: LoadOptions) -> p.Switches:
    found = {name: options.switches.get(name, choices[0]) for name, choices in CHOICES.items()}
    for name, value in found.items():
        if value not in CHOICES[name]:
            raise InputError.at(
                Span(path, 1), "relational-switch", f"unknown --{name} '{value}'", f"known: {', '.join(CHOICES[name])}"
            )
    return p.Switches(found["blocking"] == "yes", cast(p.BadSwitch, found["bad"]), cast(p.Order, found["foreach"]))


def _placing(path: str, program: p.RelationalProgram, options: LoadOptions) -> p.Placing:
    order = options.switches.get("order", p.PLACINGS[0])
    known = [variable.name for variable in program.variables]
    for name in order.split(",") if order not in p.PLACINGS else ():
        if name not in known:
            message = f"--order: there is no variable '{name}'"
            hint = f"variables: {', '.join(known)}; or one of {', '.join(p.PLACINGS)}"
            raise InputError.at(Span(path, 1), "relational-switch", message, hint)
    return p.Placing(order, options.switches.get("sift") == "yes")


def _warn_of_loops(program: p.RelationalProgram, bag: DiagnosticBag) -> None:
    """A program that may run for ever, as far as its text tells, while no assertion asks whether it does."""
    if any(isinstance(n, Global) and n.name == p.LOOP for a in program.assertions for n in nodes(a.formula)):
        return
    for procedure in program.procedures:
        for stmt in p.statements(procedure.body):
            loops = isinstance(stmt, p.While) or (isinstance(stmt, p.Call) and stmt.procedure == procedure.name)
            if loops and not isinstance(stmt, p.Block):
                hint = "assert AG !loop, or say what follows if it does"
                bag.warning(stmt.span, LOOPS, "this may run for ever, and no assertion mentions loop", hint)


LANGUAGE = Relational()
