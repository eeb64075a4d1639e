"""A relational program as a state space, for walking, drawing and replaying: the reference interpreter.

A move is a top-level procedure, its arguments and one of its results. Initial states are those that satisfy the
antecedent of some assertion; without any, all well-formed states. Stutter steps are moves like all others. In the
state `loop` (here: the empty tuple) there is nothing to do any more.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from clew.core.diagnostics import InputError, Span
from clew.core.properties import Violation
from clew.core.records import record
from clew.core.relational import expressions as x
from clew.core.relational import program as p
from clew.core.relational.evaluate import Value
from clew.core.relational.explicit import Checker, Graph, Place, argument_choices
from clew.core.relational.interpreter import Interpreter, State, TooMuch, all_states
from clew.core.relational.show import call_text, named, state_of
from clew.core.statespace import Outcome
from clew.core.traces import TraceState, TraceStep


@record
class Move:
    procedure: int  # its place among the top-level procedures
    arguments: tuple[Value, ...]
    after: State
    blame: Span | None = None  # the statement that set `bad`


LOOPED: State = ()


def _place(state: State) -> Place:
    return state or None


class RelationalSpace:
    def __init__(self, program: p.RelationalProgram) -> None:
        self.program = program
        self.interpreter = Interpreter(program)

    def initial(self) -> Iterable[State]:
        """Raises InputError if they cannot be tried one by one."""
        starts = [found for a in self.program.assertions for found in antecedents(a.formula)]
        checker = Checker(Graph(self.program))
        try:
            for state in all_states(self.program):
                if not starts or any(checker.holds(start, state, {}) for start in starts):
                    yield state
        except TooMuch as reason:
            raise self._too_much(reason) from None

    def _too_much(self, reason: TooMuch) -> InputError:
        file = self.program.files[0][0] if self.program.files else self.program.name
        return InputError.at(Span(file, 0), "too-many-states", f"cannot be walked through state by state: {reason}")

    def recognise(self, described: TraceState) -> State | None:
        """The state that a trace begins with: every state may be one. None if it is none."""
        try:
            return state_of(self.program, described.values) or LOOPED
        except (KeyError, ValueError):
            return None

    def moves(self, state: State) -> Sequence[Move]:
        """Raises InputError if there are too many to try."""
        try:
            return self._moves(state)
        except TooMuch as reason:
            raise self._too_much(reason) from None

    def moves_to(self, state: State, after: State) -> Sequence[Move]:
        """Those moves that lead to a given state."""
        self.interpreter = Interpreter(self.program, after)
        found = [move for move in self.moves(state) if move.after == after]
        self.interpreter = Interpreter(self.program)
        return found

    def _moves(self, state: State) -> Sequence[Move]:
        if state == LOOPED:
            return ()
        found: dict[tuple[int, tuple[Value, ...], State], Move] = {}
        for number, procedure in enumerate(self.program.toplevel):
            for arguments in argument_choices(procedure):
                results = self.interpreter.step(procedure, arguments, state)
                for ended in sorted(results.ended, key=lambda e: (repr(e.state), str(e.blame))):
                    key = (number, arguments, ended.state)
                    found.setdefault(key, Move(*key, ended.blame))
                if results.loops:
                    found[number, arguments, LOOPED] = Move(number, arguments, LOOPED)
        return list(found.values())

    def fire(self, state: State, move: Move) -> Outcome[State]:
        return Outcome(move.after)

    def key(self, state: State) -> Hashable:
        return state

    def transient(self, state: State) -> bool:
        return False

    def judge(self, state: State) -> tuple[Violation, ...]:
        return ()

    def stuck(self, state: State) -> Violation | None:
        return None if state == LOOPED else Violation("deadlock", "no procedure has a result here")

    def describe(self, state: State) -> TraceState:
        return TraceState(named(self.program, _place(state)))

    def explain(self, state: State, move: Move, after: State | None) -> TraceStep:
        procedure = self.program.toplevel[move.procedure]
        old, new = named(self.program, _place(state)), named(self.program, _place(move.after))
        note = f"bad is set in line {move.blame.line}" if move.blame is not None else ""
        if move.after == LOOPED:
            note = "never ends"
        return TraceStep(
            pid=0,
            process="",
            step=move.procedure,
            span=move.blame or procedure.span,
            text=call_text(procedure, move.arguments),
            changes={name: (old[name], new[name]) for name in old if old[name] != new[name]},
            note=note,
        )

    def find(self, state: State, step: TraceStep) -> Move | None:
        named_after = {**named(self.program, _place(state)), **{n: new or "" for n, (_, new) in step.changes.items()}}
        after = self.recognise(TraceState(named_after))
        for move in () if after is None else self.moves_to(state, after):
            if self.explain(state, move, None).text == step.text:
                return move
        return None


def antecedents(formula: x.Expr) -> list[x.Expr]:
    """What stands before a temporal claim, where nothing quantified is in it."""
    match formula:
        case x.Binary("=>", left, right) if not x.is_temporal(left) and x.is_temporal(right):
            return [left]
        case x.Binary("&&", left, right):
            return antecedents(left) + antecedents(right)
    return []
