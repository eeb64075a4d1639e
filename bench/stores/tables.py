"""The tables of `python -m bench.stores`, in Markdown."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import clew
from bench.common.corpus import find
from bench.stores.trials import Trial, time_hash, try_store
from clew.core.omission.choosing import best_k, predicted
from clew.core.omission.formulas import bitstate, blocked, compaction
from clew.core.stores import LossyStore, parse_store

MEMORY = 400 * 2**20 * 8


def figures() -> int:
    """Figure 1 and the numbers of Dillinger and Manolios (SPIN 2005), and where the two kinds of tables are equal."""
    _row("n", "k=3, % omitted", "k=24, % omitted", "k=24, Pr", "32-bit signatures, Pr", "blocked k=8, % omitted")
    _rule(6)
    for n in (1e7, 3e7, 5e7, 8e7, 1e8, 2e8, 1e9):
        three, many, cells = bitstate(n, MEMORY, 3), bitstate(n, MEMORY, 24), compaction(n, MEMORY // 32, 32)
        full = n > MEMORY // 32
        last = f"overflow, {100 * cells.expected / n:.1f} %" if full else f"{cells.any:.3g}"
        block = f"{100 * blocked(n, MEMORY, 8).expected / n:.3g}"
        shares = (f"{100 * found.expected / n:.3g}" for found in (three, many))
        _row(f"{n:.0e}", *shares, f"{many.any:.3g}", last, block)
    print()
    _row("memory", "k", "omissions expected", "Pr of any", "best k")
    _rule(5)
    for size, k in ((1024, 21), (1750, 21), (1750, 35)):
        found = bitstate(3e8, size * 2**23, k)
        best = best_k("bitstate", size * 2**23, 3e8)
        _row(f"{size} MB", str(k), f"{found.expected:.3g}", f"{found.any:.3g}", str(best))
    print()
    _row("bits for each of 1e8 states", "bitstate, share omitted", "compact, share omitted", "blocked, share omitted")
    _rule(4)
    for bits in (4, 8, 10, 12, 14, 16, 17, 18, 20, 24, 32):
        shares = (predicted(name, bits * 10**8, 1e8).expected / 1e8 for name in ("bitstate", "compact", "blocked"))
        _row(str(bits), *(f"{share:.3g}" for share in shares))
    print(f"\n64-bit signatures, 1e8 cells, 99.9 % full: Pr of any {compaction(0.999e8, 10**8, 64).any:.2g}")
    return 0


SETTINGS = (
    "bitstate:bits=8000000,k=3",
    "bitstate:bits=16000000,k=5",
    "bitstate:bits=20000003,k=7",
    "bitstate:bits=32000000,k=8",
    "compact:cells=2000003,width=20",
    "compact:cells=2100000,width=16",
    "compact:cells=2500000,width=24",
    "blocked:bits=16000000,k=5",
    "blocked:bits=32000000,k=8",
    "bitstate:bits=32000000,k=8,hash=h3",
    "bitstate:bits=32000000,k=8,hash=jenkins",
)
SMALL, SMALL_SEEDS = 500, 3000  # a small table shows that some sequences of places have too few sets of them
SEQUENCES = tuple(f"bitstate:bits=12000,k=16,sequence={name}" for name in ("triple", "enhanced", "double"))


def montecarlo(folder: Path, states: int, seeds: int) -> int:
    """Fails if triple hashing, blocks or signatures are more than 3 standard errors from the prediction."""
    _row("store", "omissions expected", "measured, mean", "standard errors apart", "CPU ns for a state")
    _rule(5)
    wrong = 0
    for text in SETTINGS:
        trial = try_store(folder, _scaled(text, states), states, seeds)
        wrong += abs(trial.errors) > 3
        _trial_row(trial)
    for text in SEQUENCES:
        store = parse_store(text)
        assert store is not None
        _trial_row(try_store(folder, store, SMALL, SMALL_SEEDS))
    return 1 if wrong else 0


def _trial_row(trial: Trial) -> None:
    expected, mean = f"{trial.predicted.expected:,.4g}", f"{trial.mean:,.4g}"
    _row(trial.store.text, expected, mean, f"{trial.errors:+.1f}", f"{trial.nanoseconds:.0f}")


def _scaled(text: str, states: int) -> LossyStore:
    """Settings are for two million states."""
    store = parse_store(text)
    assert store is not None
    size = max(store.size * states // 2_000_000, 2)
    scaled = parse_store(LossyStore(store.name, size, store.k, store.width, store.hash, store.sequence).text)
    assert scaled is not None
    return scaled


def hashes(folder: Path) -> int:
    """A million states, each two bytes different from the one before."""
    _row("bytes of a state", "wide", "jenkins", "h3", "h3, differential")
    _rule(5)
    for words in (2, 4, 8, 16, 32, 64):
        took = [time_hash(folder, words, 1_000_000, *flags)[0]["ns"] for flags in ((), ("-DHASH_JENKINS",))]
        full, differential = time_hash(folder, words, 1_000_000, "-DHASH_H3")
        took += [full["ns"], differential["ns"]]
        _row(str(8 * words), *(f"{ns:.1f}" for ns in took))
    return 0


def error() -> int:
    """Five counters modulo 21 with an error on level 80 of 100: 4,084,101 states, of which the exact search may keep
    what fits into 24 MB. Fails unless bits find what it does not reach."""
    model = Path(__file__).parent.parent / "models" / "counters.pml"
    wrong = "count[0] + count[1] + count[2] + count[3] + count[4] >= 80"
    found = {}
    _row("store", "memory", "verdict", "states", "depth", "s", "peak MB")
    _rule(7)
    for store, memory in (("auto", 24 << 20), ("bitstate:bits=48000000,k=3", 24 << 20), ("auto", None)):
        options = {} if memory is None else {"max_memory": memory}
        answer = clew.check(
            model, engine="native", workers=1, store=store, defines={"M": "21", "WRONG": wrong}, **options
        )
        found[store, memory] = answer.verdict
        of = answer.statistics
        size = "any" if memory is None else f"{memory >> 20} MB"
        figures_of = (f"{of.states:,}", str(of.depth), f"{of.seconds:.2f}", f"{of.peak_bytes / 2**20:.0f}")
        _row(store.partition(":")[0].replace("auto", "exact"), size, answer.verdict, *figures_of)
    return int(list(found.values()) != ["unknown", "violated", "violated"])


def models(corpus: Sequence[str], least: int, most: int) -> int:
    """Fails if 64-bit signatures give another count than the exact store."""
    names = (
        "model",
        "states",
        "64-bit equal",
        "4 bits a state: missed",
        "predicted",
        "exact, s",
        "compact, s",
        "blocked, s",
    )
    _row(*names, "bitstate k=3, s")
    _rule(9)
    different = 0
    for path in find(map(Path, corpus)).models:
        exact = _count(path, "auto", most)
        if exact is None or not least <= exact["statistics"]["states"] <= most:
            continue
        states = exact["statistics"]["states"]
        wide = _count(path, f"compact:cells={2 * states + 1000},width=64")
        small = _count(path, f"bitstate:bits={4 * states},k=3")
        fast = [_count(path, f"{name}:bits={64 * states},k=3") for name in ("blocked", "bitstate")]
        if wide is None or small is None or None in fast:
            continue
        figures_of = [(run or {})["statistics"] for run in (exact, wide)]
        same = all(figures_of[0][x] == figures_of[1][x] for x in ("states", "transitions"))
        different += not same
        missed, predicted_share = states - small["statistics"]["states"], bitstate(states, 4 * states, 3).expected
        seconds = [f"{(run or {})['statistics']['seconds']:.2f}" for run in (exact, wide, *fast)]
        shares = (f"{100 * share / states:.1f} %" for share in (missed, predicted_share))
        _row(Path(path).name, f"{states:,}", "yes" if same else "NO", *shares, *seconds)
        sys.stdout.flush()
    return 1 if different else 0


def _count(path: str | Path, store: str, most: int | None = None) -> dict[str, Any] | None:
    """None: it is not to be had in a minute."""
    limit = ["--max-states", str(most + 1)] if most else []
    words = ["count", "--json", "--engine", "native", "--workers", "1", "--max-time", "60", "--store", store, *limit]
    done = subprocess.run(
        [sys.executable, "-m", "clew", *words, str(path)], capture_output=True, text=True, check=False
    )
    try:
        found: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        return None
    return found if "statistics" in found and not found["limits_hit"] else None


def _row(*cells: str) -> None:
    print(f"| {' | '.join(cells)} |")


def _rule(columns: int) -> None:
    print("|---" + "|--:" * (columns - 1) + "|")
