"""The corpus command: every model of some folders through both tools."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, replace
from pathlib import Path

from bench.common import corpus
from bench.common.cache import Cache
from bench.spin.build import spin_version

from . import options, spin_peer
from .compare import (
    CATEGORIES,
    DISAGREE,
    Comparison,
    KnownDifference,
    ask_and_compare,
    compare,
    known_differences,
    settled_by_spin,
)

KNOWN_FILE = Path(__file__).with_name("known_differences.toml")


def main(arguments: list[str]) -> int:
    """Compare, print the table and the summary; 1 when a disagreement is unexplained."""
    parser = argparse.ArgumentParser(prog="python -m bench.conformance", description=__doc__)
    options.add_common(parser, max_states=100_000, jobs=2, timeout=60.0)
    parser.add_argument("--only", default="*", metavar="GLOB", help="models whose path or name matches")
    parser.add_argument("--peer-only", action="store_true", help="run Spin alone: fill the cache, show what it says")
    parser.add_argument("--known", type=Path, default=KNOWN_FILE, help="explained differences (%(default)s)")
    parser.add_argument("corpus", type=Path, nargs="+", help="folders or files")
    chosen = parser.parse_args(arguments)
    options.settle(chosen)
    try:
        found = corpus.find(chosen.corpus, chosen.only)
        spin_version()
        known = known_differences(chosen.known)
    except FileNotFoundError as problem:
        parser.error(str(problem))
    _tell_left_out(found)
    results = _compare_all(found.models, chosen, known)
    base = _common_folder(found.models)
    _print_table(results, base, chosen.peer_only)
    if chosen.json:
        chosen.json.write_text(json.dumps([_as_json(result, base) for result in results], indent=1))
    if chosen.peer_only:
        _print_peer_summary(results)
        return 0
    return _print_summary(results, base)


def _compare_all(
    models: Sequence[Path], chosen: argparse.Namespace, known: Sequence[KnownDifference]
) -> list[Comparison]:
    """All models at all granularities, in the order of the corpus; progress on standard error."""
    store = Cache(chosen.cache)
    clew = options.clew_command(chosen)
    limits = options.spin_limits(chosen)

    def one(model: Path, granularity: str) -> Comparison:
        spin = spin_peer.verify(model, granularity, limits, store)
        if chosen.peer_only or settled_by_spin(spin, chosen.max_states):
            return compare(model, granularity, spin, None, chosen.max_states)
        return ask_and_compare(model, granularity, spin, clew, chosen.max_states, known, quick=chosen.quick)

    work = [(model, granularity) for model in models for granularity in options.granularities(chosen.granularity)]
    results: dict[tuple[Path, str], Comparison] = {}
    with ThreadPoolExecutor(chosen.jobs) as pool:
        pending = {pool.submit(one, *job): job for job in work}
        try:
            for done in as_completed(pending):
                results[pending[done]] = done.result()
                _progress(len(results), len(work), results[pending[done]])
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            print("\ninterrupted: what follows is partial", file=sys.stderr)
    return [results[job] for job in work if job in results]


def _progress(done: int, total: int, latest: Comparison) -> None:
    line = f"[{done}/{total}] {latest.category}: {latest.model.name} ({latest.granularity})"
    if sys.stderr.isatty():
        print(f"\r{line[:110]:<110}", end="" if done < total else "\n", file=sys.stderr, flush=True)
    elif done % 25 == 0 or done == total or latest.category == DISAGREE:
        print(line, file=sys.stderr, flush=True)


def _tell_left_out(found: corpus.Corpus) -> None:
    print(f"{len(found.models)} models; {len(found.left_out)} other files left out:")
    for left in found.left_out:
        print(f"  {left.path.name}: {left.reason}")
    print()


def _common_folder(models: Sequence[Path]) -> Path:
    """The deepest folder that holds all models: what is cut from names in the table."""
    if not models:
        return Path("/")
    base = models[0].parent
    while any(base not in model.parents for model in models):
        base = base.parent
    return base


def _print_table(results: Sequence[Comparison], base: Path, peer_only: bool) -> None:
    for result in results:
        spin, clew = result.spin, result.clew
        name = f"{result.model.relative_to(base)} ({result.granularity})"
        peer = f"{spin.outcome} {spin.limit}".strip() + f" {_number(spin.stored)}/{_number(spin.steps)}"
        verdicts = ",".join(spin.errors) or "-"
        ours = "" if clew is None else f"  Clew {clew.outcome} {_number(clew.stored)}/{_number(clew.transitions)}"
        if clew is not None:
            ours += " " + ("?" if clew.errors is None else ",".join(clew.errors) or "-")
        category = "" if peer_only else f"{result.category:<17} "
        print(f"{category}{name:<64} Spin {peer} {verdicts}{ours}")
    print()


def _number(value: int | None) -> str:
    return "?" if value is None else str(value)


def _print_summary(results: Sequence[Comparison], base: Path) -> int:
    """Counts by category, then every explained and unexplained difference; the exit status."""
    totals = Counter(result.category for result in results)
    print("summary: " + ", ".join(f"{totals[category]} {category}" for category in CATEGORIES if totals[category]))
    for category in CATEGORIES:
        if category in (CATEGORIES[0], CATEGORIES[1]):
            continue
        for result in results:
            if result.category == category:
                print(f"{category}: {result.model.relative_to(base)} ({result.granularity}): {result.reason}")
    return 1 if totals[DISAGREE] else 0


def _print_peer_summary(results: Sequence[Comparison]) -> None:
    for granularity in sorted({result.granularity for result in results}):
        mine = [result.spin for result in results if result.granularity == granularity]
        outcomes = Counter(spin.outcome + (f" ({spin.limit})" if spin.limit else "") for spin in mine)
        print(f"{granularity}: " + ", ".join(f"{count} {name}" for name, count in sorted(outcomes.items())), end="")
        print(f"; {sum(spin.embedded_c for spin in mine)} with C code")


def _as_json(result: Comparison, base: Path) -> dict[str, object]:
    return {
        "model": str(result.model.relative_to(base)),
        "granularity": result.granularity,
        "category": result.category,
        "reason": result.reason,
        "spin": asdict(result.spin),
        "clew": None if result.clew is None else asdict(replace(result.clew, traces={})),
    }
