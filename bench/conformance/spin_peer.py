"""Spin 6.5 as the peer: accept or reject a model, count its states, find its errors.

A model is *accepted* when `spin -a` exits with status 0 and leaves a `pan.c`, and the C compiler takes that file. Spin
prints some texts with the word "error" and goes on (a label on the first statement of an option); its exit status
decides. The claim of the model is left out (`-DNOCLAIM`) and so is partial-order reduction: what is compared is the
state space itself, at *default* granularity (plain `spin -a`) or *fine* (`-o1 -o2 -o3`, see the sheet on granularity).
"""

from __future__ import annotations

import tempfile
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from bench.common.cache import Cache, key_of
from bench.spin import output
from bench.spin.build import WIDE_VECTOR, Refusal, compile_pan, generate, has_embedded_c, preprocessed, spin_version
from bench.spin.search import search

DEPTHS = (100_000, 10_000_000)
SLOW_TO_OPTIMISE = 400_000
"""Bytes of generated statements beyond which an optimising compiler takes minutes."""


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
    """One model in one scratch folder."""

    model: Path
    scratch: Path
    granularity: str
    limits: Limits

    def result(self) -> SpinResult:
        refused = generate(self.model, self.scratch, granularity=self.granularity, seconds=self.limits.seconds)
        if refused is not None:
            return _refused(refused)
        done, result = self.explore(vector=None)
        if not done and "VECTORSZ" in result.message:
            _, result = self.explore(vector=WIDE_VECTOR)
            result = replace(result, wide_vector=True)
        return result

    def explore(self, vector: int | None) -> tuple[bool, SpinResult]:
        """Compile, then search with growing depth; the first part is false when the verifier gave up."""
        refused = self.compile(vector)
        if refused is not None:
            return True, _refused(refused)
        result = SpinResult("limit", limit="depth")
        for depth in DEPTHS:
            result = self.search(depth, "-c0")
            if result.limit != "depth":
                break
        if result.outcome == "counted" and result.errors:
            plain = self.search(depth, "-A", "-E", "-c0")
            result = replace(plain, errors=result.errors, reliable="runtime-error" not in result.errors)
        return result.outcome != "aborts", result

    def compile(self, vector: int | None) -> Refusal | None:
        large = (self.scratch / "pan.m").stat().st_size > SLOW_TO_OPTIMISE
        flags = ["-O0" if large else self.limits.optimise, f"-DMEMLIM={self.limits.megabytes}"]
        flags += [f"-DFREQ={max(1000, min(self.limits.max_states // 10, 100_000))}"]
        flags += [f"-DVECTORSZ={vector}"] if vector is not None else []
        return compile_pan(self.model, self.scratch, flags, seconds=max(120.0, self.limits.seconds))

    def search(self, depth: int, *options: str) -> SpinResult:
        """One run of the verifier with the given depth bound."""

        def too_many(piece: str) -> bool:
            return output.progress(piece) > self.limits.max_states

        table = f"-w{self.limits.hash_bits}"
        seconds, megabytes = self.limits.seconds, self.limits.megabytes
        ran = search(self.scratch, depth, [table, *options], seconds=seconds, megabytes=megabytes, watch=too_many)
        limit = "states" if ran.limit == "watch" else ran.limit
        report = ran.report
        return SpinResult(
            ran.outcome, ran.message, report.stored, report.matched, report.transitions, report.errors, limit
        )


def _refused(refusal: Refusal) -> SpinResult:
    return SpinResult(refusal.outcome, refusal.message, limit="time" if refusal.outcome == "limit" else "")
