"""`clew simulate`: walk through a model at random, along a trace, or step by step."""

from __future__ import annotations

import random
from argparse import Namespace
from typing import Any

from clew.cli import status
from clew.cli.console import Console
from clew.cli.menu import Menu
from clew.cli.requests import model_options
from clew.cli.walker import Walker
from clew.core.diagnostics import NOWHERE, InputError, Span
from clew.core.registry import LoadedModel
from clew.core.simulate import Simulation
from clew.core.traces import trace_to_json
from clew.host.checking import load_model, main_file
from clew.host.extras import install_command
from clew.host.saved_models import load_saved_model
from clew.host.saved_traces import SavedTrace, find_trace
from clew.host.spaces import reference_space

DEFAULT_STEPS = 1000


def run(arguments: Namespace, console: Console) -> int:
    guide = find_trace(arguments.trace, arguments.runs_dir) if arguments.trace else None
    model = _model(arguments, guide)
    if arguments.tui:
        return _on_a_screen(guide, model, arguments, console)
    simulation: Simulation[Any, Any] = Simulation(reference_space(model))
    most = arguments.steps or (len(guide.trace) if guide else DEFAULT_STEPS)
    walker = Walker(simulation, model, console, most, arguments)
    if arguments.interactive:
        Menu(walker, console).run()
    elif guide is not None:
        _follow(guide, walker, most)
    else:
        _wander(walker, random.Random(arguments.seed), most)
    walker.finish()
    if arguments.json:
        console.print_json(trace_to_json(simulation.trace()))
    return status.VIOLATED if simulation.violations else status.HOLDS


def _on_a_screen(guide: SavedTrace | None, model: LoadedModel, arguments: Namespace, console: Console) -> int:
    try:
        from clew.tui.app import Simulator
    except ImportError:
        hint = f"{install_command('tui')}, or use -i"
        raise InputError.at(NOWHERE, "textual-missing", "--tui needs the library textual", hint) from None
    from clew.tui.walk import Walk

    if not console.out.isatty():
        raise InputError.at(NOWHERE, "no-terminal", "--tui needs a terminal", "without it steps are printed")
    walk = Walk(reference_space(model))
    if guide is not None:
        walk.follow(guide.trace, guide.name)
    Simulator(walk, main_file(model), dict(model.files), arguments.seed).run()
    return status.VIOLATED if walk.troubles else status.HOLDS


def _model(arguments: Namespace, guide: SavedTrace | None) -> LoadedModel:
    if arguments.file is not None:
        return load_model(arguments.file, model_options(arguments))
    if guide is None:
        raise InputError.at(Span("clew simulate", 0), "usage", "needs a FILE, or --trace RUN")
    if guide.run is None:
        raise InputError.at(Span(guide.name, 0), "no-run", "is not in a run: name the model, too")
    return load_saved_model(guide.run)


def _wander(walker: Walker, chance: random.Random, most: int) -> None:
    """Each step that can be taken is as likely as any other. Ends at a violation."""
    simulation = walker.simulation
    while len(simulation) < most and not simulation.violations:
        moves = list(simulation.space.moves(simulation.state))
        if not moves:
            return
        walker.take(chance.choice(moves))


def _follow(guide: SavedTrace, walker: Walker, most: int) -> None:
    simulation = walker.simulation
    for number, step in enumerate(guide.trace.steps[:most], start=1):
        move = simulation.space.find(simulation.state, step)
        if move is None:
            what = f"step {number} cannot be taken: {step.process}({step.pid}) {step.text}"
            raise InputError.at(Span(guide.name, 0), "trace-does-not-fit", what, "is it a trace of another model?")
        walker.take(move)
