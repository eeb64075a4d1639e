"""The dining philosophers of each size: states, transitions, processor time, memory; as a table and as a picture."""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.speed.plot import Curve, Panel, picture

MODEL = Path(__file__).parents[2] / "examples/python/philosophers.py"
PLAIN, REDUCED = "every state", "up to isomorphism"


@dataclass(frozen=True, slots=True)
class Measured:
    """One search. `seconds` are processor time, without what it takes to start."""

    size: int
    search: str
    states: int
    transitions: int
    seconds: float
    memory: int

    @property
    def row(self) -> str:
        per = f"{self.seconds / self.transitions * 1e6:.1f} | {self.seconds / self.states * 1e6:.0f}"
        figures = f"{self.states:,} | {self.transitions:,} | {self.seconds:.2f} | {per} | {self.memory / 1e6:.0f}"
        return f"| {self.size} | {self.search} | {figures} |"


def processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def explored(size: int, search: str = PLAIN, start: float = 0.0) -> Measured:
    """`start`: processor seconds to take off."""
    command = [sys.executable, "-m", "clew", "count", "--json", "-D", f"N={size}"]
    command += ["--reduce", "symmetry"] if search == REDUCED else []
    began = processor_time()
    done = subprocess.run([*command, str(MODEL)], capture_output=True, text=True, check=True)
    seconds = max(processor_time() - began - start, 0.001)
    figures = json.loads(done.stdout)["statistics"]
    return Measured(size, search, figures["states"], figures["transitions"], seconds, figures["peak_bytes"])


def start_up() -> float:
    """Processor seconds of a search of nine states."""
    return min(explored(2, REDUCED).seconds for _ in range(3))


def drawn(found: Sequence[Measured]) -> str:
    """Time and memory against the number of all states."""
    states = {m.size: m.states for m in found if m.search == PLAIN}

    def curves(value: str) -> list[Curve]:
        return [
            Curve(
                name, [(states[m.size], getattr(m, value)) for m in found if m.search == name and m.size in states], n
            )
            for n, name in enumerate((PLAIN, REDUCED))
        ]

    memory = [Curve(c.name, [(x, y / 1e6) for x, y in c.points], c.colour) for c in curves("memory")]
    time = Panel("processor time", "all states", curves("seconds"), " s")
    return picture([time, Panel("memory of the process", "all states", memory, " MB")])


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.model_programs table", description=__doc__)
    parser.add_argument("--from", dest="first", type=int, default=4)
    parser.add_argument("--to", dest="last", type=int, default=10)
    parser.add_argument("--plain-to", type=int, default=12, help="largest size without reduction")
    parser.add_argument("--svg", type=Path, help="where the picture goes")
    arguments = parser.parse_args(words)
    start = start_up()
    print("| n | search | states | transitions | CPU s | µs/transition | µs/state | MB |")
    print("|--:|---|--:|--:|--:|--:|--:|--:|")
    found = []
    for size in range(arguments.first, arguments.last + 1):
        for search in (PLAIN, REDUCED) if size <= arguments.plain_to else (REDUCED,):
            found.append(explored(size, search, start))
            print(found[-1].row, flush=True)
    if arguments.svg is not None:
        arguments.svg.write_text(drawn(found), encoding="utf-8")
    return 0
