"""Decision diagrams against truth tables."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from clew.logic.diagrams import ANY, NEVER, Diagram, Diagrams

VARIABLES = 4
ROWS = range(1 << VARIABLES)


def table(diagrams: Diagrams, diagram: Diagram) -> list[object]:
    return [diagrams.value(diagram, lambda v, row=row: bool(row >> v & 1)) for row in ROWS]


def random_condition(diagrams: Diagrams, dice: random.Random) -> Diagram:
    condition = NEVER
    for _ in range(dice.randrange(5)):
        positive, negative = dice.randrange(16), dice.randrange(16)
        condition = diagrams.either(condition, diagrams.cube((positive & ~negative, negative & ~positive)))
    return condition


@given(st.integers(0, 10**9))
def test_operations_and_covers(seed: int) -> None:
    diagrams, dice = Diagrams(), random.Random(seed)
    a, b = random_condition(diagrams, dice), random_condition(diagrams, dice)
    truth_a, truth_b = table(diagrams, a), table(diagrams, b)
    assert table(diagrams, diagrams.both(a, b)) == [x and y for x, y in zip(truth_a, truth_b, strict=True)]
    assert table(diagrams, diagrams.either(a, b)) == [x or y for x, y in zip(truth_a, truth_b, strict=True)]
    assert table(diagrams, diagrams.minus(a, b)) == [x and not y for x, y in zip(truth_a, truth_b, strict=True)]
    assert (a == b) == (truth_a == truth_b)

    cover = [any(p & ~row == 0 and n & row == 0 for p, n in diagrams.cubes(a, b)) for row in ROWS]
    assert all(x == c for x, c, possible in zip(truth_a, cover, truth_b, strict=True) if possible)


def test_a_partition_is_as_coarse_as_the_conditions_allow() -> None:
    diagrams = Diagrams()
    x, y = diagrams.variable(0), diagrams.variable(1)
    blocks = diagrams.blocks(ANY, [x, diagrams.both(x, y)], 10)
    assert blocks is not None
    assert sorted(map(diagrams.cubes, blocks)) == [[(0, 1)], [(1, 2)], [(3, 0)]]
    assert diagrams.blocks(ANY, [x, y], 3) is None
