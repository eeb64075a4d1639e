"""What a sequence chart shows, independent of how it is drawn: lanes, and messages and actions between them.

A handshake is one arrow. A buffered message is shown where it is sent and, as an arrow from its sender, where it is
received. Steps without a message are left out unless they print, go wrong, or nothing else would be shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from clew.core.records import record
from clew.core.traces import Message, Trace, TraceStep
from clew.report.trace_text import after_the_last_step, process_name, short_names, short_reason


@record
class Lane:
    pid: int
    title: str


@record
class Arrow:
    """A message from one lane to another (indices). `waited`: it was in a buffer in between."""

    step: int
    sender: int
    receiver: int
    label: str
    waited: bool


@record
class Action:
    """Something one lane does by itself."""

    step: int
    lane: int
    label: str
    kind: Literal["send", "receive", "step", "output", "error"]


@record
class Divider:
    """A line across all lanes."""

    label: str


@record
class SequenceChart:
    lanes: tuple[Lane, ...]
    events: tuple[Arrow | Action | Divider, ...]


def sequence_chart(trace: Trace, every_step: bool = False) -> SequenceChart:
    """The chart of a trace; `every_step` also shows steps without a message."""
    lanes = _lanes(trace)
    places = {(lane.pid, lane.title): index for index, lane in enumerate(lanes)}
    every_step = every_step or all(step.message is None for step in trace.steps)
    events: list[Arrow | Action | Divider] = []
    waiting: list[tuple[str, tuple[str, ...], int]] = []  # channel, values, lane of the sender
    number = 0
    for index, step in enumerate(trace.steps):
        number += step.stands_for
        if index == trace.loop:
            events.append(Divider("from here on the run repeats"))
        if step.stands_for > 1:
            events.append(Divider(step.text))
        else:
            events.extend(_events(number, step, places, waiting, every_step))
    if trace.loop is not None:
        events.append(Divider(after_the_last_step(trace)))
    if trace.reason and not (trace.steps and trace.steps[-1].note == trace.reason):
        files = short_names({process.span.file for process in trace.final.processes})
        events.append(Divider(short_reason(trace.reason, files)))
    return SequenceChart(tuple(lanes), tuple(events))


def _title(process: str, pid: int) -> str:
    return process_name(process, pid) or "the model"


def _lanes(trace: Trace) -> list[Lane]:
    seen: dict[tuple[int, str], None] = {}
    for process in trace.initial.processes:
        seen[process.pid, _title(process.name, process.pid)] = None
    taken = [step for step in trace.steps if step.stands_for == 1]
    for step in taken:
        seen[step.pid, _title(step.process, step.pid)] = None
        if step.partner is not None:
            seen[step.partner, _title(step.partner_process, step.partner)] = None
    busy = {(s.pid, _title(s.process, s.pid)) for s in taken}
    busy |= {(s.partner, _title(s.partner_process, s.partner)) for s in taken if s.partner is not None}
    return [Lane(pid, title) for pid, title in sorted(seen) if (pid, title) in busy]


def _events(
    number: int,
    step: TraceStep,
    places: dict[tuple[int, str], int],
    waiting: list[tuple[str, tuple[str, ...], int]],
    every_step: bool,
) -> Iterable[Arrow | Action]:
    lane = places[step.pid, _title(step.process, step.pid)]
    message = step.message
    if message is not None and step.partner is not None:
        other = places[step.partner, _title(step.partner_process, step.partner)]
        sender, receiver = (other, lane) if message.sender == step.partner else (lane, other)
        yield Arrow(number, sender, receiver, _label(message), False)
    elif message is not None and message.direction == "send":
        waiting.append((message.channel, message.values, lane))
        yield Action(number, lane, f"{message.channel}!{','.join(message.values)}", "send")
    elif message is not None and message.direction == "receive":
        origin = _take(message, message.channel in step.changes, waiting)
        if origin is None:
            yield Action(number, lane, f"{message.channel}?{','.join(message.values)}", "receive")
        else:
            yield Arrow(number, origin, lane, _label(message), True)
    elif every_step:
        yield Action(number, lane, step.text, "step")
    for line in step.output:
        yield Action(number, lane, line.rstrip("\n"), "output")
    if step.note:
        yield Action(number, lane, step.note, "error")


def _take(message: Message, removed: bool, waiting: list[tuple[str, tuple[str, ...], int]]) -> int | None:
    """The lane that sent the oldest equal message. A receive that leaves the message in the channel removes nothing."""
    for index, (channel, values, lane) in enumerate(waiting):
        if (channel, values) == (message.channel, message.values):
            if removed:
                del waiting[index]
            return lane
    return None


def _label(message: Message) -> str:
    return f"{message.channel}: {','.join(message.values)}"
