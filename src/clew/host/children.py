"""Child processes of this process: none outlives it, not even when it ends all of a sudden."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from clew.host.held import signals_held

_running: set[subprocess.Popen[bytes]] = set()
_groups: set[int] = set()  # process ids of those that lead a process group


def start(
    command: Sequence[str],
    *,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    stdin: int = subprocess.DEVNULL,
    stdout: int | IO[bytes] = subprocess.PIPE,
    stderr: int | IO[bytes] = subprocess.PIPE,
    leads_group: bool = False,
) -> subprocess.Popen[bytes]:
    """Starts a child, without input unless `stdin` says so. `leads_group`: it has children itself, which end with it.
    Raises OSError.

    A child in our own group gets Ctrl-C from the terminal besides what we send it, and stops with Ctrl-Z.
    """
    with signals_held():
        child = subprocess.Popen(
            command,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            env=environment,
            cwd=folder,
            process_group=0 if leads_group else None,
        )
        _running.add(child)
        if leads_group:
            _groups.add(child.pid)
    return child


def end(child: subprocess.Popen[bytes]) -> int:
    """Kills a child if it still runs, and gives its status."""
    if child.poll() is None:
        _kill(child)
    status = child.wait()
    for stream in (child.stdin, child.stdout, child.stderr):
        if stream is not None:
            with contextlib.suppress(BrokenPipeError):
                stream.close()
    _running.discard(child)
    _groups.discard(child.pid)
    return status


def end_group(child: subprocess.Popen[bytes]) -> None:
    """Kills a child that leads a group and its children, those it left behind, too. Waits for nothing."""
    if child.pid in _groups:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)


def kill_all() -> None:
    """For the sudden end of this process: kills what still runs and waits for nothing."""
    for child in tuple(_running):
        if child.returncode is None:
            _kill(child)


def signal_name(status: int) -> str:
    """The name of the signal that ended a child with this (negative) status."""
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"


def _kill(child: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if child.pid in _groups:
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()
