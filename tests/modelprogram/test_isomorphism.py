"""States up to isomorphism (sheet 25): derived figures, permutations, pairs that must be kept apart, ordered models."""

from __future__ import annotations

import itertools
import random

import pytest

from clew.frontends.modelprogram.elements import Element
from clew.frontends.modelprogram.space import ModelSpace, State
from clew.frontends.modelprogram.state_graph import StateGraphs, _kind
from clew.frontends.modelprogram.values import Bag, Map, Pair, Sequence, Set
from clew.solvers.isomorphism import Figures, LabelledGraph, Matcher, canonical_order, isomorphism

from .models import TRIANGLE, TRIANGLE_OF_OBJECTS, explored, size, space
from .test_exploration import PHILOSOPHERS


@pytest.mark.parametrize(("n", "classes"), [(2, 5), (3, 10), (4, 23), (5, 50), (6, 129), (7, 314), (8, 833)])
def test_philosophers_are_counted_up_to_rotation(n: int, classes: int) -> None:
    """The classes after Init, and the state before it."""
    assert size(PHILOSOPHERS, canonical=True, N=n)[0] == classes + 1


def test_triangles_are_counted_up_to_renaming() -> None:
    assert size(TRIANGLE, canonical=True) == (6, 14)
    assert size(TRIANGLE, canonical=True, fixed=["Color"])[0] == 10
    assert size(TRIANGLE, canonical=True, fixed=["Side"])[0] == 14
    assert size(TRIANGLE, canonical=True, fixed=["Side", "Color"]) == (27, 54)
    assert size(TRIANGLE_OF_OBJECTS, canonical=True)[0] == 6


ELEMENTS = (
    "from clew.model import *\nclass V(Abstract): A, B, C, D, E, F = range(6)\n"
    "x = None\n@action\ndef Go():\n    global x\n    x = 1\n"
)


def made() -> tuple[StateGraphs, list[Element]]:
    found = space(ELEMENTS)
    return StateGraphs(found), list(found.program.abstract[0])  # type: ignore[call-overload]


def alike(graphs: StateGraphs, first: object, second: object) -> bool:
    """By canonical keys; the exact matcher and all permutations of the elements must say the same."""
    one, two = State((first,)), State((second,))
    by_key = graphs.key(one) == graphs.key(two)
    assert (isomorphism(graphs.graph(one)[0], graphs.graph(two)[0]) is not None) == by_key
    return by_key


def edges(elements: list[Element], *pairs: tuple[int, int]) -> Set[Set[Element]]:
    return Set.of(Set(elements[a], elements[b]) for a, b in pairs)


def test_the_example_of_rings() -> None:
    graphs, v = made()
    ring = edges(v, (0, 1), (1, 2), (2, 3), (3, 0))
    assert alike(graphs, ring, edges(v, (0, 2), (2, 1), (1, 3), (3, 0)))
    assert not alike(graphs, ring, edges(v, (0, 1), (1, 2), (2, 0), (3, 0)))


def test_two_triangles_are_not_a_hexagon_and_each_is_found_again() -> None:
    graphs, v = made()
    triangles = edges(v, (0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3))
    hexagon = edges(v, (0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0))
    assert not alike(graphs, triangles, hexagon)
    assert alike(graphs, triangles, edges(v, (0, 2), (2, 4), (4, 0), (1, 3), (3, 5), (5, 1)))
    assert alike(graphs, hexagon, edges(v, (0, 2), (2, 4), (4, 1), (1, 3), (3, 5), (5, 0)))


def test_pairs_that_must_be_kept_apart() -> None:
    graphs, v = made()
    nested = Set(Map({v[0]: 1, v[1]: 2}), Map({v[0]: 2, v[1]: 1}))
    assert not alike(graphs, nested, Set(Map({v[0]: 1, v[1]: 1}), Map({v[0]: 2, v[1]: 2})))
    assert not alike(graphs, Pair(Set(), v[0]), Pair(Bag(), v[0]))
    assert not alike(graphs, Set(v[0], 1, 2), Set(v[0], 1, 3))
    assert alike(graphs, Sequence(v[0], True), (v[1], 1))  # equal in Python, but for the element
    assert not alike(graphs, Bag(v[0], v[0], v[1]), Bag(v[0], v[1], v[2]))


