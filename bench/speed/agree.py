"""`agree`: states and transitions of models that are taken one by one: Clew, Spin, Clew with more workers.

What `scan` and `counts` find out, at a fraction of their cost and without times: Clew goes first, so that Spin is asked
about no model that is too large for it, and its verifiers of the smaller ones may be made by tcc.
"""

from __future__ import annotations

import argparse
import os
import shutil
import time
from collections import Counter
from dataclasses import asdict, dataclass, replace
from typing import Any

from bench.common.clew_command import ClewCommand, ClewResult
from bench.conformance.compare import DISAGREE, KNOWN, KnownDifference, known_differences
from bench.conformance.corpus_run import KNOWN_FILE

from . import clew
from .counts import AGREE, judge
from .models import Model, find
from .notebook import Notebook, stamp_of
from .scan import Scanned, scan

WORKERS = (1, 2)
FEW = 4_000_000
"""States up to which a verifier made by tcc is done before gcc has made a faster one."""
UNSETTLED = "not finished by Clew"


@dataclass(slots=True)
class Agreement:
    """What is known of each model, kept as soon as it is there."""

    notebook: Notebook
    peers: Notebook  # Spin's answers hold for any sources of Clew
    command: ClewCommand
    cpu_limit: int
    megabytes: int
    deadline: float

    def settle(self, model: Model, known: list[KnownDifference]) -> dict[str, str] | None:
        """The category for each number of workers; None if time is up."""
        first = self.counted(model, WORKERS[0])
        if first is None:
            return None
        if first.outcome == "limit":
            return {"1": UNSETTLED}
        spin = self.verified(model, first.stored or 0)
        if spin is None:
            return None
        if not spin.finished:
            return {"1": f"Spin: {spin.outcome} {spin.limit}".strip()}
        found: dict[str, str] = {}
        for workers in WORKERS:
            ours = self.counted(model, workers)
            if ours is None:
                return None
            category, reason = judge(spin, ours)
            if category == DISAGREE and any(difference.covers(model.path, "default") for difference in known):
                category = KNOWN
            found[str(workers)] = category
            if category != AGREE:
                print(f"{category}: {model.path}, workers: {workers}: {reason}", flush=True)
        return found

    def counted(self, model: Model, workers: int) -> ClewResult | None:
        key = f"{model.key} workers={workers}"
        entry = self.notebook.get(key)
        if entry is None:
            if time.monotonic() > self.deadline:
                return None
            more = (*self.command.options, "--workers", str(workers))
            entry = asdict(clew.count(replace(self.command, options=more), model.path))
            self.notebook.put(key, entry)
        return ClewResult(**{**entry, "warnings": tuple(entry["warnings"])})

    def verified(self, model: Model, states: int) -> Scanned | None:
        entry: dict[str, Any] | None = self.peers.get(model.key)
        if entry is None:
            if time.monotonic() > self.deadline:
                return None
            small = states <= FEW and shutil.which("tcc") is not None
            os.environ["PAN_CC"] = "tcc" if small else "gcc"
            entry = asdict(scan(model, self.cpu_limit, self.megabytes))
            self.peers.put(model.key, entry)
        return Scanned(**entry)


def main(chosen: argparse.Namespace) -> int:
    """Totals of all that has been settled; 1 if anything is unexplained, 2 if `--minutes` are over before the end."""
    known = known_differences(KNOWN_FILE)
    command = replace(clew.command(chosen, None), warm=chosen.clew.resolve() == clew.REPOSITORY / "clew")
    ours = Notebook(chosen.json, stamp_of(clew.REPOSITORY / "src" / "clew"), chosen.keep)
    peers = Notebook(chosen.cache / "agree-spin.json", "spin")
    deadline = time.monotonic() + 60 * chosen.minutes
    agreement = Agreement(ours, peers, command, chosen.cpu_limit, chosen.megabytes, deadline)
    totals: Counter[str] = Counter()
    models = find(chosen.corpus, chosen.only)
    settled = 0
    for model in models:
        found = agreement.settle(model, known)
        if found is None:
            break
        settled += 1
        totals.update(f"{category}, workers: {workers}" for workers, category in found.items())
    print(f"{settled} of {len(models)} models: " + "; ".join(f"{n} {what}" for what, n in sorted(totals.items())))
    if settled < len(models):
        return 2
    return 1 if any(what.startswith(DISAGREE) for what in totals) else 0
