"""Expected omissions of a table, and the probability that there is any.

Throughout `n` is a number of different states. Sums over the states in the order in which they come are evaluated as
integrals, so that the number of states does not matter; figures as small as 1e-300 keep their digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

from clew.core.records import record

BLOCK_BITS = 512
PANELS = 24
EXACT_SUM = 512  # so many terms are added one by one


@record
class Omissions:
    """`expected`: how many states are missed because their hashes are taken. `any`: the probability of at least one."""

    expected: float
    any: float


def bitstate(n: float, bits: int, k: int) -> Omissions:
    """A table of bits, k of which are set for each state."""
    return _over(bitstate_rate(bits, k), n)


def blocked(n: float, bits: int, k: int) -> Omissions:
    """The same, with all k bits in one of many blocks."""
    return _over(blocked_rate(bits, k), n, panels=6)


def bitstate_rate(bits: int, k: int) -> Callable[[float], float]:
    """The chance that the next state is missed when i are in: (1 - e^(-k i / m))^k in a table of m bits."""

    def rate(i: float) -> float:
        filled = -math.expm1(-k * i / bits)
        return filled**k if filled > 0.0 else 0.0

    return rate


def blocked_rate(bits: int, k: int) -> Callable[[float], float]:
    """The same in blocks: the number of states in a block has a Poisson distribution."""
    blocks = max(bits // BLOCK_BITS, 1)
    within = lru_cache(maxsize=None)(lambda j: block_rate(j, k))

    def rate(i: float) -> float:
        mean = i / blocks
        if mean <= 0.0:
            return 0.0
        return math.fsum(math.exp(_log_poisson(j, mean)) * within(j) for j in range(1, _most_in_block(mean) + 1))

    return rate


def compaction(n: float, cells: int, width: int) -> Omissions:
    """Stern and Dill: `cells` cells with uniform probing, 2^width - 1 signatures. Of `n` states in the table; beyond
    the last cell every state is missed."""
    signatures = 2**width - 1
    if n <= 1:
        return Omissions(0.0, 0.0)
    inside = min(n, float(cells))
    comparisons = max((cells + 1) * _harmonic_between(cells - inside + 1, cells + 1) - inside, 0.0)
    expected = min(comparisons / signatures, inside) + (n - inside)
    missed = 1.0 if n > cells else -math.expm1(comparisons * math.log1p(-1 / signatures))
    return Omissions(expected, missed)


def compaction_of(n: float, cells: int, width: int) -> Omissions:
    """The same of `n` states that come: those that are missed take no cell. It counts when the table is almost full."""
    most = compaction(n, cells, width)
    low, high = max(n - cells, 0.0), most.expected
    for _ in range(60):
        middle = (low + high) / 2
        if compaction(min(n - middle, float(cells)), cells, width).expected > middle:
            low = middle
        else:
            high = middle
    return Omissions(high, most.any)


def missed_by_levels(levels: Sequence[int], cells: int, width: int) -> float:
    """A bound on the probability that a given state is missed by a breadth-first search with signatures, from the sizes
    of the levels (Stern and Dill 1996)."""
    signatures = 2**width - 1
    log_kept, stored = 0.0, 0
    for size in levels:
        stored += size
        if stored >= cells:
            return 1.0
        k = stored
        miss = 2 / signatures * _harmonic_between(cells - k, cells + 1)
        miss -= (2 * cells + k * (cells - k)) / (cells * signatures * (cells - k + 1))
        log_kept += math.log1p(-min(max(miss, 0.0), 1.0 - 1e-16))
    return -math.expm1(log_kept)


def missed_while_visiting(visited: float, rate: Callable[[float], float]) -> float:
    """States missed by the time that so many are visited: of those that come when i are in, rate(i) are missed."""

    def per_visited(i: float) -> float:
        f = min(rate(i), 1 - 1e-12)
        return f / (1 - f)

    return _sum(per_visited, visited)


def _over(rate: Callable[[float], float], n: float, panels: int = PANELS) -> Omissions:
    expected = _sum(rate, n, panels)
    log_none = _sum(lambda i: math.log1p(-min(rate(i), 1 - 1e-16)), n, panels)
    return Omissions(expected, max(0.0, -math.expm1(log_none)))


def _sum(f: Callable[[float], float], n: float, panels: int = PANELS) -> float:
    """The sum of f(i) over i = 0 … n - 1."""
    if n <= EXACT_SUM:
        return math.fsum(f(float(i)) for i in range(int(n)))
    edge = (f(n) - f(0.0)) / 2  # Euler and Maclaurin
    return _integral(f, n, panels) - edge


def _integral(f: Callable[[float], float], n: float, panels: int) -> float:
    """From 0 to n, by Gauss and Legendre on panels that get narrower towards 0."""
    nodes = _nodes(16)
    total, high = 0.0, n
    for panel in range(panels):
        low = high * 0.7 if panel < panels - 1 else 0.0
        half, middle = (high - low) / 2, (high + low) / 2
        total += half * math.fsum(weight * f(middle + half * x) for x, weight in nodes)
        high = low
    return total


@lru_cache(maxsize=4)
def _nodes(n: int) -> tuple[tuple[float, float], ...]:
    """Places and weights of the rule of Gauss and Legendre, by Newton's method."""
    found = []
    for i in range(1, n + 1):
        x = math.cos(math.pi * (i - 0.25) / (n + 0.5))
        for _ in range(100):
            before, here = 1.0, x
            for j in range(2, n + 1):
                before, here = here, ((2 * j - 1) * x * here - (j - 1) * before) / j
            slope = n * (x * here - before) / (x * x - 1)
            x, step = x - here / slope, here / slope
            if abs(step) < 1e-16:
                break
        found.append((x, 2 / ((1 - x * x) * slope * slope)))
    return tuple(found)


def _harmonic_between(low: float, high: float) -> float:
    """H(high) - H(low), without the loss of digits of a difference; H is the harmonic number, for any real."""
    return _digamma(high + 1) - _digamma(low + 1) if low < 1e4 else _difference(low + 1, high + 1)


def _difference(low: float, high: float) -> float:
    """digamma(high) - digamma(low) for large arguments."""
    return math.log1p((high - low) / low) - (1 / high - 1 / low) / 2 - (1 / high**2 - 1 / low**2) / 12


def _digamma(x: float) -> float:
    shift = 0.0
    while x < 10:
        shift -= 1 / x
        x += 1
    square = 1 / (x * x)
    return shift + math.log(x) - 1 / (2 * x) - square * (1 / 12 - square * (1 / 120 - square / 252))


def _most_in_block(mean: float) -> int:
    return int(mean + 12 * math.sqrt(mean) + 30)


def block_rate(states: int, k: int) -> float:
    """The mean of the k-th power of the filled share of a block, to the second order: blocks with equally many states
    are not equally full, and the fuller ones miss more."""
    throws = k * states
    empty, both_empty = ((1 - bits / BLOCK_BITS) ** throws for bits in (1, 2))
    filled = 1 - empty
    if filled <= 0.0:
        return 0.0
    variance = max((1 - 1 / BLOCK_BITS) * both_empty + empty / BLOCK_BITS - empty * empty, 0.0)
    return min(filled**k * (1 + k * (k - 1) / 2 * variance / filled**2), 1.0)


def _log_poisson(j: int, mean: float) -> float:
    return j * math.log(mean) - mean - math.lgamma(j + 1)
