"""Where output goes: answers to stdout, everything about the work itself to stderr. Colour only on a terminal."""

from __future__ import annotations

import codecs
import contextlib
import os
import shutil
import sys
from typing import TYPE_CHECKING, TextIO

from clew.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clew.core.diagnostics import Diagnostic


PLAIN = "clew-plain"
_PLAINER = dict(zip("─━┄│┃├┤┣┫┼╰╭▶◀→←»●•○✗✓·…—", "---||||||+\\/><><>***x+-.-", strict=True))


def _plainer(error: UnicodeError) -> tuple[str, int]:
    """Lines and arrows in letters that every encoding has."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_PLAINER.get(letter, "?") for letter in error.object[error.start : error.end]), error.end


codecs.register_error(PLAIN, _plainer)


class Console:
    """The terminal, or what stands for it."""

    def __init__(self, out: TextIO | None = None, err: TextIO | None = None) -> None:
        self.out = out or sys.stdout or _nowhere()
        self.err = err or sys.stderr or _nowhere()
        for stream in (self.out, self.err):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors=PLAIN)  # a terminal that cannot show ✗ must not end the program
        width = max(shutil.get_terminal_size((100, 24)).columns, 60) if self.out.isatty() else 100
        self.style = Style(_wants_colour(self.out), width)
        self.err_style = Style(_wants_colour(self.err), width)

    def print(self, text: str = "") -> None:
        self.out.write(text + "\n")

    def print_json(self, data: object) -> None:
        import json

        every_letter = (getattr(self.out, "encoding", None) or "utf-8").lower().replace("-", "") == "utf8"
        self.out.write(json.dumps(data, indent=2, ensure_ascii=not every_letter) + "\n")

    def say(self, text: str) -> None:
        """A line about the work, on stderr."""
        try:
            self.out.flush()
        except BrokenPipeError:  # nobody reads any more, but the exit status still counts
            self.discard_output()
        self.err.write(text + "\n")
        self.err.flush()

    def discard_output(self) -> None:
        """Python flushes stdout on exit; into a closed pipe that would print a traceback."""
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.out.fileno())
        self.out = _nowhere()

    def warn(self, text: str) -> None:
        self.say(f"clew: {self.err_style.paint('warning:', 'bold', 'yellow')} {text}")

    def warn_unsaved(self, error: OSError) -> None:
        """A run that was finished cannot be kept; the answer counts all the same."""
        reason = error.strerror or str(error)
        self.warn(f"this run cannot be saved: {f'{error.filename}: ' if error.filename else ''}{reason}")

    def error(self, text: str, hint: str = "") -> None:
        self.say(f"clew: {self.err_style.paint('error:', 'bold', 'red')} {text}")
        if hint:
            self.say(f"  {self.err_style.paint('hint:', 'cyan')} {hint}")

    def diagnostics(self, found: Iterable[Diagnostic], sources: Mapping[str, str] | None = None) -> None:
        from clew.report.diagnostics import diagnostics_text

        self.say(diagnostics_text(found, self.err_style, sources))


def _nowhere() -> TextIO:
    """For a stream that whoever started the command has closed (`>&-`)."""
    return os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def _wants_colour(stream: TextIO) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"
