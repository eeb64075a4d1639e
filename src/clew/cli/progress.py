"""Which kind of progress is shown while an engine works."""

from __future__ import annotations

import contextlib
from argparse import Namespace
from collections.abc import Iterator

from clew.cli.console import Console
from clew.core.engines import Observer
from clew.report.progress import ProgressJson, ProgressLine


@contextlib.contextmanager
def progress(arguments: Namespace, console: Console) -> Iterator[Observer | None]:
    """An observer for the engine; what it shows is gone afterwards."""
    shown: ProgressLine | ProgressJson | None = None
    if arguments.progress == "json":
        shown = ProgressJson(console.err)
    elif arguments.progress == "auto" and not arguments.json and console.err.isatty():
        shown = ProgressLine(console.err, console.err_style)
    try:
        yield shown
    finally:
        if shown is not None:
            shown.close()
