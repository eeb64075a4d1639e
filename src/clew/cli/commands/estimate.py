"""`clew estimate`: how big is it, roughly, and which store fits it?"""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict
from typing import Any

from clew.cli import status
from clew.cli.console import Console
from clew.cli.progress import progress
from clew.cli.requests import model_options
from clew.core.diagnostics import NOWHERE, InputError
from clew.core.engines import Limits
from clew.core.omission.advice import Omission
from clew.core.omission.prediction import DEFAULT_STORES, Prediction, predictions
from clew.core.results import Result
from clew.host.checking import CheckOptions, count_model, load_model
from clew.host.interrupts import two_stage_interrupt
from clew.report.estimate_text import prediction_text, sampled_text

SCHEMA = "clew.estimate/1"


def run(arguments: Namespace, console: Console) -> int:
    """Without a file: what is missed for given numbers of states. With one: a quick lossy search first."""
    if arguments.file is None and not arguments.states:
        raise InputError.at(NOWHERE, "estimate", "give a model, or --states N", "clew estimate --help explains")
    result = None if arguments.file is None else _sampled(arguments, console)
    omission = None if result is None else result.omission
    states = arguments.states or _sizes(omission)
    try:
        found = predictions(states, 8 * arguments.memory, arguments.stores or DEFAULT_STORES)
    except ValueError as reason:
        raise InputError.at(NOWHERE, "estimate", str(reason)) from None
    if arguments.json:
        console.print_json(_json(arguments, omission, result, found))
    else:
        if result is not None:
            console.print(sampled_text(result, console.style))
            console.print()
        console.print(prediction_text(found, arguments.memory, console.style))
    return status.UNKNOWN if result is not None and (omission is None or omission.estimate is None) else status.HOLDS


def _sampled(arguments: Namespace, console: Console) -> Result:
    options = CheckOptions(
        "native",
        search="bfs",
        limits=Limits(seconds=arguments.max_time, memory=arguments.max_memory),
        seed=arguments.seed,
        workers=arguments.workers,
        store=f"bitstate:memory={arguments.memory}",
    )
    chosen = model_options(arguments)
    with two_stage_interrupt(), progress(arguments, console) as observer:
        model = load_model(arguments.file, chosen, counting=True)
        return count_model(model, chosen, options, observer)


def _sizes(omission: Omission | None) -> list[int]:
    if omission is None:
        return []
    return [omission.estimate if omission.estimate is not None else omission.visited]


def _json(
    arguments: Namespace, omission: Omission | None, result: Result | None, found: list[Prediction]
) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "model": arguments.file,
        "memory": arguments.memory,
        "omission": None if omission is None else asdict(omission),
        "limits_hit": [] if result is None else list(result.limits_hit),
        "predictions": [asdict(p) for p in found],
    }
