"""Table 4.1 of J. Ernits (2007): three philosophers, the state modulo the number of bits as its place in the table.

A state is a word of 9 bits: for each philosopher two bits (thinking 0, waiting 1, eating 2, finishing 3) and the fork
to the right of it. The left fork of the first is the right one of the last. A philosopher takes the left fork, then the
right one, and puts the left one back, then the right one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

State = tuple[tuple[int, int], ...]  # for each philosopher what it does, and its right fork
ORDER = (0, 2, 1)  # in which philosophers are asked
SIZES = range(5, 13)
START: State = ((0, 0), (0, 0), (0, 0))


def successors(state: State, order: tuple[int, ...] = ORDER) -> Iterator[State]:
    for me in order:
        left, doing = (me - 1) % 3, state[me][0]
        fork = {"left": state[left][1], "right": state[me][1]}
        if doing == 0 and not fork["left"]:
            yield _with(state, me, 1, left, 1)
        elif doing == 1 and not fork["right"]:
            yield _with(state, me, 2, me, 1)
        elif doing == 2:
            yield _with(state, me, 3, left, 0)
        elif doing == 3:
            yield _with(state, me, 0, me, 0)


def word(state: State) -> int:
    """As the decimal number in the table."""
    value = 0
    for doing, fork in state:
        value = value << 3 | doing << 1 | fork
    return value


def depth_first(bits: int) -> set[State]:
    """The states entered: a state is marked when it is entered, and the goal is looked for there."""
    marked: set[int] = set()
    entered: set[State] = set()

    def enter(state: State) -> None:
        if word(state) % bits in marked:
            return
        marked.add(word(state) % bits)
        entered.add(state)
        for found in successors(state):
            enter(found)

    enter(START)
    return entered


def breadth_first(bits: int) -> set[State]:
    marked, entered, queue = {word(START) % bits}, {START}, deque([START])
    while queue:
        for found in successors(queue.popleft()):
            if word(found) % bits not in marked:
                marked.add(word(found) % bits)
                entered.add(found)
                queue.append(found)
    return entered


def all_states() -> list[State]:
    """In the order in which a breadth-first search finds them."""
    found, queue = [START], deque([START])
    while queue:
        for state in successors(queue.popleft()):
            if state not in found:
                found.append(state)
                queue.append(state)
    return found


def union(search: Callable[[int], set[State]]) -> set[State]:
    return set().union(*(search(bits) for bits in SIZES))


def table() -> str:
    """A line for each state: its place in a table of so many bits, with marks of the searches that enter it there."""
    lines = ["| state | decimal | " + " | ".join(str(bits) for bits in SIZES) + " |", "|---|--:|" + "--:|" * len(SIZES)]
    for state in all_states():
        cells = []
        for bits in SIZES:
            marks = ("d" if state in depth_first(bits) else "") + ("b" if state in breadth_first(bits) else "")
            cells.append(f"{word(state) % bits}{' ' + marks if marks else ''}")
        text = " ".join(f"P{i + 1}({'TWEF'[doing]}),{fork}" for i, (doing, fork) in enumerate(state))
        lines.append(f"| {text} | {word(state)} | {' | '.join(cells)} |")
    lines.append(
        f"\nstates: {len(all_states())}, entered by depth-first searches together: {len(union(depth_first))}, "
        f"by breadth-first searches: {len(union(breadth_first))}"
    )
    return "\n".join(lines)


def _with(state: State, me: int, doing: int, fork_of: int, fork: int) -> State:
    changed = [list(part) for part in state]
    changed[me][0] = doing
    changed[fork_of][1] = fork
    return tuple((a, b) for a, b in changed)
