"""`clew trace`: show, replay, convert a counterexample."""

from __future__ import annotations

import json
from argparse import Namespace

from clew.cli import status
from clew.cli.console import Console
from clew.cli.output import write_answer
from clew.cli.reports import wants_reports, write_reports
from clew.core.diagnostics import InputError, Span
from clew.core.traces import trace_to_json
from clew.host.runs import find_run
from clew.host.saved_traces import SavedTrace, find_trace, is_witness
from clew.report.chart_text import chart_text
from clew.report.mermaid import mermaid
from clew.report.plantuml import plantuml
from clew.report.sequence import sequence_chart
from clew.report.style import PLAIN, Style, plural
from clew.report.trace_text import TraceOptions, trace_text


def run(arguments: Namespace, console: Console) -> int:
    if wants_reports(arguments):
        from clew.report.documents.material import material_of_run

        write_reports([material_of_run(find_run(arguments.run, arguments.runs_dir))], arguments, console)
        return status.HOLDS
    saved = find_trace(arguments.run, arguments.runs_dir, arguments.number)
    if arguments.replay:
        return _replay(saved, arguments, console)
    style = PLAIN if arguments.output else console.style
    write_answer(_converted(saved, arguments, style), arguments.output, console)
    return status.HOLDS


def _converted(saved: SavedTrace, arguments: Namespace, style: Style) -> str:
    trace = saved.trace
    match "json" if arguments.json else arguments.to:
        case "json":
            return json.dumps(trace_to_json(trace), indent=2, ensure_ascii=False)
        case "chart":
            return chart_text(sequence_chart(trace, arguments.full), style)
        case "html":
            return _viewer(saved)
        case "mermaid":
            return mermaid(sequence_chart(trace, arguments.full))
        case "plantuml":
            return plantuml(sequence_chart(trace, arguments.full))
        case "svg" | "dot":
            return _relations(saved, arguments.to)
        case _:
            sources = saved.run.texts() if saved.run else {}
            witness = is_witness(saved)
            about = f"{'witness of' if witness else 'counterexample to'} {saved.property}, " if saved.property else ""
            title = style.paint(f"{saved.name}: {about}{plural(trace.length, 'step')}", "bold")
            return f"{title}\n{trace_text(trace, style, sources, TraceOptions(full=arguments.full, witness=witness))}"


def _viewer(saved: SavedTrace) -> str:
    """A page with nothing but the trace."""
    from clew.report.inline_page import trace_page
    from clew.report.trace_view import About, trace_view

    sources = saved.run.texts() if saved.run else {}
    title = saved.run.options().get("model", saved.name) if saved.run else saved.name
    about = About(title, saved.property, "witness" if is_witness(saved) else "counterexample")
    return trace_page(trace_view(saved.trace, sources, about, with_exports=True))


def _relations(saved: SavedTrace, target: str) -> str:
    from clew.report.relations import panels, relations_dot, relations_svg

    if not panels(saved.trace):
        raise InputError.at(Span(saved.name, 0), "no-relations", "has no sets or relations to draw", "--to chart")
    return relations_svg(saved.trace) if target == "svg" else relations_dot(saved.trace)


def _replay(saved: SavedTrace, arguments: Namespace, console: Console) -> int:
    """Executes the trace again from the saved model text. One that does not replay is an internal error."""
    from clew.cli.replaying import ShowsNothing, replay_saved
    from clew.core.replay import ReplayError

    try:
        replay_saved(saved)
    except ShowsNothing as error:
        console.error(f"{saved.name} replays, but does not show the violation: {error}")
        return status.INTERNAL_ERROR
    except ReplayError as error:
        console.error(f"{saved.name} does not replay: {error}", "please report this with the folder of the run")
        return status.INTERNAL_ERROR
    return _confirm(saved, arguments, console)


def _confirm(saved: SavedTrace, arguments: Namespace, console: Console) -> int:
    write_answer(_converted(saved, arguments, console.style), arguments.output, console)
    confirmed = console.err_style.paint("confirmed", "bold", "green")
    console.say(f"{confirmed}: the reference interpreter takes the same {plural(saved.trace.length, 'step')}")
    return status.HOLDS
