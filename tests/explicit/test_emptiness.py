"""All emptiness checks against a plain search for components, and against published figures.

Figures of the client/server systems: Couvreur, Duret-Lutz and Poitrenaud, SPIN 2005, table 3; the sizes of the complete
product with three servers were measured with Spin.
"""

from __future__ import annotations

import random

import pytest

from bench import client_server
from bench.random_graphs import product, random_formulas, random_system, small_graph
from clew.explicit.emptiness import ALGORITHMS, Emptiness, check, check_all
from clew.logic.edge_list import read_edges
from clew.logic.marked_graphs import Arc, Lasso, MarkedGraph, fault, graph_of, has_accepting_run
from clew.logic.translate import translate
from tests.explicit.native import needs_compiler

pytestmark = needs_compiler

QUICK = ("-std=gnu11", "-O1", "-fwrapv", "-fno-strict-aliasing", "-pthread")  # one program for all
BY_COMPONENTS = ("cou99", "cou99-unlisted", "shy-", "shy")
DEGENERALIZED = ("gv04", "cvwy90", "se05")


def graph(conditions: int, *arcs: list[tuple[int, int]]) -> MarkedGraph:
    return MarkedGraph(conditions, [[Arc(*arc) for arc in leaving] for leaving in arcs])


def checks(*graphs: MarkedGraph, options: tuple[str, ...] = ()) -> list[dict[str, Emptiness]]:
    return [{r.algorithm: r for r in results} for results in check_all(graphs, ALGORITHMS, *options, flags=QUICK)]


def verdicts(one: MarkedGraph) -> set[str]:
    (found,) = checks(one)
    assert len(found) == len(ALGORITHMS)
    assert all((r.lasso is None) == (r.verdict == "empty") for r in found.values())
    return {r.verdict for r in found.values()}


@pytest.mark.parametrize("seed", range(4))
def test_random_graphs(seed: int) -> None:
    """Runs are replayed by `check_all`."""
    dice = random.Random(seed)
    graphs = [small_graph(dice) for _ in range(100)]
    seen = set()
    for one, results in zip(graphs, checks(*graphs), strict=True):
        expected = "nonempty" if has_accepting_run(one) else "empty"
        seen.add((one.conditions, expected))
        for result in results.values():
            assert result.verdict == expected, (result, one)
            assert (result.lasso is not None) == (expected == "nonempty")
    assert seen == {(n, v) for n in range(7) for v in ("empty", "nonempty")}


def test_random_products() -> None:
    dice = random.Random(7)
    systems = [random_system(dice, 60, 0.03, conditions) for conditions in (0, 3)]
    automata = [translate(formula) for formula in random_formulas(dice, 20)]
    graphs = [product(system, automaton) for system in systems for automaton in automata]
    for one, results in zip(graphs, checks(*graphs), strict=True):
        assert {r.verdict for r in results.values()} == {"nonempty" if has_accepting_run(one) else "empty"}


@pytest.mark.parametrize("workers", ["2", "4"])
@pytest.mark.parametrize("algorithm", ["ufscc", "sweep"])
def test_several_workers(algorithm: str, workers: str) -> None:
    dice = random.Random(3)
    graphs = [small_graph(dice, 400, 3) for _ in range(60)]
    for one, (result,) in zip(graphs, check_all(graphs, [algorithm], "--workers", workers, flags=QUICK), strict=True):
        assert result.verdict == ("nonempty" if has_accepting_run(one) else "empty")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_larger_graphs(workers: str) -> None:
    """Large enough for `auto` to lose its patience, for levels to be shared by workers, and for looking more than once;
    some states have more arcs than fit a batch."""
    dice = random.Random(5)
    graphs = [layered_graph(dice, 30_000) for _ in range(8)]
    found = check_all(graphs, ["cou99", "sweep", "auto"], "--workers", workers, flags=QUICK)
    for one, results in zip(graphs, found, strict=True):
        assert {result.verdict for result in results} == {"nonempty" if has_accepting_run(one) else "empty"}
    assert {results[0].verdict for results in found} == {"empty", "nonempty"}


def layered_graph(dice: random.Random, states: int) -> MarkedGraph:
    """Arcs lead a little forwards and back; the rarer of two marks is far from the beginning, or missing."""
    chance, ahead = dice.choice((0.0, 0.01)), dice.choice((10, 2000))
    arcs: list[list[Arc]] = []
    for n in range(states):
        many = 200 if n % 1000 == 0 else dice.choice((1, 2, 3))
        targets = [min(states - 1, n + dice.randint(1, ahead)) for _ in range(many)]
        targets += [max(0, n - dice.randint(0, 40))] if dice.random() < 0.3 else []
        rare = chance if n > states * 3 // 4 else 0.0
        arcs.append([Arc(to, (dice.random() < 0.5) | (dice.random() < rare) << 1) for to in targets])
    return MarkedGraph(2, arcs)


