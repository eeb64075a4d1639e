"""Table 4.1 of Ernits (2007), and the checker of plans."""

from __future__ import annotations

from bench.hunting.blocks import HAND, TABLE, fault
from bench.hunting.table41 import SIZES, all_states, breadth_first, depth_first, table, union, word


def test_table_41() -> None:
    assert len(all_states()) == 26
    assert len(union(depth_first)) == 17
    assert len(union(breadth_first)) == 14
    assert len(table().splitlines()) == 2 + 26 + 2
    assert sorted(word(state) for state in all_states())[:5] == [0, 7, 10, 13, 56]


def test_where_the_deadlock_is_met() -> None:
    """The thesis says 7 bits; with the orders that give 17 and 14 it is entered with 12 bits for the first time."""
    deadlock = ((1, 1), (1, 1), (1, 1))
    assert [bits for bits in SIZES if deadlock in depth_first(bits)] == [12]


def test_plans() -> None:
    start, goal = {0: 1, 1: TABLE}, {1: 0}
    take, put = {"on[0]": HAND}, {"on[0]": TABLE}
    good = [take, put, {"on[1]": HAND}, {"on[1]": 0}]
    assert fault(start, goal, good) is None
    assert fault(start, goal, good[:2]) == "it does not reach the goal"
    assert fault(start, goal, [{"on[1]": HAND}]) == "step 1 takes block 1, which is not free"
    assert fault(start, goal, [take, {"on[0]": 0}]) == "step 2 puts block 0 onto 0"
