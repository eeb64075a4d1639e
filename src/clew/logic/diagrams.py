"""Decision diagrams over numbered variables: the conditions on the edges of automata.

A diagram is a number; equal functions have equal numbers within one `Diagrams`. A diagram may end in any hashable
value; a *condition* ends in `False` or `True` only.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Final

Diagram = int
NEVER: Final[Diagram] = 0
ANY: Final[Diagram] = 1
_LEAF: Final = 1 << 60  # the variable of a leaf: below all others

Cube = tuple[int, int]
"""Variables that must be true and variables that must be false, as bit masks."""


class Diagrams:
    """A growing store of diagrams."""

    def __init__(self) -> None:
        self._nodes: list[tuple[int, int, int]] = []  # variable, when false, when true; leaf: index of its value
        self._number: dict[tuple[int, int, int], Diagram] = {}
        self._values: list[Hashable] = []
        self._leaves: dict[Hashable, Diagram] = {}
        self._and: dict[tuple[int, int], Diagram] = {}
        self._not: dict[int, Diagram] = {NEVER: ANY, ANY: NEVER}
        self.leaf(False)
        self.leaf(True)

    def leaf(self, value: Hashable) -> Diagram:
        """The constant function."""
        found = self._leaves.get(value)
        if found is None:
            found = self._leaves[value] = len(self._nodes)
            self._nodes.append((_LEAF, len(self._values), 0))
            self._values.append(value)
        return found

    def choose(self, variable: int, when_false: Diagram, when_true: Diagram) -> Diagram:
        """A case distinction above diagrams of later variables."""
        if when_false == when_true:
            return when_false
        key = variable, when_false, when_true
        found = self._number.get(key)
        if found is None:
            found = self._number[key] = len(self._nodes)
            self._nodes.append(key)
        return found

    def variable(self, number: int) -> Diagram:
        return self.choose(number, NEVER, ANY)

    def combine(
        self, operation: Callable[[Hashable, Hashable], Hashable], known: dict[tuple[int, int], int], a: int, b: int
    ) -> Diagram:
        """The operation on values, applied everywhere. `known` remembers results between calls."""
        found = known.get((a, b))
        if found is not None:
            return found
        variable_a, low_a, high_a = self._nodes[a]
        variable_b, low_b, high_b = self._nodes[b]
        top = min(variable_a, variable_b)
        if top == _LEAF:
            found = self.leaf(operation(self._values[low_a], self._values[low_b]))
        else:
            if variable_a != top:
                low_a = high_a = a
            if variable_b != top:
                low_b = high_b = b
            found = self.choose(
                top,
                self.combine(operation, known, low_a, low_b),
                self.combine(operation, known, high_a, high_b),
            )
        known[a, b] = found
        return found

    def both(self, a: Diagram, b: Diagram) -> Diagram:
        """Conjunction of conditions."""
        if a == b or b == ANY:
            return a
        if a == ANY:
            return b
        if a == NEVER or b == NEVER:
            return NEVER
        key = (a, b) if a < b else (b, a)
        found = self._and.get(key)
        if found is None:
            variable_a, low_a, high_a = self._nodes[a]
            variable_b, low_b, high_b = self._nodes[b]
            top = min(variable_a, variable_b)
            if variable_a != top:
                low_a = high_a = a
            if variable_b != top:
                low_b = high_b = b
            found = self._and[key] = self.choose(top, self.both(low_a, low_b), self.both(high_a, high_b))
        return found

    def negate(self, a: Diagram) -> Diagram:
        found = self._not.get(a)
        if found is None:
            variable, low, high = self._nodes[a]
            found = self._not[a] = self.choose(variable, self.negate(low), self.negate(high))
        return found

    def either(self, a: Diagram, b: Diagram) -> Diagram:
        """Disjunction of conditions."""
        return self.negate(self.both(self.negate(a), self.negate(b)))

    def minus(self, a: Diagram, b: Diagram) -> Diagram:
        """Where the first condition holds and the second does not."""
        return self.both(a, self.negate(b))

    def value(self, diagram: Diagram, truth: Callable[[int], bool]) -> Hashable:
        """What the function is for one valuation of the variables."""
        variable, low, high = self._nodes[diagram]
        while variable != _LEAF:
            variable, low, high = self._nodes[high if truth(variable) else low]
        return self._values[low]

    def cases(self, diagram: Diagram) -> dict[Hashable, Diagram]:
        """For each value the condition under which the function has it. The conditions exclude each other."""
        known: dict[Diagram, dict[Hashable, Diagram]] = {}

        def visit(node: Diagram) -> dict[Hashable, Diagram]:
            found = known.get(node)
            if found is None:
                variable, low, high = self._nodes[node]
                if variable == _LEAF:
                    found = {self._values[low]: ANY}
                else:
                    below, above = visit(low), visit(high)
                    found = {
                        value: self.choose(variable, below.get(value, NEVER), above.get(value, NEVER))
                        for value in (*below, *(v for v in above if v not in below))
                    }
                known[node] = found
            return found

        return visit(diagram)

    def cubes(self, condition: Diagram, possible: Diagram = ANY) -> list[Cube]:
        """An irredundant sum of products (Minato 1992): few cubes that together are the condition where `possible`."""
        known: dict[tuple[Diagram, Diagram], tuple[list[Cube], Diagram]] = {}

        def cover(least: Diagram, most: Diagram) -> tuple[list[Cube], Diagram]:
            """Cubes that include `least` and stay within `most`, and their union."""
            if least == NEVER:
                return [], NEVER
            if most == ANY:
                return [(0, 0)], ANY
            found = known.get((least, most))
            if found is None:
                top = min(self._nodes[least][0], self._nodes[most][0])
                least0, least1 = self._cofactors(least, top)
                most0, most1 = self._cofactors(most, top)
                cubes0, done0 = cover(self.minus(least0, most1), most0)
                cubes1, done1 = cover(self.minus(least1, most0), most1)
                rest = self.either(self.minus(least0, done0), self.minus(least1, done1))
                cubes, done = cover(rest, self.both(most0, most1))
                bit = 1 << top
                found = known[least, most] = (
                    [(p, n | bit) for p, n in cubes0] + [(p | bit, n) for p, n in cubes1] + cubes,
                    self.choose(top, self.either(done0, done), self.either(done1, done)),
                )
            return found

        least = self.both(condition, possible)
        return cover(least, self.either(least, self.negate(possible)))[0]

    def _cofactors(self, node: Diagram, variable: int) -> tuple[Diagram, Diagram]:
        top, low, high = self._nodes[node]
        return (low, high) if top == variable else (node, node)

    def cube(self, cube: Cube) -> Diagram:
        """The condition that a cube is."""
        positive, negative = cube
        found = ANY
        for variable in reversed(range((positive | negative).bit_length())):
            if positive >> variable & 1:
                found = self.choose(variable, NEVER, found)
            elif negative >> variable & 1:
                found = self.choose(variable, found, NEVER)
        return found

    def blocks(self, possible: Diagram, conditions: Iterable[Diagram], most: int) -> list[Diagram] | None:
        """The coarsest partition of `possible` that every condition in it is a union of; None if past `most` blocks."""
        blocks = [possible] if possible != NEVER else []
        for condition in dict.fromkeys(conditions):
            split = ((self.both(b, condition), self.minus(b, condition)) for b in blocks)
            blocks = [part for pair in split for part in pair if part != NEVER]
            if len(blocks) > most:
                return None
        return blocks
