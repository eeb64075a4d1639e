"""Things that are only themselves: instances of a class with fields, and the elements of abstract types.

A model may ask whether two of them are the same, and nothing else: what it does must not depend on their names or
their order. Inside model code (`running`) text, numbers and comparisons of elements are refused, so that exchanging
elements is sound. Outside, they have names for people: `Job(1)`, `W1`.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any, ClassVar, NoReturn, TypeVar

P = TypeVar("P", bound="Instance")


class ModelError(Exception):
    """The model does what a model must not do; the text says what."""


class _Running:
    """Whether model code is being executed now, and the objects it has made or written since a state was taken down."""

    def __init__(self) -> None:
        self.now = False
        self.written: list[Instance] = []


running = _Running()


class Element:
    """What instances and abstract elements have in common. `_number` tells those of one type apart."""

    _number: int

    def _name(self) -> str:
        raise NotImplementedError

    def __repr__(self) -> str:
        return self._shown("its text")

    def __str__(self) -> str:
        return self._shown("its text")

    def __format__(self, spec: str) -> str:
        return format(self._shown("its text"), spec)

    def _shown(self, what: str) -> str:
        if running.now:
            self._refuse(what)
        return self._name()

    def _refuse(self, what: str) -> NoReturn:
        raise ModelError(f"{type(self).__name__} is interchangeable: a model must not use {what}")

    def __lt__(self, other: object) -> bool:
        self._refuse("its order")

    __le__ = __gt__ = __ge__ = __lt__

    def __int__(self) -> int:
        self._refuse("its number")

    __index__ = __int__


class _AbstractType(type):
    """Turns the names in the body of an abstract type into its elements."""

    _elements: tuple[Any, ...]

    def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> _AbstractType:
        names = [key for key in body if not key.startswith("_") and not callable(body[key])]
        cls = super().__new__(mcs, name, bases, {key: value for key, value in body.items() if key not in names})
        elements = []
        for number, key in enumerate(names, 1):
            element: Any = object.__new__(cls)  # type: ignore[arg-type]
            element._number, element._label = number, key
            elements.append(element)
            setattr(cls, key, element)
        cls._elements = tuple(elements)
        return cls

    def __iter__(cls) -> Iterator[Any]:
        return iter(cls._elements)

    def __len__(cls) -> int:
        return len(cls._elements)

    def __contains__(cls, element: object) -> bool:
        return type(element) is cls


class Abstract(Element, metaclass=_AbstractType):
    """A type whose elements are interchangeable: `class Worker(Abstract): W1, W2, W3 = range(3)`."""

    _label: str

    def _name(self) -> str:
        return self._label


class Instance(Element):
    """A class of objects with fields, declared as for a data class: `class Job(Instance): owner: Worker | None = None`.

    Objects come from an action's parameter `New(Job)`, or from `Job()` in an action. Fields hold values of states.
    """

    _fields: ClassVar[tuple[str, ...]] = ()
    _defaults: ClassVar[dict[str, Any]] = {}
    _pool: ClassVar[list[Any]] = []  # every object ever used, by number from 1 on
    _live: ClassVar[dict[Any, None]] = {}  # those of the current state, in order of number
    _row: Any  # its fields in the current state, unless they were written since

    def __init_subclass__(cls) -> None:
        defaults = dict(cls._defaults)
        for name in inspect.get_annotations(cls):
            if not name.startswith("_"):
                defaults[name] = None
        for name, value in list(cls.__dict__.items()):
            if (
                not name.startswith("_")
                and not callable(value)
                and not isinstance(value, property | classmethod | staticmethod)
            ):
                defaults[name] = value
                delattr(cls, name)
        cls._defaults, cls._fields = defaults, tuple(defaults)
        cls._pool, cls._live = [], {}

    def __new__(cls: type[P], **fields: Any) -> P:
        number = cls._free()
        while len(cls._pool) < number:
            made = object.__new__(cls)
            made.__dict__.update(_number=len(cls._pool) + 1, _row=None)
            cls._pool.append(made)
        made = cls._pool[number - 1]
        made.__dict__.update(cls._defaults, _number=number)
        running.written.append(made)
        if number > len(cls._live):
            cls._live[made] = None
        else:
            live = sorted((*cls._live, made), key=lambda element: element._number)
            cls._live.clear()
            cls._live.update(dict.fromkeys(live))
        return made

    def __init__(self, **fields: Any) -> None:
        for name, value in fields.items():
            setattr(self, name, value)

    @classmethod
    def _free(cls) -> int:
        """The smallest number that no live object has."""
        for number, element in enumerate(cls._live, 1):
            if element._number != number:
                return number
        return len(cls._live) + 1

    @classmethod
    def instances(cls: type[P]) -> tuple[P, ...]:
        """All objects of this class there are now."""
        return tuple(cls._live)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._fields:
            known = ", ".join(self._fields) or "none"
            raise ModelError(f"{type(self).__name__} has no field '{name}'; it has: {known}")
        self.__dict__[name] = value
        running.written.append(self)

    def _name(self) -> str:
        return f"{type(self).__name__}({self._number})"
