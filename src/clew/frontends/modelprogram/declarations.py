"""What a model says of itself: actions with guards and argument domains, invariants, accepting states, bounds.

Two ways to write a model. A *module*: its state variables are the global names that its functions assign. A *class*
derived from `ModelProgram`: its state variables are the attributes that its methods assign. Several classes, and
scenarios, are composed: a symbol that several of them know needs all their guards and does all their updates.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Any, ClassVar, Literal, TypeVar, overload

from clew.core.records import record
from clew.frontends.modelprogram.elements import Instance

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)

Role = Literal["action", "guard", "invariant", "accepting", "filter", "proposition"]
MARK = "__clew__"


@record
class Mark:
    """What a function was declared to be. `symbol`: the name of the action, or the action a guard belongs to."""

    role: Role
    symbol: str
    observable: bool = False
    cleanup: bool = False


@record
class Domain:
    """Where the values of a parameter come from: the name of a state variable, or of a function without parameters;
    a function of earlier parameters; or the values themselves."""

    source: str | type[Instance] | Callable[..., Iterable[Any]] | Iterable[Any]


@record
class New:
    """A parameter that is one new object."""

    cls: type[Instance]


class ModelProgram:
    """Base of models that are classes."""


class Choice:
    """Values given with -D while a model is read; `parameter` looks here."""

    given: ClassVar[Mapping[str, str]] = {}
    known: ClassVar[set[str]] = set()  # all that were asked for


def parameter(name: str, default: Any) -> Any:
    """A number (or other literal) that `-D NAME=VALUE` replaces."""
    Choice.known.add(name)
    if name not in Choice.given:
        return default
    text = Choice.given[name]
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


DECLARED: dict[str, list[Any]] = {}
"""The functions declared in each module, in order: several guards may be called `_`."""


def _marked(function: F, mark: Mark) -> F:
    setattr(function, MARK, mark)
    DECLARED.setdefault(function.__module__, []).append(function)
    return function


@overload
def action(function: F) -> F: ...
@overload
def action(*, name: str | None = None, observable: bool = False, cleanup: bool = False) -> Callable[[F], F]: ...
def action(
    function: F | None = None, *, name: str | None = None, observable: bool = False, cleanup: bool = False
) -> F | Callable[[F], F]:
    """A step of the model; its parameters are its arguments. `observable`: the implementation takes it, not the tester.
    `cleanup`: a tester uses it to come to an end."""

    def declare(function: F) -> F:
        marked = _marked(function, Mark("action", name or function.__name__, observable, cleanup))
        marked.guard = guard(name or function.__name__)  # type: ignore[attr-defined]
        return marked

    return declare if function is None else declare(function)


def observable(function: F) -> F:
    """An action that the implementation takes."""
    return action(observable=True)(function)


def guard(symbol: str) -> Callable[[F], F]:
    """When the action may happen. It has the action's parameters, or some of them, by name; several guards must all
    hold. A function called `NAME_enabled` is a guard of NAME without being declared."""
    return lambda function: _marked(function, Mark("guard", symbol))


def invariant(function: F) -> F:
    """What must be true of every state."""
    return _marked(function, Mark("invariant", function.__name__))


def accepting(function: F) -> F:
    """In which states a run may end. Without one, every state will do for a test, and none excuses being stuck."""
    return _marked(function, Mark("accepting", function.__name__))


def state_filter(function: F) -> F:
    """Which states belong to the model at all: steps to others are not taken. A bound that verdicts name."""
    return _marked(function, Mark("filter", function.__name__))


def proposition(function: F) -> F:
    """A condition that formulas may use by its name."""
    return _marked(function, Mark("proposition", function.__name__))


@record
class _Features:
    names: dict[type, str] = field(default_factory=dict)


FEATURES = _Features()


def feature(name: str) -> Callable[[C], C]:
    """A class that is part of the model only if the feature is chosen."""

    def declare(cls: C) -> C:
        FEATURES.names[cls] = name
        return cls

    return declare
