"""Processes in C: how one starts, what its variables start with, and whether it is enabled."""

from __future__ import annotations

from collections.abc import Sequence

from clew.core.expressions import Channel, Variable
from clew.core.network import Step, Template
from clew.core.statements import Flow, Otherwise, Send
from clew.core.types import scalars
from clew.explicit.expressions import Expressions, Scope
from clew.explicit.handshakes import offered
from clew.explicit.layout import Layout, converted, initial_items, slot_path
from clew.explicit.statements import Lines, Prepared, Statements, block, indented


class Processes:
    """Turns what surrounds the steps of a template into C."""

    def __init__(self, layout: Layout, expr: Expressions, statements: Statements) -> None:
        self.layout = layout
        self.expr = expr
        self.statements = statements

    # --- creation

    def start(self, template: Template) -> Lines:
        """`start_P`: a new process; returns its pid, -1 if that breaks down."""
        struct = self.layout.struct(template)
        parameters = [
            (self.layout.members[v] + slot_path(v.type, n), type_)
            for v in template.parameters
            for n, (_, type_) in enumerate(scalars(v.type))
        ]
        arguments = "".join(f", int a{n}" for n in range(len(parameters)))
        own = [v for v in template.variables if v not in set(template.parameters)]
        return [
            f"static int start_{self.layout.c_name(template)}(sink *c, state *t, int priority{arguments})",
            "{",
            "    int pid = G(t)->processes, err = 0, asked = 0;",
            f"    if (pid >= {self.layout.network.max_processes}) return -1;",
            '    if (pid >= PROCESS_ROOM) need_room("processes");',
            "    (void)c; (void)err; (void)asked; (void)priority;",
            f"    {struct} *q = ({struct} *)AT(t, process_at[pid]);",
            "    G(t)->processes++;",
            *([f"    q->h.tag = {self.layout.tag(template)};"] if self.layout.grows else []),
            *(["    q->h.priority = (uint8_t)priority;"] if self.layout.network.uses_priorities else []),
            *(["    q->h.pid = (uint8_t)pid;"] if self.layout.foreign is not None else []),
            f"    q->h.at = {template.initial};",
            *(f"    q->{path} = {converted(type_, f'a{n}')};" for n, (path, type_) in enumerate(parameters)),
            *indented(self.initialise(own, Scope("t", "q"), "return -1;")),
            *self._foreign_locals(template),
            "    return pid;",
            "}",
            "",
        ]

    def _foreign_locals(self, template: Template) -> Lines:
        if self.layout.foreign is None or not self.layout.foreign.locals.get(template.name):
            return []
        return [f"    foreign_locals_{self.layout.network.templates.index(template)}(t, q);"]

    def initialise(self, variables: Sequence[Variable], scope: Scope, broken: str) -> Lines:
        """C that gives variables their first values, in order."""
        lines: Lines = []
        made = 0
        for variable in variables:
            base = f"G({scope.state})" if variable.owner is None else scope.me
            for slot, type_, item in initial_items(variable):
                scope.fails = False
                if isinstance(item, Channel):
                    scope.fails = True
                    made += 1
                    number = str(made) if variable.owner is None else f"G({scope.state})->channels + 1"
                    value = f"add_channel({scope.state}, {self.layout.shape(item).number}, {number}, &err)"
                else:
                    value = self.expr(item, scope)
                if variable in self.layout.constants:
                    lines.append(f"(void){value};")
                else:
                    place = f"{base}->{self.layout.members[variable]}{slot_path(variable.type, slot)}"
                    lines.append(f"{place} = {converted(type_, value)};")
                if scope.fails:
                    lines.append(f"if (err) {broken}")
        return lines

    # --- questions

    def enabled(self, template: Template) -> Lines:
        """`enabled_P`: whether some step could be taken by its own first statement."""
        self.statements.template = template
        struct = self.layout.struct(template)
        lines = [
            f"static int enabled_{self.layout.c_name(template)}"
            "(sink *c, const state *s, size_t off, int pid, int asked, int *broken)",
            "{",
            f"    const {struct} *p = (const {struct} *)AT(s, off);",
            "    int err = 0;",
            "    (void)c; (void)pid; (void)asked; (void)err; (void)broken;",
            "    switch (p->h.at) {",
        ]
        for location in template.locations:
            lines.append(f"    case {location.number}:")
            for choice in location.choices:
                for step in choice:
                    lines += indented(self._own_guard(step), 8)
            lines.append("        return 0;")
        return [*lines, "    }", "    return 0;", "}", ""]

    def _own_guard(self, step: Step) -> Lines:
        """Returns 1 if the first statement of the step can be executed."""
        scope = Scope("s", "p")
        first = step.block[0] if step.block else None
        if first is None:
            return ["return 1;"]
        lines: Lines = []
        if isinstance(first, Flow):
            branches = sorted(first.nodes[0], key=lambda b: bool(b.block) and isinstance(b.block[0], Otherwise))
            for branch in branches:
                if not branch.block:
                    return [*lines, "return 1;"]
                scope.fails = False
                lines += self._guard(self.statements.prepare(branch.block[0], scope), scope)
            return lines
        if not isinstance(first, Send) or not any(shape.capacity == 0 for shape in self.layout.shapes.values()):
            return self._guard(self.statements.prepare(first, scope), scope)
        before, queue, number = self.statements.queue_lines(first, scope)
        buffered = self._guard(self.statements.prepare(first, scope), scope)
        if queue.shape is not None and queue.shape.capacity:
            return buffered
        made, _ = offered(self.layout, self.expr, step, first, queue, number)
        failed = "if (err) { *broken = 1; return 0; }"
        return block(
            [
                *before,
                failed,
                f"if (capacity_of[SHAPE({queue.pointer})] == 0) {{",
                *indented([*made, failed, "if (can_handshake(c, s, o)) return 1;"]),
                "} else {",
                *indented(buffered),
                "}",
            ]
        )

    def _guard(self, prepared: Prepared, scope: Scope) -> Lines:
        if prepared.test is None:
            return ["return 1;"]
        return block(
            [
                *prepared.before,
                f"int ready = {prepared.test};",
                *(["if (err) { *broken = 1; return 0; }"] if scope.fails else []),
                "if (ready) return 1;",
            ]
        )

    def questions(self, asked: bool) -> Lines:
        """`enabled` for any process; if nobody asks, nothing."""
        if not asked:
            return []
        cases = [
            f"    case {tag}: return enabled_{self.layout.c_name(t)}(c, s, process_at[whose], whose, asked + 1, err);"
            for tag, t in enumerate(self.layout.templates)
        ]
        return [
            *[line for template in self.layout.templates for line in self.enabled(template)],
            "static int enabled_process(sink *c, const state *s, int whose, int asked, int *err)",
            "{",
            "    if (asked > G(s)->processes) { *err = 1; return 0; }",
            "    switch (TAG(s, whose)) {",
            *cases,
            "    }",
            "    return 0;",
            "}",
            "",
            "static int enabled(sink *c, const state *s, int whose, int pid, int asked, int *err)",
            "{",
            "    if (whose == pid) { *err = 1; return 0; }",
            "    if (whose < 0 || whose >= G(s)->processes) return 0;",
            "    return enabled_process(c, s, whose, asked, err);",
            "}",
            "",
            *(self._highest_priority() if self.layout.network.uses_priorities else []),
        ]

    def _highest_priority(self) -> Lines:
        cases: Lines = []
        for tag, template in enumerate(self.layout.templates):
            if template.provided is not None:
                struct = self.layout.struct(template)
                cases += [
                    f"    case {tag}: {{ const {struct} *p = (const {struct} *)HEAD(s, pid);",
                    f"        (void)p; may = {self.expr(template.provided, Scope('s', 'p'))}; break; }}",
                ]
        return [
            "/* The highest priority of a process that has a step. */",
            "static int highest_priority(sink *c, const state *s)",
            "{",
            "    int highest = 0;",
            "    for (int pid = 0; pid < G(s)->processes; pid++) {",
            "        int priority = HEAD(s, pid)->priority, may = 1, err = 0, asked = 0;",
            "        (void)asked;",
            "        if (priority <= highest) continue;",
            "        switch (TAG(s, pid)) {",
            *indented(cases),
            "        default: break;",
            "        }",
            "        if (err || (may && enabled_process(c, s, pid, 0, &err)) || err) highest = priority;",
            "    }",
            "    return highest;",
            "}",
            "",
        ]
