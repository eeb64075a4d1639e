"""A tiny builder of networks by hand, close to how one writes Promela.

m = Model()
g = m.var("g")
m.process("P", [let(g, 1), Atomic([let(g, 2), when(eq(g, 2))])])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from clew.core.diagnostics import Span
from clew.core.expressions import (
    Binary,
    Bind,
    Channel,
    Const,
    Expr,
    Global,
    Match,
    Ref,
    Variable,
)
from clew.core.network import Instance, Location, MonitorProcess, Network, Step, Template
from clew.core.statements import (
    Assign,
    Branch,
    Flow,
    Guard,
    Otherwise,
    Receive,
    Send,
    Start,
    Statement,
    Terminate,
)
from clew.core.types import BYTE, CHANNEL, Array, Scalar, Type, slots

Value = Expr | Variable | int
TIMEOUT = Global("timeout")
ELSE = Otherwise()
SKIP = Guard(Const(1))


def ex(value: Value) -> Expr:
    if isinstance(value, int):
        return Const(value)
    return Ref(value) if isinstance(value, Variable) else value


def op(left: Value, operator: str, right: Value) -> Expr:
    return Binary(operator, ex(left), ex(right))  # type: ignore[arg-type]


def eq(left: Value, right: Value) -> Expr:
    return op(left, "==", right)


def at(variable: Variable, index: Value) -> Ref:
    return Ref(variable, (ex(index),))


def let(target: Variable | Ref, value: Value) -> Assign:
    return Assign(target if isinstance(target, Ref) else Ref(target), ex(value))


def when(value: Value) -> Guard:
    return Guard(ex(value))


def send(channel: Value, *args: Value, sorted: bool = False, lossy: bool = False) -> Send:
    return Send(ex(channel), tuple(map(ex, args)), sorted, lossy)


def recv(channel: Value, *pattern: Value | None, anywhere: bool = False, keep: bool = False) -> Receive:
    """A variable (or part of one) is stored to, None drops the field, anything else must match."""
    items = [
        Bind(None) if p is None else Bind(Ref(p)) if isinstance(p, Variable) else Bind(p) if isinstance(p, Ref)
        else Match(ex(p))
        for p in pattern
    ]  # fmt: skip
    return Receive(ex(channel), tuple(items), anywhere, keep)


def run(template: str, *args: Value, target: Variable | None = None, priority: int | None = None) -> Start:
    return Start(template, tuple(map(ex, args)), None if target is None else Ref(target), priority)


def d_step(*statements: Statement) -> Flow:
    """A straight sequence."""
    last = len(statements) - 1
    return Flow(tuple((Branch((s,), -1 if n == last else n + 1),) for n, s in enumerate(statements)))


@dataclass
class Atomic:
    body: list[Element]


@dataclass
class Choice:
    options: list[list[Element]]


@dataclass
class Loop:
    """Options that end with BREAK leave the loop."""

    options: list[list[Element]]


@dataclass
class Unless:
    body: list[Element]
    escape: list[Element]
    rank: int = 0  # lower ranks are tried first


@dataclass
class Merged:
    """Several statements in one step."""

    block: tuple[Statement, ...]


BREAK = Merged(())
Element = Statement | Atomic | Choice | Loop | Unless | Merged
BODY = 99


@dataclass
class _Body:
    model: Model
    template: str
    edges: dict[int, list[tuple[int, Step]]] = field(default_factory=dict)

    def new(self) -> int:
        self.edges[len(self.edges)] = []
        return len(self.edges) - 1

    def edge(self, source: int, target: int, block: Sequence[Statement], keeps: bool, rank: int) -> None:
        index = self.model.steps = self.model.steps + 1
        text = " ".join(type(s).__name__ for s in block)
        step = Step(index, self.template, source, target, tuple(block), keeps, Span("test", index), text)
        self.edges[source].append((rank, step))

    def emit(self, elements: list[Element], source: int, target: int, inside: bool, last: bool, rank: int) -> None:
        """`inside`: whether steps keep control, `last`: whether the last one does."""
        for place, element in enumerate(elements):
            final = place == len(elements) - 1
            after = target if final else self.new()
            keeps = last if final else inside
            match element:
                case Atomic(body):
                    self.emit(body, source, after, True, keeps, rank)
                case Choice(options):
                    for option in options:
                        self.emit(option, source, after, inside, keeps, rank)
                case Loop(options):
                    for option in options:
                        if option[-1] is BREAK:
                            self.emit(option[:-1] or [BREAK], source, after, inside, keeps, rank)
                        else:
                            self.emit(option, source, source, inside, inside, rank)
                case Unless(body, escape, escape_rank):
                    before = {n: len(steps) for n, steps in self.edges.items()}
                    self.emit(body, source, after, inside, keeps, rank)
                    entries = [n for n, steps in self.edges.items() if len(steps) > before.get(n, 0)]
                    rest = self.new() if len(escape) > 1 else after
                    for entry in entries:
                        self.emit(escape[:1], entry, rest, inside, inside if len(escape) > 1 else keeps, escape_rank)
                    if len(escape) > 1:
                        self.emit(escape[1:], rest, after, inside, keeps, rank)
                case Merged(block):
                    self.edge(source, after, block, keeps, rank)
                case _:
                    self.edge(source, after, (element,), keeps, rank)
            source = after

    def locations(self, end: int, labels: dict[int, str]) -> tuple[Location, ...]:
        result = []
        for number, steps in self.edges.items():
            ranks = sorted({rank for rank, _ in steps})
            choices = tuple(tuple(step for r, step in steps if r == rank) for rank in ranks)
            label = labels.get(number, "")
            result.append(
                Location(
                    number,
                    choices,
                    Span("test", number),
                    (label,) if label else (),
                    final=number == end or label.startswith("end"),
                    progress=label.startswith("progress"),
                )
            )
        return tuple(result)


@dataclass
class Model:
    variables: list[Variable] = field(default_factory=list)
    templates: list[Template] = field(default_factory=list)
    instances: list[Instance] = field(default_factory=list)
    monitors: list[MonitorProcess] = field(default_factory=list)
    steps: int = 0
    options: dict[str, object] = field(default_factory=dict)

    def var(self, name: str, type_: Type = BYTE, initial: Value | None = None, hidden: bool = False) -> Variable:
        """`hidden`: not part of the key, like a global that Spin finds is never read."""
        first = None if initial is None else ex(initial)
        return self._add(Variable(name, type_, self._frame(), None, first, matched=not hidden))

    def chan(self, name: str, capacity: int, *fields: Scalar, size: int = 0) -> Variable:
        type_: Type = Array(CHANNEL, size) if size else CHANNEL
        return self._add(Variable(name, type_, self._frame(), None, Channel(name, capacity, fields or (BYTE,))))

    def _frame(self) -> int:
        return sum(slots(v.type) for v in self.variables)

    def _add(self, variable: Variable) -> Variable:
        self.variables.append(variable)
        return variable

    def process(
        self,
        name: str,
        body: list[Element],
        locals_: Sequence[Variable] = (),
        active: int = 1,
        priority: int = 1,
        provided: Expr | None = None,
        parameters: int = 0,
        labels: dict[int, str] | None = None,
    ) -> Template:
        """`labels` by location number: locations are numbered in order of creation, 0 first, then the end."""
        template = self._template(name, body, locals_, provided, parameters, labels or {})
        self.templates.append(template)
        self.instances += [Instance(name, (), priority)] * active
        return template

    def monitor(self, kind: str, body: list[Element]) -> None:
        template = self._template(kind, body, (), None, 0, {})
        self.monitors.append(MonitorProcess(kind, template))  # type: ignore[arg-type]

    def _template(
        self,
        name: str,
        body: list[Element],
        locals_: Sequence[Variable],
        provided: Expr | None,
        parameters: int,
        labels: dict[int, str],
    ) -> Template:
        code = _Body(self, name)
        start, end = code.new(), code.new()
        code.emit(body, start, end, False, False, BODY)
        code.edge(end, end, (Terminate(),), False, BODY)
        frame = sum(slots(v.type) for v in locals_)
        variables = tuple(locals_)
        locations = code.locations(end, labels)
        return Template(name, variables[:parameters], variables, frame, locations, start, provided)

    def network(self, **options: object) -> Network:
        return Network(
            "test",
            tuple(self.variables),
            self._frame(),
            tuple(self.templates),
            tuple(self.instances),
            tuple(self.monitors),
            **options,  # type: ignore[arg-type]
        )


def local(owner: str, name: str, slot: int = 0, type_: Type = BYTE, initial: Value | Channel | None = None) -> Variable:
    first = initial if isinstance(initial, Channel) or initial is None else ex(initial)
    return Variable(name, type_, slot, owner, first)
