"""`ENGINE`: decides properties of a `Network` with the reference interpreter, and searches any other state space."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, cast

from clew.core.decisions import SAFETY, Exploration, decide, remarks, together
from clew.core.engines import HUNTS, NO_PROCESSES, Answer, Observer, Request, with_time_left
from clew.core.foreign import has_foreign_code
from clew.core.interpreter import NetworkSpace, trace_product
from clew.core.network import Network
from clew.core.properties import TEMPORAL, About, Property, Violation
from clew.core.relational.program import RelationalProgram
from clew.core.replay import confirmed, repeatable, write_down
from clew.core.results import Reduced, Statistics
from clew.core.statespace import StateSpace
from clew.core.traces import Trace
from clew.core.transition_system import TransitionSystem
from clew.core.views import SpaceView
from clew.host.compiler import find_compiler, why_no_compiler
from clew.host.spaces import space_of
from clew.logic.accepting import automaton_of, decide_accepting
from clew.logic.marked_graphs import accepting_run, graph_of
from clew.logic.questions import Question, question
from clew.logic.vacuity import doubts
from clew.logic.verdicts import NO_DEPTH, STUCK, decide_temporal, decide_trivial
from clew.logic.witnesses import witness, witness_in_view
from clew.reference.branching import answer_ctl
from clew.reference.search import Findings, Hit, breadth_first, depth_first
from clew.reference.temporal import Answered, find_run

BREAKDOWN: About = ("runtime-error", "")


class ReferenceEngine:
    """Slow and plain; its counts are those of Spin without reductions.

    Options: `ends` (stutter, maximal, infinite) and `fair` (none, weak, strong), for temporal properties and CTL.
    """

    name = "reference"

    def refuses(self, request: Request) -> str | None:
        if "algorithm" in request.options:
            return "it has no choice of algorithm"
        if request.search in HUNTS:
            return "it does not hunt"
        if "checkpoint" in request.options:
            return "it writes no checkpoints"
        if isinstance(request.view, RelationalProgram):
            return "the engine that tries all states of a relational program is called enumerative"
        if automaton_of(request.view) is not None:
            return _not_of_an_automaton(request)
        if not isinstance(request.view, Network):
            decided = SAFETY | {"ctl"} if isinstance(request.view, TransitionSystem) else SAFETY | {"ltl"}
            fair = request.options.get("fair", "none") != "none"
            if fair and any(asked.kind in ("ltl", "ctl") for asked in request.properties):
                return NO_PROCESSES
            beyond = next((asked.kind for asked in request.properties if asked.kind not in decided), None)
            return None if beyond is None else f"properties of kind '{beyond}' need a network of processes"
        if has_foreign_code(request.network):
            if find_compiler() is None:
                return f"embedded C: {why_no_compiler()}"
            if any(asked.kind == "trace" for asked in request.properties):
                return "trace assertions beside embedded C are not supported"
        return None

    def run(self, request: Request, observer: Observer | None = None) -> Answer:
        """Raises ReplayError (an internal error) if a run found is none, InputError if embedded C is bad."""
        answers: list[Answer] = []
        whole, started = request, time.monotonic()
        if not request.properties or any(asked.kind in SAFETY for asked in request.properties):
            answers.append(self._safety(request, observer))
        for asked in request.properties:
            request = with_time_left(whole, started) if answers else whole
            if asked.kind in TEMPORAL:
                answers.append(self._temporal(request, asked, observer))
            elif asked.kind == "accepting":
                answers.append(_accepting(request, asked))
            elif asked.kind == "ctl":
                answers.append(answer_ctl(request, asked, observer))
            elif asked.kind == "trace":
                answers.append(self._traced(request, asked, observer))
            if any(not {"interrupt", "time"}.isdisjoint(answer.limits_hit) for answer in answers):
                break
        return together(request, answers)

    def _safety(self, request: Request, observer: Observer | None) -> Answer:
        space, reduced = _searched_space(request)
        asked = [p for p in request.properties if p.kind in SAFETY]
        findings = self._searched(request, space, asked, observer)
        return self._answer(request, space, space_of(request.view), asked, findings, reduced)

    def _traced(self, request: Request, asked: Property, observer: Observer | None) -> Answer:
        number = next(n for n, m in enumerate(request.network.monitors) if m.template.name == asked.name)
        space, fresh = trace_product(request.network, number), trace_product(request.network, number)
        findings = self._searched(request, space, [asked], observer)
        return self._answer(request, space, fresh, [asked], findings)

    def _searched(
        self, request: Request, space: StateSpace[Any, Any], asked: Iterable[Property], observer: Observer | None
    ) -> Findings[Any, Any]:
        search = depth_first if request.search == "dfs" else breadth_first
        return search(space, frozenset(p.about for p in asked), request.limits, request.keep_going, observer)

    def _answer(
        self,
        request: Request,
        space: StateSpace[Any, Any],
        fresh: StateSpace[Any, Any],
        asked: Iterable[Property],
        findings: Findings[Any, Any],
        reduced: Reduced | None = None,
    ) -> Answer:
        figures = findings.statistics
        hidden = BREAKDOWN in findings.ignored
        how_far = Exploration(
            figures.states,
            figures.complete,
            findings.limits_hit,
            hidden or BREAKDOWN in findings.hits,
            request.view.foreign.untracked if isinstance(request.view, Network) else (),
            bounds=request.view.bounds if isinstance(request.view, SpaceView) else (),
            reduced=reduced,
        )
        decisions = []
        for wanted in asked:
            hit = findings.hits.get(wanted.about)
            found = None if hit is None else _replayed(request, space, fresh, hit)
            decisions.append(decide(wanted, how_far, found))
        notes = remarks(bool(findings.loops), hidden)
        if reduced is not None and isinstance(request.view, SpaceView):
            notes = (*notes, *request.view.remarks)
        return Answer(tuple(decisions), replace(figures, reduced=reduced), findings.limits_hit, notes)

    def _temporal(self, request: Request, asked: Property, observer: Observer | None) -> Answer:
        options, view = request.options, request.view
        assert isinstance(view, Network | SpaceView)
        wanted = question(view, asked, options.get("ends"), options.get("fair", "none"))
        if wanted.trivial:
            return Answer((decide_trivial(wanted),), Statistics(complete=True))
        space = cast(NetworkSpace, space_of(view))
        found = find_run(space, view, wanted, request.limits, observer)
        how_far = Exploration(
            found.statistics.states,
            found.statistics.complete,
            found.limits_hit,
            found.broke_down,
            view.foreign.untracked if isinstance(view, Network) else (),
            bounds=view.bounds if isinstance(view, SpaceView) else (),
        )
        shown = None
        if found.lasso is not None and isinstance(view, SpaceView):
            (start,) = space.initial()
            run = write_down(space, start, (*found.lasso.prefix, *found.lasso.cycle))
            shown = witness_in_view(view, wanted, replace(run, loop=len(found.lasso.prefix)))
        elif found.lasso is not None:
            shown = witness(view, wanted, found.lasso)
        notes: tuple[str, ...] = (
            (STUCK,) if found.stuck and wanted.ends == "infinite" and asked.kind != "progress" else ()
        )
        if request.limits.depth is not None:
            notes = (*notes, NO_DEPTH)
        if isinstance(view, SpaceView) and view.up_to_isomorphism is not None and "reduce" in options:
            notes = (*notes, f"symmetry reduction is off for {asked.name}: it is a formula over runs")
        vacuity = "" if found.lasso else self._vacuity(request, wanted, found)
        decision = decide_temporal(wanted, how_far, shown, "components", vacuity)
        return Answer((decision,), found.statistics, found.limits_hit, notes)

    def _vacuity(self, request: Request, wanted: Question, found: Answered) -> str:
        for doubt, text in doubts(wanted, found.was_true, found.was_false):
            assert isinstance(request.view, Network | SpaceView)
            space = cast(NetworkSpace, space_of(request.view))
            runs = find_run(space, request.view, doubt, request.limits)
            if runs.lasso is None and runs.statistics.complete and not runs.broke_down:
                return text
        return ""


def _not_of_an_automaton(request: Request) -> str | None:
    odd = next((asked.kind for asked in request.properties if asked.kind != "accepting"), None)
    return None if odd is None else f"properties of kind '{odd}' are none of an automaton"


def _accepting(request: Request, asked: Property) -> Answer:
    automaton = automaton_of(request.view)
    assert automaton is not None
    graph = graph_of(automaton)
    if request.limits.states is not None and len(graph.arcs) > request.limits.states:
        decision = decide_accepting(automaton, asked, None, 0, ("states",), "")
        return Answer((decision,), Statistics(), ("states",))
    decision = decide_accepting(automaton, asked, accepting_run(graph), len(graph.arcs), (), "components")
    return Answer((decision,), Statistics(len(graph.arcs), len(graph.arcs), graph.transitions, complete=True))


def _searched_space(request: Request) -> tuple[StateSpace[Any, Any], Reduced | None]:
    """The space to search, and how it is reduced: by symmetry where a view offers that and the request does not forbid
    it. Sound for what does not tell interchangeable things apart: conditions of the model cannot."""
    view = request.view
    wanted = request.options.get("reduce") in ("auto", "symmetry")
    if wanted and isinstance(view, SpaceView) and view.up_to_isomorphism is not None:
        return view.up_to_isomorphism(), Reduced("symmetry", "none", 0, 0)
    return space_of(view), None


def _replayed(
    request: Request, space: StateSpace[Any, Any], fresh: StateSpace[Any, Any], hit: Hit[Any, Any]
) -> tuple[Trace, Violation]:
    with repeatable(request.view):
        return confirmed(space, fresh, hit.start, hit.path, hit.violation), hit.violation


ENGINE = ReferenceEngine()
