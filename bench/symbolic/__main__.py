"""python -m bench.symbolic agree [--count N] [FILE.pml ...]
python -m bench.symbolic fair [--count N] [--fair weak|strong] [--linear native]
python -m bench.symbolic choices [--count N]
python -m bench.symbolic scale [--memory SIZE] [--figures FILE] [--svg FILE]
python -m bench.symbolic libraries [--limit SECONDS]"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bench.conformance.random_promela import generate
from bench.symbolic import choosing_systems, libraries, scaling
from bench.symbolic.agreement import compare
from bench.symbolic.cyclic_programs import generate_cyclic
from bench.symbolic.fair_runs import compare_fair
from bench.symbolic.plot import crossover_svg
from clew.core.diagnostics import InputError
from clew.core.network import Network
from clew.host.checking import ModelOptions, load_text


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.symbolic", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    agree = commands.add_parser("agree", help="random networks, and files: all engines say the same")
    agree.add_argument("files", nargs="*", type=Path)
    agree.add_argument("--count", type=int, default=1000, help="random networks that are compared")
    agree.add_argument("--first", type=int, default=0, help="the first seed")
    agree.add_argument("--states", type=int, default=3000, help="leave out models with more states")
    agree.add_argument("--formulas", type=int, default=3, help="CTL formulas for each model")
    agree.add_argument("--smt-seconds", type=float, default=5.0, help="for the solver; 0 leaves it out")
    fair = commands.add_parser("fair", help="random networks that go round: all engines say the same of fair runs")
    fair.add_argument("--count", type=int, default=300, help="random networks that are compared")
    fair.add_argument("--first", type=int, default=0, help="the first seed")
    fair.add_argument("--states", type=int, default=1000, help="leave out models with more states")
    fair.add_argument("--formulas", type=int, default=3, help="CTL formulas for each model, besides four for pairs")
    fair.add_argument("--fair", choices=("weak", "strong"), default="weak")
    fair.add_argument("--linear", default="reference", help="the engine for the same formulas over runs")
    choices = commands.add_parser("choices", help="random systems whose steps choose inside: all engines say the same")
    choices.add_argument("--count", type=int, default=2000)
    choices.add_argument("--first", type=int, default=0, help="the first seed")
    scale = commands.add_parser("scale", help="scalable models by both engines: tables and a picture")
    scale.add_argument("--memory", default="2G", help="limit for the explicit engine")
    scale.add_argument("--figures", type=Path, help="keep the figures here; if the file is there, use them")
    scale.add_argument("--svg", type=Path, help="where the picture goes")
    compared = commands.add_parser("libraries", help="the same models by each library of decision diagrams")
    compared.add_argument("--limit", type=float, default=60.0, help="seconds for each count")
    compared.add_argument("--one", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    jobs = {"agree": _agree, "fair": _fair, "choices": _choices, "scale": _scale, "libraries": _libraries}
    return jobs[arguments.command](arguments)


def _libraries(arguments: argparse.Namespace) -> int:
    if arguments.one:
        print(json.dumps(libraries.one(*json.loads(arguments.one), arguments.limit)))
    else:
        print(libraries.table(arguments.limit))
    return 0


def _scale(arguments: argparse.Namespace) -> int:
    if arguments.figures is not None and arguments.figures.exists():
        found = scaling.load(arguments.figures)
    else:
        found = scaling.measure_all(arguments.memory)
        if arguments.figures is not None:
            scaling.save(found, arguments.figures)
    print(scaling.table(found))
    print()
    print(scaling.crossover_table(found))
    if arguments.svg is not None:
        arguments.svg.write_text(crossover_svg(found))
    return 0


def _agree(arguments: argparse.Namespace) -> int:
    begin, totals, reasons = time.process_time(), Counter[str](), Counter[str]()
    for name, network, seed in _models(arguments):
        if totals["compared"] >= arguments.count and not arguments.files:
            break
        found = compare(network, seed, arguments.formulas, arguments.states, arguments.smt_seconds or None)
        if found.skipped:
            reasons[found.skipped] += 1
            continue
        totals["compared"] += 1
        for field in ("states", "formulas", "proved", "refuted", "unknown"):
            totals[field] += getattr(found, field)
        for disagreement in found.disagreements:
            totals["DISAGREE"] += 1
            print(f"{name}: DISAGREE: {disagreement}", flush=True)
        if totals["compared"] % 50 == 0:
            print(f"{totals['compared']} compared, {time.process_time() - begin:.0f} s", file=sys.stderr, flush=True)
    print(f"{totals['compared']} models compared, {totals['states']:,} states, {totals['formulas']:,} CTL formulas")
    print(f"solver: {totals['proved']:,} proved, {totals['refuted']:,} refuted, {totals['unknown']:,} unknown")
    print(f"{totals['DISAGREE']} disagreements, {time.process_time() - begin:.0f} s of processor time")
    for reason, count in reasons.most_common():
        print(f"  {count} left out: {reason}")
    return 1 if totals["DISAGREE"] else 0


def _fair(arguments: argparse.Namespace) -> int:
    begin, totals, reasons, seed = time.process_time(), Counter[str](), Counter[str](), arguments.first
    while totals["compared"] < arguments.count:
        network = _network(f"seed {seed}", generate_cyclic(seed))
        options = arguments.fair, arguments.formulas, arguments.states, arguments.linear
        found = compare_fair(network, seed, *options)
        seed += 1
        if found.skipped:
            reasons[found.skipped] += 1
            continue
        totals["compared"] += 1
        for field in ("states", "formulas", "pairs", "lassos", "changed"):
            totals[field] += getattr(found, field)
        for disagreement in found.disagreements:
            totals["DISAGREE"] += 1
            print(f"seed {seed - 1}: DISAGREE: {disagreement}", flush=True)
    print(f"{totals['compared']} models compared on {arguments.fair}ly fair runs, {totals['states']:,} states")
    print(f"{totals['formulas']:,} CTL formulas, {totals['changed']:,} decided otherwise than without fairness")
    print(f"{totals['pairs']:,} of them also by the {arguments.linear} engine as formulas over runs")
    print(f"{totals['lassos']:,} fair cycles shown and replayed")
    print(f"{totals['DISAGREE']} disagreements, {time.process_time() - begin:.0f} s of processor time")
    for reason, count in reasons.most_common():
        print(f"  {count} left out: {reason}")
    return 1 if totals["DISAGREE"] else 0


def _choices(arguments: argparse.Namespace) -> int:
    found, disagreements = Counter[str](), 0
    for seed in range(arguments.first, arguments.first + arguments.count):
        verdicts = choosing_systems.compare(seed)
        found[verdicts[0]] += 1
        if not {"holds", "violated"} > set(verdicts) - {"unknown"}:
            disagreements += 1
            print(f"seed {seed}: DISAGREE: {', '.join(verdicts)}", flush=True)
    print(f"{arguments.count} systems by {', '.join(choosing_systems.ENGINES)}: {dict(found)}")
    print(f"{disagreements} disagreements")
    return 1 if disagreements else 0


def _models(arguments: argparse.Namespace) -> Iterator[tuple[str, Network, int]]:
    for seed, path in enumerate(arguments.files):
        yield str(path), _network(str(path), path.read_text()), seed
    seed = arguments.first
    while not arguments.files:
        try:
            network = _network(f"seed {seed}", generate(seed))
        except InputError:
            seed += 1
            continue
        yield f"seed {seed}", network, seed
        seed += 1


def _network(name: str, text: str) -> Network:
    return load_text(name, text, ModelOptions(language="promela"), counting=True).network


if __name__ == "__main__":
    raise SystemExit(main())
