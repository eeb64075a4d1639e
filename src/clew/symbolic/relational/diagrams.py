"""Decision diagrams with operators: functions are combined with `&`, `|`, `~` and compared with `==`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from clew.solvers.bdd import CuddDiagrams, Diagrams
from clew.solvers.bdd_oxidd import OxiddDiagrams

Diagram = Any
CACHE = 1 << 22


class Algebra:
    """What the compiler needs of decision diagrams. Variables are numbers."""

    def __init__(self, memory: int | None = None, library: str = "oxidd", bits: int = 200) -> None:
        """`library`: oxidd, or cudd, which can reorder. `bits`: of a state, about."""
        self.diagrams: Diagrams
        self.diagrams = CuddDiagrams(memory, CACHE) if library == "cudd" else OxiddDiagrams(memory, bits=bits)
        self.true: Diagram = self.diagrams.true
        self.false: Diagram = self.diagrams.false
        self._renamings: dict[tuple[tuple[int, int], ...], Any] = {}
        self._cubes: dict[tuple[int, ...], Any] = {}

    def var(self, number: int) -> Diagram:
        return self.diagrams.variable(number)

    def ite(self, test: Diagram, a: Diagram, b: Diagram) -> Diagram:
        return self.diagrams.chosen(test, a, b)

    def iff(self, a: Diagram, b: Diagram) -> Diagram:
        return self.diagrams.chosen(a, b, ~b)

    def rename(self, names: Mapping[int, int], a: Diagram) -> Diagram:
        if not names:
            return a
        key = tuple(sorted(names.items()))
        if key not in self._renamings:
            self._renamings[key] = self.diagrams.renaming(names)
        return self.diagrams.renamed(a, self._renamings[key])

    def compose(self, values: Mapping[int, Diagram], a: Diagram) -> Diagram:
        return self.diagrams.composed(a, values)

    def _cube(self, names: Iterable[int]) -> Any:
        key = tuple(sorted(names))
        if key not in self._cubes:
            self._cubes[key] = self.diagrams.cube(key)
        return self._cubes[key] if key else None

    def exists(self, names: Iterable[int], a: Diagram) -> Diagram:
        cube = self._cube(names)
        return a if cube is None else self.diagrams.exists(cube, a)

    def and_exists(self, a: Diagram, b: Diagram, names: Iterable[int]) -> Diagram:
        cube = self._cube(names)
        return a & b if cube is None else self.diagrams.both_exists(cube, a, b)

    def size(self, a: Diagram) -> int:
        return self.diagrams.size(a)

    # the Booleans of an encoder (clew.core.relational.booleans.Builder)

    def not_(self, a: Diagram) -> Diagram:
        return ~a

    def and_(self, a: Diagram, b: Diagram) -> Diagram:
        return a & b

    def or_(self, a: Diagram, b: Diagram) -> Diagram:
        return a | b

    def is_true(self, a: Diagram) -> bool:
        return bool(a == self.true)

    def is_false(self, a: Diagram) -> bool:
        return bool(a == self.false)
