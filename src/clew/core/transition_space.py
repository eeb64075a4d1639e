"""The explicit evaluator of a `TransitionSystem`: its states one by one, as a `StateSpace`.

Plain rather than fast: it replays what symbolic engines find and is what they are compared with. A state is the tuple
of the values of all slots. Initial states and outcomes that a formula describes are found by trying values.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from clew.core.formula_values import Scope, Values, evaluate, solutions, values_of
from clew.core.procedure_runs import Ended, Runs
from clew.core.properties import Violation
from clew.core.statespace import Outcome
from clew.core.traces import TraceState, TraceStep
from clew.core.transition_system import Action, Interleave, LockStep, TransitionSystem
from clew.core.types import scalars, show


class TransitionMove(NamedTuple):
    """The name of a step: the actions that move (numbers of leaves of the tree), the values of their parameters, and
    where they lead. `after` None: the step breaks down."""

    actions: tuple[int, ...]
    parameters: tuple[Values, ...]
    after: Values | None
    violations: tuple[Violation, ...] = ()


class TransitionSpace:
    """The state space of a transition system."""

    def __init__(self, system: TransitionSystem) -> None:
        self.system = system
        self.slots = [
            (name, type_, variable)
            for variable in system.variables
            for name, type_ in scalars(variable.type, variable.name)
        ]
        self._numbers = {action: number for number, action in enumerate(system.actions)}
        self._actions = system.actions
        self._runs = Runs(system)
        self._changes: dict[int, frozenset[int]] = {}

    # --- the contract

    def initial(self) -> Iterator[Values]:
        """By trying: meant for systems with few initial states, or small ones."""
        return solutions((self.system.initial, self.system.permitted), self.slots)

    def is_initial(self, state: Values) -> bool:
        scope = Scope(state)
        return bool(evaluate(self.system.initial, scope)) and bool(evaluate(self.system.permitted, scope))

    def moves(self, state: Values) -> Sequence[TransitionMove]:
        return list(dict.fromkeys(self._moves(self.system.behaviour, state)))

    def fire(self, state: Values, move: TransitionMove) -> Outcome[Values]:
        return Outcome(move.after, move.violations)

    def key(self, state: Values) -> Hashable:
        return state

    def transient(self, state: Values) -> bool:
        return bool(evaluate(self.system.transient, Scope(state)))

    def judge(self, state: Values) -> tuple[Violation, ...]:
        return ()  # claims belong to steps

    def stuck(self, state: Values) -> Violation | None:
        if evaluate(self.system.final, Scope(state)):
            return None
        return Violation("deadlock", "stuck: no step can be taken")

    def describe(self, state: Values) -> TraceState:
        return TraceState(
            {
                name: show(type_, value)
                for (name, type_, variable), value in zip(self.slots, state, strict=True)
                if variable.shown
            }
        )

    def explain(self, state: Values, move: TransitionMove, after: Values | None) -> TraceStep:
        first = self._actions[move.actions[0]]
        before, behind = self.describe(state).values, None if after is None else self.describe(after).values
        return TraceStep(
            pid=first.pid,
            process=first.process,
            step=move.actions[0],
            span=first.span,
            text=" & ".join(
                self._text(number, chosen) for number, chosen in zip(move.actions, move.parameters, strict=True)
            ),
            changes={}
            if behind is None
            else {name: (before[name], behind[name]) for name in before if before[name] != behind[name]},
            transient=after is not None and self.transient(after),
            note="; ".join(violation.message for violation in move.violations),
        )

    def find(self, state: Values, step: TraceStep) -> TransitionMove | None:
        for move in self.moves(state):
            if move.actions[0] == step.step and self.explain(state, move, move.after) == step:
                return move
        return None

    def recognise(self, described: TraceState) -> Values | None:
        """The initial state that looks like this, without trying all of them."""
        wanted = [described.values.get(name) for name, _, _ in self.slots]
        if None in wanted:
            return None
        found: list[int] = []
        for (_, type_, _), text in zip(self.slots, wanted, strict=True):
            value = next((value for value in values_of(type_) if show(type_, value) == text), None)
            if value is None:
                return None
            found.append(value)
        state = tuple(found)
        return state if self.is_initial(state) else None

    # --- steps

    def _moves(self, part: Action | Interleave | LockStep, state: Values) -> Iterator[TransitionMove]:
        match part:
            case Action():
                yield from self._moves_of(part, state)
            case Interleave(parts):
                for inner in parts:
                    yield from self._moves(inner, state)
            case LockStep(parts):
                yield from self._together(parts, state)

    def _moves_of(self, action: Action, state: Values) -> Iterator[TransitionMove]:
        number = self._numbers[action]
        domains = [values_of(type_) for variable in action.parameters for _, type_ in scalars(variable.type)]
        for chosen in product(*domains):
            for ended in self._runs.outcomes(action, state, chosen):
                after = self._after(ended)
                if after is None and not ended.broken:
                    continue
                yield TransitionMove((number,), (chosen,), after, ended.violations)

    def _after(self, ended: Ended) -> Values | None:
        if ended.broken or ended.values is None:
            return None
        return ended.values if evaluate(self.system.permitted, Scope(ended.values)) else None

    def _together(self, parts: Sequence[Action | Interleave | LockStep], state: Values) -> Iterator[TransitionMove]:
        """One move of each part, or rest where it has none; moves that disagree about a variable do not fit."""
        choices: list[list[TransitionMove]] = []
        for part in parts:
            choices.append(list(self._moves(part, state)) or [TransitionMove((), (), state)])
        for chosen in product(*choices):
            actions = tuple(number for move in chosen for number in move.actions)
            if not actions:
                continue
            parameters = tuple(values for move in chosen for values in move.parameters)
            violations = tuple(violation for move in chosen for violation in move.violations)
            if any(move.after is None for move in chosen):
                yield TransitionMove(actions, parameters, None, violations)
                continue
            joined = self._join(parts, chosen, state)
            if joined is not None and evaluate(self.system.permitted, Scope(joined)):
                yield TransitionMove(actions, parameters, joined, violations)

    def _join(
        self, parts: Sequence[Action | Interleave | LockStep], chosen: Iterable[TransitionMove], state: Values
    ) -> Values | None:
        values: dict[int, int] = {}
        for part, move in zip(parts, chosen, strict=True):
            assert move.after is not None
            for slot in self._changed_slots(part):
                if values.setdefault(slot, move.after[slot]) != move.after[slot]:
                    return None
        return tuple(values.get(slot, value) for slot, value in enumerate(state))

    def _changed_slots(self, part: Action | Interleave | LockStep) -> frozenset[int]:
        if id(part) not in self._changes:
            changed = self.system.changes(part)
            self._changes[id(part)] = frozenset(
                slot for slot, (_, _, variable) in enumerate(self.slots) if variable in changed
            )
        return self._changes[id(part)]

    def _text(self, number: int, chosen: Values) -> str:
        action = self._actions[number]
        names = [pair for variable in action.parameters for pair in scalars(variable.type, variable.name)]
        shown = ", ".join(f"{name}={show(type_, value)}" for (name, type_), value in zip(names, chosen, strict=True))
        return f"{action.text or action.name}({shown})" if shown else action.text or action.name
