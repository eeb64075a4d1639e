"""What a hunt finds on the way: each better run is replayed before anyone sees it, and shown at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from clew.core.engines import HUNTS, Request
from clew.core.interpreter import Move
from clew.core.traces import Trace
from clew.explicit.replay import replayed

if TYPE_CHECKING:
    from clew.explicit.program import Report

PAUSE = 1.0  # seconds between two that are shown, since runs often get shorter step by step


def replaying(request: Request) -> Callable[[str, Sequence[Move]], None] | None:
    """For a hunt, what is done with each run it finds: it is replayed and given to the `improved` of the request."""
    show: Callable[[str, Trace], None] | None = request.options.get("improved")
    if show is None or request.search not in HUNTS:
        return None
    last = -PAUSE

    def improved(kind: str, path: Sequence[Move]) -> None:
        nonlocal last
        if time.monotonic() - last < PAUSE:
            return
        trace, _ = replayed(request.network, path, kind)
        show(kind, trace)
        last = time.monotonic()

    return improved


def hunting_notes(report: Report) -> tuple[str, ...]:
    if not report.hunt:
        return ()
    runs = f"{report.hunt['runs']:,} searches"
    if not report.best:
        return (f"hunted in {runs}",)
    table = f", table of {report.best['bytes']:,} bytes" if report.best["bytes"] else ""
    when = f"the best run was found after {report.best['seconds']:.3g} s (search {report.best['runs'] + 1:,}{table})"
    return (f"hunted in {runs}; {when}",)
