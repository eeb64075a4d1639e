"""Questions that lead to the property that is meant."""

from __future__ import annotations

import math

import pytest

from clew.logic import formulas as f
from clew.logic.patterns import oracle
from clew.logic.patterns.choice import Choice, Meaning
from clew.logic.patterns.properties import ENTRIES, NESTED, Reading, roles
from clew.logic.patterns.text import parse_property, words

NAMES = [f.proposition(name) for name in "abcd"]


def found(meant: str, count: int, reading: Reading = NESTED) -> tuple[list[Meaning], int]:
    """What is left after all questions, answered by the intervals, and how many there were."""
    choice, prop, asked = Choice(NAMES[:count]), parse_property(meant), 0
    while (run := choice.question()) is not None:
        choice.answer(oracle.holds(prop, run, reading))
        asked += 1
    return choice.left, asked


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_every_meaning_is_found_in_few_questions(count: int) -> None:
    meanings = Choice(NAMES[:count]).left
    for meaning in meanings[:: max(1, len(meanings) // 25)]:
        left, asked = found(words(meaning.prop), count, meaning.reading)
        assert left == [meaning]
        assert asked <= math.log2(len(meanings)) + 2


def test_how_many_meanings_there_are() -> None:
    """Strict precedence globally is existence before; an outer interval has what inner ones have; and so on."""
    assert [len(Choice(NAMES[:count]).left) for count in (1, 2, 3, 4)] == [3, 18, 96, 276]


def test_every_entry_can_be_chosen() -> None:
    for count in (1, 2, 3, 4):
        said = {
            (prop.pattern, prop.scope)
            for meaning in Choice(NAMES[:count]).left
            for prop, _ in ((meaning.prop, meaning.reading), *meaning.others)
        }
        assert said == {entry for entry in ENTRIES if len(roles(*entry)) == count}


def test_the_same_in_other_words() -> None:
    (left,), _ = found("a strictly precedes b globally", 2)
    assert words(left.prop) == "existence of a before b"
    assert [words(prop) for prop, _ in left.others] == ["a strictly precedes b globally"]


def test_a_reading_can_be_chosen() -> None:
    (left,), _ = found("a responds to b globally", 2, Reading(strict_response=True))
    assert (words(left.prop), left.reading) == ("a responds to b globally", Reading(strict_response=True))


def test_a_run_that_nobody_can_judge_is_not_asked_about_again() -> None:
    choice = Choice(NAMES[:1])
    asked = []
    while (run := choice.question()) is not None:
        asked.append(run)
        choice.answer(None)
    assert len(choice.left) == 3
    assert len(set(asked)) == len(asked) == 2**5  # none is allowed, or forbidden, by all three meanings


@pytest.mark.parametrize("count", [0, 5])
def test_a_property_speaks_about_few_things(count: int) -> None:
    with pytest.raises(ValueError, match="one to 4 propositions"):
        Choice([f.proposition(f"p{n}") for n in range(count)])


def test_a_proposition_plays_one_role() -> None:
    with pytest.raises(ValueError, match="named twice"):
        Choice([NAMES[0], NAMES[0]])
