"""Steps that begin with a send, and handshakes: a send and the receives of other processes that take its message.

In C the sender makes an `offer`; `accept_P` of each other process emits one successor for each way to take it, for
which `sent` completes the sender's part. Where both channel and processes are known beforehand and there are few ways,
these stand directly behind the offer instead.
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

MOST_WAYS = 12  # of receiving behind one send; more are looked for by `accept`
MOST_WAYS_IN_ALL = 240

Sent = tuple[Step, Template, str]


class Handshakes:
    """Turns sends and what answers them into C. `directly`: where that is possible, receives stand behind the send."""

    def __init__(self, layout: Layout, expr: Expressions, statements: Statements, directly: bool) -> None:
        self.layout = layout
        self.directly = directly and not layout.grows
        self.expr = expr
        self.statements = statements
        self.steps = Steps(layout, expr, statements, self.send_step)
        self.possible = any(shape.capacity == 0 for shape in layout.shapes.values())
        self.accepting: set[str] = set()  # templates that can receive in a handshake
        self.looks_for_receivers = not self.directly  # some send does
        self._sent: Lines = []
        self._later: dict[str, Callable[[], Lines]] = {}  # what a line stands for
        self._ways = 0

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
        made, fails = offered(self.layout, self.expr, step, send, queue, number)
        taken = ["found += handshake(c, s, o);"]
        if self._is_direct(number):
            line = self.expr.fresh("@taken")
            self._later[line] = lambda: self._taken_directly(step, number, template)
            taken = [line]
        else:
            self.looks_for_receivers = True
            self._complete(step, template)
        if not fails:
            return block([*made, *taken])
        broken = ["if (unlikely(err)) {", *indented(self.steps.broken(f"NAME(pid, {step.index})"))]
        return block([*made, *broken, "} else {", *indented(taken), "}"])

    def _complete(self, step: Step, template: Template) -> None:
        """The sender's part of a handshake: what follows the send, and its new location."""
        self._sent += indented(
            [f"case {step.index}: {{", *indented([*self._completed(step, template, "broken"), "return 1;"]), "}"]
        )

    def _completed(self, step: Step, template: Template, broken: str) -> Lines:
        struct = self.layout.struct(template)
        rest = self.statements.run_block(step.block[1:], Scope("t", "q"), broken)
        return [f"{struct} *q = ({struct} *)AT(t, off); (void)q;", *rest, *self.steps.leave(step)]

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

    # --- receives behind a send

    def _is_direct(self, number: str) -> bool:
        """Whether the receives that can take a message of this channel stand behind the send; counts them."""
        if not self.directly or not number.isdigit():
            return False
        ways = sum(self._ways_of(template, int(number)) for template in self.layout.fixed_templates)
        if ways > MOST_WAYS or self._ways + ways > MOST_WAYS_IN_ALL:
            return False
        self._ways += ways
        return True

    def _ways_of(self, template: Template, number: int) -> int:
        found = [r for step in steps(template) for r in _receives(step) if self._may_mean(r, number)]
        return MOST_WAYS + 1 if found and template.provided is not None else len(found)

    def _may_mean(self, receive: Receive, number: int) -> bool:
        meant = self.layout.channels_meant(receive.channel)
        return number in meant or len(meant) > 1

    def completed(self, lines: Lines) -> Lines:
        """The text with what stands behind sends, which needs the steps of all templates."""
        return [
            more
            for line in lines
            for more in (
                indented(self._later[line.strip()](), len(line) - len(line.lstrip()))
                if line.lstrip().startswith("@")
                else [line]
            )
        ]

    def _taken_directly(self, step: Step, number: str, sender: Template) -> Lines:
        lines: Lines = []
        for pid, template in reversed(list(enumerate(self.layout.fixed_templates))):
            if not self._ways_of(template, int(number)):
                continue
            self.statements.template = template
            struct = self.layout.struct(template)
            found = self.expr.fresh("found")
            other = f" && pid != {pid}" if template.name == sender.name else ""
            cases = [
                line
                for location in template.locations
                for line in self._accepting(location, template, (step, sender, number))
            ]
            lines += [
                f"if (G(s)->processes > {pid}{other}) {{",
                f"    const int {found} = found, pid = {pid};",
                f"    const size_t off = {self.layout.process_offset(pid)};",
                f"    const {struct} *p = (const {struct} *)AT(s, off);",
                "    found = 0;",
                "    switch (p->h.at) {",
                *indented(cases),
                "    }",
                f"    found += {found};",
                "}",
            ]
        return lines

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

    def _accepting(self, location: Location, template: Template, sent: Sent | None = None) -> Lines:
        """`sent`: the only step whose message is received here, its template and the channel."""
        lines: Lines = []
        for choice in location.choices:
            ways = [line for step in choice if _receives(step) for line in self._accept_step(step, template, sent)]
            if ways:
                lines += [*indented(ways), "    if (found) break;"]
        return [f"case {location.number}:", *lines, "    break;"] if lines else []

    def _accept_step(self, step: Step, template: Template, sent: Sent | None) -> Lines:
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
            known = queue.number.isdigit()
            known_buffered = queue.shape is not None and queue.shape.capacity > 0 and known
            if not known_buffered and not (known and sent and sent[2] != queue.number):
                lines += self._accept_way(step, template, receive, after, queue.number, done, sent)
        return [comment(step), *lines, f"{done}:;"] if lines else []

    def _accept_way(
        self,
        step: Step,
        template: Template,
        receive: Receive,
        after: Callable[[Scope], Lines],
        number: str,
        done: str,
        sent: Sent | None,
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
            *([] if sent else [f"if (dry) goto {done};"]),
            f"name_t name = HANDSHAKE(NAME(o->pid, o->step), pid, {step.index});",
            f"state *t = next(c, {'s' if sent else 'from'});",
            *self._sender_moves(sent, broken, template),
            f"{struct} *q = ({struct} *)AT(t, off); (void)q;",
            *body,
            f"{broken}:;",
            "err = 0;",
            f"fail(c, {self.layout.breakdown}, name);",
            f"goto {done};",
        ]
        fitting = [
            "int fits = 1;",
            *tests,
            f"if (o->n < {len(pattern)}) err = 1;",
            "if (fits || err) {",
            *indented(take),
            "}",
        ]
        if sent and number == sent[2]:
            return block(fitting)
        return block(
            [
                f"int number = {number};",
                "if (err) err = 0;",
                "else if (number == o->number) {",
                *indented(fitting),
                "}",
            ]
        )

    def _sender_moves(self, sent: Sent | None, broken: str, template: Template) -> Lines:
        """A test that broke down ends it."""
        if sent is None:
            return [f"if (err || !sent(c, t, o, name)) goto {broken};"]
        step, sender, _ = sent
        self.statements.template = sender
        moves = self._completed(step, sender, broken)
        self.statements.template = template
        return [
            f"if (err) goto {broken};",
            "if (unlikely(o->wrong_length)) fail(c, RUNTIME_ERROR, name);",
            "{",
            "    const int pid = o->pid;",
            "    const size_t off = o->off;",
            "    (void)pid; (void)off;",
            *indented(moves),
            "}",
        ]

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
    return [
        f"offer made = {{{', '.join(parts)}, 0}};",
        "offer *o = &made;",
        f"as_stored({queue.pointer}, o);",
    ], scope.fails


def _receives(step: Step) -> list[Receive]:
    """The receives by which a step can begin with a handshake."""
    first = step.block[0] if step.block else None
    beginnings = [b.block[0] for b in first.nodes[0] if b.block] if isinstance(first, Flow) else [first]
    return [receive for receive in beginnings if isinstance(receive, Receive) and not receive.keep]
