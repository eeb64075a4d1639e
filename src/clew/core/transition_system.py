"""The `TransitionSystem` view: typed variables, states described by formulas, actions that relate current and next
values.

Meaning (made precise by `clew.core.transition_space`, the explicit evaluator):
- A *state* gives each scalar slot of each variable a value of its type. An array or record is a run of slots; a
  relation has one slot of type bool for each tuple.
- States that `permitted` does not allow do not exist: they are neither initial nor reached.
- A *step* is an action of the composition tree with values for its parameters, run from a state to an outcome. The
  outcome belongs to the name of the step where the action leaves a choice. A variable that the action does not change
  keeps its value.
- A state may have no step. It is stuck then, unless it is `final`.
- Frozen variables are given by the initial state and never change: unknown constants, inputs, parameters of the model.
- Divergence: a `While` or `Call` that may run for ever also has the outcome in which `diverged` is true and every other
  variable that is not frozen is 0. A system without `diverged` has no such commands. In a state where `diverged` is
  true, no action has an effect: each keeps the state as it is.
- Transient states lie inside an indivisible sequence: they are passed through and not counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from clew.core.diagnostics import NOWHERE, Diagnostic, Span
from clew.core.expressions import TRUE, Const, Expr, Variable
from clew.core.network import Formula
from clew.core.procedures import Block, Procedure, changed
from clew.core.records import record

FALSE = Const(0, "false")


@record(eq=False)
class Action:
    """A named step. `parameters` (owner: the action's name, slots of their own) take any value of their types and are
    part of the name of the step. A formula over current and next values is a body with one `Relate`.

    `process` and `pid` say who takes it, for people; `origin` is what the view was lowered from knows it by."""

    name: str
    body: Block
    parameters: tuple[Variable, ...] = ()
    text: str = ""
    span: Span = NOWHERE
    process: str = ""
    pid: int = 0
    origin: object = None

    def __repr__(self) -> str:
        return f"Action({self.name})"


@record
class Interleave:
    """One of the parts moves; what it does not change stays as it is."""

    parts: tuple[Composition, ...]


@record
class LockStep:
    """All parts move at once. A part that has no step here rests: what it may change stays as it is."""

    parts: tuple[Composition, ...]


Composition = Action | Interleave | LockStep


@record
class Label:
    """A named set of states, for formulas and people."""

    name: str
    meaning: Expr
    span: Span = NOWHERE


@record
class TransitionSystem:
    """A whole system. Immutable. Variables have owner None and consecutive slots; their `initial` is not looked at,
    the formula `initial` says which states a run may begin in.

    `clusters`: variables that belong together (of one process, of one object), for orders of variables and pictures.
    `fairness`: sets of states that a fair run visits for ever again.
    """

    name: str
    variables: tuple[Variable, ...]
    frame: int
    behaviour: Composition
    initial: Expr = TRUE
    permitted: Expr = TRUE
    frozen: frozenset[Variable] = frozenset()
    final: Expr = FALSE
    transient: Expr = FALSE
    procedures: tuple[Procedure, ...] = ()
    labels: tuple[Label, ...] = ()
    fairness: tuple[Expr, ...] = ()
    formulas: tuple[Formula, ...] = ()
    diverged: Variable | None = None
    clusters: tuple[tuple[Variable, ...], ...] = ()
    warnings: tuple[Diagnostic, ...] = ()
    files: tuple[tuple[str, str], ...] = field(default=())

    @property
    def actions(self) -> tuple[Action, ...]:
        """The leaves of the composition tree, in order."""
        return tuple(leaves(self.behaviour))

    def changes(self, part: Composition) -> frozenset[Variable]:
        """The variables that a part of the tree may change."""
        procedures = {procedure.name: procedure for procedure in self.procedures}
        return frozenset().union(*(changed(action.body, procedures) for action in leaves(part)))


def leaves(part: Composition) -> Iterator[Action]:
    match part:
        case Action():
            yield part
        case Interleave(parts) | LockStep(parts):
            for inner in parts:
                yield from leaves(inner)
