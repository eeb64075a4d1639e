"""`ENGINE`: decides properties of a `Network` with generated C."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from clew.core.decisions import SAFETY, Exploration, decide, remarks, together
from clew.core.diagnostics import NOWHERE, InputError, Span
from clew.core.engines import HUNTS, LEAST_SECONDS, Answer, Observer, Request, Unavailable, with_time_left
from clew.core.foreign import has_foreign_code
from clew.core.interpreter.following import trace_automaton
from clew.core.network import Network
from clew.core.omission.advice import notes as advice_notes
from clew.core.properties import TEMPORAL, Property
from clew.core.results import Statistics
from clew.explicit.automata import answer_accepting, refuses_automaton
from clew.explicit.checkpoints import bad_checkpoint
from clew.explicit.cluster.explore import explore_on_cluster, why_not_on_cluster
from clew.explicit.emptiness import ALGORITHMS
from clew.explicit.expressions import Unsupported
from clew.explicit.generate import unsupported
from clew.explicit.hunting import hunting_notes, replaying
from clew.explicit.lossy import omission_of
from clew.explicit.monitor import Watch
from clew.explicit.program import (
    DEFAULT_ALGORITHM,
    PARALLEL_ALGORITHMS,
    REDUCING_ALGORITHM,
    STREETT_ALGORITHMS,
    BadCheckpoint,
    BadInitialState,
    CannotRun,
    Crash,
    Improved,
    Preparation,
    ProgramError,
    Report,
    explore,
    prepare,
    workers_for,
)
from clew.explicit.reduction.chosen import Chosen, choose, told
from clew.explicit.reduction.generated import Reduction
from clew.explicit.replay import replayed, telling
from clew.explicit.traced import Followed
from clew.host.compiler import CompilerError, RefusedProgram, find_compiler, why_no_compiler
from clew.host.spaces import network_space
from clew.logic.accepting import automaton_of
from clew.logic.questions import Question, question
from clew.logic.vacuity import doubts
from clew.logic.verdicts import NO_DEPTH, STUCK, decide_temporal, decide_trivial
from clew.logic.witnesses import witness

NOT_SHORTEST = "a counterexample found with reduction is the shortest of the reduced search, perhaps not of all runs"
NOT_MINIMAL = "the cycle may not be minimal: only in components that are not too large is that found out"
CHOSEN_RUN = "with several workers it is left to chance which of several runs is found"


class NativeEngine:
    """Fast; its counts are those of Spin without reductions.

    Options: `workers` (all cores unless given), `store` (auto, table, tree) or `lossy` (a LossyStore), `seed` of
    hashing, `hunt` (a Hunt), `checkpoint` (Checkpoints), `flags` for the C compiler, `keep_c` a folder where the
    generated program is left; for temporal properties `ends` (stutter, maximal, infinite), `fair` (none, weak, strong)
    and `algorithm`; `reduce` (auto, none, por; without it none) and `proviso`; `cluster` (a Cluster) to search on.
    """

    name = "native"
    prepared: Preparation | None = None

    def refuses(self, request: Request) -> str | None:
        """Raises InputError if there is no such algorithm."""
        is_automaton = automaton_of(request.view) is not None
        if not isinstance(request.view, Network) and not is_automaton:
            return "it explores networks of processes"
        if find_compiler() is None:
            return why_no_compiler()
        if is_automaton:
            _known_algorithm(request)
            return refuses_automaton(request)
        if "cluster" in request.options and (reason := why_not_on_cluster(request)):
            return reason
        if request.search in HUNTS and not any(p.kind in SAFETY for p in request.properties):
            return "a hunt looks for assertions that fail, deadlocks and run-time errors only"
        return unsupported(request.network) or _not_decided(request)

    @contextlib.contextmanager
    def prepare(self, request: Request) -> Iterator[None]:
        """Compiles in the background; `run` waits for it."""
        if automaton_of(request.view) is not None:
            yield  # one program checks all of them
            return
        try:
            prepared = _first_preparation(request)
        except (CompilerError, Unsupported):
            yield  # `run` will say so
            return
        self.prepared = prepared
        try:
            yield
        finally:
            self.prepared = None
            prepared.build.cancel()

    def run(self, request: Request, observer: Observer | None = None) -> Answer:
        """Raises Unavailable, InputError (a bad initial state, embedded C that is refused), and for internal errors
        ProgramError, RefusedProgram or ReplayError."""
        if automaton_of(request.view) is not None:
            return together(request, [answer_accepting(request, asked) for asked in request.properties])
        answers: list[Answer] = []
        started = time.monotonic()
        for search in self._searches(request):
            answers.append(search(with_time_left(request, started) if answers else request, observer))
            if not {"interrupt", "time"}.isdisjoint(answers[-1].limits_hit):
                break
        return together(request, answers)

    def _searches(self, request: Request) -> Iterator[Callable[[Request, Observer | None], Answer]]:
        """Each gives the answer to a part of the request."""
        if _explores(request):
            yield self._safety
        if request.search in HUNTS:
            return
        for asked in _questions(request):
            yield partial(self._temporal, asked)
        for traced in _traces(request):
            yield partial(self._safety, traced=traced)

    def _ready(
        self, request: Request, watch: Watch | None, reduction: Reduction | None, followed: Followed | None = None
    ) -> Preparation | None:
        """What was prepared, if it is what is needed."""
        now = self.prepared
        if now is None or now.network is not request.network:
            return None
        return now if (now.watch, now.reduction, now.followed) == (watch, reduction, followed) else None

    def _safety(self, request: Request, observer: Observer | None, traced: Property | None = None) -> Answer:
        """Everything that can be seen in single states and steps, or one trace assertion."""
        followed = None if traced is None else _followed(request.network, traced)
        asked = [p for p in request.properties if p.kind in SAFETY] if traced is None else [traced]
        wanted = frozenset(str(p.kind) for p in asked)
        chosen = _chosen(request) if traced is None else _unreduced(request, traced)
        prepared = self._ready(request, None, chosen.reduction, followed)
        report = _explored(
            request,
            wanted,
            observer,
            prepared,
            improved=replaying(request),
            reduction=chosen.reduction,
            followed=followed,
        )
        figures = report.figures
        statistics = _statistics(figures, chosen)
        broke_down = "runtime-error" in report.met
        limits_hit = report.limits_hit
        found = {}
        try:
            for kind, path in report.paths.items():
                found[kind] = replayed(request.network, path, kind, telling(observer, report.last), followed)
        except KeyboardInterrupt:  # what was not replayed is not a verdict
            limits_hit = (*limits_hit, "interrupt")
        untracked = request.network.foreign.untracked
        omission = omission_of(request, report, limits_hit)
        how_far = Exploration(
            statistics.states,
            statistics.complete,
            limits_hit,
            broke_down,
            untracked,
            omission,
            hunted=request.search in HUNTS,
            reduced=statistics.reduced,
        )
        decisions = tuple(decide(p, how_far, found.get(p.kind)) for p in asked)
        hidden = broke_down and "runtime-error" not in wanted
        notes = (*report.notes, *remarks(bool(figures["loops"]), hidden), *_chance(request, figures, chosen))
        notes += (*hunting_notes(report), *chosen.notes)
        if found and statistics.reduced is not None and request.search == "bfs":
            notes += (NOT_SHORTEST,)
        if omission is not None:
            notes += advice_notes(omission, not statistics.complete)
            statistics = replace(statistics, complete=False)
        return Answer(decisions, statistics, limits_hit, notes, omission)

    def _temporal(self, asked: Question, request: Request, observer: Observer | None) -> Answer:
        if asked.trivial:
            return Answer((decide_trivial(asked),), Statistics(complete=True))
        started = time.monotonic()
        watch = _watch(asked)
        chosen = _chosen(request, asked)
        prepared = self._ready(request, watch, chosen.reduction)
        report = _explored(request, frozenset(), observer, prepared, watch, reduction=chosen.reduction)
        limits_hit, found = report.limits_hit, None
        try:
            if report.lasso is not None:
                found = witness(request.network, asked, report.lasso, tell=telling(observer, report.last))
        except KeyboardInterrupt:
            limits_hit = (*limits_hit, "interrupt")
        statistics = _statistics(report.figures, chosen)
        if report.lasso is not None:  # the search ended there
            statistics = replace(statistics, complete=False)
        broke_down = "runtime-error" in report.met
        untracked = request.network.foreign.untracked
        figures = statistics.states, statistics.complete, limits_hit, broke_down, untracked
        how_far = Exploration(*figures, reduced=statistics.reduced)
        stuck = asked.ends == "infinite" and asked.asked.kind != "progress" and "deadlock" in report.met
        by_chance = [CHOSEN_RUN] if found is not None and _is_shared(report.figures) else []
        if found is not None and request.options.get("minimal_cycle") and not report.is_minimal:
            by_chance.append(NOT_MINIMAL)
        remarks_on = (*by_chance, *_no_depth(request), *_kept_exactly(request), *chosen.notes)
        notes = (*report.notes, *([STUCK] if stuck else []), *remarks_on)
        vacuity = "" if report.lasso or limits_hit else self._vacuity(asked, request, report, started)
        decision = decide_temporal(asked, how_far, found, report.figures.get("by", ""), vacuity)
        return Answer((decision,), statistics, limits_hit, notes)

    def _vacuity(self, asked: Question, request: Request, report: Report, started: float) -> str:
        """As far as there is time for it."""
        for doubt, text in doubts(asked, report.figures["was_true"], report.figures["was_false"]):
            left = with_time_left(request, started)
            if left.limits.seconds == LEAST_SECONDS:
                return ""
            runs = _explored(left, frozenset(), None, None, _watch(doubt))
            if runs.lasso is None and runs.figures["complete"] and "runtime-error" not in runs.met:
                return text
        return ""


def _explores(request: Request) -> bool:
    """Whether the state space of the system alone is searched."""
    return not request.properties or any(p.kind in SAFETY for p in request.properties)


def _questions(request: Request) -> Iterator[Question]:
    for asked in request.properties:
        if asked.kind in TEMPORAL:
            yield question(request.network, asked, request.options.get("ends"), request.options.get("fair", "none"))


def _traces(request: Request) -> Iterator[Property]:
    return (asked for asked in request.properties if asked.kind == "trace")


def _followed(network: Network, traced: Property) -> Followed:
    number = next(n for n, monitor in enumerate(network.monitors) if monitor.template.name == traced.name)
    return Followed(number, trace_automaton(network, number))


def _unreduced(request: Request, traced: Property) -> Chosen:
    if request.options.get("reduce", "none") == "none":
        return Chosen()
    return Chosen(notes=(f"partial-order reduction is off for {traced.name}: it sees the order of messages",))


def _watch(asked: Question) -> Watch:
    assert asked.monitor is not None
    return Watch(asked.monitor, asked.ends, asked.fair)


def _first_preparation(request: Request) -> Preparation:
    """What will be needed first."""
    first, traced = None, None
    if not _explores(request):
        first = next((asked for asked in _questions(request) if not asked.trivial), None)
        traced = next(_traces(request), None) if first is None else None
    if traced is not None:
        return prepare(request, followed=_followed(request.network, traced))
    watch = None if first is None else _watch(first)
    return prepare(request, watch=watch, reduction=_chosen(request, first).reduction)


def _chosen(request: Request, asked: Question | None = None) -> Chosen:
    watch = None if asked is None else _watch(asked)
    algorithm = request.options.get("algorithm", REDUCING_ALGORITHM)
    return choose(request, asked, workers_for(request, watch), algorithm)


def _not_decided(request: Request) -> str | None:
    """Why a temporal property of the request is none for this engine, or None."""
    algorithm = _known_algorithm(request)
    if any(asked.kind == "ctl" for asked in request.properties):
        return "CTL is left to the symbolic and the reference engine"
    if has_foreign_code(request.network) and any(_traces(request)):
        return "trace assertions beside embedded C are not supported"
    for asked in _questions(request):
        if asked.fair == "strong" and algorithm not in STREETT_ALGORITHMS:
            return f"strong fairness is decided by {' and '.join(STREETT_ALGORITHMS)} only"
        reason = asked.peculiar or _watch(asked).why_not()
        if reason:
            return f"{reason} is left to the reference engine"
    return None


def _known_algorithm(request: Request) -> str:
    """The one that is asked for. Raises InputError if there is none of that name."""
    algorithm: str = request.options.get("algorithm", DEFAULT_ALGORITHM)
    if algorithm not in ALGORITHMS:
        known = f"known: {', '.join(ALGORITHMS)}"
        raise InputError.at(NOWHERE, "unknown-algorithm", f"unknown algorithm '{algorithm}'", known)
    return algorithm


def _no_depth(request: Request) -> tuple[str, ...]:
    return () if request.limits.depth is None else (NO_DEPTH,)


def _kept_exactly(request: Request) -> tuple[str, ...]:
    return ("for temporal properties states are kept exactly",) if "lossy" in request.options else ()


def _statistics(figures: dict[str, Any], chosen: Chosen) -> Statistics:
    states = figures["states"]
    return Statistics(
        states=states,
        stored=figures.get("stored", states),
        transitions=figures["transitions"],
        depth=figures.get("depth", figures.get("stack", 0)),
        seconds=figures["seconds"],
        peak_bytes=figures["peak"],
        bytes_per_state=figures["peak"] / states if states else 0.0,
        complete=bool(figures["complete"]),
        reduced=told(chosen.reduction, figures),
    )


def _chance(request: Request, figures: dict[str, Any], chosen: Chosen) -> tuple[str, ...]:
    """What depends on the order in which workers happen to come."""
    if request.search in HUNTS or figures.get("workers", 1) == 1:
        return ()
    if request.search == "bfs":
        if chosen.reduction is None or chosen.reduction.is_repeatable or not figures.get("reduced"):
            return ()
        return (
            f"with several workers the figures of a search with proviso {chosen.reduction.proviso} are left to chance",
        )
    return ("with several workers the depth of a depth-first search, and the run it finds, are left to chance",)


def _is_shared(figures: dict[str, Any]) -> bool:
    """Whether several workers decided a temporal property."""
    return figures.get("workers", 1) > 1 and figures.get("by") in PARALLEL_ALGORITHMS


def _explored(
    request: Request,
    wanted: frozenset[str],
    observer: Observer | None,
    prepared: Preparation | None,
    watch: Watch | None = None,
    improved: Improved | None = None,
    reduction: Reduction | None = None,
    followed: Followed | None = None,
) -> Report:
    """What the program reports, with its troubles told apart: of the machine, of the user's C, of ours."""
    try:
        if "cluster" in request.options:
            return explore_on_cluster(request, wanted, observer)
        return explore(request, wanted, observer, prepared, watch, improved, reduction, followed)
    except BadCheckpoint as reason:
        raise bad_checkpoint(request.options["checkpoint"].file, str(reason)) from None
    except Unsupported as reason:
        raise Unavailable(str(reason)) from None
    except BadInitialState:
        network_space(request.network).initial()  # raises with the reason
        raise
    except RefusedProgram as error:
        if not has_foreign_code(request.network):
            raise
        place = Span(request.network.name, 0)
        raise InputError.at(place, "embedded-c", f"the C compiler refuses the embedded C:\n{error.output}") from None
    except (CompilerError, CannotRun) as error:
        raise Unavailable(str(error)) from None
    except Crash as error:
        if not has_foreign_code(request.network):
            raise ProgramError(f"the compiled model ended with {error}") from None
        return error.report.cut_short("crash", f"the embedded C crashed ({error})")
    except ProgramError as error:
        if not has_foreign_code(request.network):
            raise
        place = Span(request.network.name, 0)
        raise InputError.at(place, "embedded-c", f"the embedded C ended the program: {error}") from None


ENGINE = NativeEngine()
