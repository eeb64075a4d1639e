"""Which states of an automaton can be on an accepting run for ever."""

from __future__ import annotations

import pytest

from clew.core.monitors import Monitor, MonitorEdge
from clew.explicit.monitor import monitor_parts

ALWAYS = ((0, 0),)


def monitor(sets: int, *edges: list[tuple[int, int]], end: int | None = None) -> Monitor:
    """Edges as target and marks."""
    leaving = tuple(tuple(MonitorEdge(ALWAYS, marks, target) for target, marks in each) for each in edges)
    return Monitor((), sets, 0, leaving, end)


@pytest.mark.parametrize(
    ("automaton", "parts"),
    [
        (monitor(1, [(0, 0), (1, 0)], [(1, 1)]), [0, 1]),  # waits, then accepts
        (monitor(1, [(0, 1), (1, 0)], [(0, 0)]), [1, 1]),  # one component
        (monitor(2, [(0, 1), (1, 0)], [(1, 3)]), [0, 1]),  # one of two sets is not enough
        (monitor(2, [(1, 1)], [(0, 2), (2, 0)], [(2, 0)]), [1, 1, 0]),  # together they have both
        (monitor(0, [(1, 0)], [(1, 0)]), [0, 1]),  # without sets staying is all; nothing stays in 0
        (monitor(1, [(1, 1)], [(2, 0)], []), [0, 0, 0]),  # nothing stays anywhere
        (monitor(1, [(0, 0), (1, 0)], [], end=1), [0, 1]),  # its end matches whatever comes
    ],
)
def test_parts(automaton: Monitor, parts: list[int]) -> None:
    assert monitor_parts(automaton) == parts
