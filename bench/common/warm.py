"""Clew's command in processes forked from one that has all of it loaded: loading is most of a small question."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from multiprocessing.context import ForkServerContext
from pathlib import Path

from .child import OUTPUT_LIMIT, Finished

LOADED = (
    "clew.cli.main",
    "clew.cli.arguments",
    "clew.cli.commands.check",
    "clew.cli.commands.count",
    "clew.explicit.engine",
    "clew.frontends.promela.lower",
    "clew.host.asking",
    "clew.reference.engine",
    "clew.report.result_json",
)
"""What is loaded before the first question; whatever else is needed is loaded by each process for itself."""


def run(
    arguments: Sequence[str], *, cwd: Path, seconds: float, megabytes: int, environment: Mapping[str, str]
) -> Finished:
    """`clew ARGUMENTS…` in `cwd` with some variables of the environment set, like `child.run` otherwise."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="warm-") as folder:
        said, complained = Path(folder) / "stdout", Path(folder) / "stderr"
        question = (list(arguments), str(cwd), str(said), str(complained), megabytes, dict(environment))
        process = _context().Process(target=_answer, args=question)
        process.start()
        process.join(seconds)
        stopped = "" if process.exitcode is not None else "time"
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid or 0, signal.SIGKILL)  # what it may have left behind, too
        process.join()
        status = process.exitcode or 0
        output, errors = (file.read_bytes()[:OUTPUT_LIMIT] if file.exists() else b"" for file in (said, complained))
    took = time.monotonic() - started
    return Finished(status, output.decode("utf-8", "replace"), errors.decode("utf-8", "replace"), stopped, took, 0.0, 0)


def _context() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*LOADED, __name__])
    return context


def _answer(
    arguments: list[str], cwd: str, said: str, complained: str, megabytes: int, environment: dict[str, str]
) -> None:
    """The forked process: a session of its own, so that all of it can be ended together."""
    os.setsid()
    os.chdir(cwd)
    os.environ.update(environment)
    for number, file in ((1, said), (2, complained)):
        opened = os.open(file, os.O_WRONLY | os.O_CREAT, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    resource.setrlimit(resource.RLIMIT_AS, (megabytes * 2**20, megabytes * 2**20))
    from clew.cli.main import main

    status = main(arguments)
    sys.stdout.flush()
    sys.stderr.flush()
    sys.exit(status)
