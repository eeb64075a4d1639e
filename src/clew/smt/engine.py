"""`ENGINE`: decides safety properties with a solver. It may find out nothing; what it says is right."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from clew.core.bitwise.execution import Beyond
from clew.core.certificates import Certificate, Recheck
from clew.core.decisions import NO_EVIDENCE, cut_short
from clew.core.engines import Answer, Observer, Request, Unavailable
from clew.core.lowering import NotLowered
from clew.core.lowering.subject import Subject, subject_of
from clew.core.network import Network
from clew.core.properties import Property, PropertyKind
from clew.core.replay import ReplayError, confirmed
from clew.core.results import Decision, Evidence, Statistics
from clew.core.statespace import StateSpace
from clew.core.transition_system import TransitionSystem
from clew.core.views import View
from clew.core.violating import violating_step
from clew.smt.certifying import certificate, recheck
from clew.smt.encoding import Encoding, Unsuited
from clew.smt.proofs import Finding, Search
from clew.solvers import smt
from clew.solvers.smt import Terms

DECIDED: frozenset[PropertyKind] = frozenset({"assertion", "deadlock", "runtime-error"})
USUAL_SECONDS = 60.0  # for all properties together, unless there is a limit


class SmtEngine:
    """Bounded search, k-induction and Horn clauses (Spacer), one after the other, on one encoding.

    Limits: time (60 s unless given), memory, depth (of the bounded search)."""

    name = "smt"

    def refuses(self, request: Request) -> str | None:
        if not isinstance(request.view, Network | TransitionSystem):
            return "it needs a network of processes or a transition system"
        if not request.properties:
            return "a solver does not count states"
        kinds = dict.fromkeys(asked.kind for asked in request.properties)
        if not DECIDED.intersection(kinds):
            return f"properties of kind '{next(iter(kinds))}' are not decided by a solver"
        return None

    def run(self, request: Request, observer: Observer | None = None) -> Answer:
        """Raises Unavailable, and ReplayError (an internal error) if a path found is no run."""
        begin = time.monotonic()
        deadline = begin + (request.limits.seconds or USUAL_SECONDS)
        made: list[Decision] = []
        interrupted = False
        try:
            subject = subject_of(request.view)
            terms = Terms(request.limits.memory)
            for place, asked in enumerate(request.properties):
                share = (deadline - time.monotonic()) / (len(request.properties) - place)
                subject, decision = self._decided(subject, terms, asked, time.monotonic() + share, request.limits.depth)
                made.append(decision)
        except KeyboardInterrupt:
            interrupted = True
        except (NotLowered, Beyond, Unsuited, smt.Unavailable) as error:
            raise Unavailable(_why(error)) from error
        limits_hit = _limits_hit(made, interrupted)
        for asked in request.properties[len(made) :]:
            made.append(Decision(asked, "unknown", cut_short(["interrupt"]), NO_EVIDENCE))
        complete = all(decision.verdict != "unknown" for decision in made)
        return Answer(tuple(made), Statistics(seconds=time.monotonic() - begin, complete=complete), limits_hit)

    def _decided(
        self, subject: Subject, terms: Terms, asked: Property, deadline: float, deepest: int | None
    ) -> tuple[Subject, Decision]:
        """The verdict, and the system it was found on: larger than before if there was no room."""
        if asked.kind not in DECIDED:
            reason = f"properties of kind '{asked.kind}' are not decided by a solver"
            return subject, Decision(asked, "unknown", reason, NO_EVIDENCE)
        while True:
            encoding = Encoding(subject.system, terms)
            try:
                bad = encoding.violating(asked.kind)
            except Unsuited as error:
                return subject, Decision(asked, "unknown", str(error), NO_EVIDENCE)
            beyond = encoding.beyond()
            finding = Search(encoding, terms.either(bad, terms.some(list(beyond.values()))), deadline, deepest).answer()
            if finding.kind == "proved":
                proof = certificate(subject, encoding, finding)
                return subject, Decision(asked, "holds", "", Evidence("certificate", finding.how), certificate=proof)
            if finding.kind == "unknown":
                return subject, Decision(asked, "unknown", finding.how, NO_EVIDENCE)
            larger = self._larger(subject, encoding, finding)
            if larger is None:
                return subject, self._shown(subject, asked, finding)
            subject = larger

    def recheck(self, view: View, certificate: Certificate, kind: PropertyKind, seconds: float) -> Recheck:
        """Raises Damaged."""
        return recheck(view, certificate, kind, seconds)

    def _larger(self, subject: Subject, encoding: Encoding, finding: Finding) -> Subject | None:
        """The system with room for what the last state of the path does, if it has none."""
        terms = encoding.terms
        last = finding.path[-1]
        solver = terms.solver()
        place = 0
        for (_, type_, _), value in zip(encoding.slots, last, strict=True):
            for n in range(type_.bits):
                bit = encoding.bits[place + n]
                solver.add(bit if value >> n & 1 else terms.negated(bit))
            place += type_.bits
        reached = [v for v, t in encoding.beyond().items() if terms.satisfiable(solver, [t], 10.0) == "yes"]
        if not reached:
            return None
        assert subject.enlarged is not None
        return subject.enlarged(frozenset(reached))

    def _shown(self, subject: Subject, asked: Property, finding: Finding) -> Decision:
        space, fresh = subject.fresh(), subject.fresh()
        start, moves, last = _walked(subject, space, finding.path)
        final, violation = violating_step(space, last, asked.kind)
        trace = confirmed(space, fresh, start, [*moves, *final], violation)
        steps = "1 step" if len(trace) == 1 else f"{len(trace):,} steps"
        evidence = Evidence("replayed-trace", f"replayed trace: {steps}")
        return Decision(asked, "violated", violation.message, evidence, trace, violation)


def _walked(
    subject: Subject, space: StateSpace[Any, Any], path: Sequence[tuple[int, ...]]
) -> tuple[Any, list[Any], Any]:
    """The run through these states. Raises ReplayError if the system does not have it."""
    recognise = getattr(space, "is_initial", None)
    if recognise is not None:
        start = path[0] if recognise(path[0]) else None
    else:
        start = next((s for s in space.initial() if tuple(subject.encoded(s)) == path[0]), None)
    if start is None:
        raise ReplayError("the path of the solver begins nowhere")
    moves, state = [], start
    for wanted in path[1:]:
        for move in space.moves(state):
            after = space.fire(state, move).state
            if after is not None and tuple(subject.encoded(after)) == wanted:
                break
        else:
            raise ReplayError("the system does not offer a step of the solver's path")
        moves.append(move)
        state = after
    return start, moves, state


def _limits_hit(made: Sequence[Decision], interrupted: bool) -> tuple[str, ...]:
    found = [limit for limit in ("time", "depth") if any(limit in d.reason for d in made if d.verdict == "unknown")]
    return (*found, "interrupt") if interrupted else tuple(found)


def _why(error: Exception) -> str:
    if isinstance(error, NotLowered):
        return "; ".join(diagnostic.message for diagnostic in error.diagnostics)
    return str(error)


ENGINE = SmtEngine()
