"""Every model of a corpus with and without reduction: the same errors, the same states without a step, and the same
verdicts of its formulas; and with signatures of 64 bits in place of states: the same counts.

With --log, what was found out of each model is a line of FILE, and is not asked again: a run that was stopped goes on,
and one with larger limits looks at the models that were too large.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.common import corpus
from bench.common.quick_c import FEW_STATES, compiled_by_tcc, is_small, kept_nowhere
from bench.common.quick_c import FLAGS as QUICK
from bench.por.explored import SAFETY, searched
from bench.por.random_run import difference_of
from clew.core.diagnostics import InputError
from clew.core.engines import Limits, Request, Search
from clew.core.network import Network
from clew.core.properties import Property
from clew.core.stores import parse_store
from clew.explicit.engine import ENGINE
from clew.explicit.generate import unsupported
from clew.explicit.program import FLAGS, Report, explore
from clew.explicit.reduction.conditions import why_not_reduce
from clew.explicit.reduction.generated import ProvisoName, Reduction
from clew.host.checking import ModelOptions, load_model

WAYS: tuple[tuple[Search, ProvisoName], ...] = (("bfs", "chain"), ("dfs", "chain"))
COUNTS = ("states", "transitions", "met", "ends")
TOO_LARGE = "too large"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One comparison, or why there is none. `kind`: same, different, left out."""

    what: str
    kind: str
    text: str


def outcomes(path: Path, limits: Limits) -> Iterator[Outcome]:
    """A model in all ways; its formulas."""
    try:
        view = load_model(str(path), ModelOptions(language="promela")).view
    except InputError as error:
        yield Outcome("model", "left out", f"refused: {str(error).splitlines()[0][:100]}")
        return
    assert isinstance(view, Network)
    reason = unsupported(view)
    if reason:
        yield Outcome("model", "left out", reason)
        return
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
        yield Outcome("model", "left out", f"{TOO_LARGE}: more than {limits.states} states")
        return
    full = searched(view, limits=limits)
    if full.figures["complete"]:
        yield from _in_ways(view, full, limits, FLAGS)
    else:
        yield Outcome("model", "left out", f"{TOO_LARGE}: more than {full.figures['states']} states")


def _in_ways(view: Network, full: Report, limits: Limits, flags: tuple[str, ...]) -> Iterator[Outcome]:
    states = full.figures["states"]
    reason = why_not_reduce(view)
    if reason:
        yield Outcome("reduced", "left out", f"no reduction: {reason}")
    for search, proviso in WAYS if not reason else ():
        reduced = searched(view, search, Reduction(proviso), limits=Limits(memory=limits.memory), flags=flags)
        difference = difference_of(full, reduced)
        if not reduced.figures["complete"]:
            difference = "the reduced search was stopped"
        sizes = f"{states} states, reduced {reduced.figures['states']}"
        yield Outcome(search, "different" if difference else "same", difference or sizes)
    signatures = _signatures(view, states, flags)
    differ = [name for name in COUNTS if _figure(full, name) != _figure(signatures, name)]
    yield Outcome("64 bits", "different" if differ else "same", ", ".join(differ) or f"{states} states")


def _figure(report: Report, name: str) -> object:
    return report.met if name == "met" else report.figures[name]


def _signatures(view: Network, states: int, flags: tuple[str, ...]) -> Report:
    store = parse_store(f"compact:cells={2 * states + 1000},width=64")
    return explore(
        Request(view, (), "bfs", Limits(), True, {"workers": 1, "flags": flags, "lossy": store}), SAFETY, None
    )


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
        return Outcome(f"ltl {asked.name}", "left out", f"{TOO_LARGE}: {full}, reduced {reduced}")
    sizes = ", reduced ".join(f"{answer.statistics.states} states" for answer in answers)
    return Outcome(f"ltl {asked.name}", "same" if full == reduced else "different", f"{full}/{reduced}, {sizes}")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.por corpus")
    parser.add_argument("corpus", nargs="+", type=Path)
    parser.add_argument("--only", default="*", help="a glob on the path or the name of a model")
    parser.add_argument("--max-states", type=int, default=100_000_000)
    parser.add_argument("--max-seconds", type=float, default=30.0, help="of each search (%(default)s)")
    parser.add_argument("--max-megabytes", type=int, default=3000, help="of each search (%(default)s)")
    parser.add_argument("--log", type=Path, help="keep what is found out here, and go on from there")
    options = parser.parse_args(arguments)
    limits = Limits(options.max_states, memory=options.max_megabytes << 20, seconds=options.max_seconds)
    known = _read(options.log) if options.log is not None and options.log.exists() else {}
    models = corpus.find(options.corpus, options.only).models
    with kept_nowhere():
        for path in models:
            before = known.get(str(path))
            if before is not None and not (_is_too_large(before.found) and before.seconds < options.max_seconds):
                continue
            line = Line(str(path), options.max_seconds, list(outcomes(path, limits)))
            known[line.model] = line
            if options.log is not None:
                with options.log.open("a", encoding="utf-8") as stream:
                    print(json.dumps(asdict(line)), file=stream)
            for found in line.found:
                print(f"{path} {found.what}: {found.kind}: {found.text}", flush=True)
    return _summary([known[str(path)].found for path in models])


@dataclass(frozen=True, slots=True)
class Line:
    """What was found out of a model, with how much time for each search."""

    model: str
    seconds: float
    found: list[Outcome]


def _read(log: Path) -> dict[str, Line]:
    lines = map(json.loads, log.read_text("utf-8").splitlines())
    return {
        line["model"]: Line(line["model"], line["seconds"], [Outcome(**o) for o in line["found"]]) for line in lines
    }


def _is_too_large(found: Iterable[Outcome]) -> bool:
    return any(outcome.text.startswith(TOO_LARGE) for outcome in found)


def _summary(models: list[list[Outcome]]) -> int:
    counts: Counter[str] = Counter()
    for found in models:
        for outcome in found:
            why = "" if outcome.kind != "left out" else f" ({outcome.text.split(':')[0]})"
            counts[
                f"{outcome.what.split()[0] if outcome.what.startswith('ltl') else outcome.what}: {outcome.kind}{why}"
            ] += 1
    print(f"\n{len(models)} models; " + "; ".join(f"{name} {n}" for name, n in sorted(counts.items())))
    return int(any(name.endswith("different") for name in counts))
