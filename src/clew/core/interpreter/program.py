"""A `Network` made ready to run: every expression and statement compiled once, every name resolved to an index."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from clew.core.diagnostics import InputError, Span
from clew.core.expressions import Channel, Enabled, Expr, Foreign, Global, Variable, walk
from clew.core.foreign import Fragment, fragment_key, fragments, has_foreign_code
from clew.core.interpreter.evaluate import Convert, Evaluate, compile_conversion, compile_expression
from clew.core.interpreter.execute import Code, compile_block
from clew.core.interpreter.foreign import ForeignRunner, frames
from clew.core.interpreter.handshake import receivers
from clew.core.interpreter.show import process_name
from clew.core.interpreter.state import ChannelState, Context, EvaluationError, Process, State, Unsupported
from clew.core.network import Network, Step, Template
from clew.core.records import record
from clew.core.statements import ForeignCode, Statement, expressions, statements_in
from clew.core.types import Enum, scalars

MakeFrame = Callable[[Context], None]


@record
class StepCode:
    """A step ready to run."""

    step: Step
    index: int
    target: int
    keeps_control: bool
    block: tuple[Code, ...]
    first: Code | None
    asks_timeout: bool  # running it may depend on whether anything else can move


@record
class LocationCode:
    """A control point: its choices, in the order in which they are tried."""

    choices: tuple[tuple[StepCode, ...], ...]
    span: Span
    final: bool


@record
class TemplateCode:
    """A template ready to run."""

    name: str  # for people
    variables: tuple[Variable, ...]
    parameters: tuple[tuple[int, Convert], ...]  # slots and conversions
    initialise: MakeFrame  # the variables that are not parameters
    frame: int
    locations: dict[int, LocationCode]
    initial: int
    provided: Evaluate | None
    progress: frozenset[int]
    accept: frozenset[int]
    channel_names: tuple[str, ...]
    unmatched: tuple[int, ...]  # slots that are not part of the key

    @property
    def channel_count(self) -> int:
        return len(self.channel_names)


class Program:
    """The compiled form of a network, monitors included. `runner` runs embedded C.

    Raises Unsupported if it cannot be run.
    """

    def __init__(self, network: Network, runner: ForeignRunner | None = None) -> None:
        if runner is None and has_foreign_code(network):
            raise Unsupported("embedded C, which nobody here can run")
        self.network = network
        self.runner = runner
        self._fragments = fragments(network)
        self.variables = network.variables
        sources = [*network.templates, *(monitor.template for monitor in network.monitors)]
        self.template_index = {template.name: n for n, template in enumerate(network.templates)}
        everything = [*network.variables, *(v for template in sources for v in template.variables)]
        self.labels = {
            number: label
            for variable in everything
            for _, type_ in scalars(variable.type)
            if isinstance(type_, Enum)
            for number, label in type_.labels
        }
        self.channels: list[Channel] = []  # kinds of channels
        self._kinds: dict[Channel, int] = {}
        for variable in everything:
            for _, channel in _created_channels(variable):
                if channel not in self._kinds:
                    self._kinds[channel] = len(self.channels)
                    self.channels.append(channel)
        self.conversions = [[compile_conversion(field) for field in channel.fields] for channel in self.channels]
        self.channel_names = _channel_names(network.variables)
        self.frame = network.frame + (0 if runner is None else runner.matched + runner.unmatched)
        carried = range(self.frame - (0 if runner is None else runner.unmatched), self.frame)
        self.unmatched = (*_unmatched(network.variables), *carried)
        self.initialise = self._compile_initial(network.variables)
        self.steps: dict[int, StepCode] = {}
        self.templates = [self._compile_template(template) for template in network.templates]
        self.monitors = [self._compile_template(monitor.template) for monitor in network.monitors]
        self.asks_timeout = any(step.asks_timeout for step in self.steps.values()) or any(
            template.provided is not None and may_ask_timeout([template.provided]) for template in network.templates
        )

    # --- compiling

    def _compile_template(self, template: Template) -> TemplateCode:
        parameters = set(template.parameters)
        provided = None if template.provided is None else compile_expression(template.provided, self)
        return TemplateCode(
            process_name(template.name),
            template.variables,
            tuple(
                (slot, compile_conversion(type_))
                for variable in template.parameters
                for slot, (_, type_) in enumerate(scalars(variable.type), variable.slot)
            ),
            self._compile_initial([v for v in template.variables if v not in parameters]),
            template.frame + self._foreign_locals(template),
            {
                location.number: LocationCode(
                    tuple(tuple(self._compile_step(step) for step in choice) for choice in location.choices),
                    location.span,
                    location.final,
                )
                for location in template.locations
            },
            template.initial,
            provided,
            frozenset(location.number for location in template.locations if location.progress),
            frozenset(location.number for location in template.locations if location.accept),
            _channel_names(template.variables),
            _unmatched(template.variables),
        )

    def _compile_step(self, step: Step) -> StepCode:
        known = self.steps.get(step.index)
        if known is not None:
            if known.step is not step:
                raise ValueError(f"two steps have the number {step.index}: {known.step!r} and {step!r}")
            return known
        block = compile_block(step.block, self)
        code = StepCode(
            step,
            step.index,
            step.target,
            step.keeps_control,
            block,
            block[0] if block else None,
            may_ask_timeout(_expressions(step.block)),
        )
        self.steps[step.index] = code
        return code

    def _compile_initial(self, variables: Sequence[Variable]) -> MakeFrame:
        """Gives variables their first values, in order; `ctx` sees the frame that is being made."""
        actions: list[tuple[Span, bool, int, Convert, Evaluate | int]] = []
        for variable in variables:
            fields = list(enumerate(scalars(variable.type), variable.slot))
            initial = variable.initial
            if initial is None:
                continue
            items = initial if isinstance(initial, tuple) else (initial,) * len(fields)
            for (slot, (_, type_)), item in zip(fields, items, strict=False):
                if item is None:
                    continue
                value = self._kinds[item] if isinstance(item, Channel) else compile_expression(item, self)
                actions.append((variable.span, variable.owner is None, slot, compile_conversion(type_), value))

        def initialise(ctx: Context) -> None:
            for span, is_global, slot, convert, value in actions:
                if isinstance(value, int):
                    number = self.create_channel(ctx, value)
                else:
                    ctx.span = span
                    number = value(ctx)
                frame = ctx.working_globals if is_global else ctx.working_locals
                frame[slot] = convert(number)

        return initialise

    # --- embedded C

    def foreign(self, part: Foreign | ForeignCode) -> tuple[ForeignRunner, Fragment]:
        """Who runs a piece of embedded C, and how it is called there."""
        assert self.runner is not None
        return self.runner, self._fragments[fragment_key(part)]

    def _foreign_locals(self, template: Template) -> int:
        if self.runner is None or template not in self.network.templates:
            return 0
        return self.runner.locals[self.network.templates.index(template)]

    # --- creation

    def create_channel(self, ctx: Context, kind: int) -> int:
        if len(ctx.channels) >= self.network.max_channels:
            raise EvaluationError(f"too many channels (at most {self.network.max_channels})")
        ctx.working_channels.append(ChannelState(kind, ()))
        return len(ctx.channels)

    def create_process(self, ctx: Context, template_index: int, args: Sequence[int], priority: int) -> int:
        """Adds a process; missing arguments are 0; the other variables may read parameters and earlier ones."""
        pid = len(ctx.processes)
        if pid >= self.network.max_processes:
            raise EvaluationError(f"too many processes (at most {self.network.max_processes})")
        template = self.templates[template_index]
        frame = [0] * template.frame
        for (slot, convert), value in zip(template.parameters, args, strict=False):
            frame[slot] = convert(value)
        ctx.working_processes.append(Process(template_index, template.initial, priority, tuple(frame)))
        inside = ctx.seen_by(pid, frame)
        template.initialise(inside)
        if self.runner is not None:
            frame[:] = self.runner.start_process(frames(inside))
        ctx.working_processes[pid] = Process(template_index, template.initial, priority, tuple(frame))
        return pid

    def initial_state(self) -> State:
        """Raises InputError if an initial value cannot be computed."""
        ctx = Context(self, [0] * self.frame, [], [], 0)
        if self.runner is not None:
            ctx.working_globals[:] = self.runner.start(frames(ctx))
        try:
            self.initialise(ctx)
            for instance in self.network.instances:
                ctx.span = self.network.template(instance.template).span
                args = [compile_expression(arg, self)(ctx) for arg in instance.args]
                self.create_process(ctx, self.template_index[instance.template], args, instance.priority)
        except EvaluationError as error:
            raise InputError.at(ctx.span, "initial-state", f"in the initial state: {error}") from error
        return State(tuple(ctx.globals), tuple(ctx.processes), tuple(ctx.channels))

    # --- questions about processes

    def location(self, process: Process) -> LocationCode:
        return self.templates[process.template].locations[process.location]

    def enabled(self, ctx: Context, pid: int) -> bool:
        """Whether the first statement of some step of the process can be executed. As in Spin, `provided` clauses and
        priorities are not looked at."""
        if ctx.depth > len(ctx.processes):
            raise EvaluationError("processes ask about each other in a circle whether they are enabled")
        process = ctx.processes[pid]
        inside = ctx.seen_by(pid, process.locals)
        inside.depth = ctx.depth + 1
        return any(self._executable(inside, step) for choice in self.location(process).choices for step in choice)

    def _executable(self, ctx: Context, step: StepCode) -> bool:
        first = step.first
        if first is None or first.ready is None:
            return True
        if first.send is not None:
            number = first.send.channel(ctx)
            channel = ctx.channel(number)
            if self.channels[channel.kind].capacity == 0:
                return bool(receivers(ctx, ctx.pid, step, number, first.send.message(ctx, channel)))
        return first.ready(ctx)


def _expressions(block: Sequence[Statement]) -> Iterator[Expr]:
    for statement in statements_in(block):
        yield from expressions(statement)


def may_ask_timeout(exprs: Iterable[Expr]) -> bool:
    return any(
        isinstance(part, Enabled) or (isinstance(part, Global) and part.what == "timeout")
        for expr in exprs
        for part in walk(expr)
    )


def _created_channels(variable: Variable) -> Iterator[tuple[str, Channel]]:
    """The channels that a variable is initialised with, and their names."""
    names = [name for name, _ in scalars(variable.type, variable.name)]
    initial = variable.initial
    items = initial if isinstance(initial, tuple) else (initial,) * len(names)
    for name, item in zip(names, items, strict=False):
        if isinstance(item, Channel):
            yield name, item


def _channel_names(variables: Sequence[Variable]) -> tuple[str, ...]:
    return tuple(name for variable in variables for name, _ in _created_channels(variable))


def _unmatched(variables: Sequence[Variable]) -> tuple[int, ...]:
    return tuple(
        slot
        for variable in variables
        if not variable.matched
        for slot, _ in enumerate(scalars(variable.type), variable.slot)
    )
