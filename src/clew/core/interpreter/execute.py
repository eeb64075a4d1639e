"""Statements as Python functions of a `Context`: when each can be executed, and what it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, assert_never

from clew.core.diagnostics import Span
from clew.core.expressions import Bind
from clew.core.interpreter.evaluate import (
    Evaluate,
    Store,
    Test,
    compile_expression,
    compile_pattern,
    compile_store,
    first_fitting,
    fits,
)
from clew.core.interpreter.foreign import frames
from clew.core.interpreter.show import compile_print, expression_text
from clew.core.interpreter.state import (
    ChannelState,
    Context,
    EvaluationError,
    Event,
    Process,
    Values,
)
from clew.core.properties import Violation
from clew.core.records import record
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

if TYPE_CHECKING:
    from clew.core.interpreter.program import Program

Action = Callable[[Context], None]
FLOW_LIMIT = 1_000_000  # nodes visited in one run of a flowchart


class Receptor(NamedTuple):
    """A way to take the message of a handshake on a channel: whether the message fits, and what taking it does."""

    channel: Evaluate
    fits: Callable[[Context, Values], bool]
    take: Callable[[Context, Values], None]


class SendCode(NamedTuple):
    """The parts of a send that a handshake needs: the channel's number, the message as stored, a check of length."""

    channel: Evaluate
    message: Callable[[Context, ChannelState], Values]
    check_count: Callable[[Context, ChannelState], None]


@record
class Code:
    """A statement ready to run. `ready` None: always executable. `run` needs it to be executable."""

    span: Span
    run: Action
    ready: Test | None = None
    otherwise: bool = False
    send: SendCode | None = None
    receptors: tuple[Receptor, ...] = ()


def compile_block(block: Sequence[Statement], program: Program) -> tuple[Code, ...]:
    return tuple(compile_statement(statement, program) for statement in block)


def run_rest(ctx: Context, block: Sequence[Code]) -> None:
    """Runs statements that must not block."""
    for code in block:
        ctx.span = code.span
        if code.ready is not None and not code.ready(ctx):
            raise EvaluationError("a statement inside an indivisible sequence cannot be executed")
        code.run(ctx)


def compile_statement(statement: Statement, program: Program) -> Code:
    match statement:
        case Guard(value, span):
            test = compile_expression(value, program)
            return Code(span, _nothing, lambda ctx: test(ctx) != 0)
        case Otherwise(span):
            return Code(span, _nothing, otherwise=True)
        case Assign(target, value, span):
            return Code(span, _compile_assign(compile_store(target, program), compile_expression(value, program)))
        case Send():
            return _compile_send(statement, program)
        case Receive():
            return _compile_receive(statement, program)
        case Start():
            return Code(statement.span, _compile_start(statement, program))
        case Terminate(span):
            return Code(span, _terminate, lambda ctx: ctx.pid == len(ctx.processes) - 1)
        case Assert():
            return Code(statement.span, _compile_assert(statement, program))
        case Print(format_, args, span):
            return Code(span, compile_print(format_, args, [compile_expression(a, program) for a in args], program))
        case SetPriority():
            return Code(statement.span, _compile_set_priority(statement, program))
        case ForeignCode():
            return Code(statement.span, _compile_foreign(statement, program))
        case Flow():
            return _compile_flow(statement, program)
        case _:
            assert_never(statement)


def _nothing(ctx: Context) -> None:
    pass


def _compile_assign(store: Store, value: Evaluate) -> Action:
    return lambda ctx: store(ctx, value(ctx))


def _compile_assert(statement: Assert, program: Program) -> Action:
    test = compile_expression(statement.value, program)
    message = f"assertion violated: {expression_text(statement.value)}"

    def check(ctx: Context) -> None:
        if not test(ctx):
            ctx.violations.append(Violation("assertion", message, statement.span, ctx.pid))

    return check


def _compile_foreign(statement: ForeignCode, program: Program) -> Action:
    runner, fragment = program.foreign(statement)

    def run(ctx: Context) -> None:
        outcome = runner.run(fragment, frames(ctx))
        ctx.working_globals[:] = outcome.globals
        if ctx.pid >= 0:
            ctx.working_locals[:] = outcome.locals
        if ctx.output is not None and outcome.output:
            ctx.output.append(outcome.output)

    return run


def _compile_send(statement: Send, program: Program) -> Code:
    number = compile_expression(statement.channel, program)
    args = [compile_expression(arg, program) for arg in statement.args]

    def message(ctx: Context, channel: ChannelState) -> Values:
        convert = ctx.program.conversions[channel.kind]
        values = [to_field(arg(ctx)) for to_field, arg in zip(convert, args, strict=False)]
        return (*values, *(0 for _ in range(len(convert) - len(values))))

    def check_count(ctx: Context, channel: ChannelState) -> None:
        expected = len(ctx.program.conversions[channel.kind])
        if len(args) != expected:
            message = f"{len(args)} values sent to a channel whose messages have {expected}"
            ctx.violations.append(Violation("runtime-error", message, statement.span, ctx.pid))

    def room(ctx: Context, channel: ChannelState) -> bool:
        capacity = ctx.program.channels[channel.kind].capacity
        if capacity == 0:
            raise EvaluationError("a handshake inside an indivisible sequence")
        return len(channel.messages) < capacity

    def ready(ctx: Context) -> bool:
        return room(ctx, ctx.channel(number(ctx))) or statement.lossy

    def run(ctx: Context) -> None:
        to = number(ctx)
        channel = ctx.channel(to)
        sent = message(ctx, channel)
        check_count(ctx, channel)
        if not room(ctx, channel):
            return  # lost
        place = len(channel.messages)
        if statement.sorted:
            given = tuple(arg(ctx) for arg in args)  # compared before it is cut to the fields' types, as in Spin
            place = next((n for n, old in enumerate(channel.messages) if old > given), place)
        queue = (*channel.messages[:place], sent, *channel.messages[place:])
        ctx.working_channels[to - 1] = ChannelState(channel.kind, queue)
        if ctx.events is not None:
            ctx.events.append(Event("send", to, sent, ctx.pid))

    return Code(statement.span, run, ready, send=SendCode(number, message, check_count))


