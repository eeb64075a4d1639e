"""Immutable values: what operations give, and the one order of iteration."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from clew.frontends.modelprogram.terms import read_term, shown, term_of, text_of
from clew.frontends.modelprogram.values import Bag, Map, Pair, Sequence, Set, Triple, in_order, record

simple = st.one_of(st.none(), st.booleans(), st.integers(-5, 5), st.sampled_from(["a", "b", 'Ä"\\', "line\nend"]))
values = st.recursive(
    simple,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(Set.of),
        st.lists(inner, max_size=3).map(Bag.of),
        st.lists(inner, max_size=3).map(Sequence.of),
        st.dictionaries(inner, inner, max_size=3).map(Map),
        st.tuples(inner, inner).map(lambda pair: Pair(*pair)),
        st.tuples(inner, inner, inner).map(lambda triple: Triple(*triple)),
    ),
    max_leaves=4,
)


def test_operations_give_new_values() -> None:
    one = Set(1)
    assert one.add(2) == Set(1, 2) and one == Set(1)
    assert one.add(1) is one and one.remove(2) is one
    assert Set(1, 2) | {3} == Set(1, 2, 3) and isinstance(Set(1) | Set(2), Set)
    assert Set(1, 2) & Set(2) == Set(2) and Set(1, 2) - Set(2) == Set(1) and Set(1, 2) ^ Set(2, 3) == Set(1, 3)
    assert Map({"a": 1}).set("a", 2)["a"] == 2 and Map({"a": 1}).remove("a") == Map()
    assert Map({"b": 1, "a": 2}).keys() == Set("a", "b") and Map({"b": 1, "a": 1}).values() == Bag(1, 1)
    assert Bag(1, 1).remove(1) == Bag(1) and Bag(1).remove(1) == Bag() and Bag(1, 1).count(1) == 2
    assert Sequence(1, 2).add(3) == Sequence(1, 2, 3) and isinstance(Sequence(1, 2)[:1], Sequence)
    assert Sequence(1, 2).first == 1 and Sequence(1, 2).last == 2 and Sequence(1, 2, 1).remove(1) == Sequence(2, 1)


@given(st.lists(values, max_size=5))
def test_equal_collections_are_alike_however_they_were_made(elements: list[object]) -> None:
    assert Set.of(elements) == Set.of(reversed(elements)) and hash(Set.of(elements)) == hash(Set.of(reversed(elements)))
    assert Bag.of(elements) == Bag.of(reversed(elements)) and hash(Bag.of(elements)) == hash(Bag.of(reversed(elements)))
    assert list(Set.of(elements)) == list(Set.of(reversed(elements)))
    assert list(in_order(Set.of(elements))) == list(Set.of(elements))


@given(values)
def test_terms_are_read_as_they_are_written(value: object) -> None:
    term = term_of(value)
    assert read_term(text_of(term)) == term


@record
class Point:
    x: int
    y: int


def test_how_values_are_shown() -> None:
    assert shown(Map({"b": Set(2, 1), "a": None})) == 'Map("a", null, "b", Set(1, 2))'
    assert shown(Set()) == "Set()" and shown(Sequence(True, Point(1, 2))) == "Sequence(true, Point(1, 2))"
