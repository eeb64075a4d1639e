"""Ctrl-C: the first one asks for the answer so far, the second one ends at once."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType

from clew.host import children

INTERRUPTED_STATUS = 2
WATCHED = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def two_stage_interrupt() -> Iterator[None]:
    """Inside, the first SIGINT or SIGTERM raises KeyboardInterrupt (an engine turns it into a partial answer) and the
    second ends the process and its children with status 2. Does nothing outside the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def first(_signal: int, _frame: FrameType | None) -> None:
        for number in WATCHED:
            signal.signal(number, second)
        _say("interrupted: collecting what is known (again to stop at once)")
        raise KeyboardInterrupt

    def second(_signal: int, _frame: FrameType | None) -> None:
        _say("stopped")
        children.kill_all()
        for clean_up in tuple(_clean_ups):
            clean_up()
        os._exit(INTERRUPTED_STATUS)

    before = {number: signal.signal(number, first) for number in WATCHED}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def passed_on(stop: Callable[[], None]) -> Iterator[None]:
    """Inside, the first signal that would raise KeyboardInterrupt calls `stop` instead, so that nothing is lost on the
    way. A further one has its usual effect. Does nothing outside the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handler(number: int, frame: FrameType | None) -> None:
        usual = before[signal.Signals(number)]
        for watched in before:
            signal.signal(watched, before[watched])
        try:
            usual(number, frame)
        except KeyboardInterrupt:
            stop()

    found = {number: signal.getsignal(number) for number in WATCHED}
    before = {number: usual for number, usual in found.items() if callable(usual)}
    for number in before:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number, usual in before.items():
            if signal.getsignal(number) is handler:
                signal.signal(number, usual)


_clean_ups: list[Callable[[], None]] = []


def at_sudden_end(clean_up: Callable[[], None]) -> None:
    """What to remove from the disk when a second Ctrl-C ends the process at once."""
    _clean_ups.append(clean_up)


def _say(text: str) -> None:
    """Unbuffered, because a signal handler may run in the middle of a print."""
    clear = b"\r\x1b[2K" if os.isatty(2) else b""
    with contextlib.suppress(OSError):
        os.write(2, clear + f"clew: {text}\n".encode())
