"""The native engine against the reference interpreter, and its ways of searching against one another.

    python -m bench.native [--count 2000] [--seed 1]        random programs
    python -m bench.native MODEL...                         these models

Every program is compiled once and searched with one and with several workers, breadth-first and depth-first, with each
store; states, transitions and kinds of violations have to be the same for all, and those of the reference interpreter
where it can count them. Records are narrowed early, so that small programs go through that, too. `CC` names the
compiler, as everywhere (`CC="python -m ziglang cc"`).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from bench.conformance.random_promela import generate as random_program
from clew.core.engines import Limits, Request
from clew.core.network import Network
from clew.explicit.generate import first_room, unsupported
from clew.explicit.program import compiled
from clew.host.checking import ModelOptions, load_model, load_text
from clew.reference.engine import ENGINE as REFERENCE

FLAGS = (
    "-std=gnu11",
    "-O0",
    "-march=native",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-pthread",
    "-DSAMPLE_STATES=200",
    "-DWORTH_EXTENDING=1",
    "-DTREE_IS_POSSIBLE=1",
)
WAYS = (
    "",
    "--workers 2",
    "--workers 3",
    "--search dfs",
    "--search dfs --workers 2",
    "--store table",
    "--store tree",
    "--store tree --workers 2",
    "--store tree --search dfs --workers 2",
)
MOST_STATES = 300_000
MOST_FOR_REFERENCE = 20_000
START_OVER = 75

Figures = tuple[int | str, ...]


def searched(network: Network, way: str, room: int) -> tuple[Figures, int]:
    """States, transitions and kinds of violations, or what went wrong; and the room that was needed."""
    while True:
        program = compiled(network, room, FLAGS)
        command = [str(program), "--keep-going", "--max-states", str(MOST_STATES), *way.split()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        if done.returncode != START_OVER:
            break
        room *= 2
    if done.returncode:
        return ("ends with", done.returncode, done.stderr.strip()[-200:]), room
    result = json.loads(done.stdout.splitlines()[-1])
    if not result["complete"]:
        return ("too large",), room
    return (result["states"], result["transitions"], result["met"]), room


def differences(network: Network) -> Iterator[str]:
    """What differs; a first line without any is the figures."""
    room = first_room(network)
    expected, room = searched(network, WAYS[0], room)
    yield str(expected)
    for way in WAYS[1:]:
        found, room = searched(network, way, room)
        if found != expected:
            yield f"{way}: {found} instead of {expected}"
    if isinstance(expected[0], int) and expected[0] <= MOST_FOR_REFERENCE:
        counted = REFERENCE.run(Request(network, (), "bfs", Limits(), True)).statistics
        if (counted.states, counted.transitions) != expected[:2]:
            yield f"reference: {counted.states} {counted.transitions} instead of {expected}"


def subjects(arguments: argparse.Namespace) -> Iterator[tuple[str, Network]]:
    """Names, and what is to be searched."""
    for path in arguments.models:
        yield path.name, load_model(str(path), ModelOptions(language="promela"), counting=True).view
    for seed in [] if arguments.models else range(arguments.seed, arguments.seed + arguments.count):
        yield f"seed {seed}", load_text(f"{seed}.pml", random_program(seed), ModelOptions(), counting=True).view


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("models", type=Path, nargs="*")
    arguments = parser.parse_args()
    sys.setrecursionlimit(30_000)
    compared = large = refused = bad = 0
    for name, network in subjects(arguments):
        reason = unsupported(network)
        if reason is not None:
            refused += 1
            print(f"{name}: refused: {reason}", flush=True)
            continue
        first, *rest = differences(network)
        compared += 1
        large += "too large" in first
        bad += bool(rest)
        for line in rest:
            print(f"{name}: {line}", flush=True)
        if arguments.models and not rest:
            print(f"{name}: {first} in {len(WAYS)} ways", flush=True)
        if compared % 100 == 0:
            print(f"[{compared}] {bad} differ", file=sys.stderr, flush=True)
    print(f"{compared} programs, {large} too large for a full comparison, {refused} refused, {bad} differ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
