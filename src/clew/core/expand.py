"""From one ordinary state to the next ones, through the transient states between them.

Transient states are compared as whole values and only within one expansion, so they must be hashable. Spin walks
them as a tree: the number of arrivals at an ordinary state is the number of different walks to it (sheet 35, 9).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from clew.core.properties import Violation
from clew.core.records import record
from clew.core.statespace import StateSpace

S = TypeVar("S")
M = TypeVar("M")


@record
class Arrival(Generic[S, M]):
    """An ordinary state and a shortest way to it: the steps taken."""

    state: S
    path: tuple[M, ...]


@record
class Found(Generic[M]):
    """A violation and a shortest way to it; `path` includes the step that shows it."""

    violation: Violation
    path: tuple[M, ...]


@dataclass(slots=True)
class Expansion(Generic[S, M]):
    """What lies behind an ordinary state. `arrivals` in order of length; a state may occur more than once."""

    arrivals: list[Arrival[S, M]] = field(default_factory=list)
    found: list[Found[M]] = field(default_factory=list)
    walks: int = 0  # arrivals, counted as Spin does
    loops: bool = False  # there is a loop of transient states
    cut: bool = False  # steps beyond the limit were left out


@dataclass(slots=True)
class _Inner(Generic[M]):
    """A transient state (or, without a move, where we start): how it was reached first, and where its steps lead."""

    before: int
    move: M | None
    length: int
    inside: list[int] = field(default_factory=list)  # transient successors
    exits: int = 0  # steps to ordinary states


def expand(
    space: StateSpace[S, M], state: S, limit: int | None = None, watch: Callable[[], None] = lambda: None
) -> Expansion[S, M]:
    """Everything up to the next ordinary states, at most `limit` steps away. `watch` is called for each transient
    state; it may end the search by raising."""
    result: Expansion[S, M] = Expansion()
    nodes: list[_Inner[M]] = [_Inner(0, None, 0)]
    numbers: dict[S, int] = {}
    states = [state]
    for number, current in enumerate(states):  # grows while we walk: breadth first
        node = nodes[number]
        if number > 0:
            watch()
        else:
            result.found += [Found(violation, ()) for violation in space.judge(current)]
        moves = space.moves(current)
        if not moves:
            violation = space.stuck(current)
            if violation is not None:
                result.found.append(Found(violation, _path(nodes, number)))
            continue
        if limit is not None and node.length >= limit:
            result.cut = True
            continue
        for move in moves:
            outcome = space.fire(current, move)
            if outcome.violations:
                path = (*_path(nodes, number), move)
                result.found += [Found(violation, path) for violation in outcome.violations]
            after = outcome.state
            if after is None:
                continue
            if not space.transient(after):
                node.exits += 1
                result.arrivals.append(Arrival(after, (*_path(nodes, number), move)))
                continue
            target = numbers.get(after)
            if target is None:
                target = numbers[after] = len(nodes)
                nodes.append(_Inner(number, move, node.length + 1))
                states.append(after)
            node.inside.append(target)
    if len(nodes) == 1:
        result.walks = nodes[0].exits
    else:
        result.walks, result.loops = _count_walks(nodes)
    return result


def _path(nodes: Sequence[_Inner[M]], number: int) -> tuple[M, ...]:
    """The steps by which a transient state was reached first."""
    steps: list[M] = []
    while (move := nodes[number].move) is not None:
        steps.append(move)
        number = nodes[number].before
    return tuple(reversed(steps))


def _count_walks(nodes: Sequence[_Inner[M]]) -> tuple[int, bool]:
    """How many walks leave the transient states. If they have a loop: how many steps leave, and True."""
    waiting = [0] * len(nodes)
    for node in nodes:
        for target in node.inside:
            waiting[target] += 1
    walks = [0] * len(nodes)
    walks[0] = 1
    ready, done, total = [0], 0, 0
    while ready:
        number = ready.pop()
        done += 1
        total += walks[number] * nodes[number].exits
        for target in nodes[number].inside:
            walks[target] += walks[number]
            waiting[target] -= 1
            if waiting[target] == 0:
                ready.append(target)
    if done < len(nodes):
        return sum(node.exits for node in nodes), True
    return total, False
