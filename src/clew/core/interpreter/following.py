"""Trace and notrace assertions as automata over the messages that are sent and received (sheet 35, section 9).

The channels of an assertion are those of the initial state. In its sends only constant arguments are compared; anything
else stands for any value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from clew.core.expressions import Const
from clew.core.interpreter.evaluate import compile_expression, compile_pattern
from clew.core.interpreter.program import StepCode, TemplateCode
from clew.core.interpreter.space import NetworkSpace
from clew.core.interpreter.state import Context
from clew.core.network import Network
from clew.core.records import record
from clew.core.statements import Receive, Send, Terminate


@record
class Way:
    """A step of the automaton: which messages it goes with (a value None is any), and where it leads."""

    kind: Literal["send", "receive"]
    channel: int
    values: tuple[int | None, ...]
    target: int

    def goes_with(self, kind: str, channel: int, message: Sequence[int]) -> bool:
        """A message with fewer fields than the automaton names is none of those it means."""
        if (kind, channel) != (self.kind, self.channel) or len(self.values) > len(message):
            return False
        return all(value is None or value == field for value, field in zip(self.values, message, strict=False))


@record
class TraceAutomaton:
    """`positive`: a trace, which has to go on with each message in its scope. A notrace gives up at the first one it
    cannot go on with, and must not get to one of its `ends`."""

    positive: bool
    initial: int
    ends: frozenset[int]
    ways: Mapping[int, tuple[Way, ...]]

    @property
    def given_up(self) -> int:
        """A location where nothing is followed any more."""
        return min(self.ends, default=-1)

    @property
    def scope(self) -> frozenset[tuple[str, int]]:
        """The directions and channels whose messages it goes with."""
        return frozenset((way.kind, way.channel) for ways in self.ways.values() for way in ways)


def trace_automaton(network: Network, index: int, base: NetworkSpace | None = None) -> TraceAutomaton:
    """The monitor of that index, which is a trace or notrace assertion. `base`: the space of the network, if there is
    one already."""
    monitor = network.monitors[index]
    if monitor.kind == "never":
        raise ValueError("this monitor is not a trace assertion")
    base = base or NetworkSpace(network)
    template = base.program.monitors[index]
    (start,) = base.initial()
    ctx = Context.reading(base.program, start)
    ways = {
        number: tuple(_ways(ctx, (step for choice in location.choices for step in choice)))
        for number, location in template.locations.items()
    }
    ends = frozenset(number for number in template.locations if is_end(template, number))
    return TraceAutomaton(monitor.kind == "trace", template.initial, ends, ways)


def is_end(template: TemplateCode, location: int) -> bool:
    """Whether a monitor that gets there is complete."""
    choices = template.locations[location].choices
    return all(_terminates(step) for choice in choices for step in choice)


def _terminates(step: StepCode) -> bool:
    return bool(step.step.block) and isinstance(step.step.block[0], Terminate)


def _ways(ctx: Context, steps: Iterator[StepCode]) -> Iterator[Way]:
    for step in steps:
        match step.step.block[:1]:
            case (Send(channel, args),):
                values = tuple(arg.value if isinstance(arg, Const) else None for arg in args)
                yield Way("send", compile_expression(channel, ctx.program)(ctx), values, step.target)
            case (Receive(channel, pattern),):
                wanted = tuple(compile_pattern(pattern, ctx.program)(ctx))
                yield Way("receive", compile_expression(channel, ctx.program)(ctx), wanted, step.target)
