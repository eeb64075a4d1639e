"""A time limit for work that does not look at the clock, such as reading a model."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

AGAIN = 0.1  # seconds


class OutOfTime(BaseException):
    """The time allowed for it is over. Like KeyboardInterrupt it is no Exception: whoever is at work when it comes, an
    import hook say, must not take it for a failure of its own and go on."""


@contextlib.contextmanager
def deadline(seconds: float | None) -> Iterator[None]:
    """Inside, OutOfTime is raised when `seconds` are over, and again a little later: the first may come where the
    interpreter only reports exceptions, as in what is called when an object dies. Does nothing without a limit, outside
    the main thread, or where the system has no alarm clock."""
    is_main = threading.current_thread() is threading.main_thread()
    if seconds is None or not is_main or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6), AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
