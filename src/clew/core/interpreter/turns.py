"""Who can move in a state of a network, and who moves on the way to the next one: what fairness to processes is about.

A handshake is a move of its sender. Processes are told apart by their pids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clew.core.interpreter.space import NetworkSpace
from clew.core.interpreter.state import Move, State
from clew.core.temporal import Fairness


def able(space: NetworkSpace, state: State) -> frozenset[int]:
    """The processes that can move."""
    return movers(space.moves(state))


def movers(moves: Iterable[Move]) -> frozenset[int]:
    """The processes that move."""
    return frozenset(move.pid for move in moves)


def turns_taken(space: NetworkSpace, state: State) -> Iterator[tuple[tuple[Move, ...], State]]:
    """The ways to the next states that are not inside an indivisible sequence: a shortest one for each of these states
    and each set of processes that move on the way."""
    waiting: list[tuple[tuple[Move, ...], State]] = [((), state)]
    seen: set[tuple[State, frozenset[int]]] = set()
    for path, here in waiting:
        for move in space.moves(here):
            after = space.fire(here, move).state
            if after is None:
                continue
            way = (*path, move)
            if (after, movers(way)) in seen:
                continue
            seen.add((after, movers(way)))
            if space.transient(after):
                waiting.append((way, after))
            else:
                yield way, after


def unfair_to(fair: Fairness, able_on_cycle: Iterable[frozenset[int]], moved: frozenset[int]) -> frozenset[int]:
    """The processes that a cycle treats unfairly. `able_on_cycle`: who can move in each of its states, those inside
    indivisible sequences left out; `moved`: who does."""
    if fair == "none":
        return frozenset()
    everywhere = list(able_on_cycle)
    if not everywhere:
        return frozenset()
    waiting = frozenset.intersection(*everywhere) if fair == "weak" else frozenset().union(*everywhere)
    return waiting - moved
