"""The behaviour of a model as a finite graph: what suites are made from."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from clew.core.diagnostics import NOWHERE, InputError
from clew.core.records import record
from clew.testing.actions import Action, TestedModel

MOST_STATES = 100_000


@record
class Arc:
    source: int
    action: Action
    target: int


@record
class Behaviour:
    """States are numbers, 0 is the first. `accepting`: where a test may end. `left_out`: arcs from which no accepting
    state can be reached, so that no test can take them."""

    states: int
    arcs: tuple[Arc, ...]
    accepting: frozenset[int]
    left_out: int = 0

    def leaving(self) -> list[list[int]]:
        """The numbers of the arcs that leave each state."""
        found: list[list[int]] = [[] for _ in range(self.states)]
        for number, arc in enumerate(self.arcs):
            found[arc.source].append(number)
        return found


def explore(model: TestedModel, most: int = MOST_STATES) -> Behaviour:
    """Raises InputError if there are too many states."""
    start = model.start()
    numbers = {model.space.key(start): 0}
    states, arcs = [start], []
    for number, state in enumerate(states):  # grows while we walk
        for offer in model.offers(state):
            after = model.after(state, offer)
            target = numbers.setdefault(model.space.key(after), len(states))
            if target == len(states):
                if len(states) >= most:
                    hint = "bound the model with @state_filter or a scenario, or test it online (--against)"
                    raise InputError.at(NOWHERE, "too-many-states", f"more than {most:,} states", hint)
                states.append(after)
            arcs.append(Arc(number, offer.action, target))
    accepting = frozenset(n for n, state in enumerate(states) if model.accepts(state))
    return restricted(Behaviour(len(states), tuple(arcs), accepting))


def restricted(behaviour: Behaviour) -> Behaviour:
    """Without what leads where no accepting state can be reached. Raises InputError if nothing is left."""
    live = backwards(behaviour, behaviour.accepting)
    if 0 not in live:
        raise InputError.at(NOWHERE, "no-accepting-state", "no accepting state can be reached: no test can end")
    kept = tuple(arc for arc in behaviour.arcs if arc.target in live)
    return Behaviour(behaviour.states, kept, behaviour.accepting, len(behaviour.arcs) - len(kept))


def backwards(behaviour: Behaviour, goals: Iterable[int]) -> set[int]:
    """The states from which one of the goals can be reached."""
    entering: list[list[int]] = [[] for _ in range(behaviour.states)]
    for arc in behaviour.arcs:
        entering[arc.target].append(arc.source)
    found = set(goals)
    todo = list(found)
    while todo:
        for source in entering[todo.pop()]:
            if source not in found:
                found.add(source)
                todo.append(source)
    return found


def shortest(behaviour: Behaviour, leaving: Sequence[Sequence[int]], start: int, wanted: object) -> list[int] | None:
    """The fewest arcs from a state to one that `wanted` accepts (called with the state), or None."""
    assert callable(wanted)
    came: dict[int, int | None] = {start: None}
    waiting = deque([start])
    while waiting:
        state = waiting.popleft()
        if wanted(state):
            way: list[int] = []
            step = came[state]
            while step is not None:
                way.append(step)
                step = came[behaviour.arcs[step].source]
            return way[::-1]
        for number in leaving[state]:
            target = behaviour.arcs[number].target
            if target not in came:
                came[target] = number
                waiting.append(target)
    return None
