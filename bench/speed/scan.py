"""`scan`: which models Spin's verifier finishes within limits, and what it counts.

Each answer is kept at once, so a scan can be stopped and taken up again. There are two passes, the first with a short
limit: most answers come early.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.common.cache import Cache, key_of
from bench.spin.build import Refusal

from . import pan
from .models import Model, find

FIRST_PASS = 4
"""Seconds of processor time in the first pass."""


@dataclass(frozen=True, slots=True)
class Scanned:
    """What Spin makes of a model.

    `outcome` is `counted`, `spin-rejects`, `gcc-rejects`, `aborts` or `limit`; `limit` says which. `depth` is the bound
    to use, `wide` says that states need more room than Spin gives at first. `cpu_limit` and `megabytes` are the limits.
    """

    model: str
    outcome: str
    message: str = ""
    limit: str = ""
    stored: int = 0
    transitions: int = 0
    runtime_error: bool = False
    depth: int = 0
    wide: bool = False
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_bytes: int = 0
    cpu_limit: int = 0
    megabytes: int = 0

    @property
    def finished(self) -> bool:
        return self.outcome == "counted"

    @property
    def steps(self) -> int:
        """Transitions as Clew counts them: for Spin the arrival in the initial state is one too."""
        return self.transitions - 1

    def settles(self, cpu_limit: int, megabytes: int) -> bool:
        """Would a run with these limits say the same?"""
        return self.outcome != "limit" or (self.cpu_limit >= cpu_limit and self.megabytes >= megabytes)


class Scans:
    """The answers kept in a folder."""

    def __init__(self, folder: Path) -> None:
        self._cache = Cache(folder)

    def get(self, model: Model) -> Scanned | None:
        known = self._cache.get(_key(model))
        return None if known is None else Scanned(**known)

    def put(self, model: Model, answer: Scanned) -> None:
        self._cache.put(_key(model), asdict(answer))

    def finished(self, models: Sequence[Model], least: int = 0) -> Iterator[tuple[Model, Scanned]]:
        """Those that Spin finished with at least so many states."""
        for model in models:
            known = self.get(model)
            if known is not None and known.finished and known.stored >= least:
                yield model, known


def _key(model: Model) -> str:
    return key_of("scan", *pan.FLAGS, *pan.OPTIONS, model.key)


def scan(model: Model, cpu_limit: int, megabytes: int) -> Scanned:
    with tempfile.TemporaryDirectory(prefix="scan-") as folder:
        verifier = pan.Pan(model.path, Path(folder), megabytes)
        ran = verifier.fit(cpu_limit)
    if isinstance(ran, Refusal):
        limit = "compile" if ran.outcome == "limit" else ""
        return Scanned(model.name, ran.outcome, ran.message, limit, cpu_limit=cpu_limit, megabytes=megabytes)
    return Scanned(
        model.name,
        ran.outcome,
        ran.message,
        ran.limit,
        ran.report.stored or 0,
        ran.report.transitions or 0,
        "runtime-error" in ran.report.errors,
        verifier.depth,
        verifier.wide,
        ran.report.elapsed if ran.report.elapsed is not None else ran.used.seconds,
        ran.used.cpu_seconds,
        ran.used.peak_bytes,
        cpu_limit,
        megabytes,
    )


def main(chosen: argparse.Namespace) -> int:
    models = find(chosen.corpus, chosen.only)
    scans = Scans(chosen.cache)
    print(f"{len(models)} different models", flush=True)
    for cpu_limit in (min(FIRST_PASS, chosen.cpu_limit), chosen.cpu_limit):
        for number, model in enumerate(models, 1):
            known = scans.get(model)
            if known is not None and known.settles(cpu_limit, chosen.megabytes):
                continue
            answer = scan(model, cpu_limit, chosen.megabytes)
            scans.put(model, answer)
            print(f"[{number}/{len(models)}, {cpu_limit} s] {_told(answer)}", flush=True)
    _summary(models, scans, chosen.min_states)
    return 0


def _told(answer: Scanned) -> str:
    if not answer.finished:
        return f"{answer.model}: {answer.outcome} {answer.limit or answer.message[:80]}"
    return f"{answer.model}: {answer.stored:,} states, {answer.steps:,} transitions, {answer.seconds:.2f} s"


def _summary(models: Sequence[Model], scans: Scans, least: int) -> None:
    known = [answer for model in models if (answer := scans.get(model)) is not None]
    outcomes = Counter(f"{answer.outcome} {answer.limit}".strip() for answer in known)
    print(", ".join(f"{number} {outcome}" for outcome, number in sorted(outcomes.items())))
    large = sum(1 for _ in scans.finished(models, least))
    print(f"{large} models finished with at least {least:,} states")
