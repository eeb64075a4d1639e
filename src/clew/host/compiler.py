"""C programs: which compiler there is, and compiled programs kept by content.

The cache folder is `$CLEW_CACHE`, else `clew` in the user's cache folder. If it cannot be written or is full, programs
are made in a temporary folder that lasts as long as the process. A program is compiled in a folder of its own beside
its final place, so that nobody ever sees half of one and nothing is left when compiling is interrupted. A file that is
the same in many programs is compiled by itself, at the same time, and kept, too.
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
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from pathlib import Path

from clew.core.records import record
from clew.host import children
from clew.host.held import signals_held
from clew.host.interrupts import at_sudden_end

SOURCES = ("model.c", "beside.c")
KEPT_PROGRAMS = 500
_COMMON = "common.o"
_DAY = 86_400.0  # seconds after which an unfinished program is nobody's
_NO_ROOM = ("No space left on device", "Disk quota exceeded", "File too large", "Read-only file system")


class CompilerError(Exception):
    """There is no compiler, or none that works here; the text says which and why."""


class RefusedProgram(CompilerError):
    """The compiler works, but refuses this program. `output`: what it printed."""

    def __init__(self, compiler: str, output: str) -> None:
        super().__init__(f"{compiler} refuses the program:\n{output}")
        self.output = output


@record
class Compiler:
    """How to call a C compiler, and what tells it from another one."""

    command: tuple[str, ...]
    identity: str
    flags: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return shlex.join(self.command)


@record
class Common:
    """A file of the headers' folder that is the same in many programs. `flags`: those of a program that has it so.
    `own`: those that this file is compiled with besides."""

    file: str
    flags: tuple[str, ...] = ()
    own: tuple[str, ...] = ()


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
    """The program compiled from this text and the files in `include`; taken from the cache if it is there.

    `beside`: the text of a second file that is part of the program. Raises CompilerError.
    """
    return begin(source, include, flags, compiler, beside).program()


def begin(
    source: str,
    include: Path | None,
    flags: Sequence[str],
    compiler: Compiler | None = None,
    beside: str = "",
    common: Common | None = None,
) -> Build:
    """Like `build`, but does not wait: the compiler works while the caller does something else."""
    compiler = compiler or find_compiler()
    if compiler is None:
        raise CompilerError(why_no_compiler())
    sources = [source, beside] if beside else [source]
    if common is None or include is None:
        name = f"model-{_key(sources, include, flags, compiler)}"
        return Build(_Recipe(name, sources, compiler, command_line(compiler, flags, include, beside != "")))
    flags = (*flags, *common.flags)
    shared = _common_name(common, include, flags, compiler)
    return Build(
        _Recipe(
            f"model-{_key([*sources, shared], include, flags, compiler)}",
            sources,
            compiler,
            command_line(compiler, flags, include, beside != "", [_COMMON]),
            shared,
            tuple(_object_line(compiler, flags, include, SOURCES[0], "model.o")),
            _common_line(common, include, flags, compiler, _COMMON),
            tuple(command_line(compiler, flags, None, objects=["model.o", _COMMON], sources=0)),
        )
    )


def prepare(include: Path, flags: Sequence[str], common: Common) -> Build:
    """Begins to make what programs will have in common, in a folder of this installation: nothing else need then be
    kept before the first one is made."""
    compiler = find_compiler()
    if compiler is None:
        raise CompilerError(why_no_compiler())
    flags = (*flags, *common.flags)
    line = _common_line(common, include, flags, compiler, "model")
    return Build(_Recipe(_common_name(common, include, flags, compiler), [], compiler, line), [prepared_folder])


def _common_name(common: Common, include: Path, flags: Sequence[str], compiler: Compiler) -> str:
    return f"common-{_key([], include, [common.file, *flags, *common.own], compiler)}.o"


def _common_line(common: Common, include: Path, flags: Sequence[str], compiler: Compiler, made: str) -> tuple[str, ...]:
    return tuple(_object_line(compiler, (*flags, *common.own), include, str(include / common.file), made))


def command_line(
    compiler: Compiler,
    flags: Sequence[str],
    include: Path | None,
    beside: bool = False,
    objects: Sequence[str] = (),
    sources: int = 1,
) -> list[str]:
    """What makes `model` in a folder with the sources. Libraries come last, where linkers want them."""
    libraries = [flag for flag in flags if flag.startswith("-l")]
    files = [*SOURCES[: sources + beside], *objects]
    return [*_line(compiler, flags, include), "-o", "model", *files, *libraries]


def _object_line(compiler: Compiler, flags: Sequence[str], include: Path | None, source: str, made: str) -> list[str]:
    return [*_line(compiler, flags, include), "-c", "-o", made, source]


def _line(compiler: Compiler, flags: Sequence[str], include: Path | None) -> list[str]:
    headers = [] if include is None else [f"-I{include}"]
    return [*compiler.command, *compiler.flags, *(flag for flag in flags if not flag.startswith("-l")), *headers]


@record
class _Recipe:
    """What is made under which name. `common`: a name for an object that the program has in common with others."""

    name: str
    sources: Sequence[str]
    compiler: Compiler
    command: Sequence[str]  # makes the program, if there is a common object then in the same folder
    common: str = ""
    model_alone: Sequence[str] = ()
    common_alone: Sequence[str] = ()
    link: Sequence[str] = ()


class Build:
    """A program that is being compiled: `program` waits for it, `cancel` gives up."""

    def __init__(self, recipe: _Recipe, folders: Sequence[Callable[[], Path]] = ()) -> None:
        self._recipe = recipe
        self._folders = folders or (cache_folder, temporary_folder)
        self._attempt: _Attempt | None = None
        if self._kept() is None:
            with contextlib.suppress(OSError):
                self._attempt = _Attempt(self._folders[0](), recipe)

    def program(self) -> Path:
        """Raises CompilerError."""
        trouble = ""
        kept = self._kept() if self._attempt is None else None
        if kept is not None:
            return kept
        for folder in self._folders:
            try:
                self._attempt = self._attempt or _Attempt(folder(), self._recipe)
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
        for folder in self._folders:
            if folder is temporary_folder and not _temporary.cache_info().currsize:
                continue
            path = folder() / self._recipe.name
            with contextlib.suppress(OSError):
                if path.exists():
                    _used_now(path)
                    return path
        return None


class _Attempt:
    """Calls of a compiler, in a folder of its own inside `folder`. Raises OSError if there is no room.

    Where an object that is common to many programs is not there yet, it is made beside that of the model, and then both
    are linked.
    """

    def __init__(self, folder: Path, recipe: _Recipe) -> None:
        self._folder = folder
        self._recipe = recipe
        self._work = folder / f".{recipe.name}.{os.getpid()}-{threading.get_ident()}"
        self._children: list[subprocess.Popen[bytes]] = []
        with signals_held():
            self._work.mkdir(parents=True)
            self._forget = weakref.finalize(self, _drop, self._work, self._children)
        try:
            for place, text in zip(SOURCES, recipe.sources, strict=False):
                (self._work / place).write_text(text, encoding="utf-8")
            self._makes_common = recipe.common != "" and not self._has_common()
            lines = [recipe.common_alone, recipe.model_alone] if self._makes_common else [recipe.command]
            for line in lines:
                self._begin(line)
        except BaseException:
            self.drop()
            raise

    def finish(self) -> Path:
        for child in self._children:
            self._wait(child)
        if self._makes_common:
            self._begin(self._recipe.link)
            self._wait(self._children[-1])
            (self._work / _COMMON).replace(self._folder / self._recipe.common)
        path = self._folder / self._recipe.name
        (self._work / "model").replace(path)
        _tidy(self._folder)
        return path

    def _begin(self, line: Sequence[str]) -> None:
        with signals_held():
            self._children.append(_start(self._recipe.compiler, line, self._work))

    def _has_common(self) -> bool:
        """Whether the common object was kept; then it is in the folder now, where nobody else can remove it."""
        for kept in (self._folder / self._recipe.common, prepared_folder() / self._recipe.common):
            try:
                os.link(kept, self._work / _COMMON)
            except OSError:  # it is not there, or on another file system, or that has no links
                with contextlib.suppress(OSError):
                    shutil.copyfile(kept, self._work / _COMMON)
            if (self._work / _COMMON).exists():
                _used_now(kept)
                return True
        return False

    def _wait(self, child: subprocess.Popen[bytes]) -> None:
        compiler = self._recipe.compiler
        output = child.communicate()[1].decode(errors="replace").strip()
        status = child.returncode
        if status == 0:
            return
        if any(words in output for words in _NO_ROOM):
            raise OSError(0, _first_error(output), str(self._folder))
        if status < 0 or "Killed" in output or "terminated program" in output:
            raise CompilerError(f"{compiler} was killed; there may be too little memory")
        broken = _complaint_about_nothing(compiler)
        if broken is not None:
            raise CompilerError(f"{compiler} does not work: {broken}")
        raise RefusedProgram(str(compiler), output)

    def drop(self) -> None:
        """Happens by itself when the attempt is forgotten or the process ends, whatever the reason."""
        with signals_held():
            self._forget()


def _drop(work: Path, started: Sequence[subprocess.Popen[bytes]]) -> None:
    for child in started:
        children.end(child)
    shutil.rmtree(work, ignore_errors=True)


def _used_now(path: Path) -> None:
    """Not among the first to be forgotten."""
    with contextlib.suppress(OSError):
        os.utime(path)


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


def prepared_folder() -> Path:
    """What was made when Clew was installed."""
    return Path(sys.prefix) / "share" / "clew"


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
    """Forgets what was not used for longest, and what was left when Clew was killed."""
    with contextlib.suppress(OSError):
        ours = [entry for entry in folder.iterdir() if entry.name.lstrip(".").startswith(("model-", "common-"))]
        found = [(entry.stat().st_mtime, entry) for entry in ours]
        unfinished = [entry for when, entry in found if entry.name[0] == "." and when < time.time() - _DAY]
        programs = sorted((when, str(entry)) for when, entry in found if entry.name[0] != ".")
        for entry in unfinished:
            shutil.rmtree(entry, ignore_errors=True)
        for _, path in programs[:-KEPT_PROGRAMS]:
            Path(path).unlink(missing_ok=True)


# --- what a program depends on


def _key(sources: Sequence[str], include: Path | None, flags: Sequence[str], compiler: Compiler) -> str:
    headers = [] if include is None else sorted([*include.glob("*.h"), *include.glob("*.c")])
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
