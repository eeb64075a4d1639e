"""`ENGINE`: decides assertions, deadlocks and run-time errors of a `Network` with the reference interpreter."""

from __future__ import annotations

from clew.core.engines import Answer, Observer, Request
from clew.core.interpreter import Move, NetworkSpace, State, unsupported
from clew.core.properties import Property, PropertyKind
from clew.core.replay import confirmed
from clew.core.results import Decision, Evidence
from clew.reference.search import Findings, Hit, breadth_first, depth_first

DECIDED: frozenset[PropertyKind] = frozenset({"assertion", "deadlock", "runtime-error"})
NO_EVIDENCE = Evidence("none", "")


class ReferenceEngine:
    """Slow and plain; its counts are those of Spin without reductions."""

    name = "reference"

    def refuses(self, request: Request) -> str | None:
        return unsupported(request.view)

    def run(self, request: Request, observer: Observer | None = None) -> Answer:
        """Raises Unsupported if `refuses` gives a reason, ReplayError (an internal error) if a run found is none."""
        space = NetworkSpace(request.view)
        wanted = frozenset(p.kind for p in request.properties) & DECIDED
        search = depth_first if request.search == "dfs" else breadth_first
        findings = search(space, wanted, request.limits, request.keep_going, observer)
        return Answer(
            tuple(self._decide(request, space, findings, asked) for asked in request.properties),
            findings.statistics,
            findings.limits_hit,
            _notes(findings),
        )

    def _decide(
        self, request: Request, space: NetworkSpace, findings: Findings[State, Move], asked: Property
    ) -> Decision:
        if asked.kind not in DECIDED:
            reason = "temporal properties are not supported yet by this engine"
            return Decision(asked, "unknown", reason, NO_EVIDENCE)
        hit: Hit[State, Move] | None = findings.hits.get(asked.kind)
        if hit is not None:
            trace = confirmed(space, NetworkSpace(request.view), hit.start, hit.path, hit.violation)
            steps = "1 step" if len(trace) == 1 else f"{len(trace):,} steps"
            evidence = Evidence("replayed-trace", f"replayed trace: {steps}")
            return Decision(asked, "violated", hit.violation.message, evidence, trace, hit.violation)
        if findings.statistics.complete and _broke_down(findings) and asked.kind != "runtime-error":
            return Decision(asked, "unknown", "nothing is explored behind a run-time error", NO_EVIDENCE)
        if findings.statistics.complete:
            count = findings.statistics.states
            evidence = Evidence("exhaustive", f"exhaustive: {count:,} state{'' if count == 1 else 's'}")
            return Decision(asked, "holds", "", evidence)
        if findings.limits_hit:
            return Decision(asked, "unknown", f"limit hit: {', '.join(findings.limits_hit)}", NO_EVIDENCE)
        return Decision(asked, "unknown", "the search ended at the violation of another property", NO_EVIDENCE)


def _broke_down(findings: Findings[State, Move]) -> bool:
    return "runtime-error" in findings.hits or "runtime-error" in findings.ignored


def _notes(findings: Findings[State, Move]) -> tuple[str, ...]:
    notes = []
    if findings.loops:
        notes.append("loop inside an atomic sequence: Spin would not terminate here")
    if "runtime-error" in findings.ignored:
        notes.append("there are run-time errors; nothing behind them was explored")
    return tuple(notes)


ENGINE = ReferenceEngine()
