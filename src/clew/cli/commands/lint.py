"""`clew lint`: what is wrong or suspicious in the text? Which types do its names have?"""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from clew.cli import status
from clew.cli.console import Console
from clew.cli.output import write_answer
from clew.cli.requests import model_options
from clew.core.diagnostics import NOWHERE, Diagnostic, InputError, Severity, Span
from clew.core.registry import Language, LoadOptions, TypedLanguage, language_of, load_language
from clew.core.typed_names import TypeTable
from clew.host.sources import read_source
from clew.report.diagnostics import diagnostics_json, diagnostics_summary, diagnostics_text
from clew.report.result_json import results_json


def run(arguments: Namespace, console: Console) -> int:
    """Diagnostics are the answer here, so they go to stdout. A file that cannot be read is bad input."""
    options = model_options(arguments)
    form = "json" if arguments.json else arguments.to
    if arguments.output is not None and not arguments.graph:
        raise InputError.at(NOWHERE, "no-graph", "-o is for --graph", "--sarif FILE writes findings to a file")
    if arguments.graph:
        return _draw(arguments, console, options.for_language())
    statuses: list[int] = []
    answers: list[dict[str, Any]] = []
    everything: list[Diagnostic] = []
    for path in arguments.files:
        found: Sequence[Diagnostic]
        table: TypeTable | None = None
        try:
            text = read_source(path)
            language = load_language(language_of(path, text, options.language))
        except InputError as error:
            statuses.append(status.BAD_INPUT)
            found = error.diagnostics
            console.diagnostics(found)
        else:
            found = language.lint(path, text, options.for_language())
            errors = any(diagnostic.severity is Severity.ERROR for diagnostic in found)
            statuses.append(status.VIOLATED if errors else status.HOLDS)
            if arguments.types:
                table = _types(language, path, text, options.for_language())
            if form == "text":
                _print(path, found, {path: text}, console)
                _print_types(table, console)
        everything.extend(found)
        answers.append({**diagnostics_json(found, path), **_types_json(table)})
    if form == "json":
        console.print_json(answers[0] if len(arguments.files) == 1 else results_json(answers))
    if form == "sarif":
        console.print_json(_sarif(everything))
    if arguments.sarif is not None:
        write_answer(json.dumps(_sarif(everything), indent=2, ensure_ascii=False), arguments.sarif, console)
    return status.worst(statuses)


def _sarif(found: Sequence[Diagnostic]) -> dict[str, Any]:
    from clew import __version__
    from clew.report.sarif import finding, sarif_log

    return sarif_log(map(finding, found), version=__version__)


def _types(language: Language, path: str, text: str, options: LoadOptions) -> TypeTable | None:
    """None if the text cannot be parsed: that has been said."""
    if not isinstance(language, TypedLanguage):
        message = f"types are not inferred for {language.name}"
        raise InputError.at(Span(path, 0), "no-types", message, "--types and --graph are for Promela")
    try:
        return language.types(path, text, options)
    except InputError:
        return None


def _draw(arguments: Namespace, console: Console, options: LoadOptions) -> int:
    from clew.report.graphs.svg import svg
    from clew.report.graphs.types import types_figure
    from clew.report.graphs.writers import dot, graph_json_text

    if len(arguments.files) != 1:
        raise InputError.at(NOWHERE, "several-files", "--graph draws the types of one model")
    path = arguments.files[0]
    text = read_source(path)
    language = load_language(language_of(path, text, arguments.language))
    table = _types(language, path, text, options)
    if table is None:
        raise InputError(language.lint(path, text, options))
    figure = types_figure(table.graph, Path(path).name)
    suffix = Path(arguments.output or "").suffix.lower()
    write = graph_json_text if arguments.json else svg if suffix == ".svg" else dot
    write_answer(write(figure), arguments.output, console)
    return status.HOLDS


def _print(path: str, found: Sequence[Diagnostic], sources: dict[str, str], console: Console) -> None:
    if found:
        console.print(diagnostics_text(found, console.style, sources))
        console.print(f"{path}: {diagnostics_summary(found)}")
    else:
        console.print(f"{path}: {console.style.paint('nothing to complain about', 'green')}")


def _print_types(table: TypeTable | None, console: Console) -> None:
    for row in table.names if table is not None else ():
        name = f"{row.owner}.{row.name}" if row.owner else row.name
        console.print(f"{row.span.file}:{row.span.line}: {row.role} {name}: {row.type}")


def _types_json(table: TypeTable | None) -> dict[str, Any]:
    if table is None:
        return {}
    rows = [
        {
            "name": row.name,
            "role": row.role,
            "owner": row.owner or None,
            "type": row.type,
            "file": row.span.file,
            "line": row.span.line,
            "column": row.span.column,
        }
        for row in table.names
    ]
    return {"types": rows}
