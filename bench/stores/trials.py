"""Tables of the runtime filled with random states, and what the formulas say about them."""

from __future__ import annotations

import json
import math
import statistics
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clew.core.omission.formulas import Omissions
from clew.core.omission.prediction import missed
from clew.core.stores import LossyStore
from clew.explicit.lossy import store_flags
from clew.explicit.program import FLAGS, RUNTIME
from clew.host.compiler import find_compiler

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Trial:
    """Measured omissions of a table over several seeds, beside the prediction. `errors`: how far apart they are, in
    standard errors of the mean."""

    store: LossyStore
    states: int
    seeds: int
    mean: float
    deviation: float
    predicted: Omissions
    nanoseconds: float

    @property
    def errors(self) -> float:
        spread = max(self.deviation, math.sqrt(max(self.predicted.expected, 1e-9))) / math.sqrt(self.seeds)
        return (self.mean - self.predicted.expected) / spread


def trial_program(folder: Path, *flags: str) -> Path:
    compiler = find_compiler()
    assert compiler is not None, "a C compiler is needed"
    program = folder / ("trial" + "".join(flags).replace("-D", "_").replace("=", ""))
    if not program.exists():
        command = [*compiler.command, *FLAGS, "-DSTORE_IS_LOSSY=1", *flags, "-Wno-unused-function", f"-I{RUNTIME}"]
        subprocess.run([*command, "-o", str(program), str(HERE / "trial.c")], check=True)
    return program


def try_store(folder: Path, store: LossyStore, states: int, seeds: int) -> Trial:
    program = trial_program(folder, *store_flags(store)[1:])
    arguments = [states, 0, seeds, store.size, store.k or 1, store.width or 64]
    rows = _rows([str(program), *map(str, arguments)])
    omitted = [row["omitted"] for row in rows]
    deviation = statistics.stdev(omitted) if seeds > 1 else 0.0
    speed = statistics.median(row["ns"] for row in rows)
    return Trial(store, states, seeds, statistics.mean(omitted), deviation, missed(store, states), speed)


def time_hash(folder: Path, words: int, hashes: int, *flags: str) -> list[dict[str, Any]]:
    """Nanoseconds for a hash, full and differential. The program fails if the two ways give different hashes."""
    return _rows([str(trial_program(folder, f"-DMODEL_WORDS={words}", *flags)), "hash", str(hashes)])


def _rows(command: list[str]) -> list[dict[str, Any]]:
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]
