"""A trace or notrace assertion beside a model in C: where its automaton is, is part of the state, and each message that
is sent or received moves it."""

from __future__ import annotations

from collections.abc import Sequence

from clew.core.interpreter.following import TraceAutomaton, Way
from clew.core.network import Step
from clew.core.records import record
from clew.explicit.events import as_stored
from clew.explicit.expressions import Scope

Lines = list[str]


@record
class Followed:
    """The assertion that is the monitor of that number in its network."""

    number: int
    automaton: TraceAutomaton

    @property
    def members(self) -> Lines:
        """What it adds to a state, in C."""
        return ["int16_t trace;"]

    def start(self) -> Lines:
        return [f"    G(t)->trace = {self.automaton.initial};"]

    def functions(self) -> Lines:
        """`follow_send` and `follow_receive`: a step to `t` moves a message."""
        return [line for kind in ("send", "receive") for line in self._follow(kind)]

    def _follow(self, kind: str) -> Lines:
        automaton = self.automaton
        channels = sorted(channel for known, channel in automaton.scope if known == kind)
        ends = " || ".join(f"to == {end}" for end in sorted(automaton.ends)) or "0"
        fault = "fail(c, TRACE, name);"
        otherwise = fault if automaton.positive else f"G(t)->trace = {automaton.given_up};"
        return [
            f"static void follow_{kind}(sink *c, state *t, int number, int n, const int *m, name_t name)",
            "{",
            "    int ways = 0, to = 0;",
            "    (void)n; (void)m;",
            f"    if (!({' || '.join(f'number == {channel}' for channel in channels) or '0'})) return;",
            "    switch (G(t)->trace) {",
            *(
                line
                for location, ways in sorted(automaton.ways.items())
                for line in self._ways(location, [way for way in ways if way.kind == kind])
            ),
            "    default: break;",
            "    }",
            "    if (ways > 1) fail(c, RUNTIME_ERROR, name);",
            *([] if automaton.positive else [f"    if (ways && ({ends})) {fault}"]),
            "    if (ways) G(t)->trace = (int16_t)to;",
            f"    else {otherwise}",
            "}",
            "",
        ]

    @staticmethod
    def _ways(location: int, ways: Sequence[Way]) -> Lines:
        tests = []
        for way in ways:
            fields = [f"m[{place}] == {value}" for place, value in enumerate(way.values) if value is not None]
            test = " && ".join([f"number == {way.channel}", f"n >= {len(way.values)}", *fields])
            tests.append(f"        if ({test}) {{ if (!ways++) to = {way.target}; }}")
        return [f"    case {location}:", *tests, "        break;"] if tests else []

    # --- what statements do: as a Listener

    def sent(self, pointer: str, number: str, args: Sequence[str], count: int, on: Scope) -> Lines:
        return as_stored(pointer, args, count, f"follow_send(c, {on.state}, {number}, o.n, o.m, {on.name});")

    def received(self, number: str, count: str, message: str, on: Scope) -> Lines:
        return [f"follow_receive(c, {on.state}, {number}, {count}, {message}, {on.name});"]

    def handed_over(self, on: Scope) -> Lines:
        return [f"follow_{kind}(c, {on.state}, o->number, o->n, o->m, {on.name});" for kind in ("send", "receive")]

    def reached(self, step: Step) -> Lines:
        return []