# --- corner cases


def test_without_conditions_any_cycle_accepts() -> None:
    assert verdicts(graph(0, [(1, 0)], [(2, 0)], [(1, 0)])) == {"nonempty"}
    assert verdicts(graph(0, [(1, 0), (2, 0)], [(2, 0)], [])) == {"empty"}
    assert verdicts(graph(0, [])) == {"empty"}


def test_self_loop_with_all_conditions() -> None:
    assert verdicts(graph(2, [(0, 3)])) == {"nonempty"}
    assert verdicts(graph(2, [(0, 1)])) == {"empty"}


def test_a_state_without_loop_never_accepts() -> None:
    assert verdicts(graph(1, [(1, 1)], [(2, 1)], [])) == {"empty"}


def test_marks_on_the_way_into_a_component_do_not_count() -> None:
    assert verdicts(graph(2, [(1, 3)], [(2, 1)], [(1, 0)])) == {"empty"}


def test_parallel_arcs_with_different_marks() -> None:
    """The cycle has to take both arcs, so it passes through the state twice."""
    found = checks(graph(2, [(1, 1), (1, 2)], [(0, 0)]))[0]
    for result in found.values():
        assert result.lasso is not None
        assert set(result.lasso.cycle[::2]) == {0, 1}


def test_a_cycle_may_repeat_an_arc() -> None:
    """Two loops that share an arc: one meets the first condition, the other the second."""
    assert verdicts(graph(2, [(1, 0)], [(0, 1), (2, 0)], [(0, 2)])) == {"nonempty"}


def test_no_prefix_if_the_initial_state_is_on_the_cycle() -> None:
    for result in checks(graph(1, [(1, 0)], [(0, 1)]))[0].values():
        assert result.lasso == Lasso((), (0, 0))


def test_the_conditions_of_the_example_of_the_edge_list() -> None:
    text = 'acc = f g ;\ns0, s1, "a", f ;\ns1, s2, "1", ;\ns2, s0, "!a", g ;'
    for result in checks(graph_of(read_edges(text)))[0].values():
        assert result.lasso == Lasso((), (0, 0, 0))


def test_many_successors() -> None:
    """More than are stored at a time."""
    wide = graph(1, [(n, 0) for n in range(1, 1000)], *([(0, int(n == 998))] for n in range(999)))
    assert verdicts(wide) == {"nonempty"}


def test_64_conditions() -> None:
    assert verdicts(graph(64, *([((n + 1) % 64, 1 << n)] for n in range(64)))) == {"nonempty"}
    assert verdicts(graph(64, *([((n + 1) % 64, 1 << n)] for n in range(63)), [(0, 0)])) == {"empty"}


def test_more_than_64_conditions_are_refused() -> None:
    with pytest.raises(ValueError, match="65 acceptance conditions"):
        check(graph(65, [(0, 0)]))


@pytest.mark.parametrize("algorithm", [*BY_COMPONENTS, "ufscc", "sweep"])
def test_a_minimal_cycle(algorithm: str) -> None:
    """The cycle through the first state has four arcs, the one between the last two states has two."""
    one = graph(1, [(1, 0)], [(2, 0)], [(3, 0)], [(0, 1), (2, 1)])
    ((first,),) = check_all([one], [algorithm], flags=QUICK)
    ((result,),) = check_all([one], [algorithm], "--minimal", flags=QUICK)
    assert (first.minimal, result.minimal, result.lasso) == (False, True, Lasso((0, 0), (0, 1)))


def test_minimal_cycles_are_not_longer() -> None:
    dice = random.Random(5)
    graphs = [small_graph(dice, 20, 4) for _ in range(60)]
    shorter = 0
    for found, least in zip(checks(*graphs), checks(*graphs, options=("--minimal",)), strict=True):
        for name in (*BY_COMPONENTS, "ufscc", "sweep"):
            before, after = found[name].lasso, least[name].lasso
            if before is not None and after is not None:
                assert least[name].minimal
                assert len(after.cycle) <= len(before.cycle)
                shorter += len(after.cycle) < len(before.cycle)
    assert shorter > 0


# --- the judge


def test_what_is_no_accepting_run() -> None:
    one = graph(2, [(1, 1)], [(0, 2), (1, 0)])
    assert fault(one, Lasso((), (0, 0))) is None
    assert fault(one, Lasso((0,), (1,))) == "conditions [0, 1] are not met on the cycle"
    assert fault(one, Lasso((), (0,))) == "the cycle leads from state 0 to state 1"
    assert fault(one, Lasso((), ())) == "the cycle leads from state 0 to state 0"
    assert fault(one, Lasso((1,), (0,))) == "state 0 has no arc 1"


