"""An automaton as a state space, for walking, drawing and replaying: a step is an edge."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

from clew.core.diagnostics import NOWHERE
from clew.core.properties import ACCEPTING, Violation
from clew.core.replay import ReplayError, replay_in, write_down
from clew.core.statespace import Outcome
from clew.core.traces import Trace, TraceState, TraceStep, changes
from clew.logic.automata import Automaton, Edge
from clew.logic.diagrams import NEVER
from clew.logic.marked_graphs import Lasso, MarkedGraph, fault, graph_of


class AutomatonSpace:
    """Steps are positions among the edges of a state that some letter takes."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self.edges = [[edge for edge in edges if edge.condition != NEVER] for edges in automaton.edges]

    def initial(self) -> tuple[int, ...]:
        return (self.automaton.initial,)

    def moves(self, state: int) -> Sequence[int]:
        return range(len(self.edges[state]))

    def fire(self, state: int, move: int) -> Outcome[int]:
        return Outcome(self.edges[state][move].target)

    def key(self, state: int) -> Hashable:
        return state

    def transient(self, state: int) -> bool:
        return False

    def judge(self, state: int) -> tuple[Violation, ...]:
        return ()

    def stuck(self, state: int) -> Violation | None:
        return None

    def describe(self, state: int) -> TraceState:
        return TraceState({"state": str(state)})

    def explain(self, state: int, move: int, after: int | None) -> TraceStep:
        assert after is not None
        changed = changes(self.describe(state), self.describe(after))
        return TraceStep(0, "", move, NOWHERE, self._text(self.edges[state][move]), changes=changed)

    def find(self, state: int, step: TraceStep) -> int | None:
        return step.step if 0 <= step.step < len(self.edges[state]) else None

    def _text(self, edge: Edge) -> str:
        """The letters that take it and the acceptance sets it is in, as in the Hanoi format."""
        atoms = [atom.text for atom in self.automaton.atoms]
        alternatives = [
            " & ".join(text if true >> n & 1 else f"!{text}" for n, text in enumerate(atoms) if (true | false) >> n & 1)
            or "t"
            for true, false in self.automaton.cubes(edge)
        ]
        marks = " ".join(str(n) for n in range(self.automaton.sets) if edge.marks >> n & 1)
        return f"[{' | '.join(alternatives)}]" + (f" {{{marks}}}" if marks else "")


def accepting_trace(automaton: Automaton, lasso: Lasso) -> Trace:
    """The run written down, after it was replayed and judged. Raises ReplayError."""
    graph: MarkedGraph = graph_of(automaton)
    reason = fault(graph, lasso)
    if reason is not None:
        raise ReplayError(f"the run found is not accepting: {reason}")
    space = AutomatonSpace(automaton)
    written = write_down(space, automaton.initial, (*lasso.prefix, *lasso.cycle), "", len(lasso.prefix))
    trace = replace(written, reason=ACCEPTING)
    again = replay_in(AutomatonSpace(automaton), trace).trace
    if again != trace:
        raise ReplayError("the run found looks different when it is replayed")
    return again


def rejudged_run(automaton: Automaton, trace: Trace) -> Trace:
    """A saved run, judged again. Raises ReplayError."""
    steps = tuple(step.step for step in trace.steps)
    cut = len(steps) if trace.loop is None else trace.loop
    return accepting_trace(automaton, Lasso(steps[:cut], steps[cut:]))
