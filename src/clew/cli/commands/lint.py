"""`clew lint`: what is wrong or suspicious in the text?"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

from clew.cli import status
from clew.cli.console import Console
from clew.cli.requests import model_options
from clew.core.diagnostics import Diagnostic, InputError, Severity
from clew.core.registry import language_of, load_language
from clew.host.sources import read_source
from clew.report.diagnostics import diagnostics_json, diagnostics_summary, diagnostics_text
from clew.report.result_json import results_json


def run(arguments: Namespace, console: Console) -> int:
    """Diagnostics are the answer here, so they go to stdout. A file that cannot be read is bad input."""
    options = model_options(arguments)
    statuses: list[int] = []
    answers = []
    for path in arguments.files:
        found: Sequence[Diagnostic]
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
            if not arguments.json:
                _print(path, found, {path: text}, console)
        answers.append(diagnostics_json(found, path))
    if arguments.json:
        console.print_json(answers[0] if len(arguments.files) == 1 else results_json(answers))
    return status.worst(statuses)


def _print(path: str, found: Sequence[Diagnostic], sources: dict[str, str], console: Console) -> None:
    if found:
        console.print(diagnostics_text(found, console.style, sources))
        console.print(f"{path}: {diagnostics_summary(found)}")
    else:
        console.print(f"{path}: {console.style.paint('nothing to complain about', 'green')}")
