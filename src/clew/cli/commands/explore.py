"""`clew explore`: the Explorer in the browser."""

from __future__ import annotations

import contextlib
import shlex
import webbrowser
from argparse import Namespace
from pathlib import Path

from clew.cli import status
from clew.cli.arguments import PARSERS
from clew.cli.console import Console
from clew.cli.parser import UsageError
from clew.cli.requests import model_options, model_words
from clew.core.diagnostics import InputError, Span
from clew.host.checking import ModelOptions
from clew.host.live_checks import LiveChecks
from clew.host.runs import Run, find_run, runs_folder
from clew.host.saved_traces import SavedTrace, find_trace
from clew.report.explorer.requests import BadRequest
from clew.report.explorer.subject import Subject
from clew.web.serve import serve
from clew.web.session import CheckPlace, Session


def run(arguments: Namespace, console: Console) -> int:
    session = _session(arguments)
    if arguments.check is not None:
        _refuse_mistakes(arguments.check)
        try:
            session.begin_check({"options": arguments.check})
        except BadRequest as reason:
            raise InputError.at(Span("--check", 0), "usage", str(reason)) from None

    def tell(address: str) -> None:
        if arguments.json:
            console.print_json({"address": address})
        else:
            console.print(f"{session.subject.title}: {console.style.paint(address, 'bold', 'cyan')}")
            console.say("only this machine can open it, and only with that address; Ctrl-C ends it")
        console.out.flush()
        if not arguments.no_browser:
            with contextlib.suppress(webbrowser.Error):
                webbrowser.open(address)

    try:
        serve(session, arguments.port, tell)
    except OSError as error:
        raise InputError.at(Span(f"--port {arguments.port}", 0), "port", error.strerror or str(error)) from None
    return status.HOLDS


def _refuse_mistakes(options: str) -> None:
    """Raises InputError: here rather than in a page that shows no check."""
    try:
        PARSERS["check"]().parse([*shlex.split(options), "FILE"])
    except UsageError as error:
        raise InputError.at(Span("--check", 0), "usage", str(error), error.hint) from None
    except ValueError as reason:  # a quotation mark too many
        raise InputError.at(Span("--check", 0), "usage", str(reason)) from None


def _session(arguments: Namespace) -> Session:
    """Of a model file, a saved run, or a trace file."""
    name = arguments.subject
    checks = LiveChecks(runs_folder(arguments.runs_dir))
    if Path(name).is_file() and Path(name).suffix != ".json":
        options = model_options(arguments)
        place = CheckPlace(name, tuple(model_words(options)))
        return Session(lambda: Subject.of_file(name, options), checks, place)
    saved = _named(name, arguments)
    if isinstance(saved, Run):
        return _of_run(saved, checks)
    if saved.run is not None:
        session = _of_run(saved.run, checks)
    else:
        session = Session(lambda: Subject(None, {}, name), checks, None)
        session.traces.append(saved)
    return session


def _named(name: str, arguments: Namespace) -> Run | SavedTrace:
    if Path(name).is_file():
        return find_trace(name, arguments.runs_dir)
    try:
        return find_run(name, arguments.runs_dir)
    except InputError:
        if Path(name).suffix or "/" in name:
            raise InputError.at(Span(name, 0), "no-such-file", "no such file, and no such run") from None
        raise


def _of_run(found: Run, checks: LiveChecks) -> Session:
    root = found.folder.absolute() / "model"
    words = model_words(ModelOptions.from_json(found.options().get("options", {})))
    place = CheckPlace(str(found.main_file().absolute().relative_to(root)), tuple(words), root)
    session = Session(lambda: Subject.of_run(found), checks, place)
    session.add_run(found)
    return session
