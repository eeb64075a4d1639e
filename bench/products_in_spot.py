"""Products of random systems and formulas: the verdicts of all emptiness checks against Spot's.

    python -m bench.products_in_spot [--count 5000] [--seed 1]

Clew translates the formula, makes the product and checks it with every algorithm; Spot gets the system as an automaton
and the formula as text, and does everything itself. Systems have 5 to 40 states and 0 to 3 acceptance conditions. Needs
Spot's Python package: `pip install spottl`. Exit status 1 if a verdict differs.
"""

from __future__ import annotations

import argparse
import random
from typing import Any

import spot

from bench.random_graphs import NAMES, RandomSystem, product, random_formulas, random_system
from clew.explicit.emptiness import ALGORITHMS, check_all
from clew.logic import formulas as f
from clew.logic.spelling import SPOT, show
from clew.logic.translate import translate

CHUNK = 100


def in_spot(system: RandomSystem) -> Any:
    """The runs of the system, each arc with the letter of the state that it leaves."""
    names = " ".join(f'"{name}"' for name in NAMES)
    condition = "&".join(f"Inf({i})" for i in range(system.conditions)) or "t"
    lines = ["HOA: v1", f"States: {len(system.arcs)}", "Start: 0", f"AP: {len(NAMES)} {names}"]
    lines += [f"Acceptance: {system.conditions} {condition}", "properties: trans-acc", "--BODY--"]
    for state, arcs in enumerate(system.arcs):
        bits = system.letters[state]
        letter = "&".join(f"{'' if bits >> i & 1 else '!'}{i}" for i in range(len(NAMES)))
        lines.append(f"State: {state}")
        for target, marks in arcs:
            sets = " ".join(str(i) for i in range(system.conditions) if marks >> i & 1)
            lines.append(f"[{letter}] {target} {{{sets}}}")
    return spot.automaton("\n".join([*lines, "--END--", ""]))


def some(dice: random.Random, count: int) -> list[tuple[RandomSystem, f.Formula]]:
    """Dense enough to have cycles, and with enough marks for some of them to be accepting."""
    formulas = random_formulas(dice, count, 7)
    return [(random_system(dice, dice.randint(5, 40), 0.05, dice.choice((0, 0, 1, 3))), known) for known in formulas]


def compare(pairs: list[tuple[RandomSystem, f.Formula]]) -> tuple[int, list[str]]:
    """How many products have an accepting run, and where verdicts differ."""
    graphs = [product(system, translate(formula)) for system, formula in pairs]
    nonempty, wrong = 0, []
    for (system, formula), results in zip(pairs, check_all(graphs, ALGORITHMS), strict=True):
        text = show(formula, SPOT)
        expected = "nonempty" if in_spot(system).intersects(spot.translate(text, "GeneralizedBuchi")) else "empty"
        nonempty += expected == "nonempty"
        wrong += [f"{r.algorithm} says {r.verdict}, Spot {expected}: {text}" for r in results if r.verdict != expected]
    return nonempty, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description="Emptiness checks against Spot.")
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    nonempty, wrong = 0, list[str]()
    for start in range(0, options.count, CHUNK):
        found, differ = compare(some(dice, min(CHUNK, options.count - start)))
        nonempty += found
        wrong += differ
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"seed {options.seed}: {options.count} products, {nonempty} with an accepting run, each replayed;", end=" ")
    print(f"{len(ALGORITHMS)} algorithms, {len(wrong)} verdicts that differ from Spot's")
    return int(bool(wrong))


if __name__ == "__main__":
    raise SystemExit(main())
