"""The verdict on whether an automaton accepts anything, from what a check of its graph found."""

from __future__ import annotations

from clew.core.decisions import NO_EVIDENCE, cut_short
from clew.core.properties import Property
from clew.core.results import Decision, Evidence
from clew.core.views import SpaceView
from clew.logic.automata import Automaton
from clew.logic.automaton_space import accepting_trace
from clew.logic.marked_graphs import Lasso
from clew.logic.verdicts import length_of


def automaton_of(view: object) -> Automaton | None:
    """The automaton that a view is, if it is one."""
    found = view.automaton if isinstance(view, SpaceView) else None
    return found if isinstance(found, Automaton) else None


def decide_accepting(
    automaton: Automaton, asked: Property, lasso: Lasso | None, states: int, limits_hit: tuple[str, ...], by: str
) -> Decision:
    """`states` were visited by the algorithm `by`. Raises ReplayError if the run found is none."""
    if lasso is not None:
        trace = accepting_trace(automaton, lasso)
        return Decision(asked, "holds", "", Evidence("replayed-trace", f"replayed trace: {length_of(trace)}"), trace)
    if limits_hit:
        return Decision(asked, "unknown", cut_short(limits_hit), NO_EVIDENCE)
    size = "1 state" if states == 1 else f"{states:,} states"
    return Decision(asked, "violated", "it accepts nothing", Evidence("exhaustive", f"exhaustive: {size}, {by}"))
