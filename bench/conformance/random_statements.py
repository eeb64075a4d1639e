"""Random statements for generated Promela programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from .program import Node, leaf
from .random_expressions import (
    INT_TYPES,
    Chan,
    Scope,
    Var,
    access,
    condition,
    number,
    pattern,
    readable,
    value,
    writable,
)


@dataclass(slots=True)
class Names:
    """Fresh names; no two things of a program share one, so nothing is ever shadowed."""

    used: int = 0
    counters: list[str] = field(default_factory=list)

    def fresh(self, stem: str) -> str:
        self.used += 1
        return f"{stem}{self.used}"


@dataclass(frozen=True, slots=True)
class Statements:
    """Generates the statements of one process; `inlines` are calls to complete with arguments, `runs` processes."""

    names: Names
    inlines: tuple[tuple[str, int], ...] = ()
    runs: tuple[Callable[[Scope], str], ...] = ()

    def sequence(self, scope: Scope, length: int, depth: int) -> list[Node]:
        """`length` statements, and one more in front of a d_step where Spin would see a jump into it."""
        body: list[Node] = []
        for _ in range(max(1, length)):
            node = self.statement(scope, depth)
            behind_jump = body[-1].kind != "leaf" if body else scope.chance(0.7)
            if node.head == "d_step" and behind_jump:
                body.append(self.assignment(scope, 0))
            body.append(node)
        return body

    def statement(self, scope: Scope, depth: int) -> Node:
        """One statement, chosen by the features of the program."""
        choices: list[tuple[float, Callable[[Scope, int], Node]]] = [(3.0, self.assignment)]
        if not scope.d_step:
            choices += [(0.4, self.guard), *self._communication(scope), *self._processes(scope)]
        choices += self._small(scope)
        if depth > 0:
            choices += self._compound(scope)
        weights = [weight for weight, _ in choices]
        return scope.rng.choices([make for _, make in choices], weights)[0](scope, depth)

    def _small(self, scope: Scope) -> list[tuple[float, Callable[[Scope, int], Node]]]:
        choices: list[tuple[float, Callable[[Scope, int], Node]]] = [(0.3, lambda s, d: leaf("skip"))]
        if scope.has("printf"):
            choices.append((0.5, self.print))
        if scope.has("assert"):
            choices.append((0.6, lambda s, d: leaf(f"assert({condition(s, 1)})")))
        if self.inlines:
            choices.append((0.8, self.call))
        if scope.has("select") and not scope.d_step and self._indices(scope):
            choices.append((0.8, self.select))
        if scope.in_loop and not scope.d_step:
            choices.append((0.4, lambda s, d: leaf("break")))
        return choices

    def _communication(self, scope: Scope) -> list[tuple[float, Callable[[Scope, int], Node]]]:
        if not scope.channels:
            return []
        return [(2.0, self.send), (2.0, self.receive)]

    def _processes(self, scope: Scope) -> list[tuple[float, Callable[[Scope, int], Node]]]:
        choices: list[tuple[float, Callable[[Scope, int], Node]]] = []
        if self.runs and not scope.closed:
            choices.append((0.7, self.start))
        if scope.has("set_priority"):
            choices.append((0.4, self.set_priority))
        if scope.has("timeout"):
            choices.append((0.2, lambda s, d: leaf("timeout")))
        return choices

    def _compound(self, scope: Scope) -> list[tuple[float, Callable[[Scope, int], Node]]]:
        choices: list[tuple[float, Callable[[Scope, int], Node]]] = [(1.5, self.if_)]
        if not scope.d_step:
            choices += [(0.0 if scope.atomic else 1.0, self.do_)]
            choices += [(1.0, self.block)] if scope.has("block") else []
            choices += [(1.2, self.atomic)] if scope.has("atomic") and not scope.atomic else []
            choices += [(1.0, self.d_step)] if scope.has("d_step") else []
            choices += [(1.0, self.unless)] if scope.has("unless") else []
        choices += [(0.8, self.bounded_loop)]
        choices += [(0.8, self.for_)] if scope.has("for") and self._indices(scope) else []
        return choices

    # Simple statements

    def assignment(self, scope: Scope, depth: int) -> Node:
        rng = scope.rng
        symbols = writable(scope, ("mtype",))
        if symbols and scope.chance(0.2):
            return leaf(f"{access(scope, rng.choice(symbols))} = {value(scope, 'mtype')}")
        chans = writable(scope, ("chan",))
        if chans and scope.channels and scope.chance(0.3):
            target = rng.choice(chans)
            same = [chan.name for chan in scope.channels if chan.fields == ("byte",) and chan.shared and chan.buffered]
            if same:
                return leaf(f"{target.template} = {rng.choice(same)}")
        targets = writable(scope)
        if not targets:
            return leaf("skip")
        target = rng.choice(targets)
        name = access(scope, target)
        small = target.type in ("bit", "bool", "unsigned") and not target.sizes
        if scope.chance(0.25) and (small or not scope.closed):
            return leaf(f"{name}{rng.choice(('++', '--'))}")
        return leaf(f"{name} = {number(scope)}")

    def guard(self, scope: Scope, depth: int) -> Node:
        """A condition as a statement; it may block."""
        if scope.has("timeout") and scope.chance(0.15):
            return leaf("timeout")
        return leaf(f"({condition(scope, 2, True)})")

    def print(self, scope: Scope, depth: int) -> Node:
        known = readable(scope)
        argument = access(scope, scope.rng.choice(known)) if known else "0"
        return leaf(f'printf("%d\\n", {argument})')

    def call(self, scope: Scope, depth: int) -> Node:
        """A call of an inline; its parameters are assigned, so arguments are names.

        Not elements of arrays: an assignment to `a[a[0]]` is undone wrongly by Spin's depth-first search.
        """
        name, arity = scope.rng.choice(self.inlines)
        targets = [v for v in writable(scope, ("byte", "bit", "unsigned", "short", "int")) if v.readable and v.plain]
        if not targets:
            return leaf("skip")
        arguments = []
        for _ in range(arity):
            target = scope.rng.choice(targets)
            arguments.append(target.template.format(*(str(scope.rng.randrange(size)) for size in target.sizes)))
        return leaf(f"{name}({', '.join(arguments)})")

    def select(self, scope: Scope, depth: int) -> Node:
        low = scope.rng.randrange(2)
        high = scope.rng.choice((str(low + scope.rng.randrange(3)), "N" if scope.has("macros") else "2"))
        return leaf(f"select ({scope.rng.choice(self._indices(scope))} : {low} .. {high})")

    def start(self, scope: Scope, depth: int) -> Node:
        return leaf(scope.rng.choice(self.runs)(scope))

    def set_priority(self, scope: Scope, depth: int) -> Node:
        return leaf(f"set_priority({scope.rng.choice(('_pid', '0'))}, {scope.rng.randrange(1, 4)})")

    def send(self, scope: Scope, depth: int) -> Node:
        rng = scope.rng
        chan = rng.choice(scope.channels)
        operator = "!!" if scope.has("sorted_send") and chan.buffered and scope.chance(0.5) else "!"
        fields = [value(scope, kind) for kind in chan.fields]
        if len(fields) > 1 and fields[0].isalnum() and scope.chance(0.4):
            return leaf(f"{chan.name}{operator}{fields[0]}({', '.join(fields[1:])})")
        return leaf(f"{chan.name}{operator}{', '.join(fields)}")

    def receive(self, scope: Scope, depth: int) -> Node:
        rng = scope.rng
        chan = rng.choice(scope.channels)
        operator = "??" if scope.has("random_receive") and chan.buffered and scope.chance(0.4) else "?"
        arguments, bound = [], set[str]()
        for kind in chan.fields:
            targets = [v for v in writable(scope, _wide_enough(chan, kind)) if v.template not in bound]
            if targets and scope.chance(0.6):
                target = rng.choice(targets)
                bound.add(target.template)
                arguments.append(access(scope, target))
            else:
                arguments.append(pattern(scope, kind))
        listed = ", ".join(arguments)
        if scope.has("peek") and chan.buffered and scope.chance(0.3):
            listed = f"<{listed}>"
        return leaf(f"{chan.name}{operator}{listed}")

    # Compound statements

    def if_(self, scope: Scope, depth: int) -> Node:
        always = scope.d_step or (scope.has("else") and scope.chance(0.6))
        return Node("if", parts=self.options(scope, depth, always))

    def do_(self, scope: Scope, depth: int) -> Node:
        """A loop without a bound: everything in it is closed."""
        inner = replace(scope, closed=True, in_loop=True)
        options = self.options(inner, depth, always=False)
        has_else = any(_is_else(option) for option in options)
        bare = scope.has("exclusive") and any(self._communicates(scope, option) for option in options)
        if scope.has("else") and not has_else and not bare and scope.chance(0.4):
            options.append([leaf("else"), leaf("break")])
        elif scope.chance(0.7):
            options.append([leaf(f"({condition(inner, 2)})"), leaf("break")])
        return Node("do", parts=[option for option in options if not _spins(option)] or [[leaf("break")]])

    def options(self, scope: Scope, depth: int, always: bool) -> list[list[Node]]:
        """Options of a choice; `always` adds an `else` so that it cannot block."""
        count = scope.rng.choice((1, 2, 2, 3))
        options = []
        for _ in range(count):
            guarded = scope.d_step or scope.chance(0.4)
            first = leaf(f"({condition(scope, 2, not scope.d_step)})") if guarded else self.simple(scope)
            rest = self.sequence(scope, scope.rng.randrange(3), depth - 1) if scope.chance(0.8) else []
            options.append([first, *rest])
        if not scope.d_step and not always and not scope.has("else") and depth > 1 and scope.chance(0.1):
            options.append([Node("if", parts=self.options(scope, 0, always=False)), leaf("skip")])
        if scope.has("exclusive") and any(self._communicates(scope, option) for option in options):
            return options
        if always or (scope.has("else") and scope.chance(0.3)):
            inner = self.sequence(scope, 1, 0) if scope.chance(0.5) else []
            options.insert(scope.rng.randrange(len(options) + 1), [leaf("else"), *inner])
        return options

    def _communicates(self, scope: Scope, option: list[Node]) -> bool:
        """Does the option begin with a use of a channel? With `xr`/`xs` around, Spin then forbids `else`."""
        first = option[0] if option[0].kind == "leaf" else option[0].parts[0][0]
        return any(chan.name in first.head for chan in scope.channels)

    def simple(self, scope: Scope) -> Node:
        """A statement to begin an option with."""
        node = self.statement(replace(scope, in_loop=False), 0)
        while node.head.endswith(")") and node.head.split("(")[0] in {name for name, _ in self.inlines} | {"select "}:
            node = self.assignment(scope, 0)
        return node

    def block(self, scope: Scope, depth: int) -> Node:
        """Braces, with declarations in them if the program has any in blocks."""
        inner = replace(scope, variables=list(scope.variables))
        body: list[Node] = []
        if scope.has("declaration_in_block"):
            body.append(self.declaration(inner))
        body += self.sequence(inner, scope.rng.randrange(1, 4), depth - 1)
        return Node("block", parts=[body])

    def declaration(self, scope: Scope) -> Node:
        """A local declared where it stands; it is a step. The scope learns the name."""
        name, kind = self.names.fresh("v"), scope.rng.choice(("byte", "bit", "short"))
        if scope.has("arrays") and scope.chance(0.3):
            scope.variables.append(Var(f"{name}[{{}}]", kind, (2,), shared=False))
            return leaf(f"{kind} {name}[2]")
        initial = f" = {number(scope, 1)}" if scope.chance(0.6) else ""
        scope.variables.append(Var(name, kind, shared=False))
        return leaf(f"{kind} {name}{initial}")

    def atomic(self, scope: Scope, depth: int) -> Node:
        inner = replace(scope, atomic=True)
        return Node("block", "atomic", [self.sequence(inner, scope.rng.randrange(1, 5), depth - 1)])

    def d_step(self, scope: Scope, depth: int) -> Node:
        """Only its first statement may block."""
        silent = scope.has("exclusive")
        inner = replace(scope, d_step=True, in_loop=False, channels=[] if silent else scope.channels)
        first = leaf(f"({condition(inner, 2, True)})") if scope.chance(0.5) else self.assignment(inner, 0)
        buffered = [chan for chan in scope.channels if chan.buffered]
        if buffered and scope.chance(0.3):
            chan: Chan = scope.rng.choice(buffered)
            sending = self.send(replace(inner, channels=[chan]), 0)
            return Node("block", "d_step", [[leaf(f"nfull({chan.name})"), sending]])
        return Node("block", "d_step", [[first, *self.sequence(inner, scope.rng.randrange(1, 4), depth - 1)]])

    def unless(self, scope: Scope, depth: int) -> Node:
        body = self.sequence(replace(scope, escaped=True), scope.rng.randrange(1, 4), depth - 1)
        escape = [leaf(f"({condition(scope, 2, True)})"), *self.sequence(scope, scope.rng.randrange(2), depth - 1)]
        return Node("unless", parts=[body, escape])

    def bounded_loop(self, scope: Scope, depth: int) -> Node:
        """`do :: c < n -> c++; … :: else -> break od` over a counter that nothing else writes."""
        counter = self.names.fresh("c")
        self.names.counters.append(counter)
        known = [*scope.variables, Var(counter, "byte", writable=False)]
        inner = replace(scope, in_loop=False, closed=True, variables=known)
        body = self.sequence(inner, scope.rng.randrange(1, 3), depth - 1)
        bound = scope.rng.randrange(1, 4)
        enter = [leaf(f"({counter} < {bound})"), leaf(f"{counter}++"), *body]
        leave = leaf("else" if scope.has("else") or scope.d_step else f"({counter} >= {bound})")
        return Node("do", parts=[enter, [leave, leaf("break")]])

    def for_(self, scope: Scope, depth: int) -> Node:
        index = scope.rng.choice(self._indices(scope))
        arrays = [v.template for v in scope.variables if len(v.sizes) == 1 and "." not in v.template]
        head = f"for ({index} : {scope.rng.randrange(2)} .. {scope.rng.randrange(1, 4)})"
        if arrays and scope.chance(0.3):
            head = f"for ({index} in {scope.rng.choice(arrays).split('[')[0]})"
        others = [v if v.template != index else replace(v, writable=False) for v in scope.variables]
        inner = replace(scope, in_loop=False, closed=True, variables=others)
        return Node("block", head, [self.sequence(inner, scope.rng.randrange(1, 3), depth - 1)])

    def _indices(self, scope: Scope) -> list[str]:
        """Locals wide enough to be the index of a loop that ends."""
        kinds = ("byte", "short", "int")
        return [v.template for v in scope.variables if v.plain and v.writable and not v.shared and v.type in kinds]


def _wide_enough(chan: Chan, kind: str) -> tuple[str, ...]:
    """Types that hold every value of a message field.

    When Spin 6.5.2 backtracks it puts what the *variable* holds back into the channel; a variable that cut the value
    leaves a message there that was never sent. A channel whose only field is a bit keeps whole bytes.
    """
    if kind == "mtype":
        return ("mtype",)
    if kind == "bit" and len(chan.fields) > 1:
        return INT_TYPES
    return ("short", "int") if kind == "short" else ("byte", "pid", "short", "int")


def _is_else(option: list[Node]) -> bool:
    return bool(option) and option[0].head == "else"


def _spins(option: list[Node]) -> bool:
    """A loop option that does nothing but be true: the verifier refuses it."""
    return len(option) == 1 and (option[0].head == "skip" or option[0].head.startswith("printf"))
