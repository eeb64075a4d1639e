"""Sets of places of a graph from which others can be reached: what CTL is made of.

`steps` has what is known to follow each place. Nothing known is not an end, so `always` is told which these are.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import TypeVar

P = TypeVar("P")


def before(steps: Mapping[P, Set[P]], places: frozenset[P]) -> frozenset[P]:
    return frozenset(place for place, after in steps.items() if after & places)


def until(steps: Mapping[P, Set[P]], through: frozenset[P], goal: frozenset[P]) -> frozenset[P]:
    """From where some run comes to the goal, through such places only."""
    found = goal
    while more := (before(steps, found) & through) - found:
        found |= more
    return found


def always(steps: Mapping[P, Set[P]], ends: Set[P], places: frozenset[P]) -> frozenset[P]:
    """From where some run stays in such places, for ever or to an end."""
    found = places
    while (less := found & (before(steps, found) | ends)) != found:
        found = less
    return found
