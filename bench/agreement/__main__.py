"""Every example and generated models by every engine that can decide them: verdicts and counts side by side.

    python -m bench.agreement [--count 200] [--seed 1] [--max-states 5000] [--seconds 5] [--log FILE] [FILE...]

A way that answers "unknown" agrees with everybody; one that refuses a question is not counted. The exit status is 1 if
two ways contradict each other, or two that count everything count differently.

With --log, every model is a line of FILE, and models that are in there are not asked again: a run that was stopped goes
on, and the table is that of all of them. With --quick and tcc installed, programs with one worker are made by tcc, and
two workers are let loose on every tenth generated model only (seeds 1, 11, 21, ...).

With --turns N, each generated model is asked in every Nth way of the native engine only, beside all other engines: so
many models are possible, and each way has its turn with every Nth of them (choose N prime to 10).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.agreement.ways import SAFETY, WAYS, Way
from bench.common.quick_c import compiled_by_tcc, kept_nowhere
from bench.conformance.random_formulas import with_formulas
from bench.conformance.random_promela import generate
from clew.core.diagnostics import InputError
from clew.core.engines import Limits
from clew.core.registry import LoadedModel
from clew.core.results import Result
from clew.host.checking import ModelOptions, check_model, load_text

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
LANGUAGES = ("*.pml", "*.py", "*.rel")
OPTIONS = ModelOptions()
TENTH = 10
MEMORY_OF_DIAGRAMS = 64 << 20


@dataclass(slots=True)
class Answers:
    """What all ways say of one model. `figures`: of each way, how often it gave which verdict, and `counted`."""

    model: str
    large: bool = False
    figures: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    differences: list[str] = field(default_factory=list)

    def as_json(self) -> str:
        fields = {"model": self.model, "large": self.large, "figures": self.figures, "differences": self.differences}
        return json.dumps(fields)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200, help="generated models")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--max-states", type=int, default=5000, help="larger ones are left out")
    parser.add_argument("--seconds", type=float, default=5.0, help="for each answer of a solver")
    parser.add_argument("--quick", action="store_true", help="compile with tcc where that is possible")
    parser.add_argument(
        "--turns", type=int, default=1, metavar="N", help="every Nth way of the native engine at a time"
    )
    parser.add_argument("--log", type=Path, help="keep what is found out here, and go on from there")
    parser.add_argument("files", type=Path, nargs="*", help="instead of examples and generated models")
    arguments = parser.parse_args()
    sys.setrecursionlimit(30_000)
    log: Path | None = arguments.log
    lines = log.read_text("utf-8").splitlines() if log and log.exists() else []
    answered = [Answers(**json.loads(line)) for line in lines]
    known = {answers.model for answers in answered}
    with kept_nowhere():
        for number, name, model in _models(arguments, known):
            answers = _asked(name, model, arguments, list(_ways(number, arguments)))
            answered.append(answers)
            for line in answers.differences:
                print(f"{name}: DISAGREE: {line}", flush=True)
            if log:
                with log.open("a", encoding="utf-8") as stream:
                    stream.write(answers.as_json() + "\n")
            if len(answered) % 25 == 0:
                print(f"[{len(answered)}]", file=sys.stderr, flush=True)
    disagreements = sum(len(answers.differences) for answers in answered)
    large = sum(answers.large for answers in answered)
    print(f"{len(answered) - large} models, {large} larger ones left out, {disagreements} disagreements\n")
    _print_table(answered)
    return 1 if disagreements else 0


def _print_table(answered: list[Answers]) -> None:
    figures: dict[str, Counter[str]] = defaultdict(Counter)
    for answers in answered:
        for name, of in answers.figures.items():
            figures[name].update(of)
    print("| way | decided | holds | violated | unknown | models counted |\n|---|--:|--:|--:|--:|--:|")
    for way in WAYS:
        of = figures[way.name]
        shown = (of["holds"] + of["violated"], of["holds"], of["violated"], of["unknown"], of["counted"])
        print(f"| {way.name} | {' | '.join(map(str, shown))} |")


def _models(arguments: argparse.Namespace, known: set[str]) -> Iterator[tuple[int, str, LoadedModel]]:
    """Number, name and model; of examples the number is 0."""
    files = arguments.files or sorted(path for kind in LANGUAGES for path in EXAMPLES.rglob(kind))
    for path in files:
        name = str(path.relative_to(EXAMPLES) if path.is_relative_to(EXAMPLES) else path)
        if name in known:
            continue
        try:
            yield 0, name, load_text(str(path), path.read_text("utf-8"), OPTIONS)
        except InputError:
            continue  # an implementation under test, a scenario: no model by itself
    for seed in [] if arguments.files else range(arguments.seed, arguments.seed + arguments.count):
        name = f"seed-{seed}.pml"
        if name in known:
            continue
        text, _ = with_formulas(generate(seed), random.Random(seed))
        try:
            yield seed, name, load_text(name, text, OPTIONS)
        except InputError as reason:
            print(f"seed {seed}: refused: {reason}", file=sys.stderr)


def _ways(number: int, arguments: argparse.Namespace) -> Iterator[Way]:
    """Those in which the model of that number is asked."""
    for turn, way in enumerate(WAYS):
        is_native = way.options["engine"] == "native"
        if number and is_native and (turn + number) % arguments.turns:
            continue
        if way.workers == 1 or not arguments.quick or number % TENTH == 1:
            yield way


def _asked(name: str, model: LoadedModel, arguments: argparse.Namespace, ways: list[Way]) -> Answers:
    first = _answer(model, WAYS[0], ("",), Limits(states=arguments.max_states), "none")
    if first is not None and first.limits_hit:
        return Answers(name, large=True)
    answers = Answers(name)
    for fair in ("none", "weak"):
        verdicts: dict[str, dict[str, str]] = defaultdict(dict)  # of a property, what each way says
        counts: dict[int, str] = {}
        for way in ways:
            kinds = way.kinds if fair == "none" else way.kinds & {"ltl", "pattern"}
            asked = tuple(dict.fromkeys(p.name for p in model.properties if p.kind in kinds))
            limits = _limits(way, arguments.seconds)
            try:
                with _compiler(way, quick=arguments.quick):
                    result = _answer(model, way, asked, limits, fair) if asked else None
            except Exception as error:  # an internal error, to be told like any other difference
                answers.differences.append(f"{way.name}: {type(error).__name__}: {error}")
                continue
            if result is None:
                continue
            for decision in result.decisions:
                answers.figures[way.name][decision.verdict] += 1
                verdicts[decision.property.name].setdefault(decision.verdict, way.name)
            explored = any(d.property.kind in SAFETY for d in result.decisions)
            if way.counts and result.statistics.complete and explored:
                answers.figures[way.name]["counted"] += 1
                counts.setdefault(result.statistics.states, way.name)
        answers.differences += _differences(verdicts, counts, fair)
    return answers


def _limits(way: Way, seconds: float) -> Limits:
    """For engines that may take for ever, and then say "unknown"."""
    match way.name:
        case "smt":
            return Limits(seconds=seconds)
        case "symbolic":
            return Limits(memory=MEMORY_OF_DIAGRAMS)
        case _:
            return Limits()


def _compiler(way: Way, quick: bool) -> AbstractContextManager[Any]:
    """tcc has no threads."""
    return compiled_by_tcc() if quick and way.workers == 1 else contextlib.nullcontext()


def _differences(verdicts: dict[str, dict[str, str]], counts: dict[int, str], fair: str) -> Iterator[str]:
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
