"""Scalable models by the explicit and by the symbolic engine, up to sizes that no table of states can hold."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

MODELS = Path(__file__).parent / "models"
SIZES: dict[str, tuple[tuple[int, ...], int]] = {  # sizes for both engines, and one for the symbolic engine alone
    "philosophers": ((4, 6, 8, 10, 12, 14), 30),
    "token_ring": ((3, 4, 5, 6, 7, 8, 9), 20),
    "fifo_chain": ((4, 6, 8, 10, 12, 14), 40),
    "elevator": ((3, 4, 5, 6, 7, 8), 24),
    "counters": ((2, 3, 4, 5, 6), 20),
}
MEMORY_LIMIT = 16 << 30


@dataclass(frozen=True, slots=True)
class Measured:
    """One count. `seconds` of processor time, the start of Python included."""

    model: str
    size: int
    engine: str
    states: int
    complete: bool
    seconds: float
    bytes_per_state: float
    limits: tuple[str, ...]


def count(model: str, size: int, engine: str, *options: str) -> Measured:
    """`clew count`, in a process of its own."""
    command = [sys.executable, "-m", "clew", "count", "--json", "--engine", engine, f"-DN={size}", *options]
    before = _spent()
    done = subprocess.run([*command, str(MODELS / f"{model}.pml")], capture_output=True, text=True, check=False)
    seconds = _spent() - before
    if done.returncode not in (0, 2):
        raise RuntimeError(f"{' '.join(command)}: {done.stderr or done.stdout}")
    answer = json.loads(done.stdout)
    figures = answer["statistics"]
    return Measured(
        model,
        size,
        engine,
        figures["states"],
        figures["complete"],
        seconds,
        figures["bytes_per_state"],
        tuple(answer["limits_hit"]),
    )


def measured(model: str, size: int, engine: str, memory: str) -> Measured:
    """The explicit engine's program is compiled before, so that only the search is timed."""
    if engine == "symbolic":
        return count(model, size, engine)
    options = ("--workers", "1", "--max-memory", memory)
    count(model, size, engine, *options, "--max-states", "100")
    return count(model, size, engine, *options)


def measure_all(memory: str) -> list[Measured]:
    """Both engines on every size; the explicit one with this limit on memory."""
    found: list[Measured] = []
    for model, (sizes, large) in SIZES.items():
        for size in sizes:
            for engine in ("native", "symbolic"):
                found.append(measured(model, size, engine, memory))
                _say(found[-1])
        found.append(count(model, large, "symbolic"))
        _say(found[-1])
        found.append(count(model, large, "native", "--workers", "1", "--max-memory", memory))
        _say(found[-1])
    for one in found:
        same = [o for o in found if (o.model, o.size) == (one.model, one.size) and o.complete and one.complete]
        assert len({o.states for o in same}) <= 1, f"engines disagree: {same}"
    return found


def save(found: list[Measured], path: Path) -> None:
    path.write_text(json.dumps([asdict(one) for one in found], indent=1))


def load(path: Path) -> list[Measured]:
    return [Measured(**{**one, "limits": tuple(one["limits"])}) for one in json.loads(path.read_text())]


def table(found: list[Measured]) -> str:
    """Markdown: one row for each model, at the size that only sets of states can hold."""
    rows = [
        "| model | N | states | symbolic, CPU s | explicit: bytes/state | would need | explicit, limited |",
        "|---|---|---|---|---|---|---|",
    ]
    for model, (_, large) in SIZES.items():
        mine = [one for one in found if one.model == model]
        sets = next(one for one in mine if one.size == large and one.engine == "symbolic")
        cut = next(one for one in mine if one.size == large and one.engine == "native")
        smallest = min(one.bytes_per_state for one in mine if one.engine == "native" and one.states > 1000)
        need = sets.states * smallest
        assert need > MEMORY_LIMIT, f"{model} {large} would fit"
        stopped = f"{', '.join(cut.limits)} after {cut.states:,} states, {cut.seconds:.0f} s"
        figures = f"{sets.states:.3g} | {sets.seconds:.1f} | {smallest:.1f} | {_size(need)} | {stopped}"
        rows.append(f"| {model} | {large} | {figures} |")
    return "\n".join(rows)


def crossover_table(found: list[Measured]) -> str:
    """Markdown: processor time of both engines for every size."""
    rows = ["| model | N | states | explicit, CPU s | symbolic, CPU s |", "|---|---|---|---|---|"]
    for model, (sizes, _) in SIZES.items():
        for size in sizes:
            pair = {one.engine: one for one in found if (one.model, one.size) == (model, size)}
            explicit, sets = pair["native"], pair["symbolic"]
            mark = "" if explicit.complete else f" (stopped by {', '.join(explicit.limits)})"
            rows.append(f"| {model} | {size} | {sets.states:,} | {explicit.seconds:.2f}{mark} | {sets.seconds:.2f} |")
    return "\n".join(rows)


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _size(count: float) -> str:
    for unit in ("B", "KB", "MB", "GB", "TB", "PB", "EB"):
        if count < 1000:
            return f"{count:.0f} {unit}"
        count /= 1000
    return f"{count:.1e} EB"


def _say(one: Measured) -> None:
    print(
        f"{one.model} {one.size} {one.engine}: {one.states:,} states, {one.seconds:.2f} s", file=sys.stderr, flush=True
    )
