"""Which search runs on a cluster: breadth-first in partitions, to prove; hunts and walks as a swarm, to find."""

from __future__ import annotations

from clew.core.decisions import SAFETY
from clew.core.engines import HUNTS, Observer, Request
from clew.core.foreign import has_foreign_code
from clew.explicit.program import Report


def why_not_on_cluster(request: Request) -> str | None:
    """Needs a network."""
    if any(p.kind not in SAFETY for p in request.properties):
        return "on a cluster only assertions, deadlocks and run-time errors are looked for (--property names some)"
    if has_foreign_code(request.network):
        return "embedded C may keep data outside the state, which stays on one machine"
    if request.search == "dfs":
        return "a cluster searches breadth-first (--search bfs), or as a swarm (--search hunt)"
    for name, text in (("checkpoint", "checkpoints by itself"), ("lossy", "every state, or hunts without a store")):
        if name in request.options:
            return f"a cluster keeps {text}"
    if request.search not in HUNTS and request.options["cluster"].swarm is not None:
        return "a swarm does not prove anything: --swarm needs --search hunt or --search random"
    return None


def explore_on_cluster(request: Request, wanted: frozenset[str], observer: Observer | None) -> Report:
    """The counterpart of `program.explore`. Raises Unavailable, InputError, and what that raises."""
    if request.search in HUNTS:
        from clew.explicit.cluster.swarm import explore_as_swarm

        return explore_as_swarm(request, wanted, observer)
    from clew.explicit.cluster.exhaustive import explore_in_partitions

    return explore_in_partitions(request, wanted, observer)
