"""Walks that show a CTL formula, written down as traces and run again; their cycles are judged by who could move."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from clew.core.expand import expand
from clew.core.interpreter import Move, NetworkSpace, State
from clew.core.interpreter.turns import able, movers, turns_taken, unfair_to
from clew.core.replay import ReplayError, moves_of, replay_in, write_down
from clew.core.statespace import StateSpace
from clew.core.temporal import Fairness
from clew.core.traces import Trace, TraceBranch, trace_from_json, trace_to_json
from clew.logic.ctl import readable
from clew.logic.demonstration import Walk

S = TypeVar("S")
M = TypeVar("M")


Steps = Callable[[Any], Iterator[tuple[tuple[Any, ...], Any]]]  # from a state
Movers = Callable[[tuple[Any, ...]], frozenset[int]]  # in a step


def steps_in(space: StateSpace[Any, Any], fair: Fairness) -> tuple[Steps, Movers]:
    """The steps to the next states that are not inside an indivisible sequence, and who moves in them: nobody, unless
    fairness is asked for."""
    if fair != "none" and isinstance(space, NetworkSpace):
        return lambda state: turns_taken(space, state), movers
    return lambda state: _visible_steps(space, state), lambda moves: frozenset()


def _visible_steps(space: StateSpace[S, M], state: S) -> Iterator[tuple[tuple[M, ...], S]]:
    for arrival in expand(space, state).arrivals:
        yield arrival.path, arrival.state


def trace_of(
    space: StateSpace[S, M], fresh: StateSpace[S, M], walk: Walk[S, M], reason: str, fair: Fairness = "none"
) -> Trace:
    """The trace of a walk from an initial state, after it was saved, read back and run again in a `fresh` space.

    Raises ReplayError if it is not a run of the system, or none that is fair."""
    written = _written(space, walk, reason)
    read_back = trace_from_json(json.loads(json.dumps(trace_to_json(written))))
    replayed = replay_in(fresh, read_back).trace
    if replayed != written:
        raise ReplayError("the run found looks different when it is replayed")
    if isinstance(fresh, NetworkSpace):
        check_fairness(fresh, replayed, fair)
    return replayed


def _written(space: StateSpace[S, M], walk: Walk[S, M], reason: str) -> Trace:
    ends = [0]  # how many single moves the first steps of the walk consist of
    for moves in walk.moves:
        ends.append(ends[-1] + len(moves))
    path = [move for moves in walk.moves for move in moves]
    plain = write_down(space, walk.states[0], path, reason)
    branches = sorted(walk.branches, key=lambda branch: branch.at)
    return Trace(
        plain.initial,
        plain.steps,
        plain.final,
        reason,
        None if walk.loop is None else ends[walk.loop],
        tuple(
            TraceBranch(ends[branch.at], shows, _written(space, branch.walk, shows))
            for branch, shows in ((branch, str(readable(branch.formula))) for branch in branches)
        ),
    )


def check_fairness(space: NetworkSpace, trace: Trace, fair: Fairness) -> None:
    """Raises ReplayError if a cycle of the trace or of its branches is unfair to a process. `space`: one that the trace
    was replayed in."""
    if fair == "none":
        return
    (start,) = space.initial()
    _check_cycles(space, start, trace, fair)


def _check_cycles(space: NetworkSpace, start: State, trace: Trace, fair: Fairness) -> None:
    states, moves = [start], list[Move](moves_of(trace))
    for move in moves:
        after = space.fire(states[-1], move).state
        assert after is not None  # it was replayed
        states.append(after)
    if trace.loop is not None:
        begin = trace.before_cycle
        ordinary = (state for state in states[begin:] if not space.transient(state))
        unfair = unfair_to(fair, (able(space, state) for state in ordinary), movers(moves[begin:]))
        if unfair:
            raise ReplayError(f"the run is not fair to process {min(unfair)}")
    for branch in trace.branches:
        _check_cycles(space, states[branch.at], branch.trace, fair)


def length_text(trace: Trace) -> str:
    """For people: how long a run is and what it is."""
    before = len(trace) if trace.loop is None else trace.loop
    steps = "1 step" if before == 1 else f"{before:,} steps"
    if trace.loop is not None:
        around = len(trace) - trace.loop
        steps += f", then a cycle of {around:,}" if around else ", then nothing any more"
    count = _branches(trace)
    return steps if not count else f"{steps}, {count} further run{'s' if count > 1 else ''}"


def _branches(trace: Trace) -> int:
    return sum(1 + _branches(branch.trace) for branch in trace.branches)


Space = StateSpace[Any, Any]
