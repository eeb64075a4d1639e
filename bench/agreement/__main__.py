"""Every example and generated models by every engine that can decide them: verdicts and counts side by side.

    python -m bench.agreement [--count 200] [--seed 1] [--max-states 5000] [--seconds 5] [FILE...]

A way that answers "unknown" agrees with everybody; one that refuses a question is not counted. The exit status is 1 if
two ways contradict each other, or two that count everything count differently.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from bench.agreement.ways import SAFETY, WAYS, Way
from bench.common.quick_c import kept_nowhere
from bench.conformance.random_formulas import with_formulas
from bench.conformance.random_promela import generate
from clew.core.diagnostics import InputError
from clew.core.engines import Limits
from clew.core.registry import LoadedModel
from clew.core.results import Result
from clew.host.checking import ModelOptions, check_model, load_text, main_file

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
LANGUAGES = ("*.pml", "*.py", "*.rel")
OPTIONS = ModelOptions()
Figures = dict[str, Counter[str]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200, help="generated models")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--max-states", type=int, default=5000, help="larger ones are left out")
    parser.add_argument("--seconds", type=float, default=5.0, help="for each answer of a solver")
    parser.add_argument("files", type=Path, nargs="*", help="instead of examples and generated models")
    arguments = parser.parse_args()
    sys.setrecursionlimit(30_000)
    figures: Figures = defaultdict(Counter)
    models = disagreements = large = 0
    with kept_nowhere():
        for model in _models(arguments):
            first = _answer(model, WAYS[0], ("",), Limits(states=arguments.max_states), "none")
            if first is not None and first.limits_hit:
                large += 1
                continue
            models += 1
            for line in differences(model, figures, arguments):
                disagreements += 1
                print(f"{main_file(model)}: DISAGREE: {line}", flush=True)
            if models % 25 == 0:
                print(f"[{models}] {disagreements} disagreements", file=sys.stderr, flush=True)
    print(f"{models} models, {large} larger ones left out, {disagreements} disagreements\n")
    print("| way | decided | holds | violated | unknown | models counted |\n|---|--:|--:|--:|--:|--:|")
    for way in WAYS:
        of = figures[way.name]
        shown = (of["holds"] + of["violated"], of["holds"], of["violated"], of["unknown"], of["counted"])
        print(f"| {way.name} | {' | '.join(map(str, shown))} |")
    return 1 if disagreements else 0


def _models(arguments: argparse.Namespace) -> Iterator[LoadedModel]:
    files = arguments.files or sorted(path for kind in LANGUAGES for path in EXAMPLES.rglob(kind))
    for path in files:
        try:
            yield load_text(str(path), path.read_text("utf-8"), OPTIONS)
        except InputError:
            continue  # an implementation under test, a scenario: no model by itself
    for seed in [] if arguments.files else range(arguments.seed, arguments.seed + arguments.count):
        text, _ = with_formulas(generate(seed), random.Random(seed))
        try:
            yield load_text(f"seed-{seed}.pml", text, OPTIONS)
        except InputError as reason:
            print(f"seed {seed}: refused: {reason}", file=sys.stderr)


def differences(model: LoadedModel, figures: Figures, arguments: argparse.Namespace) -> Iterator[str]:
    """What two ways say differently."""
    for fair in ("none", "weak"):
        verdicts: dict[str, dict[str, str]] = defaultdict(dict)  # of a property, what each way says
        counts: dict[int, str] = {}
        for way in WAYS:
            kinds = way.kinds if fair == "none" else way.kinds & {"ltl", "pattern"}
            asked = tuple(dict.fromkeys(p.name for p in model.properties if p.kind in kinds))
            limits = Limits(seconds=arguments.seconds) if way.name == "smt" else Limits()
            result = _answer(model, way, asked, limits, fair) if asked else None
            if result is None:
                continue
            for decision in result.decisions:
                figures[way.name][decision.verdict] += 1
                verdicts[decision.property.name].setdefault(decision.verdict, way.name)
            explored = any(d.property.kind in SAFETY for d in result.decisions)
            if way.counts and result.statistics.complete and explored:
                figures[way.name]["counted"] += 1
                counts.setdefault(result.statistics.states, way.name)
        for name, said in verdicts.items():
            if {"holds", "violated"} <= said.keys():
                yield f"{name} ({fair} fairness) holds ({said['holds']}) and is violated ({said['violated']})"
        if len(counts) > 1:
            yield " and ".join(f"{states} states ({way})" for states, way in counts.items())


def _answer(model: LoadedModel, way: Way, asked: tuple[str, ...], limits: Limits, fair: str) -> Result | None:
    """None if the way does not decide such questions."""
    named = () if asked == ("",) else asked
    try:
        return check_model(model, OPTIONS, way.asked(named, limits, fair))
    except InputError:
        return None


if __name__ == "__main__":
    sys.exit(main())
