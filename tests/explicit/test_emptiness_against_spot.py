"""The same graphs to Spot's emptiness checks, if it is installed (`pip install spottl`)."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from bench.random_graphs import small_graph
from clew.explicit.emptiness import Emptiness, check_all
from clew.logic.marked_graphs import MarkedGraph
from tests.explicit.native import needs_compiler
from tests.explicit.test_emptiness import QUICK

spot: Any = pytest.importorskip("spot")
pytestmark = needs_compiler

# What makes Spot do the same. Its shy variants choose otherwise among new successors; its Tau03_opt has further tests.
SAME_FIGURES = {
    "cou99": "Cou99(poprem)",
    "cou99-unlisted": "Cou99(!poprem)",
    "gv04": "GV04",
    "cvwy90": "CVWY90",
    "se05": "SE05",
    "tau03": "Tau03",
}
SAME_VERDICT = {"shy-": "Cou99(shy !group)", "shy": "Cou99(shy group)", "tau03-opt": "Tau03_opt"}
FIGURES = (
    r"(\d+) (?:unique states|distinct nodes) visited[^$]*?(\d+) transitions explored\s+(\d+) (?:items max|nodes for)"
)


def letter(position: int, bits: int) -> str:
    return "&".join(f"{'' if position >> i & 1 else '!'}{i}" for i in range(bits)) or "t"


def automaton(graph: MarkedGraph, bits: int) -> Any:
    """Each arc has a letter of its own among those of its state, so that a word determines a run."""
    names = " ".join(f'"p{i}"' for i in range(bits))
    condition = "&".join(f"Inf({i})" for i in range(graph.conditions)) or "t"
    lines = ["HOA: v1", f"States: {len(graph.arcs)}", f"Start: {graph.initial}", f"AP: {bits} {names}"]
    lines += [f"Acceptance: {graph.conditions} {condition}", "properties: trans-acc", "--BODY--"]
    for state, arcs in enumerate(graph.arcs):
        lines.append(f"State: {state}")
        for position, (target, marks) in enumerate(arcs):
            sets = " ".join(str(i) for i in range(graph.conditions) if marks >> i & 1)
            lines.append(f"[{letter(position, bits)}] {target} {{{sets}}}")
    return spot.automaton("\n".join([*lines, "--END--", ""]))


def word(result: Emptiness, bits: int) -> Any:
    assert result.lasso is not None

    def text(steps: tuple[int, ...]) -> str:
        return "; ".join(re.sub(r"(\d+)", r"p\1", letter(step, bits)).replace("t", "1") for step in steps)

    prefix = f"{text(result.lasso.prefix)}; " if result.lasso.prefix else ""
    return spot.parse_word(f"{prefix}cycle{{{text(result.lasso.cycle)}}}")


@pytest.mark.parametrize("seed", range(3))
def test_verdicts_runs_and_figures(seed: int) -> None:
    dice = random.Random(seed)
    graphs = [small_graph(dice, 25, 3) for _ in range(60)]
    compared = 0
    for graph, results in zip(graphs, check_all(graphs, SAME_FIGURES | SAME_VERDICT, flags=QUICK), strict=True):
        bits = max(1, max(map(len, graph.arcs)).bit_length())
        theirs = automaton(graph, bits)
        for result in results:
            assert (result.verdict == "empty") is theirs.is_empty()
            if result.lasso is not None:
                assert theirs.intersects(word(result, bits).as_automaton())
            name = (SAME_FIGURES | SAME_VERDICT)[result.algorithm]
            maker = spot.make_emptiness_check_instantiator(name)[0]
            if not maker.min_sets() <= graph.conditions <= maker.max_sets():
                continue
            checker = maker.instantiate(theirs)
            assert (checker.check() is None) == (result.verdict == "empty")
            if result.algorithm in SAME_FIGURES:
                stream = spot.ostringstream()
                checker.print_stats(stream)
                found = re.search(FIGURES, stream.str())
                assert found is not None, stream.str()
                ours = result.visited, result.transitions, result.stack
                assert ours == tuple(map(int, found.groups())), result.algorithm
                compared += 1
    assert compared > 100
