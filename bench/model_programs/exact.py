"""Sizes that are known exactly, each counted in several ways: by canonical keys (compiled, and in Python), by comparing
with every state of the same colours (the exact matcher), and by trying all permutations of the elements.

Known: Ernits, "Two State Space Reduction Techniques for Explicit State Model Checking" (2007), sections 2.4 and 3; the
classes of the philosophers are the necklaces that their states are. Then random values: each against a copy with
its elements exchanged, and against one with a single change, where the permutations say what is true.
"""

from __future__ import annotations

import argparse
import itertools
import random
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from clew.core.engines import Limits
from clew.core.registry import LoadOptions
from clew.frontends.modelprogram.canonical_space import CanonicalSpace
from clew.frontends.modelprogram.elements import Element
from clew.frontends.modelprogram.language import read_programs
from clew.frontends.modelprogram.program import Program
from clew.frontends.modelprogram.space import ModelSpace, State
from clew.frontends.modelprogram.state_graph import StateGraphs, rename
from clew.frontends.modelprogram.state_words import StateWords
from clew.frontends.modelprogram.values import Bag, Map, Set
from clew.frontends.modelprogram.values import Sequence as Row
from clew.reference.search import breadth_first
from clew.solvers.isomorphism import isomorphism, new_kernel
from clew.solvers.isomorphism.refine import refined

PHILOSOPHERS = (Path(__file__).parents[2] / "examples/python/philosophers.py").read_text(encoding="utf-8")
TRIANGLE = """
from clew.model import *
class Side(Abstract): S1, S2, S3 = range(3)
class Color(Abstract): RED, BLUE = range(2)
assigned = Map()
@action
def AssignColor(s: Side, c: Color):
    global assigned
    assigned = assigned.add(s, c)
@guard("AssignColor")
def _(s): return s not in assigned
"""
TRIANGLE_OF_OBJECTS = """
from clew.model import *
class Color(Abstract): RED, BLUE = range(2)
class Side(Instance): color = None
sides = Set()
@action
def AssignColor(s: New(Side), c: Color):
    global sides
    s.color = c
    sides = sides.add(s)
@guard("AssignColor")
def _(): return len(sides) < 3
"""
CLASSES = {2: 5, 3: 10, 4: 23, 5: 50, 6: 129, 7: 314, 8: 833, 9: 2194, 10: 5933}
MOST_PERMUTATIONS = 1000


def program(text: str, **defines: object) -> Program:
    options = LoadOptions({name: str(value) for name, value in defines.items()})
    return read_programs([compile(text, "model.py", "exec")], [("model.py", text)], options)


def types(found: Program, names: Iterable[str]) -> list[type]:
    return [cls for cls in (*found.classes, *found.abstract) if cls.__name__ in set(names)]


# --- ways to tell states apart


class MatchedSpace(ModelSpace):
    """A state is the same as an earlier one if the exact matcher says so."""

    def __init__(self, found: Program, fixed: Iterable[type] = ()) -> None:
        super().__init__(found)
        self._graphs = StateGraphs(self, fixed)
        self._buckets: dict[Hashable, list[tuple[Any, int]]] = {}
        self._count = 0
        self._is_plain = {*found.classes, *found.abstract} <= {*fixed}
        self.tests = 0

    def key(self, state: State) -> Hashable:
        if self._is_plain:
            return state
        graph, _ = self._graphs.graph(state)
        bucket = self._buckets.setdefault(tuple(sorted(refined(graph))), [])
        for other, number in bucket:
            self.tests += 1
            if isomorphism(graph, other) is not None:
                return number
        bucket.append((graph, self._count))
        self._count += 1
        return self._count - 1


