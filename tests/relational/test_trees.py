"""What a run shows beside the main line: trees, cycles, and a judge that looks at nothing but the runs."""

from __future__ import annotations

from random import Random

import pytest

from bench.relational.random_models import RandomModel
from bench.relational.random_run import limited
from clew.core.properties import Property
from clew.core.relational.explicit import Checker, Place, whole
from clew.core.relational.interpreter import TooMuch
from clew.core.relational.partly import PartOfGraph
from clew.core.relational.program import RelationalProgram
from clew.core.relational.text import text_of
from clew.core.relational.witnesses import Branch, Claim, Run, confirmed_trace, rejudged_trace
from clew.core.replay import ReplayError
from clew.core.results import Decision
from tests.relational.models import check, decided, example, read

STEPS = """int(2) n; toplevel void f() {
    ((n == 0 && (n' == 0 || n' == 1)) || (n == 1 && n' == 2) || (n == 2 && n' == 0) || (n == 3 && n' == 3)); }
"""


def only(text: str) -> Decision:
    (decision,) = check(text).decisions
    assert decision.verdict == "violated" and decision.trace is not None
    return decision


def test_what_one_run_cannot_show_is_a_branch() -> None:
    decision = only("bool p, q; toplevel void f(bool b) { p := b; } assert !bad && !p && !q => AX p || AG !q && AX !p;")
    assert decision.trace is not None
    (branch,) = decision.trace.branches
    assert (len(decision.trace), branch.at, len(branch.trace)) == (1, 0, 1)
    assert branch.reason == "not (AG !q && AX !p)"
    assert {decision.trace.final.values["p"], branch.trace.final.values["p"]} == {"true", "false"}
    assert "1 further run" in decision.evidence.text


def test_a_cycle_whose_states_need_a_run_each() -> None:
    decision = only(STEPS + "assert !bad && n == 0 => AX AF AG n == 0;")
    assert decision.trace is not None and decision.trace.loop is not None
    assert [branch.reason for branch in decision.trace.branches] == ["not AG n == 0"]
    assert decision.trace.branches[0].trace.final.values["n"] == "1"


def test_a_cycle_does_not_go_back_to_before_it_holds() -> None:
    """From 2 a step leads to the first state, but on the way from there to 2 the claim comes true."""
    decision = only(STEPS + "assert !bad && n == 0 => AX (n == 1 => AX AF n == 1);")
    assert decision.trace is not None
    loop = decision.trace.loop
    values = ["0", *(step.changes.get("n", (None, None))[1] for step in decision.trace.steps)]
    assert loop is not None and "1" not in values[loop + 1 :]


def test_values_of_rigid_variables_are_named() -> None:
    decision = only(STEPS + "assert all k:int(2) | !bad => AF n == k;")
    assert "k = 0" in decision.reason
    decision = only(STEPS + "assert all k:int(2) | !bad && n == k => (AF n == 3 || AX AF n == k);")
    assert decision.trace is not None
    assert [branch.reason for branch in decision.trace.branches] == ["not AX AF n == 1"]


def claim_of(program: RelationalProgram) -> tuple[Property, Claim]:
    (assertion,) = program.assertions
    return Property(assertion.name, "ctl", assertion.text, assertion.span), Claim(assertion.formula)


@pytest.mark.parametrize(
    "run",
    [
        Run(((0, 0), (0, 0))),  # no cycle
        Run(((0, 0), (1, 0), (2, 0), (0, 0)), 0),  # through 1
        Run(((0, 0), (0, 0)), 0),  # without the branch
        Run(((0, 0), (0, 0)), 0, (Branch(0, "not AX n == 0", Run(((0, 0), (0, 0)))),)),  # a branch that shows nothing
    ],
)
def test_a_run_that_does_not_show_the_claim_is_refused(run: Run) -> None:
    program = read(STEPS + "assert AF n == 1 || AX n == 0;")
    with pytest.raises(ReplayError, match="does not show"):
        confirmed_trace(program, run, "", claim_of(program)[1])


def test_a_run_that_shows_the_claim_is_confirmed_and_judged_again() -> None:
    program = read(STEPS + "assert AF n == 1 || AX n == 0;")
    run = Run(((0, 0), (0, 0)), 0, (Branch(0, "not AX n == 0", Run(((0, 0), (1, 0)))),))
    asked, claim = claim_of(program)
    trace = confirmed_trace(program, run, "", claim)
    rejudged_trace(program, asked, trace)


def test_a_run_in_a_large_state_space_is_judged_by_its_steps() -> None:
    """55,121 states: too many to decide the claim again, but the run to a state where it is true shows nothing."""
    program = example("mutex", N=4)
    empty: Place = (frozenset(), frozenset(), 0)
    waiting: Place = (frozenset(), frozenset({(0, 0)}), 0)
    with pytest.raises(ReplayError, match="does not show"):
        confirmed_trace(program, Run((empty, waiting)), "", Claim(program.assertions[0].formula))


@pytest.mark.parametrize("seed", range(40))
def test_a_part_of_a_graph_never_says_the_opposite(seed: int) -> None:
    random, model = Random(seed), RandomModel(seed, most_bits=4)
    program = read(model.text())
    try:
        with limited(2):
            graph = whole(program)
            checker = Checker(graph)
            steps = {s: {t for t in after if random.random() < 0.7} for s, after in graph.successors.items()}
            ends = {s for s, after in graph.successors.items() if not after and random.random() < 0.7}
            part = PartOfGraph(program, steps, ends)
            for assertion in program.assertions:
                for state in graph.successors:
                    said = part.says(assertion.formula, state, {})
                    assert said is None or said == checker.holds(assertion.formula, state, {})
    except TooMuch as reason:
        pytest.skip(f"too large to enumerate: {reason}")


def test_what_is_known_of_a_whole_graph() -> None:
    """Of the operators that a run can show, everything is known."""
    program = read(STEPS + "assert EX n == 1 && E[n != 2 U n == 2] && EG n != 1 && EF n == 2;")
    graph = whole(program)
    part = PartOfGraph(program, {s: set(after) for s, after in graph.successors.items()}, set())
    assert part.says(program.assertions[0].formula, (0, 0), {}) is True


def test_formulas_are_written_as_the_language_has_them() -> None:
    """What is printed is read again as the same formula."""
    text = "enum A {3}; A->A r; set A s; A x; int(2) n;\nbool f(A y) { y in s }\nassert "
    for formula in (
        "all a, b:A | a in b.^r => EF (a !in s)",
        "A [no s U some (s & x.*(~r))] || !(E [lone s U f(x)])",
        "n + 1 <$ n * n && r == s->(A - s) && {c:s | AG c in s} == emptyset",
        "one y:s | AX y == x",
    ):
        (assertion,) = read(text + formula + ";").assertions
        (again,) = read(text + text_of(assertion.formula, {}) + ";").assertions
        assert text_of(again.formula, {}) == text_of(assertion.formula, {})


def test_every_example_with_a_violation_is_shown_and_judged_again() -> None:
    for name in ("divergence", "ring_token", "mutex_unordered"):
        program = example(name)
        violated = [decision for decision in decided(program).decisions if decision.verdict == "violated"]
        assert violated
        for decision in violated:
            assert decision.trace is not None
            rejudged_trace(program, decision.property, decision.trace)
