"""What is worth saying about a Promela text that is not wrong: unused names, unreachable statements."""

from __future__ import annotations

from collections.abc import Iterator

from clew.core.diagnostics import Diagnostic, Severity
from clew.core.statements import Start, statements_in
from clew.frontends.promela.elements import Element
from clew.frontends.promela.lower import Lowered, Process


def lint_lowered(lowered: Lowered) -> list[Diagnostic]:
    """Warnings in the order of the text."""
    return [
        *_unused(lowered),
        *(d for process in lowered.processes for d in _unreachable(process)),
        *never_run(lowered),
    ]


def _warning(code: str, message: str, element_or_span: object, hint: str = "") -> Diagnostic:
    span = getattr(element_or_span, "span", element_or_span)
    return Diagnostic(Severity.WARNING, code, message, span, hint)  # type: ignore[arg-type]


def _unused(lowered: Lowered) -> Iterator[Diagnostic]:
    mentioned, read = lowered.features.mentioned, lowered.features.read
    for variable in lowered.names.globals.variables:
        if variable.name not in mentioned:
            yield _warning("promela-unused", f"global '{variable.name}' is never used", variable)
        elif variable.name not in read:
            yield _warning(
                "promela-write-only",
                f"global '{variable.name}' is written but never read",
                variable,
                "it is not part of the state",
            )
    for process in lowered.processes:
        for local in process.frame.variables:
            plain = local.name.split("#")[0]
            if plain not in mentioned and not plain.startswith("_"):
                yield _warning("promela-unused", f"'{plain}' in {process.name} is never used", local)


def _unreachable(process: Process) -> Iterator[Diagnostic]:
    reached = {
        e for choices in process.graph.choices.values() for choice in choices for move in choice for e in move.elements
    }
    reported_line = None
    for element in process.body.elements:
        if element.kind == "basic" and element not in reached and not element.in_dstep and _worth_saying(element):
            if reported_line == (element.span.file, element.span.line):
                continue
            reported_line = (element.span.file, element.span.line)
            yield _warning("promela-unreachable", f"unreachable: {element.text}", element)


def _worth_saying(element: Element) -> bool:
    return not element.constant_false and not element.is_skip


def never_run(lowered: Lowered) -> Iterator[Diagnostic]:
    """Processes that a check says nothing about, though it may say that all is well."""
    started = {i.template for i in lowered.network.instances}
    for step in lowered.network.steps:
        started.update(s.template for s in statements_in(step.block) if isinstance(s, Start))
    for process in lowered.processes:
        if process.name not in started:
            yield _warning(
                "promela-never-run",
                f"proctype {process.name} is never started",
                process,
                f"start it with 'run {process.name}(…)', or write 'active' before it",
            )
