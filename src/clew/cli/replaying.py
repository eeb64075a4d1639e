"""Executing a saved trace again, from the model text saved in its run."""

from __future__ import annotations

from clew.core.diagnostics import InputError, Span
from clew.core.interpreter import NetworkSpace
from clew.core.properties import TEMPORAL
from clew.core.relational.program import RelationalProgram
from clew.core.relational.witnesses import rejudged_trace
from clew.core.replay import ReplayError, replay_in
from clew.core.views import SpaceView
from clew.host.runs import Run
from clew.host.saved_models import load_saved_model, original_names
from clew.host.saved_traces import SavedTrace
from clew.host.spaces import watched_space
from clew.logic.accepting import automaton_of
from clew.logic.automaton_space import rejudged_run
from clew.logic.ctl_traces import check_fairness
from clew.logic.questions import question
from clew.logic.witnesses import rejudged


class ShowsNothing(ReplayError):
    """The trace is a run of the model, but not of what it is said to show."""


def replay_saved(saved: SavedTrace) -> None:
    """Raises ReplayError if the trace is no run of the model or does not show what it is said to show, InputError if
    there is no model to it."""
    if saved.run is None:
        hint = f"clew simulate --trace {saved.name} MODEL executes it on a model"
        raise InputError.at(Span(saved.name, 0), "no-run", "is not in a run, so its model is not known", hint)
    model = load_saved_model(saved.run)
    asked = next((found for found in (*model.properties, *model.further) if found.name == saved.property), None)
    if isinstance(model.view, RelationalProgram):
        rejudged_trace(model.view, asked, saved.trace)
        return
    automaton = automaton_of(model.view)
    if automaton is not None:
        rejudged_run(automaton, saved.trace)
        return
    if asked is not None and asked.kind in TEMPORAL:
        options = saved.run.options().get("options", {})
        view = model.view if isinstance(model.view, SpaceView) else model.network
        wanted = question(view, asked, options.get("ends"), options.get("fair", "none"))
        rejudged(view, wanted, saved.trace)
        return
    space = watched_space(model, asked)
    replayed = replay_in(space, saved.trace)
    if asked is not None and asked.kind == "ctl":  # its runs are those of the system; no state shows it alone
        if isinstance(space, NetworkSpace):
            check_fairness(space, saved.trace, saved.run.options().get("options", {}).get("fair", "none"))
        return
    found = [_with_original_names(violation.message, saved.run) for violation in replayed.violations]
    if saved.trace.reason and saved.trace.reason not in found:
        raise ShowsNothing("; ".join(found) or "nothing is wrong at its end")


def _with_original_names(text: str, run: Run) -> str:
    for place, name in original_names(run).items():
        if place != name:
            text = text.replace(place, name)
    return text
