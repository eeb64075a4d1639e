"""When partial-order reduction may be used: its provisos, each with the reason why it is needed.

Reduction keeps deadlocks, assertions and run-time errors, and formulas that do not notice repetition. What follows
makes a step depend on what every process does next, so that no two steps are independent.
"""

from __future__ import annotations

from collections.abc import Iterator

from clew.core.expressions import (
    AtLocation,
    Enabled,
    Expr,
    Foreign,
    Global,
    LocationOf,
    Own,
    PriorityOf,
    RemoteRef,
    walk,
)
from clew.core.foreign import has_foreign_code
from clew.core.network import Network
from clew.core.statements import SetPriority
from clew.explicit.layout import template_expressions, template_statements
from clew.logic.questions import Question
from clew.logic.stutter import is_stutter_invariant

PROVISOS = ("stack", "visited", "queue", "queue-live", "chain", "none")
CYCLES_WITH_REDUCTION = "cou99"  # the check for cycles that knows how to go with it
MOST_STEPS = 64  # that may leave a location: sets of them are words


def why_not_reduce(network: Network) -> str | None:
    """What in the network is against reduction, or None.

    - embedded C may read and write anything
    - priorities: whether a step can be taken depends on which other processes can move
    - provided clauses: every step of a process depends on what the clause looks at
    - `_last`: the last mover is part of the state, so that no two steps commute
    - `enabled()` looks at everything that another process may do next
    - remote references: a step that looks at where another process is depends on each of its steps
    - progress and accept labels: a step that looks at them depends on every step of every process
    - locations that very many steps leave: those beyond a word would be forgotten
    """
    if has_foreign_code(network):
        return "embedded C"
    if network.uses_priorities:
        return "priorities"
    if network.tracks_last:
        return "_last"
    for template in network.templates:
        if template.provided is not None:
            return "a provided clause"
        if any(sum(map(len, location.choices)) > MOST_STEPS for location in template.locations):
            return f"a choice of more than {MOST_STEPS} steps"
        if any(isinstance(s, SetPriority) for s in template_statements(template)):
            return "priorities"
        for part in template_expressions(template):
            reason = _against(part)
            if reason is not None:
                return reason
    return None


def why_not_reduce_for(question: Question, algorithm: str) -> str | None:
    """What in a temporal question is against reduction, or None."""
    if question.formula is None or question.asked.kind not in ("ltl", "pattern"):
        return f"{question.asked.kind} properties may notice repetition"
    assert question.monitor is not None
    if question.monitor.events:
        return "the formula speaks of steps"
    if question.fair != "none":
        return "fairness counts the moves of each process"
    if question.ends != "stutter":
        return f"--ends {question.ends}"
    if algorithm != CYCLES_WITH_REDUCTION:
        return f"algorithm {algorithm}"
    if not is_stutter_invariant(question.formula):
        return "the formula notices repetition (X)"
    for part in atoms_of(question):
        match part:
            case Global("process_count") | AtLocation() | RemoteRef():
                pass
            case _:
                reason = _against(part)
                if reason is not None:
                    return f"{reason} in the formula"
    return None


def atoms_of(question: Question) -> Iterator[Expr]:
    """The conditions that the property looks at, with all parts."""
    assert question.monitor is not None
    for condition in question.monitor.conditions:
        yield from walk(condition)


def _against(part: Expr) -> str | None:
    match part:
        case Foreign():
            return "embedded C"
        case Enabled():
            return "enabled()"
        case LocationOf():
            return "pc_value()"
        case PriorityOf() | Own("priority"):
            return "priorities"
        case AtLocation() | RemoteRef():
            return "remote references"
        case Global("last"):
            return "_last"
        case Global("no_progress" | "accepting"):
            return "progress or accept labels"
        case _:
            return None
