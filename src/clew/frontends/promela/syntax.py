"""The abstract syntax of Promela: what the parser produces and the lowering consumes.

Inline calls are expanded by the parser (they are textual), so there is no call node: an expansion is a `Block`
of kind `inline`. Names are not resolved here. Every node has the span of its first token.
"""

from __future__ import annotations

from typing import Literal

from clew.core.diagnostics import Span
from clew.core.records import record

# --- expressions --------------------------------------------------------------------------------------------------


@record
class Number:
    """A literal: decimal digits, a character code, `true`, `false`, `skip`. `text` is what was written."""

    value: int
    text: str
    span: Span


@record
class Ref:
    """`name`, `name[index]`, `name[index].field…`; also `_`, `_pid`, `_last`, `_nr_pr`, `_priority` and mtype names."""

    name: str
    index: Expr | None
    field: Ref | None
    span: Span


@record
class Unary:
    """`! ~ -`, and in formulas `[] <> X` (always spelled so, whatever the source used), `A E`."""

    op: Literal["!", "~", "-", "[]", "<>", "X", "A", "E"]
    operand: Expr
    span: Span


@record
class Binary:
    """Arithmetic, comparison, logic; in ltl blocks also `U V W -> <->` (`implies` is `->`, `equivalent` is `<->`)."""

    op: str
    left: Expr
    right: Expr
    span: Span


@record
class Conditional:
    """`(test -> then : other)`"""

    test: Expr
    then: Expr
    other: Expr
    span: Span


@record
class Run:
    """`run P(args) priority n`"""

    name: str
    args: tuple[Expr, ...]
    priority: int | None
    span: Span


@record
class ChannelQuery:
    """`len(q) full(q) nfull(q) empty(q) nempty(q)`"""

    kind: Literal["len", "full", "nfull", "empty", "nempty"]
    channel: Ref
    span: Span


@record
class Poll:
    """`q?[args]` and `q??[args]` (`anywhere`)"""

    channel: Ref
    args: tuple[ReceiveArg, ...]
    anywhere: bool
    span: Span


@record
class ProcessQuery:
    """`enabled(e) pc_value(e) get_priority(e)`"""

    kind: Literal["enabled", "pc_value", "get_priority"]
    pid: Expr
    span: Span


@record
class Special:
    """`timeout` and `np_`"""

    kind: Literal["timeout", "np_"]
    span: Span


@record
class RemoteLabel:
    """`P[pid]@label` or `P@label`"""

    process: str
    pid: Expr | None
    label: str
    span: Span


@record
class MessageEvent:
    """`q!args` or `q?args` in a formula: the step sends or receives such a message; `_` stands for any value."""

    kind: Literal["send", "receive"]
    channel: Ref
    args: tuple[Expr, ...]
    span: Span


@record
class LabelEvent:
    """`reaches(P@label)` in a formula: the step leads a process there."""

    place: RemoteLabel
    span: Span


@record
class RemoteVar:
    """`P[pid]:x` or `P:x`"""

    process: str
    pid: Expr | None
    ref: Ref
    span: Span


@record
class CExpr:
    """`c_expr [precondition] { text }`; `text` is exactly what stands between the braces."""

    text: str
    precondition: str | None
    span: Span


Expr = (
    Number
    | Ref
    | Unary
    | Binary
    | Conditional
    | Run
    | ChannelQuery
    | Poll
    | ProcessQuery
    | Special
    | RemoteLabel
    | MessageEvent
    | LabelEvent
    | RemoteVar
    | CExpr
)


@record
class Eval:
    """`eval(e)` as an argument of a receive"""

    value: Expr
    span: Span


ReceiveArg = Expr | Eval  # a Ref may turn out to be an mtype constant; a Number or `-Number` is a constant

# --- declarations -------------------------------------------------------------------------------------------------


@record
class ChannelInit:
    """`[capacity] of { types }`; a type is a keyword (`byte`, `mtype`, `mtype:m`, `chan`) or a typedef name."""

    capacity: int
    fields: tuple[tuple[str, Span], ...]
    span: Span


@record
class ArrayInit:
    """`{ 1, 2, 3 }`"""

    values: tuple[Expr, ...]
    span: Span


@record
class Declarator:
    """One name of a declaration. `size` is None for a scalar, the element count for an array.

    `size_name` is set when the size was given by a variable name (`a[n]` with `byte n = 4`): Spin evaluates its
    initialiser, or takes 8. `bits` is the width of `unsigned x : 5`.
    """

    name: str
    size: int | None
    size_name: str | None
    bits: int | None
    init: Expr | ChannelInit | ArrayInit | None
    span: Span


@record
class VarDecl:
    """`hidden byte x = 1, y[3]`; type is a keyword (`bit bool byte pid short int unsigned mtype chan`) or a typedef."""

    visibility: Literal["", "hidden", "show", "local"]
    type: str
    subtype: str | None  # `mtype:name x`
    declarators: tuple[Declarator, ...]
    span: Span


@record
class MtypeDecl:
    """`mtype = { a, b }`, `mtype:name = { a, b }`, in the order written"""

    subtype: str | None
    names: tuple[tuple[str, Span], ...]
    span: Span


@record
class Typedef:
    name: str
    fields: tuple[VarDecl, ...]
    span: Span


@record
class ExclusiveUse:
    """`xr q, r` or `xs q`"""

    kind: Literal["xr", "xs"]
    channels: tuple[Ref, ...]
    span: Span


# --- statements ---------------------------------------------------------------------------------------------------


