"""Expressions of a network as formulas over the variables of its memory, with what makes computing them break down."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from clew.core.expressions import (
    TRUE,
    AtLocation,
    Binary,
    Bind,
    Conditional,
    Const,
    Expr,
    Fill,
    Global,
    Length,
    LocationOf,
    Match,
    Own,
    Pattern,
    Poll,
    Ref,
    RemoteRef,
    Unary,
    Variable,
)
from clew.core.formula_values import Scope, evaluate
from clew.core.lowering.memory import Memory, Place, Queue, refuse
from clew.core.lowering.terms import (
    FALSE,
    Term,
    both,
    chosen,
    compared,
    either,
    every,
    negated,
    some,
    truth,
)
from clew.core.network import Template
from clew.core.records import record
from clew.core.types import Array, Int, Record, Scalar, Type


@record
class Who:
    """For whom an expression is evaluated. `moved`: a process (pid) that is to be seen at another location, in the
    middle of a handshake. `timeout`: what `timeout` means here."""

    place: Place
    template: Template
    moved: tuple[int, int] | None = None
    timeout: Expr = FALSE


class Reader:
    """Lowers expressions over one memory. Raises NotLowered."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def value(self, expr: Expr, who: Who) -> Term:
        match expr:
            case Const():
                return Term(expr)
            case Ref():
                return self._read(expr, who, who.place.pid, who.template)
            case Unary(op, operand):
                inner = self.value(operand, who)
                return Term(truth(negated(inner.value)) if op == "!" else Unary(op, inner.value), inner.defined)
            case Binary():
                return self._binary(expr, who)
            case Conditional(test, then, other):
                condition, yes, no = self.value(test, who), self.value(then, who), self.value(other, who)
                return Term(
                    chosen(condition.value, yes.value, no.value),
                    both(condition.defined, chosen(condition.value, yes.defined, no.defined)),
                )
            case Length(channel):
                return self.by_channel(channel, who, self._length)
            case Fill(kind, channel):
                return self.by_channel(channel, who, lambda queue: self._fill(kind, queue))
            case Poll(channel, pattern, anywhere):
                return self.by_channel(channel, who, lambda queue: self._poll(queue, pattern, anywhere, who))
            case Own("pid"):
                return Term(Const(who.place.pid))
            case Own():
                return Term(Const(1))
            case Global(what):
                return Term(self._global(what, who))
            case LocationOf(pid):
                return self._by_pid(pid, who, self._location_number)
            case AtLocation(template, pid, _, locations):
                name = self.memory.network.template(template)
                return self._by_process(name, pid, who, lambda place: Term(self._at(place, name, locations, who)))
            case RemoteRef(template, pid, ref):
                name = self.memory.network.template(template)
                return self._by_process(name, pid, who, lambda place: self._read(ref, who, place.pid, name))
            case _:
                raise refuse(f"an expression of kind {type(expr).__name__}")

    def test(self, expr: Expr, who: Who) -> Term:
        """As a condition: 0 or 1 or anything."""
        return self.value(expr, who)

    # --- variables

    def ref(self, ref: Ref, who: Who, pid: int, template: Template) -> tuple[Ref | Const, Expr]:
        """The variable (or its value, if it never changes) and whether the indices are right."""
        kept: Variable | tuple[int, ...]
        if ref.variable.owner is None:
            kept = self.memory.globals[ref.variable]
        else:
            kept = self.memory.locals[pid, template.name, ref.variable]
        if not isinstance(kept, Variable):
            return Const(kept[0]), TRUE
        path = [element if isinstance(element, str) else self.value(element, who).value for element in ref.path]
        current = ref.type
        while not isinstance(current, Scalar):  # an array or record stands for its first slot
            path.append(Const(0) if isinstance(current, Array) else current.fields[0][0])  # type: ignore[union-attr]
            current = current.element if isinstance(current, Array) else current.fields[0][1]  # type: ignore[union-attr]
        return Ref(kept, tuple(path)), self.indices(ref, who)

    def indices(self, ref: Ref, who: Who) -> Expr:
        """Whether the indices of a reference are right."""
        current: Type = ref.variable.type
        right: list[Expr] = []
        for element in ref.path:
            if isinstance(element, str):
                assert isinstance(current, Record)
                current = current.field(element)[1]
            else:
                assert isinstance(current, Array)
                index = self.value(element, who)
                right += [index.defined, _within(index.value, element, current.size)]
                current = current.element
        return every(right)

    def _read(self, ref: Ref, who: Who, pid: int, template: Template) -> Term:
        found, right = self.ref(ref, who, pid, template)
        return Term(found, right)

    def _binary(self, expr: Binary, who: Who) -> Term:
        left, right = self.value(expr.left, who), self.value(expr.right, who)
        if isinstance(left.value, Const) and isinstance(right.value, Const):
            zero = expr.op in ("/", "%") and right.value.value == 0
            if not zero:
                known = evaluate(Binary(expr.op, left.value, right.value), Scope(()))
                return Term(Const(known), both(left.defined, right.defined))
        match expr.op:
            case "&&":
                return Term(
                    truth(both(left.value, right.value)), both(left.defined, either(negated(left.value), right.defined))
                )
            case "||":
                return Term(
                    truth(either(left.value, right.value)), both(left.defined, either(left.value, right.defined))
                )
            case "/" | "%":
                divides = compared("!=", right.value, 0)
                return Term(Binary(expr.op, left.value, right.value), both(left.defined, right.defined, divides))
            case "==" | "!=":
                return Term(compared(expr.op, left.value, right.value), both(left.defined, right.defined))
            case op:
                return Term(Binary(op, left.value, right.value), both(left.defined, right.defined))

    # --- channels

    def channels(self, expr: Expr, who: Who) -> tuple[list[tuple[Expr, Queue]], Expr]:
        """The channels an expression may mean, each with the condition for it, and whether it means one."""
        term = self.value(expr, who)
        queues = {queue.number: queue for queue in self.memory.queues}
        if isinstance(term.value, Const):
            queue = queues.get(term.value.value)
            return ([(TRUE, queue)], TRUE) if queue is not None else ([], FALSE)
        candidates = self._candidates(term.value, who)
        found = [(compared("==", term.value, n), queues[n]) for n in sorted(candidates) if n in queues]
        return found, both(term.defined, some(condition for condition, _ in found))

    def _candidates(self, value: Expr, who: Who) -> frozenset[int]:
        if isinstance(value, Ref) and value.variable in self.memory.handles:
            pid, key = self.memory.handles[value.variable]
            fields = tuple(p for p in value.path if isinstance(p, str))
            known = self.memory.guess.channels.get((pid, (*key, *fields)))
            if known is not None:
                return known
        return frozenset(queue.number for queue in self.memory.queues)

    def by_channel(self, expr: Expr, who: Who, compute: Callable[[Queue], Term]) -> Term:
        cases, exists = self.channels(expr, who)
        value: Expr = FALSE
        defined: Expr = exists
        for condition, queue in cases:
            term = compute(queue)
            value = chosen(condition, term.value, value)
            defined = both(defined, either(negated(condition), term.defined))
        return Term(value, defined)

    def _length(self, queue: Queue) -> Term:
        return Term(Const(0) if queue.variable is None else queue.length)

    def _fill(self, kind: str, queue: Queue) -> Term:
        if queue.variable is None:
            return Term(FALSE if kind in ("full", "nempty") else TRUE)
        full = compared(">=", queue.length, queue.channel.capacity)
        empty = compared("==", queue.length, 0)
        return Term({"full": full, "nfull": negated(full), "empty": empty, "nempty": negated(empty)}[kind])

    def _poll(self, queue: Queue, pattern: Pattern, anywhere: bool, who: Who) -> Term:
        if queue.variable is None:
            return Term(FALSE, FALSE)
        found, defined = self.fitting(queue, pattern, anywhere, who)
        return Term(some(found), defined)

    def fitting(self, queue: Queue, pattern: Pattern, anywhere: bool, who: Who) -> tuple[list[Expr], Expr]:
        """For each place in the channel, whether a receive takes the message there; and whether asking breaks down."""
        wanted = [self.value(item.value, who) if isinstance(item, Match) else None for item in pattern]
        asked: Expr = every(term.defined for term in wanted if term is not None)
        if len(wanted) > len(queue.channel.fields):
            asked = FALSE
        waiting = compared(">", queue.length, 0)
        places = range(queue.channel.capacity if anywhere else 1)
        found: list[Expr] = []
        for place in places:
            here = [
                compared("==", queue.item(place, number), term.value)
                for number, term in enumerate(wanted[: len(queue.channel.fields)])
                if term is not None
            ]
            there = compared(">", queue.length, place)
            found.append(both(there, *here, *(negated(earlier) for earlier in found)))
        return found, either(negated(waiting), asked)

    # --- processes

    def _global(self, what: str, who: Who) -> Expr:
        match what:
            case "timeout":
                return who.timeout
            case "process_count":
                count: Expr = Const(0)
                for place in self.memory.places:
                    count = Binary("+", count, place.taken)
                return count
            case "last" if self.memory.last is not None:
                return Ref(self.memory.last)
            case "no_progress" | "accepting":
                marked = some(
                    self._at(place, t, frozenset(_marked(t, what)), who)
                    for place in self.memory.places
                    for t in place.templates
                )
                return marked if what == "accepting" else negated(marked)
            case _:
                return Const(0)

    def _at(self, place: Place, template: Template, locations: frozenset[int], who: Who) -> Expr:
        if who.moved is not None and who.moved[0] == place.pid:
            return TRUE if who.moved[1] in locations else FALSE
        return some(place.at(template, n) for n in sorted(locations) if (template.name, n) in place.codes)

    def _by_process(self, template: Template, pid: Expr | None, who: Who, compute: Callable[[Place], Term]) -> Term:
        """The value for the process meant, 0 if there is none of the template. pid None: the first one."""
        places = [place for place in self.memory.places if template in place.templates]
        number = None if pid is None else self.value(pid, who)
        value: Expr = FALSE
        defined: Expr = TRUE if number is None else number.defined
        for place in reversed(places):
            there = place.holds(template)
            if number is not None:
                there = both(there, compared("==", number.value, place.pid))
            term = compute(place)
            value = chosen(there, term.value, value)
            defined = both(defined, either(negated(there), term.defined))
        return Term(value, defined)

    def _by_pid(self, pid: Expr, who: Who, compute: Callable[[Place, Who], Expr]) -> Term:
        number = self.value(pid, who)
        value: Expr = Const(0)
        for place in self.memory.places:
            value = chosen(compared("==", number.value, place.pid), compute(place, who), value)
        return Term(value, number.defined)

    def _location_number(self, place: Place, who: Who) -> Expr:
        if who.moved is not None and who.moved[0] == place.pid:
            return Const(who.moved[1])
        value: Expr = Const(0)
        for template in place.templates:
            for location in template.locations:
                value = chosen(place.at(template, location.number), Const(location.number), value)
        return value


def bound_variables(pattern: Pattern) -> Sequence[Variable]:
    return [item.target.variable for item in pattern if isinstance(item, Bind) and item.target is not None]


def _marked(template: Template, what: str) -> list[int]:
    return [
        location.number
        for location in template.locations
        if (location.progress if what == "no_progress" else location.accept)
    ]


def _within(index: Expr, source: Expr, size: int) -> Expr:
    """Whether an index is in range; not asked where its type says so."""
    if isinstance(index, Const):
        return TRUE if 0 <= index.value < size else FALSE
    if isinstance(source, Ref):
        type_ = source.type
        if isinstance(type_, Int) and not type_.signed and type_.high < size:
            return TRUE
    return both(compared(">=", index, 0), compared("<", index, size))
