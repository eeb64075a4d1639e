"""CTL with decision diagrams against the labelling of an explicit graph, on random relations that need not be total."""

from __future__ import annotations

import random
from functools import reduce

import pytest

from clew.core.engines import Answer, Request
from clew.core.expressions import Binary, Const, Expr, Next, Ref, Unary, Variable
from clew.core.network import Formula
from clew.core.procedures import Relate
from clew.core.properties import Property
from clew.core.temporal import Compound, Proposition, Rigid, TemporalFormula
from clew.core.transition_system import Action, Interleave, TransitionSystem
from clew.core.types import Enum, Int
from clew.logic.ctl_traces import length_text
from clew.reference.engine import ENGINE as REFERENCE
from clew.symbolic.engine import ENGINE

X = Variable("x", Int("three", 3), 0)


def is_at(value: int) -> Expr:
    return Binary("==", Ref(X), Const(value))


def any_of(parts: list[Expr]) -> Expr:
    return reduce(lambda a, b: Binary("||", a, b), parts, Const(0))


def relation(edges: list[tuple[int, int]]) -> Action:
    pairs = [Binary("&&", is_at(a), Binary("==", Next(Ref(X)), Const(b))) for a, b in edges]
    return Action("step", (Relate(any_of(list(pairs)), (Ref(X),)),))


def system(
    edges: list[tuple[int, int]],
    initial: Expr,
    formulas: tuple[TemporalFormula, ...],
    fairness: tuple[Expr, ...] = (),
) -> TransitionSystem:
    named = tuple(Formula(f"f{n}", "ctl", f"f{n}", body) for n, body in enumerate(formulas))
    return TransitionSystem("t", (X,), 1, relation(edges), initial, fairness=fairness, formulas=named)


def asked(view: TransitionSystem) -> tuple[Property, ...]:
    return tuple(Property(formula.name, "ctl", formula.text) for formula in view.formulas)


def both(view: TransitionSystem, ends: str) -> tuple[Answer, Answer]:
    request = Request(view, asked(view), options={"ends": ends})
    return REFERENCE.run(request), ENGINE.run(request)


def formula(dice: random.Random, size: int) -> TemporalFormula:
    if size == 0:
        values = dice.sample(range(8), 4)
        return Proposition(f"x in {values}", any_of([is_at(value) for value in values]))
    rest = [formula(dice, size - 1), formula(dice, dice.randrange(size))]
    if dice.random() < 0.25:
        return Compound(dice.choice(("&&", "||", "->", "<->")), tuple(rest))
    if dice.random() < 0.15:
        return Compound("!", (rest[0],))
    if dice.random() < 0.65:
        path = Compound(dice.choice(("X", "F", "G")), (rest[0],))
    else:
        path = Compound(dice.choice(("U", "W", "R", "M")), tuple(rest))
    return Compound(dice.choice(("A", "E")), (path,))


@pytest.mark.parametrize("ends", ["stutter", "maximal", "infinite"])
@pytest.mark.parametrize("fair", [0, 1, 2])
def test_random_relations(ends: str, fair: int) -> None:
    """Every verdict is the same, and whatever is shown was replayed on the way."""
    dice = random.Random(fair)
    for _ in range(12):
        edges = [(dice.randrange(8), dice.randrange(8)) for _ in range(dice.randint(4, 14))]
        formulas = tuple(formula(dice, dice.randint(1, 3)) for _ in range(4))
        fairness = tuple(any_of([is_at(v) for v in dice.sample(range(8), 4)]) for _ in range(fair))
        initial = any_of([is_at(value) for value in dice.sample(range(8), 2)])
        view = system(edges, initial, formulas, fairness)
        reference, symbolic = both(view, ends)
        assert [d.verdict for d in symbolic.decisions] == [d.verdict for d in reference.decisions]
        assert symbolic.statistics.states == reference.statistics.states


def holds(view: TransitionSystem, ends: str = "maximal") -> list[bool]:
    return [d.verdict == "holds" for d in ENGINE.run(Request(view, asked(view), options={"ends": ends})).decisions]


def test_a_single_state_without_a_step() -> None:
    """Sheet 31, 6.8: AF is false and EG is true where a run ends; AX holds of everything there and EX of nothing."""
    never, here = Proposition("false", Const(0)), Proposition("x == 0", is_at(0))
    formulas = (
        Compound("A", (Compound("F", (never,)),)),
        Compound("E", (Compound("G", (here,)),)),
        Compound("A", (Compound("X", (never,)),)),
        Compound("E", (Compound("X", (here,)),)),
    )
    view = system([], is_at(0), formulas)
    assert holds(view, "maximal") == [False, True, True, False]
    assert holds(view, "stutter") == [False, True, False, True]  # the state comes again
    assert holds(view, "infinite") == [True, False, True, False]  # there is no run at all


