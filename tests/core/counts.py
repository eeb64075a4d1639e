"""Counting as Spin reports it: stored and matched states."""

from __future__ import annotations

from typing import Any

from clew.core.engines import Limits
from clew.core.interpreter import NetworkSpace
from clew.core.network import Network
from clew.core.properties import About, PropertyKind
from clew.core.statespace import StateSpace
from clew.reference.search import breadth_first, depth_first

KINDS: tuple[PropertyKind, ...] = ("assertion", "deadlock", "runtime-error", "never", "trace")
EVERYTHING: frozenset[About] = frozenset((kind, "") for kind in KINDS)


def count_space(space: StateSpace[Any, Any]) -> tuple[int, int]:
    """(stored, matched) as Spin counts them; both searches must agree."""
    results = set()
    for search in (breadth_first, depth_first):
        figures = search(space, frozenset(), Limits(), True).statistics
        assert figures.complete
        results.add((figures.states, figures.transitions + 1 - figures.states))
    assert len(results) == 1
    return results.pop()


def count(network: Network) -> tuple[int, int]:
    return count_space(NetworkSpace(network))


def violations(network: Network) -> dict[str, tuple[str, int]]:
    """The kinds of violation found, each with its message and the length of the shortest run to it."""
    found = breadth_first(NetworkSpace(network), EVERYTHING, Limits(), True)
    return {kind: (hit.violation.message, len(hit.path)) for (kind, _), hit in found.hits.items()}
