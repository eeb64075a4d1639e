"""`counts`: states and transitions of Clew against those that `scan` has from Spin."""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Any

from bench.common.clew_command import ClewResult
from bench.conformance.compare import DISAGREE, KNOWN, known_differences
from bench.conformance.corpus_run import KNOWN_FILE

from . import clew
from .models import find
from .notebook import Notebook, stamp_of
from .scan import Scanned, Scans

AGREE, UNFINISHED = "agree", "Clew hit a limit"


def as_spin_prints(count: int) -> str:
    """Spin prints eight digits, so larger figures are compared as rounded."""
    return f"{count:.8g}"


def judge(spin: Scanned, ours: ClewResult) -> tuple[str, str]:
    """The category, and what differs."""
    if ours.outcome == "limit":
        return UNFINISHED, ours.message
    if ours.outcome != "counted":
        return DISAGREE, f"Clew {ours.outcome}: {ours.message}"
    differences = []
    for what, theirs, mine in (
        ("states", spin.stored, ours.stored or 0),
        ("transitions", spin.transitions, (ours.transitions or 0) + 1),
    ):
        if as_spin_prints(theirs) != as_spin_prints(mine):
            differences.append(f"{what}: Spin {theirs:,}, Clew {mine:,}")
    if not differences:
        return AGREE, ""
    hints = [*ours.warnings, *(["Spin meets a run-time error"] if spin.runtime_error else [])]
    return DISAGREE, "; ".join(differences + hints)


def main(chosen: argparse.Namespace) -> int:
    """Print what disagrees as it is found, then totals; 1 if anything is unexplained."""
    models = find(chosen.corpus, chosen.only)
    known = known_differences(KNOWN_FILE)
    notebook = Notebook(chosen.json, stamp_of(clew.REPOSITORY / "src" / "clew"), chosen.keep)
    command = clew.command(chosen, chosen.workers)
    setting = f"{clew.settings(chosen)} workers={chosen.workers or 'default'}"
    totals: Counter[str] = Counter()
    finished = sorted(Scans(chosen.cache).finished(models), key=lambda pair: pair[1].stored)
    for model, spin in finished:
        key = f"{model.key} {setting}"
        entry: dict[str, Any] | None = notebook.get(key)
        if entry is None:
            category, reason = judge(spin, clew.count(command, model.path))
            explained = [difference.explanation for difference in known if difference.covers(model.path, "default")]
            if category == DISAGREE and explained:
                category, reason = KNOWN, f"{explained[0]} [{reason}]"
            entry = {"model": model.name, "states": spin.stored, "category": category, "reason": reason}
            notebook.put(key, entry)
        totals[entry["category"]] += 1
        if entry["category"] != AGREE:
            print(f"{entry['category']}: {model.path}: {entry['reason']}", flush=True)
    print(f"{len(finished)} models that Spin finished, {setting}: " + ", ".join(f"{n} {c}" for c, n in totals.items()))
    return 1 if totals[DISAGREE] else 0
