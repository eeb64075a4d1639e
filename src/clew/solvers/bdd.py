"""Binary decision diagrams behind one small class; CUDD (through `dd`) does the work.

Variables are numbers, in the order in which they are declared; that is also their first order in diagrams. Functions
are opaque and compared with `==`; equal functions are the same.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from clew.host.extras import install_command

Function = Any


class Unavailable(Exception):
    """The library is not installed; the text says what to install."""


class Diagrams(Protocol):
    """What symbolic engines need of a library of decision diagrams (and of a Boolean algebra: `words.Booleans`)."""

    @property
    def true(self) -> Function: ...
    @property
    def false(self) -> Function: ...
    def declare(self, count: int) -> None: ...
    def variable(self, number: int) -> Function: ...
    def both(self, a: Function, b: Function, /) -> Function: ...
    def either(self, a: Function, b: Function, /) -> Function: ...
    def negated(self, a: Function, /) -> Function: ...
    def differ(self, a: Function, b: Function, /) -> Function: ...
    def chosen(self, test: Function, then: Function, other: Function, /) -> Function: ...
    def same(self, a: Function, b: Function, /) -> bool: ...
    def without(self, a: Function, b: Function, /) -> Function: ...
    def cube(self, numbers: Sequence[int]) -> Any: ...
    def exists(self, cube: Any, a: Function) -> Function: ...
    def both_exists(self, cube: Any, a: Function, b: Function) -> Function: ...
    def renaming(self, pairs: Mapping[int, int]) -> Any: ...
    def renamed(self, a: Function, renaming: Any) -> Function: ...
    def composed(self, a: Function, values: Mapping[int, Function]) -> Function: ...
    def holds(self, a: Function, values: Mapping[int, bool]) -> bool: ...
    def pick(self, a: Function) -> dict[int, bool] | None: ...
    def count(self, a: Function, variables: int) -> int: ...
    def size(self, a: Function) -> int: ...
    def branches(self, a: Function) -> tuple[int, Function, Function] | None: ...
    def live_nodes(self) -> int: ...
    def peak_nodes(self) -> int: ...
    def bytes(self) -> int: ...
    def sift(self) -> None: ...


@contextlib.contextmanager
def full_is_memory_error() -> Iterator[None]:
    """Inside, diagrams that need more memory than they may have raise MemoryError, whatever the library."""
    try:
        yield
    except ValueError as error:
        if "is `NULL` pointer" not in str(error):  # what `dd` says where CUDD gives no node
            raise
        raise MemoryError from error


class CuddDiagrams:
    """Diagrams of CUDD. `memory`: bytes they may have. `cache`: results that are kept from the start; it grows by
    itself, but too late where one operation is large."""

    def __init__(self, memory: int | None = None, cache: int = 1 << 18) -> None:
        try:
            from dd import cudd
        except ImportError as error:
            raise Unavailable(f"needs the Python package dd with CUDD: {install_command('cudd')}") from error
        self._cudd = cudd
        self._bdd = cudd.BDD(memory_estimate=memory or 8 << 30, initial_cache_size=cache)
        self._bdd.configure(reordering=False, max_cache_hard=1 << 24)
        if memory is not None:
            self._bdd.configure(max_memory=memory)
        self._names: list[str] = []
        self.true: Function = self._bdd.true
        self.false: Function = self._bdd.false

    def declare(self, count: int) -> None:
        names = [f"v{len(self._names) + n}" for n in range(count)]
        self._bdd.declare(*names)
        self._names += names

    def variable(self, number: int) -> Function:
        return self._bdd.var(self._names[number])

    def both(self, a: Function, b: Function) -> Function:
        return a & b

    def either(self, a: Function, b: Function) -> Function:
        return a | b

    def negated(self, a: Function) -> Function:
        return ~a

    def differ(self, a: Function, b: Function) -> Function:
        return self._bdd.apply("xor", a, b)

    def chosen(self, test: Function, then: Function, other: Function) -> Function:
        return self._bdd.ite(test, then, other)

    def same(self, a: Function, b: Function) -> bool:
        return bool(a == b)

    def without(self, a: Function, b: Function) -> Function:
        return a & ~b

    def cube(self, numbers: Sequence[int]) -> Any:
        return frozenset(self._names[n] for n in numbers)

    def exists(self, cube: Any, a: Function) -> Function:
        return self._bdd.exist(cube, a) if cube else a

    def both_exists(self, cube: Any, a: Function, b: Function) -> Function:
        return self._cudd.and_exists(a, b, cube)

    def renaming(self, pairs: Mapping[int, int]) -> Any:
        """Of variables that the function has to variables that it has not."""
        return {self._names[old]: self._names[new] for old, new in pairs.items()}

    def renamed(self, a: Function, renaming: Any) -> Function:
        return self._bdd.let(renaming, a) if renaming else a

    def composed(self, a: Function, values: Mapping[int, Function]) -> Function:
        """The function with functions put in place of variables, all at once."""
        return self._bdd.let({self._names[n]: value for n, value in values.items()}, a) if values else a

    def holds(self, a: Function, values: Mapping[int, bool]) -> bool:
        """Walks down from the root; needs a value for each variable of the function."""
        inverted = False
        while True:
            inverted ^= a.negated
            if a.var is None:
                return not inverted
            _, low, high = self._bdd.succ(a)
            # `succ` gives the children of the node itself, whatever the sign of the edge to it.
            a = high if values[int(a.var[1:])] else low

    def pick(self, a: Function) -> dict[int, bool] | None:
        found = self._bdd.pick(a)
        return None if found is None else {int(name[1:]): value for name, value in found.items()}

    def count(self, a: Function, variables: int) -> int:
        """How many values of so many variables make the function true; exact."""
        return count_exactly(a, variables, self._children, self.false, self.true)

    def _children(self, a: Function) -> tuple[int, Function, Function]:
        level, low, high = self._bdd.succ(a)
        return level, (~low if a.negated else low), (~high if a.negated else high)

    def branches(self, a: Function) -> tuple[int, Function, Function] | None:
        """The variable that is tested first, and what is left where it is false and where it is true."""
        if a.var is None:
            return None
        _, low, high = self._children(a)
        return int(a.var[1:]), low, high

    def size(self, a: Function) -> int:
        return len(a)

    def live_nodes(self) -> int:
        return len(self._bdd)

    def peak_nodes(self) -> int:
        return int(self._statistics()["peak_live_nodes"])

    def bytes(self) -> int:
        return int(self._statistics()["mem"])

    def _statistics(self) -> dict[str, float]:
        with warnings.catch_warnings():  # about a unit that changed years ago
            warnings.simplefilter("ignore")
            figures: dict[str, float] = self._bdd.statistics()
            return figures

    def sift(self) -> None:
        self._cudd.reorder(self._bdd)


def count_exactly(a: Function, variables: int, children: Any, false: Function, true: Function) -> int:
    """Counts by walking the diagram once; every variable of it must be among the counted ones."""
    if a == false:
        return 0
    if a == true:
        return 1 << variables
    # A node's share of all assignments, as a fraction of 2**variables: exact with integers, since each level halves it.
    known: dict[Function, int] = {}
    stack = [a]
    whole = 1 << variables
    while stack:
        node = stack[-1]
        if node in known:
            stack.pop()
            continue
        _, low, high = children(node)
        missing = [child for child in (low, high) if child not in known and child not in (false, true)]
        if missing:
            stack += missing
            continue
        total = 0
        for child in (low, high):
            total += 0 if child == false else whole if child == true else known[child]
        known[node] = total >> 1
        stack.pop()
    return known[a]


def bits_of(values: Sequence[int], widths: Sequence[int]) -> Iterator[bool]:
    """The bits of each value, lowest first."""
    for value, width in zip(values, widths, strict=True):
        for place in range(width):
            yield bool(value >> place & 1)
