"""Statements of a network as commands over the variables of its memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from clew.core.diagnostics import Span
from clew.core.expressions import (
    TRUE,
    Binary,
    Bind,
    Channel,
    Const,
    Expr,
    Ref,
    Variable,
    walk,
)
from clew.core.lowering.guess import Growth
from clew.core.lowering.memory import Memory, Place, Queue, refuse, scalar_refs
from clew.core.lowering.reader import Reader, Who, bound_variables
from clew.core.lowering.terms import FALSE, both, chosen, compared, either, every, is_false, is_true, negated, some
from clew.core.network import Template
from clew.core.procedures import Block, Check, Claim, Command, Flowchart, If, Simultaneous, Way
from clew.core.properties import Violation
from clew.core.records import record
from clew.core.statements import (
    Assert,
    Assign,
    Branch,
    Flow,
    Guard,
    Otherwise,
    Print,
    Receive,
    Send,
    Start,
    Statement,
    Terminate,
)
from clew.core.types import ChannelRef, Int, Scalar, scalars, wrap


@record
class First:
    """A statement that may begin a step: when the step is offered (also if asking breaks down), and what it does."""

    offered: Expr
    run: Block


@dataclass(slots=True)
class Writer:
    """Lowers statements. `growths` says what to enlarge when a violation of kind `bound` can be reached."""

    memory: Memory
    reader: Reader
    growths: dict[Violation, Growth] = field(default_factory=dict)

    # --- beginning a step

    def first(self, statement: Statement, who: Who) -> First:
        match statement:
            case Guard(value, span):
                term = self.reader.test(value, who)
                return First(either(negated(term.defined), term.value), self._sure(term.defined, span))
            case Send():
                return self._first_send(statement, who)
            case Receive():
                return self._first_receive(statement, who)
            case Terminate():
                return First(self._youngest(who.place), self._terminate(who))
            case Flow():
                return First(self._flow_ready(statement, who), (self._flow(statement, who),))
            case _:
                return First(TRUE, self.rest(statement, who))

    def _first_send(self, send: Send, who: Who) -> First:
        """Alone: into a channel that holds messages, or breaking down. Handshakes are another matter."""
        cases, exists = self.reader.channels(send.channel, who)
        message = every(self.reader.value(arg, who).defined for arg in send.args)
        offers = [negated(exists)]
        for condition, queue in cases:
            if queue.variable is None:
                offers.append(both(condition, negated(message)))
            else:
                offers.append(both(condition, TRUE if send.lossy else _room(queue)))
        return First(
            some(offers), (*self._sure(exists, send.span), *self._sure(message, send.span), *self._sent(send, who))
        )

    def _first_receive(self, receive: Receive, who: Who) -> First:
        cases, exists = self.reader.channels(receive.channel, who)
        offers = [negated(exists)]
        for condition, queue in cases:
            if queue.variable is not None:
                found, defined = self.reader.fitting(queue, receive.pattern, receive.anywhere, who)
                offers.append(both(condition, either(some(found), negated(defined))))
            elif receive.keep:
                offers.append(condition)
        return First(some(offers), (*self._sure(exists, receive.span), *self._received(receive, who)))

    # --- statements that must not block

    def rest(self, statement: Statement, who: Who) -> Block:
        match statement:
            case Guard(value, span):
                term = self.reader.test(value, who)
                return (*self._sure(term.defined, span), *self._unblocked(term.value, span))
            case Otherwise():
                return ()
            case Assign(target, value, span):
                term = self.reader.value(value, who)
                return (*self._sure(term.defined, span), *self.store(target, term.value, who, span))
            case Send(channel, args, span=span):
                cases, exists = self.reader.channels(channel, who)
                message = every(self.reader.value(arg, who).defined for arg in args)
                can = some(
                    both(condition, TRUE if statement.lossy else _room(queue))
                    for condition, queue in cases
                    if queue.variable is not None
                )
                return (
                    *self._sure(both(exists, message), span),
                    *self._unblocked(can, span),
                    *self._sent(statement, who),
                )
            case Receive(channel, span=span):
                cases, exists = self.reader.channels(channel, who)
                ready: list[Expr] = []
                for condition, queue in cases:
                    if queue.variable is not None:
                        found, defined = self.reader.fitting(queue, statement.pattern, statement.anywhere, who)
                        ready.append(both(condition, defined, some(found)))
                return (*self._sure(exists, span), *self._unblocked(some(ready), span), *self._received(statement, who))
            case Start():
                return self._start(statement, who)
            case Terminate(span):
                return (*self._unblocked(self._youngest(who.place), span), *self._terminate(who))
            case Assert(value, span):
                term = self.reader.test(value, who)
                violation = Violation("assertion", "assertion violated", span, who.place.pid)
                return (*self._sure(term.defined, span), Claim(term.value, violation))
            case Print(_, args, span):
                return self._sure(every(self.reader.value(arg, who).defined for arg in args), span)
            case Flow():
                return (self._flow(statement, who),)
            case _:
                raise refuse(f"a statement of kind {type(statement).__name__}")

    def block(self, statements: Sequence[Statement], who: Who) -> Block:
        return tuple(command for statement in statements for command in self.rest(statement, who))

    # --- storing

    def store(self, target: Ref, value: Expr, who: Who, span: Span) -> Block:
        if target.variable in self.memory.dropped:
            return self._sure(self.reader.indices(target, who), span)
        found, right = self.reader.ref(target, who, who.place.pid, who.template)
        if not isinstance(found, Ref):
            raise refuse(f"a change of {target.variable.name}, which never changes")
        declared = next(type_ for _, type_ in scalars(target.type))
        checks = self._sure(right, span)
        return (*checks, *self._stored(found, value, declared, span))

    def _stored(self, place: Ref, value: Expr, declared: Scalar, span: Span) -> Block:
        """Stores a value as one of the declared type, and checks that the place has room for it."""
        narrow = next(type_ for _, type_ in scalars(place.type))
        value = converted(value, declared)
        checks: list[Command] = []
        if narrow.bits < declared.bits or _sign(narrow) != _sign(declared):
            key = (*self.memory.keys.get(place.variable, ()), *(p for p in place.path if isinstance(p, str)))
            checks += self._bounded(value, narrow, Growth("bits", key, signed=_sign(declared)), span)
        handle = self.memory.handles.get(place.variable)
        if isinstance(declared, ChannelRef) and handle is not None:
            pid, key = handle
            key = (*key, *(p for p in place.path if isinstance(p, str)))
            known = self.memory.guess.channels.get((pid, key))
            if known is not None and len(known) <= len(self.memory.queues):
                fits = some(compared("==", value, number) for number in sorted(known))
                checks += self._beyond(fits, Growth("channel", key, pid), span)
        return (*checks, Assign(place, value, span))

    def _bounded(self, value: Expr, narrow: Scalar, growth: Growth, span: Span) -> Block:
        low, high = (narrow.low, narrow.high) if isinstance(narrow, Int) else (0, (1 << narrow.bits) - 1)
        if isinstance(value, Const) and low <= value.value <= high:
            return ()
        return self._beyond(both(compared(">=", value, low), compared("<=", value, high)), growth, span)

    def _beyond(self, fits: Expr, growth: Growth, span: Span) -> Block:
        if is_true(fits):
            return ()
        violation = Violation("bound", f"more than was guessed: {growth}", span)
        self.growths[violation] = growth
        return (Check(fits, violation),)

    # --- messages

    def _sent(self, send: Send, who: Who) -> Block:
        return self._by_channel(send.channel, who, lambda queue: self._put(send, queue, who))

    def _put(self, send: Send, queue: Queue, who: Who) -> Block:
        fields = queue.channel.fields
        if queue.variable is None:
            return (Check(FALSE, self._error("a handshake inside an indivisible sequence", send.span)),)
        given = [self.reader.value(arg, who).value for arg in send.args]
        stored = [converted(value, type_) for value, type_ in zip(given, fields, strict=False)]
        stored += [Const(0)] * (len(fields) - len(stored))
        room: list[Command] = []
        if send.sorted:
            room += self._inserted(queue, given, stored, send.span)
        else:
            for number, (value, type_) in enumerate(zip(stored, fields, strict=True)):
                room += self._message_fits(queue, number, value, type_, send.span)
                room.append(Assign(queue.item(queue.length, number), value, send.span))
        room.append(Assign(queue.length, Binary("+", queue.length, Const(1)), send.span))
        counted = self._counted(len(send.args), queue, send.span)
        return (*counted, If(_room(queue), tuple(room), (), send.span))

    def _message_fits(self, queue: Queue, number: int, value: Expr, declared: Scalar, span: Span) -> Block:
        narrow = next(type_ for _, type_ in scalars(queue.item(0, number).type))
        if narrow.bits >= declared.bits and _sign(narrow) == _sign(declared):
            return ()
        key = ("#", str(queue.kind), str(number))
        return self._bounded(value, narrow, Growth("bits", key, signed=_sign(declared)), span)

    def _inserted(self, queue: Queue, given: Sequence[Expr], stored: Sequence[Expr], span: Span) -> Iterator[Command]:
        """Before the first message that is larger, compared field by field with the values given."""
        for number, (value, type_) in enumerate(zip(stored, queue.channel.fields, strict=True)):
            yield from self._message_fits(queue, number, value, type_, span)
        capacity = queue.channel.capacity
        larger = [
            both(compared(">", queue.length, place), _after([queue.item(place, n) for n in range(len(stored))], given))
            for place in range(capacity)
        ]
        behind = [some(larger[: place + 1]) for place in range(capacity)]  # the new one goes to this place or before it
        moves = []
        for place in range(capacity):
            here = either(behind[place], compared("==", queue.length, place))
            for number, value in enumerate(stored):
                shifted = queue.item(place - 1, number) if place > 0 else value
                before = behind[place - 1] if place > 0 else FALSE
                new = chosen(before, shifted, chosen(here, value, queue.item(place, number)))
                moves.append(Assign(queue.item(place, number), new, span))
        yield Simultaneous(tuple(moves), span)

    def _counted(self, given: int, queue: Queue, span: Span) -> Block:
        if given == len(queue.channel.fields):
            return ()
        return (Claim(FALSE, self._error(f"{given} values sent to a channel with another number of fields", span)),)

    def _received(self, receive: Receive, who: Who) -> Block:
        return self._by_channel(receive.channel, who, lambda queue: self._taken(receive, queue, who))

    def _taken(self, receive: Receive, queue: Queue, who: Who) -> Block:
        if queue.variable is None:
            return (Check(FALSE, self._error("a handshake channel cannot be polled", receive.span)),)
        found, defined = self.reader.fitting(queue, receive.pattern, receive.anywhere, who)
        checks = self._sure(
            both(defined, TRUE if len(receive.pattern) <= len(queue.channel.fields) else FALSE), receive.span
        )
        values = []
        for number in range(len(queue.channel.fields)):
            value: Expr = queue.item(len(found) - 1, number)
            for place in range(len(found) - 2, -1, -1):
                value = chosen(found[place], queue.item(place, number), value)
            values.append(value)
        bound = self.bind(receive, values, queue.channel, who)
        if receive.keep:
            return (*checks, *bound)
        return (
            *checks,
            *_joined(bound, self._removed(queue, found, receive.span)),
            *self._shorter(queue, receive.span),
        )

    def bind(self, receive: Receive, message: Sequence[Expr], channel: Channel, who: Who) -> Block:
        """Stores the fields of a message, and what is said about fields that are dropped."""
        self._refuse_bound_indices(receive)
        commands: list[Command] = []
        for item, value in zip(receive.pattern, message, strict=False):
            if isinstance(item, Bind) and item.target is not None:
                commands += self.store(item.target, value, who, receive.span)
        if not receive.keep and len(receive.pattern) < len(channel.fields):
            commands.append(Claim(FALSE, self._error("only some fields of a message are received", receive.span)))
        return tuple(commands)

    def _refuse_bound_indices(self, receive: Receive) -> None:
        bound = set(bound_variables(receive.pattern))
        if len(bound) < len(bound_variables(receive.pattern)):
            return  # the last one counts, as in a sequence
        for item in receive.pattern:
            if isinstance(item, Bind) and item.target is not None:
                for index in item.target.path:
                    if not isinstance(index, str) and any(
                        isinstance(part, Ref) and part.variable in bound for part in walk(index)
                    ):
                        raise refuse("a receive that stores into an element whose index it receives")

    def _removed(self, queue: Queue, found: Sequence[Expr], span: Span) -> Sequence[Assign]:
        capacity, moves = queue.channel.capacity, []
        for place in range(capacity):
            taken = some(found[: place + 1]) if len(found) > 1 else TRUE
            for number in range(len(queue.channel.fields)):
                following: Expr = queue.item(place + 1, number) if place + 1 < capacity else Const(0)
                moves.append(
                    Assign(queue.item(place, number), chosen(taken, following, queue.item(place, number)), span)
                )
        return moves

    def _shorter(self, queue: Queue, span: Span) -> Block:
        return (Assign(queue.length, Binary("-", queue.length, Const(1)), span),)

    def _by_channel(self, channel: Expr, who: Who, make: Callable[[Queue], Block]) -> Block:
        cases, _ = self.reader.channels(channel, who)
        block: Block = ()
        for condition, queue in reversed(cases):
            block = make(queue) if is_true(condition) else (If(condition, make(queue), block),)
        return block

    # --- processes

    def _youngest(self, place: Place) -> Expr:
        following = self.memory.places[place.pid + 1 : place.pid + 2]
        return every(negated(other.taken) for other in following)

    def _terminate(self, who: Who) -> Block:
        commands: list[Command] = [Assign(Ref(who.place.location), Const(0))]
        for (pid, name, _), kept in self.memory.locals.items():
            if pid == who.place.pid and name == who.template.name and isinstance(kept, Variable):
                commands += _cleared(kept)
        for queue in self.memory.queues:
            if queue.owner == (who.place.pid, who.template.name) and queue.variable is not None:
                commands += _cleared(queue.variable)
        return tuple(commands)

    def _start(self, start: Start, who: Who) -> Block:
        index = self.memory.program.template_index[start.template]
        template = self.memory.network.templates[index]
        args = [self.reader.value(arg, who) for arg in start.args]
        places = self.memory.places
        block = self._beyond(FALSE, Growth("place", pid=len(places), template=index), start.span)
        for place in reversed(places):
            if place.permanent:
                continue
            before = places[place.pid - 1].taken if place.pid > 0 else TRUE
            here = both(before, negated(place.taken))
            if template in place.templates:
                inside = self._created(start, template, place, [arg.value for arg in args], who)
            else:
                inside = self._beyond(FALSE, Growth("place", pid=place.pid, template=index), start.span)
            block = (If(here, inside, block, start.span),)
        return (*self._sure(every(arg.defined for arg in args), start.span), *block)

    def _created(self, start: Start, template: Template, place: Place, args: Sequence[Expr], who: Who) -> Block:
        commands: list[Command] = []
        inner = Who(place, template)
        owned = iter(queue.number for queue in self.memory.queues if queue.owner == (place.pid, template.name))
        given = iter(args)
        for variable in template.variables:
            types = [type_ for _, type_ in scalars(variable.type)]
            kept = self.memory.locals.get((place.pid, template.name, variable))
            if kept is None:  # nobody reads it
                if variable in template.parameters:
                    _ = [next(given, None) for _ in types]
                continue
            assert isinstance(kept, Variable)
            places = list(scalar_refs(kept))
            if variable in template.parameters:
                values: list[Expr] = [next(given, Const(0)) for _ in places]
            else:
                values = self._initial_values(variable, len(places), inner, owned)
            for ref, type_, value in zip(places, types, values, strict=True):
                commands += self._stored(ref, value, type_, start.span)
        commands.append(Assign(Ref(place.location), Const(place.codes[template.name, template.initial]), start.span))
        if start.target is not None:
            commands += self.store(start.target, Const(place.pid), who, start.span)
        return tuple(commands)

    def _initial_values(self, variable: Variable, count: int, inner: Who, owned: Iterator[int]) -> list[Expr]:
        initial = variable.initial
        items = initial if isinstance(initial, tuple) else (initial,) * count
        values: list[Expr] = []
        for item in items:
            if item is None:
                values.append(Const(0))
            elif isinstance(item, Channel):
                values.append(Const(next(owned)))
            else:
                term = self.reader.value(item, inner)
                if not is_true(term.defined):
                    raise refuse(f"an initial value of {variable.name} that may break down")
                values.append(term.value)
        return values + [Const(0)] * (count - len(values))

    # --- flowcharts

    def _flow_ready(self, flow: Flow, who: Who) -> Expr:
        """Whether some way out of the first node can be taken, or asking breaks down."""
        return some(self._branch(branch, who)[0].offered for branch in _ordered(flow.nodes[0]))

    def _branch(self, branch: Branch, who: Who) -> tuple[First, Block]:
        """When a branch is taken, with its first statement; and the others."""
        if not branch.block:
            return First(TRUE, ()), ()
        head, *others = branch.block
        if isinstance(head, Send):
            begun = self._first_send_inside(head, who)
        else:
            begun = self.first(head, who)
        return begun, self.block(others, who)

    def _first_send_inside(self, send: Send, who: Who) -> First:
        cases, exists = self.reader.channels(send.channel, who)
        offers = [negated(exists)]
        for condition, queue in cases:
            offers.append(both(condition, TRUE if queue.variable is None or send.lossy else _room(queue)))
        message = every(self.reader.value(arg, who).defined for arg in send.args)
        return First(some(offers), (*self._sure(both(exists, message), send.span), *self._sent(send, who)))

    def _flow(self, flow: Flow, who: Who) -> Flowchart:
        nodes = []
        for node in flow.nodes:
            ways = []
            for branch in _ordered(node):
                begun, others = self._branch(branch, who)
                if not is_false(begun.offered):
                    ways.append(Way(begun.offered, (*begun.run, *others), branch.target))
            nodes.append(tuple(ways))
        return Flowchart(
            tuple(nodes),
            self._error("block in d_step: no alternative can be executed", flow.span),
            self._error("an indivisible sequence does not terminate", flow.span),
        )

    def flow_from(self, flow: Flow, node: int, who: Who) -> Block:
        """The flowchart, begun at another node."""
        if node < 0:
            return ()
        order = [node, *(n for n in range(len(flow.nodes)) if n != node)]
        renumbered = {old: new for new, old in enumerate(order)}
        nodes = tuple(tuple(Branch(b.block, renumbered.get(b.target, -1)) for b in flow.nodes[old]) for old in order)
        return (self._flow(Flow(nodes, flow.span), who),)

    # --- checks

    def _sure(self, defined: Expr, span: Span) -> Block:
        return () if is_true(defined) else (Check(defined, self._error("a step breaks down", span)),)

    def _unblocked(self, can: Expr, span: Span) -> Block:
        message = "a statement inside an indivisible sequence cannot be executed"
        return () if is_true(can) else (Check(can, self._error(message, span)),)

    def _error(self, message: str, span: Span) -> Violation:
        return Violation("runtime-error", message, span)


def _room(queue: Queue) -> Expr:
    return compared("<", queue.length, queue.channel.capacity)


def _ordered(node: Sequence[Branch]) -> list[Branch]:
    """An `Otherwise` is the last resort wherever it stands."""
    return sorted(node, key=lambda branch: bool(branch.block) and isinstance(branch.block[0], Otherwise))


def _after(message: Sequence[Expr], given: Sequence[Expr]) -> Expr:
    """Whether a stored message comes behind the values given, as sequences are ordered."""
    if not message or not given:
        return TRUE if message and not given else FALSE
    rest = _after(message[1:], given[1:])
    return either(compared(">", message[0], given[0]), both(compared("==", message[0], given[0]), rest))


def _joined(stores: Block, moves: Sequence[Assign]) -> Iterator[Command]:
    """Stores and the removal of the message at once; what is checked is checked before."""
    assignments = [command for command in stores if isinstance(command, Assign)]
    yield from (command for command in stores if not isinstance(command, Assign))
    yield Simultaneous((*assignments, *moves))


def _cleared(variable: Variable) -> Iterator[Command]:
    for ref in scalar_refs(variable):
        yield Assign(ref, Const(0))


def _sign(type_: Scalar) -> bool:
    return isinstance(type_, Int) and type_.signed


def converted(value: Expr, type_: Scalar) -> Expr:
    """The value as one of this type: cut to its bits."""
    if isinstance(value, Const):
        return Const(wrap(type_, value.value))
    if isinstance(value, Ref):
        own = next(kind for _, kind in scalars(value.type))
        if own.bits <= type_.bits and not _sign(own) and (own.bits < type_.bits or not _sign(type_)):
            return value
    if type_.bits >= 32:
        return value
    if _sign(type_):
        shift = Const(32 - type_.bits)
        return Binary(">>", Binary("<<", value, shift), shift)
    return Binary("&", value, Const((1 << type_.bits) - 1))
