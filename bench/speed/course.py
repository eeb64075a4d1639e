"""Interleaved rounds of Spin's verifier, Clew and, when installed, LTSmin on one model."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench.spin.search import Search

from . import clew, ltsmin, pan, runs
from .runs import Measured, Run


@dataclass(frozen=True, slots=True)
class Subject:
    """A model to measure, and what is known of its verifier: None for `depth` means that it is to be found."""

    path: Path
    name: str
    defines: tuple[str, ...] = ()
    depth: int | None = None
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Course:
    """Who takes part, and under which limits."""

    chosen: argparse.Namespace

    def measure(self, subject: Subject, measured: Measured, done: Callable[[Measured], None]) -> str:
        """Bring `measured` to the wanted number of rounds; `done` is called after each. Why not, or nothing."""
        with tempfile.TemporaryDirectory(prefix="speed-") as folder:
            contenders = self.contenders(subject, Path(folder))
            if isinstance(contenders, str):
                return contenders
            while measured.fewest_rounds < self.chosen.rounds:
                for tool, contender in contenders.items():
                    if measured.lacks(tool, self.chosen.rounds):
                        measured.add(tool, contender())
                done(measured)
        return ""

    def contenders(self, subject: Subject, scratch: Path) -> dict[str, Callable[[], Run | None]] | str:
        """Everything compiled, each tool a function that runs it once; or why there is nothing to compare."""
        verifier = pan.Pan(subject.path, scratch, self.chosen.megabytes, subject.defines, subject.wide)
        if subject.depth is None:
            fitted = verifier.fit(self.chosen.cpu_limit)
            if not isinstance(fitted, Search) or fitted.outcome != "counted":
                return f"Spin: {fitted.outcome} {fitted.message}"
            refused = None
        else:
            verifier.depth = subject.depth
            refused = verifier.generate() or verifier.compile("pan", pan.FLAGS)
        refused = refused or verifier.compile("collapse", pan.COLLAPSE)
        if refused is not None:
            return f"Spin: {refused.outcome} {refused.message}"
        contenders: dict[str, Callable[[], Run | None]] = {
            runs.PAN: lambda: self.run_pan(verifier, "pan"),
            runs.COLLAPSE: lambda: self.run_pan(verifier, "collapse"),
            runs.CLEW: lambda: self.run_clew(subject, 1),
        }
        if self.chosen.two_workers:
            contenders[runs.CLEW_TWO] = lambda: self.run_clew(subject, 2)
        if ltsmin.installed() and (compiled := ltsmin.compile_model(subject.path, scratch)) is not None:
            contenders[runs.LTSMIN] = lambda: ltsmin.explore(compiled, 1, self.chosen.clew_limit)
        self.run_clew(subject, 1)  # compiles
        return contenders

    def run_pan(self, verifier: pan.Pan, name: str) -> Run | None:
        ran = verifier.run(name, verifier.depth, self.chosen.cpu_limit)
        if ran.outcome != "counted" or ran.report.elapsed is None:
            return None
        steps = (ran.report.transitions or 0) - 1  # for Spin the arrival in the initial state is one too
        used = ran.used
        return Run(ran.report.stored or 0, steps, ran.report.elapsed, used.seconds, used.cpu_seconds, used.peak_bytes)

    def run_clew(self, subject: Subject, workers: int) -> Run | None:
        told = workers if self.chosen.two_workers else None
        ran = clew.count(clew.command(self.chosen, told, subject.defines), subject.path)
        if ran.outcome != "counted":
            print(f"{subject.name}: Clew {ran.outcome}: {ran.message}", file=sys.stderr)
            return None
        return Run(
            ran.stored or 0, ran.transitions or 0, ran.seconds, ran.wall_seconds, ran.cpu_seconds, ran.peak_bytes
        )
