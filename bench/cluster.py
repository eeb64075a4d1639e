"""Exhaustive searches on a Ray cluster: the same counts with any number of workers, and with one that is killed.

    python -m bench.cluster [--workers 1 2 4] [-D NAME=VALUE] [MODEL]

The model (default: models/counters.pml, 20.5 million states) is counted on this machine alone, then by so many workers
of a Ray that is started here, then again by two of which one is killed half way. Every count has to be the same. Ends
with status 1 if one is not.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from clew.core.clusters import Cluster
from clew.core.engines import Answer, Observer, Progress, Request
from clew.core.network import Network
from clew.explicit.cluster.session import session
from clew.explicit.engine import ENGINE
from clew.host.checking import ModelOptions, load_model

MODEL = Path(__file__).parent / "models" / "counters.pml"
SAVE_EVERY = 2.0  # seconds, in the search whose worker is killed


def kill_one() -> None:
    """Kills the second partition of the search that is under way."""
    import ray

    names = [actor["name"] for actor in ray.util.list_named_actors(all_namespaces=True)]
    victim = next(name for name in names if name.startswith("clew-") and name.endswith("-1"))
    ray.kill(ray.get_actor(victim, namespace="clew"))


def once_at(depth: int, act: Callable[[], None]) -> Observer:
    """Acts when a search is that deep."""
    done: list[int] = []

    def observer(progress: Progress) -> None:
        if progress.depth >= depth and not done:
            done.append(progress.depth)
            act()

    return observer


def counted(view: Network, observer: Observer | None = None, **options: Any) -> tuple[Answer, float]:
    """The answer, and seconds without the start of Ray."""
    before = time.monotonic()
    answer = ENGINE.run(Request(view, keep_going=True, options=options), observer)
    return answer, time.monotonic() - before


def row(name: str, answer: Answer, seconds: float) -> str:
    figures = answer.statistics
    counts = f"{figures.states:,} | {figures.transitions:,} | {figures.depth}"
    return f"| {name} | {counts} | {seconds:.1f} s | {figures.peak_bytes / 2**20:,.0f} MB |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", default=str(MODEL))
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("-D", dest="defines", action="append", default=[], metavar="NAME=VALUE")
    arguments = parser.parse_args()
    defines = dict(text.split("=", 1) for text in arguments.defines)
    view = load_model(arguments.model, ModelOptions(defines=defines), counting=True).view
    assert isinstance(view, Network)

    def figures_of(answer: Answer) -> tuple[int, int, int, bool]:
        figures = answer.statistics
        return figures.states, figures.transitions, figures.depth, figures.complete

    print("| searched by | states | transitions | depth | time | memory |\n|---|--:|--:|--:|--:|--:|")
    alone, seconds = counted(view, workers=1)
    print(row("one process, without Ray", alone, seconds), flush=True)
    same = True
    with session("auto", max(arguments.workers)):
        counted(view, workers=1, cluster=Cluster())  # workers of Ray start, the program is compiled
        for workers in arguments.workers:
            answer, seconds = counted(view, workers=workers, cluster=Cluster())
            print(row(f"workers: {workers}", answer, seconds), flush=True)
            same = same and figures_of(answer) == figures_of(alone)
        killer = once_at(alone.statistics.depth // 2, kill_one)
        answer, seconds = counted(view, killer, workers=2, cluster=Cluster(save_every=SAVE_EVERY))
        print(row("workers: 2, one killed half way", answer, seconds))
        print(*answer.notes, sep="\n")
        same = same and figures_of(answer) == figures_of(alone)
    print("all counts are the same" if same else "COUNTS DIFFER")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
