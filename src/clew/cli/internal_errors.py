"""What a user sees of an error in Clew itself."""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence

from clew.cli.console import Console
from clew.host.crashes import write_crash_report


def report_internal_error(console: Console, error: Exception, words: Sequence[str]) -> None:
    """One line for the user, the traceback in a file (or on the terminal with CLEW_DEBUG=1)."""
    if os.environ.get("CLEW_DEBUG"):
        console.say("".join(traceback.format_exception(error)).rstrip())
    path = write_crash_report(error, words)
    summary = " ".join(f"{type(error).__name__}: {error}".split())
    console.error(f"internal error: {summary}", f"please report it with {path}" if path else "please report it")
