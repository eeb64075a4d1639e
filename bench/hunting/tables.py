"""The experiments of J. Ernits (2007) with iterated search refinement, as Markdown tables."""

from __future__ import annotations

import re
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.hunting.programs import Outcome, first, program, run

MODELS = Path(__file__).parent.parent / "models"
SPIN_ORDER, ASCENDING = "first", "last"  # Clew, like Spin, asks the youngest process first
ORDERS = ("youngest", "oldest")


def incdec(seeds: int, budget: float, most: int = 999) -> int:
    """Fails if fewer than nine tenths of the seeds find the error in less than 64 KB."""
    model = MODELS / "inc_dec.pml"
    hunting, exact = program(model, "hunt", {"MAX": str(most)}), program(model, "dfs", {"MAX": str(most)})
    _head("seed", "bytes", "steps of the first run", "CPU s", "searches")
    found = 0
    for seed in range(seeds):
        outcome = first(hunting, "assertion", seed, budget)
        row = outcome.of_type("found")
        found += bool(row) and row[0]["bytes"] < 64 << 10
        _row(
            str(seed),
            *(_found(row[0]) if row else ("none", "", "")),
            f"{outcome.cpu:.1f}",
            str(row[0]["runs"]) if row else "",
        )
    plain = run(exact, "assertion", ["--search", "dfs"], budget)
    said = plain.of_type("result")
    text = f"{said[0]['states']:,} states, {said[0]['peak'] >> 20} MB" if said else "nothing"
    print(
        f"\nfound by {found} of {seeds} seeds. Exact depth-first search: {text} in {plain.cpu:.1f} s of processor time,"
    )
    print(f"run of {plain.length:,} steps." if plain.found else "error not found.")
    return 0 if found >= 0.9 * seeds else 1


def philosophers(seeds: int, budget: float, sizes: Sequence[int], orders: Sequence[str] = ORDERS) -> int:
    """Bytes, time and length of the first deadlock over the seeds: least, median, largest."""
    _head("n", "order", "found", "bytes of the table", "steps", "CPU s", "transitions/s")
    for n in sizes:
        hunting = program(MODELS / "philosophers.pml", "hunt", {"N": str(n)})
        for name in orders:
            order = SPIN_ORDER if name == "youngest" else ASCENDING
            outcomes = [first(hunting, "deadlock", seed, budget, "--order", order) for seed in range(seeds)]
            rows = [(o, o.of_type("found")[0]) for o in outcomes if o.of_type("found")]
            speed = [r[0]["transitions"] / o.cpu for o in outcomes if (r := o.of_type("result")) and o.cpu > 0.2]
            cells = (
                _spread([row["bytes"] for _, row in rows], "{:,.0f}"),
                _spread([row["length"] for _, row in rows], "{:,.0f}"),
                _spread([o.cpu for o, _ in rows], "{:.2g}"),
                f"{statistics.median(speed):,.0f}" if speed else "",
            )
            _row(str(n), f"{name} first", f"{len(rows)} of {seeds}", *cells)
    return 0


def compare(seeds: int, budget: float) -> int:
    """The same models, the same processor time, other ways to look."""
    cases = [
        ("inc-dec 999", MODELS / "inc_dec.pml", {}, "assertion"),
        *((f"philosophers {n}", MODELS / "philosophers.pml", {"N": str(n)}, "deadlock") for n in (20, 50, 100)),
    ]
    _head("model", "hunt", "Bloom, k = 3", "random walks", "exact depth-first", "Spin swarm")
    for name, path, defines, kind in cases:
        hunting, exact = program(path, "hunt", defines), program(path, "dfs", defines)
        ways = (("--search", "hunt"), ("--search", "hunt", "--hashes", "3"), ("--search", "random"))
        cells = [_several([first(hunting, kind, seed, budget, *way) for seed in range(seeds)]) for way in ways]
        plain = run(exact, kind, ["--search", "dfs"], budget)
        cells.append(f"found, {plain.cpu:.2g} s, {plain.length:,} steps" if plain.found else "not found")
        _row(name, *cells, _swarm(path, defines, budget))
    return 0


def _several(outcomes: Sequence[Outcome]) -> str:
    found = [o for o in outcomes if o.found]
    if not found:
        return f"0 of {len(outcomes)}"
    time, length = statistics.median(o.cpu for o in found), statistics.median(o.length for o in found)
    return f"{len(found)} of {len(outcomes)}, {time:.2g} s, {length:,.0f} steps"


def _swarm(path: Path, defines: dict[str, str], budget: float) -> str:
    """Spin's own swarm on one core: searches of growing size with bitstate hashing."""
    if shutil.which("spin") is None:
        return "no Spin"
    with tempfile.TemporaryDirectory() as folder:
        macros = [f"-D{name}={value}" for name, value in defines.items()]
        swarm = f"spin -run -swarm1,{max(1, round(budget / 60))} {' '.join(macros)} {path.resolve()}"
        try:
            done = subprocess.run(
                ["sh", "-c", f"ulimit -t {round(budget)}; exec {swarm}"],
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=20 * budget,
            )
        except subprocess.TimeoutExpired:
            return "not found"
        trails = list(Path(folder).glob("*.trail"))
        depth = re.search(r"at depth (\d+)", done.stdout)
        return f"found, depth {depth[1] if depth else '?'}" if trails or depth else "not found"


def cores(seeds: int, budget: float, workers: Sequence[int]) -> int:
    """Wall time to the first run: least, median, largest."""
    _head("model", *(f"{n} workers, s" for n in workers))
    for name, path, defines, kind in (
        ("inc-dec 400", MODELS / "inc_dec.pml", {"MAX": "400"}, "assertion"),
        ("philosophers 50", MODELS / "philosophers.pml", {"N": "50"}, "deadlock"),
    ):
        cells = []
        for many in workers:
            built = program(path, "hunt", defines, many)
            outcomes = [first(built, kind, seed, many * budget, "--workers", str(many)) for seed in range(seeds)]
            times = [row[0]["seconds"] for o in outcomes if (row := o.of_type("found"))]
            cells.append(_spread(times, "{:.2g}") + f" ({len(times)} of {seeds})")
        _row(name, *cells)
    return 0


def _found(row: dict[str, int]) -> tuple[str, str]:
    return f"{row['bytes']:,}", f"{row['length']:,}"


def _spread(values: Sequence[float], form: str) -> str:
    if not values:
        return "none"
    return " / ".join(form.format(x) for x in (min(values), statistics.median(values), max(values)))


def _row(*cells: str) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


def _head(*cells: str) -> None:
    _row(*cells)
    print("|---" + "|--:" * (len(cells) - 1) + "|")
