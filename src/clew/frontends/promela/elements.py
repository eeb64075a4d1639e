"""The structure a process body has before it becomes locations and steps.

A body is a sequence of elements. Compound elements hold sequences; joins (`dot`, after if/unless and at a loop head)
and `break_target` (behind a loop) are elements of their own; `goto` elements name a label. Which of these become
control locations, and which are only passed through, is decided by `find_state` (sheet 35, section 1.1).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from clew.core.diagnostics import InputError, Span
from clew.core.expressions import Variable
from clew.core.statements import Statement

Kind = Literal["basic", "goto", "dot", "break_target", "if", "do", "unless", "plain", "atomic", "d_step", "end"]
Form = Literal[
    "condition", "run", "receive", "send", "assign", "declare", "print", "assert", "else", "c_code", "set_priority", ""
]


@dataclass(slots=True, eq=False)
class Element:
    kind: Kind
    span: Span
    text: str
    number: int
    form: Form = ""
    statement: Statement | None = None
    next: Element | None = None
    options: list[Sequence] = field(default_factory=list)  # of if, do; body and escape of unless
    inner: Sequence | None = None  # of plain, atomic, d_step
    escapes: list[Sequence] = field(default_factory=list)  # outermost first
    labels: list[str] = field(default_factory=list)
    jump: Element | None = None  # of goto, once resolved
    # atomicity
    in_atomic: bool = False  # keeps control behind it
    ends_atomic: bool = False
    in_dstep: bool = False
    # facts for the optimisations
    global_reference: bool = False
    remotely_referenced: bool = False
    beside_channels: bool = False  # an else, among whose companions channels are used
    reads: tuple[Variable, ...] = ()  # plain scalar variables
    writes: tuple[Variable, ...] = ()
    dead: list[Variable] = field(default_factory=list)  # to be reset behind it
    # results of merging
    chain_target: Element | None = None  # first element behind the chain this one is in
    single_target: Element | None = None
    start_target: Element | None = None

    def __repr__(self) -> str:
        return f"<{self.number} {self.kind} {self.text}>"

    @property
    def constant_false(self) -> bool:
        from clew.core.expressions import Const
        from clew.core.statements import Guard

        return (
            isinstance(self.statement, Guard)
            and isinstance(self.statement.value, Const)
            and not self.statement.value.value
        )

    @property
    def is_skip(self) -> bool:
        from clew.core.expressions import Const
        from clew.core.statements import Guard

        match self.statement:
            case Guard(Const(1)):
                return self.form == "condition"
            case _:
                return self.form == "print"


@dataclass(slots=True, eq=False)
class Sequence:
    """Elements linked by `next` from `first` to `last`; `extent` is the last one written by the user."""

    first: Element | None = None
    last: Element | None = None
    extent: Element | None = None

    def append(self, element: Element) -> None:
        if self.first is None:
            self.first = element
        else:
            assert self.last is not None
            self.last.next = element
        self.last = element

    def __iter__(self) -> Iterator[Element]:
        element = self.first
        while element is not None:
            yield element
            if element is self.last:
                return
            element = element.next


def option_start(element: Element) -> Element:
    """Where an option, block or escape really starts: behind joins and inside the body of an unless."""
    for _ in range(1000):
        if element.kind == "dot" and element.next is not None:
            element = element.next
        elif element.kind == "unless":
            first = element.options[0].first
            assert first is not None
            element = first
        else:
            return element
    raise _confusing(element)


def find_state(element: Element, in_atomic: bool, stop: Element | None = None) -> Element:
    """The control location a process is at when it has come to this element.

    Gotos, joins and loop exits are passed through, except where that would leave the atomic sequence that the
    previous statement is in: then that goto or join is the last step of the sequence.
    """
    start = element
    for _ in range(2000):
        if element is stop:
            return element
        match element.kind:
            case "goto":
                assert element.jump is not None
                following = element.jump
                if following is element:
                    raise InputError.at(start.span, "promela-goto-loop", "infinite goto loop")
            case "dot" | "break_target":
                if element.next is None:
                    return element
                following = element.next
            case "unless":
                first = element.options[0].first
                assert first is not None
                following = find_state(first, in_atomic, stop)
            case _:
                return element
        if in_atomic and not following.in_atomic:
            return element
        element = following
    raise _confusing(start)


def _confusing(element: Element) -> InputError:
    return InputError.at(element.span, "promela-goto-loop", "cycle of gotos with no statement in it")


def uses_channel(element: Element) -> bool:
    """Whether the statement sends, receives or looks into a channel."""
    from clew.core import expressions as core
    from clew.core import statements as stmt

    if element.statement is None:
        return False
    if isinstance(element.statement, stmt.Send | stmt.Receive):
        return True
    parts = [part for expr in stmt.expressions(element.statement) for part in core.walk(expr)]
    return any(isinstance(part, core.Length | core.Fill | core.Poll) for part in parts)
