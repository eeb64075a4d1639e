"""The graph of all reachable states, for systems small enough to look at."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TypeVar

from clew.core.statespace import StateSpace
from clew.core.traces import TraceState, TraceStep
from clew.report.graphs.figure import Edge, Graph, Node, NodeKind
from clew.report.trace_text import process_name

S = TypeVar("S")
M = TypeVar("M")

_MOST_LINES = 12


class TooManyStates(Exception):
    """The system has more states than asked for."""


@dataclass(slots=True)
class _Draft:
    """A state on its way to a node."""

    state: TraceState
    initial: bool = False
    kind: NodeKind = "plain"
    trouble: list[str] = field(default_factory=list)


def state_graph(space: StateSpace[S, M], title: str, max_states: int) -> Graph:
    """All reachable states in breadth-first order. Raises TooManyStates."""
    numbers: dict[Hashable, int] = {}
    states: list[S] = []
    drafts: list[_Draft] = []
    edges: list[Edge] = []

    def number_of(state: S) -> int:
        key = space.key(state)
        if key not in numbers:
            if len(numbers) >= max_states:
                raise TooManyStates
            numbers[key] = len(drafts)
            states.append(state)
            drafts.append(_Draft(space.describe(state), kind="transient" if space.transient(state) else "plain"))
        return numbers[key]

    for state in space.initial():
        drafts[number_of(state)].initial = True
    failures: list[tuple[int, str, str]] = []
    position = 0
    while position < len(states):
        state = states[position]
        moves = space.moves(state)
        for move in moves:
            outcome = space.fire(state, move)
            label = step_label(space.explain(state, move, outcome.state))
            trouble = "; ".join(violation.message for violation in outcome.violations)
            if outcome.state is None:
                failures.append((position, label, trouble or "the step fails"))
            else:
                edges.append(Edge(position, number_of(outcome.state), label, error=bool(trouble)))
        if not moves:
            stuck = space.stuck(state)
            drafts[position].kind = "end" if stuck is None else "error"
            if stuck is not None:
                drafts[position].trouble.append(stuck.message)
        position += 1
    varying = _varying([draft.state for draft in drafts])
    nodes = [_node(number, draft, varying) for number, draft in enumerate(drafts)]
    for source, label, trouble in failures:
        edges.append(Edge(source, len(nodes), label, error=True))
        nodes.append(Node((f"✗ {trouble}",), kind="error", key=(("error", trouble),)))
    return Graph(title, tuple(nodes), tuple(edges))


def step_label(step: TraceStep) -> str:
    """`client(1): q!5`, the name of a step on an edge; without processes only the step."""
    label = f"{process_name(step.process, step.pid)}: {step.text}" if step.process else step.text
    if step.partner is not None:
        label += f" | {process_name(step.partner_process, step.partner)}: {step.partner_text}"
    return label


def _varying(states: list[TraceState]) -> list[str]:
    """Names whose value is not the same in all states: the others say nothing in a label."""
    names = dict.fromkeys(name for state in states for name in state.values)
    return [name for name in names if len({state.values.get(name) for state in states}) > 1]


def _node(number: int, draft: _Draft, varying: list[str]) -> Node:
    state = draft.state
    lines = [str(number)]
    lines += [f"{process_name(p.name, p.pid)} :{p.span.line}" for p in state.processes if p.span.line > 0]
    lines += [f"{name} = {state.values[name]}" for name in varying if name in state.values]
    if len(lines) > _MOST_LINES:
        lines = [*lines[:_MOST_LINES], "…"]
    lines += [f"✗ {text}" for text in draft.trouble]
    places = tuple((process_name(p.name, p.pid), f"{p.span.file}:{p.span.line}") for p in state.processes)
    return Node(tuple(lines), draft.initial, draft.kind, key=(*places, *state.values.items()))
