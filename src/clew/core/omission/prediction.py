"""What tables of one size miss, side by side, for given numbers of states."""

from __future__ import annotations

from collections.abc import Sequence

from clew.core.omission import formulas
from clew.core.records import record
from clew.core.stores import EXACT, LossyStore, parse_store

DEFAULT_STORES = ("bitstate:k=3", "bitstate", "compact", "blocked")


@record
class Prediction:
    """A table in the memory asked about, filled with so many states: how many are missed, and the probability that any
    is. `overflows`: it has fewer cells than there are states."""

    store: str
    states: int
    expected: float
    percent: float
    any: float
    overflows: bool


def predictions(states: Sequence[int], bits: int, stores: Sequence[str]) -> list[Prediction]:
    """A store without k or width gets the best ones for each number of states. Raises ValueError."""
    return [_prediction(sized(text, bits, n), n) for n in states for text in stores]


def sized(text: str, bits: int, states: int) -> LossyStore:
    """A store as it is given to --store, in so many bits."""
    name, _, settings = text.partition(":")
    if name in EXACT:
        raise ValueError(f"the store '{name}' is exact: it misses nothing")
    tuned = f"memory={bits // 8},expect={states}"
    store = parse_store(f"{name}:{settings + ',' if settings else ''}{tuned}")
    assert store is not None
    return store


def missed(store: LossyStore, states: float) -> formulas.Omissions:
    if store.name == "compact":
        return formulas.compaction_of(states, store.size, store.width)
    misses = formulas.blocked if store.name == "blocked" else formulas.bitstate
    return misses(states, store.size, store.k)


def _prediction(store: LossyStore, states: int) -> Prediction:
    found = missed(store, states)
    overflows = store.name == "compact" and states > store.size
    return Prediction(store.text, states, found.expected, 100 * found.expected / states, found.any, overflows)
