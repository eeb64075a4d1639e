"""Finding the trace a user means: in a run, or in a file."""

from __future__ import annotations

from pathlib import Path

from clew.core.diagnostics import InputError, Span
from clew.core.properties import ACCEPTING
from clew.core.records import record
from clew.core.traces import Trace, trace_from_json
from clew.host.runs import Run, find_run, read_json


@record
class SavedTrace:
    """A trace, and the run it belongs to if there is one."""

    name: str
    trace: Trace
    run: Run | None
    property: str = ""  # what it is a counterexample to


def is_witness(saved: SavedTrace) -> bool:
    """Whether a trace shows that something is so, not that something is wrong."""
    shown = (f"shows {saved.property}", f"{saved.property} is reached", ACCEPTING)
    return bool(saved.property) and saved.trace.reason in shown


def find_trace(name: str, runs_dir: str | None, number: int = 1) -> SavedTrace:
    """`last`, a run, or a trace file. Raises InputError."""
    path = Path(name)
    if path.is_file():
        run = Run(path.parent) if (path.parent / "options.json").is_file() else None
        return SavedTrace(name, _read(path), run)
    run = find_run(name, runs_dir)
    traces = run.traces()
    if not traces:
        verdict = run.result().get("verdict", "unknown")
        hint = f"clew trace {run.name} --html FILE writes a page about the run"
        raise InputError.at(
            Span(run.name, 0), "no-trace", f"the verdict is '{verdict}': there is no counterexample", hint
        )
    if number > len(traces):
        raise InputError.at(Span(run.name, 0), "no-trace", f"has {len(traces)} traces, not {number}")
    return traces_of(run)[number - 1]


def traces_of(run: Run) -> tuple[SavedTrace, ...]:
    """All traces of a run, in the order of the properties they belong to. Raises InputError."""
    traces = run.traces()
    shown = [found["name"] for found in run.result().get("properties", ()) if found.get("trace")]
    names = shown if len(shown) == len(traces) else [""] * len(traces)
    return tuple(SavedTrace(run.name, _read(path), run, name) for path, name in zip(traces, names, strict=True))


def _read(path: Path) -> Trace:
    data = read_json(path)
    try:
        return trace_from_json(data)
    except ValueError as error:
        raise InputError.at(Span(str(path), 0), "not-a-trace", str(error)) from None