@record
class Assign:
    """`x = e`; `form` tells `x++` and `x--` apart (value is then `x + 1`, `x - 1`): those do not count as reads."""

    target: Ref
    value: Expr
    form: Literal["=", "++", "--"]
    span: Span


@record
class Send:
    """`q!args`, sorted: `q!!args`. `q!m(a, b)` has been turned into `q!m,a,b`."""

    channel: Ref
    args: tuple[Expr, ...]
    sorted: bool
    span: Span


@record
class Receive:
    """`q?args`, `q??args` (anywhere), `q?<args>` (keep), `q??<args>`"""

    channel: Ref
    args: tuple[ReceiveArg, ...]
    anywhere: bool
    keep: bool
    span: Span


@record
class Condition:
    """An expression as a statement; `skip` is the condition `1`."""

    value: Expr
    span: Span


@record
class Else:
    span: Span


@record
class Assert:
    value: Expr
    span: Span


@record
class Printf:
    """`format` is the literal with its quotes removed and escapes undone"""

    format: str
    args: tuple[Expr, ...]
    span: Span


@record
class Printm:
    value: Expr
    span: Span


@record
class SetPriority:
    pid: Expr
    value: Expr
    span: Span


@record
class CCode:
    """`c_code [precondition] { text }`, also at top level"""

    text: str
    precondition: str | None
    span: Span


@record
class Goto:
    label: str
    span: Span


@record
class Break:
    span: Span


@record
class Labelled:
    """`label: statement`; statement is None for `label: }` (it then stands for `skip`)."""

    label: str
    statement: Statement | None
    span: Span


@record
class Option:
    body: tuple[Item, ...]
    span: Span


@record
class If:
    options: tuple[Option, ...]
    span: Span


@record
class Do:
    options: tuple[Option, ...]
    span: Span


@record
class ForRange:
    """`for (index : low .. high) { body }`"""

    index: Ref
    low: Expr
    high: Expr
    body: tuple[Item, ...]
    span: Span


@record
class ForIn:
    """`for (index in array_or_channel) { body }`"""

    index: Ref
    container: Ref
    body: tuple[Item, ...]
    span: Span


@record
class Select:
    """`select (index : low .. high)`; `textual` if Spin's lexer rewrites it into an `if` or `do` before parsing:
    both bounds unsigned decimal literals after preprocessing, all on one line, a name of letters and digits only,
    not inside an inline body (sheet 35, 1.1)."""

    index: Ref
    low: Expr
    high: Expr
    textual: bool
    span: Span


@record
class Block:
    """`{…}`, `atomic {…}`, `d_step {…}`, or the expansion of an inline call (`name` is the inline's name).

    In an expansion of `x = f(…)`, `return e` has been replaced by the assignment `x = e`.
    """

    kind: Literal["plain", "atomic", "d_step", "inline"]
    body: tuple[Item, ...]
    name: str
    span: Span
    arguments: tuple[Expr, ...] = ()  # of an inline call; already put into the body, but they count as read


@record
class Unless:
    body: Statement
    escape: Statement
    span: Span


Statement = (
    Assign
    | Send
    | Receive
    | Condition
    | Else
    | Assert
    | Printf
    | Printm
    | SetPriority
    | CCode
    | Goto
    | Break
    | Labelled
    | If
    | Do
    | ForRange
    | ForIn
    | Select
    | Block
    | Unless
)
Item = Statement | VarDecl | ExclusiveUse

# --- units --------------------------------------------------------------------------------------------------------


@record
class Proctype:
    """`active [count] proctype name(params) priority n provided (e) { body }`.

    `active` is 0 for a proctype that is only run, else the number of instances; `active_name` is set when the count
    was given by a variable name. `deterministic` for D_proctype. `init` is a Proctype named `:init:` with active 1.
    """

    name: str
    active: int
    active_name: str | None
    deterministic: bool
    params: tuple[VarDecl, ...]
    priority: int | None
    provided: Expr | None
    body: tuple[Item, ...]
    span: Span
    end: Span  # the closing brace


@record
class Never:
    """`never name { body }`"""

    name: str | None
    body: tuple[Item, ...]
    span: Span
    end: Span


@record
class TraceUnit:
    """`trace { body }` or `notrace { body }`"""

    negated: bool
    body: tuple[Item, ...]
    span: Span
    end: Span


@record
class Ltl:
    """`ltl name { formula }`; `logic`: how `text` is written"""

    name: str | None
    formula: Expr
    text: str
    span: Span
    logic: Literal["ltl", "ctl", "pattern", "monitor"] = "ltl"


@record
class CDecl:
    """`c_decl { text }`"""

    text: str
    span: Span


@record
class CState:
    """`c_state "decl" "scope" "init"` (track false) and `c_track "address" "size" "kind"` (track true)"""

    track: bool
    strings: tuple[str, ...]
    span: Span


@record
class InlineDef:
    """Kept for symbols and lint; calls have been expanded. `body`: of one that is never called."""

    name: str
    params: tuple[str, ...]
    span: Span
    body: tuple[Item, ...] = ()


Unit = (
    Proctype
    | Never
    | TraceUnit
    | Ltl
    | VarDecl
    | MtypeDecl
    | Typedef
    | CDecl
    | CCode
    | CState
    | InlineDef
    | ExclusiveUse
)


@record
class Model:
    """A whole Promela text, in order. `files` are the texts read (main file first), for source display."""

    units: tuple[Unit, ...]
    files: tuple[tuple[str, str], ...]
