"""`clew graph`: the state graph or the automata of the processes."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from clew.cli import status
from clew.cli.console import Console
from clew.cli.output import write_answer
from clew.cli.requests import model_options
from clew.core.diagnostics import NOWHERE, InputError, Span
from clew.core.network import Network
from clew.core.registry import LoadedModel
from clew.host.checking import load_model, main_file
from clew.host.spaces import drawn_space
from clew.report.graphs.automata import automata
from clew.report.graphs.figure import Graph
from clew.report.graphs.state_graph import TooManyStates, state_graph
from clew.report.graphs.writers import aut, dot, graph_json_text

FORMATS = ("dot", "svg", "aut", "json")


def run(arguments: Namespace, console: Console) -> int:
    target = _format(arguments)
    model = load_model(arguments.file, model_options(arguments))
    graph = _graph(arguments.what, arguments.max_states, arguments.reduce, model)
    write_answer(_text(graph, target), arguments.output, console)
    return status.HOLDS


def _format(arguments: Namespace) -> str:
    if arguments.to or arguments.json:
        return str(arguments.to or "json")
    suffix = Path(arguments.output or "").suffix[1:].lower()
    return {"gv": "dot"}.get(suffix, suffix if suffix in FORMATS else "dot")


def _graph(what: str, max_states: int, reduce: str, model: LoadedModel) -> Graph:
    kind, _, name = what.partition(":")
    if what == "states":
        try:
            return state_graph(drawn_space(model, reduce), model.name, max_states)
        except TooManyStates:
            raise InputError.at(
                Span(main_file(model), 0),
                "too-many-states",
                f"has more than {max_states} states: too many to look at",
                "--what processes draws the automata of its processes; --max-states N allows more",
            ) from None
    if kind in ("process", "processes") and not isinstance(model.view, Network):
        raise InputError.at(Span(main_file(model), 0), "no-processes", "has no processes to draw", "--what states")
    if what in ("process", "processes"):
        return automata(model.network)
    if kind == "process" and name:
        try:
            return automata(model.network, [name])
        except KeyError:
            known = ", ".join(template.name for template in model.network.templates)
            message = f"has no process '{name}'"
            raise InputError.at(Span(main_file(model), 0), "no-such-process", message, f"processes: {known}") from None
    raise InputError.at(
        NOWHERE, "unknown-graph", f"cannot draw '{what}'", "--what states, --what processes or --what process:NAME"
    )


def _text(graph: Graph, target: str) -> str:
    match target:
        case "svg":
            from clew.report.graphs.svg import svg

            return svg(graph)
        case "aut":
            try:
                return aut(graph)
            except ValueError as error:
                hint = "--what process:NAME draws one process"
                raise InputError.at(NOWHERE, "several-initial", str(error), hint) from None
        case "json":
            return graph_json_text(graph)
        case _:
            return dot(graph)
