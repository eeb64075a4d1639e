"""Printed and generated test cases."""

from __future__ import annotations

import shutil

import pytest

from clew.logic.patterns import catalogue, oracle
from clew.logic.patterns.bed import promela
from clew.logic.patterns.cases import classify, generate, partition
from clew.logic.patterns.mutants import equivalent, mutants, score
from clew.logic.patterns.properties import ENTRIES, NESTED, Pattern, Reading, Scope, entry
from clew.logic.patterns.suites import FIGURES
from clew.logic.patterns.testing import RUNNERS, questions, run, suite
from clew.logic.patterns.traces import read_trace, without_repetitions

HAVE_SPIN = shutil.which("spin") is not None and shutil.which("gcc") is not None
JUDGES = ["definition", "automaton", pytest.param("spin", marks=pytest.mark.skipif(not HAVE_SPIN, reason="no Spin"))]


def failed(name: str, dialect: str, runner: str) -> list[tuple[str, str]]:
    outcomes = run(suite(name, dialect), dialect, RUNNERS[runner])
    return [(o.case.pattern.value, o.case.name) for o in outcomes if not o.passed]


@pytest.mark.parametrize("runner", JUDGES)
def test_table_5(runner: str) -> None:
    assert len(suite("table5", "sps")) == 13
    assert failed("table5", "sps", runner) == []
    assert failed("table5", "prospec", runner) == [("absence", "1b"), ("absence", "2b"), ("absence", "3b")]
    assert failed("table5", "prospec-fixed", runner) == []


@pytest.mark.parametrize("runner", JUDGES)
def test_table_6(runner: str) -> None:
    """33 traces; 2a.vi is expected as for strict precedence; 4d and 7 as the documentation of SPS reads."""
    assert len(suite("table6", "sps")) == 33
    assert failed("table6", "sps", runner) == [("precedence", "2a.vi"), ("precedence", "4d"), ("precedence", "7")]
    assert failed("table6", "prospec", runner) == [("precedence", "2a.vi")]


@pytest.mark.parametrize("runner", JUDGES)
def test_figures(runner: str) -> None:
    """The formulas answer what Spin is printed to have answered."""
    outcomes = [o for d in ("sps", "prospec") for o in run(suite("figures", d), d, RUNNERS[runner])]
    assert len(outcomes) == len(FIGURES) == 15
    assert all(o.actual is o.answered for o in outcomes)
    assert [o.case.name for o in outcomes if o.passed] == ["test 2"]


@pytest.mark.parametrize("reading", [NESTED, Reading(True, True, True)], ids=str)
def test_every_leaf_of_the_partition_has_a_case(reading: Reading) -> None:
    for pattern, scope in ENTRIES:
        cases = generate(pattern, scope, reading)
        assert {c.leaf for c in cases} == set(partition(pattern, scope, reading))


def test_expected_answers_are_those_of_the_oracle() -> None:
    for pattern, scope in ENTRIES:
        prop = entry(pattern, scope)
        for case in generate(pattern, scope)[::7]:
            assert case.expected is oracle.holds(prop, case.trace)
            assert case.leaf == classify(prop, case.trace)


def test_no_case_is_another_one_with_states_repeated() -> None:
    for pattern, scope in ENTRIES:
        cases = generate(pattern, scope)
        assert len({without_repetitions(c.trace) for c in cases}) == len(cases)


def test_boundary_values_around_a_delimiter() -> None:
    cases = generate(Pattern.ABSENCE, Scope.AFTER)
    traces = {without_repetitions(c.trace): c.expected for c in cases}
    for text, expected in (("- P L -", True), ("- (LP) -", False), ("- L P -", False)):  # section 3.3 of the study
        assert traces[read_trace(text)] is expected


def test_generated_cases_find_what_the_study_found() -> None:
    wrong = {(o.case.pattern, o.case.scope) for o in run(suite("generated", "prospec"), "prospec") if not o.passed}
    assert wrong == {(Pattern.ABSENCE, s) for s in (Scope.BEFORE, Scope.BETWEEN, Scope.AFTER_UNTIL)}
    wrong = {(o.case.pattern, o.case.scope) for o in run(suite("generated", "sps"), "sps") if not o.passed}
    assert wrong == {(Pattern.PRECEDENCE, Scope.AFTER)}


@pytest.mark.parametrize("dialect", ["prospec-fixed", "ours"])
def test_generated_cases_notice_wrong_formulas(dialect: str) -> None:
    scores = [score(catalogue.formula(dialect, entry(*e)), generate(*e)) for e in catalogue.entries(dialect)]
    different = sum(s.different for s in scores)
    assert different > 50
    assert sum(s.noticed for s in scores) >= 0.95 * different


def test_mutants_differ_in_one_place() -> None:
    formula = catalogue.formula("prospec-fixed", entry(Pattern.ABSENCE, Scope.AFTER_UNTIL))
    found = mutants(formula)
    assert {name for name, _ in found} == {"U to W", "without !R"}
    assert len(found) == 4
    first = catalogue.formula("prospec", entry(Pattern.PRECEDENCE, Scope.AFTER))
    assert not any(equivalent(first, m) for name, m in mutants(first) if name in ("first L to some L",))


def test_a_weak_suite_is_noticed_to_be_weak() -> None:
    prop = Pattern.ABSENCE, Scope.BEFORE
    formula = catalogue.formula("prospec-fixed", entry(*prop))
    assert score(formula, generate(*prop)[:1]).missed


def test_the_test_bed() -> None:
    [first, *_] = questions(suite("table5", "sps"), "sps")
    text = promela([first])
    assert "ltl c0 { <> (i == 0) -> (!(false) U (i == 0)) }" in text
    with pytest.raises(ValueError, match="last state"):
        promela([(first[0], read_trace("[L R]"))])
