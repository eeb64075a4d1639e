"""Checks that run while someone watches: child processes of this one, with progress as JSON lines.

A check in a process of its own can be stopped or killed and takes nothing with it.
"""

from __future__ import annotations

import contextlib
import json
import shlex
import signal
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import Popen
from typing import Any, Literal

from clew.host import children
from clew.host.runs import Run

State = Literal["running", "stopping", "finished", "killed", "failed"]
MOST_SAMPLES = 2000  # of a chart; then every other one is dropped


@dataclass(slots=True)
class LiveCheck:
    """One check: what was asked, how far it has come, how it ended."""

    number: int
    title: str
    model: str
    state: State = "running"
    message: str = ""  # why it failed
    samples: list[dict[str, Any]] = field(default_factory=list)
    run: Run | None = None
    result: dict[str, Any] = field(default_factory=dict)
    began: float = field(default_factory=time.monotonic)
    took: float | None = None
    dropped: int = 0  # how often samples were thinned out
    _every: int = 1
    _seen: int = 0

    @property
    def over(self) -> bool:
        return self.state not in ("running", "stopping")

    def add(self, sample: dict[str, Any]) -> None:
        """Keeps a report; of very many, evenly spaced ones."""
        self._seen += 1
        if self._seen % self._every:
            return
        self.samples.append(sample)
        if len(self.samples) > MOST_SAMPLES:
            del self.samples[1::2]
            self._every *= 2
            self.dropped += 1


class LiveChecks:
    """The checks of this process, newest last."""

    def __init__(self, runs_folder: Path) -> None:
        self.all: list[LiveCheck] = []
        self.runs_folder = runs_folder.absolute()
        self._children: dict[int, Popen[bytes]] = {}
        self._lock = threading.Lock()

    def begin(self, file: str, words: Sequence[str], folder: Path | None = None) -> LiveCheck:
        """Starts `clew check FILE` with these options. Raises OSError."""
        command = [sys.executable, "-m", "clew", "check", file, *words]
        command += ["--json", "--progress", "json", "--runs-dir", str(self.runs_folder)]
        with self._lock:
            check = LiveCheck(len(self.all), shlex.join(words), file)
            child = children.start(command, folder=folder, leads_group=True)
            self.all.append(check)
            self._children[check.number] = child
        threading.Thread(target=self._follow, args=(check, child), daemon=True).start()
        return check

    def stop(self, check: LiveCheck) -> None:
        """The first time asks for what is known so far, the second time ends it at once."""
        with self._lock:
            child = self._children.get(check.number)
            if child is None or check.over:
                return
            if check.state == "stopping":
                children.end_group(child)
                return
            check.state = "stopping"
            with contextlib.suppress(ProcessLookupError):
                child.send_signal(signal.SIGINT)

    def end_all(self) -> None:
        """When nobody watches any more."""
        with self._lock:
            for child in self._children.values():
                children.end_group(child)

    def _follow(self, check: LiveCheck, child: Popen[bytes]) -> None:
        answer: list[bytes] = []
        said: list[str] = []
        readers = [
            threading.Thread(target=_read_all, args=(child.stdout, answer), daemon=True),
            threading.Thread(target=self._listen, args=(check, child, said), daemon=True),
        ]
        for reader in readers:
            reader.start()
        status = child.wait()
        children.end_group(child)  # whatever it left behind would keep the pipes open
        for reader in readers:
            reader.join()
        check.took = time.monotonic() - check.began
        with self._lock:
            self._children.pop(check.number, None)
            check.state, check.message = _ending(check, status, b"".join(answer), said)
        children.end(child)

    def _listen(self, check: LiveCheck, child: Popen[bytes], said: list[str]) -> None:
        assert child.stderr is not None
        with contextlib.suppress(ValueError, OSError):
            for line in child.stderr:
                self._note(check, line.decode(errors="replace").rstrip("\n"), said)

    @staticmethod
    def _note(check: LiveCheck, line: str, said: list[str]) -> None:
        try:
            data = json.loads(line) if line.startswith("{") else {}
        except ValueError:
            data = {}
        match data.get("schema"):
            case "clew.progress/1":
                check.add(data)
            case "clew.saved/1":
                check.run = Run(Path(data["run"]))
            case _:
                said.append(line)
                del said[:-20]


def _read_all(stream: Any, into: list[bytes]) -> None:
    with contextlib.suppress(ValueError, OSError):
        into.append(stream.read())


def _ending(check: LiveCheck, status: int, answer: bytes, said: Sequence[str]) -> tuple[State, str]:
    """How it ended, and why it failed if it did."""
    words = "\n".join(said).strip()
    if status < 0:
        return "killed", f"the check was ended by {children.signal_name(status)}: its result is lost"
    try:
        found = json.loads(answer)
    except ValueError:
        return "failed", words or f"the check ended with status {status} and gave no answer"
    if str(found.get("schema", "")).startswith("clew.result/"):
        check.result = found
        return "finished", ""
    return "failed", words or f"the check ended with status {status}"
