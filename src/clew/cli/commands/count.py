"""`clew count`: how big is it?"""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from clew.cli import status
from clew.cli.console import Console
from clew.cli.progress import progress
from clew.cli.requests import check_options, model_options
from clew.core.diagnostics import Diagnostic, InputError
from clew.core.records import record
from clew.core.registry import LoadedModel
from clew.core.results import Result
from clew.host.checking import count_model, load_model
from clew.host.deadlines import OutOfTime, deadline
from clew.host.interrupts import two_stage_interrupt
from clew.report.diagnostics import INTERRUPTED, OUT_OF_TIME, diagnostics_json
from clew.report.result_json import overall_verdict, result_json, results_json
from clew.report.result_text import count_line, count_text


@record
class _Counted:
    """What became of one file, and its JSON form."""

    status: int
    answer: dict[str, Any]
    interrupted: bool = False


def run(arguments: Namespace, console: Console) -> int:
    """Counts each file; the worst status counts. After an interrupt the remaining files are left alone."""
    counted: list[_Counted] = []
    for path in arguments.files:
        if counted and not arguments.json and not arguments.quiet:
            console.print()
        counted.append(_count_file(path, arguments, console))
        if counted[-1].interrupted:
            break
    if arguments.json:
        console.print_json(counted[0].answer if len(arguments.files) == 1 else results_json(c.answer for c in counted))
    return status.worst(c.status for c in counted)


def _count_file(path: str, arguments: Namespace, console: Console) -> _Counted:
    def failed(code: int, *found: Diagnostic, interrupted: bool = False) -> _Counted:
        return _Counted(code, diagnostics_json(found, path), interrupted)

    options = model_options(arguments)
    try:
        with two_stage_interrupt(), progress(arguments, console) as observer:
            with deadline(arguments.max_time):
                model = load_model(path, options, counting=True)
            result = count_model(model, options, check_options(arguments), observer)
    except InputError as error:
        console.diagnostics(error.diagnostics)
        return failed(status.BAD_INPUT, *error.diagnostics)
    except OutOfTime:
        console.diagnostics([OUT_OF_TIME])
        return failed(status.UNKNOWN, OUT_OF_TIME)
    except KeyboardInterrupt:
        console.say("clew: interrupted")
        return failed(status.UNKNOWN, INTERRUPTED, interrupted=True)
    if not arguments.json:
        _print(result, model, arguments, console)
    code = status.OF_VERDICT[overall_verdict(result)]
    return _Counted(code, result_json(result), "interrupt" in result.limits_hit)


def _print(result: Result, model: LoadedModel, arguments: Namespace, console: Console) -> None:
    if arguments.quiet:
        console.print(count_line(result, console.style))
    else:
        console.print(count_text(result, console.style, dict(model.files)))
