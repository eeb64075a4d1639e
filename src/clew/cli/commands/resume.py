"""`clew resume`: go on with a search that was stopped, from its checkpoint."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace

from clew.cli import status
from clew.cli.commands.check import print_result
from clew.cli.console import Console
from clew.cli.progress import progress
from clew.cli.reports import refuse_unwritable_reports, wants_reports, write_reports
from clew.core.diagnostics import InputError, Span
from clew.core.engines import Checkpoints, Limits, Progress
from clew.core.results import Result
from clew.host.checking import CheckOptions, ModelOptions, check_model
from clew.host.interrupts import two_stage_interrupt
from clew.host.runs import CHECKPOINT, Run, find_run, save_run
from clew.host.samples import Samples
from clew.host.saved_models import load_saved_model, original_names
from clew.report.result_json import overall_verdict, result_json
from clew.report.run_contents import run_contents


def run(arguments: Namespace, console: Console) -> int:
    refuse_unwritable_reports(arguments)
    saved = find_run(arguments.run, arguments.runs_dir)
    file = saved.folder / CHECKPOINT
    if not file.is_file():
        verdict = saved.result().get("verdict", "unknown")
        hint = "clew check --checkpoint writes one when it is stopped"
        raise InputError.at(
            Span(saved.name, 0), "no-checkpoint", f"has no checkpoint; its verdict is '{verdict}'", hint
        )
    options = _options(saved, arguments)
    asked = ModelOptions.from_json(saved.options().get("options", {}))
    checkpoint = Checkpoints(str(file.resolve()), arguments.checkpoint or 0.0, resume=True)
    with two_stage_interrupt(), progress(arguments, console) as observer:
        model = load_saved_model(saved)
        samples = Samples(observer)
        result = check_model(model, asked, options, samples, {"checkpoint": checkpoint})
    names = original_names(saved)
    model = replace(model, files=tuple((names.get(name, name), text) for name, text in model.files))
    result = replace(result, model=model.files[0][0], options={**result.options, **saved.options().get("options", {})})
    course = samples.finished(result.statistics)
    kept = _save(saved, model.files, result, course, console)
    if arguments.json:
        console.print_json(result_json(result))
    else:
        print_result(result, model, kept, arguments, console)
    if wants_reports(arguments):
        from clew.report.documents.material import Material

        name = "" if kept is None else kept.name
        write_reports(
            [Material(result.model, result_json(result), dict(model.files), course, name)], arguments, console
        )
    return status.OF_VERDICT[overall_verdict(result)]


def _options(saved: Run, arguments: Namespace) -> CheckOptions:
    """As the search was begun, with limits and workers of its own."""
    try:
        options = CheckOptions.from_json(saved.options()["options"])
    except (KeyError, TypeError):
        raise InputError.at(
            Span(str(saved.folder), 0), "damaged-run", "the run does not say how it was begun"
        ) from None
    limits = Limits(arguments.max_states, options.limits.depth, arguments.max_memory, arguments.max_time)
    return replace(options, limits=limits, workers=arguments.workers, engine="native")


def _save(
    saved: Run, files: tuple[tuple[str, str], ...], result: Result, samples: Sequence[Progress], console: Console
) -> Run | None:
    contents = run_contents("check", files[0][0], files, result, samples)
    try:
        keep = (CHECKPOINT,) if result.limits_hit else ()
        return save_run(saved.folder.parent, contents, name=saved.name, keep=keep)
    except OSError as error:
        console.warn_unsaved(error)
        return None
