"""C programs: which compiler there is, and compiled programs kept by content.

The cache folder is `$CLEW_CACHE`, else `clew` in the user's cache folder. If it cannot be written, programs are made
in a temporary folder that lasts as long as the process.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

NO_COMPILER = "no C compiler found; install cc, or the Python package 'ziglang'"


class CompilerError(Exception):
    """There is no compiler, or it refuses a program; the text says which and what it printed."""


@dataclass(frozen=True, slots=True)
class Compiler:
    """How to call a C compiler, and what tells it from another one."""

    command: tuple[str, ...]
    identity: str


def find_compiler() -> Compiler | None:
    """`$CC`, `cc`, `gcc` or `clang`, whichever is there first; else the one in the `ziglang` package; else None."""
    wanted = os.environ.get("CC", "").split()
    for command in ([wanted] if wanted else []) + [["cc"], ["gcc"], ["clang"]]:
        path = shutil.which(command[0])
        if path is not None:
            return Compiler((path, *command[1:]), _identity(path))
    if importlib.util.find_spec("ziglang") is not None:
        return Compiler((sys.executable, "-m", "ziglang", "cc"), "ziglang")
    return None


def build(
    source: str, include: Path | None, flags: Sequence[str], compiler: Compiler | None = None, beside: str = ""
) -> Path:
    """The program compiled from this text and the headers in `include`; taken from the cache if it is there.

    `beside`: the text of a second file that is part of the program. Raises CompilerError.
    """
    compiler = compiler or find_compiler()
    if compiler is None:
        raise CompilerError(NO_COMPILER)
    program = f"model-{_key([source, beside], include, flags, compiler)}"
    for folder in (cache_folder(), temporary_folder()):
        path = folder / program
        if path.exists():
            return path
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                _compile([source, beside] if beside else [source], include, flags, compiler, path)
                return path
    raise CompilerError(f"no folder to put a compiled program: neither {cache_folder()} nor {temporary_folder()}")


def cache_folder() -> Path:
    """Where compiled programs are kept."""
    chosen = os.environ.get("CLEW_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "clew"


@lru_cache(maxsize=1)
def _temporary() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="clew-")


def temporary_folder() -> Path:
    return Path(_temporary().name)


def _compile(
    sources: Sequence[str], include: Path | None, flags: Sequence[str], compiler: Compiler, path: Path
) -> None:
    """The finished program appears at once, so that another process never sees half of it."""
    unique = f"{os.getpid()}-{threading.get_ident()}"
    texts = [path.with_suffix(f".{unique}.{number}.c") for number, _ in enumerate(sources)]
    libraries = [flag for flag in flags if flag.startswith("-l")]
    made = path.with_suffix(f".{unique}.tmp")
    try:
        for text, source in zip(texts, sources, strict=True):
            text.write_text(source, encoding="utf-8")
        headers = [] if include is None else [f"-I{include}"]
        rest = [flag for flag in flags if flag not in libraries]
        command = [*compiler.command, *rest, *headers, "-o", str(made), *map(str, texts), *libraries]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode:
            raise CompilerError(f"{compiler.command[0]} failed with status {done.returncode}:\n{done.stderr.strip()}")
        made.replace(path)
    finally:
        for leftover in (*texts, made):
            with contextlib.suppress(OSError):
                leftover.unlink(missing_ok=True)


def _key(sources: Sequence[str], include: Path | None, flags: Sequence[str], compiler: Compiler) -> str:
    headers = [] if include is None else sorted(include.glob("*.h"))
    parts = [*sources, *(header.read_text(encoding="utf-8") for header in headers)]
    parts += [*flags, *compiler.command, compiler.identity, _processor()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def _identity(path: str) -> str:
    real = Path(path).resolve()
    facts = real.stat()
    return f"{real} {facts.st_size} {facts.st_mtime_ns}"


@lru_cache(maxsize=1)
def _processor() -> str:
    """What the processor can do: a program made for this one need not run on another."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith(("flags", "Features")):
                return line
    return f"{platform.machine()} {platform.processor()}"
