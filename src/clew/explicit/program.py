"""Runs a model compiled with the runtime as a child process and reads what it reports."""

from __future__ import annotations

import json
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from clew.core.engines import HUNTS, Checkpoints, Observer, Progress, Request
from clew.core.foreign import has_foreign_code
from clew.core.interpreter import Move
from clew.core.network import Network
from clew.core.packed_steps import PackedSteps
from clew.explicit.checkpoints import checkpoint_arguments, saved_room
from clew.explicit.generate import Sources, first_room, generate
from clew.explicit.keep import keep_program
from clew.explicit.lossy import HUNT_FLAGS, store_arguments, store_flags
from clew.explicit.monitor import Watch
from clew.explicit.reduction.audit import Expansion
from clew.explicit.reduction.generated import Reduction
from clew.explicit.traced import Followed
from clew.host import children
from clew.host.compiler import Build, Common, begin
from clew.host.foreign_runner import foreign_sizes
from clew.host.foreign_text import compiler_flags
from clew.host.interrupts import passed_on
from clew.host.machine import free_memory, processors
from clew.logic.witnesses import Lasso, named_moves

RUNTIME = Path(__file__).parent / "runtime"
FLAGS = ("-std=gnu11", "-O1", "-march=native", "-fwrapv", "-fno-strict-aliasing", "-pthread")
NO_CHECKPOINTS = "-DNO_CHECKPOINTS"
DEFAULT_ALGORITHM = "auto"  # for temporal properties
REDUCING_ALGORITHM = "cou99"  # where steps are left out
PARALLEL_ALGORITHMS = ("auto", "sweep", "ufscc")
STREETT_ALGORITHMS = ("auto", "sweep")  # with strong fairness
KINDS = ("assertion", "runtime-error", "deadlock", "trace")
LIMITS = ("states", "depth", "memory", "time", "interrupt", "table")

NO_MEMORY_STATUS = 70
_NO_MEMORY = ("Cannot allocate memory", "failed to map segment", "out of memory")
_ASKED_TO_STOP = (signal.SIGINT, signal.SIGTERM)
_KILLED = (signal.SIGKILL, signal.SIGXCPU, signal.SIGHUP)


Improved = Callable[[str, Sequence[Move]], None]

NOTHING_YET = Progress(0, 0, 0, 0, 0.0, 0)


class ProgramError(Exception):
    """The compiled model ended without a result, for a reason that lies in it."""


class CannotRun(Exception):
    """The compiled model cannot be started."""


class Crash(Exception):
    """The compiled model was ended by this signal for what it did. `report`: what it had told until then."""

    def __init__(self, name: str, report: Report) -> None:
        super().__init__(name)
        self.report = report


class BadCheckpoint(Exception):
    """A search cannot go on from this checkpoint; the text says why."""


class BadInitialState(Exception):
    """The initial state cannot be computed."""


@dataclass(slots=True)
class Report:
    """What a run reported: its figures, for each kind of violation looked for and found a run that shows it, and a run
    that the automaton beside the model matches.

    If it ended without a result, the figures are those it reported last, and `cut` says what ended it.
    """

    figures: dict[str, Any] = field(default_factory=dict)
    paths: dict[str, Sequence[Move]] = field(default_factory=dict)
    lasso: Lasso | None = None
    is_minimal: bool = False  # no cycle in the part of the component that was searched is shorter
    filter: dict[str, Any] = field(default_factory=dict)
    last: Progress = NOTHING_YET
    cut: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    hunt: dict[str, Any] = field(default_factory=dict)  # what a hunt says at its end
    best: dict[str, Any] = field(default_factory=dict)  # and of the last run it found
    expansions: list[Expansion] = field(default_factory=list)  # of a reduced search, if an audit is asked for

    @property
    def limits_hit(self) -> tuple[str, ...]:
        return self.cut + tuple(name for n, name in enumerate(LIMITS) if self.figures["limits"] >> n & 1)

    @property
    def met(self) -> frozenset[str]:
        return frozenset(name for n, name in enumerate(KINDS) if self.figures["met"] >> n & 1)

    def check(self, wanted: frozenset[str]) -> None:
        """Raises ProgramError if a violation was found but the run that shows it did not arrive: not having it must
        never look like there being none."""
        lost = sorted((self.met & wanted) - self.paths.keys()) if not self.cut else []
        if self.figures.get("verdict") == "nonempty" and self.lasso is None:
            lost.append("accepting run")
        if lost:
            raise ProgramError(f"the compiled model found a violation but did not report the run: {', '.join(lost)}")

    def cut_short(self, limit: str, note: str = "") -> Report:
        """What is known of a run that ended before it had a result."""
        met = sum(1 << n for n, kind in enumerate(KINDS) if kind in self.paths)
        self.figures = {
            **asdict(self.last),
            "peak": self.last.bytes,
            "met": met,
            "limits": 0,
            "loops": 0,
            "complete": 0,
        }
        self.cut = (limit,)
        self.notes += (note,) if note else ()
        return self


