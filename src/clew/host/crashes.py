"""Where the traceback of an internal error goes, so that the terminal shows one line."""

from __future__ import annotations

import hashlib
import platform
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path

from clew.host.files import write_atomically


def write_crash_report(error: BaseException, command: Sequence[str], folder: Path | None = None) -> Path | None:
    """Saves what is needed to understand the error; None if no place could be written."""
    text = "".join(traceback.format_exception(error))
    report = f"command: clew {' '.join(command)}\npython:  {sys.version.split()[0]} on {platform.platform()}\n\n{text}"
    name = f"clew-crash-{hashlib.sha256(text.encode()).hexdigest()[:8]}.txt"
    for place in (folder, Path(tempfile.gettempdir())):
        if place is None:
            continue
        try:
            place.mkdir(parents=True, exist_ok=True)
            write_atomically(place / name, report)
        except OSError:
            continue
        return place / name
    return None
