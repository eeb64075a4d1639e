"""Which processes there will be: those started once and for all before anything else can happen, and how many at least.

A system often begins with one process that starts all others before they can move. Running that beginning once shows
which template each place holds for ever.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from clew.core.interpreter import NetworkSpace, State, Unsupported
from clew.core.network import Network, Template
from clew.core.statements import Start, statements_in

LONGEST_BEGINNING = 2_000  # steps
WALKS, WALK_LENGTH = 3, 100


def settled_templates(network: Network) -> list[Template] | None:
    """The templates of all places, in order, if every process that can ever be started is started by the only initial
    process before any other can move, and in one possible way; None if that is not so."""
    starters = [t for t in network.templates if _starts(t)]
    if len(network.instances) != 1 or [t.name for t in starters] != [network.instances[0].template]:
        return None
    (starter,) = starters
    try:
        space = NetworkSpace(network)
    except Unsupported:
        return None
    (state,) = space.initial()
    for _ in range(LONGEST_BEGINNING):
        moves = space.moves(state)
        after = space.fire(state, moves[0]).state if len(moves) == 1 else None
        if after is None:
            return None
        state = after
        if len(state.processes) > 1 and not space.transient(state):
            break
    places = [network.templates[process.template] for process in state.processes]
    if not places or places[0] is not starter:
        return None
    if any(_starts_at(starter, location) for location in _reachable(starter, state.processes[0].location)):
        return None
    return places


def processes_seen(network: Network) -> int:
    """The largest number of processes met on a few random walks; 0 if the network cannot be interpreted."""
    try:
        space = NetworkSpace(network)
    except Unsupported:
        return 0
    choose = random.Random(1)
    most = 0
    for _ in range(WALKS):
        state: State | None
        (state,) = space.initial()
        for _ in range(WALK_LENGTH):
            most = max(most, len(state.processes))
            moves = space.moves(state)
            state = space.fire(state, choose.choice(moves)).state if moves else None
            if state is None:
                break
    return most


def _starts(template: Template) -> bool:
    return any(_starts_at(template, location.number) for location in template.locations)


def _starts_at(template: Template, location: int) -> bool:
    return any(
        isinstance(statement, Start)
        for choice in template.locations[location].choices
        for step in choice
        for statement in statements_in(step.block)
    )


def _reachable(template: Template, location: int) -> Iterator[int]:
    seen = {location}
    work = [location]
    while work:
        here = work.pop()
        yield here
        for choice in template.locations[here].choices:
            for step in choice:
                if step.target >= 0 and step.target not in seen:
                    seen.add(step.target)
                    work.append(step.target)
