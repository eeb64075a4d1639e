"""Runs that some engine found, written down and judged again by the reference interpreter and explicit CTL."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from clew.core.properties import Property
from clew.core.records import record
from clew.core.relational import expressions as x
from clew.core.relational.explicit import Checker, Graph, Place, after
from clew.core.relational.interpreter import Interpreter, State, TooMuch
from clew.core.relational.program import RelationalProgram
from clew.core.relational.space import LOOPED, Move, RelationalSpace
from clew.core.replay import ReplayError, replay_in
from clew.core.traces import Trace, trace_from_json, trace_to_json

MOST_STATES = 3_000  # that are explored to judge a claim about what lies behind a run


@record
class Claim:
    """What a run shows: that an assertion is false in its first state, or (`stuck`) that in its last state a run meets
    a statement that nothing satisfies."""

    assertion: x.Expr | None
    stuck: bool = False


def confirmed_trace(
    program: RelationalProgram, states: Sequence[Place], turn: int | None, reason: str, claim: Claim
) -> Trace:
    """The trace through these states. Raises ReplayError if it is no run, or does not show the claim."""
    space = RelationalSpace(program)
    path = [place or LOOPED for place in states]
    moves = [_move(space, now, then) for now, then in pairwise(path)]
    steps = [space.explain(now, move, move.after) for now, move in zip(path, moves, strict=False)]
    loop = turn if turn is not None and turn < len(steps) else None
    written = Trace(space.describe(path[0]), tuple(steps), space.describe(path[-1]), reason, loop)
    read_back = trace_from_json(json.loads(json.dumps(trace_to_json(written))))
    again = replay_in(RelationalSpace(program), read_back).trace
    if again != written:
        raise ReplayError("the run found looks different when it is replayed")
    _judge(program, path, claim)
    return replace(again, reason=reason)


def rejudged_trace(program: RelationalProgram, asked: Property | None, trace: Trace) -> None:
    """Runs a saved trace again. Raises ReplayError if it is no run, or does not show what it is said to show."""
    space = RelationalSpace(program)
    again = replay_in(space, trace).trace
    start, end = space.recognise(again.initial), space.recognise(again.final)
    assert start is not None and end is not None
    formula = next((a.formula for a in program.assertions if asked is not None and a.name == asked.name), None)
    if trace.reason.startswith("stuck"):
        _judge(program, [start, end], Claim(None, stuck=True))
    elif formula is not None:
        _judge(program, [start, end], Claim(formula))


def _move(space: RelationalSpace, now: State, then: State) -> Move:
    for move in space.moves_to(now, then):
        return move
    raise ReplayError("the interpreter does not know a step of the run that was found")


def _judge(program: RelationalProgram, path: Sequence[State], claim: Claim) -> None:
    """Where the part of the state space behind the run is small, the claim is decided again, state by state. Of a
    larger one, only the run is confirmed."""
    if claim.stuck:
        _, stuck = after(Interpreter(program), path[-1] or None)
        if not stuck:
            raise ReplayError("the run found does not get stuck when it is replayed")
        return
    assert claim.assertion is not None
    try:
        graph = Graph.explored(program, [path[0] or None], MOST_STATES)
    except TooMuch:
        return
    if Checker(graph).holds(claim.assertion, path[0] or None, {}):
        raise ReplayError("the assertion holds where it was said to fail")
