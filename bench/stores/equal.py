"""Whether a store of 64-bit signatures counts what the exact store counts, on every model of a corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bench.common.corpus import find
from bench.common.quick_c import FEW_STATES, compiled_by_tcc, is_small, kept_nowhere
from bench.common.quick_c import FLAGS as QUICK
from clew.core.diagnostics import InputError
from clew.core.engines import Limits, Request
from clew.core.network import Network
from clew.core.stores import LossyStore, parse_store
from clew.explicit.generate import unsupported
from clew.explicit.program import FLAGS, Report, explore
from clew.host.checking import ModelOptions, load_model

FIGURES = ("states", "transitions", "met", "ends")
SECONDS = 30.0


def equal(corpus: Sequence[str], most: int) -> int:
    """Fails if a count differs. Models of more than `most` states are left out."""
    counts: Counter[str] = Counter()
    with kept_nowhere():
        for path in find(map(Path, corpus)).models:
            outcome = _compared(path, most)
            counts[outcome.split(":")[0]] += 1
            print(f"{path}: {outcome}", flush=True)
    print("; ".join(f"{name} {n}" for name, n in sorted(counts.items())))
    return int(counts["different"] > 0)


def _compared(path: Path, most: int) -> str:
    try:
        view = load_model(str(path), ModelOptions(language="promela"), counting=True).view
    except InputError as error:
        return f"refused: {str(error).splitlines()[0][:100]}"
    assert isinstance(view, Network)
    reason = unsupported(view)
    if reason:
        return f"left out: {reason}"
    with compiled_by_tcc():
        exact = _counted(view, min(most, FEW_STATES), QUICK)
        if is_small(exact.figures):
            return _same(view, exact, QUICK)
    if most <= FEW_STATES:
        return "left out: too large"
    exact = _counted(view, most, FLAGS)
    return _same(view, exact, FLAGS) if exact.figures["complete"] else "left out: too large"


def _same(view: Network, exact: Report, flags: tuple[str, ...]) -> str:
    states = exact.figures["states"]
    wide = _counted(view, None, flags, parse_store(f"compact:cells={2 * states + 1000},width=64"))
    differ = [name for name in FIGURES if exact.figures[name] != wide.figures[name]]
    return f"different: {', '.join(differ)}" if differ else f"equal: {states} states"


def _counted(view: Network, states: int | None, flags: tuple[str, ...], store: LossyStore | None = None) -> Report:
    options = {"workers": 1, "flags": flags, **({"lossy": store} if store is not None else {})}
    return explore(Request(view, (), "bfs", Limits(states=states, seconds=SECONDS), True, options), frozenset(), None)