@dataclass(slots=True)
class Preparation:
    """A program that is being compiled for a network, with room for so many processes, and perhaps an automaton or a
    trace assertion beside it."""

    network: Network
    room: int
    watch: Watch | None
    reduction: Reduction | None
    followed: Followed | None
    sources: Sources
    build: Build


def prepare(
    request: Request,
    room: int | None = None,
    watch: Watch | None = None,
    reduction: Reduction | None = None,
    followed: Followed | None = None,
) -> Preparation:
    """Starts compiling, by default with the room that will be tried first. Raises CompilerError, and Unsupported if
    there are too many processes for the automaton."""
    room = first_room(request.network) if room is None else room
    sources = sources_for(request.network, room, watch, reduction, followed)
    build = _begin(request.network, sources, flags_for(request, watch, reduction))
    return Preparation(request.network, room, watch, reduction, followed, sources, build)


def explore(
    request: Request,
    wanted: frozenset[str],
    observer: Observer | None,
    prepared: Preparation | None = None,
    watch: Watch | None = None,
    improved: Improved | None = None,
    reduction: Reduction | None = None,
    followed: Followed | None = None,
) -> Report:
    """Compiles and runs the model; `improved` is told of each run that a hunt finds. Raises CompilerError, CannotRun,
    Crash, ProgramError or BadInitialState, and InputError if there is a checkpoint that cannot be used."""
    checkpoints: Checkpoints | None = request.options.get("checkpoint") if (watch or followed) is None else None
    resumes = checkpoints is not None and checkpoints.resume
    room = saved_room(checkpoints.file) if checkpoints is not None and resumes else None
    now = prepared if prepared and room in (None, prepared.room) else prepare(request, room, watch, reduction, followed)
    while True:
        arguments = list(arguments_for(request, wanted, watch, reduction))
        if checkpoints is not None:
            arguments += checkpoint_arguments(checkpoints, now.sources, now.room, resumes)
        if "keep_c" in request.options:
            keep_program(
                Path(request.options["keep_c"]), now.sources, RUNTIME, flags_for(request, watch, reduction), arguments
            )
        report = run_program(now.build.program(), arguments, observer, improved)
        if report is not None:
            report.check(wanted)
            return report
        resumes = False  # it has to begin again
        now = prepare(request, 2 * now.room, watch, reduction, followed)


def compiled(network: Network, room: int, flags: tuple[str, ...] = FLAGS) -> Path:
    """The program that explores this network, with room for so many processes. Raises CompilerError, or InputError if
    the declarations of embedded C cannot be compiled."""
    return _begin(network, sources_for(network, room), flags).program()


def _begin(network: Network, sources: Sources, flags: tuple[str, ...]) -> Build:
    flags = (*flags, *(compiler_flags(network) if sources.beside else ()))
    return begin(sources.model, RUNTIME, flags, beside=sources.beside, common=_searches(sources, flags))


