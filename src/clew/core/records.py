"""Classes of immutable values: like `dataclasses.dataclass(frozen=True, slots=True)`, but made in a third of the time.

There are hundreds of them, and a command makes most of those it uses before it does anything else. What the standard
library compiles for each class anew, comparing, hashing, printing and refusing to change, is here the same function for
all; only `__init__` is compiled. `dataclasses.replace`, `fields` and the like work as for any data class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")

__all__ = ["field", "record"]


@overload
def record(cls: type[T], /) -> type[T]: ...


@overload
def record(*, eq: bool = True, weakref_slot: bool = False) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[T] | None = None, /, *, eq: bool = True, weakref_slot: bool = False) -> Any:
    """`eq`: objects with the same values are the same."""
    if cls is None:
        return lambda given: _made(given, eq, weakref_slot)
    return _made(cls, eq, weakref_slot)


def _made(given: type[Any], eq: bool, weakref_slot: bool) -> Any:
    given.__doc__ = given.__doc__ or given.__name__  # the standard library would work out a signature
    cls: Any = dataclass(init=False, repr=False, eq=False, slots=True, weakref_slot=weakref_slot)(given)
    all_fields = fields(cls)
    own = vars(given)
    _give(cls, own, __init__=_init(cls, all_fields), __repr__=_repr, __getstate__=_state, __setstate__=_set_state)
    cls.__setattr__, cls.__delattr__ = _refuse_change, _refuse_removal
    if eq:
        cls.__compared__ = _values_of([f.name for f in all_fields if f.compare])
        _give(cls, own, __eq__=_eq, __hash__=_hash)
    return cls


def _give(cls: type[Any], own: Any, **methods: Any) -> None:
    """What a class says itself, it keeps."""
    for name, method in methods.items():
        if name not in own or (name == "__hash__" and own[name] is None):
            setattr(cls, name, method)


def _values_of(names: list[str]) -> Any:
    return attrgetter(*names) if names else staticmethod(lambda _: ())


def _init(cls: type[Any], all_fields: tuple[Field[Any], ...]) -> Any:
    known: dict[str, Any] = {"MISSING": MISSING}
    text = [f"def __init__({', '.join(['self', *_parameters(all_fields, known)])}):"]
    for f in all_fields:
        known[f"set_{f.name}"] = getattr(cls, f.name).__set__
        made = f"make_{f.name}()"
        if f.default_factory is not MISSING:
            value = f"{made} if {f.name} is MISSING else {f.name}" if f.init else made
        elif f.init:
            value = f.name
        elif f.default is not MISSING:
            value = f"default_{f.name}"
        else:
            continue  # __post_init__ gives it
        text.append(f"    set_{f.name}(self, {value})")
    if hasattr(cls, "__post_init__"):
        text.append("    self.__post_init__()")
    exec("\n".join([*text, "    return None"]), known)
    known["__init__"].__qualname__ = f"{cls.__qualname__}.__init__"
    return known["__init__"]


def _parameters(all_fields: tuple[Field[Any], ...], known: dict[str, Any]) -> Iterator[str]:
    for f in all_fields:
        if f.default_factory is not MISSING:
            known[f"make_{f.name}"] = f.default_factory
            default = "=MISSING"
        elif f.default is not MISSING:
            known[f"default_{f.name}"] = f.default
            default = f"=default_{f.name}"
        else:
            default = ""
        if f.init:
            yield f.name + default


def _eq(self: Any, other: object) -> Any:
    values = self.__compared__
    if other.__class__ is not self.__class__:
        return NotImplemented
    return values(self) == values(other)


def _hash(self: Any) -> int:
    return hash(self.__compared__(self))


def _repr(self: Any) -> str:
    parts = (f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.repr)
    return f"{self.__class__.__qualname__}({', '.join(parts)})"


def _refuse_change(self: object, name: str, _value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_removal(self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, f.name) for f in fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for f, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, f.name, value)
