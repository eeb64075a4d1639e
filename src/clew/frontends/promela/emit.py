"""Elements to locations and steps: lifts choices, follows merged chains, attaches escapes, builds d_step flowcharts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from clew.core import expressions as core
from clew.core import statements as stmt
from clew.core.access import access_of
from clew.core.diagnostics import InputError, Span
from clew.core.network import EventPattern, Location, Step
from clew.frontends.promela import dstep
from clew.frontends.promela.elements import Element, find_state, option_start
from clew.frontends.promela.optimise import successor
from clew.frontends.promela.sequences import Body


def settle_jumps(body: Body) -> None:
    """A goto that leaves an atomic sequence ends it; one from the end of an atomic into another keeps control."""
    for element in body.elements:
        if element.kind != "goto" or element.jump is None:
            continue
        target = element.jump
        inside = target.in_atomic or target.ends_atomic
        if (element.in_atomic or element.ends_atomic) and not inside:
            element.in_atomic, element.ends_atomic = False, True
        elif element.ends_atomic and inside:
            element.in_atomic, element.ends_atomic = True, False


@dataclass(slots=True)
class Move:
    """A step before locations are numbered."""

    element: Element
    target: Element | None
    block: tuple[stmt.Statement, ...]
    keeps_control: bool
    elements: tuple[Element, ...]  # everything it executes, in order

    @property
    def parts(self) -> tuple[tuple[Span, str], ...]:
        found = tuple((e.span, e.text) for e in self.elements if e is self.element or e.kind == "basic")
        return found if len(found) > 1 else ()


@dataclass(slots=True)
class Control:
    """The reachable control states of a body, in the order of first visit, with their moves by choice."""

    states: list[Element] = field(default_factory=list)
    choices: dict[Element, list[list[Move]]] = field(default_factory=dict)
    numbers: dict[Element, int] = field(default_factory=dict)
    inherited: dict[Element, set[str]] = field(default_factory=dict)  # labels of lifted statements pass to the target


def control(body: Body, java_escapes: bool = False) -> Control:
    """Collects the control states reachable from the start of the body."""
    result = Control()
    assert body.sequence.first is not None
    initial = find_state(body.sequence.first, False)
    work = [initial]
    result.numbers[initial] = 0
    cache: dict[Element, Move] = {}
    while work:
        state = work.pop(0)
        result.states.append(state)
        choices = _choices(state, cache, result, java_escapes)
        result.choices[state] = choices
        for choice in choices:
            for move in choice:
                if move.target is not None and move.target not in result.numbers:
                    result.numbers[move.target] = len(result.numbers)
                    work.append(move.target)
    return result


def _choices(state: Element, cache: dict[Element, Move], result: Control, java_escapes: bool) -> list[list[Move]]:
    own = lifted(state)
    _check_elses(own)
    groups: dict[Element, list[Move]] = {}
    for element in own:
        if element.kind == "dot":
            continue
        for escape in reversed(element.escapes):
            assert escape.first is not None
            start = find_state(escape.first, element.in_atomic)
            if start not in groups:
                groups[start] = [_move(e, cache) for e in lifted(start)]
    escapes = list(groups.values()) if java_escapes else list(groups.values())[::-1]
    moves = [_move(e, cache) for e in own]
    for element, move in zip(own, moves, strict=True):
        if element is not state and move.target is not None and element.labels:
            result.inherited.setdefault(move.target, set()).update(element.labels)
    return [*escapes, moves]


def _check_elses(own: list[Element]) -> None:
    elses = [e for e in own if e.form == "else"]
    if len(elses) > 1:
        raise InputError.at(elses[1].span, "promela-else", "two 'else' in one choice (nested ifs share it)")


def lifted(state: Element, depth: int = 0) -> list[Element]:
    """The elements that can be executed at a control state; choices and block entries are looked through."""
    if depth > 200:
        raise InputError.at(state.span, "promela-nesting", "choices nested too deeply")
    if state.kind in ("if", "do"):
        found: list[Element] = []
        for option in state.options:
            assert option.first is not None
            start = option_start(option.first)
            if not start.constant_false or start.escapes:
                found.extend(e for e in lifted(start, depth + 1) if e not in found)
        return found
    if state.kind in ("plain", "atomic"):
        assert state.inner is not None and state.inner.first is not None
        return lifted(option_start(state.inner.first), depth + 1)
    return [state]


def _move(element: Element, cache: dict[Element, Move]) -> Move:
    if element not in cache:
        cache[element] = _make_move(element)
    return cache[element]


def _make_move(element: Element) -> Move:
    match element.kind:
        case "end":
            return Move(element, None, (stmt.Terminate(element.span),), False, (element,))
        case "d_step":
            flow = dstep.flow(element)
            return Move(element, successor(element), (flow,), element.in_atomic, (element,))
        case _:
            return _chain(element)


def _chain(element: Element) -> Move:
    """The element and what was merged behind it, as one move."""
    target = element.start_target or element.chain_target
    if target is None:
        return Move(element, successor(element), _block(element), element.in_atomic, (element,))
    block = list(_block(element))
    elements = [element]
    keeps_control = element.in_atomic
    current = element
    for _ in range(100_000):
        if current.kind == "goto":
            assert current.jump is not None
            following: Element | None = (
                current.jump if current.jump is target else find_state(current.jump, current.in_atomic, target)
            )
        else:
            following = current.next
        if following is None or following is target:
            break
        if following.chain_target is None and following.single_target is None:
            break
        block.extend(_block(following))
        elements.append(following)
        keeps_control = following.in_atomic
        current = following
    return Move(element, target, tuple(block), keeps_control, tuple(elements))


def _block(element: Element) -> tuple[stmt.Statement, ...]:
    if element.statement is None:
        return ()
    resets = tuple(stmt.Assign(core.Ref(v), core.Const(0), element.span) for v in element.dead)
    return (element.statement, *resets)


def locations(
    template: str,
    graph: Control,
    finish: Callable[[stmt.Statement], stmt.Statement],
    first_index: int,
    claim: bool,
    alone: Callable[[list[Move]], core.Expr | None] | None = None,
) -> tuple[Location, ...]:
    """Numbers the states and makes the steps; `finish` completes statements that depend on all control graphs; `alone`
    says when a process with these moves may move alone."""
    result: list[Location] = []
    index = first_index
    for state in graph.states:
        choices: list[tuple[Step, ...]] = []
        for choice in graph.choices[state]:
            steps = []
            for move in choice:
                if move.element.kind == "end" and claim:
                    continue
                block = tuple(finish(s) for s in move.block)
                steps.append(
                    Step(
                        index=index,
                        template=template,
                        source=graph.numbers[state],
                        target=-1 if move.target is None else graph.numbers[move.target],
                        block=block,
                        keeps_control=move.keeps_control,
                        span=move.element.span,
                        text=_text(move),
                        event=_event(block),
                        access=access_of(block, template),
                        parts=move.parts,
                    )
                )
                index += 1
            choices.append(tuple(steps))
        labels = {*state.labels, *graph.inherited.get(state, ())}
        result.append(
            Location(
                number=graph.numbers[state],
                choices=tuple(choices),
                span=_first_span(graph.choices[state], state),
                labels=tuple(sorted(labels)),
                final=state.kind == "end" or any(name.startswith("end") for name in labels),
                progress=any(name.startswith("progress") for name in labels),
                accept=any(name.startswith("accept") for name in labels),
                alone=None if alone is None else alone([move for choice in graph.choices[state] for move in choice]),
            )
        )
    return tuple(result)


def _first_span(choices: list[list[Move]], state: Element) -> Span:
    return choices[-1][0].element.span if choices and choices[-1] else state.span


def _text(move: Move) -> str:
    if not move.parts:
        return move.element.text
    return "; ".join(text for _, text in move.parts)


def _event(block: tuple[stmt.Statement, ...]) -> EventPattern:
    match block[0] if block else None:
        case stmt.Send(channel):
            return EventPattern("send", channel_text(channel))
        case stmt.Receive(channel):
            return EventPattern("receive", channel_text(channel))
        case stmt.Start(template):
            return EventPattern("start", template)
        case stmt.Terminate():
            return EventPattern("end")
        case _:
            return EventPattern("internal")


def channel_text(channel: core.Expr) -> str:
    return channel.variable.name if isinstance(channel, core.Ref) else "?"


def resolve_labels(statement: stmt.Statement, places: Callable[[str, str], frozenset[int]]) -> stmt.Statement:
    """The statement with the locations of remote label references filled in."""

    def expr(e: core.Expr) -> core.Expr:
        match e:
            case core.AtLocation(template, pid, label, _):
                return core.AtLocation(template, None if pid is None else expr(pid), label, places(template, label))
            case core.Unary(op, operand):
                return core.Unary(op, expr(operand))
            case core.Binary(op, left, right):
                return core.Binary(op, expr(left), expr(right))
            case core.Conditional(test, then, other):
                return core.Conditional(expr(test), expr(then), expr(other))
            case core.Ref(variable, path):
                return core.Ref(variable, tuple(p if isinstance(p, str) else expr(p) for p in path))
            case core.Enabled(pid_expr):
                return core.Enabled(expr(pid_expr))
            case _:
                return e

    match statement:
        case stmt.Guard(value) | stmt.Assert(value):
            return replace(statement, value=expr(value))
        case stmt.Assign(_, value):
            return replace(statement, value=expr(value))
        case stmt.Send(_, args) | stmt.Start(_, args) | stmt.Print(_, args):
            return replace(statement, args=tuple(expr(a) for a in args))
        case stmt.Flow(nodes):
            return replace(
                statement,
                nodes=tuple(
                    tuple(replace(b, block=tuple(resolve_labels(s, places) for s in b.block)) for b in node)
                    for node in nodes
                ),
            )
        case _:
            return statement
