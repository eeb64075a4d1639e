"""What stands between a tester and an implementation.

A stepper is any object with the methods of the protocol `Stepper`. `Adapter` is a convenient base: a method for each
action, plain or asynchronous; what it returns, or what is `told` from any thread, is what the implementation did.
"""

from __future__ import annotations

import asyncio
import inspect
import queue
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from clew.testing.actions import Action


class Stepper(Protocol):
    """An implementation under test. What these methods raise is a failure of the implementation."""

    def reset(self) -> None:
        """Begins anew, in the state that the model begins in."""

    def do(self, action: Action) -> Action | None:
        """Takes an action of the tester; what the implementation answers at once, if it does."""

    def observe(self, timeout: float) -> Action | None:
        """What the implementation did by itself and nobody has seen yet, waiting at most so many seconds for it."""


def missing_method(stepper: object) -> str | None:
    """A method that a stepper must have and this object has not."""
    return next((name for name in ("reset", "do", "observe") if not callable(getattr(stepper, name, None))), None)


class Adapter:
    """A stepper with a method for each action, called with its arguments."""

    __test__ = False  # for pytest: no class of tests, even if it is called TestedQueue

    def __init__(self) -> None:
        self._seen: queue.SimpleQueue[Action] = queue.SimpleQueue()
        self._loop: asyncio.AbstractEventLoop | None = None

    def reset(self) -> None:
        self._seen = queue.SimpleQueue()
        self.begin()

    def begin(self) -> None:
        """To be overridden: starts the implementation anew."""

    def end(self) -> None:
        """To be overridden: lets go of what `begin` took."""

    def told(self, name: str, *args: Any) -> None:
        """The implementation has taken an action by itself. May be called from any thread."""
        self._seen.put(Action(name, args))

    def do(self, action: Action) -> Action | None:
        method: Callable[..., Any] | None = getattr(self, action.name, None)
        if method is None:
            raise NotImplementedError(f"{type(self).__name__} has no method {action.name}")
        answer = method(*action.args)
        if inspect.iscoroutine(answer):
            answer = self.run(answer)
        return answer if answer is None or isinstance(answer, Action) else Action(answer[0], tuple(answer[1:]))

    def observe(self, timeout: float) -> Action | None:
        try:
            return self._seen.get(timeout=timeout) if timeout > 0 else self._seen.get_nowait()
        except queue.Empty:
            return None

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Runs asynchronous work in a loop that goes on between actions, in a thread of its own."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            threading.Thread(target=self._loop.run_forever, daemon=True).start()
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def close(self) -> None:
        self.end()
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._loop = None


class TooSlow(Exception):
    """The implementation did not come back in time."""


def within(seconds: float, work: Callable[[], Any]) -> Any:
    """What the work gives. Raises what it raises, and TooSlow; then the work is left to itself."""
    answer: list[Any] = []
    trouble: list[BaseException] = []

    def run() -> None:
        try:
            answer.append(work())
        except BaseException as error:
            trouble.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise TooSlow(f"no answer within {seconds:g} s")
    if trouble:
        raise trouble[0]
    return answer[0]
