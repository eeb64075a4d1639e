"""What a user sees of an error in Clew itself."""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence

from clew.cli.console import Console
from clew.core.diagnostics import NOWHERE, Diagnostic, Severity
from clew.host.crashes import write_crash_report


def report_internal_error(console: Console, error: Exception, words: Sequence[str]) -> Diagnostic:
    """One line for the user, the traceback in a file (or on the terminal with CLEW_DEBUG=1). What --json says of it."""
    if os.environ.get("CLEW_DEBUG"):
        console.say("".join(traceback.format_exception(error)).rstrip())
    path = write_crash_report(error, words)
    summary = " ".join(f"{type(error).__name__}: {error}".split())
    hint = f"please report it with {path}" if path else "please report it"
    console.error(f"internal error: {summary}", hint)
    return Diagnostic(Severity.ERROR, "internal", f"internal error: {summary}", NOWHERE, hint)
