"""`clew recheck`: is what a run says still so, by code that did not find it out?"""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from clew.cli import status
from clew.cli.console import Console
from clew.cli.replaying import replay_saved
from clew.core.certificates import Certificate
from clew.core.registry import LoadedModel
from clew.core.replay import ReplayError
from clew.host.interrupts import two_stage_interrupt
from clew.host.rechecking import Outcome, Rechecked, certificates_in, recheck_verdict
from clew.host.runs import Run, find_run
from clew.host.saved_models import load_saved_model
from clew.host.saved_traces import SavedTrace, find_trace
from clew.report.style import plural

SCHEMA = "clew.recheck/1"
STATUS: dict[Outcome, int] = {
    "confirmed": status.HOLDS,
    "refuted": status.INTERNAL_ERROR,
    "unknown": status.UNKNOWN,
}


def run(arguments: Namespace, console: Console) -> int:
    saved = find_run(arguments.run, arguments.runs_dir)
    with two_stage_interrupt():
        found = _all(saved, load_saved_model(saved), arguments)
    if arguments.json:
        console.print_json(_json(saved, found))
    else:
        width = max((len(one.property) for one in found), default=0)
        for one in found:
            colour = {"confirmed": "green", "refuted": "red", "unknown": "yellow"}[one.outcome]
            outcome = console.style.paint(f"{one.outcome:<9}", "bold", colour)
            console.print(f"  {one.property:<{width}}  {one.verdict:<8}  {outcome}  {one.by}")
    if any(one.outcome == "refuted" for one in found):
        console.error(f"{saved.name} says what is not so", "please report this with the folder of the run")
    return status.worst([STATUS[one.outcome] for one in found])


def _all(saved: Run, model: LoadedModel, arguments: Namespace) -> list[Rechecked]:
    result = saved.result()
    certificates, found, traces = certificates_in(saved), [], 0
    for said in result.get("properties", ()):
        if said.get("trace"):
            traces += 1
            found.append(_trace(find_trace(str(saved.folder), None, traces), said))
        else:
            found.append(_verdict(saved, model, certificates, said, result["engine"], arguments.max_time))
    return found


def _trace(saved: SavedTrace, said: dict[str, Any]) -> Rechecked:
    try:
        replay_saved(saved)
    except ReplayError as error:
        return Rechecked(said["name"], said["verdict"], "refuted", f"its trace does not replay: {error}")
    by = f"replayed: the reference interpreter takes the same {plural(saved.trace.length, 'step')}"
    return Rechecked(said["name"], said["verdict"], "confirmed", by)


def _verdict(
    saved: Run,
    model: LoadedModel,
    certificates: tuple[Certificate, ...],
    said: dict[str, Any],
    engine: str,
    seconds: float,
) -> Rechecked:
    name, verdict = said["name"], said["verdict"]
    asked = next((p for p in (*model.properties, *model.further) if p.name == name), None)
    if verdict == "unknown" or asked is None:
        return Rechecked(name, verdict, "unknown", "nothing was decided" if asked else "the model has no such property")
    options = saved.options().get("options", {})
    kept = {key: options[key] for key in ("ends", "fair") if options.get(key) not in (None, "none")}
    return recheck_verdict(model, asked, verdict, engine, certificates, kept, seconds)


def _json(saved: Run, found: list[Rechecked]) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "run": saved.name,
        "properties": [
            {"name": one.property, "verdict": one.verdict, "outcome": one.outcome, "by": one.by} for one in found
        ],
    }
