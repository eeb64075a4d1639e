"""The same diagrams by OxiDD, which can use several threads for one operation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clew.solvers.bdd import Function, Unavailable

MISSING = "needs the Python package oxidd: pip install oxidd"
BYTES_PER_NODE = 16
CACHE_SHARE = 4  # one entry of the cache for so many nodes


class OxiddDiagrams:
    """Diagrams of OxiDD, with complement edges. `memory`: bytes they may have. `bits`: of a state, about; small systems
    get a small cache, which is made much faster."""

    def __init__(self, memory: int | None = None, threads: int = 1, bits: int = 200) -> None:
        try:
            from oxidd import bcdd, util
        except ImportError as error:
            raise Unavailable(MISSING) from error
        nodes = min((memory or 4 << 30) // (BYTES_PER_NODE + 8), (1 << 31) - 1)
        cache = 1 << (18 if bits <= 48 else 20 if bits <= 96 else 22)
        self._manager = bcdd.BCDDManager(nodes, max(1 << 16, min(nodes // CACHE_SHARE, cache)), threads)
        self._and = util.BooleanOperator.AND
        self._function = bcdd.BCDDFunction
        self._count = 0
        self._peak = 0
        self.true: Function = self._manager.true()
        self.false: Function = self._manager.false()

    def declare(self, count: int) -> None:
        self._manager.add_vars(count)
        self._count += count

    def variable(self, number: int) -> Function:
        return self._manager.var(number)

    def both(self, a: Function, b: Function) -> Function:
        return a & b

    def either(self, a: Function, b: Function) -> Function:
        return a | b

    def negated(self, a: Function) -> Function:
        return ~a

    def differ(self, a: Function, b: Function) -> Function:
        return a ^ b

    def chosen(self, test: Function, then: Function, other: Function) -> Function:
        return test.ite(then, other)

    def same(self, a: Function, b: Function) -> bool:
        return bool(a == b)

    def without(self, a: Function, b: Function) -> Function:
        return b.imp_strict(a)

    def cube(self, numbers: Sequence[int]) -> Any:
        found = self.true
        for number in sorted(numbers, reverse=True):
            found = found & self._manager.var(number)
        return found

    def exists(self, cube: Any, a: Function) -> Function:
        return a.exists(cube)

    def both_exists(self, cube: Any, a: Function, b: Function) -> Function:
        self._peak = max(self._peak, self._manager.approx_num_inner_nodes())
        return a.apply_exists(self._and, b, cube)

    def renaming(self, pairs: Mapping[int, int]) -> Any:
        """Of variables that the function has to variables that it has not."""
        return self._function.make_substitution([(old, self._manager.var(new)) for old, new in pairs.items()])

    def renamed(self, a: Function, renaming: Any) -> Function:
        return a.substitute(renaming)

    def composed(self, a: Function, values: Mapping[int, Function]) -> Function:
        """The function with functions put in place of variables, all at once."""
        return a.substitute(self._function.make_substitution(list(values.items()))) if values else a

    def holds(self, a: Function, values: Mapping[int, bool]) -> bool:
        return bool(a.eval([(n, values.get(n, False)) for n in range(self._count)]))

    def pick(self, a: Function) -> dict[int, bool] | None:
        found = a.pick_cube()
        return None if found is None else {n: value for n, value in enumerate(found) if value is not None}

    def count(self, a: Function, variables: int) -> int:
        """How many values of so many variables make the function true; exact."""
        return int(a.sat_count(self._count)) >> (self._count - variables)

    def branches(self, a: Function) -> tuple[int, Function, Function] | None:
        """The variable that is tested first, and what is left where it is false and where it is true."""
        variable = a.node_var()
        if variable is None:
            return None
        high, low = a.cofactors()
        return int(variable), low, high

    def size(self, a: Function) -> int:
        return int(a.node_count())

    def live_nodes(self) -> int:
        return int(self._manager.num_inner_nodes())

    def peak_nodes(self) -> int:
        """The most that were seen at a time, dead ones included."""
        return max(self._peak, self.live_nodes())

    def bytes(self) -> int:
        return self.peak_nodes() * BYTES_PER_NODE

    def sift(self) -> None:
        raise Unavailable("OxiDD does not reorder variables by itself; CUDD does")
