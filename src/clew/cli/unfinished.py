"""The run of a search that may take long: it is there from the start, so that nothing is lost if the search is killed.
Checkpoints are written into it, and each better counterexample of a hunt."""

from __future__ import annotations

import contextlib
import json
from argparse import Namespace
from collections.abc import Mapping
from typing import Any

from clew.cli.console import Console
from clew.cli.requests import check_options, model_options
from clew.core.diagnostics import NOWHERE, InputError
from clew.core.engines import HUNTS, Checkpoints
from clew.core.registry import LoadedModel
from clew.core.stores import parse_store
from clew.core.traces import Trace, trace_to_json
from clew.host.checking import unfinished
from clew.host.files import write_atomically
from clew.host.runs import CHECKPOINT, Run, runs_folder, save_run
from clew.report.run_contents import run_contents
from clew.report.style import plural


def on_the_way(path: str, model: LoadedModel, arguments: Namespace, console: Console) -> Mapping[str, Any]:
    """Further options for a check: where checkpoints go, what is done with better counterexamples. Raises
    InputError."""
    hunts, checkpoint = arguments.search in HUNTS, arguments.checkpoint
    if checkpoint is not None and (hunts or parse_store(arguments.store) is not None):
        raise InputError.at(NOWHERE, "no-checkpoints", "only searches with an exact store have checkpoints")
    if not hunts and checkpoint is None:
        return {}
    begun = None if arguments.no_run and checkpoint is None else _begun(path, model, arguments, console)
    extra: dict[str, Any] = {}
    if hunts:
        extra["improved"] = _Improved(begun, console)
    elif begun is not None:
        extra["checkpoint"] = Checkpoints(str((begun.folder / CHECKPOINT).resolve()), checkpoint)
    return extra


def _begun(path: str, model: LoadedModel, arguments: Namespace, console: Console) -> Run | None:
    result = unfinished(model, model_options(arguments), check_options(arguments))
    try:
        return save_run(runs_folder(arguments.runs_dir), run_contents("check", path, model.files, result))
    except OSError as error:
        console.warn_unsaved(error)
        return None


class _Improved:
    """Says that there is a better counterexample, and keeps it."""

    def __init__(self, run: Run | None, console: Console) -> None:
        self.run = run
        self.console = console

    def __call__(self, kind: str, trace: Trace) -> None:
        where = ""
        if self.run is not None:
            with contextlib.suppress(OSError):
                text = json.dumps(trace_to_json(trace), indent=2, ensure_ascii=False) + "\n"
                write_atomically(self.run.folder / "trace.json", text)
                where = f" (clew trace {self.run.name})"
        self.console.say(f"found: {kind} after {plural(len(trace), 'step')}{where}; looking for a shorter run")
