"""Steps that no signal may cut in two, such as starting a child and noting that it is there."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator

NAMES = ("SIGINT", "SIGTERM", "SIGALRM")


@contextlib.contextmanager
def signals_held() -> Iterator[None]:
    """Inside, signals that have a handler of ours wait; they come at the end. Does nothing outside the main thread,
    where none comes."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    numbers = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
    before = {number: usual for number in numbers if callable(usual := signal.getsignal(number))}
    try:
        for number in before:
            signal.signal(number, lambda number, _frame: came.append(number))
        yield
    finally:
        for number, usual in before.items():
            signal.signal(number, usual)
        for number in came:
            signal.raise_signal(number)
