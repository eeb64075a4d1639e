"""`ENGINE`: decides assertions, deadlocks and run-time errors of a `Network` with generated C."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from clew.core.decisions import SAFETY, Exploration, decide, remarks
from clew.core.diagnostics import InputError, Span
from clew.core.engines import Answer, Observer, Request, Unavailable
from clew.core.foreign import has_foreign_code
from clew.core.results import Statistics
from clew.explicit.generate import unsupported
from clew.explicit.program import (
    BadInitialState,
    CannotRun,
    Crash,
    Preparation,
    ProgramError,
    Report,
    explore,
    prepare,
)
from clew.explicit.replay import replayed
from clew.host.compiler import CompilerError, RefusedProgram, find_compiler, why_no_compiler
from clew.host.spaces import network_space


class NativeEngine:
    """Fast; its counts are those of Spin without reductions.

    Options: `workers` (all cores unless given), `store` (auto, table, tree), `flags` for the C compiler, `keep_c` a
    folder where the generated program is left.
    """

    name = "native"
    prepared: Preparation | None = None

    def refuses(self, request: Request) -> str | None:
        if find_compiler() is None:
            return why_no_compiler()
        return unsupported(request.view)

    @contextlib.contextmanager
    def prepare(self, request: Request) -> Iterator[None]:
        """Compiles in the background; `run` waits for it."""
        try:
            prepared = prepare(request)
        except CompilerError:
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
        wanted = frozenset(str(p.kind) for p in request.properties if p.kind in SAFETY)
        prepared = self.prepared if self.prepared and self.prepared.network is request.view else None
        report = _explored(request, wanted, observer, prepared)
        figures = report.figures
        states = figures["states"]
        statistics = Statistics(
            states=states,
            stored=states,
            transitions=figures["transitions"],
            depth=figures["depth"],
            seconds=figures["seconds"],
            peak_bytes=figures["peak"],
            bytes_per_state=figures["peak"] / states if states else 0.0,
            complete=bool(figures["complete"]),
        )
        broke_down = "runtime-error" in report.met
        limits_hit = report.limits_hit
        found = {}
        try:
            for kind, path in report.paths.items():
                found[kind] = replayed(request.view, path, kind)
        except KeyboardInterrupt:  # what was not replayed is not a verdict
            limits_hit = (*limits_hit, "interrupt")
        untracked = request.view.foreign.untracked
        how_far = Exploration(states, statistics.complete, limits_hit, broke_down, untracked)
        decisions = tuple(decide(asked, how_far, found.get(asked.kind)) for asked in request.properties)
        hidden = broke_down and "runtime-error" not in wanted
        notes = (*report.notes, *remarks(bool(figures["loops"]), hidden), *_chance(request, figures))
        return Answer(decisions, statistics, limits_hit, notes)


def _chance(request: Request, figures: dict[str, Any]) -> tuple[str, ...]:
    """What depends on the order in which workers happen to come."""
    if request.search == "bfs" or figures.get("workers", 1) == 1:
        return ()
    return ("with several workers the depth of a depth-first search, and the run it finds, are left to chance",)


def _explored(
    request: Request, wanted: frozenset[str], observer: Observer | None, prepared: Preparation | None
) -> Report:
    """What the program reports, with its troubles told apart: of the machine, of the user's C, of ours."""
    try:
        return explore(request, wanted, observer, prepared)
    except BadInitialState:
        network_space(request.view).initial()  # raises with the reason
        raise
    except RefusedProgram as error:
        if not has_foreign_code(request.view):
            raise
        place = Span(request.view.name, 0)
        raise InputError.at(place, "embedded-c", f"the C compiler refuses the embedded C:\n{error.output}") from None
    except (CompilerError, CannotRun) as error:
        raise Unavailable(str(error)) from None
    except Crash as error:
        if not has_foreign_code(request.view):
            raise ProgramError(f"the compiled model ended with {error}") from None
        return error.report.cut_short("crash", f"the embedded C crashed ({error})")
    except ProgramError as error:
        if not has_foreign_code(request.view):
            raise
        place = Span(request.view.name, 0)
        raise InputError.at(place, "embedded-c", f"the embedded C ended the program: {error}") from None


ENGINE = NativeEngine()
