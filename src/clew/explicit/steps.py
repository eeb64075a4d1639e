"""The steps of a template in C: one function that emits every step a process can take now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from clew.core.network import Step, Template
from clew.core.statements import Flow, Otherwise, Send
from clew.explicit.expressions import Expressions, Scope
from clew.explicit.layout import Layout
from clew.explicit.statements import Lines, Prepared, Statements, block, indented


def comment(step: Step) -> str:
    text = f"{step.index}: {step.text}   {step.span.file}:{step.span.line}"
    return "/* " + " ".join(text.split()).replace("*/", "* /").replace("/*", "/ *") + " */"


@dataclass(slots=True)
class Steps:
    """Turns steps into C. `send_step` makes those that begin with a send. In the C, `s` is the state that is expanded
    and `p` the process in it, `t` the successor and `q` the process there."""

    layout: Layout
    expr: Expressions
    statements: Statements
    send_step: Callable[[Step, Send, Template], Lines]
    flow_functions: dict[int, str] = field(default_factory=dict)  # of steps that are flowcharts, by step number

    def expand(self, template: Template) -> Lines:
        """`expand_P`: emits every step the process can take now; returns how many are offered."""
        self.statements.template = template
        struct = self.layout.struct(template)
        lines = [
            f"static int expand_{self.layout.c_name(template)}(sink *c, const state *s, size_t off, int pid)",
            "{",
            f"    const {struct} *p = (const {struct} *)AT(s, off);",
            "    int found = 0, err = 0, asked = 0;",
            "    (void)err; (void)asked;",
            *indented(self._provided(template)),
            "    switch (p->h.at) {",
        ]
        for location in template.locations:
            lines.append(f"    case {location.number}:")
            for number, choice in enumerate(location.choices):
                if number:
                    lines.append("        if (found) break;")
                for step in choice:
                    lines += indented([comment(step), *self._step(step, template)], 8)
            lines.append("        break;")
        return [*lines, "    }", "    return found;", "}", ""]

    def _provided(self, template: Template) -> Lines:
        if template.provided is None:
            return []
        scope = Scope("s", "p")
        test = self.expr(template.provided, scope)
        if not scope.fails:
            return [f"if (!({test})) return 0;"]
        lines = [f"int may = {test};", "if (unlikely(err)) {", "    switch (p->h.at) {"]
        for location in template.locations:
            if location.choices and location.choices[0]:
                index = location.choices[0][0].index
                lines.append(
                    f"    case {location.number}: fail(c, {self.layout.breakdown}, NAME(pid, {index})); return 1;"
                )
        return [*lines, "    }", "    return 0;", "}", "if (!may) return 0;"]

    def _step(self, step: Step, template: Template) -> Lines:
        scope = Scope("s", "p", f"NAME(pid, {step.index})")
        first = step.block[0] if step.block else None
        match first:
            case None:
                return self.fire(step, Prepared(lambda on: []), template)
            case Otherwise():
                return ["if (!found) {", *indented(self.fire(step, Prepared(lambda on: []), template)), "}"]
            case Flow():
                return self._flow_step(step, first, scope, template)
            case Send():
                return self.send_step(step, first, template)
            case _:
                return self.tested(step, self.statements.prepare(first, scope), scope, template)

    def _flow_step(self, step: Step, flow: Flow, scope: Scope, template: Template) -> Lines:
        """Branches are tried in order; the first that is executable is taken."""
        branches, function = self.statements.flow(flow, scope)
        self.flow_functions[step.index] = function
        done = self.expr.fresh("done")
        lines: Lines = []
        for prepared in branches:
            lines += self.tested(step, prepared, scope, template, (f"goto {done};",))
        return [*lines, f"{done}:;"]

    def tested(
        self, step: Step, prepared: Prepared, scope: Scope, template: Template, after: Sequence[str] = ()
    ) -> Lines:
        """Fires the step if the test succeeds; a test that breaks down is offered and reported.

        `after`: C to run when the step was offered.
        """
        fire = [*self.fire(step, prepared, template), *after]
        if prepared.test is None:
            return block([*prepared.before, *fire])
        if not scope.fails:
            return block([*prepared.before, f"if ({prepared.test}) {{", *indented(fire), "}"])
        ready = self.expr.fresh("ready")
        return block(
            [
                *prepared.before,
                f"int {ready} = {prepared.test};",
                "if (unlikely(err)) {",
                *indented([*self.broken(f"NAME(pid, {step.index})"), *after]),
                f"}} else if ({ready}) {{",
                *indented(fire),
                "}",
            ]
        )

    def fire(self, step: Step, first: Prepared, template: Template) -> Lines:
        """Takes the step whose first statement is prepared and known to be executable."""
        struct = self.layout.struct(template)
        scope = Scope("t", "q", f"NAME(pid, {step.index})")
        broken = self.expr.fresh("broken")
        body = first.run(scope)
        if scope.fails:
            body.append(f"if (unlikely(err)) goto {broken};")
        body += self.statements.run_block(step.block[1:], scope, broken)
        body += [*self.leave(step), "found++;", *self.emit(step, scope.name)]
        if any(f"goto {broken};" in line for line in body):
            body += ["if (0) {", f"{broken}:;", *indented(self.broken(scope.name)), "}"]
        return block(["state *t = next(c, s);", f"{struct} *q = ({struct} *)AT(t, off); (void)q;", *body])

    def broken(self, name: str) -> Lines:
        """A step that breaks down is offered and leads nowhere."""
        return ["err = 0;", "found++;", f"fail(c, {self.layout.breakdown}, {name});"]

    def leave(self, step: Step) -> Lines:
        return [] if step.target < 0 else [f"q->h.at = {step.target};", *self.statements.events.reached(step)]

    def emit(self, step: Step, name: str) -> Lines:
        """The successor `t` is complete; `pid` moved last."""
        lines = ["G(t)->last = (uint8_t)pid;"] if self.layout.network.tracks_last else []
        if step.keeps_control and step.target >= 0:
            return [*lines, f"emit_inside(c, t, {name}, pid);"]
        return [*lines, f"emit(c, t, {name});"]
