"""Whether an automaton accepts anything, decided by an emptiness check of the runtime."""

from __future__ import annotations

from collections.abc import Iterator

from clew.core.engines import Answer, Request, Unavailable
from clew.core.properties import Property
from clew.core.results import Statistics
from clew.explicit.emptiness import check
from clew.explicit.program import DEFAULT_ALGORITHM, workers_for_algorithm
from clew.host.compiler import CompilerError
from clew.logic.accepting import automaton_of, decide_accepting
from clew.logic.marked_graphs import MOST_CONDITIONS, graph_of


def refuses_automaton(request: Request) -> str | None:
    """Why this is no question about an automaton, or not one for this engine."""
    odd = next((asked.kind for asked in request.properties if asked.kind != "accepting"), None)
    if odd is not None:
        return f"properties of kind '{odd}' are none of an automaton"
    if not request.properties:
        return "it does not count the states of automata"
    automaton = automaton_of(request.view)
    if automaton is not None and automaton.sets > MOST_CONDITIONS:
        return f"more than {MOST_CONDITIONS} acceptance sets are not supported"
    return None


def answer_accepting(request: Request, asked: Property) -> Answer:
    """Raises Unavailable, ProgramError, and ReplayError if a run found is none."""
    automaton = automaton_of(request.view)
    assert automaton is not None
    algorithm = request.options.get("algorithm", DEFAULT_ALGORITHM)
    try:
        found = check(graph_of(automaton), algorithm, *_arguments(request, algorithm))
    except CompilerError as error:
        raise Unavailable(str(error)) from None
    decision = decide_accepting(automaton, asked, found.lasso, found.visited, found.limits_hit, found.algorithm)
    complete = found.verdict == "empty"
    figures = Statistics(found.visited, found.generated, found.transitions, found.stack, complete=complete)
    return Answer((decision,), figures, found.limits_hit)


def _arguments(request: Request, algorithm: str) -> Iterator[str]:
    limits = request.limits
    for name, value in (("states", limits.states), ("memory", limits.memory), ("seconds", limits.seconds)):
        if value is not None:
            yield from (f"--max-{name}", str(value))
    if request.options.get("minimal_cycle"):
        yield "--minimal"
    yield from ("--workers", str(workers_for_algorithm(algorithm, request.options.get("workers"))))
