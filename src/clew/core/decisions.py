"""From what a safety search found to a verdict with its evidence. Shared by every engine that explores states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.core.engines import Answer, Request
from clew.core.omission.advice import Omission
from clew.core.properties import Property, PropertyKind, Violation
from clew.core.records import record
from clew.core.results import Decision, Evidence, Reduced
from clew.core.traces import Trace

BREAKDOWN = "there are run-time errors; nothing behind them was explored"  # a count has no verdict that says it
SAFETY: frozenset[PropertyKind] = frozenset({"assertion", "deadlock", "runtime-error", "invariant", "reach"})
NO_EVIDENCE = Evidence("none", "")


@record
class Exploration:
    """How far a search got. `broke_down`: it met a step that has no outcome (a run-time error). `unseen`: data that is
    part of no state, so that states may have been missed. `omission`: what a lossy store may have missed. `hunted`: by
    a search that proves nothing."""

    states: int
    complete: bool
    limits_hit: Sequence[str]
    broke_down: bool
    unseen: Sequence[str] = ()
    omission: Omission | None = None
    hunted: bool = False
    bounds: Sequence[str] = ()  # of the model itself
    reduced: Reduced | None = None

    @property
    def doubt(self) -> str:
        """Why nothing follows from having found nothing; empty if it does."""
        if self.unseen:
            return f"states may have been missed: part of no state: {', '.join(self.unseen)}"
        if self.reduced is not None and not self.reduced.sound:
            return f"states may have been missed: {self.reduced.text}"
        return ""

    @property
    def remark(self) -> str:
        """What is to be said behind the size of an exhaustive search."""
        within = f", within {', '.join(self.bounds)}" if self.bounds else ""
        return within if self.reduced is None else f"{within}, {self.reduced.text}"


_ENDS = {"interrupt": "interrupted", "killed": "the search was killed", "crash": "the embedded C crashed"}


def cut_short(limits_hit: Sequence[str]) -> str:
    """Why a search ended early, as the reason of a verdict: `limit hit: time`, `interrupted`."""
    limits = ", ".join(limit for limit in limits_hit if limit not in _ENDS)
    ends = [_ENDS[limit] for limit in limits_hit if limit in _ENDS]
    return ", ".join([*([f"limit hit: {limits}"] if limits else []), *ends])


def decide(asked: Property, how_far: Exploration, found: tuple[Trace, Violation] | None) -> Decision:
    """The verdict on one property; `found` is a violation of it with its replayed trace."""
    if found is not None:
        trace, violation = found
        steps = "1 step" if trace.length == 1 else f"{trace.length:,} steps"
        evidence = Evidence("replayed-trace", f"replayed trace: {steps}")
        if asked.kind == "reach":
            return Decision(asked, "holds", "", evidence, trace)
        return Decision(asked, "violated", violation.message, evidence, trace, violation)
    if how_far.hunted and set(how_far.limits_hit) <= {"time", "interrupt"}:
        return _unknown(asked, "nothing was found; a hunt does not show that there is nothing")
    if how_far.limits_hit:
        return _unknown(asked, cut_short(how_far.limits_hit))
    if not how_far.complete:
        return _unknown(asked, "the search ended when another property was decided")
    if how_far.broke_down and asked.kind != "runtime-error":
        return _unknown(asked, "nothing is explored behind a run-time error")
    if how_far.doubt:
        return _unknown(asked, how_far.doubt)
    if how_far.omission is not None:
        evidence = Evidence("omission-probability", how_far.omission.summary)
        return Decision(asked, "unknown", "nothing was found, but the store may have missed states", evidence)
    states = "1 state" if how_far.states == 1 else f"{how_far.states:,} states"
    evidence = Evidence("exhaustive", f"exhaustive: {states}{how_far.remark}")
    if asked.kind == "reach":
        return Decision(asked, "violated", "no such state can be reached", evidence)
    return Decision(asked, "holds", "", evidence)


def together(request: Request, answers: Sequence[Answer]) -> Answer:
    """One answer to a request that took several searches, with decisions in the order asked. Properties that no search
    got to are unknown. Figures of size are those of the first search, times and limits those of all."""
    made = {decision.property: decision for answer in answers for decision in answer.decisions}
    decisions = [made.get(p) or _unknown(p, "the search ended before this property") for p in request.properties]
    figures = [answer.statistics for answer in answers]
    statistics = replace(
        figures[0],
        seconds=sum(f.seconds for f in figures),
        peak_bytes=max(f.peak_bytes for f in figures),
    )
    limits_hit = dict.fromkeys(limit for answer in answers for limit in answer.limits_hit)
    notes = dict.fromkeys(note for answer in answers for note in answer.notes)
    omission = next((answer.omission for answer in answers if answer.omission is not None), None)
    return Answer(tuple(decisions), statistics, tuple(limits_hit), tuple(notes), omission)


def remarks(loops: bool, hidden_breakdown: bool) -> tuple[str, ...]:
    """What a user should know about the exploration besides the verdicts."""
    found = []
    if loops:
        found.append("loop inside an atomic sequence: its states were explored once")
    if hidden_breakdown:
        found.append(BREAKDOWN)
    return tuple(found)


def _unknown(asked: Property, reason: str) -> Decision:
    return Decision(asked, "unknown", reason, NO_EVIDENCE)
