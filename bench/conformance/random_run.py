"""The `random` command: generated programs through both tools, shrunk where they disagree."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from bench.common.clew_command import COMPARED_KINDS, ClewCommand, ClewResult

from . import options, replay_in_spin, spin_peer
from .compare import AGREE, CATEGORIES, DISAGREE, Comparison, ask_and_compare, compare, settled_by_spin
from .program import Program
from .random_features import CONSTRUCTS
from .random_promela import generate_program
from .shrink import shrink

SIZES = (5, 50, 500, 5000)


@dataclass(frozen=True, slots=True)
class Both:
    """The two tools with their limits, asked about texts instead of files."""

    clew: ClewCommand
    limits: spin_peer.Limits
    max_states: int
    peer_only: bool = False
    replay: bool = False
    quick: bool = False

    def compare(self, text: str, granularity: str, counts_only: bool = False) -> Comparison:
        """Write the program to a scratch folder and compare."""
        with tempfile.TemporaryDirectory(prefix="conformance-") as folder:
            model = Path(folder) / "random.pml"
            model.write_text(text)
            spin = spin_peer.verify(model, granularity, self.limits)
            skip = self.peer_only or settled_by_spin(spin, self.max_states)
            if skip:
                return compare(model, granularity, spin, None, self.max_states)
            if counts_only:
                counted = self.clew.verify(model, granularity, counts_only)
                return compare(model, granularity, spin, counted, self.max_states)
            compared = ask_and_compare(model, granularity, spin, self.clew, self.max_states, quick=self.quick)
            clew = compared.clew
            # At default granularity `clew check` merges less than Spin where Spin relies on claims of the model.
            if (
                self.replay
                and granularity == "fine"
                and compared.category == AGREE
                and clew is not None
                and spin.reliable
            ):
                return self.confirmed(compared, clew)
            return compared

    def confirmed(self, compared: Comparison, clew: ClewResult) -> Comparison:
        """The comparison, or a disagreement when Spin does not find the error at the end of a trace of Clew."""
        for kind, trace in clew.traces.items():
            if kind in COMPARED_KINDS:
                steps = replay_in_spin.read_trace(trace)
                outcome = replay_in_spin.replay(compared.model, steps, compared.granularity, kind)
                if outcome.error != kind:
                    reason = f"trace not confirmed: {kind}: {outcome.message}"
                    return replace(compared, category=DISAGREE, reason=reason)
        return compared


def main(arguments: list[str]) -> int:
    """Generate, compare, shrink, count; 1 when there is a disagreement."""
    parser = argparse.ArgumentParser(prog="python -m bench.conformance random", description=__doc__)
    options.add_common(parser, max_states=20_000, jobs=2, timeout=20.0)
    parser.add_argument("--count", type=int, default=100, help="how many programs (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first; the others follow (%(default)s)")
    parser.add_argument("--shrink", action="store_true", help="cut each disagreement down to a small program")
    parser.add_argument("--replay", action="store_true", help="have Spin confirm each counterexample of Clew")
    parser.add_argument("--show", action="store_true", help="print the programs Spin rejects")
    parser.add_argument("--peer-only", action="store_true", help="run Spin alone: statistics on the generator")
    chosen = parser.parse_args(arguments)
    options.settle(chosen)
    limits = spin_peer.Limits(chosen.timeout, chosen.max_states, 2048, "-O0", 14)
    both = Both(options.clew_command(chosen), limits, chosen.max_states, chosen.peer_only, chosen.replay, chosen.quick)
    seeds = range(chosen.seed, chosen.seed + chosen.count)
    results = list(_compare_all(both, seeds, options.granularities(chosen.granularity), chosen.jobs))
    _print_statistics(results, chosen.show)
    if chosen.json:
        chosen.json.write_text(json.dumps([_as_json(seed, result) for seed, result in results], indent=1))
    if chosen.peer_only:
        return 0
    differing = [(seed, result) for seed, result in results if result.category == DISAGREE]
    for seed, result in differing:
        _explain(seed, result, both, chosen.shrink)
    totals = Counter(result.category for _, result in results)
    print("summary: " + ", ".join(f"{totals[category]} {category}" for category in CATEGORIES if totals[category]))
    return 1 if differing else 0


def _compare_all(
    both: Both, seeds: Sequence[int], granularities: Sequence[str], jobs: int
) -> Iterator[tuple[int, Comparison]]:
    """Results in the order of the seeds; progress on standard error."""

    def one(seed: int) -> list[Comparison]:
        text = generate_program(seed).text()
        return [both.compare(text, granularity) for granularity in granularities]

    with ThreadPoolExecutor(jobs) as pool:
        pending = {pool.submit(one, seed): seed for seed in seeds}
        done: dict[int, list[Comparison]] = {}
        for future in as_completed(pending):
            seed = pending[future]
            done[seed] = future.result()
            for result in done[seed]:
                if result.category == DISAGREE:
                    print(f"seed {seed} ({result.granularity}): {result.reason}", file=sys.stderr, flush=True)
            if len(done) % 50 == 0:
                print(f"[{len(done)}/{len(seeds)}]", file=sys.stderr, flush=True)
    for seed in seeds:
        for result in done[seed]:
            yield seed, result


def _explain(seed: int, result: Comparison, both: Both, small: bool) -> None:
    """Print the program behind a disagreement, shrunk if asked for."""
    program = generate_program(seed)
    print(f"--- seed {seed}, {result.granularity} granularity: {result.reason}")
    if small:
        nature = _nature(result.reason)
        sizes = nature.startswith(("stored", "transitions"))

        def persists(candidate: Program) -> bool:
            again = both.compare(candidate.text(), result.granularity, counts_only=sizes)
            return again.category == DISAGREE and _nature(again.reason) == nature

        program = shrink(program, persists)
        print(f"shrunk: {both.compare(program.text(), result.granularity).reason}")
    print(program.text())


def _nature(reason: str) -> str:
    """What sort of disagreement it is: shrinking must not slide into another."""
    return " ".join(reason.split(":")[0].split()[:2]).rstrip("0123456789 ")


def _print_statistics(results: Sequence[tuple[int, Comparison]], show: bool) -> None:
    """How well the generator does: acceptance, sizes, features."""
    outcomes = Counter(result.spin.outcome for _, result in results)
    print(f"{len(results)} runs of Spin: " + ", ".join(f"{n} {name}" for name, n in outcomes.most_common()))
    sizes = Counter(_bucket(result.spin.stored) for _, result in results if result.spin.outcome == "counted")
    print("states: " + ", ".join(f"{sizes[name]} {name}" for name in [_bucket(size) for size in (0, *SIZES)]))
    kinds = Counter(kind for _, result in results for kind in result.spin.errors)
    print("verdicts: " + ", ".join(f"{n} {kind}" for kind, n in kinds.most_common()))
    texts = [generate_program(seed).text() for seed in {s for s, result in results if result.spin.outcome == "counted"}]
    counts = [f"{name} {sum(bool(pattern.search(text)) for text in texts)}" for name, pattern in CONSTRUCTS.items()]
    print(f"programs of {len(texts)} with: " + ", ".join(counts))
    refused = {(seed, result.spin.message) for seed, result in results if not result.spin.accepted}
    for seed, message in sorted(refused):
        print(f"Spin rejects seed {seed}: {message}")
        if show:
            print(generate_program(seed).text())
    aborted = Counter(result.spin.message for _, result in results if result.spin.outcome == "aborts")
    for message, count in aborted.most_common():
        print(f"Spin aborts ({count}): {message}")


def _bucket(stored: int | None) -> str:
    reached = [size for size in SIZES if (stored or 0) >= size]
    return f"from {reached[-1]}" if reached else f"below {SIZES[0]}"


def _as_json(seed: int, result: Comparison) -> dict[str, object]:
    clew = None if result.clew is None else asdict(replace(result.clew, traces={}))
    return {
        "seed": seed,
        "granularity": result.granularity,
        "category": result.category,
        "reason": result.reason,
        "spin": asdict(result.spin),
        "clew": clew,
    }
