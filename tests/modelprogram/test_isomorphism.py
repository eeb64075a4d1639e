"""States up to isomorphism (sheet 25): derived figures, permutations, pairs that must be kept apart, ordered models."""

from __future__ import annotations

import itertools
import random
from array import array

import pytest

from clew.frontends.modelprogram.elements import Element
from clew.frontends.modelprogram.space import ModelSpace, State
from clew.frontends.modelprogram.state_graph import StateGraphs, _kind
from clew.frontends.modelprogram.state_words import StateWords
from clew.frontends.modelprogram.values import Bag, Map, Pair, Sequence, Set
from clew.solvers.isomorphism import Figures, Kernel, LabelledGraph, Matcher, canonical_order, isomorphism, new_kernel

from .models import TRIANGLE, TRIANGLE_OF_OBJECTS, explored, size, space
from .test_exploration import PHILOSOPHERS

CLASSES = {2: 5, 3: 10, 4: 23, 5: 50, 6: 129, 7: 314, 8: 833, 9: 2194, 10: 5933}


@pytest.mark.parametrize("n", CLASSES)
def test_philosophers_are_counted_up_to_rotation(n: int) -> None:
    """The classes after Init, and the state before it."""
    assert size(PHILOSOPHERS, canonical=True, N=n)[0] == CLASSES[n] + 1


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_without_a_compiler_the_classes_are_the_same(n: int) -> None:
    assert size(PHILOSOPHERS, canonical=True, compiled=False, N=n)[0] == CLASSES[n] + 1


def test_triangles_are_counted_up_to_renaming() -> None:
    assert size(TRIANGLE, canonical=True) == (6, 14)
    assert size(TRIANGLE, canonical=True, fixed=["Color"])[0] == 10
    assert size(TRIANGLE, canonical=True, fixed=["Side"])[0] == 14
    assert size(TRIANGLE, canonical=True, fixed=["Side", "Color"]) == (27, 54)
    assert size(TRIANGLE_OF_OBJECTS, canonical=True)[0] == 6


def test_complete_triangles_differ_only_in_whether_all_sides_have_one_colour() -> None:
    """States 11, 12 and 14 of figure 3.2 (Ernits 2007) are complete triangles: 12 and 14, of two colours, are
    isomorphic; 11, of one colour, is isomorphic to neither."""
    found = space(TRIANGLE)
    graphs = StateGraphs(found)
    sides, colours = (list(cls) for cls in found.program.abstract)  # type: ignore[call-overload]
    keys: dict[bool, set[object]] = {True: set(), False: set()}
    for chosen in itertools.product(colours, repeat=3):
        keys[len(set(chosen)) == 1].add(graphs.key(State((Map(zip(sides, chosen, strict=True)),))))
    assert [len(found) for found in keys.values()] == [1, 1] and keys[True].isdisjoint(keys[False])


@pytest.mark.parametrize("n", [3, 4])
def test_scalar_sets_could_not_reduce_the_ring(n: int) -> None:
    """A scalar set allows every exchange of two of its elements. Of all renamings of philosophers and forks only the n
    rotations leave the table as it is, and none of them exchanges two philosophers: there is nothing to be gained."""
    found = space(PHILOSOPHERS, N=n)
    (start,) = found.initial()
    table = found.fire(start, *found.moves(start)).state
    assert table is not None
    fields = {row.element: row.fields for rows in table.heap for row in rows if "left" in row.fields}
    left = {person: held["left"] for person, held in fields.items()}
    right = {person: held["right"] for person, held in fields.items()}
    people, forks = list(left), list(left.values())
    kept = []
    for images in itertools.permutations(people):
        person = dict(zip(people, images, strict=True))
        for places in itertools.permutations(forks):
            fork = dict(zip(forks, places, strict=True))
            if all(fork[left[p]] == left[person[p]] and fork[right[p]] == right[person[p]] for p in people):
                kept.append(person)
    assert len(kept) == n
    assert not any(sum(p != q for p, q in person.items()) == 2 for person in kept)


ELEMENTS = (
    "from clew.model import *\nclass V(Abstract): A, B, C, D, E, F = range(6)\n"
    "x = None\n@action\ndef Go():\n    global x\n    x = 1\n"
)


def made() -> tuple[StateGraphs, list[Element]]:
    found = space(ELEMENTS)
    return StateGraphs(found), list(found.program.abstract[0])  # type: ignore[call-overload]


def alike(graphs: StateGraphs, first: object, second: object) -> bool:
    """By canonical keys, of Python and of the kernel; the exact matcher must say the same."""
    one, two = State((first,)), State((second,))
    by_key = graphs.key(one) == graphs.key(two)
    assert (isomorphism(graphs.graph(one)[0], graphs.graph(two)[0]) is not None) == by_key
    kernel = new_kernel()
    if kernel is not None:
        words = StateWords(graphs, kernel)
        assert (words.key(one) == words.key(two)) == by_key
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


# --- the kernel


def words_of(graph: LabelledGraph) -> bytes:
    """The graph as one block of records without elements."""
    words = array("i", [len(graph)])
    for label, out in zip(graph.labels, graph.out, strict=True):
        words.extend((-1, label, len(out), *(number for kind, target in out for number in (kind, -1 - target))))
    return words.tobytes()


