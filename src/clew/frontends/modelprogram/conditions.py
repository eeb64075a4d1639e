"""What formulas say about a model program: conditions on states and actions that are taken.

`idle` is a proposition or a variable that is true or false, `Put(1)` and `Put(_)` an action, anything else a Python
expression over the variables of the model: `len(items) < 3`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any

from clew.core.diagnostics import InputError, Span
from clew.core.records import record
from clew.frontends.modelprogram.program import Program, words
from clew.frontends.modelprogram.space import ModelSpace, State
from clew.frontends.modelprogram.symbols import Move
from clew.frontends.modelprogram.terms import Term, fits, read_term, term_of


@record
class Condition:
    """What is true or false of a state."""

    text: str


@record
class ActionEvent:
    """An action that is taken. `pattern` None: with any arguments."""

    symbol: str
    pattern: Term | None


Atom = Condition | ActionEvent


def read_atom(program: Program, text: str, span: Span) -> Atom:
    """Raises InputError if the text means nothing, or more than one thing."""
    named = re.match(r"(\w+)\s*(\(.*\))?$", text, re.DOTALL)
    symbol = named[1] if named else ""
    variables = {name for part in program.parts for name in part.variables}
    if symbol in program.symbols:
        if symbol in variables or symbol in program.propositions:
            raise InputError.at(span, "ambiguous", f"'{symbol}' is an action and a condition")
        assert named is not None
        pattern = read_term(text, span.file, span.line) if named[2] else None
        if not isinstance(pattern, Term | None):
            raise InputError.at(span, "bad-term", f"'{text}' is no action")
        return ActionEvent(symbol, pattern)
    if text not in program.propositions:
        _compiled(program, text, span)
    return Condition(text)


def names_elements(program: Program, text: str) -> bool:
    """Whether a condition tells interchangeable things apart by their names."""
    if text in program.propositions:
        return False
    labels = {element._label for cls in program.abstract for element in cls}
    return not labels.isdisjoint(words(compile(text.strip(), "condition", "eval")))


def condition(program: Program, text: str, span: Span) -> Callable[[], Any]:
    """The condition as a function of the state that is loaded."""
    known = program.propositions.get(text)
    if known is not None:
        return known
    code = _compiled(program, text, span)
    spaces = [part.holder for part in program.parts]

    def test() -> Any:
        names: dict[str, Any] = {}
        for space in reversed(spaces):
            names.update(space)
        return eval(code, names)

    test.__name__ = f"'{text}'"
    return test


def _compiled(program: Program, text: str, span: Span) -> CodeType:
    try:
        code = compile(text.strip(), span.file, "eval", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        message = error.msg if isinstance(error, SyntaxError) else str(error)
        raise InputError.at(span, "formula-syntax", f"'{text}' is no condition: {message}") from None
    known = {name for part in program.parts for name in part.holder} | set(__builtins__)  # type: ignore[arg-type]
    unknown = next((name for name in code.co_names if name not in known and f".{name}" not in text), None)
    if unknown is not None:
        have = ", ".join((*program.propositions, *program.symbols))
        message = f"'{unknown}' is no proposition, variable or action of this model"
        raise InputError.at(span, "unknown-name", message, f"known: {have}")
    return code


class ModelLetters:
    """Reads letters off states and steps: bit i says whether `atoms[i]` is true, or happens."""

    def __init__(self, space: ModelSpace, atoms: Sequence[object]) -> None:
        self._space = space
        self._tests = [
            (1 << n, condition(space.program, atom.text, Span("formula", 1)))
            for n, atom in enumerate(atoms)
            if isinstance(atom, Condition)
        ]
        self._events = [(1 << n, atom) for n, atom in enumerate(atoms) if isinstance(atom, ActionEvent)]

    @property
    def have_events(self) -> bool:
        return bool(self._events)

    def __call__(self, state: State) -> int:
        """The conditions that are true."""
        return sum(bit for bit, test in self._tests if self._space.asks(state, test))

    def leaving(self, state: State) -> Callable[[State, Move], int]:
        """Which events a step has."""
        return lambda here, move: sum(bit for bit, event in self._events if _is(event, move))


def _is(event: ActionEvent, move: Move) -> bool:
    if event.symbol != move.symbol:
        return False
    return event.pattern is None or fits(event.pattern, Term(move.symbol, tuple(map(term_of, move.args))))
