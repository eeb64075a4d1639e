"""Runs a model compiled with the runtime as a child process and reads what it reports."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clew.core.engines import Observer, Progress, Request
from clew.core.foreign import has_foreign_code
from clew.core.interpreter import Move
from clew.core.network import Network
from clew.explicit.generate import FIRST_ROOM, generate
from clew.host.compiler import build
from clew.host.foreign_runner import foreign_sizes
from clew.host.foreign_text import compiler_flags

RUNTIME = Path(__file__).parent / "runtime"
FLAGS = ("-std=gnu11", "-O2", "-march=native", "-fwrapv", "-fno-strict-aliasing")
KINDS = ("assertion", "runtime-error", "deadlock")
LIMITS = ("states", "depth", "memory", "time", "interrupt")


class ProgramError(Exception):
    """The compiled model ended without a result."""


class BadInitialState(Exception):
    """The initial state cannot be computed."""


@dataclass(slots=True)
class Report:
    """What a run reported: its figures, and for each kind of violation looked for and found a run that shows it."""

    figures: dict[str, Any] = field(default_factory=dict)
    paths: dict[str, tuple[Move, ...]] = field(default_factory=dict)

    @property
    def limits_hit(self) -> tuple[str, ...]:
        return tuple(name for n, name in enumerate(LIMITS) if self.figures["limits"] >> n & 1)

    @property
    def met(self) -> frozenset[str]:
        return frozenset(name for n, name in enumerate(KINDS) if self.figures["met"] >> n & 1)


def explore(request: Request, wanted: frozenset[str], observer: Observer | None, flags: tuple[str, ...]) -> Report:
    """Compiles and runs the model. Raises CompilerError, ProgramError or BadInitialState."""
    room = FIRST_ROOM
    while True:
        program = compiled(request.view, room, flags)
        report = _run(program, request, wanted, observer)
        if report is not None:
            return report
        room *= 2


def compiled(network: Network, room: int = FIRST_ROOM, flags: tuple[str, ...] = FLAGS) -> Path:
    """The program that explores this network. Raises InputError if embedded C cannot be compiled."""
    if not has_foreign_code(network):
        return build(generate(network, room)[0], RUNTIME, flags)
    model, beside = generate(network, room, foreign_sizes(network))
    return build(model, RUNTIME, (*flags, *compiler_flags(network)), beside=beside)


def _arguments(request: Request, wanted: frozenset[str], progress: bool) -> Iterator[str]:
    limits = request.limits
    memory = limits.memory if limits.memory is not None else _most_memory()
    for name, value in (("states", limits.states), ("depth", limits.depth), ("memory", memory)):
        if value is not None:
            yield f"--max-{name}"
            yield str(value)
    if limits.seconds is not None:
        yield from ("--max-seconds", str(limits.seconds))
    yield from ("--wanted", str(sum(1 << n for n, kind in enumerate(KINDS) if kind in wanted)))
    if request.keep_going or not wanted:
        yield "--keep-going"
    if progress:
        yield "--progress"


def _most_memory() -> int | None:
    """What a run may take when no limit was given: most of what is free now, so that it ends with a partial result."""
    try:
        free = next(line for line in Path("/proc/meminfo").read_text().splitlines() if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        return None
    return int(int(free.split()[1]) * 1024 * 0.9)


def _run(program: Path, request: Request, wanted: frozenset[str], observer: Observer | None) -> Report | None:
    """None: the layout was too small."""
    command = [str(program), *_arguments(request, wanted, observer is not None)]
    report = Report()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None and child.stderr is not None
        for line in _lines(child):
            said: dict[str, Any] = json.loads(line)
            match said.pop("type"):
                case "progress" if observer is not None:
                    observer(Progress(**said))
                case "result":
                    report.figures = said
                case "violation":
                    report.paths[said["kind"]] = tuple(Move(*step) for step in said["path"])
                case "room":
                    return None
                case "initial":
                    raise BadInitialState
        errors = child.stderr.read().strip()
        status = child.wait()
    if not report.figures:
        cause = f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"
        raise ProgramError(f"the compiled model ended with {cause}" + (f": {errors}" if errors else ""))
    return report


def _lines(child: subprocess.Popen[str]) -> Iterator[str]:
    """The lines a child prints. Ctrl-C asks it to stop; it then reports what it has."""
    assert child.stdout is not None
    while True:
        try:
            line = child.stdout.readline()
        except KeyboardInterrupt:
            with contextlib.suppress(ProcessLookupError):
                child.send_signal(signal.SIGINT)
            continue
        if not line:
            return
        yield line
