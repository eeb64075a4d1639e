"""Ctrl-C: the first one asks for the answer so far, the second one ends at once."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from types import FrameType

INTERRUPTED_STATUS = 2


@contextlib.contextmanager
def two_stage_interrupt() -> Iterator[None]:
    """Inside, the first SIGINT or SIGTERM raises KeyboardInterrupt (an engine turns it into a partial answer) and the
    second ends the process with status 2. Does nothing outside the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def first(_signal: int, _frame: FrameType | None) -> None:
        for number in watched:
            signal.signal(number, second)
        _say("interrupted: collecting what is known (again to stop at once)")
        raise KeyboardInterrupt

    def second(_signal: int, _frame: FrameType | None) -> None:
        _say("stopped")
        os._exit(INTERRUPTED_STATUS)

    watched = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, first) for number in watched}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _say(text: str) -> None:
    """Unbuffered, because a signal handler may run in the middle of a print."""
    clear = b"\r\x1b[2K" if os.isatty(2) else b""
    with contextlib.suppress(OSError):
        os.write(2, clear + f"clew: {text}\n".encode())
