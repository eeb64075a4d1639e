"""The blocks world of the BEEM collection: a hunt for its goal, and a checker of plans that knows no Promela."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from bench.hunting.programs import first, network_of, program
from clew.core.interpreter import Move
from clew.core.network import Network
from clew.explicit.replay import replayed
from clew.host.spaces import network_space

TABLE, HAND = 254, 255


def solve(path: Path, seeds: int, budget: float, order: str) -> int:
    """Looks for a run to the label that the model goes to when the goal is reached, replays it and checks the plan."""
    text = path.read_text()
    goal = {int(a): int(b) for a, b in re.findall(r"on\[(\d+)\]==(\d+)", text[: text.index("goto done")])}
    start = {int(a): int(b) for a, b in re.findall(r"on\[(\d+)\] ?= ?(\d+);", text[: text.index("run Hand")])}
    wrong = 0
    print("| seed | bytes of the table | steps | CPU s | searches | plan |\n|---|--:|--:|--:|--:|---|")
    with tempfile.NamedTemporaryFile("w", suffix=".pml") as model:
        model.write(text.replace("goto done;", "assert(false);", 1))
        model.flush()
        view = network_of(Path(model.name))
        built = program(Path(model.name), "hunt")
        for seed in range(seeds):
            done = first(built, "assertion", seed, budget, "--order", order)
            found = done.of_type("found")
            if not found:
                print(f"| {seed} | not found | | {done.cpu:.1f} | | |", flush=True)
                continue
            path = [Move(*step) for step in done.of_type("violation")[-1]["path"]]
            replayed(view, path, "assertion")
            reason = fault(start, goal, holdings(view, path))
            wrong += reason is not None
            row = f"{found[0]['bytes']:,} | {len(path):,} | {done.cpu:.1f} | {found[0]['runs']:,}"
            print(f"| {seed} | {row} | {reason or 'right'} |", flush=True)
    return int(wrong > 0)


def holdings(network: Network, path: Sequence[Move]) -> Iterator[dict[str, int]]:
    """The variables that each step changes, by name: of every step, while a trace of a long run leaves some out."""
    space = network_space(network)
    (state,) = space.initial()
    for move in path:
        after = space.fire(state, move).state
        changes = space.explain(state, move, after).changes
        yield {name: int(value) for name, (_, value) in changes.items() if value}
        if after is None:
            return
        state = after


def fault(start: dict[int, int], goal: dict[int, int], steps: Iterable[dict[str, int]]) -> str | None:
    """What is wrong with a plan, or None. A step takes a clear block from where it is, or puts the block in the hand
    onto a clear one or onto the table. Steps that move no block, or set up the world, are left out."""
    on, held = dict(start), None
    for number, changes in enumerate(steps, start=1):
        moved = {int(m[1]): value for name, value in changes.items() if (m := re.fullmatch(r"on\[(\d+)\]", name))}
        if not moved or (on == start and held is None and moved.items() <= start.items()):
            continue
        if len(moved) != 1:
            return f"step {number} moves {len(moved)} blocks"
        ((block, place),) = moved.items()
        if place == HAND:
            if held is not None or block in on.values():
                return f"step {number} takes block {block}, which is not free"
            held = block
        elif block != held or (place != TABLE and (place in on.values() or place == held)):
            return f"step {number} puts block {block} onto {place}"
        else:
            held = None
        on[block] = place
    return None if all(on[a] == b for a, b in goal.items()) else "it does not reach the goal"
