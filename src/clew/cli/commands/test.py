"""`clew test`: makes test suites from a model, and tests implementations against it."""

from __future__ import annotations

from argparse import Namespace

from clew.cli import status
from clew.cli.console import Console
from clew.cli.output import write_answer
from clew.cli.requests import model_options
from clew.host.sources import read_source
from clew.report.style import plural
from clew.report.tested import suite_json, tested_json, tested_text
from clew.testing.actions import TestedModel, model_to_test
from clew.testing.against import implementation
from clew.testing.conformance import Plan, run_all
from clew.testing.minimise import minimised
from clew.testing.suites import Suite, make_suite, read_suite


def run(arguments: Namespace, console: Console) -> int:
    model = model_to_test(arguments.file, model_options(arguments))
    if arguments.against is None:
        return _suite(model, arguments, console)
    return _against(model, arguments, console)


def _suite(model: TestedModel, arguments: Namespace, console: Console) -> int:
    suite = make_suite(model, arguments.suite or "transitions")
    if arguments.json:
        console.print_json(suite_json(arguments.file, suite))
        return status.HOLDS
    write_answer(suite.term, arguments.output, console)
    left_out = f"; {plural(suite.left_out, 'transition')} that no test can end behind" if suite.left_out else ""
    covered = f"all {suite.goals:,} {suite.coverage}"
    console.say(f"{plural(len(suite.cases), 'test case')}, {plural(suite.actions, 'action')}: {covered}{left_out}")
    return status.HOLDS


def _against(model: TestedModel, arguments: Namespace, console: Console) -> int:
    suite = _cases(model, arguments)
    strategy = arguments.strategy or ("suite" if suite else "random")
    cases = suite.cases if suite else ()
    plan = Plan(arguments.runs, arguments.steps, arguments.seed, arguments.timeout, strategy, cases)
    with implementation(arguments.against) as stepper:
        runs = run_all(model, stepper, plan)
        passed = not runs or runs[-1].passed
        failed = None if passed else minimised(model, stepper, runs[-1], plan)
    if arguments.json:
        console.print_json(tested_json(arguments.file, arguments.against, plan, runs, failed))
    else:
        console.print(tested_text(arguments.file, arguments.against, runs, failed, console.style))
    if failed is not None and arguments.output:
        case = tuple(str(action) for action in failed.run.taken)
        write_answer(Suite((case,)).term, arguments.output, console)
    return status.HOLDS if failed is None else status.VIOLATED


def _cases(model: TestedModel, arguments: Namespace) -> Suite | None:
    if arguments.cases is not None:
        return read_suite(read_source(arguments.cases), arguments.cases)
    if arguments.suite is not None or arguments.strategy == "suite":
        return make_suite(model, arguments.suite or "transitions")
    return None
