"""`ENGINE`: decides assertions of small relational programs state by state, from the definitions alone."""

from __future__ import annotations

import time

from clew.core.engines import RELATIONAL_ONLY, Answer, Observer, Request, refused_of_relations
from clew.core.properties import Property, Violation
from clew.core.relational import expressions as x
from clew.core.relational.explicit import Checker, Graph, whole
from clew.core.relational.interpreter import TooMuch
from clew.core.relational.program import Assertion, RelationalProgram
from clew.core.relational.sorts import Rel
from clew.core.relational.space import RelationalSpace
from clew.core.relational.witnesses import Claim, Run, confirmed_trace
from clew.core.results import Decision, Evidence, Statistics

MOST_BITS = 16


class EnumerativeEngine:
    """Slow and plain; for comparison with the engine that uses decision diagrams."""

    name = "enumerative"

    def refuses(self, request: Request) -> str | None:
        if not isinstance(request.view, RelationalProgram):
            return RELATIONAL_ONLY
        if (refused := refused_of_relations(request)) is not None:
            return refused
        bits = 0
        for variable in request.view.variables:
            if isinstance(variable.type, Rel):
                size = 1
                for sort in variable.type.columns:
                    size *= sort.size
                bits += size
            else:
                bits += variable.type.sort.bits
        return None if bits <= MOST_BITS else f"it tries all states, and there are {bits} bits"

    def run(self, request: Request, observer: Observer | None = None) -> Answer:
        assert isinstance(request.view, RelationalProgram)
        started = time.perf_counter()
        program = request.view
        try:
            if not request.properties:
                graph = Graph.explored(program, RelationalSpace(program).initial(), request.limits.states)
                return Answer((), _figures(graph, started))
            graph = whole(program)
        except TooMuch:
            unknown = [
                Decision(asked, "unknown", "limit hit: states", Evidence("none", "")) for asked in request.properties
            ]
            return Answer(tuple(unknown), Statistics(), ("states",))
        checker = Checker(graph)
        by_name = {assertion.name: assertion for assertion in program.assertions}
        decisions = tuple(_decided(asked, by_name[asked.name], checker) for asked in request.properties)
        return Answer(decisions, _figures(graph, started))


def _figures(graph: Graph, started: float) -> Statistics:
    steps = sum(len(after) for after in graph.successors.values())
    states = len(graph.successors)
    return Statistics(states, states, steps, 0, time.perf_counter() - started, complete=True)


def _decided(asked: Property, assertion: Assertion, checker: Checker) -> Decision:
    program, graph = checker.graph.program, checker.graph
    every = [state for state in graph.successors if state is not None]
    stuck = [state for state in every if graph.stuck[state]]
    if stuck and not program.switches.blocking and x.is_temporal(assertion.formula):
        first = min(stuck, key=repr)
        reason = f"stuck: a declarative statement has no next state in {len(stuck)} states"
        trace = confirmed_trace(program, Run((first,)), reason, Claim(None, stuck=True))
        return Decision(asked, "violated", reason, Evidence("replayed-trace", "replayed trace: 0 steps"), trace)
    fails = [state for state in every if not checker.holds(assertion.formula, state, {})]
    if not fails:
        return Decision(asked, "holds", "", Evidence("exhaustive", f"exhaustive: {len(every):,} states"))
    reason = f"fails in {len(fails):,} of {len(every):,} states"
    trace = confirmed_trace(program, Run((min(fails, key=repr),)), reason, Claim(assertion.formula, by_steps=False))
    violation = Violation("ctl", reason, asked.span)
    return Decision(asked, "violated", reason, Evidence("replayed-trace", "replayed trace: 0 steps"), trace, violation)


ENGINE = EnumerativeEngine()
