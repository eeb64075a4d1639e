"""Child processes with limits on time and memory, and an eye on what they print."""

from __future__ import annotations

import contextlib
import os
import resource
import selectors
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

OUTPUT_LIMIT = 4_000_000
"""Bytes of output that are kept: the first half and the last half of this many; the middle is dropped."""
RSS_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in which the system gives the peak of resident memory."""


@dataclass(frozen=True, slots=True)
class Finished:
    """How a child ended. `stopped` is empty, `time` (the clock, or its processor time), or `watch` when we killed it.

    `seconds` is by the clock; `cpu_seconds` and `peak_bytes` are those of the child and of children it waited for.
    """

    status: int
    stdout: str
    stderr: str
    stopped: str
    seconds: float
    cpu_seconds: float
    peak_bytes: int


def run(
    argv: Sequence[str],
    *,
    cwd: Path,
    seconds: float,
    cpu_seconds: int | None = None,
    megabytes: int | None = None,
    watch: Callable[[str], bool] | None = None,
    merge: bool = False,
) -> Finished:
    """Run `argv` to its end, to a time limit, or until `watch` says yes to a piece of its output.

    `seconds` bounds the time by the clock, `cpu_seconds` the processor time, `megabytes` the address space; `merge`
    sends standard error into standard output.
    """
    command = list(argv)
    limits = [f"ulimit -v {megabytes * 1024}; "] if megabytes is not None else []
    limits += [f"ulimit -S -t {cpu_seconds}; "] if cpu_seconds is not None else []
    if limits:
        command = ["/bin/sh", "-c", "".join(limits) + 'exec "$@"', "sh", *command]
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
        stopped = "time"
        try:
            output, stopped = _drain(child, started + seconds, watch)
        finally:
            usage = _reap(child, 0.0 if stopped else started + seconds - time.monotonic())
        took = time.monotonic() - started
        errors.seek(0)
        stderr = errors.read(OUTPUT_LIMIT).decode("utf-8", "replace")
    if child.returncode == -signal.SIGXCPU or (took >= seconds and child.returncode == -signal.SIGKILL):
        stopped = stopped or "time"
    cpu = usage.ru_utime + usage.ru_stime
    peak = usage.ru_maxrss * RSS_UNIT
    return Finished(child.returncode, output.decode("utf-8", "replace"), stderr, stopped, took, cpu, peak)


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
    return bytes(output), ""


def _reap(child: subprocess.Popen[bytes], patience: float) -> resource.struct_rusage:
    """Wait for the end of a child, and kill it and what it started when it takes longer; what it used."""

    def kill() -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)

    killer = threading.Timer(max(0.0, patience), kill)
    killer.start()
    _, status, usage = os.wait4(child.pid, 0)
    killer.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.stdout is not None:
        child.stdout.close()
    return usage
