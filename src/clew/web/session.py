"""What one `clew explore` is about: the model, the traces that are known, and the checks started from the page."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from clew.core.diagnostics import InputError
from clew.core.properties import Property
from clew.core.records import record
from clew.core.registry import ENGINES
from clew.core.traces import Trace
from clew.host.live_checks import LiveCheck, LiveChecks
from clew.host.runs import Run
from clew.host.saved_traces import SavedTrace, is_witness, traces_of
from clew.report.diagnostics import diagnostic_json
from clew.report.explorer.requests import BadRequest, OutOfDate
from clew.report.explorer.subject import Subject, about, sources_of
from clew.report.trace_view import About


@record
class CheckPlace:
    """What a check started from the page is run on: a file and the options it is read with, perhaps in a folder."""

    file: str
    words: tuple[str, ...] = ()
    folder: Path | None = None


class Session:
    """Shared by all pages that are open. `read` reads the model; raises InputError."""

    def __init__(self, read: Callable[[], Subject], checks: LiveChecks, place: CheckPlace | None) -> None:
        self.read = read
        self.checks = checks
        self.place = place
        self.subject = read()
        self.generation = 1  # how often the model was read
        self.trouble: list[dict[str, Any]] = []  # why it could not be read again
        self.traces: list[SavedTrace] = []
        self.results: list[tuple[str, dict[str, Any]]] = []  # of the run that was opened
        self._from_checks: set[int] = set()
        self._lock = threading.Lock()

    def add_run(self, run: Run) -> None:
        """Shows a saved run. Raises InputError."""
        self.results.append((run.name, run.result()))
        self.traces.extend(traces_of(run))

    def reload(self) -> None:
        """Reads the model anew; what cannot be read changes nothing but `trouble`."""
        with self._lock:
            try:
                self.subject = self.read()
            except InputError as error:
                self.trouble = [diagnostic_json(one) for one in error.diagnostics]
                return
            self.trouble = []
            self.generation += 1

    def current(self, generation: Any) -> Subject:
        """The model, if that is the one the page speaks of. Raises OutOfDate."""
        if generation is not None and generation != self.generation:
            raise OutOfDate("the model has been read anew")
        return self.subject

    # --- for the page

    def about(self) -> dict[str, Any]:
        subject, model = self.subject, self.subject.model
        properties: Sequence[Property] = () if model is None else (*model.properties, *model.further)
        return {
            "title": subject.title,
            "language": "" if model is None else model.language,
            "generation": self.generation,
            "files": subject.files_json(),
            "properties": [{"name": p.name, "kind": p.kind, "text": p.text} for p in properties],
            "warnings": [] if model is None else [diagnostic_json(one) for one in model.warnings],
            "engines": ["auto", *(entry.name for entry in ENGINES)],
            "space": subject.has_space,
            "why_no_space": subject.why_no_space,
            "automata": subject.is_network,
            "can_check": self.place is not None,
            "traces": len(self.traces),
            "initial": list(subject.book.initial) if subject.has_space else [],
            "more_initial": subject.has_space and subject.book.more_initial,
        }

    def status(self) -> dict[str, Any]:
        """Small: pages ask for it all the time."""
        self._collect()
        return {
            "generation": self.generation,
            "edited": self.subject.edited(),
            "trouble": self.trouble,
            "checks": [{"number": c.number, "state": c.state} for c in self.checks.all],
            "traces": len(self.traces),
        }

    def traces_json(self) -> list[dict[str, Any]]:
        self._collect()
        return [
            {
                "number": number,
                "run": saved.name,
                "property": saved.property,
                "steps": len(saved.trace),
                "lasso": saved.trace.loop is not None,
                "reason": saved.trace.reason,
                "witness": is_witness(saved),
            }
            for number, saved in enumerate(self.traces)
        ]

    def trace(self, name: str) -> tuple[Trace, About, dict[str, str]]:
        """A known trace by number, or `walk:START.CHOICE.CHOICE…`. Raises BadRequest, NoSpace."""
        if name.startswith("walk:"):
            try:
                start, *choices = [int(part) for part in name.removeprefix("walk:").split(".")]
            except ValueError:
                raise BadRequest(f"'{name}' is not a walk") from None
            trace = self.subject.walk_trace(start, choices)
            return trace, About(self.subject.title, "", "walk"), dict(self.subject.texts)
        self._collect()
        if not name.isdigit() or int(name) >= len(self.traces):
            raise BadRequest(f"there is no trace {name}")
        saved = self.traces[int(name)]
        title = self.subject.title if saved.run is not None else saved.name
        return saved.trace, about(title, saved), dict(sources_of(saved, self.subject.texts))

    # --- checks

    def begin_check(self, wanted: dict[str, Any]) -> LiveCheck:
        """Raises BadRequest."""
        if self.place is None:
            raise BadRequest("there is no model to check, only a trace")
        words = [*self.place.words]
        for name in wanted.get("properties", ()):
            words += ["--property", str(name)]
        for option in ("engine", "search"):
            if wanted.get(option):
                words += [f"--{option}", str(wanted[option])]
        try:
            words += shlex.split(str(wanted.get("options", "")))
        except ValueError as reason:
            raise BadRequest(f"these options cannot be read: {reason}") from None
        if any(
            word in ("--json", "-h", "--help", "--no-run") or word.startswith(("--progress", "--runs-dir"))
            for word in words
        ):
            raise BadRequest("--json, --progress, --runs-dir, --no-run and --help are not for here")
        try:
            return self.checks.begin(self.place.file, words, self.place.folder)
        except OSError as reason:
            raise BadRequest(f"the check cannot be started: {reason}") from None

    def check(self, number: int) -> LiveCheck:
        """Raises BadRequest."""
        if not 0 <= number < len(self.checks.all):
            raise BadRequest(f"there is no check {number}")
        return self.checks.all[number]

    def checks_json(self) -> list[dict[str, Any]]:
        return [check_json(check) for check in self.checks.all]

    def runs_json(self) -> list[dict[str, Any]]:
        """What is known of the run that was opened."""
        return [{"name": name, "result": result} for name, result in self.results]

    def _collect(self) -> None:
        """Takes in the traces of checks that have ended."""
        with self._lock:
            for check in self.checks.all:
                if check.over and check.run is not None and check.number not in self._from_checks:
                    self._from_checks.add(check.number)
                    self.traces.extend(traces_of(check.run))


def check_json(check: LiveCheck, since: int = 0, thinned: int = 0) -> dict[str, Any]:
    """How far a check is; reports from number `since` on, or all again if they were thinned out meanwhile."""
    first = since if thinned == check.dropped else 0
    state = check.state  # read first: what is known at the end is there before the state says so
    return {
        "number": check.number,
        "title": check.title,
        "model": check.model,
        "state": state,
        "message": check.message,
        "run": None if check.run is None else check.run.name,
        "result": {} if state in ("running", "stopping") else check.result,
        "took": check.took,
        "first": first,
        "thinned": check.dropped,
        "samples": check.samples[first:],
    }
