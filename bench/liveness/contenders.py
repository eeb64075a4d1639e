"""The programs that are measured: verifiers that Spin generates, and the program that Clew generates, compiled once."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench.common import child
from bench.speed.pan import COMPILE_SECONDS, SLOWED_DOWN, rounded_up
from bench.spin import output
from bench.spin.build import WIDE_VECTOR, generate
from bench.spin.temporal import Verdict

from .questions import Question

PAN_FLAGS = ("-O2", "-DNOREDUCE")
REDUCED_FLAGS = ("-O2",)
DEPTHS = (1_000_000, 10_000_000, 100_000_000)
PAN, REDUCED, CLEW, CLEW_TWO = "pan", "pan with reduction", "Clew", "Clew, 2 workers"


class NotMeasured(Exception):
    """A contender cannot take part; the text says why."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Processor time in seconds and memory in megabytes, for each search."""

    seconds: int
    megabytes: int


@dataclass(frozen=True, slots=True)
class Run:
    """One search: of the process that searches, and nothing else."""

    verdict: str
    states: int
    cpu_seconds: float
    wall_seconds: float
    bytes: int


Contender = Callable[[], Run]


def pan(question: Question, model: Path, scratch: Path, flags: tuple[str, ...], limits: Limits) -> Contender:
    """`pan -a`, or `pan -a -f`, with a stack as deep as it needs. Raises NotMeasured."""
    scratch.mkdir()
    refused = generate(model, scratch, defines=question.defines, seconds=COMPILE_SECONDS)
    if refused is not None:
        raise NotMeasured(f"Spin: {refused.message}")
    fair = ["-DNFAIR=4"] if question.fair else ["-DNOFAIR"]
    compiled = False
    for wide in ([], [f"-DVECTORSZ={WIDE_VECTOR}"]):
        argv = ["gcc", "-w", *flags, *fair, *wide, f"-DMEMLIM={limits.megabytes}", "-o", "pan", "pan.c", "-lm"]
        compiled = child.run(argv, cwd=scratch, seconds=COMPILE_SECONDS, merge=True).status == 0
        search = PanSearch(scratch, ["-a", *(["-f"] if question.fair else []), "-A", "-E"], limits)
        if not compiled or "VECTORSZ" not in search.ran(DEPTHS[0]).stdout:
            break
    if not compiled:
        raise NotMeasured("Spin: the C compiler does not take its verifier")
    search.fit()
    return search.run


def judged(done: child.Finished) -> Verdict:
    """What a verifier says that was told to ignore assertions and invalid end states."""
    errors = [text for text in done.stdout.splitlines() if text.startswith("pan:1:")]
    if errors:
        is_temporal = any(words in errors[0] for words in ("acceptance cycle", "claim"))
        return Verdict("violated" if is_temporal else "unknown", errors[0])
    if done.stopped or "errors: 0" not in done.stdout or output.DEPTH_TOO_SMALL in done.stdout:
        return Verdict("unknown", done.stopped or done.stdout.strip()[-200:])
    return Verdict("holds")


class PanSearch:
    """A compiled verifier with its options."""

    def __init__(self, scratch: Path, options: list[str], limits: Limits) -> None:
        self.scratch = scratch
        self.options = options
        self.limits = limits
        self.depth = DEPTHS[0]

    def ran(self, depth: int) -> child.Finished:
        return child.run(
            ["./pan", f"-m{depth}", *self.options],
            cwd=self.scratch,
            seconds=float(SLOWED_DOWN * self.limits.seconds),
            cpu_seconds=self.limits.seconds,
            megabytes=self.limits.megabytes + 1024,
            merge=True,
        )

    def fit(self) -> None:
        """Find the depth that is needed. Raises NotMeasured when a limit is hit."""
        for depth in DEPTHS:
            done = self.ran(depth)
            if output.DEPTH_TOO_SMALL not in done.stdout:
                break
        if judged(done).verdict not in ("holds", "violated"):
            raise NotMeasured(f"Spin: {judged(done).message[-100:]}")
        self.depth = rounded_up(output.read(done.stdout).depth)

    def run(self) -> Run:
        done = self.ran(self.depth)
        stored = output.read(done.stdout).stored
        return Run(judged(done).verdict, stored or 0, done.cpu_seconds, done.seconds, done.peak_bytes)


def clew(question: Question, model: Path, scratch: Path, command: Path, workers: int, limits: Limits) -> Contender:
    """The program that Clew makes, compiled and run as it says. Raises NotMeasured if Clew itself, which also takes
    counterexamples again, does not have the verdict."""
    argv = [str(command), "check", str(model), "--language", "promela", "--engine", "native", "--json", "--no-run"]
    argv += ["--property", "asked", "--fair", "weak" if question.fair else "none", "--workers", str(workers)]
    argv += ["--reduce", "none"]
    argv += ["--keep-c", str(scratch), "--max-memory", f"{limits.megabytes}M"]
    argv += [part for text in question.defines for part in ("-D", text)]
    done = child.run(argv, cwd=model.parent, seconds=float(SLOWED_DOWN * limits.seconds))
    try:
        said = json.loads(done.stdout)["verdict"]
    except ValueError:
        raise NotMeasured(f"Clew: {done.stderr.strip()[-200:]}") from None
    if said != question.verdict:
        raise NotMeasured(f"Clew says {said}")
    build, run = [shlex.split(line) for line in (scratch / "README").read_text().splitlines() if line[:4] == "    "]
    if child.run(build, cwd=scratch, seconds=COMPILE_SECONDS).status:
        raise NotMeasured("Clew: the C compiler does not take its program")

    def contender() -> Run:
        ended = child.run(run, cwd=scratch, seconds=float(SLOWED_DOWN * limits.seconds), cpu_seconds=limits.seconds * 2)
        lines = [json.loads(line) for line in ended.stdout.splitlines() if '"type":"result"' in line]
        verdict = (
            {"empty": "holds", "nonempty": "violated"}.get(lines[-1]["verdict"], "unknown") if lines else "unknown"
        )
        states = lines[-1]["states"] if lines else 0
        return Run(verdict, states, ended.cpu_seconds, ended.seconds, ended.peak_bytes)

    return contender