def _compile_receive(statement: Receive, program: Program) -> Code:
    number = compile_expression(statement.channel, program)
    wanted = compile_pattern(statement.pattern, program)
    stores = [
        compile_store(item.target, program) if isinstance(item, Bind) and item.target is not None else None
        for item in statement.pattern
    ]
    anywhere, keep = statement.anywhere, statement.keep

    def ready(ctx: Context) -> bool:
        channel = ctx.channel(number(ctx))
        if ctx.program.channels[channel.kind].capacity == 0:
            if keep:
                raise EvaluationError("a handshake channel cannot be polled")
            return False
        if not channel.messages:
            return False
        return first_fitting(channel.messages, wanted(ctx), anywhere) is not None

    def bind(ctx: Context, message: Values) -> None:
        for store, value in zip(stores, message, strict=False):
            if store is not None:
                store(ctx, value)
        if not keep and len(stores) < len(message):
            text = f"only {len(stores)} of the {len(message)} fields of a message are received"
            ctx.violations.append(Violation("runtime-error", text, statement.span, ctx.pid))

    def run(ctx: Context) -> None:
        source = number(ctx)
        kind, queue = ctx.channel(source)
        place = first_fitting(queue, wanted(ctx), anywhere)
        assert place is not None
        if not keep:
            ctx.working_channels[source - 1] = ChannelState(kind, queue[:place] + queue[place + 1 :])
            if ctx.events is not None:
                ctx.events.append(Event("receive", source, queue[place], ctx.pid))
        bind(ctx, queue[place])

    receptors = () if keep else (Receptor(number, lambda ctx, message: fits(message, wanted(ctx)), bind),)
    return Code(statement.span, run, ready, receptors=receptors)


def _compile_start(statement: Start, program: Program) -> Action:
    template = program.template_index[statement.template]
    args = [compile_expression(arg, program) for arg in statement.args]
    priority = 1 if statement.priority is None else statement.priority
    store = None if statement.target is None else compile_store(statement.target, program)

    def start(ctx: Context) -> None:
        pid = ctx.program.create_process(ctx, template, [arg(ctx) for arg in args], priority)
        if store is not None:
            store(ctx, pid)

    return start


def _terminate(ctx: Context) -> None:
    owned = ctx.program.templates[ctx.processes[ctx.pid].template].channel_count
    del ctx.working_processes[ctx.pid]
    del ctx.working_channels[len(ctx.channels) - owned :]


def _compile_set_priority(statement: SetPriority, program: Program) -> Action:
    whose, value = compile_expression(statement.pid, program), compile_expression(statement.value, program)

    def set_priority(ctx: Context) -> None:
        pid, priority = whose(ctx), value(ctx)
        if not 0 <= pid < len(ctx.processes):
            return
        if not 1 <= priority <= 255:
            raise EvaluationError(f"priority {priority} is out of range 1..255")
        old: Process = ctx.processes[pid]
        ctx.working_processes[pid] = Process(old.template, old.location, priority, old.locals)

    return set_priority


@record
class _Branch:
    block: tuple[Code, ...]
    target: int

    def ready(self, ctx: Context) -> bool:
        if not self.block:
            return True
        first = self.block[0]
        ctx.span = first.span
        return first.ready is None or first.ready(ctx)


def _compile_flow(flow: Flow, program: Program) -> Code:
    # An `Otherwise` is the last resort wherever it stands.
    nodes = [
        sorted(
            (_Branch(compile_block(branch.block, program), branch.target) for branch in node),
            key=lambda branch: bool(branch.block) and branch.block[0].otherwise,
        )
        for node in flow.nodes
    ]

    def ready(ctx: Context) -> bool:
        return any(branch.ready(ctx) for branch in nodes[0])

    def run_from(ctx: Context, node: int) -> None:
        for _ in range(FLOW_LIMIT):
            if node < 0:
                return
            for branch in nodes[node]:
                if branch.ready(ctx):
                    break
            else:
                ctx.span = flow.span
                raise EvaluationError("block in d_step: no alternative can be executed")
            if branch.block:
                ctx.span = branch.block[0].span
                branch.block[0].run(ctx)
                run_rest(ctx, branch.block[1:])
            node = branch.target
        ctx.span = flow.span
        raise EvaluationError("an indivisible sequence does not terminate")

    def receptor(inner: Receptor, branch: _Branch) -> Receptor:
        def take(ctx: Context, message: Values) -> None:
            inner.take(ctx, message)
            run_rest(ctx, branch.block[1:])
            run_from(ctx, branch.target)

        return Receptor(inner.channel, inner.fits, take)

    receptors = tuple(
        receptor(inner, branch) for branch in nodes[0] if branch.block for inner in branch.block[0].receptors
    )
    return Code(flow.span, lambda ctx: run_from(ctx, 0), ready, receptors=receptors)
