"""What automata beside a system read: which conditions are true in a state, and which events a step has."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from clew.core.expressions import Expr
from clew.core.interpreter.evaluate import compile_expression
from clew.core.interpreter.program import may_ask_timeout
from clew.core.interpreter.space import NetworkSpace
from clew.core.interpreter.state import Context, Event, Move, State
from clew.core.temporal import LabelEvent, MessageEvent, StepEvent, whole_expressions

Happened = Callable[[State, Move], int]


class Letters:
    """Reads letters off states and steps of one space: bit i says whether `atoms[i]` is true, or happens."""

    def __init__(self, space: NetworkSpace, atoms: Sequence[Expr | StepEvent]) -> None:
        self._space = space
        self._asks_timeout = may_ask_timeout(whole for atom in atoms for whole in whole_expressions(atom))
        self._tests = [
            (1 << n, compile_expression(atom, space.program))
            for n, atom in enumerate(atoms)
            if not isinstance(atom, MessageEvent | LabelEvent)
        ]
        self._messages = [
            (1 << n, atom.kind, [self._value(part) for part in (atom.channel, *atom.values)])
            for n, atom in enumerate(atoms)
            if isinstance(atom, MessageEvent)
        ]
        self._labels = [
            (1 << n, atom, self._value(atom.pid)) for n, atom in enumerate(atoms) if isinstance(atom, LabelEvent)
        ]

    def _value(self, part: Expr | None) -> Callable[[Context], int | None]:
        return (lambda ctx: None) if part is None else compile_expression(part, self._space.program)

    @property
    def have_events(self) -> bool:
        return bool(self._messages or self._labels)

    def __call__(self, state: State) -> int:
        """The conditions that are true. Raises EvaluationError if one has no value here."""
        ctx = Context.reading(self._space.program, state)
        ctx.timeout = self._asks_timeout and not self._space.can_move(state)
        return sum(bit for bit, test in self._tests if test(ctx))

    def leaving(self, state: State) -> Happened:
        """Which events a step has, for the steps taken between this ordinary state and the next. Raises
        EvaluationError if a part of an event has no value here."""
        ctx = Context.reading(self._space.program, state)
        messages = [(bit, kind, [part(ctx) for part in parts]) for bit, kind, parts in self._messages]
        labels = [(bit, atom, pid(ctx)) for bit, atom, pid in self._labels]

        def happened(here: State, move: Move) -> int:
            found = 0
            for event in self._events(here, move):
                values = [event.channel, *event.message]
                for bit, kind, wanted in messages:
                    if kind == event.kind and len(wanted) == len(values):
                        found |= bit * all(w is None or w == v for w, v in zip(wanted, values, strict=True))
            for pid, number in ((move.pid, move.step), (move.partner, move.partner_step)):
                step = None if number is None else self._space.program.steps[number].step
                for bit, atom, wanted_pid in labels:
                    if step is not None and step.template == atom.template and step.target in atom.locations:
                        found |= bit * (wanted_pid is None or wanted_pid == pid)
            return found

        return happened

    def _events(self, state: State, move: Move) -> Sequence[Event]:
        if not self._messages:
            return ()
        ctx = Context.working(self._space.program, state)
        ctx.events = []
        self._space.execute(ctx, state, move)
        return ctx.events
