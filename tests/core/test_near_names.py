"""Hints for names that do not exist."""

from clew.core.near_names import did_you_mean


def test_the_nearest_name_is_offered() -> None:
    assert did_you_mean("counts", ["x", "count", "mount"]) == "did you mean 'count'?"


def test_capitals_do_not_matter() -> None:
    assert did_you_mean("n", ["N"]) == "did you mean 'N'?"


def test_without_a_near_name_there_is_the_other_hint() -> None:
    assert did_you_mean("zebra", ["count"], otherwise="declare it") == "declare it"
