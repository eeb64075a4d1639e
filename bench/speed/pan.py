"""Spin's verifier as it is measured: `-O2`, no reduction, its usual hash table, a stack as deep as the model needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.spin import output
from bench.spin.build import WIDE_VECTOR, Refusal, compile_pan, generate
from bench.spin.search import Search, search

FLAGS = ("-O2",)
COLLAPSE = ("-O2", "-DCOLLAPSE")
OPTIONS = ("-A", "-E", "-c0")
"""Every state, whatever errors there are."""
DEPTHS = (10_000, 100_000, 1_000_000, 10_000_000, 100_000_000)
COMPILE_SECONDS = 900.0
SLOWED_DOWN = 20
"""By how much a machine that does other things, too, may stretch processor time."""


@dataclass(slots=True)
class Pan:
    """A model in a scratch folder, its verifiers beside it. `wide`: states need more room than Spin gives at first."""

    model: Path
    scratch: Path
    megabytes: int
    defines: Sequence[str] = ()
    wide: bool = False
    depth: int = DEPTHS[0]

    def generate(self) -> Refusal | None:
        return generate(self.model, self.scratch, defines=self.defines, seconds=COMPILE_SECONDS)

    def compile(self, name: str, flags: Sequence[str]) -> Refusal | None:
        wide = [f"-DVECTORSZ={WIDE_VECTOR}"] if self.wide else []
        more = [*flags, f"-DMEMLIM={self.megabytes}", *wide]
        return compile_pan(self.model, self.scratch, more, name=name, seconds=COMPILE_SECONDS)

    def fit(self, cpu_seconds: int) -> Search | Refusal:
        """Build, and search with growing depth bounds until one is large enough; `depth` is then what is needed."""
        refused = self.generate() or self.compile("pan", FLAGS)
        if refused is not None:
            return refused
        ran = self.deepen(cpu_seconds)
        if ran.outcome == "aborts" and "VECTORSZ" in ran.message and not self.wide:
            self.wide = True
            refused = self.compile("pan", FLAGS)
            ran = self.deepen(cpu_seconds)
        return refused or ran

    def deepen(self, cpu_seconds: int) -> Search:
        for self.depth in DEPTHS:
            ran = self.run("pan", self.depth, cpu_seconds, watched=True)
            if ran.limit != "depth":
                break
        self.depth = rounded_up(ran.report.depth) if ran.outcome == "counted" else self.depth
        return ran

    def run(self, name: str, depth: int, cpu_seconds: int, *, watched: bool = False) -> Search:
        """One search. `watched`: given up as soon as the depth bound turns out too small."""
        return search(
            self.scratch,
            depth,
            OPTIONS,
            name=name,
            seconds=float(SLOWED_DOWN * cpu_seconds),
            cpu_seconds=cpu_seconds,
            megabytes=self.megabytes,
            watch=(lambda piece: output.DEPTH_TOO_SMALL in piece) if watched else None,
        )


def rounded_up(depth: int) -> int:
    """A bound a little above the depth that was reached, at least Spin's usual one."""
    unit = int("1" + "0" * (len(str(depth)) - 2))  # two digits are kept
    return max(DEPTHS[0], (depth // unit + 1) * unit)
