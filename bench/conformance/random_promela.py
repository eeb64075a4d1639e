"""Random small Promela programs, the same for the same seed.

Swarm testing: each program switches on a random subset of the features below, so that in a small program those that
are on meet often. Programs are well-typed, end their search with a small state space (mostly 5 to 5000 states) and use
nothing whose outcome depends on the order of the search (such as a `hidden` variable that is read).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from .program import Inline, Node, Process, Program, leaf
from .random_expressions import INT_TYPES, MTYPES, Chan, Scope, Var, number
from .random_features import EXCLUDES, FEATURES
from .random_jumps import add_labels_and_gotos
from .random_statements import Names, Statements


def generate(seed: int) -> str:
    """The program with this seed, as text."""
    return generate_program(seed).text()


def generate_program(seed: int) -> Program:
    """The program with this seed, as a tree that can be shrunk."""
    rng = random.Random(seed)
    features = {name for name, weight in FEATURES.items() if rng.random() < weight}
    for name, others in EXCLUDES.items():
        if name in features:
            features -= others
    return _Maker(rng, frozenset(features)).program()


@dataclass(slots=True)
class _Role:
    """A proctype before its body is known. `pids` are those of its instances when that is known beforehand."""

    name: str
    copies: int
    parameters: list[Var]
    channel_parameters: list[Chan]
    labels: list[str]
    active: bool
    pids: list[int] = field(default_factory=list)
    remote_local: str = ""


class _Maker:
    """Builds one program."""

    def __init__(self, rng: random.Random, features: frozenset[str]) -> None:
        self.rng = rng
        self.features = features
        self.names = Names()
        self.declarations: list[str] = []
        self.globals: list[Var] = []
        self.channels: list[Chan] = []

    def has(self, feature: str) -> bool:
        return feature in self.features

    def program(self) -> Program:
        if self.has("macros"):
            self.declarations += ["#define N 2", "#define both(a, b) ((a) && (b))"]
        self.declare_globals()
        self.declare_channels()
        roles = self.cast()
        inlines = self.inlines()
        calls = tuple((inline.header.split("(")[0].split()[1], inline.header.count(",") + 1) for inline in inlines)
        processes = [self.process(role, roles, calls) for role in roles]
        if any(not role.active for role in roles):
            processes.insert(self.rng.randrange(len(processes) + 1), self.init(roles))
        if self.has("exclusive"):
            self.claim_channels(processes)
        counters = [f"byte {name}" for name in self.names.counters]
        return Program([*self.declarations, *counters], inlines, processes, self.features)

    # Declarations

    def integer_type(self) -> str:
        kinds = ["byte", "byte"] + [kind for kind in ("bit", "bool", "short", "int", "unsigned") if self.has(kind)]
        return self.rng.choice(kinds + (["pid"] if self.has("pid_type") else []))

    def declared(self, name: str, kind: str, prefix: str = "", initial: bool = True) -> str:
        """The text that declares a scalar."""
        width = f" : {self.rng.randrange(1, 4)}" if kind == "unsigned" else ""
        start = {"bit": "1", "bool": "true"}.get(kind, str(self.rng.randrange(3)))
        if self.has("wrap") and kind in ("byte", "short") and self.rng.random() < 0.3:
            start = "254" if kind == "byte" else "32766"
        given = f" = {start}" if initial and self.rng.random() < 0.4 else ""
        return f"{prefix}{kind} {name}{width}{given}"

    def declare_globals(self) -> None:
        for _ in range(self.rng.randrange(1, 4)):
            name, kind = self.names.fresh("g"), self.integer_type()
            prefix = "local " if self.has("local") and self.rng.random() < 0.4 else ""
            if self.has("arrays") and kind != "unsigned" and self.rng.random() < 0.4:
                size = self.rng.randrange(1, 4)
                self.declarations.append(f"{prefix}{kind} {name}[{size}]")
                self.globals.append(Var(f"{name}[{{}}]", kind, (size,)))
            else:
                self.declarations.append(self.declared(name, kind, prefix))
                self.globals.append(Var(name, kind))
        if self.has("hidden"):
            name = self.names.fresh("h")
            self.declarations.append(f"hidden byte {name}")
            self.globals.append(Var(name, "byte", readable=False))
        if self.has("never_read"):
            name, kind = self.names.fresh("w"), self.rng.choice(("byte", "int", "bit"))
            self.declarations.append(f"{kind} {name}")
            self.globals.append(Var(name, kind, readable=False))
        if self.has("mtype"):
            self.declarations += [f"mtype = {{ {', '.join(MTYPES)} }}", "mtype mt = red"]
            self.globals.append(Var("mt", "mtype"))
        if self.has("named_mtype"):
            self.declarations += ["mtype:fruit = { apple, pear }", "mtype:fruit fr = pear"]
        if self.has("typedef"):
            self.declare_record()

    def declare_record(self) -> None:
        inner = self.rng.random() < 0.4
        if inner:
            self.declarations.append("typedef Inner { bit p; byte q }")
        self.declarations.append(f"typedef Record {{ byte a; bit b[2]{'; Inner in' if inner else '; short s'} }}")
        many = self.has("arrays") and self.rng.random() < 0.5
        self.declarations.append("Record rec[2]" if many else "Record rec")
        stem, sizes = ("rec[{}]", (2,)) if many else ("rec", ())
        self.globals += [Var(f"{stem}.a", "byte", sizes), Var(f"{stem}.b[{{}}]", "bit", (*sizes, 2))]
        self.globals.append(Var(f"{stem}.in.q", "byte", sizes) if inner else Var(f"{stem}.s", "short", sizes))

    def fields(self) -> tuple[str, ...]:
        kinds = ["byte", "bit", "short"] + (["mtype"] if self.has("mtype") else [])
        if self.has("two_fields") and self.rng.random() < 0.6:
            return (self.rng.choice(kinds), self.rng.choice(kinds))
        return (self.rng.choice(kinds),) if self.rng.random() < 0.4 else ("byte",)

    def declare_channels(self) -> None:
        capacities = [self.rng.randrange(1, 3) for _ in range(self.rng.randrange(1, 3))] if self.has("buffered") else []
        capacities += [0] if self.has("rendezvous") else []
        for capacity in capacities:
            name, fields = self.names.fresh("q"), self.fields()
            self.declarations.append(f"chan {name} = [{capacity}] of {{ {', '.join(fields)} }}")
            self.channels.append(Chan(name, fields, capacity))

    # Processes

    def cast(self) -> list[_Role]:
        """Which proctypes there are, how they start, and the pids of those that are active."""
        roles = []
        plain = [chan for chan in self.channels if chan.fields == ("byte",)]
        for index in range(self.rng.choice((1, 2, 2, 3, 3))):
            active = not (self.has("run") and self.rng.random() < 0.7)
            parameters = []
            if self.has("parameters") and not active:
                parameters.append(Var(self.names.fresh("p"), "byte", shared=False))
            passed = []
            if self.has("chan_param") and plain and not active:
                passed.append(Chan(self.names.fresh("r"), ("byte",), None, shared=False))
            copies = 2 if self.has("several") and self.rng.random() < 0.5 else 1
            labels = [self.names.fresh("L")] if self.has("remote_label") or self.has("goto") else []
            labels += [self.names.fresh("end")] if self.has("end_labels") and self.rng.random() < 0.6 else []
            roles.append(_Role(f"P{index}", copies, parameters, passed, labels, active))
        pid = 0
        if all(role.active for role in roles):
            for role in roles:
                role.pids = list(range(pid, pid + role.copies))
                pid += role.copies
        if self.has("remote_variable"):
            for role in roles:
                role.remote_local = self.names.fresh("m")
        return roles

    def inlines(self) -> list[Inline]:
        if not self.has("inline"):
            return []
        a, b = self.names.fresh("a"), self.names.fresh("b")
        arity = self.rng.randrange(1, 3)
        formal = [Var(a, "byte"), Var(b, "byte")][:arity]
        scope = self.scope([*formal, *self.globals], [], closed=True)
        maker = Statements(self.names)
        body = maker.sequence(scope, self.rng.randrange(1, 3), 1 if self.rng.random() < 0.3 else 0)
        if self.has("declaration_in_block") and self.rng.random() < 0.3:
            body.insert(0, leaf(f"byte {self.names.fresh('v')} = {number(scope, 1)}"))
        return [Inline(f"inline bump({', '.join(v.template for v in formal)})", body)]

    def scope(self, variables: list[Var], channels: list[Chan], *, closed: bool = False) -> Scope:
        return Scope(variables, channels, self.features, self.rng, closed=closed)

    def process(self, role: _Role, roles: list[_Role], calls: tuple[tuple[str, int], ...]) -> Process:
        declarations, variables, channels = self.locals(role)
        scope = self.scope(variables, channels, closed=self.has("goto"))
        self.add_remote(scope, role, roles)
        maker = Statements(self.names, calls)
        counted = len(self.names.counters)
        body = maker.sequence(scope, self.rng.randrange(2, 7), 2)
        if self.rng.random() < 0.6:
            declarations += [f"byte {name}" for name in self.names.counters[counted:]]
            del self.names.counters[counted:]
        if self.has("late_declaration"):
            later = replace(scope, variables=list(variables))
            body.append(maker.declaration(later))
            body += maker.sequence(later, self.rng.randrange(1, 3), 1)
        add_labels_and_gotos(body, role.labels, scope)
        return Process(self.header(role, scope), declarations, body)

    def locals(self, role: _Role) -> tuple[list[str], list[Var], list[Chan]]:
        """Declarations at the top of a body, and what is in scope there."""
        declarations: list[str] = []
        variables = [*role.parameters, *self.globals]
        channels = [*self.channels, *role.channel_parameters]
        for _ in range(self.rng.randrange(3)):
            name, kind = self.names.fresh("x"), self.integer_type()
            if self.has("arrays") and kind != "unsigned" and self.rng.random() < 0.25:
                declarations.append(f"{kind} {name}[2]")
                variables.append(Var(f"{name}[{{}}]", kind, (2,), shared=False))
            else:
                declarations.append(self.declared(name, kind))
                variables.append(Var(name, kind, shared=False))
        if role.parameters and self.rng.random() < 0.3:
            name = self.names.fresh("x")
            declarations.append(f"byte {name} = {role.parameters[0].template} + 1")
            variables.append(Var(name, "byte", shared=False))
        if role.remote_local:
            declarations.append(f"byte {role.remote_local}")
            variables.append(Var(role.remote_local, "byte", shared=False))
        last = self.byte_for_priorities()
        declarations += [f"byte {name}" for name in last]
        variables += [Var(name, "byte", shared=False) for name in last]
        if self.has("local_chan"):
            name = self.names.fresh("lq")
            declarations.append(f"chan {name} = [1] of {{ byte }}")
            channels.append(Chan(name, ("byte",), 1, shared=False))
        if self.has("chan_variable") and any(chan.fields == ("byte",) and chan.buffered for chan in self.channels):
            first = next(chan for chan in self.channels if chan.fields == ("byte",) and chan.buffered)
            name = self.names.fresh("k")
            declarations.append(f"chan {name} = {first.name}")
            variables.append(Var(name, "chan", shared=False))
            channels.append(Chan(name, ("byte",), None, shared=False))
        return declarations, variables, channels

    def byte_for_priorities(self) -> list[str]:
        """With priorities Spin 6.5.2 takes the last bit fields of a process for padding, unless a byte follows them."""
        return [self.names.fresh("z")] if self.has("priority") or self.has("set_priority") else []

    def add_remote(self, scope: Scope, role: _Role, roles: list[_Role]) -> None:
        """References to other processes whose pids are known."""
        for other in (other for other in roles if other.pids and other is not role):
            if roles.index(other) > roles.index(role):
                continue  # Spin knows no later proctype, and two that ask `enabled` of each other crash its verifier
            pid = self.rng.choice(other.pids)
            if self.has("enabled"):
                scope.enabled.append(f"enabled({pid})")
            if self.has("remote_label") and other.labels:
                scope.remote.append(f"{other.name}[{pid}]@{other.labels[0]}")
            if self.has("remote_variable"):
                scope.remote.append(f"{other.name}[{pid}]:{other.remote_local} == {self.rng.randrange(3)}")

    def header(self, role: _Role, scope: Scope) -> str:
        formal = [f"byte {v.template}" for v in role.parameters] + [f"chan {c.name}" for c in role.channel_parameters]
        start = ("active " if role.copies == 1 else f"active [{role.copies}] ") if role.active else ""
        ranked = self.has("priority") and role.active and self.rng.random() < 0.6
        tail = f" priority {self.rng.randrange(1, 4)}" if ranked else ""
        if self.has("provided") and self.rng.random() < 0.6:
            plain = self.scope([v for v in self.globals if v.readable], [])
            tail += f" provided ({_global_condition(plain)})"
        return f"{start}proctype {role.name}({'; '.join(formal)}){tail}"

    def init(self, roles: list[_Role]) -> Process:
        """A process that starts those that are not active, with arguments; maybe again when they are gone."""
        scope = self.scope(list(self.globals), list(self.channels))
        runs = [self.runner(role) for role in roles if not role.active for _ in range(role.copies)]
        started = [leaf(run(scope)) for run in runs]
        if self.has("unused_proctype") and len(started) > 1:
            started.pop()
        together = self.has("atomic") and self.rng.random() < 0.7
        body = [Node("block", "atomic", [started])] if together else started
        if self.has("run_again"):
            others = sum(role.copies for role in roles if role.active)
            body += [leaf(f"(_nr_pr == {1 + others})"), leaf(self.rng.choice(runs)(scope))]
        elif self.rng.random() < 0.5:
            body += Statements(self.names).sequence(scope, 2, 0)
        return Process("init", [f"byte {name}" for name in self.byte_for_priorities()], body)

    def runner(self, role: _Role) -> Callable[[Scope], str]:
        """The text of a `run` of this proctype, with fresh arguments each time."""
        plain = [chan.name for chan in self.channels if chan.fields == ("byte",)]

        def text(scope: Scope) -> str:
            arguments = [number(scope, 1) for _ in role.parameters]
            arguments += [self.rng.choice(plain) for _ in role.channel_parameters]
            tail = f" priority {self.rng.randrange(1, 4)}" if self.has("priority") and self.rng.random() < 0.5 else ""
            return f"run {role.name}({', '.join(arguments)}){tail}"

        return text

    def claim_channels(self, processes: list[Process]) -> None:
        """`xr`/`xs` where a global channel has a single instance that receives or sends on it."""
        for chan in self.channels:
            users = [process for process in processes if _mentions(process, chan.name)]
            if not chan.buffered or len(users) > 2 or any("chan " in p.header or "[" in p.header for p in processes):
                continue
            if any(not process.header.startswith("active ") for process in users):
                continue
            for word, operator in (("xr", "?"), ("xs", "!")):
                doing = [process for process in users if _mentions(process, chan.name, operator)]
                looking = [p for p in users if any(_mentions(p, f"{w}({chan.name}") for w in ("len", "full", "empty"))]
                if len(doing) == 1 and not looking:
                    doing[0].declarations.append(f"{word} {chan.name}")


def _global_condition(scope: Scope) -> str:
    known = [v for v in scope.variables if v.type in INT_TYPES and v.plain]
    if not known:
        return "true"
    return f"{scope.rng.choice(known).template} {scope.rng.choice(('<', '!=', '<='))} {scope.rng.randrange(1, 4)}"


def _mentions(process: Process, name: str, operator: str = "") -> bool:
    """Does some statement of the process use this channel (with this operator)?"""

    def walk(nodes: list[Node]) -> bool:
        return any((name + operator) in node.head or any(walk(part) for part in node.parts) for node in nodes)

    return walk(process.body)
