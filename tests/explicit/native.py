"""Small models explored by generated C, without optimisation so that compiling them is quick."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clew.core.engines import Answer, Limits, Request, Search
from clew.core.network import Network
from clew.core.properties import Property
from clew.explicit.engine import ENGINE
from clew.frontends.promela.lower import Switches, lower
from clew.frontends.promela.parser import parse_text
from clew.host.compiler import find_compiler

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")

QUICK = ("-std=gnu11", "-O0", "-fwrapv", "-fno-strict-aliasing")
SAFETY = (
    Property("assertions", "assertion", "no assertion fails"),
    Property("deadlock", "deadlock", "no deadlock"),
    Property("errors", "runtime-error", "no run-time error"),
)

DEFAULT = Switches()
NO_LIMITS = Limits()


def network(text: str, switches: Switches = DEFAULT) -> Network:
    return lower(parse_text(text, "model.pml"), "model", switches).network


def request(
    view: Network, properties: tuple[Property, ...] = (), limits: Limits = NO_LIMITS, keep_going: bool = False
) -> Request:
    return Request(view, properties, limits=limits, keep_going=keep_going, options={"flags": QUICK})


def explore(
    text: str, limits: Limits = NO_LIMITS, switches: Switches = DEFAULT, search: Search = "bfs", workers: int = 1
) -> Answer:
    return ENGINE.run(_in_this_way(request(network(text, switches), limits=limits), search, workers))


def _in_this_way(asked: Request, search: Search, workers: int) -> Request:
    return replace(asked, search=search, options={**asked.options, "workers": workers})


def counts(text: str, switches: Switches = DEFAULT) -> str:
    """stored/matched, as Spin reports them."""
    answer = explore(text, switches=switches)
    assert answer.statistics.complete
    return f"{answer.statistics.states}/{answer.statistics.transitions + 1 - answer.statistics.states}"


def check(text: str, keep_going: bool = False, limits: Limits = NO_LIMITS, workers: int = 1) -> Answer:
    return ENGINE.run(_in_this_way(request(network(text), SAFETY, limits, keep_going), "bfs", workers))
