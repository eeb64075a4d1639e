"""Writing an answer to stdout or to the file after -o."""

from __future__ import annotations

from pathlib import Path

from clew.cli.console import Console
from clew.core.diagnostics import InputError, Span
from clew.host.files import write_atomically


def write_answer(text: str, path: str | None, console: Console) -> None:
    """Raises InputError if the file cannot be written."""
    if path is None or path == "-":
        console.print(text.rstrip("\n"))
        return
    try:
        write_atomically(Path(path), text if text.endswith("\n") else text + "\n")
    except OSError as error:
        raise InputError.at(Span(path, 0), "cannot-write", f"cannot be written: {error.strerror or error}") from None
    console.say(f"wrote {path}")
