"""`clew count`: how big is it?"""

from __future__ import annotations

from argparse import Namespace

from clew.cli import status
from clew.cli.console import Console
from clew.cli.progress import progress
from clew.cli.requests import check_options, model_options
from clew.host.checking import count_model, load_model
from clew.host.deadlines import OutOfTime, deadline
from clew.host.interrupts import two_stage_interrupt
from clew.report.diagnostics import INTERRUPTED, OUT_OF_TIME, diagnostics_json
from clew.report.result_json import overall_verdict, result_json
from clew.report.result_text import count_line, count_text


def run(arguments: Namespace, console: Console) -> int:
    options = model_options(arguments)
    try:
        with two_stage_interrupt(), progress(arguments, console) as observer:
            with deadline(arguments.max_time):
                model = load_model(arguments.file, options, counting=True)
            result = count_model(model, options, check_options(arguments), observer)
    except OutOfTime:
        console.diagnostics([OUT_OF_TIME])
        if arguments.json:
            console.print_json(diagnostics_json([OUT_OF_TIME], arguments.file))
        return status.UNKNOWN
    except KeyboardInterrupt:
        if arguments.json:
            console.print_json(diagnostics_json([INTERRUPTED], arguments.file))
        raise
    if arguments.json:
        console.print_json(result_json(result))
    elif arguments.quiet:
        console.print(count_line(result, console.style))
    else:
        console.print(count_text(result, console.style, dict(model.files)))
    return status.OF_VERDICT[overall_verdict(result)]
