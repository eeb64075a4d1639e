"""Searching on many machines (`--cluster`, `--swarm`). See docs/engines/cluster.md."""

from __future__ import annotations

import re

from clew.core.records import record

SEARCHES_PER_WORKER = 4  # of a swarm, unless their number is given
MOST_SEARCHES = 1_000_000


@record
class Cluster:
    """`address` of a Ray cluster, or `auto`: that in the environment, or else one started for the occasion. `swarm`:
    the numbers of the first and the last search; None: as many as suit the cluster. `save_every`: seconds between two
    checkpoints of an exhaustive search."""

    address: str = "auto"
    swarm: tuple[int, int] | None = None
    save_every: float = 60.0


def parse_swarm(text: str) -> tuple[int, int]:
    """`32` (searches 1 to 32) or `7-9`. Raises ValueError with the reason."""
    match = re.fullmatch(r"(?:(\d{1,9})-)?(\d{1,9})", text.strip())
    first, last = (int(match[1] or 1), int(match[2])) if match else (0, 0)
    if not 1 <= first <= last <= MOST_SEARCHES:
        raise ValueError(f"'{text}' is neither a number of searches nor a range of them such as 7-9")
    return first, last
