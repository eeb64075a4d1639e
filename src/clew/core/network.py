"""The `Network` view: processes with locations and guarded steps, shared variables, channels, atomicity, creation.

Meaning (made precise by `clew.core.interpreter`):
- A process is an instance of a template: a location and a frame of variables. Processes have pids 0, 1, … in order of
  creation; only the youngest can be removed, so pids are reused as on a stack.
- At a location the process may take any executable step of the first *choice* that has one: escapes (`unless`) come
  as earlier choices. A step executes its block and goes to its target.
- A step with `keeps_control` leaves the process with the exclusive right to move; it loses it when it cannot move.
- A send on a channel of capacity 0 and a matching receive of another process are one step of the system; control is
  then with the receiver.
- If nothing can move, `timeout` is true.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from clew.core.diagnostics import NOWHERE, Diagnostic, Span
from clew.core.expressions import Expr, Variable
from clew.core.records import record
from clew.core.statements import Statement
from clew.core.temporal import TemporalFormula


@record
class Access:
    """What a step may read or write, as far as known before running it. Names are `x`, `P.x` for a local of P,
    `#q` for the contents of channel q (`#*` any channel), `$processes` (creation, removal), `$scheduler`."""

    reads: frozenset[str]
    writes: frozenset[str]
    everything: bool = False  # foreign code


NO_ACCESS = Access(frozenset(), frozenset())


@record
class EventPattern:
    """The event of a step, before values are known: `kind` and what it is about (channel text, template)."""

    kind: Literal["internal", "send", "receive", "start", "end"]
    subject: str = ""


@record(eq=False)
class Step:
    """A guarded step of a template. Executable iff the first statement of `block` is (an empty block always is)."""

    index: int  # unique in the network
    template: str
    source: int
    target: int
    block: tuple[Statement, ...]
    keeps_control: bool
    span: Span
    text: str  # as the user would write it
    event: EventPattern = EventPattern("internal")
    access: Access = NO_ACCESS
    parts: tuple[tuple[Span, str], ...] = ()  # the source statements it consists of, when there are several

    def __repr__(self) -> str:
        return f"Step({self.index}: {self.template} {self.source}->{self.target} {self.text})"


@record
class Location:
    """A control point. `choices`: the first one with an executable step is the one taken from."""

    number: int
    choices: tuple[tuple[Step, ...], ...]
    span: Span = NOWHERE
    labels: tuple[str, ...] = ()
    final: bool = False  # a process may rest here for ever
    progress: bool = False
    accept: bool = False
    alone: Expr | None = None  # when the peer of the language would let the process move alone here; on trust


@record
class Template:
    """A kind of process. Locals start with the parameters; `frame` is the number of scalar slots."""

    name: str
    parameters: tuple[Variable, ...]
    variables: tuple[Variable, ...]  # parameters included, in slot order
    frame: int
    locations: tuple[Location, ...]
    initial: int
    provided: Expr | None = None
    span: Span = NOWHERE


@record
class Instance:
    """A process that exists in the initial state; missing arguments are 0."""

    template: str
    args: tuple[Expr, ...] = ()
    priority: int = 1


@record
class MonitorProcess:
    """An automaton beside the system, written as a template that only observes.

    `never`: moves before each system step, reaching its end is an error. `trace`/`notrace`: moves with each send
    or receive on a channel it names; having no move (trace) or completing (notrace) is an error.
    """

    kind: Literal["never", "trace", "notrace"]
    template: Template


@record
class Formula:
    """A named temporal property: how it is written (as a formula, in words, as an automaton in the Hanoi format), and
    what it says: of an automaton, `X a && X b …` of its atoms in order."""

    name: str
    logic: Literal["ltl", "ctl", "pattern", "monitor"]
    text: str
    body: TemporalFormula
    span: Span = NOWHERE


@record
class ForeignDeclarations:
    """Embedded C outside processes: declarations, global code, tracked memory, in the order written."""

    declarations: tuple[tuple[str, Span], ...] = ()
    code: tuple[tuple[str, Span], ...] = ()
    states: tuple[tuple[bool, tuple[str, ...], Span], ...] = ()
    untracked: tuple[str, ...] = ()  # C variables that are part of no state: a search may miss states

    def __bool__(self) -> bool:
        return bool(self.declarations or self.code or self.states)


@record
class Network:
    """A whole system. Immutable; engines and the interpreter read it, lowerings produce it."""

    name: str
    variables: tuple[Variable, ...]  # global, in slot order
    frame: int  # global scalar slots
    templates: tuple[Template, ...]
    instances: tuple[Instance, ...]
    monitors: tuple[MonitorProcess, ...] = ()
    formulas: tuple[Formula, ...] = ()
    foreign: ForeignDeclarations = ForeignDeclarations()
    uses_priorities: bool = False
    tracks_last: bool = False  # the pid of the last mover is part of the state
    ends_empty: bool = False  # the system may rest only when all channels are empty
    max_processes: int = 255
    max_channels: int = 255
    warnings: tuple[Diagnostic, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    steps: tuple[Step, ...] = field(default=())

    def template(self, name: str) -> Template:
        """The template of that name; raises KeyError."""
        for template in self.templates:
            if template.name == name:
                return template
        raise KeyError(name)
