"""Why a process in a deadlock waits, if it is not for others: a choice without `else`, of conditions nobody changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from clew.core.access import access_of
from clew.core.interpreter.show import process_name
from clew.core.network import Location, Network, Template
from clew.core.results import Decision
from clew.core.statements import Guard
from clew.core.views import View


def waiting_notes(view: View, decisions: Iterable[Decision]) -> Iterator[str]:
    """A note for each process of a found deadlock that waits for itself."""
    if not isinstance(view, Network):
        return
    templates = {process_name(template.name): template for template in view.templates}
    for decision in decisions:
        if decision.verdict != "violated" or decision.property.kind != "deadlock" or decision.trace is None:
            continue
        moving = [(process, templates[process.name]) for process in decision.trace.final.processes if process.pid >= 0]
        for process, template in moving:
            location = template.locations[process.location]
            others = {other.name for one, other in moving if one.pid != process.pid}
            if not location.final and _waits_for_itself(view, template, location, others):
                place = f"{Path(process.span.file).name}:{process.span.line}"
                yield (
                    f"{process.name}({process.pid}) waits for ever at {place}: no option is true, and no other "
                    "process can change that; with an option `else` it would go on"
                )


def _waits_for_itself(network: Network, own: Template, location: Location, others: set[str]) -> bool:
    """Whether all it can do here is to take one of several conditions over what none of the others writes (a process of
    the same template may be one of them)."""
    if len(location.choices) != 1 or len(location.choices[0]) < 2:
        return False
    asked: set[str] = set()
    for step in location.choices[0]:
        if not step.block or not isinstance(step.block[0], Guard):
            return False
        access = access_of(step.block[:1], step.template)
        if access.everything or any(name.startswith(("#", "$")) for name in access.reads):
            return False
        asked |= access.reads
    local = f"{own.name}."
    for template in network.templates:
        for step in (step for place in template.locations for choice in place.choices for step in choice):
            written = {name for name in step.access.writes if template.name in others and not name.startswith(local)}
            if step.access.everything or not asked.isdisjoint(written):
                return False
    return True
