"""What an engine is asked and what it answers. Engines are found through the registry; they never import each other."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import field, replace
from typing import Any, Literal, Protocol, runtime_checkable

from clew.core.network import Network
from clew.core.omission.advice import Omission
from clew.core.properties import Property
from clew.core.records import record
from clew.core.results import Decision, Statistics
from clew.core.views import View, network_in

Search = Literal["bfs", "dfs", "hunt", "random"]
HUNTS = ("hunt", "random")  # searches that look for violations and never show that there is none


@record
class Limits:
    """Bounds of the method: hitting one makes the result partial. None means no bound. Memory in bytes.

    `work` is for trials, and only an engine that starts at once looks at it: states that are expanded, those inside
    atomic sequences included."""

    states: int | None = None
    depth: int | None = None
    memory: int | None = None
    seconds: float | None = None
    work: int | None = None


@record
class Checkpoints:
    """A long search on disk: written to `file` every so many seconds (0: only when the search is stopped); `resume`:
    the search begins with what is in the file."""

    file: str
    every: float = 0.0
    resume: bool = False


@record
class Request:
    """Explore `view` and decide `properties`; with none, explore everything and count."""

    view: View
    properties: tuple[Property, ...] = ()
    search: Search = "bfs"
    limits: Limits = Limits()
    keep_going: bool = False  # explore everything even after a violation
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def network(self) -> Network:
        """The view, for engines that refuse all others. Raises NotANetwork."""
        return network_in(self.view)


LEAST_SECONDS = 0.001  # 0 would be no limit for some


def with_time_left(request: Request, started: float) -> Request:
    """The same request for a further search, with what its time limit leaves of it; making ready counts, too.

    `started`: when the first search was, by `time.monotonic`."""
    if request.limits.seconds is None:
        return request
    left = request.limits.seconds - (time.monotonic() - started)
    return replace(request, limits=replace(request.limits, seconds=max(left, LEAST_SECONDS)))


@record
class Progress:
    """A report while an engine works. Once a run is found: how many of its steps were replayed."""

    states: int
    transitions: int
    depth: int
    queue: int
    seconds: float
    bytes: int
    replayed: int = 0
    to_replay: int = 0


Observer = Callable[[Progress], None]


@record
class Answer:
    """One decision per requested property (every trace in it already replayed), and figures."""

    decisions: tuple[Decision, ...]
    statistics: Statistics
    limits_hit: tuple[str, ...] = ()  # "states", "depth", "memory", "time", "interrupt", "table", "killed", "crash"
    notes: tuple[str, ...] = ()
    omission: Omission | None = None  # of a lossy store


NO_PROCESSES = "fairness needs a network of processes"
RELATIONAL_ONLY = "it decides relational programs"  # why such an engine refuses other views


def refused_of_relations(request: Request) -> str | None:
    """What is asked of a relational program although it has no meaning there."""
    if request.options.get("fair", "none") != "none":
        return NO_PROCESSES
    if request.options.get("ends") not in (None, "maximal"):
        return "in a relational model a run that ends is a run: --ends maximal"
    return None


class Unavailable(Exception):
    """An engine cannot work on this machine, as it turned out only when it was asked; the text says why."""


class Engine(Protocol):
    """`name` as users give it to --engine."""

    name: str

    def refuses(self, request: Request) -> str | None:
        """Why this engine cannot decide the request, or None if it can."""

    def run(self, request: Request, observer: Observer | None = None) -> Answer:
        """Explores until decided or a limit is hit. Ctrl-C (KeyboardInterrupt) inside gives a partial answer.

        Raises Unavailable."""


@runtime_checkable
class SlowStarter(Protocol):
    """An engine that needs time before it can search."""

    def prepare(self, request: Request) -> AbstractContextManager[None]:
        """Inside, the engine gets ready in the background; what is unfinished when it is left is given up."""
