"""The formulas against the intervals: what the case study of 2005 found, and what it did not."""

from __future__ import annotations

import itertools

import pytest

from clew.logic.common_words import Complement, common_word
from clew.logic.lasso import holds
from clew.logic.parse import parse_ltl
from clew.logic.patterns import oracle
from clew.logic.patterns.audit import Audit, audit, compare, search_difference
from clew.logic.patterns.catalogue import formula
from clew.logic.patterns.monitors import Satisfied, Violated
from clew.logic.patterns.properties import DOCUMENTED_SPS, ENTRIES, NESTED, Pattern, Reading, Scope, entry
from clew.logic.patterns.traces import read_trace, show_trace
from clew.logic.patterns.words import all_words, shapes

ALL_READINGS = [Reading(*bits) for bits in itertools.product((False, True), repeat=3)]


def failures(found: Audit) -> dict[tuple[str, str], str]:
    """The entries that differ, with their witnesses."""
    return {
        (x.pattern.value, x.scope.value): show_trace(x.result.witness)
        for x in found.findings
        if x.result.witness is not None
    }


def test_prospec_has_three_wrong_formulas() -> None:
    found = audit("prospec", NESTED)
    assert found.agreeing == 27  # of 30, as in the study
    assert failures(found) == {
        ("absence", "before"): "(RP)",
        ("absence", "between"): "L (RP)",
        ("absence", "after-until"): "L (RP)",
    }


@pytest.mark.parametrize("dialect", ["prospec-fixed", "ours"])
def test_corrected_formulas_are_equivalent_to_the_automaton_of_the_oracle(dialect: str) -> None:
    found = audit(dialect, NESTED)
    assert all(not x.result.allows and not x.result.forbids for x in found.findings)
    assert len(found.findings) == 30


def test_sps_is_right_under_the_nested_reading_but_for_precedence_after() -> None:
    found = audit("sps", NESTED)
    assert found.agreeing == 24
    assert failures(found) == {("precedence", "after"): "(LP) L"}  # not in the lists of the study
    [finding] = [x for x in found.findings if not x.result.agrees]
    assert finding.result.allows and not finding.result.forbids
    assert finding.needs_several_openings
    trace = read_trace("(LP) L")
    assert holds(finding.result.formula, *trace)
    assert not oracle.holds(entry(Pattern.PRECEDENCE, Scope.AFTER), trace)


def test_sps_against_its_documentation() -> None:
    found = audit("sps", DOCUMENTED_SPS)
    nine = {(p, s) for p in ("existence", "precedence") for s in ("between", "after-until")}
    nine |= {("response", s.value) for s in Scope}
    assert {(x.pattern.value, x.scope.value) for x in found.findings if x.only_reading} == nine
    assert set(failures(found)) == nine | {("precedence", "after")}
    assert found.agreeing == 15
    assert found.agreeing_with_one_opening == 16  # of 25, the count of the study
    assert [failures(found)[key] for key in sorted(nine) if key[0] != "response"] == [
        "(LP) L", "(LP) L R", "(LT) (LP)", "(LT) (LP) R",
    ]  # fmt: skip


def test_ours_follows_every_reading() -> None:
    for reading in ALL_READINGS:
        assert audit("ours", reading).agreeing == 30, reading


@pytest.mark.parametrize("reading", ALL_READINGS, ids=str)
def test_the_two_automata_of_the_oracle_share_no_word(reading: Reading) -> None:
    for pattern, scope in ENTRIES:
        prop = entry(pattern, scope)
        good, bad = Satisfied(prop, reading), Violated(prop, reading)
        assert common_word([good, bad], prop.atoms()) is None
        assert common_word([good, Complement(good)], prop.atoms()) is None


def test_the_automata_accept_what_the_intervals_say() -> None:
    for pattern, scope in ENTRIES:
        prop = entry(pattern, scope)
        for reading in (NESTED, Reading(True, True, True)):
            for length, back in shapes(3):
                words = all_words(prop.atoms(), length, back)
                good = oracle.satisfying(prop, words, reading)
                total = 1 << len(prop.atoms()) * length
                for number in range(0, total, 1 + total // 12):
                    word = _OnlyWord(words.word(number))
                    machine = Satisfied(prop, reading) if good >> number & 1 else Violated(prop, reading)
                    assert common_word([machine, word], prop.atoms()) is not None


class _OnlyWord:
    """Accepts one word."""

    sets = 0
    initial = 0

    def __init__(self, lasso: object) -> None:
        assert isinstance(lasso, tuple)
        self.letters, self.back = (*lasso[0], *lasso[1]), len(lasso[0])

    def step(self, state: object, letter_read: object) -> list[tuple[int, int]]:
        assert isinstance(state, int)
        after = state + 1 if state + 1 < len(self.letters) else self.back
        return [(0, after)] if letter_read == self.letters[state] else []


def test_enumeration_agrees_with_the_automata() -> None:
    for dialect, expected in (("sps", 1), ("prospec", 3), ("prospec-fixed", 0)):
        differ = [
            e
            for e in ENTRIES
            if not (dialect == "sps" and e[0] is Pattern.STRICT_PRECEDENCE)
            and search_difference(formula(dialect, entry(*e)), entry(*e), longest=3).witness is not None
        ]
        assert len(differ) == expected


def test_a_formula_of_yours() -> None:
    right = parse_ltl('F "R" -> (!P U "R")')
    assert compare(right, Pattern.ABSENCE, Scope.BEFORE).agrees
    weak = compare(parse_ltl("true"), Pattern.ABSENCE, Scope.BEFORE)
    assert weak.allows and not weak.forbids and weak.witness is not None
    assert show_trace(weak.witness) == "P R"
    strong = compare(parse_ltl("false"), Pattern.ABSENCE, Scope.BEFORE)
    assert strong.forbids and not strong.allows
    with pytest.raises(ValueError, match="more than"):
        compare(parse_ltl("x"), Pattern.ABSENCE, Scope.BEFORE)
