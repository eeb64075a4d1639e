"""The best settings of a table for a number of states, and the memory that a goal takes."""

from __future__ import annotations

import math

from clew.core.omission import formulas
from clew.core.omission.formulas import Omissions

MOST_HASHES = 64
NARROWEST, WIDEST = 4, 64  # bits of a signature


def best_k(name: str, bits: int, states: float) -> int:
    """How many bits to set for each state so that the fewest are missed while the table fills up. That is a little more
    than (m / n) ln 2, which is best for the full table only."""
    misses = formulas.blocked if name == "blocked" else formulas.bitstate
    rough = max(1, min(MOST_HASHES, round(bits / states * math.log(2))))
    low, high = 1 if name == "blocked" else max(1, rough - 3), min(MOST_HASHES, rough + 8)
    while low < high:  # there is one least value
        middle = (low + high) // 2
        if misses(states, bits, middle).expected <= misses(states, bits, middle + 1).expected:
            high = middle
        else:
            low = middle + 1
    return low


def best_width(bits: int, states: float) -> int:
    """The width of signatures with which the fewest states are missed, with a cell for every state; the narrowest if
    there is no room for them."""
    widest = max(NARROWEST, min(WIDEST, int(bits // max(states, 1))))
    near = range(max(NARROWEST, widest - 6), widest + 1)
    return min(near, key=lambda width: formulas.compaction_of(states, bits // width, width).expected)


def predicted(name: str, bits: int, states: float) -> Omissions:
    """What is missed with the best settings."""
    if name == "compact":
        width = best_width(bits, states)
        return formulas.compaction_of(states, bits // width, width)
    misses = formulas.blocked if name == "blocked" else formulas.bitstate
    return misses(states, bits, best_k(name, bits, states))


def bytes_for(name: str, states: float, goal: float) -> int | None:
    """The least memory, to two digits of megabytes, with which the probability of missing any state is below `goal`.
    None: more than 64 bits a signature, or 64 bits set, would be needed."""
    high = 1 << 20
    while predicted(name, 8 * high, states).any >= goal:
        high *= 2
        if high > 1 << 50:
            return None
    low = high // 2
    while high - low > max(high // 64, 1 << 16):
        middle = (low + high) // 2
        if predicted(name, 8 * middle, states).any < goal:
            high = middle
        else:
            low = middle
    return -(-high // (1 << 20)) << 20
