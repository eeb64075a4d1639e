"""An exhaustive breadth-first search, spread over the workers of a cluster by the hash of states.

Level by level: every partition expands its states of the level and gives the successors that belong to others to Ray,
which brings them there. So the states, the transitions and the number of steps to a violation are those of a search on
one machine. When a worker is lost, all partitions begin again from the last level they saved together.
"""

from __future__ import annotations

import contextlib
import tempfile
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from clew.core.clusters import Cluster
from clew.core.engines import Observer, Progress, Request, Unavailable
from clew.core.interpreter import Move
from clew.explicit.cluster.jobs import CannotTakePart, Job, NeedsRoom, job
from clew.explicit.cluster.partition import Figures, Partition
from clew.explicit.cluster.saved_levels import SavedLevels
from clew.explicit.cluster.session import Session, session
from clew.explicit.generate import first_room
from clew.explicit.program import FLAGS, KINDS, LIMITS, BadInitialState, Report, explore, sources_for

MOST_PARTITIONS = 256
SLICE = 1 << 18  # states a partition expands before it sends what it has
PATIENCE = 300.0  # seconds until all partitions must have begun
GOODBYE = 5.0  # seconds they have for putting their things away
PAUSE = 0.5  # seconds after a loss: it takes a while until Ray knows that a machine is gone
MOST_LOSSES = 5  # without a level finished in between
SAVING_COSTS = 10  # times as long as saving took is searched before it is done again

PARTITION_FLAGS = ("-DONLY_ALONE", "-DPARTITION")
NOT_SHORTEST = "the counterexample has as few steps between ordinary states as any, perhaps not inside atomic sequences"


class WorkerLost(Exception):
    """A worker of the cluster has gone, and its states with it; the text says what is known."""


def explore_in_partitions(request: Request, wanted: frozenset[str], observer: Observer | None) -> Report:
    """The counterpart of `program.explore`. Raises Unavailable, InputError and what that raises."""
    cluster: Cluster = request.options["cluster"]
    room = first_room(request.network)
    with session(cluster.address, request.options.get("workers")) as connected:
        while True:
            flags = (*request.options.get("flags", FLAGS), *PARTITION_FLAGS)
            made = job(sources_for(request.network, room), flags)
            with tempfile.TemporaryDirectory(prefix="clew-levels-") as folder:
                search = _Search(request, wanted, observer, connected, made, Path(folder))
                try:
                    return search.run()
                except NeedsRoom:
                    room *= 2
                except CannotTakePart as reason:
                    raise Unavailable(f"a worker of the cluster cannot take part: {reason}") from None
                finally:
                    search.dismiss()


@dataclass(slots=True)
class _Figures:
    """What the partitions reported last."""

    parts: list[Figures] = field(default_factory=list)

    def total(self, name: str) -> int:
        return sum(part[name] for part in self.parts)

    def any_of(self, name: str) -> int:
        """Of bits: those that some partition has."""
        bits = 0
        for part in self.parts:
            bits |= part[name]
        return bits


