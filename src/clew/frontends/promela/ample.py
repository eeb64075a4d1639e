"""Where Spin's partial-order reduction lets a process move alone: the marking of its verifier, statement by statement.

A statement is *safe* if it refers to nothing global; a send or receive on a channel claimed with xs or xr is safe while
the channel is not full, or not empty. A process may move alone where every statement is safe. The rules were read from
what Spin 6.5.2 generates, which takes claims and subscripts on trust; so this is for `--compat spin` alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from clew.core import expressions as core
from clew.core import statements as stmt
from clew.frontends.promela.basic import BasicStatements
from clew.frontends.promela.elements import Element, Sequence, find_state
from clew.frontends.promela.emit import Move

MOST_CONDITIONS = 6  # Spin gives up beyond
MOST_PROCESSES = 255
Condition = core.Expr
NEVER = None  # in place of conditions: what makes a choice unsafe


@dataclass(slots=True)
class Marks:
    """The marks of one body. `conditions` of an element are those of the sequence it is in."""

    basic: BasicStatements
    inherited: set[Element] = field(default_factory=set)  # in an indivisible sequence with a global reference
    conditions: dict[Element, tuple[Condition, ...] | None] = field(default_factory=dict)

    def read(self, sequence: Sequence, around: tuple[Condition, ...] | None = ()) -> None:
        """Marks a sequence; `around` are the conditions of the atomic sequence it is in."""
        for element in sequence:
            if element in self.conditions:
                continue
            match element.kind:
                case "atomic" | "d_step":
                    assert element.inner is not None
                    if self._is_global(element.inner, element.kind == "d_step"):
                        self.inherited.update(_all(element.inner))
                    inside = self._of_sequence(element.inner)
                    self.conditions[element] = inside
                    if element.kind == "atomic":
                        self.read(element.inner, inside)
                case _:
                    self.conditions[element] = self._of_element(element) if around == () else around
                    if element.inner is not None:
                        self.read(element.inner, around)
                    for option in element.options:
                        self.read(option, around)
            for escape in element.escapes:
                self.read(escape, ())

    def alone(self, moves: list[Move]) -> core.Expr | None:
        """Under which condition a process may move alone where it has these moves; None: it may not."""
        found: dict[Condition, None] = {}
        for move in moves:
            conditions = self.conditions.get(move.element, NEVER)
            if conditions is NEVER or self._is_unsafe(move):
                return None
            found.update(dict.fromkeys(conditions))
        if len(found) > MOST_CONDITIONS:
            return None
        result: core.Expr = core.TRUE
        for number, condition in enumerate(found):
            result = condition if number == 0 else core.Binary("&&", result, condition)
        return result

    # --- global references

    def _is_unsafe(self, move: Move) -> bool:
        element = move.element
        if element.kind == "d_step":
            assert element.inner is not None and element.inner.first is not None
            return element.inner.first in self.inherited
        seen = element.remotely_referenced or (move.target is not None and move.target.remotely_referenced)
        return seen or element in self.inherited or self._refers(element)

    def _refers(self, element: Element) -> bool:
        if element.kind in ("atomic", "d_step", "plain"):
            assert element.inner is not None
            return self._is_global(element.inner, element.kind == "d_step")
        if element.statement is None:
            return False
        if element.form == "else":
            return element.beside_channels
        return self.basic.global_reference(element.statement)

    def _is_global(self, sequence: Sequence, in_dstep: bool) -> bool:
        for element in sequence:
            if element.remotely_referenced or self._refers(element):
                return True
            if element.kind == "goto" and not in_dstep and element.jump is not None:
                is_break = element.jump.kind == "break_target"
                if not is_break and find_state(element.jump, False) not in set(_all(sequence, nested=False)):
                    return True
            if any(self._is_global(option, in_dstep) for option in element.options):
                return True
        return False

    # --- conditions on channels

    def _of_sequence(self, sequence: Sequence) -> tuple[Condition, ...] | None:
        found: dict[Condition, None] = {}
        for element in _all(sequence, nested=False):
            conditions = self._of_element(element)
            if conditions is NEVER:
                return NEVER
            found.update(dict.fromkeys(conditions))
        return tuple(found) if len(found) <= 2 else NEVER

    def _of_element(self, element: Element) -> tuple[Condition, ...] | None:
        if element.kind == "end":
            return (_youngest(),)
        match element.statement:
            case stmt.Send(channel):
                return (core.Fill("nfull", channel),)
            case stmt.Receive(channel):
                return (core.Fill("nempty", channel),)
            case stmt.Guard(value) if element.form == "condition":
                fills = [part for part in core.walk(value) if isinstance(part, core.Fill)]
                timeout = any(part == core.Global("timeout") for part in core.walk(value))
                return NEVER if len(fills) > 2 or timeout else tuple(fills)
            case _:
                return ()


def _youngest() -> core.Expr:
    after = core.Binary("+", core.Own("pid"), core.Const(1))
    last = core.Binary("==", after, core.Global("process_count"))
    return core.Binary("&&", last, core.Binary("<", after, core.Const(MOST_PROCESSES)))


def _all(sequence: Sequence, nested: bool = True) -> Iterator[Element]:
    """The elements of a sequence and of the options in it; `nested`: of blocks in it, too."""
    for element in sequence:
        yield element
        if nested and element.inner is not None:
            yield from _all(element.inner)
        for option in element.options:
            yield from _all(option, nested)