class PermutedSpace(ModelSpace):
    """The key is the least of what all permutations of the elements make of a state."""

    def __init__(self, found: Program, fixed: Iterable[type] = ()) -> None:
        super().__init__(found)
        self._free = [cls for cls in found.abstract if cls not in tuple(fixed)]
        self._fixed = tuple(fixed)

    def key(self, state: State) -> Hashable:
        groups: list[list[Any]] = [list(cls) for cls in self._free]  # type: ignore[call-overload]
        groups += [
            [row.element for row in rows] for rows in state.heap if rows and type(rows[0].element) not in self._fixed
        ]
        return min((self._written(state, names) for names in permutations(groups)), key=repr)

    def _written(self, state: State, names: dict[Element, Any]) -> Hashable:
        def name(element: Element) -> Any:
            return names.get(element, element._name())

        heap = [
            sorted((name(row.element), *map(readable, renamed(row.values, name))) for row in rows)
            for rows in state.heap
        ]
        return tuple(map(readable, renamed(state.values, name))), tuple(map(tuple, heap))


def renamed(values: Iterable[Any], name: Callable[[Element], Any]) -> list[Any]:
    return [rename(value, name) for value in values]


def readable(value: Any) -> str:
    """A text that equal values share."""
    return repr(value) if not isinstance(value, frozenset) else f"Set{sorted(map(readable, value))}"


def permutations(groups: Sequence[Sequence[Any]]) -> Iterator[dict[Element, str]]:
    for images in itertools.product(*(itertools.permutations(range(len(group))) for group in groups)):
        yield {
            element: f"{type(element).__name__}:{n:03}"
            for group, image in zip(groups, images, strict=True)
            for element, n in zip(group, image, strict=True)
        }


def count(space: ModelSpace) -> tuple[int, int]:
    figures = breadth_first(space, frozenset(), Limits(), True).statistics
    return figures.states, figures.transitions


# --- rows


def rows() -> Iterator[tuple[str, str, Callable[[], Program], tuple[str, ...], int, int | None, int]]:
    """Name, what is reduced, the program, types that are not, states, transitions if known, and permutations."""
    for n in (3, 5):
        made = lambda n=n: program(PHILOSOPHERS, N=n)  # noqa: E731
        yield (
            f"philosophers, n = {n}",
            "nothing",
            made,
            ("Fork", "Philosopher"),
            3**n,
            n * (2 * 3 ** (n - 1) - 1) + 1,
            1,
        )
    yield "triangle", "nothing", lambda: program(TRIANGLE), ("Side", "Color"), 27, 54, 1
    yield "triangle of objects", "nothing", lambda: program(TRIANGLE_OF_OBJECTS), ("Side", "Color"), 15, 14, 1
    yield "triangle", "sides and colours", lambda: program(TRIANGLE), (), 6, 14, 12
    yield "triangle", "sides", lambda: program(TRIANGLE), ("Color",), 10, None, 6
    yield "triangle", "colours", lambda: program(TRIANGLE), ("Side",), 14, None, 2
    yield "triangle of objects", "sides and colours", lambda: program(TRIANGLE_OF_OBJECTS), (), 6, None, 12
    for n, classes in CLASSES.items():
        made = lambda n=n: program(PHILOSOPHERS, N=n)  # noqa: E731
        factorial = len(list(itertools.permutations(range(n)))) if n < 6 else MOST_PERMUTATIONS
        yield f"philosophers, n = {n}", "all", made, (), classes + 1, None, factorial**2


def counted(largest: int) -> bool:
    """Prints the table. `largest`: number of states up to which the slower ways are used, too."""
    print("| model | reduced by | known | compiled | Python | matcher | permutations |")
    print("|---|---|--:|--:|--:|--:|--:|")
    fine = True
    for name, what, made, fixed, states, transitions, tries in rows():
        found: list[str] = []
        for way in (CanonicalSpace, "python", MatchedSpace, PermutedSpace):
            slow = way is not CanonicalSpace and states > largest
            if slow or (way is PermutedSpace and tries > MOST_PERMUTATIONS) or (way is PermutedSpace and tries == 1):
                found.append("–")
                continue
            here = made()
            kept = types(here, fixed)
            space = CanonicalSpace(here, kept, compiled=False) if way == "python" else way(here, kept)  # type: ignore[operator]
            got = count(space)
            agrees = got[0] == states and transitions in (None, got[1])
            fine &= agrees
            found.append(f"{got[0]:,} / {got[1]:,}" + ("" if agrees else " ✗"))
        known = f"{states:,}" if transitions is None else f"{states:,} / {transitions:,}"
        print(f"| {name} | {what} | {known} | {' | '.join(found)} |", flush=True)
    return fine


