"""Which reduction a request gets, and what is said about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clew.core.decisions import SAFETY
from clew.core.diagnostics import NOWHERE, InputError
from clew.core.engines import Request
from clew.core.records import record
from clew.core.results import Reduced
from clew.explicit.reduction.conditions import PROVISOS, why_not_reduce, why_not_reduce_for
from clew.explicit.reduction.generated import ProvisoName, Reduction
from clew.logic.questions import Question


@record
class Chosen:
    """A reduction, or None; and if it was switched off, a line that says why."""

    reduction: Reduction | None = None
    notes: tuple[str, ...] = ()


NOTHING = Chosen()


def choose(request: Request, question: Question | None, workers: int, algorithm: str) -> Chosen:
    """The reduction for the safety properties of a request, or for one temporal question.

    Without the option `reduce` there is none. Raises InputError if the options do not go together.
    """
    wanted = request.options.get("reduce", "none")
    proviso = request.options.get("proviso")
    if proviso is not None and wanted == "none":
        raise _bad("--proviso needs a reduction", "--reduce por")
    if wanted == "none" or (question is None and not any(p.kind in SAFETY for p in request.properties)):
        return NOTHING
    if proviso is not None:
        _check(proviso, request, question, workers)
    reason = _why_not_searched_so(request) or why_not_reduce(request.network)
    if reason is None and question is not None:
        reason = why_not_reduce_for(question, algorithm)
    if reason is not None:
        about = "" if question is None else f" for {question.asked.name}"
        return Chosen(notes=(f"partial-order reduction is off{about}: {reason}",))
    as_peer = "spin" in request.options.get("compat", ())
    if as_peer and question is not None:
        return Chosen(notes=(f"partial-order reduction is off for {question.asked.name}: --compat spin",))
    stores_inside = as_peer and request.search == "bfs"
    return Chosen(Reduction(proviso or _usual(request, question, workers, as_peer), as_peer, stores_inside))


def _why_not_searched_so(request: Request) -> str | None:
    """What in the way of searching is against reduction, or None."""
    if request.search not in ("bfs", "dfs"):
        return f"--search {request.search}"
    if "lossy" in request.options:
        return "a store that may take a new state for a known one"
    for name in ("checkpoint", "cluster"):
        if name in request.options:
            return f"--{name}"
    return None


def _usual(request: Request, question: Question | None, workers: int, as_peer: bool) -> ProvisoName:
    """Chains are followed by one worker, or breadth-first; any search knows the order of its states."""
    alone = request.search == "dfs" and workers == 1
    if question is not None or (as_peer and alone):
        return "stack"
    return "chain" if not as_peer and (alone or request.search == "bfs") else "queue"


def _check(proviso: str, request: Request, question: Question | None, workers: int) -> None:
    if proviso not in PROVISOS:
        raise _bad(f"unknown proviso '{proviso}'", f"known: {', '.join(PROVISOS)}")
    if question is not None and proviso not in ("stack", "none"):
        raise _bad(f"proviso {proviso} does not go with temporal properties", "--proviso stack")
    if question is None and proviso == "stack" and request.search != "dfs":
        raise _bad("proviso stack needs a depth-first search", "--search dfs")
    if question is None and proviso == "chain" and request.search == "dfs" and workers != 1:
        raise _bad("proviso chain needs a breadth-first search, or one worker", "--search bfs")
    if question is None and proviso in ("stack", "visited") and workers != 1:
        raise _bad(f"proviso {proviso} needs one worker", "--workers 1")


def _bad(message: str, hint: str) -> InputError:
    return InputError.at(NOWHERE, "reduction", message, hint)


def told(reduction: Reduction | None, figures: Mapping[str, Any]) -> Reduced | None:
    """What a search says about the reduction; None if it had none, or none that left anything out."""
    if reduction is None or not figures.get("reduced"):
        return None
    return Reduced("por", reduction.proviso, figures["reduced"], figures["forced"], reduction.is_sound)