# --- figures


@pytest.mark.parametrize("fair", [False, True])
def test_client_server_with_one_server(fair: bool) -> None:
    one = client_server.product(client_server.system(3, 1), fair)
    assert (len(one.arcs), one.transitions, one.conditions) == (783, 2371, 5 if fair else 1)
    found = checks(one)[0]
    assert {r.verdict for r in found.values()} == {"empty"}
    assert figures(found["cou99"]) == (783, 2371, 511)
    if not fair:
        assert figures(found["gv04"]) == (783, 2371, 511)


@pytest.mark.parametrize(("fair", "expected"), [(False, (628, 838, 159)), (True, (22147, 93537, 12799))])
def test_client_server_with_three_servers(fair: bool, expected: tuple[int, int, int]) -> None:
    one = client_server.product(client_server.system(3, 3), fair)
    assert (len(one.arcs), one.transitions) == (22147, 93537)
    result = check_all([one], ["cou99"], flags=QUICK)[0][0]
    assert (result.verdict, figures(result)) == ("empty" if fair else "nonempty", expected)


def test_client_server_as_published() -> None:
    """All figures of case c; of case d those that do not depend on the order of successors."""
    states = client_server.system(3, 3, client_server.PUBLISHED_DEPTH)
    plain, fair = client_server.product(states), client_server.product(states, fair=True)
    assert (len(plain.arcs), plain.transitions) == (21394, 85387) == (len(fair.arcs), fair.transitions)
    found, found_fair = checks(plain, fair)
    assert {name: figures(found[name]) for name in ("cou99", "gv04", "se05", "cvwy90", "tau03", "tau03-opt")} == {
        "cou99": (631, 839, 159),
        "gv04": (631, 839, 159),
        "se05": (631, 1499, 159),
        "cvwy90": (631, 1513, 159),
        "tau03": (899, 3373, 191),
        "tau03-opt": (631, 1499, 159),
    }
    assert figures(found_fair["cou99"]) == (21394, 85387, 11465)
    assert (found_fair["tau03-opt"].visited, found_fair["tau03-opt"].stack) == (21394, 5060)


def figures(result: Emptiness) -> tuple[int, int, int]:
    return result.visited, result.transitions, result.stack


def test_work_on_empty_graphs() -> None:
    """Every reachable arc is taken once with the list of states to be removed, twice without; no check visits less than
    everything, and with one condition there are at most as many copies as conditions.
    """
    dice = random.Random(11)
    graphs = [g for g in (small_graph(dice, 30, 4) for _ in range(150)) if not has_accepting_run(g)]
    assert len(graphs) > 20
    for one, found in zip(graphs, checks(*graphs), strict=True):
        states, transitions = reachable(one)
        for name in BY_COMPONENTS:
            assert found[name].transitions == transitions * (2 if name == "cou99-unlisted" else 1)
        for name, result in found.items():
            copies = max(1, one.conditions) if name in DEGENERALIZED else 1
            assert states <= result.visited <= states * copies
            assert result.stack <= 2 * result.visited + transitions


def reachable(one: MarkedGraph) -> tuple[int, int]:
    seen, pending = {one.initial}, [one.initial]
    for state in pending:
        fresh = {arc.target for arc in one.arcs[state]} - seen
        seen |= fresh
        pending += fresh
    return len(seen), sum(len(one.arcs[state]) for state in seen)


def test_a_path_of_a_million_states() -> None:
    length = 1_000_000
    one = MarkedGraph(1, [[Arc(n + 1, 0)] for n in range(length - 1)] + [[]])
    for result in checks(one)[0].values():
        assert (result.verdict, result.visited) == ("empty", length)


def test_nothing_is_generated_before_it_is_needed() -> None:
    """A loop at the beginning of a long path, which is an accepting run."""
    one = MarkedGraph(1, [[Arc(0, 1), Arc(1, 0)], *([Arc(n + 2, 0)] for n in range(9998)), []])
    for result in checks(one)[0].values():
        assert result.verdict == "nonempty"
        assert result.generated <= (len(one.arcs) if result.algorithm == "tau03" else 2)  # which passes marks on last


# --- limits


def test_a_limit_leaves_it_undecided() -> None:
    one = MarkedGraph(1, [[Arc(n + 1, 0)] for n in range(9999)] + [[Arc(0, 1)]])
    for result in checks(one, options=("--max-states", "5000"))[0].values():
        assert (result.verdict, result.limits_hit, result.lasso) == ("undecided", ("states",), None)
        assert result.generated <= 5000