# --- random values


ELEMENTS = (
    "from clew.model import *\nclass V(Abstract): A, B, C, D = range(4)\n"
    "x = None\n@action\ndef Go():\n    global x\n    x = 1\n"
)


def random_value(chance: random.Random, elements: Sequence[Element], depth: int) -> Any:
    if depth == 0 or chance.random() < 0.3:
        return chance.choice([*elements, *elements, 0, 1, None, "a"])
    parts = [random_value(chance, elements, depth - 1) for _ in range(chance.randrange(4))]
    return chance.choice([Set.of, Bag.of, Row.of, lambda p: Map(zip(p, reversed(p), strict=True))])(parts)


def exchanged(value: Any, names: dict[Element, Element]) -> Any:
    match value:
        case Element():
            return names[value]
        case Set():
            return Set.of(exchanged(part, names) for part in value)
        case Bag():
            return Bag.of(exchanged(part, names) for part in value)
        case Row():
            return Row.of(exchanged(part, names) for part in value)
        case Map():
            return Map((exchanged(k, names), exchanged(v, names)) for k, v in value.items())
    return value


def mutated(chance: random.Random, value: Any, elements: Sequence[Element]) -> Any:
    """One part of it is another value."""
    match value:
        case Set() | Bag() | Row() if len(value):
            parts = list(value)
            at = chance.randrange(len(parts))
            parts[at] = mutated(chance, parts[at], elements)
            return type(value).of(parts)
        case Map() if len(value):
            pairs = list(value.items())
            at = chance.randrange(len(pairs))
            pairs[at] = (pairs[at][0], mutated(chance, pairs[at][1], elements))
            return Map(pairs)
    return random_value(chance, elements, 1)


def random_values(number: int, seed: int = 25) -> tuple[int, int, int]:
    """How many values were compared with a mutated one, how many of these were isomorphic, and how often a way was
    wrong: about a value with its elements exchanged, or about the mutated one."""
    found = program(ELEMENTS)
    graphs = StateGraphs(ModelSpace(found))
    kernel = new_kernel()
    ways: list[Callable[[State], Hashable]] = [graphs.key]
    if kernel is not None:
        ways.append(StateWords(graphs, kernel).key)
    elements: list[Element] = list(found.abstract[0])  # type: ignore[call-overload]
    every = [dict(zip(elements, image, strict=True)) for image in itertools.permutations(elements)]
    chance = random.Random(seed)
    alike = wrong = 0
    for _ in range(number):
        value = random_value(chance, elements, 3)
        other = mutated(chance, value, elements)
        truth = any(exchanged(value, names) == other for names in every)
        alike += truth
        shuffled = State((exchanged(value, chance.choice(every)),))
        one, two = State((value,)), State((other,))
        for key in ways:
            mine = key(one)
            wrong += (mine != key(shuffled)) + ((mine == key(two)) != truth)
        matched = isomorphism(graphs.graph(one)[0], graphs.graph(two)[0]) is not None
        wrong += matched != truth
    return number, alike, wrong


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.model_programs exact", description=__doc__)
    parser.add_argument("--random", type=int, default=10_000, help="random values to compare")
    parser.add_argument("--largest", type=int, default=1000, help="classes up to which the slow ways are used, too")
    arguments = parser.parse_args(words)
    fine = counted(arguments.largest)
    began = time.process_time()
    number, alike, wrong = random_values(arguments.random)
    print(
        f"{number:,} random values, each against itself with elements exchanged and against a mutated one "
        f"({alike:,} of these isomorphic): {wrong} wrong answers, {time.process_time() - began:.0f} s"
    )
    return 0 if fine and not wrong else 1
