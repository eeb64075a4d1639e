"""Reduced searches next to Spin's default one (`pan`, -DSAFETY, depth-first) and to the search without reduction."""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.common import corpus
from bench.por.explored import network, searched, without_formulas
from bench.spin import build
from bench.spin.search import search as run_pan
from clew.core.diagnostics import InputError
from clew.core.engines import Limits, Search
from clew.explicit.generate import unsupported
from clew.explicit.program import Report
from clew.explicit.reduction.conditions import why_not_reduce
from clew.explicit.reduction.generated import Reduction

REDUCED = ("-O2", "-DMEMLIM=4096")
DEPTH = 10_000_000
ENOUGH_TO_TIME = 0.03  # seconds of the full search


@dataclass(frozen=True, slots=True)
class Row:
    """One model: states of the full search, and reduced in both orders; Spin's reduced states. `seconds`: breadth-first
    full and reduced, depth-first full and reduced."""

    name: str
    full: int
    breadth: int
    depth: int
    spin: int | None
    seconds: tuple[float, float, float, float]
    same: bool

    @property
    def fewest(self) -> int:
        return min(self.breadth, self.depth)

    @property
    def slowdown(self) -> float:
        """The worse of the two reduced searches next to the full one of its order; 0 if that is too short to tell."""
        breadth, breadth_reduced, depth, depth_reduced = self.seconds
        if min(breadth, depth) < ENOUGH_TO_TIME:
            return 0.0
        return max(breadth_reduced / breadth, depth_reduced / depth)


def rows(models: list[Path], states: int, seconds: float, rounds: int, spin: bool) -> Iterator[Row | str]:
    for path in models:
        try:
            yield _row(path, states, seconds, rounds, spin)
        except InputError as error:
            yield f"{path.name}: {error}"


def _row(path: Path, states: int, seconds: float, rounds: int, spin: bool) -> Row | str:
    text = without_formulas(path.read_text(errors="replace"))
    view = network(text)
    reason = why_not_reduce(view) or unsupported(view)
    if reason:
        return f"{path.name}: no reduction: {reason}"
    limits = Limits(states=states, seconds=seconds)
    full = searched(view, limits=limits)
    if not full.figures["complete"]:
        return f"{path.name}: too large"
    ways: tuple[tuple[Search, Reduction | None], ...] = (
        ("bfs", None),
        ("bfs", Reduction("chain")),
        ("dfs", None),
        ("dfs", Reduction("chain")),
    )
    found = [[searched(view, *way, limits=limits) for way in ways] for _ in range(rounds)]
    full, breadth, _, depth = found[0]
    times = [statistics.median(reports[n].figures["seconds"] for reports in found) for n in range(len(ways))]
    sizes = (full.figures["states"], breadth.figures["states"], depth.figures["states"])
    same = _same(full, breadth) and _same(full, depth)
    peer = _spin(path, text, seconds) if spin else None
    return Row(path.name, *sizes, peer, (times[0], times[1], times[2], times[3]), same)


def _same(full: Report, reduced: Report) -> bool:
    if full.met != reduced.met:
        return False
    return "runtime-error" in full.met or full.figures["ends_digest"] == reduced.figures["ends_digest"]


def _spin(path: Path, text: str, seconds: float) -> int | None:
    """States that Spin stores by default; None if it does not finish."""
    with tempfile.TemporaryDirectory(prefix="por-") as folder:
        scratch = Path(folder)
        model = scratch / "model" / path.name
        model.parent.mkdir()
        model.write_text(text)
        if build.generate(model, scratch) or build.compile_pan(
            model, scratch, REDUCED, basis=("-DSAFETY", "-DNOCLAIM")
        ):
            return None
        done = run_pan(scratch, DEPTH, ("-c0", "-w22"), seconds=10 * seconds, megabytes=4096)
    return done.report.stored if done.outcome == "counted" else None


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.por compare")
    parser.add_argument("corpus", nargs="+", type=Path)
    parser.add_argument("--only", default="*", help="a glob on the path or the name of a model")
    parser.add_argument("--max-states", type=int, default=3_000_000)
    parser.add_argument("--max-seconds", type=float, default=20.0)
    parser.add_argument("--rounds", type=int, default=1, help="the times are medians of so many runs, taken in turn")
    parser.add_argument("--without-spin", action="store_true", help="times alone")
    options = parser.parse_args(arguments)
    models = corpus.find(options.corpus, options.only).models
    print(
        "| model | full | reduced, breadth-first | depth-first | Spin | s: full, reduced, depth-first | worse ratio |"
    )
    print("|---|--:|--:|--:|--:|---|--:|")
    found: list[Row] = []
    left_out: list[str] = []
    for row in rows(models, options.max_states, options.max_seconds, options.rounds, not options.without_spin):
        if isinstance(row, str):
            left_out.append(row)
            continue
        found.append(row)
        spin = "-" if row.spin is None else str(row.spin)
        slow = f"{row.slowdown:.2f}" if row.slowdown else "-"
        times = ", ".join(f"{s:.3f}" for s in row.seconds)
        mark = "" if row.same else " DIFFERENT ANSWERS"
        print(
            f"| {row.name} | {row.full} | {row.breadth} | {row.depth} | {spin} | {times} | {slow} |{mark}", flush=True
        )
    return _summary(found, left_out)


def _summary(found: list[Row], left_out: list[str]) -> int:
    both = [row for row in found if row.spin is not None]
    breadth = sum(row.breadth <= (row.spin or 0) for row in both)
    depth = sum(row.depth <= (row.spin or 0) for row in both)
    differ = sum(not row.same for row in found)
    slow = [row for row in found if row.slowdown > 1.3]
    print(
        f"\n{len(found)} models, {len(both)} with a count of Spin; at most Spin's states: breadth-first {breadth}, ",
        end="",
    )
    print(f"depth-first {depth}. Other answers than the full search: {differ}. ", end="")
    print(f"Slower than 1.3 times: {', '.join(f'{row.name} {row.slowdown:.2f}' for row in slow) or 'none'}.")
    print(f"Left out: {len(left_out)}")
    for reason in left_out:
        print(f"  {reason}")
    return int(differ > 0)
