"""A model as a tester sees it: actions that the tester takes, and actions that the implementation takes by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from enum import Enum
from typing import Any

from clew.core.diagnostics import InputError, Span
from clew.core.records import record
from clew.core.views import SpaceView
from clew.frontends.modelprogram.elements import Element
from clew.frontends.modelprogram.space import ModelSpace, State
from clew.frontends.modelprogram.symbols import Move
from clew.frontends.modelprogram.terms import shown
from clew.host.checking import ModelOptions, load_model, main_file


@record
class Action:
    """An action as an implementation knows it: objects, abstract elements and members of enumerations are their names
    (`Job(1)`, `W1`), all other values are as the model has them."""

    name: str
    args: tuple[Any, ...] = ()
    text: str = field(default="", compare=False)  # as the model writes it

    def __str__(self) -> str:
        return self.text or f"{self.name}({', '.join(map(_text, self.args))})"


def _text(value: Any) -> str:
    try:
        return shown(value)
    except TypeError:  # an implementation may answer anything
        return repr(value)


def plain(value: Any) -> Any:
    """A value of the model as an implementation knows it."""
    match value:
        case Element():
            return value._name()
        case Enum():
            return value.name
        case tuple():
            return tuple(map(plain, value))
        case _:
            return value


@record
class Offer:
    """What can happen next."""

    move: Move
    action: Action
    observable: bool
    cleanup: bool


class TestedModel:
    """Walks through a model program by actions."""

    __test__ = False  # not a test, whatever pytest thinks

    def __init__(self, space: ModelSpace) -> None:
        self.space = space
        self._symbols = {symbol.name: symbol for symbol in space.symbols}

    def start(self) -> State:
        (state,) = self.space.initial()
        return state

    def offers(self, state: State) -> list[Offer]:
        found = []
        for move in self.space.moves(state):
            symbol = self._symbols[move.symbol]
            action = Action(move.symbol, tuple(map(plain, move.args)), self.space.text(move))
            found.append(Offer(move, action, symbol.observable, symbol.cleanup))
        return found

    def after(self, state: State, offer: Offer) -> State:
        """Raises InputError if the action breaks down in the model itself."""
        outcome = self.space.fire(state, offer.move)
        if outcome.state is None:
            (violation, *_) = outcome.violations
            raise InputError.at(violation.span, "model-error", f"the model itself fails at {offer.action}")
        return outcome.state

    def accepts(self, state: State) -> bool:
        return self.space.accepts(state)

    def follow(self, actions: Sequence[Action]) -> State | None:
        """Where actions lead, if the model allows them one after the other."""
        state = self.start()
        for action in actions:
            offer = next((offer for offer in self.offers(state) if offer.action == action), None)
            if offer is None:
                return None
            state = self.after(state, offer)
        return state


def model_to_test(path: str, options: ModelOptions | None = None) -> TestedModel:
    """The model in a file. Raises InputError if it is not a model program."""
    model = load_model(path, options or ModelOptions())
    space = model.view.fresh() if isinstance(model.view, SpaceView) else None
    if not isinstance(space, ModelSpace):
        message = "tests are made from model programs (docs/languages/python.md)"
        raise InputError.at(Span(main_file(model), 0), "not-a-model-program", message)
    return TestedModel(space)
