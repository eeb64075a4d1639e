"""Sizes of Clew's automata and of Spot's for the same formulas.

    python -m bench.automata [--seed 1] [--random 500] [--size 15] [--negated] [--verify] [--worst 10]

Formulas: the 94 of the literature (55 of Dwyer, Avrunin and Corbett; 12 of Etessami and Holzmann; 27 of Somenzi and
Bloem) and random ones over four atoms. Spot translates with its options `TGBA`, `small`, `high`. `--verify` also asks
Spot whether the automata are equivalent. Needs Spot's Python package: `pip install spottl`. Exit status 1 if Clew's
states are in total more than 1.10 times Spot's, or an automaton is wrong.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field
from typing import Any

import spot
import spot.gen

from clew.logic.formulas import Formula
from clew.logic.hoa import write_hoa
from clew.logic.parse import parse_ltl
from clew.logic.translate import translate

BAR = 1.10


@dataclass(slots=True)
class Total:
    formulas: int = 0
    states: int = 0
    peer_states: int = 0
    edges: int = 0
    peer_edges: int = 0
    sets: int = 0
    peer_sets: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    wrong: list[str] = field(default_factory=list)
    differences: list[tuple[int, int, str]] = field(default_factory=list)

    @property
    def ratio(self) -> float:
        return self.states / self.peer_states

    def add(self, other: Total) -> None:
        for name in ("formulas", "states", "peer_states", "edges", "peer_edges", "sets", "peer_sets", "seconds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.slowest = max(self.slowest, other.slowest)
        self.wrong += other.wrong
        self.differences += other.differences


def literature() -> list[Any]:
    """The formulas in Spot's form."""
    patterns = spot.gen.LTL_DAC_PATTERNS, spot.gen.LTL_EH_PATTERNS, spot.gen.LTL_SB_PATTERNS
    return [formula for pattern in patterns for formula in spot.gen.ltl_patterns(pattern)]


def ours(formula: Any) -> Formula:
    """The same formula as read by Clew."""
    return parse_ltl(spot.unabbreviate(formula, "^").to_str("spot", True))


def compare(formulas: list[Any], verify: bool) -> Total:
    total = Total(len(formulas))
    for formula in formulas:
        peer = spot.translate(formula, "TGBA", "small", "high")
        mine = ours(formula)
        began = time.process_time()
        automaton = translate(mine)
        spent = time.process_time() - began
        total.seconds += spent
        total.slowest = max(total.slowest, spent)
        total.states += automaton.states
        total.peer_states += peer.num_states()
        total.edges += sum(map(len, automaton.edges))
        total.peer_edges += peer.num_edges()
        total.sets += automaton.sets
        total.peer_sets += peer.num_sets()
        total.differences.append((automaton.states, peer.num_states(), str(formula)))
        if verify and not spot.are_equivalent(spot.automaton(write_hoa(automaton)), formula):
            total.wrong.append(str(formula))
    return total


def show(name: str, total: Total) -> None:
    print(
        f"{name:12} {total.formulas:9} {total.states:7} {total.peer_states:7} {total.ratio:6.3f}"
        f" {total.edges:7} {total.peer_edges:7} {total.sets:6} {total.peer_sets:6}"
        f" {1000 * total.seconds / total.formulas:9.1f} {1000 * total.slowest:11.1f}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Sizes of Clew's automata and of Spot's.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--random", type=int, default=500, help="how many random formulas")
    parser.add_argument("--size", type=int, default=15, help="nodes of a random formula")
    parser.add_argument("--negated", action="store_true", help="the negations of all formulas")
    parser.add_argument("--verify", action="store_true", help="also ask Spot whether the automata are equivalent")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="show the N formulas with the largest excess")
    options = parser.parse_args()
    families = {
        "literature": literature(),
        "random": list(spot.randltl(4, options.random, seed=options.seed, tree_size=options.size)),
    }
    print(f"Spot {spot.version()}, seed {options.seed}{', negated' if options.negated else ''}")
    print("formulas        number  states    Spot  ratio   edges    Spot   sets   Spot   ms each  ms slowest")
    everything = Total()
    for name, formulas in families.items():
        total = compare([spot.formula.Not(f) for f in formulas] if options.negated else formulas, options.verify)
        show(name, total)
        everything.add(total)
    show("all", everything)
    for states, peer, formula in sorted(everything.differences, key=lambda d: d[1] - d[0])[: options.worst]:
        print(f"  {states} for {peer}: {formula}")
    for formula in everything.wrong:
        print(f"WRONG: {formula}")
    return int(everything.ratio > BAR or bool(everything.wrong))


if __name__ == "__main__":
    raise SystemExit(main())
