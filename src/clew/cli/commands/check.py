"""`clew check`: is it correct?"""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from clew.cli import status
from clew.cli.console import Console
from clew.cli.internal_errors import report_internal_error
from clew.cli.progress import progress
from clew.cli.reports import refuse_unwritable_reports, wants_reports, write_reports
from clew.cli.requests import check_options, model_options
from clew.cli.unfinished import on_the_way
from clew.core.diagnostics import Diagnostic, InputError
from clew.core.engines import Progress
from clew.core.records import record
from clew.core.registry import LoadedModel, formula_file
from clew.core.results import Result
from clew.host.checking import FORMULA_KINDS, check_model, formulas_in, load_model
from clew.host.deadlines import OutOfTime, deadline
from clew.host.interrupts import two_stage_interrupt
from clew.host.runs import CHECKPOINT, Run, runs_folder, save_run
from clew.host.samples import Samples
from clew.report.diagnostics import INTERRUPTED, OUT_OF_TIME, diagnostics_json
from clew.report.result_json import overall_verdict, result_json, results_json
from clew.report.result_text import check_text, quiet_line
from clew.report.run_contents import run_contents


@record
class _Checked:
    """What became of one file. `answer` is its JSON form, if someone asked for it."""

    path: str
    status: int
    answer: dict[str, Any]
    interrupted: bool = False
    sources: Mapping[str, str] = field(default_factory=dict)
    samples: Sequence[Progress] = ()
    run: str = ""


def run(arguments: Namespace, console: Console) -> int:
    """Checks each file; the worst status counts. After an interrupt the remaining files are left alone."""
    refuse_unwritable_reports(arguments)
    checked: list[_Checked] = []
    for path in arguments.files:
        if checked and not arguments.json and not arguments.quiet:
            console.print()
        checked.append(_check_file(path, arguments, console))
        if checked[-1].interrupted:
            break
    if arguments.json:
        console.print_json(checked[0].answer if len(arguments.files) == 1 else results_json(c.answer for c in checked))
    if wants_reports(arguments):
        from clew.report.documents.material import Material

        write_reports([Material(c.path, c.answer, c.sources, c.samples, c.run) for c in checked], arguments, console)
    return status.worst([c.status for c in checked])


def _check_file(path: str, arguments: Namespace, console: Console) -> _Checked:
    def failed(code: int, *found: Diagnostic, interrupted: bool = False) -> _Checked:
        return _Checked(path, code, diagnostics_json(found, path), interrupted)

    try:
        with two_stage_interrupt(), progress(arguments, console) as observer:
            samples = Samples(observer)
            with deadline(arguments.max_time):
                model = load_model(path, model_options(arguments))
            extra = on_the_way(path, model, arguments, console)
            result = check_model(model, model_options(arguments), check_options(arguments), samples, extra)
    except InputError as error:
        console.diagnostics(error.diagnostics, _formula_texts(arguments))
        return failed(status.BAD_INPUT, *error.diagnostics)
    except KeyboardInterrupt:
        console.say("clew: interrupted")
        return failed(status.UNKNOWN, INTERRUPTED, interrupted=True)
    except OutOfTime:
        console.diagnostics([OUT_OF_TIME])
        return failed(status.UNKNOWN, OUT_OF_TIME)
    except (OSError, MemoryError):
        raise
    except Exception as error:
        return failed(status.INTERNAL_ERROR, report_internal_error(console, error, ["check", path]))
    course = samples.finished(result.statistics)
    saved = None if arguments.no_run else _save(path, model, result, course, arguments, console)
    if saved is not None and arguments.progress == "json":
        console.say(json.dumps({"schema": "clew.saved/1", "run": str(saved.folder.absolute())}))
    if not arguments.json:
        print_result(result, model, saved, arguments, console)
    return _Checked(
        path,
        status.OF_VERDICT[overall_verdict(result)],
        result_json(result) if arguments.json or wants_reports(arguments) else {},
        "interrupt" in result.limits_hit,
        dict(model.files),
        course,
        "" if saved is None else saved.name,
    )


def _formula_texts(arguments: Namespace) -> dict[str, str]:
    """The formulas given, by what messages call them."""
    kinds = [(kind, formulas_in(arguments.properties, kind)) for kind in FORMULA_KINDS]
    return {formula_file(n, kind): text for kind, texts in kinds for n, text in enumerate(texts)}


def _save(
    path: str,
    model: LoadedModel,
    result: Result,
    samples: Sequence[Progress],
    arguments: Namespace,
    console: Console,
) -> Run | None:
    """A check is worth its answer even if it cannot be kept."""
    try:
        contents = run_contents("check", path, model.files, result, samples)
        keep = (CHECKPOINT,) if arguments.checkpoint is not None and result.limits_hit else ()
        return save_run(runs_folder(arguments.runs_dir), contents, keep=keep)
    except OSError as error:
        console.warn_unsaved(error)
        return None


def print_result(result: Result, model: LoadedModel, saved: Run | None, arguments: Namespace, console: Console) -> None:
    if arguments.quiet:
        console.print(quiet_line(result, console.style))
        return
    console.print(check_text(result, console.style, dict(model.files), arguments.verbose))
    if saved is None:
        return
    name = "last" if len(getattr(arguments, "files", ())) < 2 else saved.name
    if any(decision.trace is not None for decision in result.decisions):
        console.print()
        console.print(f"  replay:  clew trace {name} --replay")
        console.print(f"  chart:   clew trace {name} --to chart")
        console.print(f"  run:     {saved.folder}")
    else:
        console.print(console.style.paint(f"  run: {saved.folder}", "dim"))
    if (saved.folder / CHECKPOINT).is_file():
        console.print(f"  to go on: clew resume {name}")