def _searches(sources: Sources, flags: tuple[str, ...]) -> Common | None:
    """The searches as a file of its own, where they need little of the model."""
    return None if sources.constants is None else searches(sources.constants, flags)


def searches(constants: Mapping[str, int], flags: tuple[str, ...]) -> Common:
    """Compiled once for many models, so there is time to compile it well."""
    better = ("-O2",) if "-O1" in flags else ()
    known = (f"-D{name}={value}" for name, value in constants.items())
    return Common("searches.c", ("-DSEARCHES_ARE_APART",), (*known, *better))


def sources_for(
    network: Network,
    room: int,
    watch: Watch | None = None,
    reduction: Reduction | None = None,
    followed: Followed | None = None,
) -> Sources:
    foreign = foreign_sizes(network) if has_foreign_code(network) else None
    return generate(network, room, foreign, watch, reduction, followed)


def flags_for(request: Request, watch: Watch | None, reduction: Reduction | None) -> tuple[str, ...]:
    """A program that has only what the request needs is compiled sooner."""
    only: tuple[str, ...] = ("-DONLY_BFS",) if request.search == "bfs" else ()
    only += (team_flag(workers_for(request, watch, reduction)),)
    only += ("-DTREE_IS_POSSIBLE=1",) if request.options.get("store") == "tree" else ()
    only += (NO_CHECKPOINTS,) if "checkpoint" not in request.options else ()
    flags: tuple[str, ...] = request.options.get("flags", (*FLAGS, *only))
    if watch is not None:
        return flags
    return (*flags, *(HUNT_FLAGS if request.search in HUNTS else store_flags(request.options.get("lossy"))))


def usual_flags() -> tuple[str, ...]:
    """Those of a request that says nothing special."""
    return (*FLAGS, "-DONLY_BFS", team_flag(processors()), NO_CHECKPOINTS)


def team_flag(workers: int) -> str:
    return "-DONLY_ALONE" if workers == 1 else "-DONLY_TEAM"


def arguments_for(
    request: Request, wanted: frozenset[str], watch: Watch | None, reduction: Reduction | None
) -> Iterator[str]:
    limits = request.limits
    memory = limits.memory if limits.memory is not None else _most_memory()
    for name, value in (("states", limits.states), ("depth", limits.depth), ("memory", memory)):
        if value is not None:
            yield f"--max-{name}"
            yield str(value)
    if limits.seconds is not None:
        yield from ("--max-seconds", str(limits.seconds))
    workers = workers_for(request, watch, reduction)
    if reduction is not None:
        yield from ("--proviso", reduction.proviso)
        if request.options.get("audit"):
            yield "--audit"
    if watch is not None:
        yield from ("--algorithm", _algorithm(request, reduction))
        if request.options.get("minimal_cycle"):
            yield "--minimal"
    yield from ("--workers", str(workers), "--search", request.search, "--store", request.options.get("store", "auto"))
    if watch is None:
        yield from store_arguments(request)
    yield from ("--wanted", str(sum(1 << n for n, kind in enumerate(KINDS) if kind in wanted)))
    if request.keep_going or not wanted:
        yield "--keep-going"
    yield "--progress"  # always: it is all that is known of a run that is killed, and ends one whose reader is gone


def _algorithm(request: Request, reduction: Reduction | None) -> str:
    usual = DEFAULT_ALGORITHM if reduction is None else REDUCING_ALGORITHM
    chosen: str = request.options.get("algorithm", usual)
    return chosen


def workers_for(request: Request, watch: Watch | None, reduction: Reduction | None = None) -> int:
    """Most checks for cycles have one worker."""
    workers: int | None = request.options.get("workers")
    return workers or processors() if watch is None else workers_for_algorithm(_algorithm(request, reduction), workers)


def workers_for_algorithm(algorithm: str, wanted: int | None) -> int:
    return 1 if algorithm not in PARALLEL_ALGORITHMS else wanted or processors()


def _most_memory() -> int | None:
    """What a run may take when no limit was given: most of what is free now, so that it ends with a partial result."""
    free = free_memory()
    return None if free is None else int(free * 0.9)


