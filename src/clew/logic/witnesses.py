"""Runs that violate temporal properties, judged without the product that found them.

The reference interpreter takes the steps of a run; a formula is then evaluated on its states by definition, a never
claim is followed step by step, and fairness is looked up. Nothing here knows the automaton of the formula.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import cast

from clew.core.interpreter import Move, NetworkSpace, State
from clew.core.interpreter.letters import Letters
from clew.core.interpreter.product import CLAIM, ClaimProduct, ClaimState
from clew.core.interpreter.state import EvaluationError, Process
from clew.core.network import Network
from clew.core.properties import Violation
from clew.core.replay import ReplayError, repeatable, replay_in, write_down
from clew.core.traces import Trace, trace_from_json, trace_to_json
from clew.core.views import SpaceView, View
from clew.host.spaces import space_of
from clew.logic import formulas as f
from clew.logic.automata import components
from clew.logic.lasso import holds_at
from clew.logic.questions import ENDED, Question, meaning

CLAIM_ENDS = "the never claim reached its end"


@dataclass(frozen=True, slots=True)
class Lasso:
    """Steps to a state and steps from there back to it. Without a cycle the run stays where the prefix ends."""

    prefix: tuple[Move, ...]
    cycle: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class _Walk:
    """A run as the interpreter takes it: its ordinary states in order, the steps that lead from each to the next, and
    which of the states the last is followed by."""

    states: tuple[State, ...]
    steps: tuple[tuple[tuple[State, Move], ...], ...]
    back: int
    start_of_cycle: State


def witness(
    network: Network | SpaceView, question: Question, lasso: Lasso, space: NetworkSpace | None = None
) -> tuple[Trace, Violation]:
    """The trace of a run that violates the property. `space`: one that searched for nothing and whose steps these are.

    Raises ReplayError if it is no run, or does not violate it."""
    with repeatable(network):
        space = space or cast(NetworkSpace, space_of(network))
        walk = _walk(space, lasso)
        violation = Violation(question.asked.kind, question.message, question.asked.span)
        if question.claim is not None:
            assert isinstance(network, Network)
            if _claim_matches(space, question.claim, network, walk) == "end":
                lasso, violation = Lasso((*lasso.prefix, *lasso.cycle)), replace(violation, message=CLAIM_ENDS)
                return _written(space, network, lasso, None, violation), violation
        else:
            _check_formula(space, question, walk, ends=not lasso.cycle)
        _check_ends(space, question, walk, lasso)
        _check_fairness(space, question, walk, lasso)
        return _written(space, network, lasso, len(lasso.prefix), violation), violation


def rejudged(network: Network | SpaceView, question: Question, trace: Trace) -> Trace:
    """A saved trace, judged again. Raises ReplayError."""
    if isinstance(network, SpaceView):
        return witness_in_view(network, question, trace)[0]
    moves = [Move(step.pid, step.step, step.partner, step.partner_step) for step in trace.steps]
    cut = len(moves) if trace.loop is None else trace.loop
    return witness(network, question, Lasso(tuple(moves[:cut]), tuple(moves[cut:])))[0]


def witness_in_view(view: SpaceView, question: Question, trace: Trace) -> tuple[Trace, Violation]:
    """The same for a run written down as a trace: the steps are found again by their names. Raises ReplayError."""
    space = view.fresh()
    (state,) = space.initial()
    moves = []
    for place, step in enumerate(trace.steps, 1):
        move = space.find(state, step)
        after = None if move is None else space.fire(state, move).state
        if move is None or after is None:
            raise ReplayError(f"step {place} cannot be taken: {step.text}")
        moves.append(move)
        state = after
    cut = len(moves) if trace.loop is None else trace.loop
    lasso = Lasso(tuple(moves[:cut]), tuple(moves[cut:]))
    return witness(view, question, lasso, cast(NetworkSpace, space))


def _walk(space: NetworkSpace, lasso: Lasso) -> _Walk:
    """Takes all steps, and those of the cycle a second time."""
    (state,) = space.initial()
    states: list[State] = []
    steps: list[list[tuple[State, Move]]] = []
    for place, move in enumerate((*lasso.prefix, *lasso.cycle)):
        if place == len(lasso.prefix):
            back, turn = len(states), state
        if not space.transient(state):
            states.append(state)
            steps.append([])
        steps[-1].append((state, move))
        state = _taken(space, state, move, place)
    if not lasso.cycle:
        back, turn = len(states), state
        states.append(state)
        steps.append([])
    if space.transient(turn):
        raise ReplayError("the cycle begins inside an indivisible sequence")
    if space.key(state) != space.key(turn):
        raise ReplayError("the cycle does not come back to where it began")
    for place, move in enumerate(lasso.cycle, len(lasso.prefix)):
        state = _taken(space, state, move, place)
    if space.key(state) != space.key(turn):
        raise ReplayError("the cycle does not come back when it is taken again")
    return _Walk(tuple(states), tuple(map(tuple, steps)), back, turn)


def _taken(space: NetworkSpace, state: State, move: Move, place: int) -> State:
    if move not in space.moves(state):
        raise ReplayError(f"step {place + 1} cannot be taken: {move}")
    after = space.fire(state, move).state
    if after is None:
        raise ReplayError(f"step {place + 1} breaks down, but the run goes on")
    return after


def _check_formula(space: NetworkSpace, question: Question, walk: _Walk, ends: bool) -> None:
    """`ends`: the run stays in its last state, or is over there."""
    formula = question.formula
    assert formula is not None
    atoms = [atom for atom in f.atoms(formula) if atom is not ENDED]
    letters: Letters = space.letters([meaning(atom) for atom in atoms])
    try:
        true = [
            letters(state) | _happened(letters, state, steps)
            for state, steps in zip(walk.states, walk.steps, strict=True)
        ]
    except EvaluationError as error:
        raise ReplayError(f"a condition of the formula has no value: {error}") from None
    over = ends and question.ends == "maximal"
    length, back = (len(true) + 1, len(true)) if over else (len(true), walk.back)

    def truth(atom: f.Atom, place: int) -> bool:
        if place == len(true) or atom is ENDED:
            return atom is ENDED and place == len(true)
        return bool(true[place] >> atoms.index(atom) & 1)

    if holds_at(formula, length, back, truth)[0]:
        raise ReplayError("the formula holds on the run found")


def _happened(letters: Letters, state: State, steps: Sequence[tuple[State, Move]]) -> int:
    """The events of the steps between an ordinary state and the next."""
    found = 0
    if letters.have_events:
        happened = letters.leaving(state)
        for here, move in steps:
            found |= happened(here, move)
    return found


def _check_ends(space: NetworkSpace, question: Question, walk: _Walk, lasso: Lasso) -> None:
    if lasso.cycle:
        return
    if space.moves(walk.states[-1]):
        raise ReplayError("the run stays in a state that it could leave")
    if question.ends == "infinite":
        raise ReplayError("the run found ends")


def _check_fairness(space: NetworkSpace, question: Question, walk: _Walk, lasso: Lasso) -> None:
    if question.fair == "none" or not lasso.cycle:
        return
    moved = {move.pid for move in lasso.cycle}
    enabled = [{move.pid for move in space.moves(state)} for state in walk.states[walk.back :]]
    waiting = set.intersection(*enabled) if question.fair == "weak" else set.union(*enabled)
    if waiting - moved:
        raise ReplayError(f"the run is not fair to process {min(waiting - moved)}")


# --- never claims


def _claim_matches(space: NetworkSpace, index: int, network: Network, walk: _Walk) -> str:
    """How a claim matches a run: `end` or `cycle`. Raises ReplayError if it does not."""
    product = ClaimProduct(network, index, space)
    accepting = {x.number for x in product.network.monitors[index].template.locations if x.accept}
    (first,) = product.initial()
    numbers: dict[tuple[int, Process], int] = {(0, first.claim): 0}
    nodes = [(0, first.claim)]
    successors: list[list[int]] = []
    for position, claim in nodes:
        here = ClaimState(walk.states[position], claim, CLAIM)
        after = position + 1 if position + 1 < len(walk.states) else walk.back
        found: list[int] = []
        for move in product.moves(here):
            outcome = product.fire(here, move)
            if any(violation.kind == "never" for violation in outcome.violations):
                return "end"
            if outcome.state is not None:
                node = (after, outcome.state.claim)
                if node not in numbers:
                    numbers[node] = len(nodes)
                    nodes.append(node)
                found.append(numbers[node])
        successors.append(found)
    for component in components(successors, [0]):
        inside = set(component)
        if any(to in inside for node in component for to in successors[node]) and any(
            nodes[n][1].location in accepting or _at_accept(space, walk.states[nodes[n][0]]) for n in component
        ):
            return "cycle"
    raise ReplayError("the never claim does not match the run found")


def _at_accept(space: NetworkSpace, state: State) -> bool:
    templates = space.program.templates
    return any(process.location in templates[process.template].accept for process in state.processes)


# --- traces


def _written(space: NetworkSpace, network: View, lasso: Lasso, loop: int | None, shows: Violation) -> Trace:
    """Written down, saved, read back, and run again in a fresh space."""
    (start,) = space.initial()
    trace = replace(write_down(space, start, _all(lasso)), reason=shows.message, loop=loop)
    read_back = trace_from_json(json.loads(json.dumps(trace_to_json(trace))))
    again = replay_in(space_of(network), read_back).trace
    if again != trace:
        raise ReplayError("the run found looks different when it is replayed")
    return again


def _all(lasso: Lasso) -> Sequence[Move]:
    return (*lasso.prefix, *lasso.cycle)


def moves_of(names: Iterable[Sequence[int]]) -> tuple[Move, ...]:
    """Steps as compiled programs name them; an empty name is no step."""
    return tuple(Move(*name) for name in names if name)
