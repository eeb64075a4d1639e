"""Immutable values for the state of a model program: sets, maps, bags, sequences, pairs, records.

An operation gives a new value; a change is seen only if the variable is assigned. Iteration goes in one fixed order of
all values (`in_order`), whatever the hash seed: a model must not depend on it, and runs must be the same every time.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from typing import Any, Generic, NamedTuple, SupportsIndex, TypeVar, dataclass_transform, overload

from clew.frontends.modelprogram.elements import Element

T = TypeVar("T")
U = TypeVar("U")
K = TypeVar("K")
V = TypeVar("V")


@dataclass_transform(frozen_default=True)
def record(cls: type[T]) -> type[T]:
    """Makes a class of named fields into a value: `@record class Point: x: int; y: int`."""
    return dataclasses.dataclass(frozen=True, slots=True)(cls)


class Set(frozenset[T]):
    """`Set(1, 2)`; `Set.of(range(3))` for the elements of something. Operators as for Python's sets."""

    __slots__ = ("_ordered",)
    _ordered: tuple[T, ...]

    def __new__(cls, *elements: T) -> Set[T]:
        return frozenset.__new__(cls, elements)

    @staticmethod
    def of(elements: Iterable[T]) -> Set[T]:
        return frozenset.__new__(Set, elements)

    def add(self, element: T) -> Set[T]:
        return self if element in self else Set.of((*frozenset.__iter__(self), element))

    def remove(self, element: T) -> Set[T]:
        """Without the element; it is no error if it is not in."""
        return Set.of(e for e in frozenset.__iter__(self) if e != element) if element in self else self

    def __iter__(self) -> Iterator[T]:
        try:
            return iter(self._ordered)
        except AttributeError:
            self._ordered = in_order(frozenset.__iter__(self))
            return iter(self._ordered)

    def __or__(self, other: Iterable[U]) -> Set[T | U]:
        return Set.of(frozenset.__or__(self, _plain(other)))

    def __and__(self, other: Iterable[object]) -> Set[T]:
        return Set.of(frozenset.__and__(self, _plain(other)))

    def __sub__(self, other: Iterable[object]) -> Set[T]:
        return Set.of(frozenset.__sub__(self, _plain(other)))

    def __xor__(self, other: Iterable[U]) -> Set[T | U]:
        return Set.of(frozenset.__xor__(self, _plain(other)))

    def __repr__(self) -> str:
        return f"Set({', '.join(map(repr, self))})"

    def __reduce__(self) -> tuple[Callable[..., Set[T]], tuple[tuple[T, ...]]]:
        return Set.of, (tuple(frozenset.__iter__(self)),)


class Map(Generic[K, V]):
    """`Map({k: v})`, or pairs. `m.set(k, v)` and `m.remove(k)` give new maps; keys come in order."""

    __slots__ = ("_hash", "_items")
    _hash: int

    def __init__(self, items: Mapping[K, V] | Iterable[tuple[K, V]] = ()) -> None:
        self._items: dict[K, V] = dict(items)

    def set(self, key: K, value: V) -> Map[K, V]:
        return Map({**self._items, key: value})

    def add(self, key: K, value: V) -> Map[K, V]:
        """Raises KeyError if the key is there already."""
        if key in self._items:
            raise KeyError(key)
        return self.set(key, value)

    def remove(self, key: K) -> Map[K, V]:
        """Without the key; it is no error if it is not there."""
        return Map((k, v) for k, v in self._items.items() if k != key) if key in self._items else self

    def get(self, key: K, default: V | None = None) -> V | None:
        return self._items.get(key, default)

    def keys(self) -> Set[K]:
        return Set.of(self._items)

    def values(self) -> Bag[V]:
        return Bag(*self._items.values())

    def items(self) -> Iterator[tuple[K, V]]:
        return ((key, self._items[key]) for key in self)

    def __getitem__(self, key: K) -> V:
        return self._items[key]

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def __iter__(self) -> Iterator[K]:
        return iter(in_order(self._items))

    def __len__(self) -> int:
        return len(self._items)

    def __or__(self, other: Mapping[K, V] | Map[K, V]) -> Map[K, V]:
        return Map({**self._items, **(other._items if isinstance(other, Map) else other)})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Map) and self._items == other._items

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            self._hash = hash(frozenset(self._items.items()))
            return self._hash

    def __repr__(self) -> str:
        return f"Map({{{', '.join(f'{key!r}: {value!r}' for key, value in self.items())}}})"


