"""Runs embedded C in a child process for the reference interpreter, one fragment at a time.

The child speaks lines of numbers: a request is `what number pid template processes last`, the globals, then the locals;
an answer is `ok value`, for anything that changes the state followed by globals, locals and what was printed (hex).
"""

from __future__ import annotations

import contextlib
import signal
import subprocess
from pathlib import Path

from clew.core.diagnostics import InputError, Span
from clew.core.foreign import Fragment
from clew.core.interpreter.foreign import ForeignFrames, ForeignOutcome, PreconditionFailed
from clew.core.interpreter.state import Values
from clew.core.network import Network
from clew.core.records import record
from clew.host.compiler import CompilerError, RefusedProgram, build
from clew.host.foreign_program import runner_source
from clew.host.foreign_text import area, compiler_flags, refused

FLAGS = ("-std=gnu11", "-O1", "-fwrapv", "-fno-strict-aliasing")


@record
class ForeignSizes:
    """Bytes that embedded C adds to a state: to the system, to the processes of templates, for tracked memory."""

    globals: int
    tracked: dict[str, int]
    locals: dict[str, int]


NO_SIZES = ForeignSizes(0, {}, {})


def foreign_sizes(network: Network) -> ForeignSizes:
    """Raises InputError if the compiler refuses the C of the user."""
    with ForeignChild(network) as child:
        names = [template.name for template in network.templates]
        tracked = {area(True): child.tracked[0], area(False): child.tracked[1]}
        return ForeignSizes(child.members, tracked, dict(zip(names, child.locals, strict=True)))


class ForeignChild:
    """The C of a network in a child process (a `ForeignRunner`); start it with `with`, or end it with `close`."""

    def __init__(self, network: Network) -> None:
        self._process = subprocess.Popen(
            [str(_program(network))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._name = network.name
        self.members, matched, self.unmatched, *self.locals = map(int, self._line(Span(self._name, 1)).split())
        self.tracked = (matched, self.unmatched)
        self.matched = self.members + matched

    def __enter__(self) -> ForeignChild:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()

    def close(self) -> None:
        """Ends the child."""
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._process.wait()

    # --- the runner

    def start(self, frames: ForeignFrames) -> Values:
        return self._changed("i", 0, frames, None).globals

    def start_process(self, frames: ForeignFrames) -> Values:
        return self._changed("l", frames.template, frames, None).locals

    def run(self, fragment: Fragment, frames: ForeignFrames) -> ForeignOutcome:
        return self._changed("c", fragment.number, frames, fragment)

    def value(self, fragment: Fragment, frames: ForeignFrames) -> int:
        return self._asked("t", fragment.number, frames, fragment)[0]

    def show(self, frames: ForeignFrames) -> list[tuple[str, str]]:
        _, _, lines = self._asked("s", frames.template, frames, None)
        return [(name, value) for name, _, value in (line.rpartition("=") for line in lines.splitlines())]

    def _changed(self, what: str, number: int, frames: ForeignFrames, fragment: Fragment | None) -> ForeignOutcome:
        _, values, output = self._asked(what, number, frames, fragment)
        count = len(frames.globals)
        return ForeignOutcome(tuple(values[:count]), tuple(values[count:]), output)

    def _asked(
        self, what: str, number: int, frames: ForeignFrames, fragment: Fragment | None
    ) -> tuple[int, list[int], str]:
        self._ask(what, number, frames)
        span = Span(self._name, 1) if fragment is None else fragment.span
        ok, value, *values = map(int, self._line(span).split())
        output = bytes.fromhex(self._line(span).strip()).decode(errors="replace")
        if not ok and fragment is not None:
            raise PreconditionFailed(f"the precondition of embedded C is false: {fragment.precondition}")
        return value, values, output

    def _ask(self, what: str, number: int, frames: ForeignFrames) -> None:
        assert self._process.stdin is not None
        head = (number, frames.pid, frames.template, frames.process_count, frames.last)
        words = map(str, (*head, *frames.globals, *frames.locals))
        with contextlib.suppress(BrokenPipeError):
            print(what, *words, file=self._process.stdin, flush=True)

    def _line(self, span: Span) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if line:
            return line
        status = self._process.wait()
        cause = f"crashed ({signal.Signals(-status).name})" if status < 0 else f"ended the program (status {status})"
        raise InputError.at(span, "embedded-c", f"embedded C {cause}")


def _program(network: Network) -> Path:
    try:
        return build(runner_source(network), None, (*FLAGS, *compiler_flags(network)))
    except RefusedProgram as error:
        raise refused(network, error.output) from None
    except CompilerError as error:
        raise InputError.at(Span(network.name, 1), "embedded-c", f"embedded C cannot be compiled: {error}") from None
