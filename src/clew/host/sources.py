"""Reading the text of a model, with a located message for everything that can go wrong."""

from __future__ import annotations

from pathlib import Path

from clew.core.diagnostics import InputError, Span


def read_source(path: str) -> str:
    """The text of a model file. Raises InputError if it is missing, not a file, unreadable, not text or empty."""
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        hint = "standard input is called /dev/stdin" if path == "-" else ""
        raise InputError.at(Span(path, 0), "no-such-file", "no such file", hint) from None
    except IsADirectoryError:
        raise InputError.at(
            Span(path, 0), "not-a-file", "is a folder, not a model", "name the files in it one by one"
        ) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError.at(Span(path, 0), "unreadable", f"cannot be read: {reason}") from None
    except ValueError:  # a null byte in the name
        raise InputError.at(Span(repr(path), 0), "no-such-file", "not a file name") from None
    if b"\0" in data:
        raise InputError.at(Span(path, 0), "not-text", "is not a text file")
    if not data.strip():
        raise InputError.at(Span(path, 1), "empty", "the file is empty: there is no model in it")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")  # older models have comments in it
