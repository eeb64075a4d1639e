"""Steps that begin with a send, and handshakes: a send and the receives of other processes that take its message.

In C the sender makes an `offer`; `accept_P` of each other process emits one successor for each way to take it, for
which `sent` completes the sender's part.
"""

from __future__ import annotations

from collections.abc import Callable

from clew.core.expressions import Match
from clew.core.network import Location, Step, Template
from clew.core.statements import Flow, Receive, Send
from clew.explicit.expressions import Expressions, Queue, Scope
from clew.explicit.layout import Layout, steps
from clew.explicit.statements import Lines, Prepared, Statements, block, indented
from clew.explicit.steps import Steps, comment


class Handshakes:
    """Turns sends and what answers them into C."""

    def __init__(self, layout: Layout, expr: Expressions, statements: Statements) -> None:
        self.layout = layout
        self.expr = expr
        self.statements = statements
        self.steps = Steps(layout, expr, statements, self.send_step)
        self.possible = any(shape.capacity == 0 for shape in layout.shapes.values())
        self.accepting: set[str] = set()  # templates that can receive in a handshake
        self._sent: Lines = []

    # --- the sender

    def send_step(self, step: Step, send: Send, template: Template) -> Lines:
        scope = Scope("s", "p", f"NAME(pid, {step.index})")
        lines, queue, number = self.statements.queue_lines(send, scope)
        shape = queue.shape
        if shape is not None and shape.capacity:
            scope.fails = False
            return self.steps.tested(step, self.statements.prepare(send, scope), scope, template)
        broken = ["if (unlikely(err)) {", *indented(self.steps.broken(scope.name))]
        shake = self._offer(step, send, queue, number, template) if self.possible else []
        if shape is not None:
            return block([*lines, *broken, "} else {", *indented(shake), "}"]) if lines else shake
        test = f"{queue.pointer}->length < capacity_of[SHAPE({queue.pointer})]"
        if send.lossy:
            test = f"({test}) || 1"
        fire = self.steps.fire(step, Prepared(lambda on: self.statements.put(send, queue, number, on)), template)
        if shake:
            shake = [f"}} else if (capacity_of[SHAPE({queue.pointer})] == 0) {{", *indented(shake)]
        return block([*lines, *broken, *shake, f"}} else if ({test}) {{", *indented(fire), "}"])

    def _offer(self, step: Step, send: Send, queue: Queue, number: str, template: Template) -> Lines:
        self._complete(step, template)
        made, fails = offered(self.layout, self.expr, step, send, queue, number)
        if not fails:
            return block([*made, "found += handshake(c, s, &o);"])
        broken = ["if (unlikely(err)) {", *indented(self.steps.broken(f"NAME(pid, {step.index})"))]
        return block([*made, *broken, "} else found += handshake(c, s, &o);"])

    def _complete(self, step: Step, template: Template) -> None:
        """The sender's part of a handshake: what follows the send, and its new location."""
        struct = self.layout.struct(template)
        rest = self.statements.run_block(step.block[1:], Scope("t", "q"), "broken")
        self._sent += indented(
            [
                f"case {step.index}: {{",
                f"    {struct} *q = ({struct} *)AT(t, off); (void)q;",
                *indented([*rest, *self.steps.leave(step)]),
                "    return 1;",
                "}",
            ]
        )

    def sent(self) -> Lines:
        """`sent`: completes the sender's part; 0 if it breaks down. Needs the steps of all templates."""
        return [
            "static int sent(sink *c, state *t, const offer *o, name_t name)",
            "{",
            "    int pid = o->pid, err = 0, asked = 0;",
            "    size_t off = o->off;",
            "    (void)c; (void)t; (void)pid; (void)err; (void)asked; (void)off; (void)name;",
            "    if (o->is_sent) return 1;",
            "    if (unlikely(o->wrong_length)) fail(c, RUNTIME_ERROR, name);",
            "    switch (o->step) {",
            *self._sent,
            "    }",
            *(["broken:"] if any("goto broken;" in line for line in self._sent) else []),
            "    return 0;",
            "}",
            "",
        ]

    # --- the receiver

    def accept(self, template: Template) -> Lines:
        """`accept_P`: emits every step by which the process takes the offered message; returns how many."""
        if not self.possible or not any(_receives(step) for step in steps(template)):
            return []
        self.accepting.add(template.name)
        self.statements.template = template
        struct = self.layout.struct(template)
        lines = [
            f"static int accept_{self.layout.c_name(template)}"
            "(sink *c, const state *from, const state *s, size_t off, int pid, const offer *o, int dry)",
            "{",
            f"    const {struct} *p = (const {struct} *)AT(s, off);",
            "    int found = 0, err = 0, asked = o->asked;",
            "    (void)err; (void)asked;",
        ]
        if template.provided is not None:
            test = self.expr(template.provided, Scope("s", "p"))
            lines += [f"    int may = {test};", "    if (err || !may) return 0;"]
        lines.append("    switch (p->h.at) {")
        for location in template.locations:
            lines += indented(self._accepting(location, template))
        return [*lines, "    }", "    return found;", "}", ""]

    def _accepting(self, location: Location, template: Template) -> Lines:
        lines: Lines = []
        for choice in location.choices:
            ways = [line for step in choice if _receives(step) for line in self._accept_step(step, template)]
            if ways:
                lines += [*indented(ways), "    if (found) break;"]
        return [f"case {location.number}:", *lines, "    break;"] if lines else []

    def _accept_step(self, step: Step, template: Template) -> Lines:
        first = step.block[0]
        ways: list[tuple[Receive, Callable[[Scope], Lines]]]
        if isinstance(first, Flow):
            ways = self.statements.receptors(first, self.steps.flow_functions[step.index])
        else:
            assert isinstance(first, Receive)
            ways = [(first, lambda on: [])]
        done = self.expr.fresh("done")
        lines: Lines = []
        for receive, after in ways:
            queue = self.expr.queue(receive.channel, Scope("s", "p"))
            known_buffered = queue.shape is not None and queue.shape.capacity > 0 and queue.number.isdigit()
            if not known_buffered:
                lines += self._accept_way(step, template, receive, after, queue.number, done)
        return [comment(step), *lines, f"{done}:;"] if lines else []

    def _accept_way(
        self,
        step: Step,
        template: Template,
        receive: Receive,
        after: Callable[[Scope], Lines],
        number: str,
        done: str,
    ) -> Lines:
        """One receive that may take the message. A test that breaks down takes it, to be reported."""
        pattern = receive.pattern
        struct = self.layout.struct(template)
        scope, on = Scope("s", "p"), Scope("t", "q")
        tests = [
            f"fits &= {self.expr(item.value, scope)} == o->m[{n}];"
            for n, item in enumerate(pattern)
            if isinstance(item, Match)
        ]
        broken = self.expr.fresh("broken")
        body = self.statements.events.handed_over(on)
        body += self.expr.bind(pattern, [f"o->m[{n}]" for n in range(len(pattern))], on)
        if on.fails:
            body.append(f"if (unlikely(err)) goto {broken};")
        body.append(f"if (unlikely(o->n > {len(pattern)})) fail(c, RUNTIME_ERROR, name);")
        on.fails = False
        body += after(on)
        if on.fails:
            body.append(f"if (unlikely(err)) goto {broken};")
        body += self.statements.run_block(step.block[1:], on, broken)
        body += [*self.steps.leave(step), *self.steps.emit(step, "name"), f"goto {done};"]
        take = [
            "found++;",
            f"if (dry) goto {done};",
            f"name_t name = HANDSHAKE(NAME(o->pid, o->step), pid, {step.index});",
            "state *t = next(c, from);",
            f"{struct} *q = ({struct} *)AT(t, off); (void)q;",
            f"if (err || !sent(c, t, o, name)) goto {broken};",
            *body,
            f"{broken}:;",
            "err = 0;",
            f"fail(c, {self.layout.breakdown}, name);",
            f"goto {done};",
        ]
        return block(
            [
                f"int number = {number};",
                "if (err) err = 0;",
                "else if (number == o->number) {",
                "    int fits = 1;",
                *indented(tests),
                f"    if (o->n < {len(pattern)}) err = 1;",
                "    if (fits || err) {",
                *indented(take, 8),
                "    }",
                "}",
            ]
        )

    def dispatch(self) -> Lines:
        """`accept` for any process, and the handshake over all of them."""
        cases = [
            f"    case {tag}: return accept_{self.layout.c_name(t)}(c, from, s, process_at[pid], pid, o, dry);"
            for tag, t in enumerate(self.layout.templates)
            if t.name in self.accepting
        ]
        return [
            *self._takers(),
            "static int accept(sink *c, const state *from, const state *s, int pid, const offer *o, int dry)",
            "{",
            "    (void)c; (void)from; (void)o; (void)dry;",
            "    switch (TAG(s, pid)) {",
            *cases,
            "    }",
            "    return 0;",
            "}",
            "",
            '#include "handshake.h"',
            "",
        ]

    def _takers(self) -> Lines:
        """`may_take`: whether a process may be able to receive from a channel where it is now, as far as is known."""
        bases: list[int] = []
        masks: list[str] = []
        for template in self.layout.templates:
            bases.append(len(masks))
            masks += [f"{self._taken_at(location):#x}u" for location in template.locations]
        return [
            f"static const uint32_t taken_from[] = {{{', '.join(map(str, bases))}}};",
            f"static const uint64_t taken[] = {{{', '.join(masks) or '0'}}};",
            "",
            "static inline int may_take(const state *s, int pid, int number)",
            "{",
            "    return taken[taken_from[TAG(s, pid)] + HEAD(s, pid)->at] >> (number & 63) & 1;",
            "}",
            "",
        ]

    def _taken_at(self, location: Location) -> int:
        mask = 0
        for choice in location.choices:
            for step in choice:
                for receive in _receives(step):
                    for number in self.layout.channels_meant(receive.channel):
                        mask |= 1 << (number & 63)
        return mask


def offered(layout: Layout, expr: Expressions, step: Step, send: Send, queue: Queue, number: str) -> tuple[Lines, bool]:
    """C that makes the offer `o` of a send in `s`, and whether that may break down."""
    scope = Scope("s", "p")
    fields = max((len(shape.fields) for shape in layout.shapes.values()), default=0)
    if queue.shape is not None:
        fields = len(queue.shape.fields)
    args = [expr(arg, scope) for arg in send.args[:fields]]
    parts = [
        *(number, "pid", "off", str(step.index), str(step.target), "asked", str(len(send.args))),
        f"{{{', '.join(args) or '0'}}}",
    ]
    return [f"offer o = {{{', '.join(parts)}, 0}};", f"as_stored({queue.pointer}, &o);"], scope.fails


def _receives(step: Step) -> list[Receive]:
    """The receives by which a step can begin with a handshake."""
    first = step.block[0] if step.block else None
    beginnings = [b.block[0] for b in first.nodes[0] if b.block] if isinstance(first, Flow) else [first]
    return [receive for receive in beginnings if isinstance(receive, Receive) and not receive.keep]