class Bag(Generic[T]):
    """A set that may hold an element several times: `Bag(1, 1, 2)`. Iteration repeats elements."""

    __slots__ = ("_counts", "_hash")
    _hash: int

    def __init__(self, *elements: T) -> None:
        self._counts: dict[T, int] = {}
        for element in elements:
            self._counts[element] = self._counts.get(element, 0) + 1

    @staticmethod
    def of(elements: Iterable[T]) -> Bag[T]:
        return Bag(*elements)

    def _with(self, element: T, count: int) -> Bag[T]:
        new: Bag[T] = Bag()
        new._counts = {**self._counts, element: count}
        if count == 0:
            del new._counts[element]
        return new

    def add(self, element: T) -> Bag[T]:
        return self._with(element, self.count(element) + 1)

    def remove(self, element: T) -> Bag[T]:
        """With one less of the element; it is no error if there is none."""
        return self._with(element, self.count(element) - 1) if element in self._counts else self

    def count(self, element: T) -> int:
        return self._counts.get(element, 0)

    def counts(self) -> Iterator[tuple[T, int]]:
        return ((element, self._counts[element]) for element in in_order(self._counts))

    def distinct(self) -> Set[T]:
        return Set.of(self._counts)

    def __contains__(self, element: object) -> bool:
        return element in self._counts

    def __iter__(self) -> Iterator[T]:
        return (element for element, count in self.counts() for _ in range(count))

    def __len__(self) -> int:
        return sum(self._counts.values())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bag) and self._counts == other._counts

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            self._hash = hash(frozenset(self._counts.items()))
            return self._hash

    def __repr__(self) -> str:
        return f"Bag({', '.join(map(repr, self))})"


class Sequence(tuple[T, ...]):
    """`Sequence(1, 2)`; `Sequence.of(range(3))`. A tuple whose operations give sequences."""

    __slots__ = ()

    def __new__(cls, *elements: T) -> Sequence[T]:
        return tuple.__new__(cls, elements)

    @staticmethod
    def of(elements: Iterable[T]) -> Sequence[T]:
        return tuple.__new__(Sequence, elements)

    @property
    def first(self) -> T:
        return self[0]

    @property
    def last(self) -> T:
        return self[-1]

    @property
    def rest(self) -> Sequence[T]:
        """Without the first element."""
        return self[1:]

    def add(self, element: T) -> Sequence[T]:
        """With the element at the end."""
        return Sequence.of((*self, element))

    def remove(self, element: T) -> Sequence[T]:
        """Without the first occurrence of the element; it is no error if there is none."""
        return self[: (at := self.index(element))] + self[at + 1 :] if element in self else self

    @overload
    def __getitem__(self, at: SupportsIndex) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[T]: ...
    def __getitem__(self, at: SupportsIndex | slice) -> T | Sequence[T]:
        got = tuple.__getitem__(self, at)
        return Sequence.of(got) if isinstance(at, slice) else got  # type: ignore[arg-type, return-value]

    def __add__(self, other: Iterable[U]) -> Sequence[T | U]:
        return Sequence.of((*self, *other))

    def __repr__(self) -> str:
        return f"Sequence({', '.join(map(repr, self))})"

    def __reduce__(self) -> tuple[Callable[..., Sequence[T]], tuple[tuple[T, ...]]]:
        return Sequence.of, (tuple(self),)


class Pair(NamedTuple, Generic[T, U]):
    first: T
    second: U


class Triple(NamedTuple, Generic[T, U, V]):
    first: T
    second: U
    third: V


def _plain(elements: Iterable[T]) -> frozenset[T]:
    return elements if isinstance(elements, frozenset) else frozenset(elements)


# --- the order of all values ---

_SIMPLE = (int, str)


def in_order(values: Iterable[T]) -> tuple[T, ...]:
    """The values, each once, in the order that iteration follows."""
    found = list(values)
    kinds = set(map(type, found))
    if len(kinds) == 1 and kinds.pop() in _SIMPLE:
        return tuple(sorted(found))  # type: ignore[type-var]
    return tuple(sorted(found, key=order_of))


def order_of(value: Any) -> tuple[Any, ...]:
    """Where a value stands in the order. Raises TypeError for what is no value of a state."""
    match value:
        case None:
            return (0,)
        case Enum():
            return (6, type(value).__name__, list(type(value)).index(value))
        case bool():
            return (1, value)
        case int():
            return (2, value)
        case float():
            return (3, value)
        case str():
            return (4, value)
        case bytes():
            return (5, value)
        case Element():
            return (7, type(value).__name__, value._number)
        case tuple():
            return (8, type(value).__name__, len(value), *map(order_of, value))
        case frozenset():
            return (9, len(value), *sorted(map(order_of, frozenset.__iter__(value))))
        case Map():
            return (10, len(value), *((order_of(k), order_of(v)) for k, v in value.items()))
        case Bag():
            return (11, len(value), *((order_of(e), n) for e, n in value.counts()))
    if is_record(value):
        fields = dataclasses.fields(value)
        return (12, type(value).__name__, *(order_of(getattr(value, field.name)) for field in fields))
    raise TypeError(f"{type(value).__name__} is not a value of a state")


def is_record(value: object) -> bool:
    """Whether it is an instance of a frozen data class."""
    return dataclasses.is_dataclass(value) and not isinstance(value, type) and type(value).__dataclass_params__.frozen  # type: ignore[attr-defined]


def parts_of(value: Any) -> Iterator[Any]:
    """The values that a value consists of, one level down; none for a simple value. Elements have no parts."""
    if isinstance(value, tuple):
        yield from value
    elif isinstance(value, frozenset):
        yield from frozenset.__iter__(value)
    elif isinstance(value, Map):
        for pair in value._items.items():
            yield from pair
    elif isinstance(value, Bag):
        yield from value._counts
    elif is_record(value):
        for field in dataclasses.fields(value):
            yield getattr(value, field.name)
