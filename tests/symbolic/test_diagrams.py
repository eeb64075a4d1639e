"""Both libraries of decision diagrams compute the same functions."""

from __future__ import annotations

import itertools
import random

import pytest

from clew.solvers.bdd import CuddDiagrams, Diagrams, Function, full_is_memory_error
from clew.solvers.bdd_oxidd import OxiddDiagrams

VARIABLES = 7


@pytest.fixture(params=[CuddDiagrams, OxiddDiagrams])
def diagrams(request: pytest.FixtureRequest) -> Diagrams:
    made: Diagrams = request.param(64 << 20)
    made.declare(VARIABLES)
    return made


def _random(diagrams: Diagrams, dice: random.Random) -> tuple[Function, set[tuple[bool, ...]]]:
    """A function, and the assignments that make it true, computed beside it."""
    everything = set(itertools.product((False, True), repeat=VARIABLES))
    function, rows = diagrams.false, set[tuple[bool, ...]]()
    for _ in range(8):
        n, positive = dice.randrange(VARIABLES), dice.random() < 0.5
        literal = diagrams.variable(n) if positive else diagrams.negated(diagrams.variable(n))
        where = {row for row in everything if row[n] == positive}
        match dice.randrange(3):
            case 0:
                function, rows = diagrams.either(function, literal), rows | where
            case 1:
                function, rows = diagrams.both(function, literal), rows & where
            case 2:
                function, rows = diagrams.differ(function, literal), rows ^ where
    return function, rows


@pytest.mark.parametrize("seed", range(10))
def test_against_tables(diagrams: Diagrams, seed: int) -> None:
    dice = random.Random(seed)
    (f, rows), (g, others) = _random(diagrams, dice), _random(diagrams, dice)
    assert diagrams.count(f, VARIABLES) == len(rows)
    for row in itertools.product((False, True), repeat=VARIABLES):
        assert diagrams.holds(f, dict(enumerate(row))) == (row in rows)
    assert diagrams.count(diagrams.without(f, g), VARIABLES) == len(rows - others)
    cube = diagrams.cube([1, 4])
    hidden = {(*row[:1], a, *row[2:4], b, *row[5:]) for row in rows & others for a in (0, 1) for b in (0, 1)}
    assert diagrams.count(diagrams.both_exists(cube, f, g), VARIABLES) == len(hidden)
    assert diagrams.same(diagrams.both_exists(cube, f, g), diagrams.exists(cube, diagrams.both(f, g)))
    picked = diagrams.pick(f)
    assert (picked is None) == (not rows)
    if picked is not None:
        assert diagrams.holds(f, {n: picked.get(n, False) for n in range(VARIABLES)})


def test_renaming(diagrams: Diagrams) -> None:
    f = diagrams.both(diagrams.variable(0), diagrams.negated(diagrams.variable(2)))
    renamed = diagrams.renamed(f, diagrams.renaming({0: 1, 2: 3}))
    assert diagrams.same(renamed, diagrams.both(diagrams.variable(1), diagrams.negated(diagrams.variable(3))))
    assert diagrams.holds(renamed, dict(enumerate((False, True, True, False, False, False, False))))


@pytest.mark.parametrize("library", [CuddDiagrams, OxiddDiagrams])
def test_full_memory_is_a_memory_error(library: type[CuddDiagrams | OxiddDiagrams]) -> None:
    """Two words are equal: with one behind the other the diagram doubles with each bit."""
    diagrams, bits = library(20 << 20), 30
    diagrams.declare(2 * bits)
    equal = diagrams.true
    with pytest.raises(MemoryError), full_is_memory_error():
        for n in range(bits):
            differ = diagrams.differ(diagrams.variable(n), diagrams.variable(bits + n))
            equal = diagrams.both(equal, diagrams.negated(differ))
