"""Lossy stores of the runtime: how a program is compiled and called for one, and what it may have missed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from clew.core.engines import HUNTS, Request
from clew.core.hunting import Hunt
from clew.core.omission.advice import Omission, analyse
from clew.core.stores import LossyStore

if TYPE_CHECKING:
    from clew.explicit.program import Report

_HASHES = {"wide": (), "jenkins": ("-DHASH_JENKINS",), "h3": ("-DHASH_H3",)}
_SEQUENCES = {"triple": (), "enhanced": ("-DSEQUENCE_ENHANCED",), "double": ("-DSEQUENCE_DOUBLE",)}


# A table of one bit for each state; sizes that are nearly the same prune differently.
HUNT_FLAGS = ("-DSTORE_IS_LOSSY=1", "-DSTORE_BITSTATE", "-DPLACES_BY_REMAINDER", "-DHUNT")


def store_flags(store: LossyStore | None) -> tuple[str, ...]:
    """So that search and store are compiled as one."""
    if store is None:
        return ()
    return (
        "-DSTORE_IS_LOSSY=1",
        f"-DSTORE_{store.name.upper()}",
        *_HASHES[store.hash],
        *_SEQUENCES[store.sequence],
    )


def store_arguments(request: Request) -> Iterator[str]:
    """For a lossy store, or for a hunt, whose tables are such stores."""
    store: LossyStore | None = request.options.get("lossy")
    hunt: Hunt | None = request.options.get("hunt")
    if hunt is not None:
        yield from hunt.arguments
    elif store is not None:
        yield from ("--size", str(store.size))
        yield from ("--width", str(store.width)) if store.name == "compact" else ("--hashes", str(store.k))
        yield from ("--order", request.options.get("order", "first"))
    else:
        return
    yield from ("--seed", str((request.options.get("seed") or 0) % 2**64))


def omission_of(request: Request, report: Report, limits_hit: Sequence[str]) -> Omission | None:
    """What the store of a request may have missed; None if it is exact, or if the program ended before it could say."""
    store: LossyStore | None = request.options.get("lossy")
    if store is None or request.search in HUNTS:
        return None
    figures, kept = report.figures, report.filter
    finished = bool(figures["complete"]) and not limits_hit
    return analyse(
        store,
        figures["states"],
        figures["transitions"],
        kept.get("load", 0),
        kept.get("levels", ()),
        finished,
        "table" in limits_hit,
    )