def _random_value(chance: random.Random, elements: list[Element], depth: int) -> object:
    if depth == 0 or chance.random() < 0.3:
        return chance.choice([*elements, *elements, 0, 1, None, "a"])
    parts = [_random_value(chance, elements, depth - 1) for _ in range(chance.randrange(4))]
    return chance.choice([Set.of, Bag.of, Sequence.of, lambda p: Map(zip(p, reversed(p), strict=True))])(parts)


def _renamed(value: object, names: dict[Element, Element]) -> object:
    match value:
        case Element():
            return names[value]
        case Set():
            return Set.of(_renamed(part, names) for part in value)
        case Bag():
            return Bag.of(_renamed(part, names) for part in value)
        case Sequence():
            return Sequence.of(_renamed(part, names) for part in value)
        case Map():
            return Map((_renamed(k, names), _renamed(v, names)) for k, v in value.items())
        case _:
            return value


def test_random_values_and_permutations_agree_with_brute_force() -> None:
    graphs, v = made()
    chance = random.Random(25)
    used = v[:4]
    permutations = [dict(zip(used, image, strict=True)) for image in itertools.permutations(used)]
    same = different = 0
    for _ in range(300):
        first = _random_value(chance, used, 3)
        shuffled = _renamed(first, chance.choice(permutations))
        assert alike(graphs, first, shuffled)
        second = _random_value(chance, used, 2)
        for one, two in ((first, second), (first, Sequence(shuffled)), (Set(first), Set(second))):
            expected = any(_renamed(one, names) == two and _kind(one) == _kind(two) for names in permutations)
            assert alike(graphs, one, two) == expected, (one, two)
            same, different = same + expected, different + (not expected)
    assert same > 5 and different > 500


def test_ordered_models_need_neither_search_nor_backtracking() -> None:
    graph = LabelledGraph()
    for n in range(20_000):
        graph.vertex(n % 3)
        if n:
            graph.edge(n - 1, 0, n)
            graph.edge(n, 1, n // 2)
    matcher = Matcher(graph, graph)
    assert matcher.run() == {n: n for n in range(20_000)} and matcher.backtracks == 0


def test_a_canonical_order_is_that_of_every_renumbered_graph() -> None:
    chance = random.Random(7)
    figures = Figures()
    for _ in range(60):
        size_, arcs = 8, [(chance.randrange(8), chance.randrange(2), chance.randrange(8)) for _ in range(10)]
        forms = set()
        for _ in range(3):
            place = list(range(1, size_))
            chance.shuffle(place)
            place = [0, *place]
            graph = LabelledGraph(relational={0, 1})
            for n in range(size_):
                graph.vertex(int(n == 0))
            for source, label, target in arcs:
                graph.edge(place[source], label, place[target])
            order = canonical_order(graph, figures)
            rank = {vertex: n for n, vertex in enumerate(order)}
            forms.add(tuple(sorted((rank[place[s]], label, rank[place[t]]) for s, label, t in arcs)))
        assert len(forms) == 1
    assert figures.by_nauty > 10


def test_a_loop_that_makes_and_drops_objects_is_finite() -> None:
    text = (
        "from clew.model import *\nclass Job(Instance): pass\ncurrent = None\n"
        "@action\ndef Make(j: New(Job)):\n    global current\n    current = j\n"
        "@action\ndef Drop():\n    global current\n    current = None\n"
    )
    assert explored(space(text)).states == 3  # none, Job(1), Job(2) made while Job(1) is there
    assert size(text, canonical=True)[0] == 2


def test_a_model_without_elements_has_its_states_as_keys() -> None:
    found = space(
        "from clew.model import *\nn = 0\n@action\ndef Go(k: range(3)):\n    global n\n    n = k\n", canonical=True
    )
    assert isinstance(found, ModelSpace)
    (start,) = found.initial()
    assert found.key(start) is start
