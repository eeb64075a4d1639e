"""C programs: which compiler there is, and compiled programs kept by content.

The cache folder is `$CLEW_CACHE`, else `clew` in the user's cache folder. If it cannot be written or is full, programs
are made in a temporary folder that lasts as long as the process. A program is compiled in a folder of its own beside
its final place, so that nobody ever sees half of one and nothing is left when compiling is interrupted.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import platform
import shlex
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from clew.host import children
from clew.host.interrupts import at_sudden_end

SOURCES = ("model.c", "beside.c")
KEPT_PROGRAMS = 500
_DAY = 86_400.0  # seconds after which an unfinished program is nobody's
_NO_ROOM = ("No space left on device", "Disk quota exceeded", "File too large", "Read-only file system")


class CompilerError(Exception):
    """There is no compiler, or none that works here; the text says which and why."""


class RefusedProgram(CompilerError):
    """The compiler works, but refuses this program. `output`: what it printed."""

    def __init__(self, compiler: str, output: str) -> None:
        super().__init__(f"{compiler} refuses the program:\n{output}")
        self.output = output


@dataclass(frozen=True, slots=True)
class Compiler:
    """How to call a C compiler, and what tells it from another one."""

    command: tuple[str, ...]
    identity: str
    flags: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return shlex.join(self.command)


def find_compiler() -> Compiler | None:
    """`$CC` if it is set; else `cc`, `gcc` or `clang`, whichever is there first; else that of the `ziglang` package."""
    chosen = os.environ.get("CC", "").strip()
    for command in [shlex.split(chosen)] if chosen else [["cc"], ["gcc"], ["clang"]]:
        path = shutil.which(command[0])
        if path is not None:
            path = str(Path(path).absolute())
            return Compiler((path, *command[1:]), _identity(path))
    return None if chosen else _zig()


def why_no_compiler() -> str:
    """Why `find_compiler` finds none, and what helps."""
    chosen = os.environ.get("CC", "").strip()
    if chosen:
        return f"CC={chosen} names no program that can be run"
    return "no C compiler found; install cc, or the Python package 'ziglang'"


def _zig() -> Compiler | None:
    """It keeps what it needs of the C library in a folder of its own; the first program takes some seconds."""
    package = importlib.util.find_spec("ziglang")
    for folder in (package.submodule_search_locations or ()) if package is not None else ():
        program = Path(folder) / "zig"
        if os.access(program, os.X_OK):
            kept = str((cache_folder() if _can_be_written(cache_folder()) else temporary_folder()) / "zig")
            places = {"ZIG_GLOBAL_CACHE_DIR": kept, "ZIG_LOCAL_CACHE_DIR": kept}
            return Compiler((str(program), "cc"), _identity(str(program)), ("-fno-sanitize=all",), places)
    return None


# --- programs


def build(
    source: str, include: Path | None, flags: Sequence[str], compiler: Compiler | None = None, beside: str = ""
) -> Path:
    """The program compiled from this text and the headers in `include`; taken from the cache if it is there.

    `beside`: the text of a second file that is part of the program. Raises CompilerError.
    """
    return begin(source, include, flags, compiler, beside).program()


def begin(
    source: str, include: Path | None, flags: Sequence[str], compiler: Compiler | None = None, beside: str = ""
) -> Build:
    """Like `build`, but does not wait: the compiler works while the caller does something else."""
    compiler = compiler or find_compiler()
    if compiler is None:
        raise CompilerError(why_no_compiler())
    sources = [source, beside] if beside else [source]
    name = f"model-{_key(sources, include, flags, compiler)}"
    return Build(name, sources, compiler, command_line(compiler, flags, include, beside != ""))


def command_line(compiler: Compiler, flags: Sequence[str], include: Path | None, beside: bool = False) -> list[str]:
    """What makes `model` in a folder with the sources. Libraries come last, where linkers want them."""
    libraries = [flag for flag in flags if flag.startswith("-l")]
    others = [flag for flag in (*compiler.flags, *flags) if flag not in libraries]
    headers = [] if include is None else [f"-I{include}"]
    return [*compiler.command, *others, *headers, "-o", "model", *SOURCES[: 1 + beside], *libraries]


class Build:
    """A program that is being compiled: `program` waits for it, `cancel` gives up."""

    def __init__(self, name: str, sources: Sequence[str], compiler: Compiler, command: Sequence[str]) -> None:
        self._name = name
        self._sources = sources
        self._compiler = compiler
        self._command = command
        self._attempt: _Attempt | None = None
        if self._kept() is None:
            with contextlib.suppress(OSError):
                self._attempt = self._attempt_in(cache_folder())

    def program(self) -> Path:
        """Raises CompilerError."""
        trouble = ""
        kept = self._kept() if self._attempt is None else None
        if kept is not None:
            return kept
        for folder in (cache_folder, temporary_folder):
            try:
                self._attempt = self._attempt or self._attempt_in(folder())
                return self._attempt.finish()
            except OSError as error:
                trouble = f"{error.filename or folder()}: {error.strerror or error}"
            finally:
                self.cancel()
        raise CompilerError(f"there is no place for a compiled program: {trouble}")

    def cancel(self) -> None:
        """Does nothing if the program is finished."""
        if self._attempt is not None:
            self._attempt.drop()
            self._attempt = None

    def _kept(self) -> Path | None:
        for folder in (cache_folder(), *([temporary_folder()] if _temporary.cache_info().currsize else [])):
            path = folder / self._name
            with contextlib.suppress(OSError):
                if path.exists():
                    with contextlib.suppress(OSError):
                        os.utime(path)  # used just now: not among the first to be forgotten
                    return path
        return None

    def _attempt_in(self, folder: Path) -> _Attempt:
        return _Attempt(folder, self._name, self._sources, self._compiler, self._command)


class _Attempt:
    """One call of a compiler, in a folder of its own inside `folder`. Raises OSError if there is no room."""

    def __init__(
        self, folder: Path, name: str, sources: Sequence[str], compiler: Compiler, command: Sequence[str]
    ) -> None:
        self._path = folder / name
        self._compiler = compiler
        self._work = folder / f".{name}.{os.getpid()}-{threading.get_ident()}"
        self._work.mkdir(parents=True)
        try:
            for place, text in zip(SOURCES, sources, strict=False):
                (self._work / place).write_text(text, encoding="utf-8")
            self._child = _start(compiler, command, self._work)
        except BaseException:
            shutil.rmtree(self._work, ignore_errors=True)
            raise

    def finish(self) -> Path:
        output = self._child.communicate()[1].decode(errors="replace").strip()
        status = self._child.returncode
        if status == 0:
            (self._work / "model").replace(self._path)
            _tidy(self._path.parent)
            return self._path
        if any(words in output for words in _NO_ROOM):
            raise OSError(0, _first_error(output), str(self._path.parent))
        if status < 0 or "Killed" in output or "terminated program" in output:
            raise CompilerError(f"{self._compiler} was killed; there may be too little memory")
        broken = _complaint_about_nothing(self._compiler)
        if broken is not None:
            raise CompilerError(f"{self._compiler} does not work: {broken}")
        raise RefusedProgram(str(self._compiler), output)

    def drop(self) -> None:
        children.end(self._child)
        shutil.rmtree(self._work, ignore_errors=True)


def _start(compiler: Compiler, command: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    """Messages in English, because some are looked at; what the compiler puts aside, in the folder, too."""
    environment = {**os.environ, "LC_ALL": "C", "TMPDIR": str(folder), **compiler.environment}
    try:
        return children.start(
            command, environment=environment, folder=folder, stdout=subprocess.DEVNULL, leads_group=True
        )
    except OSError as error:
        raise CompilerError(f"{compiler} cannot be run: {error.strerror or error}") from None


def _complaint_about_nothing(compiler: Compiler) -> str | None:
    """What the compiler says about a program that is surely right; None if it accepts it."""
    with tempfile.TemporaryDirectory(prefix="clew-") as folder:
        (Path(folder) / SOURCES[0]).write_text('#include <stdio.h>\nint main(void) { return puts("") < 0; }\n')
        child = _start(compiler, command_line(compiler, (), None), Path(folder))
        try:
            output = child.communicate()[1].decode(errors="replace").strip()
        finally:
            status = children.end(child)
    return None if status == 0 else _first_error(output) or f"it ends with status {status}"


def _first_error(output: str) -> str:
    lines = output.splitlines()
    return next((line for line in lines if "error" in line), lines[0] if lines else "")


# --- folders


def cache_folder() -> Path:
    """Where compiled programs are kept."""
    chosen = os.environ.get("CLEW_CACHE")
    if chosen:
        return Path(chosen).absolute()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "clew"


def temporary_folder() -> Path:
    """Lasts as long as the process."""
    return Path(_temporary().name)


@lru_cache(maxsize=1)
def _temporary() -> tempfile.TemporaryDirectory[str]:
    folder = tempfile.TemporaryDirectory(prefix="clew-")
    at_sudden_end(folder.cleanup)
    return folder


def _can_be_written(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


def _tidy(folder: Path) -> None:
    """Forgets the programs that were not used for longest, and what was left when Clew was killed."""
    with contextlib.suppress(OSError):
        found = [(entry.stat().st_mtime, entry) for entry in folder.iterdir() if "model-" in entry.name]
        unfinished = [entry for when, entry in found if entry.name[0] == "." and when < time.time() - _DAY]
        programs = sorted((when, str(entry)) for when, entry in found if entry.name[0] != ".")
        for entry in unfinished:
            shutil.rmtree(entry, ignore_errors=True)
        for _, path in programs[:-KEPT_PROGRAMS]:
            Path(path).unlink(missing_ok=True)


# --- what a program depends on


def _key(sources: Sequence[str], include: Path | None, flags: Sequence[str], compiler: Compiler) -> str:
    headers = [] if include is None else sorted(include.glob("*.h"))
    parts = [*sources, *(header.read_text(encoding="utf-8") for header in headers)]
    parts += [*flags, *compiler.flags, *compiler.command, compiler.identity, _processor()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def _identity(path: str) -> str:
    real = Path(path).resolve()
    facts = real.stat()
    return f"{real} {facts.st_size} {facts.st_mtime_ns}"


@lru_cache(maxsize=1)
def _processor() -> str:
    """What the processor can do: a program made for this one need not run on another."""
    with contextlib.suppress(OSError), Path("/proc/cpuinfo").open(encoding="utf-8") as file:
        for line in file:
            if line.startswith(("flags", "Features")):
                return line
    return f"{platform.machine()} {platform.processor()}"
