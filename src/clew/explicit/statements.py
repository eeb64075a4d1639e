"""Statements in C: when each can be executed and what it does; flowcharts as labelled code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from clew.core.network import Template
from clew.core.statements import (
    Assert,
    Assign,
    Flow,
    ForeignCode,
    Guard,
    Otherwise,
    Print,
    Receive,
    Send,
    SetPriority,
    Start,
    Statement,
    Terminate,
)
from clew.core.types import slots
from clew.explicit import foreign
from clew.explicit.events import Listener
from clew.explicit.expressions import Expressions, Queue, Scope, Unsupported
from clew.explicit.layout import Layout

FLOW_LIMIT = 1_000_000  # nodes visited in one run of a flowchart

Lines = list[str]


@dataclass(slots=True)
class Prepared:
    """A statement in C. `before` and `test` look at the state; `run` changes it and sets `err` if it breaks down.
    `test` None: it can always be executed. `before` opens a block that `run` needs."""

    run: Callable[[Scope], Lines]
    before: Lines = field(default_factory=list)
    test: str | None = None


class Statements:
    """Turns statements into C for one layout."""

    def __init__(self, layout: Layout, expr: Expressions, events: Listener) -> None:
        self.layout = layout
        self.events = events
        self.expr = expr
        self.flows: list[Lines] = []  # functions of flowcharts met so far
        self.template: Template | None = None

    # --- one statement

    def prepare(self, statement: Statement, scope: Scope) -> Prepared:
        """The statement, tested in this scope; a send to a handshake channel breaks down."""
        match statement:
            case Guard(value):
                return Prepared(lambda on: [], test=self.expr(value, scope))
            case Otherwise():
                return Prepared(lambda on: [])
            case Assign(target, value):
                return Prepared(lambda on: [self.expr.store(target, self.expr(value, on), on)])
            case Send():
                return self._send(statement, scope)
            case Receive():
                return self._receive(statement, scope)
            case Start():
                return Prepared(lambda on: self._start(statement, on))
            case Terminate():
                last = f"pid == G({scope.state})->processes - 1"
                return Prepared(lambda on: [f"remove_process({on.state}, pid);"], test=last)
            case Assert(value):
                return Prepared(lambda on: self._assert(statement, on))
            case Print(_, args):
                return Prepared(lambda on: [f"(void){self.expr(arg, on)};" for arg in args])
            case SetPriority():
                return Prepared(lambda on: self._set_priority(statement, on))
            case Flow():
                raise Unsupported("a flowchart inside a flowchart or behind another statement")
            case ForeignCode():
                return Prepared(lambda on: self._foreign(statement, on))
            case _:
                assert_never(statement)

    def must_run(self, statement: Statement, scope: Scope, broken: str) -> Lines:
        """C that runs a statement that must not block; jumps to `broken` if it does or breaks down."""
        scope.fails = False
        prepared = self.prepare(statement, scope)
        lines = list(prepared.before)
        if prepared.test is not None:
            scope.fails = True
            lines.append(f"if (!({prepared.test})) err = 1;")
            if not isinstance(statement, Guard):
                lines.append(f"if (unlikely(err)) goto {broken};")
        lines += prepared.run(scope)
        if scope.fails:
            lines.append(f"if (unlikely(err)) goto {broken};")
        return block(lines) if prepared.before else lines

    def run_block(self, statements: Sequence[Statement], scope: Scope, broken: str) -> Lines:
        return [line for statement in statements for line in self.must_run(statement, scope, broken)]

    def _assert(self, statement: Assert, scope: Scope) -> Lines:
        value = self.expr(statement.value, scope)
        guard = "!err && " if scope.fails else ""
        if scope.fails:
            return [f"{{ int holds = {value}; if ({guard}!holds) fail(c, ASSERTION, {scope.name}); }}"]
        return [f"if (unlikely(!({value}))) fail(c, ASSERTION, {scope.name});"]

    def _foreign(self, statement: ForeignCode, scope: Scope) -> Lines:
        scope.fails |= statement.precondition is not None
        return [f"{foreign.call(self.layout, statement, scope.state, scope.me)};"]

    def _set_priority(self, statement: SetPriority, scope: Scope) -> Lines:
        pid, value = self.expr(statement.pid, scope), self.expr(statement.value, scope)
        scope.fails = True
        return [f"if (!set_priority({scope.state}, {pid}, {value})) err = 1;"]

    def _start(self, statement: Start, scope: Scope) -> Lines:
        template = self.layout.network.template(statement.template)
        count = sum(slots(v.type) for v in template.parameters)
        args = [self.expr(arg, scope) for arg in statement.args[:count]]
        args += ["0"] * (count - len(args))
        priority = 1 if statement.priority is None else statement.priority
        call = ", ".join([f"c, {scope.state}", str(priority), *args])
        name = self.expr.fresh("started")
        scope.fails = True
        lines = [
            f"int {name} = err ? -1 : start_{self.layout.c_name(template)}({call});",
            f"if ({name} < 0) err = 1;",
        ]
        if statement.target is not None:
            lines.append(f"else {self.expr.store(statement.target, name, scope)}")
        return block(lines)

    # --- channels

    def queue_lines(self, statement: Send | Receive, scope: Scope) -> tuple[Lines, Queue, str]:
        """C that finds the channel of a statement, the channel, and the name its number is kept in."""
        queue = self.expr.queue(statement.channel, scope)
        if not queue.pointer.startswith("channel("):
            return [], queue, queue.number
        number, pointer = self.expr.fresh("n"), self.expr.fresh("q")
        lines = [
            f"int {number} = {queue.number};",
            f"struct queue *{pointer} = channel({scope.state}, {number}, &err);",
        ]
        return lines, Queue(pointer, queue.shape, number), number

    def _again(self, queue: Queue, number: str, scope: Scope) -> str:
        """The same channel in another state."""
        if number.isdigit():
            return f"((struct queue *)AT({scope.state}, {self.layout.channel_offset(int(number))}))"
        return f"((struct queue *)AT({scope.state}, channel_at[{number}]))"

    def _send(self, statement: Send, scope: Scope) -> Prepared:
        lines, queue, number = self.queue_lines(statement, scope)
        shape = queue.shape
        if shape is not None and shape.capacity:
            test = f"{queue.pointer}->length < {shape.capacity}"
        elif shape is not None:
            scope.fails = True
            test = "(err = 1)"
        else:
            test = f"({queue.pointer}->length < capacity_of[SHAPE({queue.pointer})] || NO_HANDSHAKE({queue.pointer}))"
            scope.fails = True
        if statement.lossy:
            test = f"(({test}) || 1)"
        return Prepared(lambda on: self.put(statement, queue, number, on), lines, test)

    def put(self, statement: Send, queue: Queue, number: str, scope: Scope) -> Lines:
        """C that makes the message and puts it into a buffered channel; lost if that is full."""
        pointer, shape = self._again(queue, number, scope), queue.shape
        given = statement.args if shape is None else statement.args[: len(shape.fields)]
        args = [self.expr(arg, scope) for arg in given]
        wrong = f"fail(c, RUNTIME_ERROR, {scope.name});"
        if shape is not None and shape.capacity:
            args += ["0"] * (len(shape.fields) - len(args))
            call = f"{'insert' if statement.sorted else 'put'}_{shape.number}({', '.join([pointer, *args])})"
            full = f"if ({pointer}->length < {shape.capacity}) " if statement.lossy else ""
            seen = self._sees(pointer, number, args[: len(given)], len(statement.args), scope)
            return [*seen, f"{full}{call};", *([wrong] if len(statement.args) != len(shape.fields) else [])]
        values = ", ".join(args) or "0"
        put = f"put({pointer}, {len(args)}, (const int[]){{{values}}}, {int(statement.sorted)})"
        most = max((len(known.fields) for known in self.layout.shapes.values()), default=0)
        return [*self._sees(pointer, number, args[:most], len(args), scope), f"if (!{put}) {wrong}"]

    def _sees(self, pointer: str, number: str, args: Sequence[str], count: int, scope: Scope) -> Lines:
        """A message that is about to be put into a channel is an event, unless it will be lost."""
        lines = self.events.sent(pointer, number, args, count, scope)
        room = f"if ({pointer}->length < capacity_of[SHAPE({pointer})])"
        return [room, *lines] if lines else []

    def _receive(self, statement: Receive, scope: Scope) -> Prepared:
        lines, queue, number = self.queue_lines(statement, scope)
        shape = queue.shape
        if shape is not None and shape.capacity == 0:
            if statement.keep:
                scope.fails = True
            return Prepared(lambda on: [], lines, "(err = 1)" if statement.keep else "0")
        q = queue.pointer
        place = self.expr.fresh("place")
        found = self.expr.find(queue, statement.pattern, statement.anywhere, scope)
        lines.append(f"int {place} = {q}->length ? {found} : -1;")
        if shape is None and statement.keep:
            lines.append(f"(void)NO_HANDSHAKE({q});")
            scope.fails = True
        return Prepared(lambda on: self._take(statement, queue, number, place, on), lines, f"{place} >= 0")

    def _take(self, statement: Receive, queue: Queue, number: str, place: str, scope: Scope) -> Lines:
        pointer, shape, n = self._again(queue, number, scope), queue.shape, len(statement.pattern)
        message = self.expr.fresh("m")
        short = f"fail(c, RUNTIME_ERROR, {scope.name});"  # some fields are not received
        wrong: Lines = []
        if shape is not None and len(shape.fields) >= n:
            where = place if statement.anywhere else "0"
            fields = ", ".join(f"(({shape.struct} *){pointer})->m[{where}].f{i}" for i in range(n)) or "0"
            lines = [f"const int {message}[] = {{{fields}}};"]
            if not statement.keep:
                whole = ", ".join(f"(({shape.struct} *){pointer})->m[{where}].f{i}" for i in range(len(shape.fields)))
                taken = f"(const int[]){{{whole or '0'}}}"
                lines += self.events.received(number, str(len(shape.fields)), taken, scope)
                lines.append(f"drop_{shape.number}({pointer}, {where});")
                wrong = [short] if len(shape.fields) > n else []
        else:
            count = self.expr.fresh("count")
            taken = f"take({pointer}, {place}, {message}, {int(statement.keep)})"
            lines = [f"int {message}[MESSAGE_FIELDS];", f"int {count} = {taken};", f"(void){count};"]
            lines += [] if statement.keep else self.events.received(number, count, message, scope)
            wrong = [] if statement.keep else [f"if ({count} > {n}) {short}"]
        lines.append(f"(void){message};")
        before, scope.fails = scope.fails, False
        lines += self.expr.bind(statement.pattern, [f"{message}[{i}]" for i in range(n)], scope)
        if wrong and scope.fails:
            wrong = ["if (!err) {", *indented(wrong), "}"]
        scope.fails |= before
        return block([*lines, *wrong])

    # --- flowcharts

    def flow(self, flow: Flow, scope: Scope) -> tuple[list[Prepared], str]:
        """The branches of the first node, in the order they are tried, and the function that runs the rest."""
        function = self.expr.fresh("flow")
        self._flow_function(flow, function)
        nodes = _ordered(flow)
        branches = []
        for statements, target in nodes[0]:
            first = self.prepare(statements[0], scope) if statements else Prepared(lambda on: [])
            after = self._after_branch(statements[1:], target, function)
            run = first.run
            branches.append(Prepared(_both(run, after), first.before, first.test))
        return branches, function

    def receptors(self, flow: Flow, function: str) -> list[tuple[Receive, Callable[[Scope], Lines]]]:
        """The ways in which a flowchart begins with a handshake, and what comes after taking the message."""
        return [
            (statements[0], self._after_branch(statements[1:], target, function))
            for statements, target in _ordered(flow)[0]
            if statements and isinstance(statements[0], Receive) and not statements[0].keep
        ]

    def _after_branch(self, rest: Sequence[Statement], target: int, function: str) -> Callable[[Scope], Lines]:
        def run(scope: Scope) -> Lines:
            broken = self.expr.fresh("broken")
            lines = self.run_block(rest, scope, broken)
            if target >= 0:
                lines.append(f"if (!{function}(c, {scope.state}, off, pid, {target}, {scope.name})) err = 1;")
                scope.fails = True
            if any(f"goto {broken};" in line for line in lines):
                scope.fails = True
                lines.append(f"{broken}:;")
            return lines

        return run

    def _flow_function(self, flow: Flow, function: str) -> None:
        assert self.template is not None
        struct = self.layout.struct(self.template)
        lines = [
            f"static int {function}(sink *c, state *t, size_t off, int pid, int node, name_t name)",
            "{",
            f"    {struct} *q = ({struct} *)AT(t, off);",
            f"    int err = 0, asked = 0, left = {FLOW_LIMIT};",
            "    (void)q; (void)asked; (void)pid; (void)name;",
            "    switch (node) {",
        ]
        nodes = _ordered(flow)
        entered = {target for node in nodes for _, target in node if target >= 0}
        if not entered:
            self.flows.append([])
            return
        lines += [f"    case {n}: goto node{n};" for n in sorted(entered)]
        lines += ["    default: return 1;", "    }"]
        for number in sorted(entered):
            lines += [f"node{number}:", "    if (--left == 0) return 0;"]
            for statements, target in nodes[number]:
                lines += indented(self._flow_branch(statements, target))
            lines.append("    return 0;")
        if any("goto broken;" in line for line in lines):
            lines += ["broken:", "    return 0;"]
        lines += ["}", ""]
        self.flows.append(lines)

    def _flow_branch(self, statements: Sequence[Statement], target: int) -> Lines:
        scope = Scope("t", "q")
        goto = f"goto node{target};" if target >= 0 else "return 1;"
        if not statements:
            return [goto]
        first = self.prepare(statements[0], scope)
        lines = list(first.before)
        inner: Lines = []
        tested = scope.fails
        if tested:
            if first.test is not None:
                ready = self.expr.fresh("ready")
                lines.append(f"int {ready} = {first.test};")
                first = Prepared(first.run, [], ready)
            lines.append("if (unlikely(err)) return 0;")
        scope.fails = False
        inner += first.run(scope)
        if scope.fails:
            inner.append("if (unlikely(err)) return 0;")
        inner += self.run_block(statements[1:], scope, "broken")
        inner.append(goto)
        if first.test is None:
            return block([*lines, *inner])
        return block([*lines, f"if ({first.test}) {{", *indented(inner), "}"])


def _both(first: Callable[[Scope], Lines], then: Callable[[Scope], Lines]) -> Callable[[Scope], Lines]:
    def run(scope: Scope) -> Lines:
        scope.fails = False
        lines = first(scope)
        failed = scope.fails
        scope.fails = False
        rest = then(scope)
        if failed and rest:
            lines = [*lines, "if (!err) {", *indented(rest), "}"]
        else:
            lines = [*lines, *rest]
        scope.fails |= failed
        return lines

    return run


def _ordered(flow: Flow) -> list[list[tuple[tuple[Statement, ...], int]]]:
    """The branches of each node in the order they are tried: an `Otherwise` is the last resort wherever it stands."""
    return [
        sorted(
            ((branch.block, branch.target) for branch in node),
            key=lambda branch: bool(branch[0]) and isinstance(branch[0][0], Otherwise),
        )
        for node in flow.nodes
    ]


def indented(lines: Lines, by: int = 4) -> Lines:
    return [" " * by + line if line and not line.endswith(":;") else line for line in lines]


def block(lines: Lines) -> Lines:
    return ["{", *indented(lines), "}"]
