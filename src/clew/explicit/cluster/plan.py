"""The searches of a swarm, each different from all others: how it goes, the order of steps, seed, hash, the size of its
table, and how deep it looks. Search n of a seed is always the same, whatever the others are."""

from __future__ import annotations

import random
from dataclasses import replace

from clew.core.engines import Request
from clew.core.hunting import Hunt
from clew.core.records import record
from clew.core.stores import LossyStore

SECONDS = 60.0  # for each search, unless there is a limit
_WAYS = ("hunt", "dive", "hunt", "walk")
_HASHES = ("wide", "jenkins")


@record
class Planned:
    """A search that one worker does, as a request, and what people are told about it."""

    number: int
    request: Request
    text: str


def planned(request: Request, number: int, seed: int) -> Planned:
    """Search number `number` (from 1) for a request to hunt, or to walk at random."""
    dice = random.Random(f"{seed}/{number}")
    way = "walk" if request.search == "random" else _WAYS[(number - 1) % len(_WAYS)]
    own_seed = dice.getrandbits(32)
    options = {name: value for name, value in request.options.items() if name not in _OF_THE_SWARM}
    options |= {"seed": own_seed, "workers": 1}
    depth = request.limits.depth
    if way == "walk":
        options["hunt"] = replace(_hunt(request), first=True)
        depth = depth or 10 ** dice.randint(2, 5)
        return _planned(request, number, "random", options, depth, f"random walks of {depth:,} steps, seed {own_seed}")
    if way == "hunt":
        order = dice.choice(("first", "last", "random"))
        start = dice.choice((1, 100, 1_000, 5_000)) + dice.randrange(50)
        hunt = replace(_hunt(request), first=True, order=order, start=start, k=dice.choice((1, 1, 2)))
        options["hunt"] = hunt
        text = f"a hunt, order {order}, tables from {start:,} bytes, k {hunt.k}, seed {own_seed}"
        return _planned(request, number, "hunt", options, depth, text)
    store = LossyStore("bitstate", 1 << dice.randint(20, 28), dice.randint(1, 4), 0, dice.choice(_HASHES))
    order = dice.choice(("first", "last", "random", "random"))
    options |= {"lossy": store, "order": order}
    depth = depth or dice.choice((None, 1_000, 10_000))
    bound = "" if depth is None else f", depth {depth:,}"
    text = f"depth-first, order {order}, {store.text}{bound}, seed {own_seed}"
    return _planned(request, number, "dfs", options, depth, text)


_OF_THE_SWARM = ("cluster", "hunt", "improved", "reduce", "proviso", "keep_c", "store")


def _hunt(request: Request) -> Hunt:
    hunt: Hunt = request.options.get("hunt") or Hunt()
    return hunt


def _planned(
    request: Request, number: int, search: str, options: dict[str, object], depth: int | None, text: str
) -> Planned:
    limits = replace(request.limits, depth=depth, states=None, seconds=request.limits.seconds or SECONDS)
    changed = replace(request, search=search, options=options, limits=limits, keep_going=False)  # type: ignore[arg-type]
    return Planned(number, changed, text)
