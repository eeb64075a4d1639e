"""Which engine answers: the one asked for, or the first that can; small models by one that starts at once."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from clew.core import registry
from clew.core.diagnostics import NOWHERE, InputError
from clew.core.engines import RELATIONAL_ONLY, Answer, Engine, Observer, Request, SlowStarter, Unavailable
from clew.core.network import Network
from clew.core.registry import load_engine

TINY_MODEL = 200  # states: explored before an engine that starts slowly is even asked
SMALL_MODEL = 2_000
NATIVE_ONLY = frozenset(  # what is to be kept or tried must be made
    {"keep_c", "algorithm", "minimal_cycle", "lossy", "hunt", "checkpoint", "proviso"}
)
WORK = 3  # states expanded, those inside atomic sequences included, for each state of a small model


def asked(name: str, request: Request, observer: Observer | None = None) -> tuple[str, Answer]:
    """The name of the engine that answers (`name`, unless it is `auto`), and its answer.

    Raises InputError if no engine can, with the reasons.
    """
    if name == "auto" and "cluster" in request.options:
        name = "native"  # an answer from this machine alone is not what was asked for
    if name != "auto":
        return name, _ask_named(name, request, observer)
    if NATIVE_ONLY.intersection(request.options) or request.options.get("reduce") == "por":
        return _ask_in_order(request, observer)
    tiny = _within(TINY_MODEL, request)
    if tiny is not None:
        return tiny
    first = load_engine(registry.ENGINES[0].name)
    reason = first.refuses(request)
    with _head_start(first, request) if reason is None else contextlib.nullcontext():
        return _within(SMALL_MODEL, request) or _ask_in_order(request, observer, {first.name: reason})


def _ask_named(name: str, request: Request, observer: Observer | None) -> Answer:
    engine = load_engine(name)
    reason = engine.refuses(request)
    if reason is None:
        try:
            return engine.run(request, observer)
        except Unavailable as error:
            reason = str(error)
    raise InputError.at(NOWHERE, "engine-refuses", f"the {name} engine cannot do this: {reason}")


def _ask_in_order(
    request: Request, observer: Observer | None, known: Mapping[str, str | None] = MappingProxyType({})
) -> tuple[str, Answer]:
    """The engine that users would rather have had is named in a note. `known`: who refuses, as far as it was asked."""
    reasons: dict[str, str] = {}
    for entry in registry.ENGINES:
        if entry.only is not None and not any(asked.kind in entry.only for asked in request.properties):
            continue
        engine = load_engine(entry.name)
        reason = known[entry.name] if entry.name in known else engine.refuses(request)
        if reason is None:
            try:
                answer = engine.run(request, observer)
            except Unavailable as error:
                reason = str(error)
            else:
                if not isinstance(request.view, Network):
                    return engine.name, answer  # nobody expects another engine for it
                expected = ((name, why) for name, why in reasons.items() if why != RELATIONAL_ONLY)
                passed_over = (f"the {name} engine was not used: {why}" for name, why in expected)
                return engine.name, replace(answer, notes=(*passed_over, *answer.notes))
        reasons[entry.name] = reason
    hint = "; ".join(f"{name}: {why}" for name, why in reasons.items())
    raise InputError.at(NOWHERE, "no-engine", "no engine can decide this", hint)


def _within(states: int, request: Request) -> tuple[str, Answer] | None:
    """The answer of an engine that starts at once, if the model is so small that it is done before others start.

    The budget is in states, not in time, so that equal runs are decided by the same engine.
    """
    limit = request.limits.states
    budget = states if limit is None else min(states, limit)
    trial = replace(request, limits=replace(request.limits, states=budget, work=WORK * states))
    for entry in registry.ENGINES[1:]:
        engine = load_engine(entry.name) if entry.instant else None
        if engine is not None and engine.refuses(request) is None:
            answer = engine.run(trial)
            beyond = {"states"} if budget != limit else set()
            if not (beyond | {"work"}).intersection(answer.limits_hit):
                return engine.name, answer
    return None


def _head_start(engine: Engine, request: Request) -> contextlib.AbstractContextManager[None]:
    """An engine that starts slowly gets ready while a faster starter tries."""
    return engine.prepare(request) if isinstance(engine, SlowStarter) else contextlib.nullcontext()
