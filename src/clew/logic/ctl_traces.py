"""Walks that show a CTL formula, written down as traces and run again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypeVar

from clew.core.expand import expand
from clew.core.replay import ReplayError, replay_in, write_down
from clew.core.statespace import StateSpace
from clew.core.traces import Trace, TraceBranch, trace_from_json, trace_to_json
from clew.logic.demonstration import Walk

S = TypeVar("S")
M = TypeVar("M")


def visible_steps(space: StateSpace[S, M], state: S) -> Iterator[tuple[tuple[M, ...], S]]:
    """The steps to the next states that are not inside an indivisible sequence."""
    for arrival in expand(space, state).arrivals:
        yield arrival.path, arrival.state


def trace_of(space: StateSpace[S, M], fresh: StateSpace[S, M], walk: Walk[S, M], reason: str) -> Trace:
    """The trace of a walk from an initial state, after it was saved, read back and run again in a `fresh` space.

    Raises ReplayError if it is not a run of the system."""
    written = _written(space, walk, reason)
    read_back = trace_from_json(json.loads(json.dumps(trace_to_json(written))))
    replayed = replay_in(fresh, read_back).trace
    if replayed != written:
        raise ReplayError("the run found looks different when it is replayed")
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
            TraceBranch(ends[branch.at], str(branch.formula), _written(space, branch.walk, str(branch.formula)))
            for branch in branches
        ),
    )


def length_text(trace: Trace) -> str:
    """For people: how long a run is and what it is."""
    steps = "1 step" if len(trace) == 1 else f"{len(trace):,} steps"
    if trace.loop is not None:
        around = len(trace) - trace.loop
        steps = f"{trace.loop:,} steps, then " + (f"a cycle of {around:,}" if around else "nothing any more")
    count = _branches(trace)
    return steps if not count else f"{steps}, {count} further run{'s' if count > 1 else ''}"


def _branches(trace: Trace) -> int:
    return sum(1 + _branches(branch.trace) for branch in trace.branches)


Space = StateSpace[Any, Any]
