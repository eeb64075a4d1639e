"""Runs written down as traces, and run again from them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from clew.core.diagnostics import NOWHERE, InputError, Span
from clew.core.interpreter import NetworkSpace
from clew.core.network import Network
from clew.core.properties import Violation
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


@dataclass(frozen=True, slots=True)
class Replayed(Generic[S]):
    """A trace as it was run again, and what went wrong at its end."""

    trace: Trace
    violations: tuple[Violation, ...]


def write_down(space: StateSpace[S, M], start: S, path: Sequence[M], reason: str = "") -> Trace:
    """The run that takes these steps; a step that breaks down must be the last."""
    state, steps = start, []
    for place, move in enumerate(path):
        after = space.fire(state, move).state
        steps.append(space.explain(state, move, after))
        if after is None:
            if place + 1 < len(path):
                raise ReplayError(f"step {place + 1} breaks down, but the run goes on")
            break
        state = after
    return Trace(space.describe(start), tuple(steps), space.describe(state), reason)


def replay_in(space: StateSpace[S, M], trace: Trace) -> Replayed[S]:
    """Takes the steps of a trace again, by their names. Raises ReplayError if one is not offered."""
    return _replay_from(space, _start(space, trace), trace)


def _replay_from(space: StateSpace[S, M], start: S, trace: Trace) -> Replayed[S]:
    branches: list[TraceBranch] = []

    def branch_off(place: int, state: S) -> None:
        for branch in trace.branches:
            if branch.at == place:
                replayed = _replay_from(space, state, branch.trace)
                branches.append(TraceBranch(place, branch.reason, replayed.trace))

    branch_off(0, start)
    state, steps, violations = start, list[TraceStep](), tuple[Violation, ...]()
    broken = False
    turn = start if trace.loop == 0 else None  # where the cycle begins
    for place, recorded in enumerate(trace.steps, 1):
        if broken:
            raise ReplayError(f"step {place} comes after one that breaks down")
        move = space.find(state, recorded)
        if move is None:
            raise ReplayError(f"step {place} cannot be taken: {recorded.process}({recorded.pid}) {recorded.text}")
        outcome = space.fire(state, move)
        violations = outcome.violations
        steps.append(space.explain(state, move, outcome.state))
        if outcome.state is None:
            broken = True
        else:
            state = outcome.state
        branch_off(place, state)
        if place == trace.loop:
            turn = state
    if trace.loop is not None and (turn is None or broken or space.key(state) != space.key(turn)):
        raise ReplayError("the cycle does not come back to where it began")
    if not broken:
        violations = (*violations, *space.judge(state))
        stuck = None if space.moves(state) else space.stuck(state)
        violations = violations if stuck is None else (*violations, stuck)
    again = Trace(space.describe(start), tuple(steps), space.describe(state), trace.reason, trace.loop, tuple(branches))
    return Replayed(again, violations)


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
