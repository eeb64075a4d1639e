"""Entry point: finds the command, and turns whatever happens into an exit status and a message."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from clew.cli import status
from clew.cli.console import Console

if TYPE_CHECKING:
    from clew.core.diagnostics import Diagnostic

COMMANDS = tuple(
    "check count estimate resume simulate explore trace recheck graph lint test convert property lsp doctor".split()
)

HELP = """\
usage: clew COMMAND [OPTIONS] FILE...

Explores the state space of a model and hands you the thread: a proof that
nothing bad is in there, or a short path to it.

commands:
  check     is it correct?  verdict, evidence, counterexample
  count     how big is it?  the full reachable state space
  estimate  how big, roughly, and which store fits it
  resume    go on with a search that was stopped
  simulate  walk through it: at random, step by step, or along a trace
  explore   the same in the browser: states, traces, charts, live progress
  trace     show, replay or convert a counterexample
  recheck   check a run again: traces, proofs and verdicts, by other code
  graph     the state graph or a process' automaton as SVG, DOT, AUT, JSON
  lint      what is wrong or suspicious in the text of a model
  convert   the same model in another language: SMV, Alloy
  test      make tests from a model, test an implementation against it
  property  say it in words: patterns, their formulas, and what they mean
  lsp       the same in an editor: a language server
  doctor    what is installed

options:
  -h, --help     this text; clew COMMAND --help explains a command
  --version      the version

examples:
  clew check leader.pml            is it correct?
  clew check -D N=5 leader.pml     with another parameter
  clew trace last --to chart       the counterexample as a sequence chart
  clew simulate -i leader.pml      choose each step yourself

exit status: 0 holds, 1 violated, 2 unknown (a limit was hit), 3 bad input or
usage, 4 internal error
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command and gives its exit status. Never raises for anything a user does."""
    gc.set_threshold(
        200_000, 50, 50
    )  # large models are trees that live to the end: looking for garbage doubles the time
    words = list(sys.argv[1:] if argv is None else argv)
    console = Console()
    code = status.UNKNOWN
    try:
        code = _dispatch(words, console)
        if not console.out.closed:  # a language server closes it at goodbye
            console.out.flush()
    except BrokenPipeError:  # the reader (head, less) has seen enough; without a verdict yet it is none
        console.discard_output()
        return code
    except KeyboardInterrupt:
        console.say("clew: interrupted")
        return status.UNKNOWN
    except MemoryError:
        _refuse(words, console, "memory", "out of memory", "--max-memory stops in time with what is known")
        return status.UNKNOWN
    except OSError as error:
        _refuse(words, console, "system", f"{error.filename or 'the system'}: {error.strerror or error}")
        return status.BAD_INPUT
    except Exception as error:
        from clew.cli.internal_errors import report_internal_error

        found = report_internal_error(console, error, words)
        if "--json" in words:
            _print_diagnostics([found], console)
        return status.INTERNAL_ERROR
    return code


def _dispatch(words: list[str], console: Console) -> int:
    if not words:
        console.say(HELP.rstrip())
        return status.BAD_INPUT
    name, rest = words[0], words[1:]
    if name == "help":
        name, rest = (rest[0], ["--help"]) if rest else ("--help", [])
    if name in ("-h", "--help"):
        console.print(HELP.rstrip())
        return status.HOLDS
    if name in ("-V", "--version"):
        from clew import __version__

        console.print(f"clew {__version__}")
        return status.HOLDS
    if name not in COMMANDS:
        return _unknown_command(name, rest, console)
    return _run_command(name, rest, console)


def _run_command(name: str, words: list[str], console: Console) -> int:
    from clew.cli.arguments import PARSERS
    from clew.cli.parser import UsageError

    try:
        arguments = PARSERS[name]().parse(words)
    except UsageError as error:
        _refuse(words, console, "usage", str(error), error.hint)
        return status.BAD_INPUT
    except SystemExit:  # --help has been printed
        return status.HOLDS
    from clew.core.diagnostics import InputError

    try:
        code: int = import_module(f"clew.cli.commands.{name}").run(arguments, console)
    except InputError as error:
        console.diagnostics(error.diagnostics)
        if getattr(arguments, "json", False):
            _print_diagnostics(error.diagnostics, console, getattr(arguments, "file", None) or "")
        return status.BAD_INPUT
    return code


def _refuse(words: Sequence[str], console: Console, code: str, message: str, hint: str = "") -> None:
    """Says what is wrong with the command itself; with --json as an object, too."""
    console.error(message, hint)
    if "--json" in words:
        from clew.core.diagnostics import NOWHERE, Diagnostic, Severity

        _print_diagnostics([Diagnostic(Severity.ERROR, code, message, NOWHERE, hint)], console)


def _print_diagnostics(found: Iterable[Diagnostic], console: Console, file: str = "") -> None:
    from clew.report.diagnostics import diagnostics_json

    console.print_json(diagnostics_json(found, file))


def _unknown_command(name: str, words: Sequence[str], console: Console) -> int:
    from difflib import get_close_matches

    kind = "option" if name.startswith("-") else "command"
    close = get_close_matches(name, COMMANDS, n=1)
    if close:
        hint = f"did you mean `clew {close[0]}`?"
    elif os.path.exists(name):  # noqa: PTH110 (no pathlib before it is needed)
        hint = f"to check a model: clew check {name}"
    else:
        hint = f"commands: {', '.join(COMMANDS)}"
    _refuse(words, console, "usage", f"unknown {kind} '{name}'", hint)
    return status.BAD_INPUT
