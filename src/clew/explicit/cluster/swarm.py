"""Many different searches at once on the workers of a cluster. The first violation ends them all.

A worker that is lost takes only its own search with it, which is started again elsewhere.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from clew.core.clusters import SEARCHES_PER_WORKER, Cluster
from clew.core.engines import Observer, Progress, Request, Unavailable
from clew.core.records import record
from clew.explicit.cluster.jobs import CannotTakePart, Job, NeedsRoom, job
from clew.explicit.cluster.plan import Planned, planned
from clew.explicit.cluster.session import Session, session
from clew.explicit.generate import first_room
from clew.explicit.program import (
    KINDS,
    LIMITS,
    NOTHING_YET,
    BadInitialState,
    CannotRun,
    Crash,
    ProgramError,
    Report,
    arguments_for,
    flags_for,
    run_program,
    sources_for,
)

LISTEN = 0.5  # seconds between two looks at what the searches report
TELL = 1.0  # seconds between two reports of a search
MOST_LOSSES = 3  # of one search


class Board:
    """What each search reported last, for whoever watches the whole."""

    def __init__(self) -> None:
        self.last: dict[int, Progress] = {}

    def post(self, number: int, progress: Progress) -> None:
        self.last[number] = progress

    def all(self) -> dict[int, Progress]:
        return self.last


@record
class Errand:
    """A search for a worker."""

    number: int
    job: Job
    arguments: tuple[str, ...]


def run_errand(errand: Errand, board: Any) -> Report:
    """On a worker. Raises NeedsRoom, CannotTakePart or BadInitialState."""
    told = time.monotonic()

    def observer(progress: Progress) -> None:
        nonlocal told
        if time.monotonic() - told > TELL:
            told = time.monotonic()
            board.post.remote(errand.number, progress)

    try:
        report = run_program(errand.job.program(), errand.arguments, observer)
    except (CannotRun, ProgramError) as error:
        raise CannotTakePart(str(error)) from None
    except Crash as error:
        raise CannotTakePart(f"the compiled model ended with {error}") from None
    if report is None:
        raise NeedsRoom
    return report


def explore_as_swarm(request: Request, wanted: frozenset[str], observer: Observer | None) -> Report:
    """The counterpart of `program.explore`. Raises Unavailable, InputError, and what that raises."""
    cluster: Cluster = request.options["cluster"]
    workers = request.options.get("workers")
    room = first_room(request.network)
    with session(cluster.address, workers) as connected:
        at_once = workers or connected.processors
        first, last = cluster.swarm or (1, SEARCHES_PER_WORKER * at_once)
        seed = request.options.get("seed") or 0
        while True:
            swarm = _Swarm(request, wanted, observer, connected, at_once)
            plans = (planned(request, number, seed) for number in range(first, last + 1))
            try:
                return swarm.run(plans, room, last - first + 1)
            except NeedsRoom:
                room *= 2
            except CannotTakePart as reason:
                raise Unavailable(f"a worker of the cluster cannot take part: {reason}") from None


@dataclass(slots=True)
class _Tally:
    """What all searches did, those that are still under way as far as it is known."""

    ended: int = 0
    cut: int = 0
    figures: dict[int, Progress] = field(default_factory=dict)

    def total(self, seconds: float, waiting: int) -> Progress:
        parts = self.figures.values()
        return Progress(
            sum(p.states for p in parts),
            sum(p.transitions for p in parts),
            max((p.depth for p in parts), default=0),
            waiting,
            seconds,
            sum(p.bytes for p in parts),
        )


class _Swarm:
    def __init__(
        self, request: Request, wanted: frozenset[str], observer: Observer | None, connected: Session, at_once: int
    ) -> None:
        self.request = request
        self.wanted = wanted
        self.observer = observer
        self.ray = connected.ray
        self.at_once = at_once
        self.started = time.monotonic()
        self.tally = _Tally()
        self.report = Report()
        self.losses: dict[int, int] = {}
        self.limits: list[str] = []
        self.board = self.ray.remote(Board).options(num_cpus=0, max_restarts=1).remote()
        self.errand = self.ray.remote(run_errand).options(
            num_cpus=connected.share(at_once), max_retries=0, scheduling_strategy="SPREAD"
        )

    def run(self, plans: Iterator[Planned], room: int, count: int) -> Report:
        waiting: deque[Planned] = deque()
        running: dict[Any, Planned] = {}
        try:
            while not self._is_decided():
                while len(running) < self.at_once and (plan := waiting.popleft() if waiting else next(plans, None)):
                    running[self.errand.remote(self._errand(plan, room), self.board)] = plan
                if not running:
                    break
                ready, _ = self.ray.wait(list(running), timeout=LISTEN)
                for answer in ready:
                    plan = running.pop(answer)
                    if not self._hear(plan, answer, count) and self._again(plan):
                        waiting.append(plan)
                self._listen(len(running))
                if self._time_is_up():
                    self.limits.append("time")
                    break
        except KeyboardInterrupt:
            self.limits.append("interrupt")
        finally:
            for answer in running:
                self.ray.cancel(answer, force=True)
            self.ray.kill(self.board)
        return self._reported(count)

    def _errand(self, plan: Planned, room: int) -> Errand:
        made = job(sources_for(self.request.network, room), flags_for(plan.request, None, None))
        return Errand(plan.number, made, tuple(arguments_for(plan.request, self.wanted, None, None)))

    def _hear(self, plan: Planned, answer: Any, count: int) -> bool:
        """Takes in what a search found; False if its worker is gone."""
        try:
            report: Report = self.ray.get(answer)
        except (NeedsRoom, CannotTakePart, BadInitialState):
            raise
        except self.ray.exceptions.RayError:
            return False
        figures = report.figures
        self.tally.ended += 1
        self.tally.cut += bool(report.limits_hit)
        self.tally.figures[plan.number] = Progress(
            figures["states"], figures["transitions"], figures["depth"], 0, figures["seconds"], figures["peak"]
        )
        for kind in report.paths.keys() - self.report.paths.keys():
            self.report.paths[kind] = report.paths[kind]
            again = f"--swarm {plan.number}-{plan.number} does it again"
            self.report.notes += (f"{kind}: found by search {plan.number} of {count} ({plan.text}); {again}",)
        return True

    def _again(self, plan: Planned) -> bool:
        """Whether a search whose worker was lost is tried once more."""
        times = self.losses[plan.number] = self.losses.get(plan.number, 0) + 1
        self.tally.figures.pop(plan.number, None)
        return times < MOST_LOSSES

    def _listen(self, running: int) -> None:
        if self.observer is None:
            return
        try:
            news: dict[int, Progress] = self.ray.get(self.board.all.remote(), timeout=LISTEN)
        except self.ray.exceptions.RayError:
            news = {}  # the board is only for those who watch
        for number, progress in news.items():
            known = self.tally.figures.get(number, NOTHING_YET)
            if progress.transitions > known.transitions:
                self.tally.figures[number] = progress
        self.observer(self.tally.total(time.monotonic() - self.started, running))

    def _is_decided(self) -> bool:
        found = self.report.paths.keys() & self.wanted
        return found == self.wanted if self.request.keep_going else bool(found)

    def _time_is_up(self) -> bool:
        seconds = self.request.limits.seconds
        return seconds is not None and time.monotonic() - self.started > seconds

    def _reported(self, count: int) -> Report:
        report = self.report
        total = self.tally.total(time.monotonic() - self.started, 0)
        report.last = total
        report.cut = tuple(name for name in self.limits if name not in LIMITS)
        report.figures = {
            **asdict(total),
            "peak": total.bytes,
            "met": sum(1 << n for n, kind in enumerate(KINDS) if kind in report.paths),
            "limits": sum(1 << n for n, name in enumerate(LIMITS) if name in self.limits),
            "loops": 0,
            "complete": 0,
            "workers": self.at_once,
        }
        ends = f"a swarm of {count} searches, of which {self.tally.ended} came to an end"
        report.notes += (f"{ends}, {self.tally.cut} of them by a limit" if self.tally.cut else ends,)
        if self.losses:
            lost, given_up = sum(self.losses.values()), sum(n >= MOST_LOSSES for n in self.losses.values())
            text = f"workers were lost {lost} times; their searches were started again"
            report.notes += (text + (f", {given_up} of them were given up" if given_up else ""),)
        return report
