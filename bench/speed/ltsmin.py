"""LTSmin's `prom2lts-mc`, when it and the compiler `spins` for its models are installed."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from bench.common import child

from .runs import Run

_EXPLORED = re.compile(r"Explored (\d+) states (\d+) transitions")
_TIME = re.compile(r"Total exploration time ([0-9.]+) sec")


def installed() -> bool:
    return shutil.which("prom2lts-mc") is not None and shutil.which("spins") is not None


def compile_model(model: Path, scratch: Path) -> Path | None:
    """The compiled model, None if `spins` does not take it."""
    copy = scratch / f"ltsmin-{model.name}"
    shutil.copyfile(model, copy)
    child.run(["spins", "-o3", copy.name], cwd=scratch, seconds=300, merge=True)
    compiled = scratch / f"{copy.name}.spins"
    return compiled if compiled.exists() else None


def read(output: str) -> tuple[int, int, float] | None:
    """States, transitions and seconds of a run; None if it did not finish."""
    explored, took = _EXPLORED.search(output), _TIME.search(output)
    if explored is None or took is None:
        return None
    return int(explored[1]), int(explored[2]), float(took[1])


def explore(compiled: Path, workers: int, seconds: float) -> Run | None:
    """One run with as many threads, breadth first, its usual table."""
    argv = ["prom2lts-mc", f"--threads={workers}", "--strategy=bfs", compiled.name]
    done = child.run(argv, cwd=compiled.parent, seconds=seconds, merge=True)
    figures = read(done.stdout)
    if done.status != 0 or figures is None:
        return None
    return Run(*figures, done.seconds, done.cpu_seconds, done.peak_bytes)
