"""Every model of a corpus with and without reduction: the same errors, the same states without a step, and the same
verdicts of its formulas."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.common import corpus
from bench.common.quick_c import FEW_STATES, compiled_by_tcc, is_small, kept_nowhere
from bench.common.quick_c import FLAGS as QUICK
from bench.por.explored import searched
from bench.por.random_run import difference_of
from clew.core.diagnostics import InputError
from clew.core.engines import Limits, Request, Search
from clew.core.network import Network
from clew.core.properties import Property
from clew.explicit.engine import ENGINE
from clew.explicit.generate import unsupported
from clew.explicit.program import FLAGS, Report
from clew.explicit.reduction.conditions import why_not_reduce
from clew.explicit.reduction.generated import ProvisoName, Reduction
from clew.host.checking import ModelOptions, load_model

WAYS: tuple[tuple[Search, ProvisoName], ...] = (("bfs", "chain"), ("dfs", "chain"))


@dataclass(frozen=True, slots=True)
class Outcome:
    """One comparison, or why there is none. `kind`: same, different, left out."""

    what: str
    kind: str
    text: str


def outcomes(path: Path, states: int, seconds: float) -> Iterator[Outcome]:
    """A model in all ways; its formulas."""
    try:
        view = load_model(str(path), ModelOptions(language="promela")).view
    except InputError as error:
        yield Outcome("", "left out", f"refused: {str(error).splitlines()[0][:100]}")
        return
    assert isinstance(view, Network)
    reason = unsupported(view) or why_not_reduce(view)
    if reason:
        yield Outcome("", "left out", f"no reduction: {reason}")
        return
    limits = Limits(states=states, seconds=seconds)
    yield from _safety(view, limits)
    for formula in view.formulas:
        yield _formula(view, Property(formula.name, "ltl", formula.text), limits)


def _safety(view: Network, limits: Limits) -> Iterator[Outcome]:
    """With a program that is compiled soon if few states are enough, else with one that runs fast."""
    few = Limits(states=min(FEW_STATES, limits.states or FEW_STATES), seconds=limits.seconds)
    with compiled_by_tcc():
        full = searched(view, limits=few, flags=QUICK)
        if is_small(full.figures):
            yield from _in_ways(view, full, limits, QUICK)
            return
    if limits.states is not None and limits.states <= FEW_STATES:
        yield Outcome("safety", "left out", f"more than {limits.states} states")
        return
    full = searched(view, limits=limits)
    if full.figures["complete"]:
        yield from _in_ways(view, full, limits, FLAGS)
    else:
        yield Outcome("safety", "left out", f"more than {full.figures['states']} states")


def _in_ways(view: Network, full: Report, limits: Limits, flags: tuple[str, ...]) -> Iterator[Outcome]:
    for search, proviso in WAYS:
        reduced = searched(view, search, Reduction(proviso), limits=limits, flags=flags)
        difference = difference_of(full, reduced)
        if not reduced.figures["complete"]:
            difference = "the reduced search was stopped"
        sizes = f"{full.figures['states']} states, reduced {reduced.figures['states']}"
        yield Outcome(search, "different" if difference else "same", difference or sizes)


def _formula(view: Network, asked: Property, limits: Limits) -> Outcome:
    answers = []
    for reduce in ("none", "por"):
        options = {"workers": 1, "reduce": reduce, "flags": QUICK}
        few = Limits(states=FEW_STATES, seconds=limits.seconds)
        with compiled_by_tcc():
            answer = ENGINE.run(Request(view, (asked,), limits=few, options=options))
        if answer.decisions[0].verdict == "unknown" and (limits.states or FEW_STATES + 1) > FEW_STATES:
            answer = ENGINE.run(Request(view, (asked,), limits=limits, options={"workers": 1, "reduce": reduce}))
        answers.append(answer)
    full, reduced = (answer.decisions[0].verdict for answer in answers)
    off = [note for note in answers[1].notes if "reduction is off" in note]
    if off:
        return Outcome(f"ltl {asked.name}", "left out", off[0])
    if "unknown" in (full, reduced):
        return Outcome(f"ltl {asked.name}", "left out", f"{full}, reduced {reduced}")
    sizes = ", reduced ".join(f"{answer.statistics.states} states" for answer in answers)
    return Outcome(f"ltl {asked.name}", "same" if full == reduced else "different", f"{full}/{reduced}, {sizes}")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.por corpus")
    parser.add_argument("corpus", nargs="+", type=Path)
    parser.add_argument("--only", default="*", help="a glob on the path or the name of a model")
    parser.add_argument("--max-states", type=int, default=2_000_000)
    parser.add_argument("--max-seconds", type=float, default=30.0)
    options = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    models = corpus.find(options.corpus, options.only).models
    with kept_nowhere():
        for path in models:
            for found in outcomes(path, options.max_states, options.max_seconds):
                counts[f"{found.what.split()[0] if found.what else 'model'}: {found.kind}"] += 1
                print(f"{path} {found.what}: {found.kind}: {found.text}", flush=True)
    print(f"\n{len(models)} models; " + "; ".join(f"{name} {n}" for name, n in sorted(counts.items())))
    return int(any(name.endswith("different") for name in counts))
