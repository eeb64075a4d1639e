"""Runs written down as traces, and run again from them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Generic, TypeVar, cast

from clew.core.chronicle import Chronicle, Tell
from clew.core.diagnostics import NOWHERE, InputError, Span
from clew.core.interpreter import Move, NetworkSpace, State
from clew.core.network import Network
from clew.core.packed_steps import PackedSteps
from clew.core.properties import Violation
from clew.core.records import record
from clew.core.relational.space import RelationalSpace
from clew.core.statespace import StateSpace
from clew.core.traces import Trace, TraceBranch, TraceStep, trace_from_json, trace_to_json
from clew.core.transition_space import TransitionSpace
from clew.core.views import View

S = TypeVar("S")
M = TypeVar("M")


class ReplayError(Exception):
    """A trace is not a run of the system it is said to be a run of. After a search this is an internal error."""


@contextmanager
def repeatable(view: View) -> Iterator[None]:
    """Where runs are replayed: one that differs is the model's fault if it has data that is part of no state."""
    try:
        yield
    except ReplayError as error:
        if not isinstance(view, Network) or not view.foreign.untracked:
            raise
        unseen, (_, span) = view.foreign.untracked, _first_foreign(view)
        message = f"a run that was found cannot be repeated: part of no state: {', '.join(unseen)}"
        raise InputError.at(span, "untracked", message, "track it, with c_track or c_state") from error


def _first_foreign(network: Network) -> tuple[str, Span]:
    declared = (*network.foreign.declarations, *network.foreign.code)
    return declared[0] if declared else ("", next((span for _, _, span in network.foreign.states), NOWHERE))


@record
class Replayed(Generic[S]):
    """A trace as it was run again, and what went wrong at its end."""

    trace: Trace
    violations: tuple[Violation, ...]


LONG = 20_000
"""A run of a network with more steps is written down in parts, with the names of all of its steps."""


def packed_moves(path: Sequence[M]) -> PackedSteps[Move] | None:
    """The steps of a long run of a network; None if it is to be written down as it is."""
    if isinstance(path, PackedSteps):
        return path
    if len(path) <= LONG or not isinstance(path[0], Move):
        return None
    packed = PackedSteps[Move]()
    for move in path:
        packed.append(cast(Move, move))
    return packed


def write_down(
    space: StateSpace[S, M],
    start: S,
    path: Sequence[M],
    reason: str = "",
    loop: int | None = None,
    tell: Tell | None = None,
) -> Trace:
    """The run that takes these steps; a step that breaks down must be the last. `loop`: how many come before its
    cycle."""
    packed = packed_moves(path)
    chronicle = Chronicle(space, start, len(path), loop, packed is not None, tell)
    state = start
    for place, move in enumerate(path):
        after = space.fire(state, move).state
        chronicle.add(state, move, after)
        if after is None:
            if place + 1 < len(path):
                raise ReplayError(f"step {place + 1} breaks down, but the run goes on")
            break
        state = after
    return chronicle.trace(state, reason, None if packed is None else packed.named(tuple))


def replay_in(space: StateSpace[S, M], trace: Trace, tell: Tell | None = None) -> Replayed[S]:
    """Takes the steps of a trace again, by their names. Raises ReplayError if one is not offered."""
    return _replay_from(space, _start(space, trace), trace, tell)


def offered(space: StateSpace[S, M], state: S, recorded: TraceStep | Move) -> M | None:
    """The move that is recorded, if it is offered."""
    if isinstance(recorded, TraceStep):
        return space.find(state, recorded)
    if isinstance(space, NetworkSpace):
        return cast(M, recorded) if space.allows(cast(State, state), recorded) else None
    return cast(M, recorded) if cast(M, recorded) in space.moves(state) else None


def _replay_from(space: StateSpace[S, M], start: S, trace: Trace, tell: Tell | None = None) -> Replayed[S]:
    branches: list[TraceBranch] = []

    def branch_off(place: int, state: S) -> None:
        for branch in trace.branches:
            if branch.at == place:
                replayed = _replay_from(space, state, branch.trace)
                branches.append(TraceBranch(place, branch.reason, replayed.trace))

    branch_off(0, start)
    state, violations, broken = start, tuple[Violation, ...](), False
    loop = None if trace.loop is None else trace.before_cycle
    turn = start if loop == 0 else None  # where the cycle begins
    chronicle = Chronicle(space, start, trace.length, loop, trace.packed is not None, tell)
    recorded: Iterable[TraceStep | Move] = trace.steps if trace.packed is None else trace.packed.named(_move)
    for place, step in enumerate(recorded, 1):
        if broken:
            raise ReplayError(f"step {place} comes after one that breaks down")
        move = offered(space, state, step)
        if move is None:
            raise ReplayError(f"step {place} cannot be taken: {_text(step)}")
        outcome = space.fire(state, move)
        violations = outcome.violations
        chronicle.add(state, move, outcome.state)
        if outcome.state is None:
            broken = True
        else:
            state = outcome.state
        branch_off(place, state)
        if place == loop:
            turn = state
    if loop is not None and (turn is None or broken or space.key(state) != space.key(turn)):
        raise ReplayError("the cycle does not come back to where it began")
    if not broken:
        violations = (*violations, *space.judge(state))
        stuck = None if space.moves(state) else space.stuck(state)
        violations = violations if stuck is None else (*violations, stuck)
    again = replace(chronicle.trace(state, trace.reason, trace.packed), branches=tuple(branches))
    return Replayed(again, violations)


def _text(step: TraceStep | Move) -> str:
    return f"{step.process}({step.pid}) {step.text}" if isinstance(step, TraceStep) else str(step)


def _move(name: Sequence[int | None]) -> Move:
    """The step of a network that is written down under this name. Raises ReplayError if that is none."""
    match name:
        case (int(pid), int(step), int() | None as partner, int() | None as partner_step):
            return Move(pid, step, partner, partner_step)
    raise ReplayError(f"{name} is not the name of a step of a network")


def moves_of(trace: Trace) -> Sequence[Move]:
    """The steps of a trace of a network. Raises ReplayError."""
    if trace.packed is not None:
        return trace.packed.named(_move)
    return [Move(step.pid, step.step, step.partner, step.partner_step) for step in trace.steps]


def replay(network: Network, trace: Trace) -> Trace:
    """The trace as the reference interpreter runs it. Raises ReplayError if it is not a run of this network."""
    return replay_in(NetworkSpace(network), trace).trace


def confirmed(space: StateSpace[S, M], fresh: StateSpace[S, M], start: S, path: Sequence[M], shows: Violation) -> Trace:
    """The trace of a violation, after it was saved, read back and run again in a `fresh` space.

    Raises ReplayError if what is saved does not lead to the violation.
    """
    written = write_down(space, start, path, shows.message)
    read_back = trace_from_json(json.loads(json.dumps(trace_to_json(written))))
    replayed = replay_in(fresh, read_back)
    if shows not in replayed.violations:
        raise ReplayError(f"the run found does not show the violation when it is replayed: {shows.message}")
    if replayed.trace != written:
        raise ReplayError("the run found looks different when it is replayed")
    return replayed.trace


def _start(space: StateSpace[S, M], trace: Trace) -> S:
    if isinstance(space, TransitionSpace | RelationalSpace):  # it may have too many initial states to try them all
        recognised = space.recognise(trace.initial)
        if recognised is not None:
            return cast(S, recognised)
    starts = list(space.initial())
    for state in starts:
        if space.describe(state) == trace.initial:
            return state
    if len(starts) == 1:
        return starts[0]
    raise ReplayError("no initial state looks like the first state of the trace")
