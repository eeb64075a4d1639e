"""`clew property`."""

from __future__ import annotations

import io
import json
import sys

import pytest

from tests.cli.conftest import Clew, Outcome


@pytest.mark.parametrize(
    ("words", "status", "part"),
    [
        (["list", "--dialect", "sps"], 0, "25 formulas (sps)"),
        (["list"], 0, "30 formulas (ours)"),
        (["explain", "absence of P before R"], 0, "Before the first R, if it comes, P is never true."),
        (["explain", "absence of x > 3 before q!m(_)"], 0, "q!m(_), if it comes, x > 3 is never true."),
        (["formula", "absence of x > 3 before q!m(_)"], 0, "absence of (x > 3) before (q!m(_))"),
        (["audit", "--formula", "[] !(x > 3)", "absence of x > 3"], 0, "your formula: agrees"),
        (["formula", "--to", "spin", "absence of P after L"], 0, "ltl property { !l W (l && !<> p) }"),
        (["formula", "absence of ConsecutiveC(a, b)"], 0, "not stutter-invariant"),
        (["formula", "--advice", "absence of P after L"], 0, "sps (same meaning): □(L → □¬P)"),
        (["test", "--suite", "table5", "--dialect", "sps"], 0, "13 of 13 cases passed"),
        (["test", "--suite", "table5", "--dialect", "prospec"], 1, "10 of 13 cases passed"),
        (["test", "absence of P before R"], 0, "82 of 82 cases passed (generated, ours)"),
        (["test", "--mutants", "absence of P before R"], 0, "(100.0 %)"),
        (["test", "--suite", "table5", "--to", "promela"], 0, "ltl c12 {"),
        (["audit", "--dialect", "prospec"], 1, "verified 27 of 30"),
        (["audit", "--dialect", "prospec-fixed"], 0, "verified 30 of 30"),
        (["audit", "--dialect", "sps"], 1, "precedence        after        too weak   differs on (LP) L"),
        (["audit", "--formula", "<> b -> (!a U b)", "absence of a before b"], 0, "your formula: agrees"),
        (["audit", "--formula", "[] !a", "absence of a before b"], 1, "your formula: differs on a"),
        (
            ["audit", "absence of ConsecutiveC(a, b) before r"],
            1,
            "prospec-fixed, naive substitution: differs on a (br)",
        ),
    ],
)
def test_answers(clew: Clew, words: list[str], status: int, part: str) -> None:
    answer = clew("property", *words)
    assert (answer.status, answer.err) == (status, "")
    assert part in answer.out


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["explain", "absence of P before"], "<property>:1:20: error: expected what closes the scope, found the end"),
        (["explain", "absence of P Q"], "<property>:1:12: error: 'P Q' is no condition"),
        (["formula", "--to", "latin", "absence of P"], "unknown syntax 'latin'"),
        (["formula", "--dialect", "sps", "T strictly precedes P"], "sps has no strict-precedence"),
        (["test", "--dialect", "sps", "T strictly precedes P"], "sps has no strict-precedence"),
        (["test", "--suite", "figures"], "has no cases for ours"),
        (["test", "--to", "latin"], "tests cannot be written as 'latin'"),
        (["audit", "--formula", "[] a"], "--formula needs a property"),
        (["audit", "--formula", "[] a", "absence of b"], "the formula speaks about a, the property does not"),
        (["audit", "--formula", "[] (a", "absence of a"], "<formula>:1:4: error: this '(' is never closed"),
        (["audit", "universality of ConsecutiveC(a, b)"], "universality needs a condition on single states"),
        (["list", "--reading", "nested", "--reading", "outermost"], "exclude each other"),
        (["explain", "absence of AtLeastOneC(a,b,c,d,e,f,g,h) before i"], "9 atoms are too many"),
        (["dance"], "invalid choice"),
        (["formula", "--model", "m.toy", "absence of P"], "--model is for --advice on a property of the model"),
        (["choose"], "name what the property speaks about"),
        (["choose", "a, a"], "a proposition is named twice"),
        (["choose", "a, b, c, d, e"], "one to 4 propositions"),
        (["choose", "a, <> b"], "<propositions>:1:4: error: a proposition is a condition on one state"),
    ],
)
def test_bad_input(clew: Clew, words: list[str], part: str) -> None:
    answer = clew("property", *words)
    assert answer.status == 3
    assert part in answer.err and "Traceback" not in answer.err


@pytest.mark.parametrize(
    "words",
    [
        ["list"], ["explain", "absence of P"], ["formula", "--to", "all", "absence of P"],
        ["test", "--suite", "table6"], ["test", "--mutants", "absence of P"], ["audit", "--dialect", "prospec"],
        ["audit", "absence of ParallelC(a, b)"],
    ],
)  # fmt: skip
def test_json(clew: Clew, words: list[str]) -> None:
    found = json.loads(clew("property", *words, "--json").out)
    assert found["schema"] == "clew.property/1"


def answered(clew: Clew, monkeypatch: pytest.MonkeyPatch, answers: str, *words: str) -> Outcome:
    monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
    return clew("property", "choose", *words)


def test_a_choice_by_questions(clew: Clew, monkeypatch: pytest.MonkeyPatch) -> None:
    """Never, always, or at least once."""
    answer = answered(clew, monkeypatch, "n\nmaybe\ny\n", "done")
    assert answer.status == 0
    assert answer.out.count("may this run happen?") == 3
    assert "y: yes, it may; n: no, that would be wrong" in answer.out
    assert "existence of done globally\nIn the whole run, done is true at least once." in answer.out
    assert answer.out.endswith("\n  clew check --pattern 'existence of done globally' MODEL\n")


def test_a_choice_that_is_left_open(clew: Clew, monkeypatch: pytest.MonkeyPatch) -> None:
    for answers in ("q\n", "", "?\nq\n"):
        answer = answered(clew, monkeypatch, answers, "a, b")
        assert answer.status == 2
        assert "18 meanings are left, among them:" in answer.out


def test_a_choice_as_json(clew: Clew, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = answered(clew, monkeypatch, "n\n?\ny\n", "--json", "done")
    found = json.loads(answer.out)
    assert [asked["allowed"] for asked in found["asked"]] == [False, None, True]
    assert [item["property"] for item in found["left"]] == ["existence of done globally"]
    assert "may this run happen?" in answer.err


def test_pictures(clew: Clew) -> None:
    answer = clew("property", "explain", "T precedes P between L and R", "-o", "p.svg")
    assert answer.err == "wrote p.svg\n"
    from pathlib import Path

    assert Path("p.svg").read_text().startswith("<svg")
