"""A d_step as a flowchart: one node per control state inside it, options tried in text order."""

from __future__ import annotations

from clew.core.diagnostics import InputError
from clew.core.statements import Branch, Flow, Guard, Otherwise, Receive, Send, Statement
from clew.frontends.promela.elements import Element, find_state, option_start


def flow(element: Element) -> Flow:
    """The flowchart of a d_step element. Its exit is whatever follows the d_step."""
    assert element.inner is not None and element.inner.first is not None
    start = find_state(element.inner.first, False)
    numbers: dict[Element, int] = {start: 0}
    work = [start]
    raw: list[list[Branch]] = []
    while work:
        state = work.pop(0)
        branches: list[Branch] = []
        for step in _lifted(state):
            target = _successor(step, element)
            if target is None:
                number = -1
            else:
                if target not in numbers:
                    numbers[target] = len(numbers)
                    work.append(target)
                number = numbers[target]
            branches.append(Branch(() if step.statement is None else (step.statement,), number))
        raw.append(branches)
    return Flow(_compress(raw), element.span)


def _successor(step: Element, dstep: Element) -> Element | None:
    following = step.jump if step.kind == "goto" else step.next
    for _ in range(10_000):
        if following is None or not following.in_dstep:
            return None
        match following.kind:
            case "goto":
                following = following.jump
            case "dot" | "break_target":
                following = following.next
            case "unless":
                following = following.options[0].first
            case "plain":
                assert following.inner is not None
                following = following.inner.first
            case _:
                return following
    raise InputError.at(dstep.span, "promela-goto-loop", "cycle of gotos with no statement in it")


def _lifted(state: Element) -> list[Element]:
    """What can be executed at a state inside a d_step, in the order it is tried."""
    if state.kind in ("if", "do"):
        found: list[Element] = []
        for option in state.options:
            assert option.first is not None
            start = option_start(option.first)
            if not start.constant_false:
                found.extend(_lifted(start))
        return found
    if state.kind in ("plain", "atomic", "d_step"):
        assert state.inner is not None and state.inner.first is not None
        return _lifted(option_start(state.inner.first))
    return [state]


def _may_block(statement: Statement) -> bool:
    return isinstance(statement, Guard | Send | Receive | Otherwise | Flow)


def _compress(raw: list[list[Branch]]) -> tuple[tuple[Branch, ...], ...]:
    """Joins a node with one branch that cannot block to the only branch that leads to it."""
    entries = [0] * len(raw)
    for branches in raw:
        for branch in branches:
            if branch.target >= 0:
                entries[branch.target] += 1

    def absorbable(number: int) -> bool:
        branches = raw[number]
        plain = len(branches) == 1 and not any(_may_block(s) for s in branches[0].block)
        return number > 0 and entries[number] == 1 and plain

    for number, branches in enumerate(raw):
        for position, branch in enumerate(branches):
            seen = {number}
            while branch.target >= 0 and absorbable(branch.target) and branch.target not in seen:
                seen.add(branch.target)
                following = raw[branch.target][0]
                branch = Branch((*branch.block, *following.block), following.target)
            branches[position] = branch
    kept: dict[int, int] = {}
    order = [0]
    for number in order:
        if number in kept:
            continue
        kept[number] = len(kept)
        order.extend(b.target for b in raw[number] if b.target >= 0 and b.target not in kept)
    return tuple(
        tuple(Branch(b.block, -1 if b.target < 0 else kept[b.target]) for b in raw[number])
        for number in sorted(kept, key=lambda n: kept[n])
    )