def test_fairness_rules_out_a_cycle() -> None:
    """0 may repeat for ever; if 1 has to come again and again, it cannot."""
    reaches = Compound("A", (Compound("F", (Proposition("x == 1", is_at(1)),)),))
    edges = [(0, 0), (0, 1), (1, 0)]
    assert holds(system(edges, is_at(0), (reaches,))) == [False]
    assert holds(system(edges, is_at(0), (reaches,), (is_at(1),))) == [True]


def test_a_fair_counterexample_is_a_cycle_through_every_constraint() -> None:
    avoids = Compound("A", (Compound("F", (Proposition("x == 7", is_at(7)),)),))
    view = system([(0, 1), (1, 2), (2, 0), (0, 0)], is_at(0), (avoids,), (is_at(1), is_at(2)))
    (decision,) = ENGINE.run(Request(view, asked(view))).decisions
    assert decision.trace is not None and decision.trace.loop is not None
    visited = [step.changes.get("x", ("", ""))[1] for step in decision.trace.steps[decision.trace.loop :]]
    assert {"1", "2"} <= set(visited)


def test_a_run_that_ends_is_shown_where_no_fair_cycle_is() -> None:
    """0 may repeat, but then 2 never comes; the run that leaves it and ends is asked for nothing."""
    stays = Compound("E", (Compound("G", (Proposition("x != 2", Unary("!", is_at(2))),)),))
    view = system([(0, 0), (0, 1)], is_at(0), (stays,), (is_at(2),))
    for decision in (answer.decisions[0] for answer in both(view, "maximal")):
        assert decision.verdict == "holds" and decision.trace is not None
        assert (len(decision.trace), decision.trace.loop) == (1, None)


def test_a_tree_where_one_run_is_not_enough() -> None:
    """EF 1 and EF 2 together need two runs: one is the trace, the other a branch of it."""
    one, two = (Compound("E", (Compound("F", (Proposition(f"x == {n}", is_at(n)),)),)) for n in (1, 2))
    view = system([(0, 1), (0, 2)], is_at(0), (Compound("&&", (one, two)),))
    (decision,) = ENGINE.run(Request(view, asked(view))).decisions
    assert decision.verdict == "holds" and decision.trace is not None
    assert len(decision.trace) == 1
    assert [(branch.at, len(branch.trace)) for branch in decision.trace.branches] == [(0, 1)]
    assert length_text(decision.trace) == "1 step, 1 further run"
    assert decision.trace.branches[0].reason == "EF (x == 2)"


def test_a_branch_of_a_counterexample_says_what_it_shows() -> None:
    """Not the formula that fails, but why it does."""
    always = (Compound("A", (Compound("G", (Proposition(f"x == {n}", is_at(n)),)),)) for n in (0, 1))
    view = system(
        [(0, 1), (0, 2)],
        is_at(0),
        (Compound("||", (Compound("A", (Compound("X", (Proposition("x == 3", is_at(3)),)),)), *always)),),
    )
    (decision,) = ENGINE.run(Request(view, asked(view))).decisions
    assert decision.verdict == "violated" and decision.trace is not None
    assert [branch.reason for branch in decision.trace.branches] == ["EF !(x == 0)"]


def test_all_states_may_be_initial() -> None:
    always = Compound("A", (Compound("G", (Proposition("x != 5", Unary("!", is_at(5))),)),))
    (decision,) = ENGINE.run(Request(view := system([(1, 2)], Const(1), (always,)), asked(view))).decisions
    assert decision.verdict == "violated" and decision.trace is not None
    assert decision.trace.initial.values == {"x": "5"}


def test_rigid_variables_stay_the_same_along_a_run() -> None:
    """From every value a run leads back to it, on a ring of three; three codes of two bits are values, the fourth is
    none."""
    ring = Enum("Ring", ((0, "a"), (1, "b"), (2, "c")), 2, closed=True)
    at, wanted = Variable("at", ring, 0), Variable("v", ring, 0, "formula")
    here = Proposition("at == v", Binary("==", Ref(at), Ref(wanted)))
    again = Compound("A", (Compound("G", (Compound("E", (Compound("F", (here,)),)),)),))
    following = Binary("==", Next(Ref(at)), Binary("%", Binary("+", Ref(at), Const(1)), Const(3)))
    broken = Binary("&&", Binary("!=", Ref(at), Const(2)), following)
    for formula_, expected in ((following, "holds"), (broken, "violated")):
        view = TransitionSystem(
            "ring",
            (at,),
            1,
            Interleave((Action("go", (Relate(formula_, (Ref(at),)),)),)),
            formulas=(Formula("f", "ctl", "f", Rigid("all", wanted, again)),),
        )
        answer = ENGINE.run(Request(view, asked(view)))
        assert answer.decisions[0].verdict == expected
        assert answer.statistics.states == 3
