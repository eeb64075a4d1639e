"""Emptiness checks compared: the experiments of Couvreur, Duret-Lutz and Poitrenaud (SPIN 2005).

    python -m bench.emptiness random [--systems 15] [--formulas 200] [--densities 0.001] [--literature] [--seed 1]
    python -m bench.emptiness agree [--count 10000] [--seed 1]
    python -m bench.emptiness clients
    python -m bench.emptiness deep [--half 5000000] [--violated]

`random`: products of random systems and formulas (tables 1 and 4 of the paper), plain and with three extra conditions;
means in percent of the size of the product, over products that have an accepting run. `--literature` takes the 94
formulas of the literature and their negations, from Spot's Python package. `agree`: all algorithms on small graphs with
0 to 6 conditions, against a plain search for components; every run is replayed. `clients`: the client/server systems
(table 3). `deep`: a cycle of twice `--half` states, searched to its end by each algorithm, all of it on the stack; with
`--violated`, found as a counterexample and replayed.
The exit status is 1 if a ranking of the paper does not show, or algorithms disagree.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

from bench import client_server
from bench.common import child
from bench.random_graphs import product, random_formulas, random_system, small_graph
from clew.explicit.emptiness import ALGORITHMS, Emptiness, check_all
from clew.logic import formulas as f
from clew.logic.automata import Automaton
from clew.logic.marked_graphs import MarkedGraph, has_accepting_run
from clew.logic.translate import translate

Row = dict[str, list[float]]
COMPARED = tuple(name for name in ALGORITHMS if name not in ("cou99-unlisted", "ufscc", "sweep", "auto"))
CHUNK = 100
DEEP = Path(__file__).parent / "models" / "deep.pml"


def literature() -> list[f.Formula]:
    """Over the names of the random systems; formulas with more names have some of them in common."""
    from bench import automata
    from bench.random_graphs import NAMES

    def renamed(formula: f.Formula) -> f.Formula:
        names = {atom: f.proposition(NAMES[n % len(NAMES)]) for n, atom in enumerate(f.atoms(formula))}
        return _replaced(formula, names)

    found = [renamed(automata.ours(formula)) for formula in automata.literature()]
    return found + [f.Not(formula) for formula in found]


def _replaced(formula: f.Formula, names: dict[f.Atom, f.Atom]) -> f.Formula:
    match formula:
        case f.Constant():
            return formula
        case f.Atom():
            return names[formula]
        case f.And(parts) | f.Or(parts):
            return type(formula)(tuple(_replaced(p, names) for p in parts))
        case _:
            return type(formula)(*(_replaced(c, names) for c in formula.children))  # type: ignore[arg-type]


def products(
    seed: int, systems: int, density: float, conditions: int, automata: list[Automaton]
) -> Iterator[list[MarkedGraph]]:
    """The products, a few at a time."""
    chunk: list[MarkedGraph] = []
    for number in range(systems):
        system = random_system(random.Random(f"{seed}/{density}/{conditions}/{number}"), 1024, density, conditions)
        for automaton in automata:
            chunk.append(product(system, automaton))
            if len(chunk) == CHUNK:
                yield chunk
                chunk = []
    if chunk:
        yield chunk


def percentages(graph: MarkedGraph, result: Emptiness) -> list[float]:
    states, transitions = len(graph.arcs), graph.transitions
    parts = (result.visited, states), (result.transitions, transitions), (result.stack, states)
    return [100 * part / whole for part, whole in (*parts, (result.met, states), (result.space, states))]


def measure(chunks: Iterator[list[MarkedGraph]]) -> tuple[int, Row]:
    """How many products have an accepting run, and for each algorithm its means: states, transitions, stack; for the
    cycle states met and search space.
    """
    sums: dict[str, list[list[float]]] = {name: [] for name in COMPARED}
    for chunk in chunks:
        for graph, results in zip(chunk, check_all(chunk, COMPARED), strict=True):
            if len({r.verdict for r in results}) != 1:
                raise SystemExit(f"algorithms disagree: {results}")
            if results[0].verdict == "nonempty":
                for result in results:
                    sums[result.algorithm].append(percentages(graph, result))
    count = len(sums["cou99"])
    means = {name: [fmean(column) for column in zip(*rows, strict=True)] for name, rows in sums.items() if rows}
    return count, means


def missing_rankings(means: Row, fair: bool) -> list[str]:
    """Which of the rankings that the paper reports do not show."""
    states, transitions, stack, met, _ = range(5)
    cou99, shy, opt = means["cou99"], means["shy"], means["tau03-opt"]
    claims = {
        "Tau03 opt visits about as many states as Cou99": opt[states] < 1.25 * cou99[states],
        "Tau03 opt takes more transitions than Cou99": opt[transitions] > cou99[transitions],
        "shy does not visit more states than Cou99": shy[states] <= 1.02 * cou99[states],
        "shy takes more transitions than Cou99": shy[transitions] > cou99[transitions],
        "shy stacks more than Cou99": shy[stack] > cou99[stack],
        "Tau03 visits more states than Tau03 opt": means["tau03"][states] >= opt[states],
        "cycles in components are found with less work than after nested searches": cou99[met] < opt[met],
    }
    if fair:
        for name in ("cvwy90", "se05"):
            claims[f"{name} visits far more states than Cou99"] = means[name][states] > 2 * cou99[states]
        claims["GV04 visits more states than Cou99"] = means["gv04"][states] > cou99[states]
    return [text for text, holds in claims.items() if not holds]


def run_random(options: argparse.Namespace) -> int:
    formulas = literature() if options.literature else random_formulas(random.Random(options.seed), options.formulas)
    automata = [translate(formula) for formula in formulas]
    failed = 0
    for density in options.densities:
        for conditions in (0, 3):
            count, means = measure(products(options.seed, options.systems, density, conditions, automata))
            kind = "literature" if options.literature else "random"
            print(f"\nd={density}, {kind} formulas, {'fair' if conditions else 'plain'}, seed {options.seed}:", end=" ")
            print(f"{count} of {options.systems * len(automata)} products have an accepting run")
            print(f"{'':10} {'states':>8} {'trans.':>8} {'stack':>8}   {'cycle':>8} {'space':>8}")
            for name, row in means.items():
                print(f"{name:10} {row[0]:8.1f} {row[1]:8.1f} {row[2]:8.1f}   {row[3]:8.1f} {row[4]:8.1f}")
            for text in missing_rankings(means, bool(conditions)):
                print(f"DOES NOT SHOW: {text}")
                failed = 1
    return failed


def run_agree(options: argparse.Namespace) -> int:
    dice = random.Random(options.seed)
    wrong = nonempty = 0
    for start in range(0, options.count, CHUNK):
        graphs = [small_graph(dice) for _ in range(min(CHUNK, options.count - start))]
        for number, results in enumerate(check_all(graphs, ALGORITHMS, "--workers", "2"), start):
            expected = "nonempty" if has_accepting_run(graphs[number - start]) else "empty"
            nonempty += expected == "nonempty"
            for result in results:
                if result.verdict != expected or (result.lasso is None) == (expected == "nonempty"):
                    wrong += 1
                    print(f"graph {number}: {result.algorithm} says {result.verdict}, expected {expected}")
    print(
        f"seed {options.seed}: {options.count} graphs, {nonempty} with an accepting run, each replayed; {wrong} wrong"
    )
    return int(wrong > 0)


def run_clients(_: argparse.Namespace) -> int:
    for clients, servers, deepest in ((3, 1, None), (3, 3, None), (3, 3, client_server.PUBLISHED_DEPTH)):
        states = client_server.system(clients, servers, deepest)
        for fair in (False, True):
            graph = client_server.product(states, fair)
            print(f"\n{clients} clients, {servers} servers{', fair' if fair else ''}", end="")
            print(f"{'' if deepest is None else f', at most {deepest} steps deep'}: {len(graph.arcs)} states,", end=" ")
            print(f"{graph.transitions} transitions, {graph.conditions} conditions")
            (results,) = check_all([graph], ALGORITHMS)
            for r in results:
                print(f"{r.algorithm:15} {r.verdict:9} {r.visited:8} {r.transitions:8} {r.stack:8}")
    return 0


def run_deep(options: argparse.Namespace) -> int:
    """Each algorithm through the command. With one worker, so that the figures are those of one stack."""
    formula, expected = ("<>[] (x > 0)", "violated") if options.violated else ("[]<> (x == 0)", "holds")
    print(f"{formula}, a cycle of {2 * options.half} states")
    print(f"{'':15} {'verdict':9} {'states':>11} {'stack':>11} {'MB':>6} {'s':>6}")
    failed = 0
    for algorithm in options.algorithms:
        arguments = ["--engine=native", "--reduce=none", "--workers=1", f"--algorithm={algorithm}", f"--ltl={formula}"]
        command = [sys.executable, "-m", "clew", "check", "--json", *arguments, f"-DHALF={options.half}", str(DEEP)]
        with tempfile.TemporaryDirectory(prefix="clew-deep-") as scratch:  # a run is left where it is started
            done = child.run(command, cwd=Path(scratch), seconds=7200)
        if done.status not in (0, 1):
            print(f"{algorithm:15} exit status {done.status}: {done.stderr.strip()[-200:]}")
            failed = 1
            continue
        answer = json.loads(done.stdout)
        figures, verdict = answer["statistics"], answer["verdict"]
        failed |= verdict != expected
        stack, megabytes = figures["depth"] or 0, figures["peak_bytes"] / 1e6  # sweep may come without a stack
        print(f"{algorithm:15} {verdict:9} {figures['states']:11} {stack:11} {megabytes:6.0f}", end=" ")
        print(f"{done.cpu_seconds:6.0f}  {answer['properties'][0]['evidence']['text']}", flush=True)
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(description="Emptiness checks compared.")
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("random")
    command.add_argument("--systems", "--graphs", type=int, default=15)
    command.add_argument("--formulas", type=int, default=200)
    command.add_argument("--densities", type=float, nargs="+", default=[0.001])
    command.add_argument("--literature", action="store_true")
    command.add_argument("--seed", type=int, default=1)
    command.set_defaults(run=run_random)
    command = commands.add_parser("agree")
    command.add_argument("--count", type=int, default=10000)
    command.add_argument("--seed", type=int, default=1)
    command.set_defaults(run=run_agree)
    commands.add_parser("clients").set_defaults(run=run_clients)
    command = commands.add_parser("deep")
    command.add_argument("--half", type=int, default=5_000_000)
    command.add_argument("--violated", action="store_true")
    command.add_argument("--algorithms", nargs="+", choices=ALGORITHMS, default=ALGORITHMS)
    command.set_defaults(run=run_deep)
    options = parser.parse_args()
    result: int = options.run(options)
    return result


if __name__ == "__main__":
    raise SystemExit(main())
