"""What a step reads and writes, from its statements alone (names as in `network.Access`)."""

from __future__ import annotations

from collections.abc import Iterable

from clew.core import expressions as ex
from clew.core import statements as st
from clew.core.network import Access


def access_of(block: Iterable[st.Statement], template: str) -> Access:
    """The access of a step of this template that executes the block."""
    collector = _Collector()
    for statement in block:
        collector.statement(statement)
    return Access(frozenset(collector.reads), frozenset(collector.writes), collector.everything)


def variable_name(variable: ex.Variable) -> str:
    return variable.name if variable.owner is None else f"{variable.owner}.{variable.name}"


def channel_name(channel: ex.Expr) -> str:
    """`#q` for a channel known by its variable, `#*` when it is held in a variable that may name any channel."""
    if isinstance(channel, ex.Ref) and _holds_own_channel(channel.variable):
        return f"#{variable_name(channel.variable)}"
    return "#*"


def _holds_own_channel(variable: ex.Variable) -> bool:
    initial = variable.initial
    return isinstance(initial, ex.Channel) or (
        isinstance(initial, tuple) and any(isinstance(i, ex.Channel) for i in initial)
    )


class _Collector:
    def __init__(self) -> None:
        self.reads: set[str] = set()
        self.writes: set[str] = set()
        self.everything = False

    def statement(self, statement: st.Statement) -> None:
        match statement:
            case st.Guard(value) | st.Assert(value):
                self.read(value)
            case st.Assign(target, value):
                self.read(value)
                self.write(target)
            case st.Send(channel, args):
                self.channel(channel, writes=True)
                for arg in args:
                    self.read(arg)
            case st.Receive(channel, pattern, _, keep):
                self.channel(channel, writes=not keep)
                self.pattern(pattern)
            case st.Start(_, args, target_or_none):
                for arg in args:
                    self.read(arg)
                self.reads.add("$processes")
                self.writes.add("$processes")
                if target_or_none is not None:
                    self.write(target_or_none)
            case st.Terminate():
                self.reads.add("$processes")
                self.writes.add("$processes")
            case st.Print(_, args):
                for arg in args:
                    self.read(arg)
            case st.SetPriority(pid, value):
                self.read(pid)
                self.read(value)
                self.writes.add("$scheduler")
            case st.Flow(nodes):
                for node in nodes:
                    for branch in node:
                        for inner in branch.block:
                            self.statement(inner)
            case st.ForeignCode():
                self.everything = True
            case st.Otherwise():
                pass
            case _:
                raise TypeError(f"unknown statement {statement!r}")

    def write(self, target: ex.Ref) -> None:
        self.writes.add(variable_name(target.variable))
        for index in ex.children(target):
            self.read(index)

    def channel(self, channel: ex.Expr, *, writes: bool) -> None:
        self.read(channel)
        name = channel_name(channel)
        self.reads.add(name)
        if writes:
            self.writes.add(name)

    def pattern(self, pattern: ex.Pattern) -> None:
        for item in pattern:
            match item:
                case ex.Match(value):
                    self.read(value)
                case ex.Bind(target) if target is not None:
                    self.write(target)

    def read(self, expr: ex.Expr) -> None:
        for part in ex.walk(expr):
            match part:
                case ex.Ref(variable):
                    self.reads.add(variable_name(variable))
                case ex.Length(channel) | ex.Fill(_, channel) | ex.Poll(channel):
                    self.reads.add(channel_name(channel))
                case ex.Global("process_count"):
                    self.reads.add("$processes")
                case ex.Global() | ex.Enabled() | ex.PriorityOf() | ex.LocationOf():
                    self.reads.add("$scheduler")
                case ex.AtLocation() | ex.RemoteRef():
                    self.reads.add("$scheduler")
                    if isinstance(part, ex.RemoteRef):
                        self.reads.add(variable_name(part.ref.variable))
                case ex.Foreign():
                    self.everything = True
                case _:
                    pass
