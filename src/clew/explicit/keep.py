"""The C of a model in a folder for people: the generated text, the headers, and how to compile and run it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from clew.core.diagnostics import InputError, Span
from clew.explicit.generate import Sources
from clew.host.compiler import SOURCES, CompilerError, command_line, find_compiler, why_no_compiler


def keep_program(folder: Path, sources: Sources, runtime: Path, flags: Sequence[str], arguments: Sequence[str]) -> None:
    """Raises InputError if the folder cannot be written, CompilerError if there is no compiler to name."""
    compiler = find_compiler()
    if compiler is None:
        raise CompilerError(why_no_compiler())
    make = shlex.join(command_line(compiler, flags, None, beside=sources.beside != ""))
    run = shlex.join(["./model", *arguments])
    readme = f"Compile and run it in this folder; it prints one JSON object per line.\n\n    {make}\n    {run}\n"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in zip(SOURCES, (sources.model, sources.beside), strict=True):
            if text:
                (folder / name).write_text(text, encoding="utf-8")
        for header in sorted(runtime.glob("*.h")):
            (folder / header.name).write_text(header.read_text(encoding="utf-8"), encoding="utf-8")
        (folder / "README").write_text(readme, encoding="utf-8")
    except OSError as error:
        place = Span(str(error.filename or folder), 0)
        raise InputError.at(place, "cannot-write", f"cannot be written: {error.strerror or error}") from None
