"""Hunting programs of models, run with a limit on processor time: a busy machine does not change what is found."""

from __future__ import annotations

import json
import os
import resource
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clew.core.engines import Request, Search
from clew.core.hunting import Hunt
from clew.core.network import Network
from clew.explicit.program import prepare
from clew.host.checking import ModelOptions, load_model

KINDS = {"assertion": 1, "runtime-error": 2, "deadlock": 4}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a program said, line by line, and the processor time it took."""

    lines: list[dict[str, Any]]
    cpu: float

    def of_type(self, name: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line.get("type") == name]

    @property
    def found(self) -> bool:
        return bool(self.of_type("violation"))

    @property
    def length(self) -> int:
        return len(self.of_type("violation")[-1]["path"])


# The schedule of the thesis: a byte more each time, from 10,000 bytes on batches 1.2 times larger.
SCHEDULE = (
    *("--least-bytes", "1", "--small-steps", "50", "--big-from", "10000"),
    *("--big-step", "1.2", "--most-bytes", "200000"),
)


def network_of(path: Path, defines: dict[str, str] | None = None) -> Network:
    view = load_model(str(path), ModelOptions(defines=defines or {})).view
    assert isinstance(view, Network)
    return view


def program(path: Path, search: Search, defines: dict[str, str] | None = None, workers: int = 1) -> Path:
    view = network_of(path, defines)
    options: dict[str, Any] = {"workers": workers, **({"hunt": Hunt()} if search in ("hunt", "random") else {})}
    return prepare(Request(view, search=search, options=options)).build.program()


def run(built: Path, kind: str, words: Sequence[str], cpu_limit: float, memory: int = 4 << 30) -> Outcome:
    """`words`: options of the program. Ends after so many seconds of processor time."""

    def limit() -> None:
        seconds = max(1, round(cpu_limit))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    command = [str(built), "--wanted", str(KINDS[kind]), "--max-memory", str(memory), *words]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=limit)
    assert child.stdout is not None
    lines = [json.loads(line) for line in child.stdout if line.startswith("{") and line.rstrip().endswith("}")]
    _, _, used = os.wait4(child.pid, 0)
    child.returncode = 0
    return Outcome(lines, used.ru_utime + used.ru_stime)


def first(built: Path, kind: str, seed: int, budget: float, *more: str) -> Outcome:
    """A hunt that ends with the first run found."""
    words = ["--search", "hunt", "--hashes", "1", "--first-only", "--seed", str(seed), *SCHEDULE, *more]
    return run(built, kind, words, budget)
