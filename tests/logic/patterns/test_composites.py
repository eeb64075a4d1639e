"""Composite propositions: the constructed formula means what the intervals say; naive substitution does not."""

from __future__ import annotations

import random

import pytest

from clew.logic import formulas as f
from clew.logic.lasso import holds
from clew.logic.patterns import catalogue, oracle
from clew.logic.patterns.audit import search_difference
from clew.logic.patterns.composites import as_formula
from clew.logic.patterns.construct import Unclear, construct
from clew.logic.patterns.properties import ENTRIES, NESTED, Class, Composite, Property, Reading, roles
from clew.logic.patterns.text import parse_property
from clew.logic.patterns.traces import show_trace
from clew.logic.patterns.words import all_words, shapes, these_words

STRICT = Reading(strict_response=True, strict_precedence=True)


def properties(kind: Class, parts: int) -> list[Property]:
    """All patterns and scopes with the composite proposition in each role."""
    composite = Composite(kind, tuple(map(f.proposition, "abc"[:parts])))
    return [
        Property(pattern, scope, tuple((r, composite if r == role else f.proposition(r.lower())) for r in used))
        for pattern, scope in ENTRIES
        for used in [roles(pattern, scope)]
        for role in used
    ]


@pytest.mark.parametrize("parts", [1, 2, 3])
@pytest.mark.parametrize("kind", Class)
def test_constructed_formulas_mean_what_the_intervals_say(kind: Class, parts: int) -> None:
    """Every run over the atoms up to the length at which there are 2^14 of them."""
    compared = 0
    for prop in properties(kind, parts):
        for reading in (NESTED, STRICT):
            try:
                formula = construct(prop, reading)
            except Unclear:
                continue
            for length, back in shapes(5):
                if len(prop.atoms()) * length <= 14:
                    words = all_words(prop.atoms(), length, back)
                    assert words.satisfying(formula) == oracle.satisfying(prop, words, reading), (prop, reading)
                    compared += 1
    assert compared > 100


@pytest.mark.parametrize("text", ["absence of ConsecutiveC(a, b) before r", "existence of p after ConsecutiveC(a, b)"])
def test_naive_substitution_is_wrong(text: str) -> None:
    prop = parse_property(text)
    naive = catalogue.formula("prospec-fixed", prop, naive=True)
    ours = catalogue.formula("ours", prop)
    found = search_difference(naive, prop)
    assert found.witness is not None
    assert show_trace(found.witness) == {"absence": "a (br)", "existence": "(ap) b"}[prop.pattern.value]
    assert holds(naive, *found.witness) is not oracle.holds(prop, found.witness)
    assert holds(ours, *found.witness) is oracle.holds(prop, found.witness)
    assert search_difference(ours, prop).witness is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AtLeastOneC(a, b)", "a || b"),
        ("ParallelC(a, b)", "a && b"),
        ("ConsecutiveC(a, b, c)", "a && X (b && X c)"),
        ("EventualC(a, b)", "a && X (!b U b)"),
        ("AtLeastOneE(a, b)", "!a && !b && ((!a && !b) U (a || b))"),
        ("ParallelE(a, b)", "!a && !b && ((!a && !b) U (a && b))"),
        ("ConsecutiveE(a, b)", "!a && !b && ((!a && !b) U (a && !b && X b))"),
        ("EventualE(a, b)", "!a && !b && ((!a && !b) U (a && !b && X (!b U b)))"),
    ],
)
def test_published_formulas(text: str, expected: str) -> None:
    """Table 6 of Salamah, Gates, Roach (2011), the Eventual classes in their strict form."""
    assert str(as_formula(parse_property(f"absence of {text}").operand("P"))) == expected


@pytest.mark.parametrize("kind", Class)
def test_long_runs_chosen_at_random(kind: Class) -> None:
    """Three parts with delimiters need longer runs than can all be tried."""
    chance = random.Random(16)
    for prop in properties(kind, 3):
        atoms = prop.atoms()
        length = chance.randint(6, 9)
        back = chance.randrange(length)
        lassos = []
        for _ in range(400):
            letters = [frozenset(a for a in atoms if chance.random() < 0.3) for _ in range(length)]
            lassos.append((tuple(letters[:back]), tuple(letters[back:])))
        words = these_words(atoms, lassos)
        for reading in (NESTED, STRICT):
            try:
                formula = construct(prop, reading)
            except Unclear:
                continue
            assert words.satisfying(formula) == oracle.satisfying(prop, words, reading), (prop, reading)
