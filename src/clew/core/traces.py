"""`Trace` (`clew.trace/1`): a run of the system, step by step, for people and machines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from clew.core.diagnostics import NOWHERE, Span
from clew.core.packed_steps import PackedSteps, packed_from_json, packed_to_json
from clew.core.records import record

SCHEMA = "clew.trace/1"


@record
class ProcessView:
    """One process in a state: where it is."""

    pid: int
    name: str
    location: int
    span: Span
    priority: int = 1


@record
class TraceState:
    """A state as names and shown values: `x`, `P(1).y` for locals, `q` for channel contents."""

    values: Mapping[str, str]
    processes: tuple[ProcessView, ...] = ()
    control: int | None = None  # pid with the exclusive right to move


@record
class Message:
    """A message put into or taken from a channel in a step."""

    direction: str  # "send" | "receive" | "handshake"
    channel: str
    values: tuple[str, ...]
    sender: int | None = None
    receiver: int | None = None


@record
class TraceStep:
    """One step. `pid`/`step` (and `partner…` for a handshake) name it exactly; the rest is for people."""

    pid: int
    process: str
    step: int
    span: Span
    text: str
    partner: int | None = None
    partner_process: str = ""
    partner_step: int | None = None
    partner_span: Span | None = None
    partner_text: str = ""
    message: Message | None = None
    output: tuple[str, ...] = ()
    changes: Mapping[str, tuple[str | None, str | None]] = field(default_factory=dict)
    transient: bool = False  # the state after it is inside an atomic sequence
    note: str = ""  # what went wrong in this step
    parts: tuple[Span, ...] = ()
    stands_for: int = 1  # in place of so many steps of a long run, which are left out


def gap(steps: int, before: TraceState, after: TraceState) -> TraceStep:
    """What is shown in place of steps that are left out, which lead from one state to another."""
    text = f"… {steps:,} steps left out"
    return TraceStep(-1, "", -1, NOWHERE, text, changes=changes(before, after), stands_for=steps)


def changes(before: TraceState, after: TraceState) -> dict[str, tuple[str | None, str | None]]:
    """The names whose shown value is not the same, with the old and the new one (None: not there)."""
    names = [*before.values, *(name for name in after.values if name not in before.values)]
    pairs = {name: (before.values.get(name), after.values.get(name)) for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


@record
class TraceBranch:
    """Another run from the state behind the first `at` steps of a trace; `reason` is what it shows."""

    at: int
    reason: str
    trace: Trace


@record
class Trace:
    """A run from the initial state. `loop`: index of the step the run goes back to, if it is a lasso. `branches`: what
    one run cannot show; their traces begin where they leave this one. Of a long run `steps` has the beginning, the end
    and what is around the loop, and `packed` every step by its name."""

    initial: TraceState
    steps: tuple[TraceStep, ...]
    final: TraceState
    reason: str = ""
    loop: int | None = None
    branches: tuple[TraceBranch, ...] = ()
    packed: PackedSteps[tuple[int | None, ...]] | None = None

    def __len__(self) -> int:
        return len(self.steps)

    @property
    def length(self) -> int:
        """How many steps the run has, those that are left out included."""
        return len(self.steps) if self.packed is None else len(self.packed)

    @property
    def before_cycle(self) -> int:
        """How many steps come before the cycle. Needs a trace with a loop."""
        assert self.loop is not None
        return sum(step.stands_for for step in self.steps[: self.loop])


def trace_to_json(trace: Trace) -> dict[str, Any]:
    """The `clew.trace/1` form, made of plain JSON values. `branches` is there only if there are any."""
    branches = [
        {"at": branch.at, "reason": branch.reason, "trace": trace_to_json(branch.trace)} for branch in trace.branches
    ]
    return {
        "schema": SCHEMA,
        "reason": trace.reason,
        "loop": trace.loop,
        "initial": _state_to_json(trace.initial),
        "steps": [_step_to_json(step) for step in trace.steps],
        "final": _state_to_json(trace.final),
        **({"branches": branches} if branches else {}),
        **({"packed": packed_to_json(trace.packed)} if trace.packed is not None else {}),
    }


def trace_from_json(data: Mapping[str, Any]) -> Trace:
    """Reads the `clew.trace/1` form; raises ValueError with a reason if it is not one."""
    if not isinstance(data, Mapping) or data.get("schema") != SCHEMA:
        raise ValueError(f"not a trace: it does not say that its schema is {SCHEMA}")
    try:
        return Trace(
            initial=_state_from_json(data["initial"]),
            steps=tuple(_step_from_json(step) for step in data["steps"]),
            final=_state_from_json(data["final"]),
            reason=str(data["reason"]),
            loop=_optional_int(data["loop"]),
            branches=tuple(
                TraceBranch(int(branch["at"]), str(branch["reason"]), trace_from_json(branch["trace"]))
                for branch in data.get("branches", ())
            ),
            packed=packed_from_json(data["packed"]) if "packed" in data else None,
        )
    except KeyError as error:
        raise ValueError(f"not a trace: {error} is missing") from None
    except (AttributeError, TypeError) as error:
        raise ValueError(f"not a trace: {error}") from None


def _span_to_json(span: Span | None) -> dict[str, Any] | None:
    if span is None:
        return None
    return {"file": span.file, "line": span.line, "column": span.column, "length": span.length}


def _span_from_json(data: Mapping[str, Any]) -> Span:
    return Span(str(data["file"]), int(data["line"]), int(data["column"]), int(data["length"]))


def _optional_int(value: Any) -> int | None:
    return None if value is None else int(value)


def _state_to_json(state: TraceState) -> dict[str, Any]:
    return {
        "values": dict(state.values),
        "processes": [
            {
                "pid": process.pid,
                "name": process.name,
                "location": process.location,
                "span": _span_to_json(process.span),
                "priority": process.priority,
            }
            for process in state.processes
        ],
        "control": state.control,
    }


def _state_from_json(data: Mapping[str, Any]) -> TraceState:
    return TraceState(
        values={str(name): str(value) for name, value in data["values"].items()},
        processes=tuple(
            ProcessView(
                int(process["pid"]),
                str(process["name"]),
                int(process["location"]),
                _span_from_json(process["span"]),
                int(process["priority"]),
            )
            for process in data["processes"]
        ),
        control=_optional_int(data["control"]),
    )


def _message_to_json(message: Message | None) -> dict[str, Any] | None:
    if message is None:
        return None
    return {
        "direction": message.direction,
        "channel": message.channel,
        "values": list(message.values),
        "sender": message.sender,
        "receiver": message.receiver,
    }


def _message_from_json(data: Mapping[str, Any] | None) -> Message | None:
    if data is None:
        return None
    return Message(
        str(data["direction"]),
        str(data["channel"]),
        tuple(str(value) for value in data["values"]),
        _optional_int(data["sender"]),
        _optional_int(data["receiver"]),
    )


def _step_to_json(step: TraceStep) -> dict[str, Any]:
    return {
        "pid": step.pid,
        "process": step.process,
        "step": step.step,
        "span": _span_to_json(step.span),
        "text": step.text,
        "partner": step.partner,
        "partner_process": step.partner_process,
        "partner_step": step.partner_step,
        "partner_span": _span_to_json(step.partner_span),
        "partner_text": step.partner_text,
        "message": _message_to_json(step.message),
        "output": list(step.output),
        "changes": {name: list(pair) for name, pair in step.changes.items()},
        "transient": step.transient,
        "note": step.note,
        "parts": [_span_to_json(span) for span in step.parts],
        **({"stands_for": step.stands_for} if step.stands_for > 1 else {}),
    }


def _step_from_json(data: Mapping[str, Any]) -> TraceStep:
    partner_span = data["partner_span"]
    return TraceStep(
        pid=int(data["pid"]),
        process=str(data["process"]),
        step=int(data["step"]),
        span=_span_from_json(data["span"]),
        text=str(data["text"]),
        partner=_optional_int(data["partner"]),
        partner_process=str(data["partner_process"]),
        partner_step=_optional_int(data["partner_step"]),
        partner_span=None if partner_span is None else _span_from_json(partner_span),
        partner_text=str(data["partner_text"]),
        message=_message_from_json(data["message"]),
        output=tuple(str(text) for text in data["output"]),
        changes={str(name): _change_from_json(pair) for name, pair in data["changes"].items()},
        transient=bool(data["transient"]),
        note=str(data["note"]),
        parts=tuple(_span_from_json(span) for span in data["parts"]),
        stands_for=int(data.get("stands_for", 1)),
    )


def _change_from_json(pair: Any) -> tuple[str | None, str | None]:
    old, new = (None if value is None else str(value) for value in pair)
    return old, new
