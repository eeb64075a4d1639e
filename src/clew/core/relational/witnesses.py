"""Runs that some engine found, written down and judged again by the reference interpreter and explicit CTL."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise

from clew.core.properties import Property
from clew.core.records import record
from clew.core.relational import expressions as x
from clew.core.relational.explicit import Checker, Graph, Place, after
from clew.core.relational.interpreter import Interpreter, State, TooMuch
from clew.core.relational.partly import Known, PartOfGraph, can_be_shown
from clew.core.relational.program import RelationalProgram
from clew.core.relational.space import LOOPED, Move, RelationalSpace
from clew.core.replay import ReplayError, replay_in
from clew.core.traces import Trace, TraceBranch, TraceState, trace_from_json, trace_to_json

MOST_STATES = 3_000  # that are explored to judge a claim about what lies behind a run


@record
class Branch:
    """Another run, from the state behind so many steps; `shows` is a formula as text."""

    at: int
    shows: str
    run: Run


@record
class Run:
    """States from the first to the last; `turn` is the place where the run begins to repeat."""

    states: tuple[Place, ...]
    turn: int | None = None
    branches: tuple[Branch, ...] = ()


@record
class Claim:
    """What a run shows: that an assertion is false in its first state, or (`stuck`) that in its last state a run meets
    a statement that nothing satisfies. `by_steps`: the steps show why it is false, as far as steps can."""

    assertion: x.Expr | None
    stuck: bool = False
    by_steps: bool = True


def confirmed_trace(program: RelationalProgram, run: Run, reason: str, claim: Claim) -> Trace:
    """The trace of a run. Raises ReplayError if it is no run of the program, or does not show the claim."""
    written = _written(RelationalSpace(program), run, reason)
    read_back = trace_from_json(json.loads(json.dumps(trace_to_json(written))))
    space = RelationalSpace(program)
    again = replay_in(space, read_back).trace
    if again != written:
        raise ReplayError("the run found looks different when it is replayed")
    _judge(space, again, claim)
    return again


def rejudged_trace(program: RelationalProgram, asked: Property | None, trace: Trace) -> None:
    """Runs a saved trace again. Raises ReplayError if it is no run, or does not show what it is said to show."""
    space = RelationalSpace(program)
    again = replay_in(space, trace).trace
    formula = next((a.formula for a in program.assertions if asked is not None and a.name == asked.name), None)
    if trace.reason.startswith("stuck"):
        _judge(space, again, Claim(None, stuck=True))
    elif formula is not None:
        _judge(space, again, Claim(formula, by_steps=bool(again.steps or again.branches)))


def _written(space: RelationalSpace, run: Run, reason: str) -> Trace:
    path = [place or LOOPED for place in run.states]
    moves = [_move(space, now, then) for now, then in pairwise(path)]
    steps = [space.explain(now, move, move.after) for now, move in zip(path, moves, strict=False)]
    loop = run.turn if run.turn is not None and run.turn < len(steps) else None
    branches = [TraceBranch(b.at, b.shows, _written(space, b.run, b.shows)) for b in run.branches]
    branches.sort(key=lambda branch: branch.at)
    return Trace(space.describe(path[0]), tuple(steps), space.describe(path[-1]), reason, loop, tuple(branches))


def _move(space: RelationalSpace, now: State, then: State) -> Move:
    for move in space.moves_to(now, then):
        return move
    raise ReplayError("the interpreter does not know a step of the run that was found")


def _judge(space: RelationalSpace, trace: Trace, claim: Claim) -> None:
    """The steps alone must show the claim, as far as steps can. Where not many states lie behind the first one, it is
    decided again, state by state."""
    program = space.program
    first, *_ = path = _places(space, trace)
    if claim.stuck:
        _, stuck = after(Interpreter(program), path[-1])
        if not stuck:
            raise ReplayError("the run found does not get stuck when it is replayed")
        return
    assert claim.assertion is not None
    said = _said(space, trace, claim.assertion)
    if said or (said is None and claim.by_steps and can_be_shown(claim.assertion, False)):
        raise ReplayError("the run found does not show that the assertion fails")
    try:
        graph = Graph.explored(program, [first], MOST_STATES)
    except TooMuch:
        return
    if Checker(graph).holds(claim.assertion, first, {}):
        raise ReplayError("the assertion holds where it was said to fail")


def _said(space: RelationalSpace, trace: Trace, assertion: x.Expr) -> Known:
    """What the runs alone say about an assertion in the first state."""
    program = space.program
    part = PartOfGraph(program, {None: {None}}, set())
    for run in _runs(trace):
        path = _places(space, run)
        for now, then in pairwise(path):
            part.steps.setdefault(now, set()).add(then)
        part.steps.setdefault(path[-1], set())
        if run.loop is None and (program.switches.blocking or not program.toplevel):
            part.ends |= {path[-1]} if not after(Interpreter(program), path[-1])[0] else set()
    first, *_ = _places(space, trace)
    return part.says(assertion, first, {})


def _runs(trace: Trace) -> Iterator[Trace]:
    yield trace
    for branch in trace.branches:
        yield from _runs(branch.trace)


def _places(space: RelationalSpace, trace: Trace) -> Sequence[Place]:
    """The states that a replayed trace goes through."""
    values = dict(trace.initial.values)
    found = [_place(space, values)]
    for step in trace.steps:
        values |= {name: new for name, (_, new) in step.changes.items() if new is not None}
        found.append(_place(space, values))
    return found


def _place(space: RelationalSpace, values: dict[str, str]) -> Place:
    state = space.recognise(TraceState(values))
    assert state is not None
    return state or None
