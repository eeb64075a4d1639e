"""What each step touches, changes and waits for, now and later, in terms of `resources`.

Two steps of different processes *accord* unless one changes what the other touches: wherever both can be taken, neither
disables the other and both orders lead to the same state. The two ends of a buffered channel accord, since both can be
used only when there is a message and room. A step that cannot be taken can be enabled only by a step that changes what
it *waits for*, or by its own process. An indivisible sequence is one step that touches all it may come to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from clew.core.expressions import Bind, Const, Expr, Fill, Global, Length, Match, Poll, Ref, Variable, walk
from clew.core.network import Location, Network, Step, Template
from clew.core.statements import (
    Assert,
    Assign,
    Flow,
    Guard,
    Otherwise,
    Print,
    Receive,
    Send,
    Start,
    Statement,
    Terminate,
    statements_in,
)
from clew.explicit.expressions import Expressions
from clew.explicit.layout import Layout, initial_items, steps, template_expressions
from clew.explicit.reduction.pointers import Pointers
from clew.explicit.reduction.resources import CELLS, CREATION, REMOVAL, Resources, closed_over_targets


@dataclass(slots=True)
class Footprint:
    """Of a step: `touches` includes what it changes; `guard` is all that its executability may depend on; `later_…`
    also of everything its process, and those it starts, may do from then on."""

    touches: int = 0
    changes: int = 0
    waits: int = 0
    guard: int = 0
    later_touches: int = 0
    later_changes: int = 0
    own: bool = False  # its own process alone may enable it, too
    waits_for_all: bool = False  # for everything to come to rest
    moves_others: bool = False  # a process with the right to move may hand it on
    fails: bool = False  # may break down or fail an assertion
    later_fails: bool = False
    visible: bool = False


@dataclass(slots=True)
class Footprints:
    """The footprints of all steps, by step number. `seen`: what a property looks at."""

    network: Network
    layout: Layout
    expr: Expressions
    seen: tuple[Expr, ...] = ()
    resources: Resources = field(init=False)
    of: dict[int, Footprint] = field(default_factory=dict)
    offers: int = 0  # what messages on offer in handshakes are made of
    wants: int = 0  # what receivers in handshakes compare them with
    noticed: int = 0  # where somebody may notice who is ready for a handshake

    def __post_init__(self) -> None:
        self.resources = Resources(self.layout, Pointers(self.network, self.layout))
        self._look_at_handshakes()
        for template in self.layout.templates:
            for step in steps(template):
                self.of[step.index] = self._alone(step, template)
        sequences = {s.index: list(self._inside(s, t)) for t in self.layout.templates for s in steps(t)}
        for template in self.layout.templates:
            for location in template.locations:
                self._choices(location)
        self._join(sequences)
        self._change_readiness(sequences)
        self._later()
        if self.seen:
            visible = _Visibility(self)
            for template in self.layout.templates:
                for step in steps(template):
                    whole = [step, *sequences[step.index]]
                    self.of[step.index].visible = any(visible(part, template) for part in whole)

    # --- handshakes

    def _look_at_handshakes(self) -> None:
        """Whether a handshake can take place depends on values that both sides compare."""
        for template in self.layout.templates:
            for step in steps(template):
                for statement in statements_in(step.block):
                    match statement:
                        case Send(channel, args) if self._capacity(channel)[1]:
                            read = self._read_all([channel, *args], template.name)
                            self.offers |= self.resources.spread(read, template.name)
                        case Receive(channel, pattern) if self._capacity(channel)[1]:
                            values = [item.value for item in pattern if isinstance(item, Match)]
                            read = self._read_all([channel, *values], template.name)
                            self.wants |= self.resources.spread(read, template.name)

    def _change_readiness(self, sequences: dict[int, list[Step]]) -> None:
        """Coming to a place where a process receives in a handshake enables what others send; an `else` beside such a
        send notices. No step touches what it changes here: such steps accord. Leaving such a place needs no word: the
        receive is a step of that place, too, and waits for every sender."""
        if not self.noticed:
            return
        ready = {t.name: [self._accepts(place, t.name) for place in t.locations] for t in self.layout.templates}
        for template in self.layout.templates:
            here = ready[template.name]
            for step in steps(template):
                found = self.of[step.index]
                for part in (step, *sequences[step.index]):
                    found.changes |= here[part.target] if part.target >= 0 else 0
                    for statement in statements_in(part.block):
                        if isinstance(statement, Start):
                            begins = self.network.template(statement.template).initial
                            mask = ready[statement.template][begins] if statement.template in ready else 0
                            found.changes |= self.resources.spread(mask, statement.template) if mask else 0

    def _accepts(self, location: Location, name: str) -> int:
        """On which channels a process that is there could receive in a handshake."""
        mask = 0
        for choice in location.choices:
            for step in choice:
                for statement in statements_in(step.block):
                    if isinstance(statement, Receive) and self._capacity(statement.channel)[1]:
                        mask |= self.resources.readiness(statement.channel, name)
        return mask

    # --- one step by itself

    def _alone(self, step: Step, template: Template) -> Footprint:
        found = Footprint()
        for number, statement in enumerate(step.block):
            if number == 0:
                self._first(statement, template, found)
            else:
                self._inner(statement, template, found)
        found.touches |= found.changes
        found.fails = any(self._fails(s) for s in statements_in(step.block))
        return found

    def _first(self, statement: Statement, template: Template, found: Footprint) -> None:
        name = template.name
        match statement:
            case Guard(value):
                self._waits(value, name, found)
            case Send(channel, args, ordered, lossy):
                send, receive = self._ends(channel, name, found)
                buffered, handshake = self._capacity(channel)
                arguments = self._read_all(args, name)
                found.touches |= arguments | send
                found.changes |= send
                found.waits |= receive
                if ordered or lossy:
                    found.changes |= receive
                if handshake:
                    found.touches |= receive
                    found.waits |= arguments | self.wants | (send if buffered else 0)
                    found.own |= any(map(_looks_at_own, args))
                    found.guard |= self.resources.readiness(channel, name) | self.wants
                found.guard |= send | receive | arguments
            case Receive(channel, pattern, _, keep):
                send, receive = self._ends(channel, name, found)
                buffered, handshake = self._capacity(channel)
                values = [item.value for item in pattern if isinstance(item, Match)]
                wanted = self._read_all(values, name)
                found.touches |= wanted | receive
                found.changes |= 0 if keep else receive
                found.waits |= wanted | send | (receive if buffered else 0)
                if handshake:
                    found.touches |= send
                    found.waits |= self.offers
                found.own |= any(map(_looks_at_own, values))
                found.guard |= send | receive | wanted
                self._bind(pattern, name, found)
            case Terminate():
                found.touches |= CREATION
                found.changes |= REMOVAL | self.resources.of_owner(template)
                found.waits |= REMOVAL
                found.guard |= CREATION | REMOVAL
            case Flow():
                before = found.touches
                self._inner(statement, template, found)
                found.waits |= found.touches & ~before
                found.guard |= found.waits
                found.own = True
            case _:
                self._inner(statement, template, found)

    def _inner(self, statement: Statement, template: Template, found: Footprint) -> None:
        """A statement that is not the first: it cannot block, or finds both ends of its channels as it must."""
        name = template.name
        match statement:
            case Guard(value) | Assert(value):
                found.touches |= self._read(value, name)
            case Assign(target, value):
                found.touches |= self._read(value, name)
                self._write(target, name, found)
            case Print(_, args):
                found.touches |= self._read_all(args, name)
            case Send(channel, args):
                if self._capacity(channel)[1]:
                    found.touches |= self.resources.readiness(channel, name) | self.wants
                found.changes |= self._both_ends(channel, name, found)
                found.touches |= self._read_all(args, name)
            case Receive(channel, pattern):
                found.changes |= self._both_ends(channel, name, found)
                found.touches |= self._read_all([i.value for i in pattern if isinstance(i, Match)], name)
                self._bind(pattern, name, found)
            case Start(started, args, target):
                found.touches |= CREATION | REMOVAL | self._read_all(args, name) | self._initial(started)
                found.changes |= CREATION
                if target is not None:
                    self._write(target, name, found)
            case Flow():
                for inner in statements_in((statement,)):
                    if inner is not statement:
                        self._inner(inner, template, found)
            case Terminate():
                self._first(statement, template, found)
            case Otherwise():
                pass
            case _:
                found.touches = found.changes = self.resources.everything
        found.touches |= found.changes

    def _waits(self, value: Expr, name: str, found: Footprint) -> None:
        read = self._read(value, name)
        found.touches |= read
        found.waits |= read
        found.guard |= read
        found.own |= _looks_at_own(value)
        found.waits_for_all |= any(part == Global("timeout") for part in walk(value))

    def _ends(self, channel: Expr, name: str, found: Footprint) -> tuple[int, int]:
        found.touches |= self._read(channel, name)
        send, receive = self.resources.ends(channel, name)
        found.own |= _looks_at_own(channel) and send < 1 << CELLS
        return send, receive

    def _both_ends(self, channel: Expr, name: str, found: Footprint) -> int:
        send, receive = self._ends(channel, name, found)
        return send | receive

    def _capacity(self, channel: Expr) -> tuple[bool, bool]:
        """Whether it may be buffered, and whether it may be for handshakes."""
        numbers = self.resources.pointers.numbers(channel)
        sizes = {size for number in numbers for size in self.resources.pointers.capacities.get(number, {0, 1})}
        return (any(sizes) or not sizes, 0 in sizes or not sizes)

    def _read_all(self, exprs: tuple[Expr, ...] | list[Expr], name: str) -> int:
        mask = 0
        for expr in exprs:
            mask |= self._read(expr, name)
        return mask

    def _read(self, expr: Expr, name: str) -> int:
        mask = 0
        for part in walk(expr):
            match part:
                case Ref():
                    mask |= self.resources.variable(part, name)
                case Length(channel) | Fill(_, channel) | Poll(channel):
                    send, receive = self.resources.ends(channel, name)
                    mask |= send | receive
                case Global("process_count"):
                    mask |= CREATION | REMOVAL
                case _:
                    pass
        return mask

    def _write(self, target: Ref, name: str, found: Footprint) -> None:
        found.changes |= self.resources.variable(target, name)
        for part in walk(target):
            if part is not target:
                found.touches |= self._read(part, name)

    def _bind(self, pattern: tuple[Match | Bind, ...], name: str, found: Footprint) -> None:
        for item in pattern:
            if isinstance(item, Bind) and item.target is not None:
                self._write(item.target, name, found)

    def _initial(self, name: str) -> int:
        """What giving first values to a new process reads."""
        template = self.network.template(name)
        mask = 0
        for variable in template.variables:
            for _, _, item in initial_items(variable):
                if not hasattr(item, "capacity"):
                    mask |= self.resources.spread(self._read(item, name), name)
        return mask

    # --- what may go wrong

    def _fails(self, statement: Statement) -> bool:
        from clew.core.statements import expressions

        match statement:
            case Assert() | Start():
                return True
            case Flow():
                return may_get_stuck(statement)
            case Send(channel, args):
                if not self._is_known(channel) or self._length(channel) != {len(args)}:
                    return True
            case Receive(channel, pattern):
                if not self._is_known(channel) or self._length(channel) != {len(pattern)}:
                    return True
        return any(self.expr.can_fail(e) for e in expressions(statement))

    def _is_known(self, channel: Expr) -> bool:
        return isinstance(channel, Ref) and channel.variable in self.layout.constants and not channel.path

    def _length(self, channel: Expr) -> set[int]:
        numbers = self.resources.pointers.numbers(channel)
        known = self.layout.global_channels
        return {len(known[n - 1].fields) if n <= len(known) else -1 for n in numbers}

    # --- steps of one location, sequences, the future

    def _choices(self, location: Location) -> None:
        """`else`, and what comes behind an escape, look at the steps that are asked before."""
        earlier = 0
        for choice in location.choices:
            guards = 0
            for step in choice:
                guards |= self.of[step.index].guard
            for step in choice:
                found = self.of[step.index]
                first = step.block[0] if step.block else None
                before = earlier | (guards if isinstance(first, Otherwise) else 0)
                if before or isinstance(first, Otherwise):
                    found.touches |= before
                    found.guard |= before
                    found.own = True
            earlier |= guards

    def _inside(self, step: Step, template: Template) -> Iterator[Step]:
        """The steps that may follow without anybody else moving."""
        if not step.keeps_control or step.target < 0:
            return
        seen, work = {step.target}, [step.target]
        while work:
            for choice in template.locations[work.pop()].choices:
                for inner in choice:
                    yield inner
                    if inner.keeps_control and inner.target >= 0 and inner.target not in seen:
                        seen.add(inner.target)
                        work.append(inner.target)

    def _join(self, sequences: dict[int, list[Step]]) -> None:
        """Makes one of each step and the sequence behind it. More may have to be noticed than was thought at first."""
        parts = (part for template in self.layout.templates for part in template_expressions(template))
        may_be_early = not self.seen and Global("timeout") not in parts
        noticed, before = 0, -1
        while noticed != before:
            before = noticed
            together = {}
            for template in self.layout.templates:
                for step in steps(template):
                    early = self._early(step, template, noticed) if may_be_early else set()
                    found = together[step.index] = self._together(self.of[step.index], sequences[step.index], early)
                    noticed |= self.resources.spread(found.touches, template.name) & self.resources.any_readiness
        self.noticed = noticed
        self.of.update(together)

    def _early(self, step: Step, template: Template, noticed: int) -> set[int]:
        """Of an indivisible sequence, the places that it comes to by steps that are of no concern to anybody.

        Where it blocks in such a place, for want of a receiver, nothing has happened yet that others could notice: that
        run is as good as the one in which the sequence begins just before its process goes on, or, if it never does, at
        the very end. So it does not matter who becomes ready meanwhile. It would matter that the process is still, or
        already, ready itself, to somebody who notices; and to a `timeout` or a property that it has moved at all."""
        places: set[int] = set()
        here = 0 if step.source < 0 else self._accepts(template.locations[step.source], template.name)
        if self.resources.spread(here, template.name) & noticed:
            return places
        work = [step]
        while work:
            part = work.pop()
            if not part.keeps_control or part.target < 0 or part.target in places or not self._is_private(part):
                continue
            location = template.locations[part.target]
            if not self._accepts(location, template.name):
                places.add(part.target)
                work += [inner for choice in location.choices for inner in choice]
        return places

    def _is_private(self, step: Step) -> bool:
        """Whether a step has to do with its own process alone. It may go wrong, but then it does so at any time."""
        found = self.of[step.index]
        return not found.touches | found.changes | found.waits | found.guard

    def _together(self, first: Footprint, inner: list[Step], early: set[int]) -> Footprint:
        """A step with the sequence behind it. Inside, both ends of a channel matter: it may block there, or not."""
        if not inner:
            return first
        whole = Footprint(
            **{name: getattr(first, name) for name in ("touches", "changes", "waits", "guard", "own", "fails")},
            waits_for_all=first.waits_for_all,
        )
        for step in inner:
            part = self.of[step.index]
            guard = part.guard
            begins = step.block[0] if step.block else None
            if isinstance(begins, Send) and self._capacity(begins.channel)[1]:
                whole.moves_others = True
                if step.source in early:
                    guard = 0  # besides what it touches or waits for, who is ready
            whole.touches |= part.touches | part.waits | guard
            whole.changes |= part.changes
            whole.fails |= part.fails
            whole.moves_others |= part.waits_for_all
        return whole

    def _later(self) -> None:
        """Closes `later_…` over control flow and creation."""
        masks: dict[str, tuple[list[int], list[int], list[int]]] = {}
        before = None
        while before != masks:
            before = dict(masks)
            for template in self.layout.templates:
                masks[template.name] = (
                    self._closed(template, masks, 0, lambda f: f.touches),
                    self._closed(template, masks, 1, lambda f: f.changes),
                    self._closed(template, masks, 2, lambda f: int(f.fails)),
                )
        for template in self.layout.templates:
            touches, changes, fails = masks[template.name]
            for step in steps(template):
                found = self.of[step.index]
                ended = step.target < 0
                found.later_touches = found.touches | (0 if ended else touches[step.target])
                found.later_changes = found.changes | (0 if ended else changes[step.target])
                found.later_fails = found.fails or (not ended and bool(fails[step.target]))
                for which, started in enumerate(self._started(step, masks)):
                    found.later_touches |= started if which == 0 else 0
                    found.later_changes |= started if which == 1 else 0
                    found.later_fails |= which == 2 and bool(started)

    def _closed(
        self,
        template: Template,
        masks: dict[str, tuple[list[int], list[int], list[int]]],
        which: int,
        of: Callable[[Footprint], int],
    ) -> list[int]:
        now = []
        for location in template.locations:
            mask = 0
            for choice in location.choices:
                for step in choice:
                    mask |= of(self.of[step.index]) | self._started(step, masks)[which]
            now.append(mask)
        return closed_over_targets(template, now)

    def _started(self, step: Step, masks: dict[str, tuple[list[int], list[int], list[int]]]) -> tuple[int, int, int]:
        """What processes that a step starts may do."""
        touches = changes = fails = 0
        for statement in statements_in(step.block):
            if isinstance(statement, Start) and statement.template in masks:
                at = self.network.template(statement.template).initial
                t, c, f = masks[statement.template]
                touches |= self.resources.spread(t[at], statement.template)
                changes |= self.resources.spread(c[at], statement.template)
                fails |= f[at]
        return touches, changes, fails


class _Visibility:
    """Whether a step may change the value of what a property looks at."""

    def __init__(self, footprints: Footprints) -> None:
        from clew.core.expressions import AtLocation, RemoteRef

        self.footprints = footprints
        resources = footprints.resources
        parts = [part for expr in footprints.seen for part in walk(expr)]
        self.mask = 0
        self.locations: dict[str, set[int]] = {}
        self.locals: set[Variable] = set()
        self.templates: set[str] = set()  # whose coming and going matters
        for part in parts:
            match part:
                case AtLocation(template, _, _, locations):
                    self.locations.setdefault(template, set()).update(locations)
                    self.templates.add(template)
                case RemoteRef(template, _, ref):
                    self.locals.add(ref.variable)
                    self.templates.add(template)
                    self.mask |= footprints._read(ref, "")
                case Ref():
                    self.mask |= resources.variable(part, "")
                case _:
                    self.mask |= footprints._read(part, "")

    def __call__(self, step: Step, template: Template) -> bool:
        footprints = self.footprints
        changes = footprints.resources.spread(footprints.of[step.index].changes, template.name)
        if changes & self.mask:
            return True
        watched = self.locations.get(template.name, set())
        if step.source in watched or step.target in watched:
            return True
        for statement in statements_in(step.block):
            match statement:
                case Start(started) if started in self.templates:
                    return True
                case Terminate() if template.name in self.templates:
                    return True
                case Assign(target) if target.variable in self.locals:
                    return True
                case Receive(_, pattern):
                    for item in pattern:
                        if isinstance(item, Bind) and item.target is not None and item.target.variable in self.locals:
                            return True
        return False


def may_get_stuck(flow: Flow) -> bool:
    """Whether a flowchart may come to a place where nothing can be done, or go round for ever."""
    rest = [branch.block[1:] for node in flow.nodes for branch in node]
    entered = {branch.target for node in flow.nodes for branch in node if branch.target >= 0}
    return (
        any(map(_may_block, (statement for block in rest for statement in block)))
        or not all(any(not b.block or not _may_block(b.block[0]) for b in flow.nodes[n]) for n in entered)
        or _goes_round(flow)
    )


def _may_block(statement: Statement) -> bool:
    match statement:
        case Guard(Const(value)):
            return value == 0
        case Assign() | Assert() | Print() | Start() | Otherwise():
            return False
        case _:
            return True


def _goes_round(flow: Flow) -> bool:
    left = dict(enumerate(flow.nodes))
    while True:
        over = [n for n, node in left.items() if all(branch.target not in left for branch in node)]
        if not over:
            return bool(left)
        for n in over:
            del left[n]


def _looks_at_own(expr: Expr) -> bool:
    return any(isinstance(part, Ref) and part.variable.owner is not None for part in walk(expr))
