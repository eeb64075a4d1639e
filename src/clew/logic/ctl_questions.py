"""CTL properties of a view, and from what was found out about them to verdicts. Shared by engines that decide them."""

from __future__ import annotations

from clew.core.diagnostics import InputError
from clew.core.expressions import Expr
from clew.core.network import Formula
from clew.core.properties import Property, Violation
from clew.core.results import Decision, Evidence
from clew.core.temporal import Ends, Fairness, LabelEvent, MessageEvent
from clew.core.traces import Trace
from clew.core.transition_system import TransitionSystem
from clew.core.views import View
from clew.logic import formulas as f
from clew.logic.ctl import basic
from clew.logic.ctl_traces import length_text
from clew.logic.questions import formula_of


def ctl_formula(view: View, asked: Property) -> f.Formula:
    """The basic form of a CTL property that is written in the view or given with it."""
    formulas: tuple[Formula, ...] = getattr(view, "formulas", ())
    body = next(known.body for known in formulas if known.logic == "ctl" and known.name == asked.name)
    formula = basic(formula_of(body))
    for node in f.subformulas(formula):
        if isinstance(node, f.Atom) and isinstance(node.meaning, MessageEvent | LabelEvent):
            hint = "an event belongs to a step: ask for it with --ltl"
            raise InputError.at(asked.span, "ctl-event", f"CTL speaks about states, not about events: {node}", hint)
    return formula


def condition_of(atom: f.Atom) -> Expr:
    """What an atom of a CTL formula stands for."""
    expr: Expr = atom.meaning  # type: ignore[assignment]
    return expr


def usual_ends(view: View) -> Ends:
    """What a run that ends means if nobody says it."""
    return "maximal" if isinstance(view, TransitionSystem) else "stutter"


def decide_ctl(
    asked: Property,
    holds: bool,
    evidence: Evidence,
    trace: Trace | None,
    remarks: tuple[str, ...] = (),
    fair: Fairness = "none",
) -> Decision:
    """The verdict; a trace is what shows it: a counterexample, or a witness for a formula about some run."""
    assumed = () if fair == "none" else (f"on {fair}ly fair runs",)
    reason = "; ".join((*assumed, *remarks))
    if holds:
        shown = "" if trace is None else f"witness: {length_text(trace)}"
        return Decision(asked, "holds", "; ".join(filter(None, (shown, reason))), evidence, trace)
    message = f"not every initial state satisfies {asked.text}"
    violation = Violation("ctl", message, asked.span)
    if trace is not None and (trace.steps or trace.loop is not None or trace.branches):
        evidence = Evidence("replayed-trace", f"replayed trace: {length_text(trace)}")
    return Decision(asked, "violated", "; ".join(filter(None, (message, reason))), evidence, trace, violation)


def is_about_some_run(formula: f.Formula) -> bool:
    """Whether it (in basic form) is shown by a run where it holds."""
    match formula:
        case f.Exists():
            return True
        case f.And(parts) | f.Or(parts):
            return any(map(is_about_some_run, parts))
        case _:
            return False
