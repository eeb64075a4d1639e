"""Where a lowered network keeps things: a variable for each process' location, its locals, each channel, control."""

from __future__ import annotations

from collections.abc import Iterator

from clew.core.diagnostics import NOWHERE, InputError
from clew.core.expressions import Bind, Channel, Const, Expr, Ref, RemoteRef, Variable, children, walk
from clew.core.foreign import has_foreign_code
from clew.core.interpreter import NetworkSpace
from clew.core.interpreter.program import Program
from clew.core.interpreter.show import process_name
from clew.core.interpreter.state import State
from clew.core.lowering.guess import MOST_PROCESSES, Guess, Key, message_key, narrowed
from clew.core.lowering.terms import FALSE, compared, some
from clew.core.network import Network, Step, Template
from clew.core.records import record
from clew.core.statements import Assign, Receive, Start, Statement, Terminate, expressions, statements_in
from clew.core.temporal import propositions, whole_expressions
from clew.core.types import Array, Int, Record, Type, is_scalar, scalars, slots

TRUE = Const(1, "true")


class NotLowered(InputError):
    """The network has something a transition system cannot have."""


def refuse(message: str) -> NotLowered:
    """The error to raise."""
    return NotLowered(InputError.at(NOWHERE, "not-symbolic", message).diagnostics)


@record(eq=False)
class Place:
    """What may have a pid. `permanent`: exactly one process, from the start and for ever."""

    pid: int
    templates: tuple[Template, ...]
    permanent: bool
    location: Variable
    codes: dict[tuple[str, int], int]  # (template, location) to the value of `location`; 0 is "none" if not permanent

    def at(self, template: Template, location: int) -> Expr:
        if len(self.codes) == 1 and self.permanent:
            return TRUE
        return compared("==", Ref(self.location), self.codes[template.name, location])

    def holds(self, template: Template) -> Expr:
        """Whether a process of this template has the pid now."""
        if self.permanent:
            return TRUE if template in self.templates else FALSE
        if template not in self.templates:
            return FALSE
        if len(self.templates) == 1:
            return self.taken
        return some(self.at(template, location.number) for location in template.locations)

    @property
    def taken(self) -> Expr:
        return TRUE if self.permanent else compared("!=", Ref(self.location), 0)


@record(eq=False)
class Queue:
    """A channel by its number. `variable` None: a handshake channel."""

    number: int
    kind: int
    channel: Channel
    variable: Variable | None
    owner: tuple[int, str] | None  # pid and template of the process it belongs to

    @property
    def length(self) -> Ref:
        assert self.variable is not None
        return Ref(self.variable, ("length",))

    def item(self, place: Expr | int, number: int) -> Ref:
        assert self.variable is not None
        index = Const(place) if isinstance(place, int) else place
        return Ref(self.variable, ("messages", index, f"f{number}"))


