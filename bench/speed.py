"""Search time and memory of Clew's native engine and of Spin's verifier on the same models, in one run.

    python -m bench.speed [--rounds 3] [--clew ./clew] MODEL...

Both are compiled before anything is measured; rounds are interleaved and medians are taken. Time is that of the search
alone, as wall clock; memory is resident memory of the whole process at its peak.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

PAN_FLAGS = ("-O2", "-w", "-DNOREDUCE", "-DSAFETY", "-DNOCLAIM", "-DMEMLIM=16000", "-DVECTORSZ=8000")


@dataclass(frozen=True, slots=True)
class Run:
    states: int
    seconds: float
    bytes: int


def build_pan(model: Path, folder: Path) -> Path:
    """The verifier Spin generates. Raises CalledProcessError if Spin or the compiler refuses the model."""
    subprocess.run(["spin", "-a", str(model.resolve())], cwd=folder, check=True, capture_output=True)
    subprocess.run(["gcc", *PAN_FLAGS, "-o", "pan", "pan.c"], cwd=folder, check=True, capture_output=True)
    return folder / "pan"


def run_pan(pan: Path, depth: int) -> tuple[Run, bool]:
    """One search; the flag says whether the depth limit was too small."""
    began = time.perf_counter()
    child = subprocess.Popen([str(pan), "-A", "-E", "-c0", f"-m{depth}"], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    output = child.stdout.read()
    _, _, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - began
    stored = re.search(r"(\d+) states, stored", output)
    assert stored is not None, output[-500:]
    return Run(int(stored[1]), wall, usage.ru_maxrss * 1024), "max search depth too small" in output


def fitting_depth(pan: Path) -> int:
    """The smallest power of ten that is deep enough: a larger stack only costs pan time and memory."""
    depth = 10_000
    while run_pan(pan, depth)[1]:
        depth *= 10
    return depth


def run_clew(clew: str, model: Path) -> Run:
    command = [clew, "count", str(model), "--engine", "native", "--json", "--progress", "off"]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["statistics"]
    return Run(answer["states"], answer["seconds"], answer["peak_bytes"])


def compare(model: Path, clew: str, rounds: int) -> tuple[float, float] | None:
    """Prints the row of one model; the ratios of time and memory, or None if there is nothing to compare."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            pan = build_pan(model, Path(folder))
            depth = fitting_depth(pan)
            run_clew(clew, model)  # compiles
        except subprocess.CalledProcessError as error:
            print(f"{model.name}: left out: {error.cmd[0]} fails", file=sys.stderr)
            return None
        theirs, ours = [], []
        for _ in range(rounds):
            theirs.append(run_pan(pan, depth)[0])
            ours.append(run_clew(clew, model))
    assert {r.states for r in theirs} == {r.states for r in ours}, f"{model.name}: counts differ"
    states = ours[0].states
    pan_time, time_ = median(r.seconds for r in theirs), median(r.seconds for r in ours)
    pan_bytes, bytes_ = median(r.bytes for r in theirs), median(r.bytes for r in ours)
    print(
        f"| {model.name} | {states:,} | {pan_time:.2f} | {time_:.2f} | {pan_time / time_:.1f} "
        f"| {pan_bytes / states:.0f} | {bytes_ / states:.0f} | {pan_bytes / bytes_:.1f} |",
        flush=True,
    )
    return pan_time / time_, pan_bytes / bytes_


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clew", default=str(Path(__file__).parent.parent / "clew"))
    arguments = parser.parse_args()
    if shutil.which("spin") is None or shutil.which("gcc") is None:
        print("nothing to compare with: spin and gcc are needed", file=sys.stderr)
        return 3
    print("| model | states | pan, s | Clew, s | faster | pan, B/state | Clew, B/state | smaller |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    ratios = [r for model in arguments.models if (r := compare(model, arguments.clew, arguments.rounds)) is not None]
    if ratios:
        faster, smaller = (math.exp(sum(math.log(r[i]) for r in ratios) / len(ratios)) for i in (0, 1))
        print(f"| geometric mean | | | | {faster:.1f} | | | {smaller:.1f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
