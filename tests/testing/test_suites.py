"""Test suites: everything is covered, tours are as short as can be, suites survive being written and read."""

from __future__ import annotations

import contextlib
import json
import random
from collections import deque
from pathlib import Path

import pytest

from clew.cli.main import main
from clew.core.diagnostics import InputError
from clew.testing.actions import Action, model_to_test
from clew.testing.behaviour import Arc, Behaviour, restricted
from clew.testing.suites import make_suite, read_suite
from clew.testing.tours import transition_tour

EXAMPLES = Path(__file__).parents[2] / "examples/python"


def behaviour(seed: int, states: int, arcs: int) -> Behaviour | None:
    """A random graph in which every state is reachable; None if it has none that a test can end in."""
    chance = random.Random(seed)
    found = {(chance.randrange(n), n) for n in range(1, states)}
    while len(found) < arcs:
        found.add((chance.randrange(states), chance.randrange(states)))
    named = tuple(Arc(s, Action("a", (n,)), t) for n, (s, t) in enumerate(sorted(found)))
    accepting = frozenset(chance.sample(range(states), max(1, states // 2)))
    try:
        graph = restricted(Behaviour(states, named, accepting))
    except InputError:
        return None
    return graph if all(_reached(graph, arc.source) for arc in graph.arcs) else None


def _reached(graph: Behaviour, state: int) -> bool:
    known, todo = {0}, [0]
    while todo:
        here = todo.pop()
        for arc in graph.arcs:
            if arc.source == here and arc.target not in known:
                known.add(arc.target)
                todo.append(arc.target)
    return state in known


def fewest(graph: Behaviour) -> tuple[int, int]:
    """Fewest test cases, then fewest actions: breadth-first over states and sets of arcs taken."""
    everything = (1 << len(graph.arcs)) - 1
    best: dict[tuple[int, int], tuple[int, int]] = {(0, 0): (1, 0)}
    waiting = deque([(0, 0)])
    answer = (len(graph.arcs) + 1, 0)
    while waiting:
        here = waiting.popleft()
        state, taken = here
        cases, actions = best[here]
        if taken == everything and state in graph.accepting:
            answer = min(answer, (cases, actions))
        nexts = [
            ((a.target, taken | 1 << n), (cases, actions + 1)) for n, a in enumerate(graph.arcs) if a.source == state
        ]
        if state in graph.accepting and state != 0:
            nexts.append(((0, taken), (cases + 1, actions)))
        for there, cost in nexts:
            if cost < best.get(there, (cost[0] + 1, 0)):
                best[there] = cost
                waiting.append(there)
    return answer


def is_suite(graph: Behaviour, cases: list[list[int]]) -> bool:
    """Each case is a walk from the first state to an accepting one; every arc is in one."""
    for case in cases:
        state = 0
        for number in case:
            assert graph.arcs[number].source == state
            state = graph.arcs[number].target
        assert state in graph.accepting
    return {number for case in cases for number in case} == set(range(len(graph.arcs)))


@pytest.mark.parametrize("seed", range(40))
def test_tours_have_the_fewest_cases_and_actions(seed: int) -> None:
    """Against a search through all ways to cover everything."""
    graph = behaviour(seed, states=3 + seed % 3, arcs=5 + seed % 3)
    if graph is None or not graph.arcs:
        return
    cases = transition_tour(graph)
    assert is_suite(graph, cases)
    assert (len(cases), sum(map(len, cases))) == fewest(graph)


def test_the_random_graphs_are_worth_it() -> None:
    graphs = [behaviour(seed, 3 + seed % 3, 5 + seed % 3) for seed in range(40)]
    found = [graph for graph in graphs if graph is not None and graph.arcs]
    assert len(found) >= 25 and any(len(transition_tour(graph)) > 1 for graph in found)


def test_a_tour_of_200_states_has_the_length_of_a_linear_program() -> None:
    """Circulations of least cost are integral: a linear program, solved by another solver, gives the same optimum."""
    z3 = pytest.importorskip("z3", reason="z3 is not installed")
    graph = next(g for g in (behaviour(seed, 200, 420) for seed in range(50)) if g is not None and len(g.arcs) > 300)
    cases = transition_tour(graph)
    assert is_suite(graph, cases)
    dear = 10_000
    arcs = [(arc.source, arc.target, 1, 1) for arc in graph.arcs]
    arcs += [(state, 200, 0, 0) for state in sorted(graph.accepting)] + [(200, 0, dear, 1)]
    times = [z3.Real(f"t{number}") for number in range(len(arcs))]
    solver = z3.Optimize()
    solver.add(*(time >= least for time, (*_, least) in zip(times, arcs, strict=True)))
    for node in range(201):
        enters = [time for time, (_, target, _, _) in zip(times, arcs, strict=True) if target == node]
        leaves = [time for time, (source, _, _, _) in zip(times, arcs, strict=True) if source == node]
        solver.add(z3.Sum(enters) == z3.Sum(leaves))
    cost = solver.minimize(z3.Sum([time * arc[2] for time, arc in zip(times, arcs, strict=True)]))
    assert solver.check() == z3.sat
    assert solver.lower(cost).as_long() == dear * len(cases) + sum(map(len, cases))


@pytest.mark.parametrize(("coverage", "goals"), [("transitions", 42), ("states", 29), ("actions", 5), ("switch:1", 80)])
def test_everything_is_covered(coverage: str, goals: int) -> None:
    """The queue has 29 states, 42 transitions and 5 actions (Put and Taken with 0 and 1, Take)."""
    model = model_to_test(str(EXAMPLES / "bounded_queue.py"))
    suite = make_suite(model, coverage)
    assert suite.goals == goals
    covered = set()
    for case in suite.cases:
        state, last = model.start(), None
        covered |= {state} if coverage == "states" else set()
        for text in case:
            offer = next(offer for offer in model.offers(state) if str(offer.action) == text)
            arc, state = (state, text), model.after(state, offer)
            seen = {"transitions": arc, "states": state, "actions": text, "switch:1": (last, arc)}[coverage]
            covered |= set() if coverage == "switch:1" and last is None else {seen}
            last = arc
        assert model.accepts(state)
    assert len(covered) == goals


def test_suites_are_read_as_they_were_written() -> None:
    suite = make_suite(model_to_test(str(EXAMPLES / "chat.py")), "actions")
    assert read_suite(suite.term, "a.suite").cases == suite.cases


@pytest.mark.parametrize(
    "text", ["", "TestSuite", "TestSuite(", "TestSuite(1)", "TestSuite(TestCase(1))", "Suite()", "))"]
)
def test_texts_that_are_no_suites_are_refused(text: str) -> None:
    if text == "TestSuite":
        assert read_suite(text, "a.suite").cases == ()
        return
    with pytest.raises(InputError):
        read_suite(text, "a.suite")


def test_random_damage_to_a_suite_is_refused_or_harmless() -> None:
    text = make_suite(model_to_test(str(EXAMPLES / "triangle.py")), "actions").term
    chance = random.Random(1)
    for _ in range(300):
        at = chance.randrange(len(text))
        damaged = text[:at] + chance.choice('(),"_x1 \n<') + text[at + chance.randrange(3) :]
        with contextlib.suppress(InputError):
            read_suite(damaged, "a.suite")


def test_a_suite_says_what_is_expected_of_the_implementation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", "--json", "--suite", "actions", str(EXAMPLES / "bounded_queue.py")]) == 0
    suite = json.loads(capsys.readouterr().out)
    assert (suite["schema"], suite["goals"]) == ("clew.tests/1", 5)
    assert {(s["action"].partition("(")[0], s["observed"]) for case in suite["cases"] for s in case} == {
        ("Put", False), ("Take", False), ("Taken", True),
    }  # fmt: skip