class _Search:
    def __init__(
        self,
        request: Request,
        wanted: frozenset[str],
        observer: Observer | None,
        connected: Session,
        made: Job,
        folder: Path,
    ) -> None:
        self.request = request
        self.wanted = sum(1 << n for n, kind in enumerate(KINDS) if kind in wanted)
        self.observer = observer
        self.session = connected
        self.ray = connected.ray
        self.made = made
        self.count = min(request.options.get("workers") or connected.processors, MOST_PARTITIONS)
        self.saved = SavedLevels(self.ray, folder)
        self.save_every: float = request.options["cluster"].save_every
        self.started = self.last_saved = time.monotonic()
        self.actors: list[Any] = []
        self.now = _Figures()
        self.depth = 0
        self.losses = 0  # since a level was last finished
        self.report = Report()
        self.limits: list[str] = []

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    def run(self) -> Report:
        complete = False
        try:
            while True:
                try:
                    self._begin()
                    complete = self._levels()
                    break
                except WorkerLost as lost:
                    if not self._goes_on_after(lost):
                        break
        except KeyboardInterrupt:
            self.limits.append("interrupt")
            with contextlib.suppress(WorkerLost):
                self._keep_found()
        return self._reported(complete)

    def dismiss(self) -> None:
        """Partitions that answer take their folders with them; the others are not waited for."""
        goodbyes = [actor.end.remote() for actor in self.actors]
        if goodbyes:
            self.ray.wait(goodbyes, num_returns=len(goodbyes), timeout=GOODBYE)
        for actor in self.actors:
            self.ray.kill(actor)
        self.actors = []

    # --- the partitions

    def _begin(self) -> None:
        """All partitions, at the beginning or where they were saved."""
        memory = self.request.limits.memory
        neighbours = -(-self.count // self.session.nodes)
        maker = self.ray.remote(Partition)
        how = {"num_cpus": self.session.share(self.count * (1 + self.losses)), "scheduling_strategy": "SPREAD"}
        token = uuid4().hex[:8]
        self.actors = [
            maker.options(name=f"clew-{token}-{number}", max_restarts=0, **how).remote(
                self.made, number, self.count, None if memory is None else memory // self.count, neighbours
            )
            for number in range(self.count)
        ]
        resumes = self.saved.depth is not None
        if resumes:
            self._safely(lambda: self.saved.restore(self.actors))
        self.now.parts = self._get([actor.begin.remote(resumes) for actor in self.actors], timeout=PATIENCE)
        self.depth = self.saved.depth or 0

    def _safely(self, ask: Any) -> Any:
        """What a question to workers gives. Raises WorkerLost if one is gone."""
        errors = self.ray.exceptions
        try:
            return ask()
        except (NeedsRoom, CannotTakePart, BadInitialState):
            raise
        except errors.RayTaskError as error:
            raise WorkerLost(str(error.cause)) from None
        except errors.RayError as error:
            raise WorkerLost((str(error).strip().splitlines() or ["no reason is known"])[0]) from None

    def _get(self, questions: list[Any], timeout: float | None = None) -> Any:
        return self._safely(lambda: self.ray.get(questions, timeout=timeout))

    def _goes_on_after(self, lost: WorkerLost) -> bool:
        self.losses += 1
        self.dismiss()
        if self.losses >= MOST_LOSSES:
            self.limits.append("killed")
            self.report.notes += (f"workers were lost {self.losses} times without progress, the last one: {lost}",)
            return False
        again = "the start" if self.saved.depth is None else f"depth {self.saved.depth}"
        self.report.notes += (f"a worker was lost at depth {self.depth}; the search went on from {again} ({lost})",)
        time.sleep(PAUSE * self.losses)
        return True

    # --- levels

    def _levels(self) -> bool:
        """Whether everything was explored."""
        while self.now.total("width"):
            limit = self.request.limits.depth
            finished = self._level(limit is not None and self.depth >= limit)
            self._keep_found()
            if not finished:
                return False
            self.losses = 0
            if self.now.total("width"):
                self.depth += 1
            self._tell()
            if self._is_decided():
                return not self.now.total("width")
            self._save()
        return True

    def _level(self, cut: bool) -> bool:
        """Expands all states of a level; whether it came to the end of it."""
        left = True
        while left:
            expanded = [actor.expand.options(num_returns=1 + self.count).remote(SLICE, cut) for actor in self.actors]
            figures = self._get([answer[0] for answer in expanded])
            left = any(part["left"] for part in figures)
            messages = [[answer[1 + number] for answer in expanded] for number in range(self.count)]
            received = self._get(
                [actor.receive.remote(not left, *sent) for actor, sent in zip(self.actors, messages, strict=True)]
            )
            self.now.parts = [after or before for before, after in zip(figures, received, strict=True)]
            if self._hits_limit():
                return False
            if left:
                self._tell()
        return True

    def _hits_limit(self) -> bool:
        limits = self.request.limits
        bits = self.now.any_of("limits")
        self.limits = [name for n, name in enumerate(LIMITS) if bits >> n & 1]
        if limits.states is not None and self.now.total("states") >= limits.states and self.now.total("left"):
            self.limits.append("states")
        if limits.seconds is not None and self.seconds > limits.seconds:
            self.limits.append("time")
        return any(name != "depth" for name in self.limits)

    def _is_decided(self) -> bool:
        return not self.request.keep_going and bool(self.now.any_of("met") & self.wanted)

    def _save(self) -> None:
        """Now and then; a checkpoint that cannot be written is done without."""
        if not self.now.total("width") or time.monotonic() - self.last_saved < self.save_every:
            return
        before = time.monotonic()
        saved = self._safely(lambda: self.saved.save(self.actors, self.depth))
        self.last_saved = time.monotonic()
        if not saved:
            self.report.notes += (f"depth {self.depth} could not be saved",)
        self.save_every = max(self.save_every, SAVING_COSTS * (self.last_saved - before) if self.save_every else 0.0)

    def _tell(self) -> None:
        if self.observer is not None:
            self.observer(self._progress())

    def _progress(self) -> Progress:
        now = self.now
        return Progress(
            now.total("states"),
            now.total("transitions"),
            self.depth,
            now.total("left"),
            self.seconds,
            now.total("bytes"),
        )

    # --- what was found

    def _keep_found(self) -> None:
        """The run to each kind of violation that was met for the first time: from then on no loss can take it away."""
        for number, kind in enumerate(KINDS):
            if self.wanted >> number & 1 and kind not in self.report.paths:
                for partition, part in enumerate(self.now.parts):
                    if part["met"] >> number & 1:
                        self.report.paths[kind] = self._path(partition, part["found"][number], number)
                        break

    def _path(self, partition: int, number: int, kind: int) -> tuple[Move, ...]:
        """From an initial state to the violation, along parents."""
        states: list[str] = []
        at: tuple[int, int] | None = (partition, number)
        while at is not None:
            (words, at), *_ = self._get([self.actors[at[0]].state.remote(at[1])])
            states.append(words)
        path: tuple[Move, ...] = self._get([self.actors[0].run.remote(kind, states[::-1])])[0]
        return path

    def _reported(self, complete: bool) -> Report:
        report, now = self.report, self.now
        report.last = self._progress()
        found = sum(1 << n for n, kind in enumerate(KINDS) if kind in report.paths)
        report.cut = tuple(name for name in self.limits if name not in LIMITS)
        report.figures = {
            "states": now.total("states"),
            "stored": now.total("states"),
            "transitions": now.total("transitions"),
            "depth": self.depth,
            "seconds": self.seconds,
            "peak": now.total("peak"),
            "met": (now.any_of("met") & ~self.wanted) | found,
            "limits": sum(1 << n for n, name in enumerate(LIMITS) if name in self.limits),
            "loops": now.any_of("loops"),
            "complete": int(complete and not self.limits),
            "workers": self.count,
        }
        if found and now.any_of("transient"):
            self._shorten()
        return report

    def _shorten(self) -> None:
        """Steps inside atomic sequences do not count for levels. So that the run shown depends neither on chance nor on
        the number of partitions, one process looks for it again; if that is too much for it, the run stays as it is."""
        options = {name: value for name, value in self.request.options.items() if name != "cluster"}
        alone = replace(
            self.request,
            limits=replace(self.request.limits, states=None),
            keep_going=False,
            options={**options, "workers": 1},
        )
        for kind in tuple(self.report.paths):
            again = explore(alone, frozenset({kind}), None)
            if kind in again.paths:
                self.report.paths[kind] = again.paths[kind]
            elif NOT_SHORTEST not in self.report.notes:
                self.report.notes += (NOT_SHORTEST,)
