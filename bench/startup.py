"""From a command to its verdict: `clew check`, cold and warm, beside Spin's whole pipeline on the same models.

    python -m bench.startup [--rounds 3] [--clew ./clew] MODEL[:NAME=VALUE,…]...
    python -m bench.startup [--cpu]             only `clew --help`, and reading a text of 2,000 lines

Spin: `spin -a`, `gcc -O2 pan.c`, `./pan`, with the smallest depth limit (a power of ten) that is deep enough. Clew
first: nothing is compiled yet, not even the searches, which many models share; cold: no model is; warm: the same check
again. Rounds are interleaved and medians are taken, of
wall-clock times, or with --cpu of processor time: for a machine that has other work, too.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

Clock = Callable[[], float]
STATUSES = (0, 1, 2)  # a verdict


@dataclass(slots=True)
class Row:
    model: str
    states: int = 0
    spin: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    cold: list[float] = field(default_factory=list)
    warm: list[float] = field(default_factory=list)

    def text(self) -> str:
        spin, *clew = (median(times) for times in (self.spin, self.first, self.cold, self.warm))
        figures = " | ".join(f"{took:.2f}" for took in (spin, *clew, *(took / spin for took in clew)))
        return f"| {self.model} | {self.states:,} | {figures} |"


def processor_time() -> float:
    """Of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(command: Sequence[str], folder: Path, clock: Clock, **changes: str) -> tuple[float, str]:
    """Wall-clock seconds, and what was printed. Raises CalledProcessError if there is no verdict."""
    began = clock()
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **changes}, capture_output=True, text=True, check=False
    )
    took = clock() - began
    if done.returncode not in STATUSES:
        raise subprocess.CalledProcessError(done.returncode, command, done.stdout, done.stderr)
    return took, done.stdout


def run_spin(model: Path, defines: Sequence[str], depth: int, clock: Clock) -> tuple[float, bool]:
    """The whole pipeline; the flag says whether the depth limit was too small."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(model, folder)
        generate, _ = timed(["spin", *(f"-D{text}" for text in defines), "-a", model.name], folder, clock)
        build, _ = timed(["gcc", "-O2", "-w", "-o", "pan", "pan.c"], folder, clock)
        search, output = timed(["./pan", f"-m{depth}"], folder, clock)
    return generate + build + search, "max search depth too small" in output


def fitting_depth(model: Path, defines: Sequence[str]) -> int:
    depth = 10_000
    while run_spin(model, defines, depth, time.perf_counter)[1]:
        depth *= 10
    return depth


def run_clew(clew: str, model: Path, defines: Sequence[str], cache: Path, clock: Clock) -> tuple[float, int]:
    """Seconds and states."""
    words = [word for text in defines for word in ("-D", text)]
    command = [clew, "check", "--no-run", "--json", *words, str(model)]
    took, output = timed(command, cache, clock, CLEW_CACHE=str(cache))
    return took, json.loads(output)["statistics"]["states"]


def forget_models(cache: Path) -> None:
    """Leaves what compiled models have in common."""
    for program in cache.glob("model-*"):
        program.unlink()


def compare(model: Path, defines: Sequence[str], clew: str, rounds: int, clock: Clock) -> Row:
    row = Row(" ".join([model.name, *defines]))
    depth = fitting_depth(model, defines)
    for _ in range(rounds):
        row.spin.append(run_spin(model, defines, depth, clock)[0])
        with tempfile.TemporaryDirectory() as cache:
            for times in (row.first, row.cold, row.warm):
                if times is row.cold:
                    forget_models(Path(cache))
                took, row.states = run_clew(clew, model, defines, Path(cache), clock)
                times.append(took)
    return row


PROCESS = """proctype P{n}(chan left, right)
{{
    byte count, value;
    bool done = false;
    do
    :: left?value ->
        count++;
        if
        :: value > {n} && !done -> right!value - 1
        :: value == {n} -> done = true
        :: else -> atomic {{ shared = value; right!shared + count % 7 }}
        fi
    :: done && count < 200 -> break
    :: timeout -> goto ended
    od;
ended:
    assert(count < 255 || done)
}}

"""


def long_text(lines: int) -> str:
    """A model of at least so many lines."""
    processes = [PROCESS.format(n=n) for n in range(-(-lines // PROCESS.count("\n")))]
    return "byte shared;\nchan q[2] = [2] of { byte };\n" + "".join(processes) + "init { run P0(q[0], q[1]) }\n"


def small_things(clew: str, rounds: int, clock: Clock) -> Iterator[str]:
    """How long it takes to say how to use the command, and to read a long text."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        help_times = [timed([clew, "--help"], folder, clock)[0] for _ in range(rounds)]
        yield f"clew --help: {median(help_times):.2f} s"
        text = long_text(2000)
        (folder / "long.pml").write_text(text)
        program = (
            "import sys, time; from clew.frontends.promela.parser import parse_text; text = open('long.pml').read(); "
        )
        program += "t = time.process_time(); parse_text(text, 'long.pml'); print(time.process_time() - t)"
        python = Path(sys.executable)
        parse_times = [float(timed([str(python), "-c", program], folder, clock)[1]) for _ in range(rounds)]
        yield f"parsing {len(text.splitlines()):,} lines: {median(parse_times):.2f} s of processor time"
        lint_times = [timed([clew, "lint", "long.pml"], folder, clock)[0] for _ in range(rounds)]
        yield f"clew lint of them: {median(lint_times):.2f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL[:NAME=VALUE,…]")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clew", default=str(Path(__file__).parent.parent / "clew"))
    parser.add_argument("--cpu", action="store_true", help="processor time instead of wall-clock time")
    arguments = parser.parse_args()
    clock = processor_time if arguments.cpu else time.perf_counter
    if not arguments.models:
        for line in small_things(arguments.clew, arguments.rounds, clock):
            print(line, flush=True)
        return
    print("| model | states | Spin, s | first, s | cold, s | warm, s | first / Spin | cold / Spin | warm / Spin |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for word in arguments.models:
        path, _, defines = word.partition(":")
        try:
            parameters = [text for text in defines.split(",") if text]
            row = compare(Path(path).resolve(), parameters, arguments.clew, arguments.rounds, clock)
        except subprocess.CalledProcessError as error:
            print(f"{word}: left out: {error.cmd[0]} fails: {error.stderr.strip()}", file=sys.stderr)
        else:
            print(row.text(), flush=True)


if __name__ == "__main__":
    main()
