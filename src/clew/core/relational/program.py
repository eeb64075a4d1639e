"""`RelationalProgram`: a transition system whose states are relations and whose actions are procedures.

One step of the system is one complete run of one top-level procedure with arguments of any value. There is no initial
state: an assertion has to hold in every well-formed state. Besides the declared variables a state has the Boolean
`bad`; one further state, `loop`, is where runs that never end go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from clew.core.diagnostics import NOWHERE, Span
from clew.core.records import record
from clew.core.relational.expressions import Expr, Global, Local, nodes
from clew.core.relational.sorts import FORMULA, EnumSort, Multiplicity, Type

BadSwitch = Literal["freeze", "havoc"]
Order = Literal["any", "declared"]
BAD = "bad"
LOOP = "loop"
BAD_VARIABLE = Global(BAD, FORMULA)
LOOP_VARIABLE = Global(LOOP, FORMULA)


@record
class Variable:
    """A state variable. `multiplicities`: for each column after the first, how many values it has in a row."""

    name: str
    type: Type
    multiplicities: tuple[Multiplicity, ...] = ()
    span: Span = NOWHERE

    @property
    def constrained(self) -> bool:
        return any(m != "set" for m in self.multiplicities)


@record
class Assign:
    target: Global | Local
    value: Expr
    span: Span


@record
class AssignRow:
    """The rows of `target` that begin with an element of `rows` become `rows -> value`."""

    target: Global | Local
    rows: Expr
    value: Expr
    span: Span


@record
class Declare:
    """An exact relation between the state and the next one. What is not mentioned with a prime may become anything;
    `bad` and locals stay unless they are."""

    formula: Expr
    span: Span


@record
class If:
    condition: Expr
    then: Stmt
    otherwise: Stmt
    span: Span


@record
class While:
    condition: Expr
    body: Stmt
    span: Span


@record
class Foreach:
    """The body for each element of a set as it is at entry."""

    variable: Local
    range: Expr
    body: Stmt
    span: Span


@record
class Call:
    procedure: str
    arguments: tuple[Expr, ...]
    span: Span


@record
class Block:
    statements: tuple[Stmt, ...]


Stmt = Assign | AssignRow | Declare | If | While | Foreach | Call | Block
SKIP = Block(())


@record
class Procedure:
    name: str
    parameters: tuple[Local, ...]
    body: Stmt
    toplevel: bool
    span: Span


@record
class Assertion:
    name: str
    formula: Expr
    text: str
    span: Span


@record
class Switches:
    """`blocking`: runs into an unsatisfiable declarative statement are removed, not reported. `bad`: what an illegal
    statement does with the other variables. `foreach`: in any order, or in the order of declaration."""

    blocking: bool = False
    bad: BadSwitch = "freeze"
    foreach: Order = "any"


@record
class Placing:
    """How an engine with decision diagrams places bits. `order`: one of `PLACINGS`, or names of variables, separated by
    commas, that come first. `sifted`: the library improves the order once the steps are known."""

    order: str = "static"
    sifted: bool = False


PLACINGS = ("static", "declared", "reversed")


@record(eq=False)
class RelationalProgram:
    name: str
    enums: tuple[EnumSort, ...]
    variables: tuple[Variable, ...]
    procedures: tuple[Procedure, ...]
    assertions: tuple[Assertion, ...]
    switches: Switches = Switches()
    files: tuple[tuple[str, str], ...] = ()
    placing: Placing = Placing()

    @property
    def toplevel(self) -> tuple[Procedure, ...]:
        return tuple(p for p in self.procedures if p.toplevel)

    def procedure(self, name: str) -> Procedure:
        return next(p for p in self.procedures if p.name == name)


def statements(stmt: Stmt) -> Iterator[Stmt]:
    """The statement and every statement inside it."""
    yield stmt
    match stmt:
        case Block(inner):
            for one in inner:
                yield from statements(one)
        case If(_, then, otherwise):
            yield from statements(then)
            yield from statements(otherwise)
        case While(_, body) | Foreach(_, _, body):
            yield from statements(body)


def expressions(stmt: Stmt) -> Iterator[Expr]:
    """The expressions that stand directly in a statement."""
    match stmt:
        case Assign(_, value):
            yield value
        case AssignRow(_, rows, value):
            yield rows
            yield value
        case Declare(formula):
            yield formula
        case If(condition) | While(condition):
            yield condition
        case Foreach(_, over):
            yield over
        case Call(_, arguments):
            yield from arguments


def primed(formula: Expr) -> frozenset[str | int]:
    """What a declarative statement says something about: names of state variables, numbers of locals."""
    found: set[str | int] = set()
    for node in nodes(formula):
        if isinstance(node, Global) and node.primed:
            found.add(node.name)
        elif isinstance(node, Local) and node.primed:
            found.add(node.number)
    return frozenset(found)


def assigned_locals(stmt: Stmt) -> frozenset[Local]:
    """Locals that a statement may change (calls do not: arguments are passed by value)."""
    found: set[Local] = set()
    for inner in statements(stmt):
        match inner:
            case Assign(Local() as target) | AssignRow(Local() as target):
                found.add(target)
            case Declare(formula):
                for node in nodes(formula):
                    if isinstance(node, Local) and node.primed:
                        found.add(Local(node.name, node.number, node.type))
    return frozenset(found)


def callees(stmt: Stmt) -> frozenset[str]:
    return frozenset(inner.procedure for inner in statements(stmt) if isinstance(inner, Call))
