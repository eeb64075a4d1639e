"""The automaton beside a model in C: tables, letters, and what the runtime has to know about it (`monitor.h`)."""

from __future__ import annotations

from collections.abc import Iterator

from clew.core.expressions import Expr, Global, walk
from clew.core.monitors import Cube, Monitor
from clew.core.records import record
from clew.core.temporal import Ends, Fairness, LabelEvent, MessageEvent, whole_expressions
from clew.explicit.events import Events
from clew.explicit.expressions import Expressions, Scope, Unsupported
from clew.explicit.layout import Layout
from clew.logic.automata import components

MOST_ATOMS = 64
MOST_CONDITIONS = 64


@record
class Watch:
    """An automaton to be put beside a model. `fair`: only runs that are fair to every process in this way count."""

    monitor: Monitor
    ends: Ends = "stutter"
    fair: Fairness = "none"

    @property
    def events(self) -> Events:
        return Events(self.monitor)

    @property
    def members(self) -> list[str]:
        """What it adds to a state, in C."""
        width = 8 if self.monitor.states <= 256 else 16
        return [f"uint{width}_t monitor;", *(["uint8_t over;"] if self.ends == "maximal" else [])]

    def parts(self) -> Iterator[Expr]:
        """Every expression in it and its parts."""
        for atom in self.monitor.atoms:
            for whole in whole_expressions(atom):
                yield from walk(whole)

    def why_not(self) -> str | None:
        """Why it cannot be turned into C, or None if it can."""
        if len(self.monitor.atoms) > MOST_ATOMS:
            return f"a formula with more than {MOST_ATOMS} different conditions"
        if self.monitor.sets > MOST_CONDITIONS:
            return f"a formula that needs more than {MOST_CONDITIONS} acceptance conditions"
        if self.monitor.states > 1 << 16:
            return "a formula with too large an automaton"
        if any(isinstance(part, Global) and part.what == "timeout" for part in self.parts()):
            return "timeout in a temporal property"
        return None

    def definitions(self, layout: Layout) -> list[str]:
        """What the runtime has to know beforehand. Raises Unsupported."""
        reason = self.why_not()
        if reason is not None:
            raise Unsupported(reason)
        monitor = self.monitor
        marks_each = {"none": 0, "weak": 1, "strong": 2}[self.fair]  # strong: that a process moves, and that it can
        conditions = monitor.sets + marks_each * layout.room
        if conditions > MOST_CONDITIONS:
            most = (MOST_CONDITIONS - monitor.sets) // marks_each
            raise Unsupported(f"{self.fair} fairness to more than {most} processes")
        if conditions + len(monitor.events) > MOST_CONDITIONS:
            raise Unsupported(f"more than {MOST_CONDITIONS} acceptance conditions and events")
        ended = sum(1 << n for n, atom in enumerate(monitor.atoms) if atom == Global("ended"))
        return [
            "#define MODEL_HAS_MARKS 1",
            "#define MODEL_HAS_MONITOR 1",
            *self.events.definitions(),
            f"#define MODEL_CONDITIONS {conditions}",
            *([f"#define MODEL_FAIR_SHIFT {monitor.sets}"] if marks_each else []),
            *([f"#define MODEL_STRONG_SHIFT {monitor.sets + layout.room}"] if marks_each == 2 else []),
            f"#define MONITOR_WAYS {max(1, *(len(edges) for edges in monitor.edges))}",
            f"#define MONITOR_INITIAL {monitor.initial}",
            f"#define MONITOR_END {-1 if monitor.end is None else monitor.end}",
            *(["#define MONITOR_ONLY_ENDS 1"] if only_ends(monitor) else []),
            f"#define MONITOR_ENDS ENDS_{self.ends.upper()}",
            f"#define MONITOR_ENDED {ended}u",
            f"#define MONITOR_ALL {monitor.all_marks:#x}u",
        ]

    def tables(self) -> list[str]:
        """The edges, numbered through all states."""
        edges = [edge for leaving in self.monitor.edges for edge in leaving]
        targets = ", ".join(str(edge.target) for edge in edges) or "0"
        marks = ", ".join(f"{edge.marks:#x}u" for edge in edges) or "0"
        lines = [
            f"static const int32_t monitor_target[] = {{{targets}}};",
            f"static const uint64_t monitor_marks[] = {{{marks}}};",
            f"static const uint16_t monitor_part[] = {{{', '.join(map(str, monitor_parts(self.monitor)))}}};",
            "",
            "static int monitor_enabled(int q, uint64_t a, uint16_t *ways)",
            "{",
            "    int n = 0;",
            "    (void)a; (void)ways;",
            "    switch (q) {",
        ]
        number = 0
        for state, leaving in enumerate(self.monitor.edges):
            lines.append(f"    case {state}:")
            for edge in leaving:
                lines.append(f"        if ({_test(edge.cubes)}) ways[n++] = {number};")
                number += 1
            lines.append("        break;")
        return [*lines, "    }", "    return n;", "}", ""]

    def letter(self, expr: Expressions) -> list[str]:
        """`model_letter`: which atoms are true in a state."""
        scope = Scope("s", "")
        atoms = [
            (n, atom)
            for n, atom in enumerate(self.monitor.atoms)
            if not isinstance(atom, MessageEvent | LabelEvent) and atom != Global("ended")
        ]
        tests = [f"    if ({expr(atom, scope)}) a |= (uint64_t)1 << {n};" for n, atom in atoms]
        return [
            "static uint64_t model_letter(sink *c, const state *s, int *broken)",
            "{",
            "    int err = 0, asked = 0;",
            "    const int pid = -1;",
            "    uint64_t a = 0;",
            "    (void)c; (void)s; (void)err; (void)asked; (void)pid;",
            *tests,
            "    *broken = err;",
            "    return a;",
            "}",
            "",
        ]


def only_ends(monitor: Monitor) -> bool:
    """Whether all runs that it matches lead it to its end: then a shortest beginning of one is found breadth-first."""
    return monitor.end is not None and sum(part > 0 for part in monitor_parts(monitor)) == 1


def monitor_parts(monitor: Monitor) -> list[int]:
    """For each state the part of the automaton it is in: states that lead to each other, numbered from 1 on; 0 if the
    automaton cannot stay among them for ever and pass all acceptance sets."""
    targets = [{edge.target for edge in edges} for edges in monitor.edges]
    parts = [0] * monitor.states
    number = 0
    for component in components(targets, range(monitor.states)):
        states = set(component)
        inside = [edge for state in component for edge in monitor.edges[state] if edge.target in states]
        met = 0
        for edge in inside:
            met |= edge.marks
        if monitor.end in states or (inside and met == monitor.all_marks):
            number += 1
            for state in component:
                parts[state] = number
    return parts


def _test(cubes: tuple[Cube, ...]) -> str:
    return " || ".join(_cube(true, false) for true, false in cubes) or "0"


def _cube(true: int, false: int) -> str:
    if not true | false:
        return "1"
    return f"(a & {true | false:#x}u) == {true:#x}u"
