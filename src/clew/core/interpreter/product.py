"""A network together with one of its monitors, as a `StateSpace` (sheet 35, section 9).

A *never claim* moves first and then strictly alternates with the system. Ordinary states are those in which the claim
is to move. While a process has the exclusive right to move the claim waits. If the system is stuck the claim moves
alone. Reaching its end is a violation; a claim that cannot move ends the run.

A *trace* automaton moves with each message that is sent or received in the direction and on a channel it mentions:
having no move is a violation. A *notrace* automaton gives up at the first event it cannot follow; completing is a
violation.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import NamedTuple

from clew.core.diagnostics import NOWHERE
from clew.core.interpreter.execute import run_rest
from clew.core.interpreter.following import is_end, trace_automaton
from clew.core.interpreter.program import StepCode
from clew.core.interpreter.space import NetworkSpace
from clew.core.interpreter.state import Context, EvaluationError, Event, Move, Process, State
from clew.core.network import Network
from clew.core.properties import Violation
from clew.core.statespace import Outcome
from clew.core.traces import ProcessView, TraceState, TraceStep

MONITOR = -1  # stands for the pid of a monitor in moves

CLAIM, SYSTEM, STUTTERED = 0, 1, 2  # whose turn it is; STUTTERED: the system's, after the claim moved alone


class ClaimState(NamedTuple):
    """The system, the claim, and whose turn it is."""

    system: State
    claim: Process
    turn: int


class TracedState(NamedTuple):
    """The system and the location of the automaton that follows its messages."""

    system: State
    location: int


def claim_product(network: Network, index: int) -> ClaimProduct:
    """The network with its monitor of that index, which is a never claim."""
    return ClaimProduct(network, index)


def trace_product(network: Network, index: int) -> TraceProduct:
    """The network with its monitor of that index, which is a trace or notrace assertion."""
    return TraceProduct(network, index)


class ClaimProduct:
    """A `StateSpace` of a system and a never claim."""

    def __init__(self, network: Network, index: int, base: NetworkSpace | None = None) -> None:
        """`base`: the space of the network, if there is one already."""
        if network.monitors[index].kind != "never":
            raise ValueError("this monitor is not a never claim")
        self.network = network
        self.base = base or NetworkSpace(network)
        self.program = self.base.program
        self.template = self.program.monitors[index]
        self._index = index

    def initial(self) -> tuple[ClaimState, ...]:
        frame = [0] * self.template.frame
        (system,) = self.base.initial()
        ctx = Context.working(self.program, system)
        ctx.locals = frame
        self.template.initialise(ctx)
        return (ClaimState(system, Process(self._index, self.template.initial, 1, tuple(frame)), CLAIM),)

    def moves(self, state: ClaimState) -> Sequence[Move]:
        if is_end(self.template, state.claim.location):
            return ()
        if state.turn == CLAIM:
            return self._claim_moves(state)
        return self.base.moves(state.system) or self._claim_moves(state)

    def _claim_moves(self, state: ClaimState) -> list[Move]:
        ctx = Context.reading(self.program, state.system)
        ctx.locals = state.claim.locals
        ctx.timeout = self.program.asks_timeout and not self.base.can_move(state.system)
        for choice in self.template.locations[state.claim.location].choices:
            found: list[Move] = []
            for step in choice:
                if self._executable(ctx, step, bool(found)):
                    found.append(Move(MONITOR, step.index))
            if found:
                return found
        return []

    def _executable(self, ctx: Context, step: StepCode, after_another: bool) -> bool:
        first = step.first
        if first is None:
            return True
        if first.otherwise:
            return not after_another
        try:
            return first.ready is None or first.ready(ctx)
        except EvaluationError:
            return True

    def fire(self, state: ClaimState, move: Move) -> Outcome[ClaimState]:
        if move.pid != MONITOR:
            outcome = self.base.fire(state.system, move)
            if outcome.state is None:
                return Outcome(None, outcome.violations)
            turn = SYSTEM if self.base.transient(outcome.state) else CLAIM
            return Outcome(ClaimState(outcome.state, state.claim, turn), outcome.violations)
        ctx = Context.working(self.program, state.system)
        ctx.timeout = self.program.asks_timeout and not self.base.can_move(state.system)
        after = self._run_claim(ctx, state, self.program.steps[move.step])
        return Outcome(after, tuple(ctx.violations))

    def _run_claim(self, ctx: Context, state: ClaimState, step: StepCode) -> ClaimState | None:
        ctx.locals = list(state.claim.locals)
        try:
            if step.first is not None:
                ctx.span = step.first.span
                if step.first.ready is not None:
                    step.first.ready(ctx)
                step.first.run(ctx)
                run_rest(ctx, step.block[1:])
        except EvaluationError as error:
            ctx.violations.append(Violation("runtime-error", str(error), ctx.span, MONITOR))
            return None
        if is_end(self.template, step.target):
            ctx.violations.append(Violation("never", "the never claim reached its end", step.step.span, MONITOR))
        claim = state.claim._replace(location=step.target, locals=tuple(ctx.locals))
        return ClaimState(state.system, claim, SYSTEM if state.turn == CLAIM else STUTTERED)

    def key(self, state: ClaimState) -> Hashable:
        """Whose turn it is does not count between ordinary states, as in Spin."""
        return (self.base.key(state.system), state.claim.location, state.claim.locals, self.transient(state))

    def transient(self, state: ClaimState) -> bool:
        return self.base.transient(state.system) or state.turn == SYSTEM

    def judge(self, state: ClaimState) -> tuple[Violation, ...]:
        return ()

    def stuck(self, state: ClaimState) -> Violation | None:
        """Never an error: with a claim, the run simply ends."""
        return None

    def describe(self, state: ClaimState) -> TraceState:
        system = self.base.describe(state.system)
        span = self.template.locations[state.claim.location].span
        view = ProcessView(MONITOR, "never", state.claim.location, span)
        return TraceState(system.values, (*system.processes, view), system.control)

    def explain(self, state: ClaimState, move: Move, after: ClaimState | None) -> TraceStep:
        if move.pid != MONITOR:
            step = self.base.explain(state.system, move, None if after is None else after.system)
        else:
            code = self.program.steps[move.step].step
            violations = self.fire(state, move).violations
            step = TraceStep(
                MONITOR, "never", move.step, code.span, code.text, note="; ".join(v.message for v in violations)
            )
        return replace(step, transient=after is not None and self.transient(after))

    def find(self, state: ClaimState, step: TraceStep) -> Move | None:
        wanted = Move(step.pid, step.step, step.partner, step.partner_step)
        return wanted if wanted in self.moves(state) else None


class TraceProduct:
    """A `StateSpace` of a system whose messages are followed by a trace or notrace automaton."""

    def __init__(self, network: Network, index: int) -> None:
        self.base = NetworkSpace(network)
        self.program = self.base.program
        self.template = self.program.monitors[index]
        self.automaton = trace_automaton(network, index, self.base)
        self._scope = self.automaton.scope

    def initial(self) -> tuple[TracedState, ...]:
        return tuple(TracedState(system, self.automaton.initial) for system in self.base.initial())

    def moves(self, state: TracedState) -> Sequence[Move]:
        return self.base.moves(state.system)

    def fire(self, state: TracedState, move: Move) -> Outcome[TracedState]:
        ctx = Context.working(self.program, state.system)
        ctx.events = []
        system = self.base.execute(ctx, state.system, move)
        location = state.location
        for event in ctx.events:
            if (event.kind, event.channel) in self._scope:
                location = self._follow(ctx, location, event, self.program.steps[move.step])
        after = None if system is None else TracedState(system, location)
        return Outcome(after, tuple(ctx.violations))

    def _follow(self, ctx: Context, location: int, event: Event, step: StepCode) -> int:
        """Where the automaton goes with an event; what is wrong with it is added to `ctx`."""
        automaton = self.automaton
        targets = [
            way.target
            for way in automaton.ways.get(location, ())
            if way.goes_with(event.kind, event.channel, event.message)
        ]
        if len(targets) > 1:
            message = "the trace assertion can follow an event in two ways"
            ctx.violations.append(Violation("runtime-error", message, step.step.span, event.pid))
        if targets:
            if not automaton.positive and targets[0] in automaton.ends:
                message = "the notrace assertion was matched to its end"
                ctx.violations.append(Violation("trace", message, step.step.span, event.pid))
            return targets[0]
        if automaton.positive:
            message = f"the trace assertion does not allow this {event.kind}"
            ctx.violations.append(Violation("trace", message, step.step.span, event.pid))
            return location
        return automaton.given_up

    def key(self, state: TracedState) -> Hashable:
        return (self.base.key(state.system), state.location)

    def transient(self, state: TracedState) -> bool:
        return self.base.transient(state.system)

    def judge(self, state: TracedState) -> tuple[Violation, ...]:
        return ()

    def stuck(self, state: TracedState) -> Violation | None:
        return self.base.stuck(state.system)

    def describe(self, state: TracedState) -> TraceState:
        system = self.base.describe(state.system)
        known = self.template.locations.get(state.location)
        span = known.span if known is not None else NOWHERE
        name = "trace" if self.automaton.positive else "notrace"
        return TraceState(
            system.values, (*system.processes, ProcessView(MONITOR, name, state.location, span)), system.control
        )

    def explain(self, state: TracedState, move: Move, after: TracedState | None) -> TraceStep:
        step = self.base.explain(state.system, move, None if after is None else after.system)
        return replace(step, note="; ".join(v.message for v in self.fire(state, move).violations))

    def find(self, state: TracedState, step: TraceStep) -> Move | None:
        return self.base.find(state.system, step)
