"""The solver proves and refutes; what it shows is replayed, and where it finds nothing it says so."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import clew
from clew.core.engines import Limits, Request
from clew.core.expressions import Binary, Const, Ref, Variable
from clew.core.lowering.subject import subject_of
from clew.core.procedures import Claim
from clew.core.properties import Property, Violation
from clew.core.statements import Assign, Guard
from clew.core.transition_system import Action, Interleave, TransitionSystem
from clew.core.types import Int
from clew.smt.encoding import Encoding
from clew.smt.engine import ENGINE
from clew.smt.proofs import broken_condition
from clew.solvers.smt import Term, Terms

EXAMPLES = Path(__file__).parents[2] / "examples" / "promela"
WRONG = Violation("assertion", "x is 5")
X = Variable("x", Int("three", 3), 0)


def _counter(step: int, start: int = 0) -> TransitionSystem:
    """Adds `step` for ever; being at 5 is wrong."""
    add = Action(
        "add", (Claim(Binary("!=", Ref(X), Const(5)), WRONG), Assign(Ref(X), Binary("+", Ref(X), Const(step))))
    )
    return TransitionSystem("counter", (X,), 1, Interleave((add,)), Binary("==", Ref(X), Const(start)))


def _asked(view: TransitionSystem) -> tuple[str, str, int | None]:
    request = Request(view, (Property("assertions", "assertion", ""),), limits=Limits(seconds=3600))
    (decision,) = ENGINE.run(request).decisions
    return decision.verdict, decision.evidence.kind, None if decision.trace is None else len(decision.trace)


def test_a_path_of_the_right_length() -> None:
    assert _asked(_counter(1)) == ("violated", "replayed-trace", 6)  # five steps to 5, and the one that claims


def test_a_proof_that_needs_an_invariant() -> None:
    """From 0 by twos, 5 is never met; 3 would lead to it, so plain induction needs more than one step."""
    assert _asked(_counter(2)) == ("holds", "certificate", None)


def test_a_certificate_is_checked_by_plain_queries() -> None:
    terms = Terms()
    encoding = Encoding(subject_of(_counter(2)).system, terms)
    even, at_most_two = terms.negated(encoding.bits[0]), terms.negated(encoding.bits[2])

    def broken(invariant: Term) -> str | None:
        return broken_condition(encoding, invariant, encoding.violating("assertion"), time.monotonic() + 3600)

    assert broken(even) is None
    assert broken(terms.true) == "it does not exclude the violation"
    assert broken(encoding.bits[0]) == "it does not hold at the start"
    assert broken(terms.both(even, at_most_two)) == "it is not kept by every step"


def test_a_limit_on_depth_means_unknown() -> None:
    guard = Guard(Binary("<", Ref(X), Const(7)))
    (action,) = _counter(1).actions
    view = TransitionSystem("counter", (X,), 1, Action("add", (guard, *action.body)), Binary("==", Ref(X), Const(0)))
    request = Request(view, (Property("assertions", "assertion", ""),), limits=Limits(seconds=3600, depth=2))
    (decision,) = ENGINE.run(request).decisions
    assert (decision.verdict, decision.trace) == ("unknown", None)


def test_promela() -> None:
    found = clew.check(
        EXAMPLES / "traffic_light.pml", engine="smt", max_time=3600, properties=["assertions", "deadlock"]
    )
    assert [d.verdict for d in found.properties] == ["holds", "holds"]
    found = clew.check(EXAMPLES / "dining_philosophers.pml", engine="smt", max_time=3600, properties=["deadlock"])
    assert found.verdict == "violated"
    assert len(found.trace) == 4


def test_values_beyond_the_first_guess() -> None:
    """The counter gets larger than in the sample that the system is sized by."""
    text = "byte x; active proctype P() { do :: x < 9 -> x = x + 3; assert(x != 9) od }"
    assert (
        clew.check("grows.pml", text=text, engine="smt", max_time=3600, properties=["assertions"]).verdict == "violated"
    )


def test_a_solver_does_not_count() -> None:
    with pytest.raises(clew.InputError, match="does not count"):
        clew.count(EXAMPLES / "peterson.pml", engine="smt")