def renumbered(chance: random.Random, size_: int, labels: list[int], arcs: list[tuple[int, int, int]]) -> LabelledGraph:
    place = list(range(size_))
    chance.shuffle(place)
    graph = LabelledGraph(relational={0, 1, 2}, labels=[0] * size_)
    graph.out, graph.into = [[] for _ in range(size_)], [[] for _ in range(size_)]
    for vertex, label in enumerate(labels):
        graph.labels[place[vertex]] = label
    for source, label, target in chance.sample(arcs, len(arcs)):
        graph.edge(place[source], label, place[target])
    return graph


@pytest.fixture
def kernel() -> Kernel:
    found = new_kernel()
    if found is None:
        pytest.skip("no C compiler")
    return found


SHAPES = {  # vertices and edges of graphs with much symmetry
    "ring": (12, [(n, (n + 1) % 12) for n in range(12)]),
    "three rings": (12, [(n, n - 3 if n % 4 == 3 else n + 1) for n in range(12)]),
    "matching": (12, [(n, n + 6) for n in range(6)]),
    "star of pairs": (13, [(0, n) for n in range(1, 7)] + [(n, n + 6) for n in range(1, 7)]),
    "complete": (8, [(a, b) for a in range(8) for b in range(8) if a != b]),
    "bipartite": (9, [(a, b) for a in range(4) for b in range(4, 9)]),
    "cube": (8, [(a, a ^ bit) for a in range(8) for bit in (1, 2, 4)]),
    "petersen": (10, [(a, b) for n in range(5) for a, b in ((n, (n + 1) % 5), (n, n + 5), (n + 5, (n + 2) % 5 + 5))]),
    "nothing": (9, []),
    "loops": (5, [(n, n) for n in range(5)]),
    "double edges": (4, [(0, 1), (0, 1), (0, 2), (3, 1), (3, 2), (3, 2)]),
}


@pytest.mark.parametrize("name", SHAPES)
def test_the_kernel_knows_symmetric_graphs_again_and_what_one_edge_changes(name: str, kernel: Kernel) -> None:
    chance = random.Random(name)
    size_, pairs = SHAPES[name]
    arcs = [(a, 0, b) for a, b in pairs]
    keys = {kernel.key(words_of(renumbered(chance, size_, [0] * size_, arcs))) for _ in range(10)}
    assert len(keys) == 1
    for _ in range(20):
        more = [*arcs, (chance.randrange(size_), chance.randrange(2), chance.randrange(size_))]
        changed = kernel.key(words_of(renumbered(chance, size_, [0] * size_, more)))
        again = kernel.key(words_of(renumbered(chance, size_, [0] * size_, more)))
        assert changed == again and changed not in keys - {None}


def test_the_kernel_agrees_with_nauty_on_random_graphs(kernel: Kernel) -> None:
    """Few labels and few edges: many are isomorphic. Nauty puts them into classes; the kernel must find the same."""
    chance = random.Random(11)
    classes: dict[object, set[bytes | None]] = {}
    keys: dict[bytes | None, set[object]] = {}
    for _ in range(1500):
        size_ = chance.randint(4, 6)
        labels = [chance.randrange(2) for _ in range(size_)]
        arcs = [(chance.randrange(size_), 0, chance.randrange(size_)) for _ in range(chance.randint(1, 5))]
        graph = renumbered(chance, size_, labels, arcs)
        rank = {vertex: n for n, vertex in enumerate(canonical_order(graph))}
        edges_ = sorted((rank[v], rank[t]) for v, out in enumerate(graph.out) for _, t in out)
        form = (tuple(graph.labels[v] for v in sorted(rank, key=rank.__getitem__)), tuple(edges_))
        key = kernel.key(words_of(graph))
        classes.setdefault(form, set()).add(key)
        keys.setdefault(key, set()).add(form)
    assert len(classes) < 1200 and None not in keys
    assert all(len(found) == 1 for found in (*classes.values(), *keys.values()))


def test_ordered_graphs_of_any_size_need_no_search(kernel: Kernel) -> None:
    """A list with pointers back: every vertex follows from the first. 100,000 vertices are a matter of milliseconds."""
    graph = LabelledGraph()
    for n in range(100_000):
        graph.vertex(int(n == 0))
        if n:
            graph.edge(n - 1, 0, n)
            graph.edge(n, 1, n // 2)
    assert kernel.key(words_of(graph)) is not None and kernel.searched == 0


def test_too_much_symmetry_is_left_to_nauty(kernel: Kernel) -> None:
    graphs, v = made()
    words = StateWords(graphs, kernel)
    pairs = list(itertools.combinations(range(6), 2))
    for seed in range(3):
        chance = random.Random(seed)
        names = dict(zip(v, chance.sample(v, 6), strict=True))
        value = Set.of(Set(Set(v[a], v[b]), Set(v[c], v[d])) for a, b in pairs for c, d in pairs if not {a, b} & {c, d})
        assert words.key(State((value,))) == words.key(State((_renamed(value, names),)))
    assert words.figures.by_nauty == 6
