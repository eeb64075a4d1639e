"""Writing an answer to stdout or to the file after -o."""

from __future__ import annotations

from pathlib import Path

from clew.cli.console import Console
from clew.core.diagnostics import InputError, Span
from clew.host.files import write_atomically

_PIXELS = frozenset((".png", ".jpg", ".jpeg", ".gif", ".pdf"))


def write_answer(text: str, path: str | None, console: Console) -> None:
    """Raises InputError if the file cannot be written."""
    if path is None or path == "-":
        console.print(text.rstrip("\n"))
        return
    if Path(path).suffix.lower() in _PIXELS:  # text under such a name is a file that nothing opens
        hint = "name it .svg where a command draws; browsers and drawing programs make the rest of it"
        raise InputError.at(Span(path, 0), "cannot-write", "a file of this kind is never written", hint)
    try:
        write_atomically(Path(path), text if text.endswith("\n") else text + "\n")
    except OSError as error:
        raise InputError.at(Span(path, 0), "cannot-write", f"cannot be written: {error.strerror or error}") from None
    console.say(f"wrote {path}")
