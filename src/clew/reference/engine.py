"""`ENGINE`: decides assertions, deadlocks and run-time errors of a `Network` with the reference interpreter."""

from __future__ import annotations

from clew.core.decisions import SAFETY, Exploration, decide, remarks
from clew.core.engines import Answer, Observer, Request
from clew.core.foreign import has_foreign_code
from clew.core.interpreter import Move, NetworkSpace, State
from clew.core.properties import Violation
from clew.core.replay import confirmed, repeatable
from clew.core.traces import Trace
from clew.host.compiler import find_compiler, why_no_compiler
from clew.host.spaces import network_space
from clew.reference.search import Hit, breadth_first, depth_first


class ReferenceEngine:
    """Slow and plain; its counts are those of Spin without reductions."""

    name = "reference"

    def refuses(self, request: Request) -> str | None:
        if has_foreign_code(request.view) and find_compiler() is None:
            return f"embedded C: {why_no_compiler()}"
        return None

    def run(self, request: Request, observer: Observer | None = None) -> Answer:
        """Raises ReplayError (an internal error) if a run found is none, InputError if embedded C is bad."""
        space = network_space(request.view)
        wanted = frozenset(p.kind for p in request.properties) & SAFETY
        search = depth_first if request.search == "dfs" else breadth_first
        findings = search(space, wanted, request.limits, request.keep_going, observer)
        figures = findings.statistics
        hidden = "runtime-error" in findings.ignored
        how_far = Exploration(
            figures.states,
            figures.complete,
            findings.limits_hit,
            hidden or "runtime-error" in findings.hits,
            request.view.foreign.untracked,
        )
        decisions = []
        for asked in request.properties:
            hit = findings.hits.get(asked.kind)
            found = None if hit is None else self._replayed(request, space, hit)
            decisions.append(decide(asked, how_far, found))
        return Answer(tuple(decisions), figures, findings.limits_hit, remarks(bool(findings.loops), hidden))

    def _replayed(self, request: Request, space: NetworkSpace, hit: Hit[State, Move]) -> tuple[Trace, Violation]:
        fresh = network_space(request.view)
        with repeatable(request.view):
            return confirmed(space, fresh, hit.start, hit.path, hit.violation), hit.violation


ENGINE = ReferenceEngine()
