"""Answers to CTL properties: every state is labelled, and what shows the verdict is walked and replayed."""

from __future__ import annotations

from typing import Any

from clew.core.conditions import conditions
from clew.core.decisions import Exploration, decide
from clew.core.engines import Answer, Observer, Request
from clew.core.properties import Property
from clew.core.results import Evidence
from clew.core.temporal import Fairness
from clew.core.transition_system import TransitionSystem
from clew.host.spaces import space_of
from clew.logic import formulas as f
from clew.logic.ctl_questions import condition_of, ctl_formula, decide_ctl, is_about_some_run, usual_ends
from clew.logic.ctl_traces import steps_in, trace_of
from clew.logic.demonstration import Demonstration
from clew.logic.fixpoints import Fixpoints
from clew.reference.ctl import ExplicitSets, Labelling, exhausted


def answer_ctl(request: Request, asked: Property, observer: Observer | None) -> Answer:
    """Raises ReplayError (an internal error) if a run found is none."""
    space = space_of(request.view)
    fair: Fairness = request.options.get("fair", "none")
    graph, run = exhausted(space, request.limits, observer, fair)
    figures = run.findings({}, not run.limits_hit).statistics
    how_far = Exploration(figures.states, figures.complete, run.limits_hit, graph.broke_down)
    if run.limits_hit or graph.broke_down:
        return Answer((decide(asked, how_far, None),), figures, tuple(run.limits_hit))
    decides = conditions(space)
    formula = ctl_formula(request.view, asked)
    ends = request.options.get("ends") or usual_ends(request.view)

    def holds_in(atom: f.Atom, state: Any) -> bool:
        return decides(condition_of(atom), state)

    constraints = request.view.fairness if isinstance(request.view, TransitionSystem) else ()
    fairness = [frozenset(n for n, s in enumerate(graph.states) if decides(c, s)) for c in constraints]
    found = Labelling(graph, holds_in, ends, fairness, fair).labels(formula)
    wrong = [n for n in range(graph.initial) if n not in found]
    evidence = Evidence("exhaustive", f"exhaustive: {figures.states:,} states")
    if not wrong and not is_about_some_run(formula):
        return Answer((decide_ctl(asked, True, evidence, None, fair=fair),), figures)
    sets = ExplicitSets(graph, space, holds_in)
    turns = sets.turns(strong=fair == "strong")
    fixpoints = Fixpoints(sets, ends, fairness, turns)
    demonstration = Demonstration(fixpoints, *steps_in(space, fair), holds_in)
    walk = demonstration.shows(formula, graph.states[wrong[0] if wrong else 0], not wrong)
    reason = f"{'violates' if wrong else 'shows'} {asked.text}"
    trace = trace_of(space, space_of(request.view), walk, reason, fair)
    return Answer((decide_ctl(asked, not wrong, evidence, trace, tuple(walk.remarks), fair),), figures)
