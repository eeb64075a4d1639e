"""Exit statuses, the same for every command."""

from __future__ import annotations

from collections.abc import Iterable

HOLDS = 0  # everything holds, or is clean
VIOLATED = 1  # something is violated, or has errors
UNKNOWN = 2  # a limit was hit, a method was inconclusive
BAD_INPUT = 3  # bad input or usage
INTERNAL_ERROR = 4

_WORST_FIRST = (INTERNAL_ERROR, BAD_INPUT, VIOLATED, UNKNOWN, HOLDS)
OF_VERDICT = {"holds": HOLDS, "violated": VIOLATED, "unknown": UNKNOWN}


def worst(statuses: Iterable[int]) -> int:
    """The status of several answers together: 4, 3, 1, 2, 0 in this order."""
    return min(statuses, key=_WORST_FIRST.index, default=HOLDS)
