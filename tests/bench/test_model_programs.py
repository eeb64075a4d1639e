"""The benchmark of model programs: its ways of counting agree, random values are told apart, the picture is one."""

from __future__ import annotations

from bench.model_programs.exact import counted, random_values
from bench.model_programs.table import PLAIN, REDUCED, Measured, drawn


def test_all_ways_of_counting_agree_with_the_known_sizes() -> None:
    assert counted(largest=60)


def test_random_values_are_told_apart_as_permutations_say() -> None:
    number, alike, wrong = random_values(1000)
    assert wrong == 0 and 50 < alike < number


def test_the_picture_has_a_curve_for_each_search() -> None:
    found = [Measured(n, search, 3**n, 4**n, n / 10, n * 10**7) for n in (4, 5) for search in (PLAIN, REDUCED)]
    assert drawn(found).count("<circle") == 2 * len(found) + 4  # two for each search in the legend
    assert PLAIN in drawn(found)
