"""Events of steps in C, for an automaton that reads them: what is looked for, and what a statement does about it.

Each event of the automaton is a bit of `events` of the sink. A step starts with none of them (`next`); its statements
add those that happen. What an event is compared with is computed in the state that the step leaves, into `wants` of the
sink.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from clew.core.expressions import Expr
from clew.core.monitors import Monitor
from clew.core.network import Step
from clew.core.temporal import LabelEvent, MessageEvent, whole_expressions
from clew.explicit.expressions import Expressions, Scope

Lines = list[str]


class Listener(Protocol):
    """What hears of the messages and labels of steps while they are turned into C; says what else they have to do."""

    def sent(self, pointer: str, number: str, args: Sequence[str], count: int, on: Scope) -> Lines:
        """Before a message of these values (`count` in the statement) is put into a channel."""
        ...

    def received(self, number: str, count: str, message: str, on: Scope) -> Lines:
        """A message is taken out of a channel."""
        ...

    def handed_over(self, on: Scope) -> Lines:
        """The message of the offer `o` is sent and received at once."""
        ...

    def reached(self, step: Step) -> Lines:
        """Process `pid` is at the target of the step."""
        ...


def as_stored(pointer: str, args: Sequence[str], count: int, call: str) -> Lines:
    """A call that sees a message in the offer `o`, with the types and the length it gets in its channel."""
    values = ", ".join(args) or "0"
    return [f"{{ offer o = {{.n = {count}, .m = {{{values}}}}};", f"  as_stored({pointer}, &o);", f"  {call} }}"]


class Events:
    """The events of an automaton. `numbers`: those of its atoms that are events."""

    def __init__(self, monitor: Monitor) -> None:
        self.numbers = [number for number, _ in monitor.events]
        self.events = [event for _, event in monitor.events]
        self.wants: list[Expr] = []
        self._first: list[int] = []  # of each event, where what it wants begins
        for event in self.events:
            self._first.append(len(self.wants))
            self.wants += whole_expressions(event)

    def __bool__(self) -> bool:
        return bool(self.events)

    def definitions(self) -> Lines:
        if not self:
            return []
        return ["#define MODEL_HAS_EVENTS 1", f"#define MONITOR_WANTS {max(1, len(self.wants))}"]

    def functions(self, expr: Expressions) -> Lines:
        """`monitor_wants`, `monitor_happened`, and for messages `happens_send` and `happens_receive`."""
        if not self:
            return []
        scope = Scope("s", "")
        wants = [f"    c->wants[{n}] = {expr(value, scope)};" for n, value in enumerate(self.wants)]
        bits = " | ".join(f"(events >> {n} & 1) << {number}" for n, number in enumerate(self.numbers))
        return [
            "static void monitor_wants(sink *c, const state *s, int *broken)",
            "{",
            "    int err = 0, asked = 0;",
            "    const int pid = -1;",
            "    (void)c; (void)s; (void)err; (void)asked; (void)pid;",
            *wants,
            "    *broken |= err;",
            "}",
            "",
            f"static inline uint64_t monitor_happened(uint64_t events) {{ return {bits}; }}",
            "",
            *self._happens("send"),
            *self._happens("receive"),
        ]

    def _happens(self, kind: str) -> Lines:
        tests: Lines = []
        for number, (event, first) in enumerate(zip(self.events, self._first, strict=True)):
            if isinstance(event, MessageEvent) and event.kind == kind:
                given = [place for place, value in enumerate(event.values) if value is not None]
                fields = [f"m[{place}] == c->wants[{first + 1 + n}]" for n, place in enumerate(given)]
                test = " && ".join([f"number == c->wants[{first}]", f"n == {len(event.values)}", *fields])
                tests.append(f"    if ({test}) c->events |= (uint64_t)1 << {number};")
        return [
            f"static inline void happens_{kind}(sink *c, int number, int n, const int *m)",
            "{",
            "    (void)c; (void)number; (void)n; (void)m;",
            *tests,
            "}",
            "",
        ]

    def _looks_for(self, kind: str) -> bool:
        return any(isinstance(event, MessageEvent) and event.kind == kind for event in self.events)

    # --- what statements do: as a Listener

    def sent(self, pointer: str, number: str, args: Sequence[str], count: int, on: Scope) -> Lines:
        if not self._looks_for("send"):
            return []
        return as_stored(pointer, args, count, f"happens_send(c, {number}, o.n, o.m);")

    def received(self, number: str, count: str, message: str, on: Scope) -> Lines:
        return [f"happens_receive(c, {number}, {count}, {message});"] if self._looks_for("receive") else []

    def handed_over(self, on: Scope) -> Lines:
        return [f"happens_{kind}(c, o->number, o->n, o->m);" for kind in ("send", "receive") if self._looks_for(kind)]

    def reached(self, step: Step) -> Lines:
        lines: Lines = []
        for number, (event, first) in enumerate(zip(self.events, self._first, strict=True)):
            if isinstance(event, LabelEvent) and event.template == step.template and step.target in event.locations:
                test = "" if event.pid is None else f"if (pid == c->wants[{first}]) "
                lines.append(f"{test}c->events |= (uint64_t)1 << {number};")
        return lines


NO_EVENTS = Events(Monitor((), 0, 0, ((),)))
