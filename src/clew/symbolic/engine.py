"""`ENGINE`: decides safety properties and CTL with sets of states as decision diagrams."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Any

from clew.core.bitwise.execution import Beyond
from clew.core.certificates import Certificate, Recheck
from clew.core.conditions import conditions
from clew.core.decisions import NO_EVIDENCE, Exploration, decide
from clew.core.engines import NO_PROCESSES, Answer, Observer, Request, Unavailable
from clew.core.lowering import NotLowered
from clew.core.lowering.subject import Subject, subject_of
from clew.core.network import Network
from clew.core.properties import Property, PropertyKind
from clew.core.replay import confirmed
from clew.core.results import Decision, Evidence, Statistics
from clew.core.temporal import Fairness
from clew.core.transition_system import TransitionSystem
from clew.core.views import View
from clew.core.violating import violating_step
from clew.logic.ctl_questions import condition_of, ctl_formula, decide_ctl, is_about_some_run, usual_ends
from clew.logic.ctl_traces import steps_in, trace_of
from clew.logic.demonstration import Demonstration
from clew.logic.fixpoints import Fixpoints
from clew.solvers import bdd
from clew.solvers.bdd import Function
from clew.symbolic.certifying import certificate, recheck, violating
from clew.symbolic.explored import Explored, Stopped, Watcher, explored, grants
from clew.symbolic.paths import initial_state, run_to
from clew.symbolic.sets import DiagramSets

DECIDED: frozenset[PropertyKind] = frozenset({"assertion", "deadlock", "runtime-error", "ctl"})


class SymbolicEngine:
    """Explores all states at once; every run it shows is walked and replayed with concrete states.

    Options: `ends` (stutter, maximal, infinite) and `fair` (none, weak, strong) for CTL, `schedule` (bfs, chain,
    saturate), `diagrams` (oxidd, cudd), `sift` (reorder variables, cudd only), `workers` (threads for one operation,
    oxidd only).
    """

    name = "symbolic"

    def refuses(self, request: Request) -> str | None:
        if not isinstance(request.view, Network | TransitionSystem):
            return "it needs a network of processes or a transition system"
        kinds = dict.fromkeys(asked.kind for asked in request.properties)
        if kinds and not DECIDED.intersection(kinds):
            return f"properties of kind '{next(iter(kinds))}' are not decided symbolically"
        if request.options.get("fair", "none") != "none" and not isinstance(request.view, Network):
            return NO_PROCESSES
        return None

    def run(self, request: Request, observer: Observer | None = None) -> Answer:
        """Raises Unavailable, and ReplayError (an internal error) if a run found is none."""
        watcher = Watcher(request.limits, observer)
        options = {"workers": 1, **request.options}
        try:
            for memory in grants(request.limits):
                with contextlib.suppress(MemoryError), bdd.full_is_memory_error():
                    return self._answer(request, watcher, explored(self._subject(request), watcher, options, memory))
                watcher.look_at_the_clock()
        except Stopped as stop:
            return self._partial(request, watcher, str(stop))
        except KeyboardInterrupt:
            return self._partial(request, watcher, "interrupt")
        except (NotLowered, Beyond, bdd.Unavailable) as error:
            raise Unavailable(_why(error)) from error
        return self._partial(request, watcher, "memory")

    def _answer(self, request: Request, watcher: Watcher, known: Explored) -> Answer:
        statistics = self._statistics(known, watcher)
        decisions = tuple(self._decided(request, asked, known, watcher) for asked in request.properties)
        statistics = replace(statistics, seconds=watcher.seconds)
        return Answer(decisions, statistics, (), self._notes(request, known))

    def _subject(self, request: Request) -> Subject:
        return subject_of(request.view)

    # --- safety

    def _decided(self, request: Request, asked: Property, known: Explored, watcher: Watcher) -> Decision:
        if asked.kind == "ctl":
            return self._branching(request, asked, known, watcher)
        if asked.kind not in DECIDED:
            reason = f"properties of kind '{asked.kind}' are not decided symbolically"
            return Decision(asked, "unknown", reason, NO_EVIDENCE)
        diagrams = known.relation.diagrams
        goal = violating(known.relation, asked.kind, known.reached)
        found = None
        if not diagrams.same(goal, diagrams.false):
            space, fresh = known.subject.fresh(), known.subject.fresh()
            start, path, last = run_to(known, space, goal, watcher.watching(known.encoding))
            final, violation = violating_step(space, last, asked.kind)
            found = confirmed(space, fresh, start, [*path, *final], violation), violation
        decision = decide(asked, self._how_far(known), found)
        if decision.verdict != "holds":
            return decision
        proof = certificate(known.subject, known.encoding, known.reached)
        return replace(decision, evidence=self._evidence(known), certificate=proof)

    def recheck(self, view: View, certificate: Certificate, kind: PropertyKind, seconds: float) -> Recheck:
        """Raises Damaged."""
        return recheck(view, certificate, kind, seconds)

    def _how_far(self, known: Explored) -> Exploration:
        diagrams = known.relation.diagrams
        broken = violating(known.relation, "runtime-error", known.reached)
        return Exploration(known.states, True, (), not diagrams.same(broken, diagrams.false))

    def _evidence(self, known: Explored) -> Evidence:
        nodes = known.relation.diagrams.size(known.reached)
        return Evidence("fixpoint", f"fixpoint: {_plural(known.states, 'state')} in {_plural(nodes, 'node')}")

    # --- CTL

    def _branching(self, request: Request, asked: Property, known: Explored, watcher: Watcher) -> Decision:
        if self._how_far(known).broke_down:
            return decide(asked, self._how_far(known), None)
        subject, space = known.subject, known.subject.fresh()
        formula = ctl_formula(request.view, asked)
        sets: DiagramSets[Any] = DiagramSets(
            known.relation, known.reached, subject.encoded, subject.lowered, watcher.watching(known.encoding)
        )
        sets.bind(formula)
        fairness = [sets.intersection(sets.everything, known.encoding.condition(c)) for c in subject.system.fairness]
        fair: Fairness = request.options.get("fair", "none")
        turns = [] if fair == "none" else sets.turns(fair == "strong")
        fixpoints: Fixpoints[Function, Any] = Fixpoints(
            sets, request.options.get("ends") or usual_ends(request.view), fairness, turns
        )
        diagrams = known.relation.diagrams
        initial = diagrams.both(known.encoding.condition(subject.system.initial), sets.everything)
        wrong = diagrams.without(initial, fixpoints.states(formula))
        holds = diagrams.same(wrong, diagrams.false)
        evidence = self._evidence(known)
        if holds and not is_about_some_run(formula):
            return decide_ctl(asked, True, evidence, None, fair=fair)
        decides = conditions(space)
        demonstration: Demonstration[Function, Any, Any] = Demonstration(
            fixpoints, *steps_in(space, fair), lambda atom, state: decides(condition_of(atom), state)
        )
        state = initial_state(known, space, initial if holds else wrong)
        walk = demonstration.shows(formula, state, holds)
        reason = f"{'shows' if holds else 'violates'} {asked.text}"
        trace = trace_of(space, subject.fresh(), walk, reason, fair)
        return decide_ctl(asked, holds, evidence, trace, tuple(walk.remarks), fair)

    # --- reports

    def _statistics(self, known: Explored, watcher: Watcher) -> Statistics:
        states = known.states
        return Statistics(
            states=states,
            stored=states,
            seconds=watcher.seconds,
            peak_bytes=watcher.bytes,
            bytes_per_state=watcher.bytes / states if states else 0.0,
            complete=True,
        )

    def _partial(self, request: Request, watcher: Watcher, limit: str) -> Answer:
        how_far = Exploration(watcher.states, False, (limit,), False)
        decisions = tuple(decide(asked, how_far, None) for asked in request.properties)
        statistics = Statistics(states=watcher.states, seconds=watcher.seconds, peak_bytes=watcher.bytes)
        return Answer(decisions, statistics, (limit,))

    def _notes(self, request: Request, known: Explored) -> tuple[str, ...]:
        diagrams = known.relation.diagrams
        notes = [
            f"{_plural(len(known.encoding.state_bits), 'bit')} in a state, "
            f"{_plural(diagrams.size(known.reached), 'node')} for all states, "
            f"{_plural(known.relation.nodes(), 'node')} for all steps, at most {diagrams.peak_nodes():,} at a time"
        ]
        if request.limits.states is not None or request.limits.depth is not None:
            notes.append("the limits on states and depth do not apply to sets of states")
        return tuple(notes)


def _why(error: Exception) -> str:
    if isinstance(error, NotLowered):
        return "; ".join(diagnostic.message for diagnostic in error.diagnostics)
    return str(error)


def _plural(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count:,} {noun}s"


ENGINE = SymbolicEngine()
