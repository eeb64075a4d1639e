"""Steps of a network as actions: who may move when, handshakes, control, `timeout`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.core.expressions import TRUE, Const, Expr, Global, Match, Ref, Variable, walk
from clew.core.interpreter.show import process_name
from clew.core.interpreter.state import Move
from clew.core.lowering.memory import Memory, Place, Queue, refuse
from clew.core.lowering.reader import Reader, Who
from clew.core.lowering.terms import FALSE, both, chosen, compared, either, every, is_false, is_true, negated, some
from clew.core.lowering.writer import Writer, converted
from clew.core.network import Location, Step, Template
from clew.core.procedures import Block, Check, Claim, Command, If
from clew.core.properties import Violation
from clew.core.records import record
from clew.core.statements import Assign, Flow, Guard, Otherwise, Receive, Send, Terminate, expressions, statements_in
from clew.core.transition_system import Action


@record
class Receptor:
    """A receive that may take part in a handshake, and where its step goes on inside a flowchart (None: nowhere)."""

    receive: Receive
    flow: Flow | None = None
    branch: int = 0


@record
class Partner:
    """How a process receives a message in a handshake: by which step, and under which condition."""

    who: Who
    step: Step
    queue: Queue
    condition: Expr


class Steps:
    """All actions of a lowered network."""

    def __init__(self, memory: Memory, reader: Reader, writer: Writer) -> None:
        self.memory, self.reader, self.writer = memory, reader, writer
        self._offers: dict[tuple[int, str, int], Expr] = {}
        self._partners: dict[tuple[int, str, int, bool], list[Partner]] = {}
        self.timeout: Expr = FALSE
        if any(_asks_timeout(step) for template in memory.network.templates for step in _all_steps(template)):
            self.timeout = negated(self._anybody())

    def actions(self) -> Iterator[Action]:
        for place in self.memory.places:
            for template in place.templates:
                who = Who(place, template, timeout=self.timeout)
                for location in template.locations:
                    for step, condition, partner in self._offered(who, location):
                        yield self._action(who, step, condition, partner)

    def ended(self) -> Expr:
        """Whether every process is where it may rest for ever."""
        return every(
            either(
                negated(place.taken),
                *(
                    place.at(template, location.number)
                    for template in place.templates
                    for location in template.locations
                    if location.final
                ),
            )
            for place in self.memory.places
        )

    # --- who may move

    def _anybody(self) -> Expr:
        """Whether a process can move without anything waiting for `timeout`."""
        return some(
            both(place.at(template, location.number), self.can_move(place, template, location.number))
            for place in self.memory.places
            for template in place.templates
            for location in template.locations
        )

    def can_move(self, place: Place, template: Template, location: int) -> Expr:
        """Whether the process, being there, has a step that does not wait for `timeout`."""
        key = (place.pid, template.name, location)
        if key not in self._offers:
            where = next(known for known in template.locations if known.number == location)
            offers = (condition for _, condition, _ in self._offered(Who(place, template), where))
            self._offers[key] = some(offers)
        return self._offers[key]

    def _offered(self, who: Who, location: Location) -> Iterator[tuple[Step, Expr, Partner | None]]:
        """The steps of a process at a location, each with its condition (that it is there is not part of it)."""
        may = self._provided(who)
        free: Expr = TRUE  # no earlier choice has a step
        for choice in location.choices:
            offers: list[tuple[Step, Expr, Partner | None]] = []
            has_else = False
            for step in choice:
                if step.block and isinstance(step.block[0], Otherwise):
                    offers.append((step, negated(some(condition for _, condition, _ in offers)), None))
                    has_else = True
                else:
                    offers += self._offers_of(who, step)
            for step, condition, partner in offers:
                whole = both(may, free, condition)
                if not is_false(whole):
                    yield step, whole, partner
            if len(location.choices) > 1:
                free = both(free, negated(some(condition for _, condition, _ in offers)))
            if has_else:
                return

    def _offers_of(self, who: Who, step: Step) -> Iterator[tuple[Step, Expr, Partner | None]]:
        head = step.block[0] if step.block else None
        alone = TRUE if head is None else self.writer.first(head, who).offered
        yield step, alone, None
        if isinstance(head, Send):
            message = every(self.reader.value(arg, who).defined for arg in head.args)
            for partner in self._partners_of(who, step, head):
                yield step, both(message, partner.condition), partner

    def _provided(self, who: Who) -> Expr:
        if who.template.provided is None:
            return TRUE
        term = self.reader.test(who.template.provided, who)
        if not is_true(term.defined):
            raise refuse("a `provided` clause that may break down")
        return term.value

    # --- handshakes

    def _partners_of(self, who: Who, step: Step, send: Send) -> list[Partner]:
        key = (who.place.pid, who.template.name, step.index, who.timeout is FALSE)
        if key not in self._partners:
            cases, _ = self.reader.channels(send.channel, who)
            self._partners[key] = [
                partner
                for condition, queue in cases
                if queue.variable is None
                for partner in self._receivers(who, step, send, queue, condition)
            ]
        return self._partners[key]

    def _receivers(self, who: Who, step: Step, send: Send, queue: Queue, condition: Expr) -> Iterator[Partner]:
        message = self._message(send, queue, who)
        for place in self.memory.places:
            if place.pid == who.place.pid:
                continue
            for template in place.templates:
                other = Who(place, template, (who.place.pid, step.target), who.timeout)
                for location in template.locations:
                    yield from self._receiving(other, location, queue, message, condition)

    def _receiving(
        self, who: Who, location: Location, queue: Queue, message: Sequence[Expr], condition: Expr
    ) -> Iterator[Partner]:
        free: Expr = TRUE
        for choice in location.choices:
            accepted = []
            for step in choice:
                accepts = some(self._takes(receptor, who, queue, message) for receptor in _receptors(step))
                if is_false(accepts):
                    continue
                accepted.append(accepts)
                there = who.place.at(who.template, location.number)
                yield Partner(
                    replace(who, moved=None),
                    step,
                    queue,
                    both(there, condition, self._provided(who), free, accepts),
                )
            if accepted:
                free = both(free, negated(some(accepted)))

    def _takes(self, receptor: Receptor, who: Who, queue: Queue, message: Sequence[Expr]) -> Expr:
        """Whether the receive listens to the channel and the message fits, or asking breaks down."""
        cases, _ = self.reader.channels(receptor.receive.channel, who)
        listens = some(condition for condition, known in cases if known is queue)
        if is_false(listens):
            return FALSE
        if len(receptor.receive.pattern) > len(message):
            return listens
        tests, defined = self._fits(receptor, who, message)
        return both(listens, either(negated(defined), tests))

    def _fits(self, receptor: Receptor, who: Who, message: Sequence[Expr]) -> tuple[Expr, Expr]:
        tests, defined = [], []
        for item, value in zip(receptor.receive.pattern, message, strict=False):
            if isinstance(item, Match):
                term = self.reader.value(item.value, who)
                defined.append(term.defined)
                tests.append(compared("==", value, term.value))
        return every(tests), every(defined)

    def _message(self, send: Send, queue: Queue, who: Who) -> list[Expr]:
        given = [self.reader.value(arg, who).value for arg in send.args]
        fields = queue.channel.fields
        message = [converted(value, type_) for value, type_ in zip(given, fields, strict=False)]
        return message + [Const(0)] * (len(fields) - len(message))

    # --- actions

    def _action(self, who: Who, step: Step, condition: Expr, partner: Partner | None) -> Action:
        place = who.place
        mine = both(place.at(who.template, step.source), self._has_control(place), condition)
        name = f"{process_name(who.template.name)}({place.pid}) {step.index}"
        parameters: tuple[Variable, ...] = ()
        if partner is None:
            body = self._alone(who, step)
            mover, last_step = who, step
        else:
            name += f" with {partner.who.place.pid} {partner.step.index}"
            body, parameters = self._handshake(who, step, partner, name)
            mover, last_step = partner.who, partner.step
        body = (Guard(mine), *body, *self._control_after(mover, last_step))
        origin = (
            Move(place.pid, step.index)
            if partner is None
            else Move(place.pid, step.index, partner.who.place.pid, partner.step.index)
        )
        return Action(name, body, parameters, step.text, step.span, process_name(who.template.name), place.pid, origin)

    def _has_control(self, place: Place) -> Expr:
        if self.memory.control is None:
            return TRUE
        control = Ref(self.memory.control)
        return either(compared("==", control, 0), compared("==", control, place.pid + 1))

    def _alone(self, who: Who, step: Step) -> Block:
        if not step.block:
            return self._left(who, step)
        head, *others = step.block
        if others and _uses_timeout_late(step):
            raise refuse("`timeout` behind the first statement of a step")
        run = self.writer.first(head, who).run
        return (*run, *self.writer.block(others, who), *self._left(who, step))

    def _left(self, who: Who, step: Step) -> Block:
        """The process is at the target of the step, unless it is gone."""
        if any(isinstance(statement, Terminate) for statement in statements_in(step.block)):
            if not isinstance(step.block[-1], Terminate):
                raise refuse("a process that ends in the middle of a step")
            return ()
        code = who.place.codes[who.template.name, step.target]
        return (Assign(Ref(who.place.location), Const(code)),)

    def _handshake(self, who: Who, step: Step, partner: Partner, name: str) -> tuple[Block, tuple[Variable, ...]]:
        send = step.block[0]
        assert isinstance(send, Send)
        fields = partner.queue.channel.fields
        message = self._message(send, partner.queue, who)
        commands: list[Command] = []
        parameters: tuple[Variable, ...] = ()
        if len(step.block) > 1:  # what is sent is computed before the sender goes on
            parameters = tuple(Variable(f"message{n}", type_, n, name) for n, type_ in enumerate(fields))
            commands += [Guard(compared("==", Ref(p), value)) for p, value in zip(parameters, message, strict=True)]
            message = [Ref(parameter) for parameter in parameters]
        if len(send.args) != len(fields):
            text = f"{len(send.args)} values sent to a channel whose messages have {len(fields)}"
            commands.append(Claim(FALSE, Violation("runtime-error", text, send.span, who.place.pid)))
        commands += self.writer.block(step.block[1:], who)
        commands += self._left(who, step)
        commands += self._taken(partner, message)
        commands += self.writer.block(partner.step.block[1:], partner.who)
        commands += self._left(partner.who, partner.step)
        return tuple(commands), parameters

    def _taken(self, partner: Partner, message: Sequence[Expr]) -> Block:
        """The first receive of the partner's step that takes the message takes it."""
        block: Block = (Check(FALSE, Violation("runtime-error", "a step breaks down", partner.step.span)),)
        for receptor in reversed(list(_receptors(partner.step))):
            takes = self._takes(receptor, partner.who, partner.queue, message)
            if is_false(takes):
                continue
            inside: list[Command] = []
            receive = receptor.receive
            if len(receive.pattern) > len(message):
                inside.append(Check(FALSE, Violation("runtime-error", "a step breaks down", receive.span)))
            else:
                _, defined = self._fits(receptor, partner.who, message)
                if not is_true(defined):
                    inside.append(Check(defined, Violation("runtime-error", "a step breaks down", receive.span)))
                inside += self.writer.bind(receive, message, partner.queue.channel, partner.who)
                if receptor.flow is not None:
                    branch = receptor.flow.nodes[0][receptor.branch]
                    inside += self.writer.block(branch.block[1:], partner.who)
                    inside += self.writer.flow_from(receptor.flow, branch.target, partner.who)
            block = (If(takes, tuple(inside), block),)
        return block

    def _control_after(self, mover: Who, step: Step) -> Block:
        commands: list[Command] = []
        if self.memory.last is not None:
            commands.append(Assign(Ref(self.memory.last), Const(mover.place.pid)))
        if self.memory.control is not None:
            value: Expr = Const(0)
            gone = bool(step.block) and isinstance(step.block[-1], Terminate)
            if step.keeps_control and not gone:
                goes_on = self.can_move(mover.place, mover.template, step.target)
                value = chosen(goes_on, Const(mover.place.pid + 1), value)
            commands.append(Assign(Ref(self.memory.control), value))
        return tuple(commands)


def _receptors(step: Step) -> Iterator[Receptor]:
    """The receives by which a step may begin with a handshake."""
    head = step.block[0] if step.block else None
    match head:
        case Receive(keep=False):
            yield Receptor(head)
        case Flow(nodes):
            for number, branch in sorted(
                enumerate(nodes[0]), key=lambda pair: bool(pair[1].block) and isinstance(pair[1].block[0], Otherwise)
            ):
                if branch.block and isinstance(branch.block[0], Receive) and not branch.block[0].keep:
                    yield Receptor(branch.block[0], head, number)


def _all_steps(template: Template) -> Iterator[Step]:
    for location in template.locations:
        for choice in location.choices:
            yield from choice


def _asks(expr: Expr) -> bool:
    return any(isinstance(part, Global) and part.what == "timeout" for part in walk(expr))


def _asks_timeout(step: Step) -> bool:
    return any(_asks(expr) for statement in statements_in(step.block) for expr in expressions(statement))


def _uses_timeout_late(step: Step) -> bool:
    return any(_asks(expr) for statement in statements_in(step.block[1:]) for expr in expressions(statement))