class Memory:
    """All variables of the lowered network. Raises NotLowered."""

    def __init__(self, network: Network, space: NetworkSpace, guess: Guess) -> None:
        self.network = network
        self.guess = guess
        self.program: Program = space.program
        self.start: State = space.initial()[0]
        self.variables: list[Variable] = []
        self.frame = 0
        self.clusters: list[tuple[Variable, ...]] = []
        self.keys: dict[Variable, Key] = {}
        self.handles: dict[Variable, tuple[int, Key]] = {}
        self._written = set(_written(network))
        self.dropped = frozenset(unmatched(network))  # written, never read: kept nowhere
        self.globals: dict[Variable, Variable | tuple[int, ...]] = {}
        self.locals: dict[tuple[int, str, Variable], Variable | tuple[int, ...]] = {}
        self.control: Variable | None = None
        self.last: Variable | None = None
        self._declare_globals()
        self.places = [self._place(pid) for pid in range(len(guess.places))]
        self.queues = list(self._queues())
        self._declare_scheduler()

    # --- declaring

    def variable(self, name: str, type_: Type, shown: bool = True) -> Variable:
        made = Variable(name, type_, self.frame, shown=shown)
        self.variables.append(made)
        self.frame += slots(type_)
        return made

    def _declare_globals(self) -> None:
        for variable in self.network.variables:
            values = self.start.globals[variable.slot : variable.slot + slots(variable.type)]
            key = ("", variable.name)
            if variable in self.dropped:
                continue
            if variable not in self._written and is_scalar(variable.type):
                self.globals[variable] = values
            else:
                self.globals[variable] = self._declared(-1, variable, variable.name, key)

    def _declared(self, pid: int, variable: Variable, name: str, key: Key) -> Variable:
        made = self.variable(name, narrowed(variable.type, key, self.guess), variable.shown)
        self.keys[made] = key
        self.handles[made] = (pid, key)
        return made

    def _place(self, pid: int) -> Place:
        templates = tuple(self.network.templates[n] for n in self.guess.places[pid])
        initial = self.start.processes[pid].template if pid < len(self.start.processes) else None
        permanent = initial is not None and not any(
            isinstance(s, Terminate) for t in templates for step in _steps(t) for s in statements_in(step.block)
        )
        names = "|".join(process_name(t.name) for t in templates)
        codes: dict[tuple[str, int], int] = {}
        for template in templates:
            for location in template.locations:
                codes[template.name, location.number] = len(codes) + (0 if permanent else 1)
        highest = max(codes.values(), default=0)
        at = self.variable(f"{names}({pid})@", Int("location", max(1, highest.bit_length())), shown=False)
        cluster = [at]
        for template in templates:
            for variable in template.variables:
                name = f"{process_name(template.name)}({pid}).{variable.name}"
                key = (template.name, variable.name)
                if variable in self.dropped:
                    continue
                if permanent and variable not in self._written and is_scalar(variable.type):
                    self.locals[pid, template.name, variable] = self.start.processes[pid].locals[
                        variable.slot : variable.slot + 1
                    ]
                else:
                    made = self._declared(pid, variable, name, key)
                    self.locals[pid, template.name, variable] = made
                    cluster.append(made)
        self.clusters.append(tuple(cluster))
        return Place(pid, templates, permanent, at, codes)

    def _queues(self) -> Iterator[Queue]:
        number = 0
        for name, channel in _channels(self.network.variables):
            number += 1
            yield self._queue(number, name, channel, None)
        for place in self.places:
            owned = [(t, list(_channels(t.variables))) for t in place.templates]
            if len(owned) > 1 and any(found for _, found in owned):
                raise refuse("processes of several kinds, some with channels of their own, may get the same pid")
            for template, found in owned:
                for name, channel in found:
                    number += 1
                    full = f"{process_name(template.name)}({place.pid}).{name}"
                    yield self._queue(number, full, channel, (place.pid, template.name))

    def _queue(self, number: int, name: str, channel: Channel, owner: tuple[int, str] | None) -> Queue:
        kind = self.program.channels.index(channel)
        if channel.capacity == 0:
            return Queue(number, kind, channel, None, owner)
        fields = tuple(
            (f"f{n}", narrowed(type_, message_key(kind, n), self.guess)) for n, type_ in enumerate(channel.fields)
        )
        length = Int("length", channel.capacity.bit_length())
        parts = (("length", length), ("messages", Array(Record("message", fields), channel.capacity)))
        return Queue(number, kind, channel, self.variable(f"{name}#", Record("channel", parts), shown=False), owner)

    def _declare_scheduler(self) -> None:
        if any(step.keeps_control for template in self.network.templates for step in _steps(template)):
            self.control = self.variable("control", Int("control", len(self.places).bit_length()), shown=False)
        if self.network.tracks_last:
            bits = max(1, (len(self.places) - 1).bit_length())
            self.last = self.variable("_last", Int("pid", bits), shown=False)

    # --- the state in these variables

    def encoded(self, state: State) -> list[int]:
        """The values of all slots; the state must be one that the guess has room for."""
        values = [0] * self.frame
        for variable, made in self.globals.items():
            if isinstance(made, Variable):
                size = slots(variable.type)
                values[made.slot : made.slot + size] = state.globals[variable.slot : variable.slot + size]
        for place, process in zip(self.places, state.processes, strict=False):
            template = self.network.templates[process.template]
            values[place.location.slot] = place.codes[template.name, process.location]
            for variable in template.variables:
                kept = self.locals.get((place.pid, template.name, variable))
                if isinstance(kept, Variable):
                    size = slots(variable.type)
                    values[kept.slot : kept.slot + size] = process.locals[variable.slot : variable.slot + size]
        for queue, (_, messages) in zip(self.queues, state.channels, strict=False):
            if queue.variable is not None:
                flat = [value for message in messages for value in message]
                values[queue.variable.slot : queue.variable.slot + 1 + len(flat)] = [len(messages), *flat]
        if self.control is not None:
            values[self.control.slot] = state.control + 1
        if self.last is not None:
            values[self.last.slot] = state.last
        return values

    def initial(self) -> Iterator[Expr]:
        """That each slot has its value in the initial state."""
        values = self.encoded(self.start)
        for variable in self.variables:
            for offset, ref in enumerate(scalar_refs(variable)):
                yield compared("==", ref, values[variable.slot + offset])


