"""What an action of a `TransitionSystem` does: blocks of commands, run to completion inside one step.

`Guard` and `Assign` are those of `core.statements`; the further commands are here. A block that meets a `Guard` whose
value is 0 has no outcome there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from clew.core.diagnostics import NOWHERE, Span
from clew.core.expressions import Expr, Ref, Variable
from clew.core.properties import Violation
from clew.core.records import record
from clew.core.statements import Assign, Guard


@record
class Simultaneous:
    """All values are computed before the first is stored."""

    assignments: tuple[Assign, ...]
    span: Span = NOWHERE


@record
class If:
    test: Expr
    then: Block
    otherwise: Block = ()
    span: Span = NOWHERE


@record
class Choose:
    """One of the alternatives, any that has an outcome."""

    alternatives: tuple[Block, ...]
    span: Span = NOWHERE


@record
class Pick:
    """Any value of its type (that `permitted` allows at the end of the step) for each of these."""

    targets: tuple[Ref, ...]
    span: Span = NOWHERE


@record
class Relate:
    """Values such that the formula holds between those before (`Ref`) and after (`Next`) this command. `changes` may
    become anything the formula allows; everything else keeps its value. No such values: no outcome."""

    formula: Expr
    changes: tuple[Ref, ...]
    span: Span = NOWHERE


@record
class While:
    """Runs `body` as long as the test holds. A run that never ends is a *divergence*: see `TransitionSystem`."""

    test: Expr
    body: Block
    span: Span = NOWHERE


@record
class Call:
    """Runs a procedure of the system, with arguments by value. Procedures may call themselves and each other; a call
    that never returns is a divergence."""

    procedure: str
    args: tuple[Expr, ...] = ()
    span: Span = NOWHERE


@record
class Check:
    """If the condition is 0, the step breaks down here: it has no state behind it and shows the violation."""

    condition: Expr
    violation: Violation


@record
class Claim:
    """If the condition is 0, the step shows the violation; it goes on all the same."""

    condition: Expr
    violation: Violation


@record
class Way:
    """A way out of a node of a flowchart: taken if the guard holds; `target` is the node to go on with, -1 the exit."""

    guard: Expr
    block: Block
    target: int


@record
class Flowchart:
    """A flowchart, run to completion from node 0. At each node the first way whose guard holds is taken; a node without
    such a way shows `blocked`, a run that never ends `endless`, and the step breaks down."""

    nodes: tuple[tuple[Way, ...], ...]
    blocked: Violation
    endless: Violation


Command = Guard | Assign | Flowchart | Simultaneous | If | Choose | Pick | Relate | While | Call | Check | Claim
Block = tuple[Command, ...]


@record(eq=False)
class Procedure:
    """`variables` are its locals, parameters first; each has the procedure's name as its owner and a slot in the
    procedure's own frame. They start as 0 and are the caller's business never."""

    name: str
    parameters: tuple[Variable, ...]
    variables: tuple[Variable, ...]
    frame: int
    body: Block
    span: Span = NOWHERE


def commands_in(block: Block) -> Iterator[Command]:
    """The commands of a block and those inside them; called procedures are not followed."""
    for item in block:
        yield item
        match item:
            case If(_, then, otherwise):
                yield from commands_in(then)
                yield from commands_in(otherwise)
            case Choose(alternatives):
                for alternative in alternatives:
                    yield from commands_in(alternative)
            case While(_, body):
                yield from commands_in(body)
            case Flowchart(nodes):
                for node in nodes:
                    for way in node:
                        yield from commands_in(way.block)


def changed(block: Block, procedures: Mapping[str, Procedure]) -> frozenset[Variable]:
    """The variables of the system that a block may change, through calls, too."""
    found: set[Variable] = set()
    called: set[str] = set()

    def collect(part: Block) -> None:
        for item in commands_in(part):
            match item:
                case Assign(target, _):
                    found.add(target.variable)
                case Simultaneous(assignments):
                    found.update(assignment.target.variable for assignment in assignments)
                case Pick(targets) | Relate(_, targets):
                    found.update(target.variable for target in targets)
                case Call(name) if name not in called:
                    called.add(name)
                    collect(procedures[name].body)

    collect(block)
    return frozenset(variable for variable in found if variable.owner is None)
