"""Spin 6.5 as the peer: accept or reject a model, count its states, find its errors.

A model is *accepted* when `spin -a` exits with status 0 and leaves a `pan.c`, and the C compiler takes that file. Spin
prints some texts with the word "error" and goes on (a label on the first statement of an option); its exit status
decides. The claim of the model is left out (`-DNOCLAIM`) and so is partial-order reduction: what is compared is the
state space itself, at *default* granularity (plain `spin -a`) or *fine* (`-o1 -o2 -o3`, see the sheet on granularity).
"""

from __future__ import annotations

import re
import shlex
import shutil
import signal
import subprocess
import tempfile
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from . import child, spin_output
from .cache import Cache, key_of

GRANULARITY = {"default": (), "fine": ("-o1", "-o2", "-o3")}
DEPTHS = (100_000, 10_000_000)
WIDE_VECTOR = 30_000
SLOW_TO_OPTIMISE = 400_000
"""Bytes of generated statements beyond which an optimising compiler takes minutes."""
_C_CODE = re.compile(r"\b(c_code|c_expr|c_decl|c_state|c_track)\b")
_STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
_LINE_MARK = re.compile(r'^# (\d+) "([^"]*)"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one verification; `optimise` is the compiler's level, `hash_bits` the first size of Spin's table."""

    seconds: float = 60.0
    max_states: int = 1_000_000
    megabytes: int = 4096
    optimise: str = "-O1"
    hash_bits: int = 20


@dataclass(frozen=True, slots=True)
class SpinResult:
    """What Spin makes of a model.

    `outcome` is `counted` (numbers are those of the full state space), `spin-rejects`, `gcc-rejects`, `aborts` (the
    verifier gave up: the reason is in `message`) or `limit` (`limit` says which: states, time, depth, memory).
    `errors` maps kinds (`assertion`, `deadlock`, `runtime-error`, `trace`) to the texts Spin printed. When there are
    run-time errors Spin goes on with damaged data, so `reliable` is false and counts mean little.
    """

    outcome: str
    message: str = ""
    stored: int | None = None
    matched: int | None = None
    transitions: int | None = None
    errors: dict[str, list[str]] = field(default_factory=dict)
    limit: str = ""
    embedded_c: bool = False
    reliable: bool = True
    wide_vector: bool = False
    limits: dict[str, float] = field(default_factory=dict)

    @property
    def steps(self) -> int | None:
        """Transitions as Clew counts them: for Spin the arrival in the initial state is one too."""
        return None if self.transitions is None else self.transitions - 1

    @property
    def accepted(self) -> bool:
        return self.outcome not in ("spin-rejects", "gcc-rejects")


@lru_cache(maxsize=1)
def spin_version() -> str:
    """What `spin -V` says; raises FileNotFoundError when Spin is not installed."""
    spin = shutil.which("spin")
    if spin is None:
        raise FileNotFoundError("the peer is not installed: no 'spin' on the PATH")
    return subprocess.run([spin, "-V"], capture_output=True, text=True, check=False).stdout.strip()


def preprocessed(model: Path) -> str:
    """The model after Spin's own preprocessor, with file names cut to their last part; errors are kept as text."""
    with tempfile.TemporaryDirectory(prefix="conformance-") as scratch:
        argv = ["gcc", "-std=gnu99", "-E", "-x", "c", f"-I{model.parent}", str(model)]
        done = child.run(argv, cwd=Path(scratch), seconds=30)
    marks = _LINE_MARK.sub(lambda m: f'# {m.group(1)} "{Path(m.group(2)).name}"', done.stdout)
    return marks + ("" if done.status == 0 else f"\npreprocessor: {done.status}")


def has_embedded_c(text: str) -> bool:
    """Does preprocessed text hold C fragments?"""
    return _C_CODE.search(_STRING.sub('""', text)) is not None


def verify(model: Path, granularity: str, limits: Limits, cache: Cache | None = None) -> SpinResult:
    """Run Spin on `model`, or take its answer from the cache.

    A stored answer cut short by a limit is used only when the limits now are no wider than they were then.
    """
    model = model.resolve()
    text = preprocessed(model)
    key = key_of(spin_version(), granularity, text)
    stored = cache.get(key) if cache is not None else None
    if stored is not None:
        known = SpinResult(**stored)
        if known.outcome != "limit" or _no_wider(limits, known.limits):
            return known
    with tempfile.TemporaryDirectory(prefix="conformance-") as folder:
        fresh = _Verification(model, Path(folder), granularity, limits).result()
    fresh = replace(fresh, embedded_c=has_embedded_c(text), limits=_limits_used(limits))
    if cache is not None:
        cache.put(key, asdict(fresh))
    return fresh


def _limits_used(limits: Limits) -> dict[str, float]:
    return {"seconds": limits.seconds, "max_states": limits.max_states, "megabytes": limits.megabytes}


def _no_wider(limits: Limits, before: dict[str, float]) -> bool:
    return all(value <= before.get(name, 0) for name, value in _limits_used(limits).items())


@dataclass(slots=True)
class _Verification:
    """One model in one scratch folder.

    The model is copied and its folder made known to the preprocessor: Spin and pan write beside their input.
    """

    model: Path
    scratch: Path
    granularity: str
    limits: Limits

    def result(self) -> SpinResult:
        rejected = self.generate()
        if rejected is not None:
            return rejected
        done, result = self.explore(vector=None)
        if not done and "VECTORSZ" in result.message:
            _, result = self.explore(vector=WIDE_VECTOR)
            result = replace(result, wide_vector=True)
        return result

    def generate(self) -> SpinResult | None:
        """`spin -a`; None when it accepts."""
        shutil.copyfile(self.model, self.scratch / self.model.name)
        argv = ["spin", "-a", *GRANULARITY[self.granularity], self.include_option(), self.model.name]
        done = child.run(argv, cwd=self.scratch, seconds=self.limits.seconds, merge=True)
        if done.stopped:
            return SpinResult("limit", "spin -a did not finish", limit="time")
        if done.status == 0 and (self.scratch / "pan.c").exists():
            return None
        complaint = _complaint(done.stdout) or f"spin -a ended with status {done.status}"
        written = " (yet it wrote pan.c)" if (self.scratch / "pan.c").exists() else ""
        return SpinResult("spin-rejects", complaint + written)

    def include_option(self) -> str:
        """Spin hands what follows `-E` to its preprocessor through a shell; its own `-I` means something else."""
        return "-E-I" + shlex.quote(str(self.model.parent))

    def explore(self, vector: int | None) -> tuple[bool, SpinResult]:
        """Compile, then search with growing depth; the first part is false when the verifier gave up."""
        refused = self.compile(vector)
        if refused is not None:
            return True, refused
        result = SpinResult("limit", limit="depth")
        for depth in DEPTHS:
            result = self.search(depth, "-c0")
            if result.limit != "depth":
                break
        if result.outcome == "counted" and result.errors:
            plain = self.search(depth, "-A", "-E", "-c0")
            result = replace(plain, errors=result.errors, reliable="runtime-error" not in result.errors)
        return result.outcome != "aborts", result

    def compile(self, vector: int | None) -> SpinResult | None:
        """The C compiler on `pan.c`; None when it accepts."""
        flags = ["-DNOREDUCE", "-DSAFETY", "-DNOCLAIM", f"-DMEMLIM={self.limits.megabytes}"]
        flags += [f"-DFREQ={max(1000, min(self.limits.max_states, 100_000))}"]
        flags += [f"-DVECTORSZ={vector}"] if vector is not None else []
        large = (self.scratch / "pan.m").stat().st_size > SLOW_TO_OPTIMISE
        level = "-O0" if large else self.limits.optimise
        argv = ["gcc", level, "-w", *flags, f"-I{self.model.parent}", "-o", "pan", "pan.c", "-lm"]
        done = child.run(argv, cwd=self.scratch, seconds=max(120.0, self.limits.seconds), merge=True)
        if done.stopped:
            return SpinResult("limit", "the C compiler did not finish", limit="time")
        if done.status == 0:
            return None
        errors = [line for line in done.stdout.splitlines() if "error" in line or "undefined" in line]
        return SpinResult("gcc-rejects", "; ".join(errors[:3]) or done.stdout[:300])

    def search(self, depth: int, *options: str) -> SpinResult:
        """One run of the verifier with the given depth bound."""

        def too_many(piece: str) -> bool:
            return spin_output.progress(piece) > self.limits.max_states

        argv = ["stdbuf", "-oL", "./pan", f"-m{depth}", f"-w{self.limits.hash_bits}", *options]
        done = child.run(
            argv,
            cwd=self.scratch,
            seconds=self.limits.seconds,
            megabytes=self.limits.megabytes + 1024,
            watch=too_many,
            merge=True,
        )
        report = spin_output.read(done.stdout)
        result = SpinResult("counted", "", report.stored, report.matched, report.transitions, report.errors)
        if done.stopped:
            return replace(result, outcome="limit", limit="states" if done.stopped == "watch" else "time")
        if report.unfinished in ("depth", "memory"):
            return replace(result, outcome="limit", limit=report.unfinished)
        if done.status < 0:
            return replace(result, outcome="aborts", message=f"killed by {signal.Signals(-done.status).name}")
        if report.unfinished or done.status != 0 or report.stored is None:
            last = [texts[-1] for texts in report.errors.values()][-1:]
            reason = "; ".join(part for part in [report.fatal, *last] if part)
            return replace(result, outcome="aborts", message=reason or done.stdout.strip()[-300:])
        return result


def _complaint(output: str) -> str:
    """The lines of Spin's output that say what is wrong."""
    lines = [line.strip() for line in output.splitlines() if re.search(r"\b[Ee]rror\b|^tl_spin:", line)]
    return "; ".join(lines[:3]) or output.strip()[:300]
