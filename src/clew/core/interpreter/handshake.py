"""Who can take the message of a handshake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clew.core.interpreter.execute import Receptor
from clew.core.interpreter.state import Context, EvaluationError, Values

if TYPE_CHECKING:
    from clew.core.interpreter.program import StepCode

Receivers = list[tuple[int, list[int]]]


def receivers(ctx: Context, sender: int, step: StepCode, number: int, message: Values) -> Receivers:
    """The processes that can receive a message on a handshake channel now, highest pid first, and by which steps.

    In the middle of a handshake the sender has moved on, and only receives on the channel can be executed.
    """
    processes = list(ctx.processes)
    processes[sender] = processes[sender]._replace(location=step.target)
    middle = Context(ctx.program, ctx.globals, processes, ctx.channels, ctx.last)
    middle.timeout = ctx.timeout
    middle.depth = ctx.depth
    found: Receivers = []
    for pid in range(len(processes) - 1, -1, -1):
        if pid != sender:
            steps = _receiving_steps(middle.seen_by(pid, processes[pid].locals), number, message)
            if steps:
                found.append((pid, steps))
    return found


def may_run(ctx: Context) -> bool:
    """Whether the `provided` clause of the process holds."""
    provided = ctx.program.templates[ctx.processes[ctx.pid].template].provided
    return provided is None or bool(provided(ctx))


def find_receptor(ctx: Context, step: StepCode, number: int, message: Values) -> Receptor | None:
    """The first way in which a step takes a message from a handshake channel."""
    if step.first is not None:
        for receptor in step.first.receptors:
            if _listens(ctx, receptor, number) and receptor.fits(ctx, message):
                return receptor
    return None


def _receiving_steps(ctx: Context, number: int, message: Values) -> list[int]:
    """Those of the first choice that has one."""
    try:
        if not may_run(ctx):
            return []
    except EvaluationError:  # reported where this process is asked for its own steps
        return []
    for choice in ctx.program.location(ctx.processes[ctx.pid]).choices:
        steps = [step.index for step in choice if _accepts(ctx, step, number, message)]
        if steps:
            return steps
    return []


def _accepts(ctx: Context, step: StepCode, number: int, message: Values) -> bool:
    """A receive whose test breaks down accepts the message; that is reported when the step is taken."""
    try:
        return find_receptor(ctx, step, number, message) is not None
    except EvaluationError:
        return True


def _listens(ctx: Context, receptor: Receptor, number: int) -> bool:
    try:
        return receptor.channel(ctx) == number
    except EvaluationError:  # reported where this process is asked for its own steps
        return False