def run_program(
    program: Path, arguments: Sequence[str], observer: Observer | None, improved: Improved | None = None
) -> Report | None:
    """None: the layout was too small."""
    child: subprocess.Popen[bytes] | None = None
    stopped = False

    def stop() -> None:
        nonlocal stopped
        stopped = True
        if child is not None:
            child.send_signal(signal.SIGINT)

    with tempfile.TemporaryFile() as messages, passed_on(stop):
        try:
            child = children.start([str(program), *arguments], stderr=messages)
        except OSError as error:
            raise CannotRun(f"{program} cannot be run: {error.strerror or error}") from None
        if stopped:
            stop()  # it came before there was a child
        try:
            report = _listen(child, observer, improved)
            status = child.wait()
        finally:
            children.end(child)
        if report is None or report.figures:
            return report
        messages.seek(0)
        errors = messages.read().decode(errors="replace").strip()
    return _without_result(report, status, errors, stopped)


def _listen(
    child: subprocess.Popen[bytes], observer: Observer | None, improved: Improved | None = None
) -> Report | None:
    """All a child says. None: the layout was too small. Half a line, from a child that dies, is left out."""
    assert child.stdout is not None
    report = Report()
    path, prefix, cycle = _LongRun(), _LongRun(), _LongRun()
    for line in child.stdout:
        said = _said(line)
        match said.pop("type", None):
            case "progress":
                report.last = Progress(**said)
                if observer is not None:
                    observer(report.last)
            case "result":
                report.figures = said
            case "filter":
                report.filter = said
            case "steps":
                {"path": path, "prefix": prefix, "cycle": cycle}[said["of"]].add(said["names"])
            case "violation":
                report.paths[said["kind"]] = path.ended_by(said["path"])
            case "found":
                report.best = said
                if improved is not None:
                    improved(said["kind"], report.paths[said["kind"]])
            case "hunt":
                report.hunt = said
            case "note":
                report.notes += (said["text"],)
            case "bad-checkpoint":
                raise BadCheckpoint(said["reason"])
            case "lasso":
                report.is_minimal = bool(said.get("minimal"))
                report.lasso = Lasso(prefix.ended_by(said["prefix"]), cycle.ended_by(said["cycle"]))
            case "expansion":
                report.expansions.append(Expansion(said["state"], said["how"], tuple(said["to"])))
            case "room":
                return None
            case "initial":
                raise BadInitialState
    return report


class _LongRun:
    """Steps that come in several lines."""

    def __init__(self) -> None:
        self.steps = PackedSteps[Move]()

    def add(self, names: Iterable[Sequence[int]]) -> None:
        for move in named_moves(names):
            self.steps.append(move)

    def ended_by(self, names: Iterable[Sequence[int]]) -> Sequence[Move]:
        """All steps; what comes now is another run."""
        if not self.steps:
            return tuple(named_moves(names))
        self.add(names)
        whole, self.steps = self.steps, PackedSteps()
        return whole


def _said(line: bytes) -> dict[str, Any]:
    """Nothing, if it is not one of our lines: embedded C may print, too."""
    try:
        said = json.loads(line)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _without_result(report: Report, status: int, errors: str, stopped: bool) -> Report:
    """What is to be made of a child that ended on its own."""
    seen = "the figures are those of its last report" if report.last.states else "it had not reported anything yet"
    if status == NO_MEMORY_STATUS or (status > 0 and any(words in errors for words in _NO_MEMORY)):
        return report.cut_short("memory", f"the search could not get more memory; {seen}")
    if stopped or -status in _ASKED_TO_STOP:
        return report.cut_short("interrupt")
    if -status in _KILLED:
        reason = "by hand, or by the system because memory ran out"
        return report.cut_short("killed", f"the search was killed ({children.signal_name(status)}), {reason}; {seen}")
    if status < 0:
        raise Crash(children.signal_name(status), report)
    raise ProgramError(f"the compiled model ended with status {status}" + (f": {errors}" if errors else ""))
