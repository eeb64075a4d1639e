"""Reports beside the answer: --html, --junit, --sarif, --markdown."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from clew.cli.console import Console
from clew.cli.output import refuse_unwritable, write_answer

if TYPE_CHECKING:
    from clew.report.documents.material import Material

FORMS = ("html", "junit", "sarif", "markdown")


def wants_reports(arguments: Namespace) -> bool:
    return any(getattr(arguments, form) for form in FORMS)


def refuse_unwritable_reports(arguments: Namespace) -> None:
    """Raises InputError. Before the search: an hour later is too late to say that a folder does not exist."""
    for form in FORMS:
        if path := getattr(arguments, form):
            refuse_unwritable(path)


def write_reports(materials: Sequence[Material], arguments: Namespace, console: Console) -> None:
    """Raises InputError if a file cannot be written."""
    for form in FORMS:
        path = getattr(arguments, form)
        if path:
            write_answer(_writer(form)(materials), path, console)


def _writer(form: str) -> Callable[[Sequence[Material]], str]:
    from clew import __version__

    match form:
        case "html":
            from clew.report.documents.html import html_report

            return lambda materials: html_report(materials, __version__)
        case "junit":
            from clew.report.documents.junit import junit

            return junit
        case "sarif":
            import json

            from clew.report.documents.findings import check_sarif

            return lambda materials: json.dumps(check_sarif(materials, __version__), indent=2, ensure_ascii=False)
        case _:
            from clew.report.documents.markdown import markdown

            return markdown
