"""The steps of a long run by their names: a number for each step, and what the numbers stand for."""

from __future__ import annotations

import base64
import binascii
import sys
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar, overload

N = TypeVar("N", bound=Sequence[int | None])
M = TypeVar("M", bound=Sequence[int | None])

_BYTES = 4


class PackedSteps(Sequence[N], Generic[N]):
    """A sequence of names, 4 bytes each. Equal names are one object."""

    __slots__ = ("_known", "_names", "_numbers")

    def __init__(self, names: Iterable[N] = (), numbers: array[int] | None = None) -> None:
        self._names = list(names)
        self._known = {name: number for number, name in enumerate(self._names)}
        self._numbers = array("I") if numbers is None else numbers

    def append(self, name: N) -> None:
        number = self._known.get(name)
        if number is None:
            number = self._known[name] = len(self._names)
            self._names.append(name)
        self._numbers.append(number)

    def named(self, make: Callable[[N], M]) -> PackedSteps[M]:
        """The same steps with other names."""
        return PackedSteps(map(make, self._names), self._numbers)

    def followed_by(self, others: PackedSteps[N]) -> PackedSteps[N]:
        """These steps, then the others."""
        both = PackedSteps(self._names, self._numbers[:])
        renumbered = []
        for name in others._names:
            if name not in both._known:
                both._known[name] = len(both._names)
                both._names.append(name)
            renumbered.append(both._known[name])
        both._numbers.extend(array("I", (renumbered[number] for number in others._numbers)))
        return both

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[N]:
        return map(self._names.__getitem__, self._numbers)

    @overload
    def __getitem__(self, index: int) -> N: ...

    @overload
    def __getitem__(self, index: slice) -> PackedSteps[N]: ...

    def __getitem__(self, index: int | slice) -> N | PackedSteps[N]:
        if isinstance(index, slice):
            return PackedSteps(self._names, self._numbers[index])
        return self._names[self._numbers[index]]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PackedSteps) and self._names == other._names and self._numbers == other._numbers

    def __hash__(self) -> int:
        return hash((tuple(self._names), len(self._numbers)))


def packed_to_json(steps: PackedSteps[Any]) -> dict[str, Any]:
    """`names`, and `numbers`: 4 bytes for each step, the lowest first, compressed (zlib) and written in base 64."""
    numbers = steps._numbers
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    packed = base64.b64encode(zlib.compress(memoryview(numbers), 1))
    return {"names": [list(name) for name in steps._names], "numbers": packed.decode("ascii")}


def packed_from_json(data: Mapping[str, Any]) -> PackedSteps[tuple[int | None, ...]]:
    """The inverse of packed_to_json. Raises ValueError."""
    numbers = array("I")
    try:
        numbers.frombytes(zlib.decompress(base64.b64decode(data["numbers"])))
    except (zlib.error, binascii.Error) as error:
        raise ValueError(f"its steps are damaged: {error}") from None
    if sys.byteorder == "big":
        numbers.byteswap()
    names = [tuple(None if part is None else int(part) for part in name) for name in data["names"]]
    if numbers and max(numbers) >= len(names):
        raise ValueError("its steps are damaged: one has no name")
    return PackedSteps(names, numbers)


assert array("I").itemsize == _BYTES
