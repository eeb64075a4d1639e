"""Runs found by compiled models, run again by the reference interpreter and written down as traces."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from clew.core.chronicle import Tell
from clew.core.engines import Observer, Progress
from clew.core.interpreter import Move, trace_product
from clew.core.network import Network
from clew.core.properties import Violation
from clew.core.replay import ReplayError, repeatable, replay_in, write_down
from clew.core.statespace import StateSpace
from clew.core.traces import Trace
from clew.explicit.traced import Followed
from clew.host.spaces import network_space


def telling(observer: Observer | None, last: Progress) -> Tell | None:
    """Reports, after the last one of the search, how far a run was replayed."""
    if observer is None:
        return None
    began = time.monotonic()

    def tell(done: int, length: int) -> None:
        observer(replace(last, seconds=last.seconds + time.monotonic() - began, replayed=done, to_replay=length))

    return tell


def replayed(
    network: Network, path: Sequence[Move], kind: str, tell: Tell | None = None, followed: Followed | None = None
) -> tuple[Trace, Violation]:
    """The trace of a run that ends with a violation of this kind, of the trace assertion if it is of one; `tell` is
    told how far this is. Raises ReplayError if it is no such run."""

    def fresh() -> StateSpace[Any, Move]:
        return network_space(network) if followed is None else trace_product(network, followed.number)

    with repeatable(network):
        space = fresh()
        (start,) = space.initial()
        again = replay_in(fresh(), write_down(space, start, path, tell=tell), tell)
        for violation in again.violations:
            if violation.kind == kind:
                return replace(again.trace, reason=violation.message), violation
        raise ReplayError(f"the run found does not show a violation of kind {kind} when it is replayed")
