"""Writing an answer to stdout or to the file after -o."""

from __future__ import annotations

from pathlib import Path

from clew.cli.console import Console
from clew.core.diagnostics import InputError, Span
from clew.host.files import write_atomically

_PIXELS = frozenset((".png", ".jpg", ".jpeg", ".gif", ".pdf"))


def refuse_unwritable(path: str) -> None:
    """Raises InputError if an answer could not be written there, as far as that is known before there is one."""
    file = Path(path)
    if file.suffix.lower() in _PIXELS:  # text under such a name is a file that nothing opens
        hint = "name it .svg where a command draws; browsers and drawing programs make the rest of it"
        raise InputError.at(Span(path, 0), "cannot-write", "a file of this kind is never written", hint)
    if file.is_dir():
        raise _cannot_write(path, "it is a folder")
    if not file.parent.is_dir():
        raise _cannot_write(path, f"there is no folder {file.parent}")


def _cannot_write(path: str, why: str) -> InputError:
    return InputError.at(Span(path, 0), "cannot-write", f"cannot be written: {why}")


def write_answer(text: str, path: str | None, console: Console) -> None:
    """Raises InputError if the file cannot be written."""
    if path is None or path == "-":
        console.print(text.rstrip("\n"))
        return
    refuse_unwritable(path)
    try:
        write_atomically(Path(path), text if text.endswith("\n") else text + "\n")
    except OSError as error:
        raise _cannot_write(path, error.strerror or str(error)) from None
    console.say(f"wrote {path}")
