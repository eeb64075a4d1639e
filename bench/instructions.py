"""Instructions of the native engine for each step: a measure of its work that other jobs on the machine cannot change.

    python -m bench.instructions [--states 150000] [--functions 5] [--clew ./clew] MODEL...

The program that `clew count --keep-c` leaves is compiled for a processor that callgrind knows and searches until it has
so many states; the figures therefore contain what a search does at its beginning. Needs gcc and valgrind.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

FLAGS = ("-g", "-std=gnu11", "-O1", "-march=haswell", "-fwrapv", "-fno-strict-aliasing", "-pthread", "-w")
ONLY = ("-DONLY_BFS", "-DONLY_ALONE", "-DNO_CHECKPOINTS")
_COST = re.compile(r"^ *([0-9,]+) \([ 0-9.]+%\)  (.*)$", re.MULTILINE)
_FUNCTION = re.compile(r"([^/:\s]+):(\w+)")


def output_of(command: list[str], folder: Path) -> str:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


def measure(model: Path, clew: str, states: int) -> tuple[int, Counter[str]]:
    """How many steps were taken, and instructions by file and function, all together under the name `all`."""
    with tempfile.TemporaryDirectory(prefix="instructions-") as name:
        folder = Path(name)
        keep = ["--engine", "native", "--workers", "1", "--keep-c", str(folder), "--max-states", "5"]
        subprocess.run([clew, "count", *keep, str(model)], capture_output=True, check=False)
        output_of(["gcc", *FLAGS, *ONLY, "-o", "model", "model.c"], folder)
        run = ["./model", "--max-states", str(states), "--workers", "1", "--search", "bfs", "--keep-going"]
        said = output_of(["valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=costs", *run], folder)
        result = json.loads(said.strip().splitlines()[-1])
        costs: Counter[str] = Counter()
        for count, what in _COST.findall(output_of(["callgrind_annotate", "--auto=no", "costs"], folder)):
            function = _FUNCTION.search(what)
            if "PROGRAM TOTALS" in what:
                costs["all"] = int(count.replace(",", ""))
            elif function is not None:
                costs[f"{function[2]} ({function[1]})"] += int(count.replace(",", ""))
        return int(result["transitions"]), costs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", metavar="MODEL", type=Path)
    parser.add_argument("--states", type=int, default=150_000)
    parser.add_argument("--functions", type=int, default=5, help="how many to name (%(default)s)")
    parser.add_argument("--clew", default=str(Path(__file__).parent.parent / "clew"))
    arguments = parser.parse_args()
    print("| model | steps | instructions for a step | most of them |\n|---|--:|--:|---|")
    for model in arguments.models:
        try:
            steps, costs = measure(model.resolve(), arguments.clew, arguments.states)
        except subprocess.CalledProcessError as error:
            print(f"{model}: left out: {error.cmd[0]} fails: {error.stderr.strip()}", file=sys.stderr)
            continue
        total = costs.pop("all")
        most = ", ".join(f"{what} {count / steps:.0f}" for what, count in costs.most_common(arguments.functions))
        print(f"| {model.name} | {steps:,} | {total / steps:.0f} | {most} |", flush=True)


if __name__ == "__main__":
    main()
