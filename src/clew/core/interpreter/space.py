"""The reference interpreter: a `Network` as a `StateSpace`. Plain rather than fast; every engine is measured by it.

The rules are those of sheet 35, sections 3 to 9 (Promela as Spin executes it): see the docstring of `core.network`.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from clew.core.expressions import Expr
from clew.core.interpreter.execute import run_rest
from clew.core.interpreter.foreign import ForeignRunner
from clew.core.interpreter.handshake import Receivers, find_receptor, may_run, receivers
from clew.core.interpreter.program import Program, StepCode, TemplateCode
from clew.core.interpreter.show import channel_names, describe_state, show_message
from clew.core.interpreter.state import (
    Context,
    EvaluationError,
    Event,
    Move,
    Process,
    State,
    Values,
)
from clew.core.network import Network
from clew.core.properties import Violation
from clew.core.statespace import Outcome
from clew.core.temporal import StepEvent
from clew.core.traces import Message, TraceState, TraceStep, changes

if TYPE_CHECKING:
    from clew.core.interpreter.letters import Letters


class NetworkSpace:
    """The state space of a network; its monitors do not take part. `runner` runs embedded C.

    Raises Unsupported if it cannot be run.
    """

    def __init__(self, network: Network, runner: ForeignRunner | None = None) -> None:
        self.network = network
        self.program = Program(network, runner)
        self._recent: tuple[tuple[State, TraceState], ...] = ()
        self._carries = bool(self.program.unmatched) or any(t.unmatched for t in self.program.templates)

    # --- the contract

    def initial(self) -> tuple[State, ...]:
        """The one initial state; raises InputError if an initial value cannot be computed."""
        return (self.program.initial_state(),)

    def moves(self, state: State) -> Sequence[Move]:
        ctx = Context.reading(self.program, state)
        found = self._offers(ctx, state.control)
        if not found and self.program.asks_timeout:
            ctx.timeout = True
            found = self._offers(ctx, state.control)
        return found

    def fire(self, state: State, move: Move) -> Outcome[State]:
        ctx = Context.working(self.program, state)
        after = self.execute(ctx, state, move)
        return Outcome(after, tuple(ctx.violations))

    def letters(self, atoms: Sequence[Expr | StepEvent]) -> Letters:
        """What an automaton beside the network reads."""
        from clew.core.interpreter.letters import Letters

        return Letters(self, atoms)

    def key(self, state: State) -> Hashable:
        if not self._carries:
            return state
        processes = tuple(
            p._replace(locals=_zeroed(p.locals, self.program.templates[p.template].unmatched)) for p in state.processes
        )
        return state._replace(globals=_zeroed(state.globals, self.program.unmatched), processes=processes)

    def transient(self, state: State) -> bool:
        return state.control >= 0

    def judge(self, state: State) -> tuple[Violation, ...]:
        return ()

    def stuck(self, state: State) -> Violation | None:
        waiting = [
            (pid, process) for pid, process in enumerate(state.processes) if not self.program.location(process).final
        ]
        if not waiting:
            return self._left_in_channels(state) if self.program.network.ends_empty else None
        where = ", ".join(f"{self.process_text(p, pid)} at {self.program.location(p).span}" for pid, p in waiting)
        pid, first = waiting[0]
        verb = "waits" if len(waiting) == 1 else "wait"
        return Violation("deadlock", f"invalid end state: {where} {verb}", self.program.location(first).span, pid)

    def _left_in_channels(self, state: State) -> Violation | None:
        names = channel_names(self.program, state)
        full = [name for name, channel in zip(names, state.channels, strict=True) if channel.messages]
        return Violation("deadlock", f"invalid end state: messages left in {', '.join(full)}") if full else None

    def describe(self, state: State) -> TraceState:
        return describe_state(self.program, state)

    def _described(self, state: State) -> TraceState:
        """The same, at once for the states of the last step: steps are explained along a run, or all of a state."""
        for known, described in self._recent:
            if known is state:
                return described
        return self.describe(state)

    def _changes(self, before: State, after: State) -> dict[str, tuple[str | None, str | None]]:
        pair = self._described(before), self._described(after)
        self._recent = ((before, pair[0]), (after, pair[1]))
        return changes(*pair)

    def explain(self, state: State, move: Move, after: State | None) -> TraceStep:
        ctx = Context.working(self.program, state)
        ctx.events, ctx.output = [], []
        self.execute(ctx, state, move)
        step = self.program.steps[move.step].step
        partner = None if move.partner_step is None else self.program.steps[move.partner_step].step
        return TraceStep(
            pid=move.pid,
            process=self._template_of(state, move.pid).name,
            step=move.step,
            span=step.span,
            text=step.text,
            partner=move.partner,
            partner_process="" if move.partner is None else self._template_of(state, move.partner).name,
            partner_step=move.partner_step,
            partner_span=None if partner is None else partner.span,
            partner_text="" if partner is None else partner.text,
            message=self._message(state, move, ctx.events),
            output=tuple(ctx.output),
            changes={} if after is None else self._changes(state, after),
            transient=after is not None and self.transient(after),
            note="; ".join(violation.message for violation in ctx.violations),
            parts=tuple(span for span, _ in step.parts),
        )

    def find(self, state: State, step: TraceStep) -> Move | None:
        wanted = Move(step.pid, step.step, step.partner, step.partner_step)
        return wanted if self.allows(state, wanted) else None

    def allows(self, state: State, move: Move) -> bool:
        """Whether this is one of the moves. Mostly it is enough to ask the process that makes it."""
        controls = state.control < 0 or state.control == move.pid
        if controls and not self.network.uses_priorities and 0 <= move.pid < len(state.processes):
            if move in self._offers_of(Context.reading(self.program, state), move.pid, 0):
                return True
            if not self.program.asks_timeout:
                return False
        return move in self.moves(state)

    # --- which steps can be taken

    def can_move(self, state: State) -> bool:
        """Whether there is a step without anything waiting for `timeout`."""
        return bool(self._offers(Context.reading(self.program, state), state.control))

    def _offers(self, ctx: Context, control: int) -> list[Move]:
        highest = self._highest_priority(ctx) if self.network.uses_priorities else 0
        pids = (control,) if control >= 0 else range(len(ctx.processes) - 1, -1, -1)
        return [move for pid in pids for move in self._offers_of(ctx, pid, highest)]

    def _offers_of(self, ctx: Context, pid: int, highest: int) -> list[Move]:
        """The executable steps of the process: those of its first choice that has one."""
        process = ctx.processes[pid]
        if process.priority < highest:
            return []
        ctx.pid, ctx.locals = pid, process.locals
        template = self.program.templates[process.template]
        choices = template.locations[process.location].choices
        if template.provided is not None:
            try:
                if not template.provided(ctx):
                    return []
            except EvaluationError:  # offered once, to be reported when it is taken
                return [Move(pid, choice[0].index) for choice in choices[:1] if choice]
        for choice in choices:
            found: list[Move] = []
            for step in choice:
                if step.first is None or not step.first.otherwise:
                    found += self._offers_of_step(ctx, pid, step)
                elif not found:
                    found.append(Move(pid, step.index))
            if found:
                return found
        return []

    def _offers_of_step(self, ctx: Context, pid: int, step: StepCode) -> list[Move]:
        """A step whose test breaks down is offered, to be reported when it is taken."""
        first = step.first
        if first is None or first.ready is None:
            return [Move(pid, step.index)]
        try:
            if first.send is not None:
                number = first.send.channel(ctx)
                channel = ctx.channel(number)
                if self.program.channels[channel.kind].capacity == 0:
                    message = first.send.message(ctx, channel)
                    ready = receivers(ctx, pid, step, number, message)
                    if self.network.uses_priorities:
                        ready = _of_highest_priority(ctx, ready)
                    return [Move(pid, step.index, partner, taken) for partner, steps in ready for taken in steps]
            return [Move(pid, step.index)] if first.ready(ctx) else []
        except EvaluationError:
            return [Move(pid, step.index)]

    def _highest_priority(self, ctx: Context) -> int:
        """The highest priority of a process that has a step."""
        highest = 0
        for pid, process in enumerate(ctx.processes):
            if process.priority > highest:
                try:
                    if may_run(ctx.seen_by(pid, process.locals)) and self.program.enabled(ctx, pid):
                        highest = process.priority
                except EvaluationError:
                    highest = process.priority
        return highest

    # --- running a step

    def execute(self, ctx: Context, state: State, move: Move) -> State | None:
        """Runs a step in `ctx` (made from `state`). None if it breaks down; what went wrong is in `ctx`."""
        step = self.program.steps[move.step]
        ctx.enter(move.pid)
        if step.asks_timeout:
            ctx.timeout = state.control < 0 and not self.can_move(state)
        try:
            ctx.span = step.step.span
            may_run(ctx)  # fails if the clause cannot be evaluated
            if move.partner is None or move.partner_step is None:
                self._run_alone(ctx, step)
                mover, last_step = move.pid, step
            else:
                last_step = self.program.steps[move.partner_step]
                self._run_handshake(ctx, step, move.partner, last_step)
                mover = move.partner
        except EvaluationError as error:
            ctx.violations.append(Violation(error.kind, str(error), ctx.span, ctx.pid))
            return None
        control = mover if last_step.keeps_control and mover < len(ctx.processes) else -1
        last = mover if self.network.tracks_last else 0
        after = State(tuple(ctx.globals), tuple(ctx.processes), tuple(ctx.channels), control, last)
        if control >= 0 and not self.can_move(after):
            after = after._replace(control=-1)
        return after

    def _run_alone(self, ctx: Context, step: StepCode) -> None:
        first = step.first
        if first is not None:
            ctx.span = first.span
            if first.send is not None:
                first.send.message(ctx, ctx.channel(first.send.channel(ctx)))  # fails if it cannot be made
            if first.ready is not None:
                first.ready(ctx)  # fails if the test cannot be evaluated
            first.run(ctx)
            run_rest(ctx, step.block[1:])
        ctx.leave(step.target)

    def _run_handshake(self, ctx: Context, step: StepCode, partner: int, partner_step: StepCode) -> None:
        first, receiving = step.first, partner_step.first
        assert first is not None and first.send is not None and receiving is not None
        ctx.span = first.span
        number = first.send.channel(ctx)
        message = first.send.message(ctx, ctx.channel(number))
        first.send.check_count(ctx, ctx.channel(number))
        sender = ctx.pid
        run_rest(ctx, step.block[1:])
        ctx.leave(step.target)
        ctx.enter(partner)
        ctx.span = receiving.span
        receptor = find_receptor(ctx, partner_step, number, message)
        assert receptor is not None
        if ctx.events is not None:
            ctx.events += [Event("send", number, message, sender), Event("receive", number, message, partner)]
        receptor.take(ctx, message)
        run_rest(ctx, partner_step.block[1:])
        ctx.leave(partner_step.target)

    # --- for people

    def process_text(self, process: Process, pid: int) -> str:
        return f"{self._template(process).name}({pid})"

    def _template(self, process: Process) -> TemplateCode:
        return self.program.templates[process.template]

    def _template_of(self, state: State, pid: int) -> TemplateCode:
        return self._template(state.processes[pid])

    def _message(self, state: State, move: Move, events: Sequence[Event]) -> Message | None:
        """The first message that the step moved."""
        if not events:
            return None
        event = events[0]
        names = channel_names(self.program, state)
        if event.channel > len(names):  # of a channel made in this step
            return None
        fields = self.program.channels[state.channels[event.channel - 1].kind].fields
        values = show_message(event.message, fields, names)
        channel = names[event.channel - 1]
        if move.partner is not None and event.kind == "send":
            return Message("handshake", channel, values, event.pid, move.partner)
        if event.kind == "send":
            return Message("send", channel, values, sender=event.pid)
        return Message("receive", channel, values, receiver=event.pid)


def _of_highest_priority(ctx: Context, ready: Receivers) -> Receivers:
    highest = max((ctx.processes[pid].priority for pid, _ in ready), default=0)
    return [(pid, steps) for pid, steps in ready if ctx.processes[pid].priority == highest]


def _zeroed(frame: Values, slots: Sequence[int]) -> Values:
    if not slots:
        return frame
    values = list(frame)
    for slot in slots:
        values[slot] = 0
    return tuple(values)
