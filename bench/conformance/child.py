"""Child processes with limits on time and memory, and an eye on what they print."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

OUTPUT_LIMIT = 4_000_000
"""Bytes of output that are kept: the first half and the last half of this many; the middle is dropped."""


@dataclass(frozen=True, slots=True)
class Finished:
    """How a child ended. `stopped` is empty, `time`, or `watch` when we killed it."""

    status: int
    stdout: str
    stderr: str
    stopped: str
    seconds: float


def run(
    argv: Sequence[str],
    *,
    cwd: Path,
    seconds: float,
    megabytes: int | None = None,
    watch: Callable[[str], bool] | None = None,
    merge: bool = False,
) -> Finished:
    """Run `argv` to its end, to the time limit, or until `watch` says yes to a piece of its output.

    `megabytes` bounds the address space; `merge` sends standard error into standard output.
    """
    command = list(argv)
    if megabytes is not None:
        command = ["/bin/sh", "-c", f'ulimit -v {megabytes * 1024}; exec "$@"', "sh", *command]
    started = time.monotonic()
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(
            command,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if merge else errors,
            start_new_session=True,
        )
        try:
            output, stopped = _drain(child, started + seconds, watch)
        finally:
            _kill_group(child)
        errors.seek(0)
        stderr = errors.read(OUTPUT_LIMIT).decode("utf-8", "replace")
    return Finished(child.returncode, output.decode("utf-8", "replace"), stderr, stopped, time.monotonic() - started)


def _drain(child: subprocess.Popen[bytes], deadline: float, watch: Callable[[str], bool] | None) -> tuple[bytes, str]:
    """Read standard output until it closes; returns it and why the child has to be stopped, if so."""
    assert child.stdout is not None
    output = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ)
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                return bytes(output), "time"
            if not selector.select(left):
                continue
            chunk = os.read(child.stdout.fileno(), 65536)
            if not chunk:
                break
            output += chunk
            if len(output) > OUTPUT_LIMIT:
                del output[OUTPUT_LIMIT // 2 : -OUTPUT_LIMIT // 4]
            if watch is not None and watch(chunk.decode("utf-8", "replace")):
                return bytes(output), "watch"
    try:
        child.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        return bytes(output), "time"
    return bytes(output), ""


def _kill_group(child: subprocess.Popen[bytes]) -> None:
    if child.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    if child.stdout is not None:
        child.stdout.close()
