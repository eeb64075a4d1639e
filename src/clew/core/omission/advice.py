"""After a run with a lossy store: how many states it may have missed, how many there are, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from clew.core.omission import formulas
from clew.core.omission.choosing import bytes_for, predicted
from clew.core.records import record
from clew.core.stores import LossyStore

GOAL = 1e-3  # probability of a missed state that is good enough
TIGHT = 1.1  # an estimate is tight if no more than this times the visited states
SPARE = 1.02  # room for what a tight estimate may be wrong by
SMALL = 0.5  # expected omissions below which their probability is told instead

Reliability = Literal["good", "fair", "poor"]


@record
class Advice:
    """A run that is worth making next: `store` with settings for `states` states in `memory` bytes; `any` is the
    probability that it misses a state."""

    store: str
    states: int
    memory: int
    any: float

    @property
    def option(self) -> str:
        return f"--store {self.store}:memory={self.memory},expect={self.states}"


@record
class Omission:
    """`expected` states were missed because of their hashes, any at all with probability `any`. `estimate`: how many
    states there are, if the search was finished. `level_bound`: of the probability that a given state was missed, from
    the levels of a breadth-first search. `load`: bits set, or cells in use."""

    store: str
    bytes: int
    load: int
    visited: int
    expected: float
    any: float
    reliability: Reliability
    estimate: int | None = None
    level_bound: float | None = None
    advice: Advice | None = None

    @property
    def summary(self) -> str:
        """The figure that says most, for people."""
        if self.expected < SMALL:
            return f"probability of a missed state {_short(self.any)}"
        share = 100 * self.expected / (self.visited + self.expected)
        about = f"about {_rounded(self.expected):,} states missed ({share:.2g} %)"
        return f"{about}, a rough figure, reliability {self.reliability}"


def analyse(
    store: LossyStore, visited: int, transitions: int, load: int, levels: Sequence[int], finished: bool, full: bool
) -> Omission:
    """The analysis of a run that visited so many states. `full`: it ended because the table was."""
    missed = _missed(store, visited)
    bound = None
    if store.name == "compact":
        outcome = formulas.compaction(visited, max(store.size, visited), store.width)
        any_missed = 1.0 if full else outcome.any
        if levels and not full:
            bound = formulas.missed_by_levels(levels, max(store.size, visited + 1), store.width)
    else:
        misses = formulas.blocked if store.name == "blocked" else formulas.bitstate
        any_missed = misses(visited, store.size, store.k).any
    estimate = round(visited + missed) if finished else None
    return Omission(
        store.text,
        -(-store.bits // 8),
        load,
        visited,
        missed,
        any_missed,
        _reliability(visited, transitions, levels),
        estimate,
        bound,
        None if estimate is None or any_missed < GOAL else recommend(store.bits, visited, estimate),
    )


def recommend(bits: int, visited: int, estimate: int) -> Advice:
    """What to run next. If the estimate is tight, signatures may be better; if it is rough they would be lost when the
    table overflows. More memory is named when neither reaches the goal in `bits` bits."""
    tight = estimate <= TIGHT * visited
    names = ("compact", "bitstate") if tight else ("bitstate",)
    states = round(estimate * SPARE) if tight else estimate
    best = min(names, key=lambda name: predicted(name, bits, states).any)
    reached = predicted(best, bits, states).any
    if reached < GOAL:
        return Advice(best, states, -(-bits // 8), reached)
    sizes = [(size, name) for name in names if (size := bytes_for(name, states, GOAL)) is not None]
    if not sizes:
        return Advice(best, states, -(-bits // 8), reached)
    memory, name = min(sizes)
    return Advice(name, states, memory, predicted(name, 8 * memory, states).any)


def notes(omission: Omission, goes_on: bool) -> tuple[str, ...]:
    """What people are told besides the verdict. `goes_on`: the search was stopped, so that its size says little."""
    said = [f"omission analysis of {omission.store} ({omission.bytes:,} bytes): {omission.summary}"]
    if omission.level_bound is not None:
        said.append(f"a given state was missed with probability at most {_short(omission.level_bound)}")
    if goes_on or omission.estimate is None:
        return tuple(said)
    said.append(f"the state space has about {_rounded(omission.estimate):,} states")
    if omission.advice is not None:
        chance = _short(omission.advice.any)
        said.append(f"next: {omission.advice.option} misses a state with probability {chance}")
    return tuple(said)


def _missed(store: LossyStore, visited: int) -> float:
    if store.name == "compact":
        return formulas.compaction(visited, max(store.size, visited), store.width).expected
    rate = formulas.blocked_rate if store.name == "blocked" else formulas.bitstate_rate
    return formulas.missed_while_visiting(visited, rate(store.size, store.k))


def _reliability(visited: int, transitions: int, levels: Sequence[int]) -> Reliability:
    """Where states are reached in many ways, successors of a missed state are found by others: the figure counts all
    that is lost. In a tree everything behind a missed state is lost, too."""
    ways = transitions / max(visited, 1)
    narrow = bool(levels) and max(levels) < 64
    if ways >= 3 and not narrow:
        return "good"
    return "fair" if ways >= 1.5 else "poor"


def _short(chance: float) -> str:
    return "1" if chance > 0.9995 else f"{chance:.2g}"


def _rounded(states: float) -> int:
    """Four digits."""
    digits = max(len(str(round(states))) - 4, 0)
    return round(states, -digits) if isinstance(states, int) else int(round(states, -digits))
