"""`ENGINE`: decides assertions, deadlocks and run-time errors of a `Network` with generated C."""

from __future__ import annotations

from clew.core.decisions import SAFETY, Exploration, decide, remarks
from clew.core.engines import Answer, Observer, Request
from clew.core.results import Statistics
from clew.explicit.generate import unsupported
from clew.explicit.program import FLAGS, BadInitialState, explore
from clew.explicit.replay import replayed
from clew.host.compiler import NO_COMPILER, find_compiler
from clew.host.spaces import network_space


class NativeEngine:
    """Fast; its counts are those of Spin without reductions. Option `flags`: those for the C compiler."""

    name = "native"

    def refuses(self, request: Request) -> str | None:
        if request.search != "bfs":
            return "only breadth-first search is supported yet"
        if find_compiler() is None:
            return NO_COMPILER
        return unsupported(request.view)

    def run(self, request: Request, observer: Observer | None = None) -> Answer:
        """Raises CompilerError, ProgramError or ReplayError (internal errors), InputError for a bad initial state."""
        wanted = frozenset(str(p.kind) for p in request.properties if p.kind in SAFETY)
        try:
            report = explore(request, wanted, observer, request.options.get("flags", FLAGS))
        except BadInitialState:
            network_space(request.view).initial()  # raises with the reason
            raise
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
        how_far = Exploration(
            states, statistics.complete, report.limits_hit, broke_down, request.view.foreign.untracked
        )
        decisions = []
        for asked in request.properties:
            path = report.paths.get(asked.kind)
            found = None if path is None else replayed(request.view, path, asked.kind)
            decisions.append(decide(asked, how_far, found))
        hidden = broke_down and "runtime-error" not in wanted
        return Answer(tuple(decisions), statistics, report.limits_hit, remarks(bool(figures["loops"]), hidden))


ENGINE = NativeEngine()
