"""From what the search of a product found to a verdict with its evidence. Shared by every engine that searches one."""

from __future__ import annotations

from clew.core.decisions import NO_EVIDENCE, Exploration, cut_short
from clew.core.properties import Violation
from clew.core.results import Decision, Evidence
from clew.core.traces import Trace
from clew.logic.questions import Question

STUCK = "runs that end were left out (--ends infinite), and the system can get stuck"
NO_DEPTH = "the depth limit does not apply to temporal properties"

BEHIND_AN_ERROR = "nothing is explored behind a run-time error, in the model or in the formula"


def decide_temporal(
    question: Question, how_far: Exploration, found: tuple[Trace, Violation] | None, algorithm: str, vacuity: str = ""
) -> Decision:
    """The verdict on a temporal property; `found` is a violation of it with its judged trace; `vacuity`: why it holds
    vacuously, if it does."""
    asked = question.asked
    if found is not None:
        trace, violation = found
        evidence = Evidence("replayed-trace", f"replayed trace: {length_of(trace)}")
        return Decision(asked, "violated", violation.message, evidence, trace, violation)
    if how_far.limits_hit:
        return Decision(asked, "unknown", cut_short(how_far.limits_hit), NO_EVIDENCE)
    if how_far.broke_down:
        return Decision(asked, "unknown", BEHIND_AN_ERROR, NO_EVIDENCE)
    if how_far.doubt:
        return Decision(asked, "unknown", how_far.doubt, NO_EVIDENCE)
    size = _plural(how_far.states, "state")
    text = f"exhaustive: product of {size}, {question.automaton}, {algorithm}{how_far.remark}"
    said = ", ".join(filter(None, (_assumed(question), vacuity)))
    return Decision(asked, "holds", said, Evidence("exhaustive", text))


def decide_trivial(question: Question) -> Decision:
    """The verdict on a formula that is true of every run, whatever the system."""
    reason = "the formula is true of every run, of any system"
    return Decision(question.asked, "holds", reason, Evidence("tautology", "the automaton of its negation is empty"))


def _assumed(question: Question) -> str:
    return f"on {question.fair}ly fair runs" if question.fair != "none" else ""


def length_of(trace: Trace) -> str:
    """How long a run is, for people."""
    if trace.loop is None:
        return _plural(trace.length, "step")
    around = trace.length - trace.before_cycle
    if around == 0:
        return f"{_plural(trace.length, 'step')}, then nothing happens any more"
    return f"{_plural(trace.before_cycle, 'step')}, then a cycle of {around:,}"


def _plural(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count:,} {noun}s"
