"""Generated programs with and without reduction: the same kinds of errors, the same set of states without a step, and
for formulas the same verdicts."""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bench.common.quick_c import FEW_STATES, compiled_by_tcc, is_small, kept_nowhere
from bench.conformance.random_formulas import with_formulas
from bench.conformance.random_promela import generate
from bench.por import handshake_programs
from bench.por.explored import QUICK, network, searched
from clew.core.diagnostics import InputError
from clew.core.engines import Limits, Request, Search
from clew.core.network import Network
from clew.core.properties import Property
from clew.explicit.engine import ENGINE
from clew.explicit.generate import unsupported
from clew.explicit.program import Report
from clew.explicit.reduction.audit import graph_of, ignoring_states, reduced_cycle, unordered_states
from clew.explicit.reduction.conditions import why_not_reduce
from clew.explicit.reduction.generated import ProvisoName, Reduction

Way = tuple[Search, ProvisoName, int]
WAYS: tuple[Way, ...] = (
    ("bfs", "chain", 1),
    ("dfs", "chain", 1),
    ("dfs", "stack", 1),
    ("bfs", "queue", 1),
    ("bfs", "visited", 1),
    ("bfs", "queue-live", 1),
)
SHARED_WAYS: tuple[Way, ...] = (("bfs", "chain", 2), ("dfs", "queue", 2), ("bfs", "queue", 2))
SHARED = 12  # of so many programs one is searched by two workers: these take longer to compile
MOST_STATES = 100_000


@dataclass(frozen=True, slots=True)
class Compared:
    """A program in one way. `difference` is empty if all is well."""

    seed: int
    way: str
    full: int
    reduced: int
    difference: str = ""


def reducible(text: str) -> Network | None:
    """The network of a program, if it is accepted and may be reduced."""
    try:
        view = network(text)
    except InputError:
        return None
    return None if why_not_reduce(view) or unsupported(view) else view


def compare(seed: int, ways: int, generated: Callable[[int], str] = generate) -> Iterator[Compared]:
    """A program in some of the ways; nothing if it cannot be reduced, or is too large."""
    view = reducible(generated(seed))
    if view is None:
        return
    shared = seed % SHARED == 0
    kinds = SHARED_WAYS if shared else WAYS
    chosen = [kinds[(seed + n) % len(kinds)] for n in range(ways)]
    if not shared:
        with compiled_by_tcc():
            full = searched(view, limits=Limits(states=FEW_STATES), flags=QUICK)
            if is_small(full.figures):
                yield from _in_ways(seed, view, chosen, full)
                return
    full = searched(view, limits=Limits(states=MOST_STATES), flags=QUICK)
    if full.figures["complete"]:
        yield from _in_ways(seed, view, chosen, full)


def _in_ways(seed: int, view: Network, ways: list[Way], full: Report) -> Iterator[Compared]:
    for search, proviso, workers in ways:
        audit = workers == 1
        report = searched(view, search, Reduction(proviso), workers=workers, flags=QUICK, audit=audit)
        difference = difference_of(full, report) or (audited(report, proviso) if workers == 1 else "")
        states = full.figures["states"], report.figures["states"]
        yield Compared(seed, f"{search} {proviso} {workers}", *states, difference)


def difference_of(full: Report, reduced: Report) -> str:
    if full.met != reduced.met:
        return f"errors {sorted(full.met)}, reduced {sorted(reduced.met)}"
    if "runtime-error" in full.met:
        return ""  # nothing is explored behind one
    ends = ("ends", "ends_digest")
    return "" if all(full.figures[e] == reduced.figures[e] for e in ends) else "other states without a step"


def audited(report: Report, proviso: ProvisoName) -> str:
    """What the proviso promises and the graph does not keep; empty if all is well."""
    graph = graph_of(report.expansions)
    if ignoring_states(graph):
        return "states from which something is ignored for ever"
    if proviso in ("queue", "visited") and unordered_states(graph):
        return "a state without a later successor"
    if proviso == "queue-live" and reduced_cycle(graph):
        return "a cycle without a fully expanded state"
    return ""


def compare_formulas(seed: int) -> Iterator[Compared]:
    """A program with two formulas, checked with and without reduction."""
    text, names = with_formulas(generate(seed), random.Random(seed))
    view = reducible(text) if names else None
    if view is None:
        return
    for formula in view.formulas:
        asked = (Property(formula.name, "ltl", formula.text),)
        limits = Limits(states=FEW_STATES)
        with compiled_by_tcc():
            answers = [
                ENGINE.run(
                    Request(view, asked, limits=limits, options={"flags": QUICK, "workers": 1, "reduce": reduce})
                )
                for reduce in ("none", "por")
            ]
        full, reduced = (answer.decisions[0] for answer in answers)
        if "unknown" not in (full.verdict, reduced.verdict):
            difference = "" if full.verdict == reduced.verdict else f"{full.verdict}, reduced {reduced.verdict}"
            sizes = [answer.statistics.states for answer in answers]
            yield Compared(seed, formula.name, sizes[0], sizes[1], difference)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.por random")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="the first one")
    parser.add_argument("--ways", type=int, default=2, help="ways to search each program")
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--ltl", action="store_true", help="random formulas instead of safety")
    kinds.add_argument("--handshakes", action="store_true", help="programs of handshakes in atomic sequences")
    options = parser.parse_args(arguments)
    generated = handshake_programs.generate if options.handshakes else generate
    programs = searches = smaller = differ = 0
    with kept_nowhere():
        for seed in range(options.seed, options.seed + options.count):
            results = list(compare_formulas(seed) if options.ltl else compare(seed, options.ways, generated))
            programs += bool(results)
            for result in results:
                searches += 1
                smaller += result.reduced < result.full
                if result.difference:
                    differ += 1
                    print(f"program {result.seed}, {result.way}: {result.difference}", flush=True)
            if programs and programs % 500 == 0 and results:
                print(f"… {programs} programs, {searches} searches, {differ} differ", flush=True)
    print(f"{programs} programs that may be reduced, {searches} searches, {smaller} of them smaller, {differ} differ")
    return int(differ > 0)
