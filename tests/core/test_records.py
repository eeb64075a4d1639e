"""Records are data classes as the standard library makes them, frozen and with slots."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, dataclass, field
from typing import Any, Generic, TypeVar

import pytest

from clew.core.records import record

T = TypeVar("T")


@record
class Point:
    x: int
    y: int = 0


@record
class Named(Point):
    """A point."""

    name: str = ""
    notes: list[str] = field(default_factory=list, compare=False)
    length: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", len(self.name))


@record(eq=False)
class Single:
    value: int


@record(eq=False, weakref_slot=True)
class Watched:
    value: int


@record
class Pair(Generic[T]):
    first: T
    second: T

    def __repr__(self) -> str:
        return f"<{self.first}, {self.second}>"


@record
class Nothing:
    pass


@dataclass(frozen=True, slots=True)
class Model:
    """What the standard library makes."""

    x: int
    y: int = 0


def test_values_are_given_by_place_by_name_and_by_default() -> None:
    assert (Point(1).x, Point(1).y, Point(y=2, x=1).y) == (1, 0, 2)
    wrong: list[Any] = [lambda: Point(), lambda: Point(1, 2, 3), lambda: Point(z=1)]  # type: ignore[call-arg]
    for call in wrong:
        with pytest.raises(TypeError, match="__init__"):
            call()


def test_equal_values_are_equal_records_of_one_class() -> None:
    assert Point(1, 2) == Point(1, 2) != Point(2, 1)
    assert Point(1, 2) != Model(1, 2) and Point(1) != Named(1) and Point(1) != 1
    assert {Point(1, 2), Point(1, 2), Point(2, 2)} == {Point(1, 2), Point(2, 2)}
    assert Nothing() == Nothing() and hash(Nothing()) == hash(Nothing())
    assert Single(1) != Single(1) and len({Single(1), Single(1)}) == 2


def test_a_field_may_be_left_out_of_comparisons_and_made_anew() -> None:
    one, other = Named(1, 2, "p", ["a"]), Named(1, 2, "p")
    assert one == other and hash(one) == hash(other) and one.length == 1
    assert other.notes == [] and other.notes is not Named(1).notes


def test_a_record_does_not_change() -> None:
    point = Point(1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'x'"):
        del point.x  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        point.z = 2  # type: ignore[attr-defined]
    assert not hasattr(point, "__dict__")


def test_it_is_printed_as_by_the_standard_library_unless_it_says_how() -> None:
    assert repr(Point(1, 2)) == repr(Model(1, 2)).replace("Model", "Point")
    assert repr(Named(1)) == "Named(x=1, y=0, name='', notes=[], length=0)"
    assert repr(Pair(1, 2)) == "<1, 2>"


def test_the_functions_of_the_standard_library_know_it() -> None:
    assert dataclasses.replace(Point(1), y=5) == Point(1, 5)
    assert dataclasses.asdict(Named(1)) == {"x": 1, "y": 0, "name": "", "notes": [], "length": 0}
    match Point(1, 2):
        case Point(1, y):
            assert y == 2
        case _:
            raise AssertionError


@pytest.mark.parametrize("value", [Point(1, 2), Named(1, 2, "p", ["a"]), Pair("a", "b"), Nothing()])
def test_it_can_be_copied_and_sent(value: object) -> None:
    assert pickle.loads(pickle.dumps(value)) == value
    assert copy.copy(value) == value and copy.deepcopy(value) == value


def test_it_can_be_watched() -> None:
    import weakref

    value = Watched(1)
    assert weakref.ref(value)() is value
