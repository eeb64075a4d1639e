"""Runs found by compiled models, run again by the reference interpreter and written down as traces."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from clew.core.chronicle import Tell
from clew.core.engines import Observer, Progress
from clew.core.interpreter import Move
from clew.core.network import Network
from clew.core.properties import Violation
from clew.core.replay import ReplayError, repeatable, replay_in, write_down
from clew.core.traces import Trace
from clew.host.spaces import network_space


def telling(observer: Observer | None, last: Progress) -> Tell | None:
    """Reports, after the last one of the search, how far a run was replayed."""
    if observer is None:
        return None
    began = time.monotonic()

    def tell(done: int, length: int) -> None:
        observer(replace(last, seconds=last.seconds + time.monotonic() - began, replayed=done, to_replay=length))

    return tell


def replayed(network: Network, path: Sequence[Move], kind: str, tell: Tell | None = None) -> tuple[Trace, Violation]:
    """The trace of a run that ends with a violation of this kind; `tell` is told how far this is. Raises ReplayError if
    it is no such run."""
    with repeatable(network):
        space = network_space(network)
        (start,) = space.initial()
        again = replay_in(network_space(network), write_down(space, start, path, tell=tell), tell)
        for violation in again.violations:
            if violation.kind == kind:
                return replace(again.trace, reason=violation.message), violation
        raise ReplayError(f"the run found does not show a violation of kind {kind} when it is replayed")