def check_lowerable(network: Network) -> None:
    """Raises NotLowered for what no transition system has."""
    if has_foreign_code(network):
        raise refuse("embedded C")
    if network.uses_priorities:
        raise refuse("priorities of processes")
    read = set(_read(network))
    hidden = [variable.name for variable in unmatched(network) if variable in read]
    if hidden:
        raise refuse(f"variables that are read and part of no state: {', '.join(hidden)}")


def unmatched(network: Network) -> Iterator[Variable]:
    """The variables that are part of no state."""
    for variable in (*network.variables, *(v for template in network.templates for v in template.variables)):
        if not variable.matched:
            yield variable


def _read(network: Network) -> Iterator[Variable]:
    """The variables that steps, clauses, initial values and formulas look at."""
    exprs: list[Expr] = [template.provided for template in network.templates if template.provided is not None]
    exprs += [arg for instance in network.instances for arg in instance.args]
    for variable in (*network.variables, *(v for template in network.templates for v in template.variables)):
        items = variable.initial if isinstance(variable.initial, tuple) else (variable.initial,)
        exprs += [item for item in items if item is not None and not isinstance(item, Channel)]
    for formula in network.formulas:
        for proposition in propositions(formula.body):
            exprs += whole_expressions(proposition.meaning)
    for template in network.templates:
        for step in _steps(template):
            for statement in statements_in(step.block):
                stored = _targets(statement)
                for expr in expressions(statement):
                    exprs += children(expr) if expr in stored else (expr,)
    for expr in exprs:
        for part in walk(expr):
            if isinstance(part, Ref):
                yield part.variable
            elif isinstance(part, RemoteRef):
                yield part.ref.variable


def _targets(statement: Statement) -> list[Ref]:
    """What a statement stores through."""
    match statement:
        case Assign(target, _):
            return [target]
        case Receive(_, pattern):
            return [item.target for item in pattern if isinstance(item, Bind) and item.target is not None]
        case Start(_, _, Ref() as target):
            return [target]
        case _:
            return []


def check_places(guess: Guess) -> None:
    if len(guess.places) > MOST_PROCESSES:
        raise refuse(f"more than {MOST_PROCESSES} processes at the same time")


def scalar_refs(variable: Variable) -> Iterator[Ref]:
    def inside(type_: Type, path: tuple[Expr | str, ...]) -> Iterator[Ref]:
        match type_:
            case Array(element, size):
                for index in range(size):
                    yield from inside(element, (*path, Const(index)))
            case Record(_, fields):
                for name, inner in fields:
                    yield from inside(inner, (*path, name))
            case _:
                yield Ref(variable, path)

    return inside(variable.type, ())


def _channels(variables: tuple[Variable, ...]) -> Iterator[tuple[str, Channel]]:
    for variable in variables:
        names = [name for name, _ in scalars(variable.type, variable.name)]
        initial = variable.initial if isinstance(variable.initial, tuple) else (variable.initial,) * len(names)
        for name, item in zip(names, initial, strict=False):
            if isinstance(item, Channel):
                yield name, item


def _steps(template: Template) -> Iterator[Step]:
    for location in template.locations:
        for choice in location.choices:
            yield from choice


def _written(network: Network) -> Iterator[Variable]:
    for template in network.templates:
        for step in _steps(template):
            for statement in statements_in(step.block):
                yield from (target.variable for target in _targets(statement))
