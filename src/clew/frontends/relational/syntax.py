"""The syntax tree: what was written, before names and types are looked at."""

from __future__ import annotations

from clew.core.diagnostics import Span
from clew.core.records import record


@record
class Name:
    name: str
    primed: bool
    span: Span


@record
class Number:
    value: int
    span: Span


@record
class Truth:
    value: bool
    span: Span


@record
class EmptySet:
    span: Span


@record
class ScalarType:
    """`bool`, `int`, `int(BITS)` or the name of an enumeration."""

    name: str
    bits: Number | Name | None
    span: Span


@record
class Prefix:
    """`~ ^ * - !` and the temporal operators with one operand."""

    operator: str
    body: Form
    span: Span


@record
class Infix:
    operator: str
    left: Form
    right: Form
    span: Span  # of the operator


@record
class UntilForm:
    path: str  # A or E
    left: Form
    right: Form
    span: Span


@record
class Binding:
    names: tuple[tuple[str, Span], ...]
    over: Form


@record
class QuantifiedForm:
    quantifier: str
    bindings: tuple[Binding, ...]
    body: Form
    span: Span


@record
class ComprehensionForm:
    bindings: tuple[Binding, ...]
    body: Form
    span: Span


@record
class CountForm:
    test: str
    body: Form
    span: Span


@record
class CallForm:
    name: str
    arguments: tuple[Form, ...]
    span: Span


Form = (
    Name
    | Number
    | Truth
    | EmptySet
    | ScalarType
    | Prefix
    | Infix
    | UntilForm
    | QuantifiedForm
    | ComprehensionForm
    | CountForm
    | CallForm
)


@record
class TypeForm:
    """`set` makes a single scalar a set; `multiplicities` stand before the scalars after the first."""

    is_set: bool
    scalars: tuple[ScalarType, ...]
    multiplicities: tuple[str, ...]
    span: Span


@record
class AssignForm:
    target: Form
    value: Form
    span: Span


@record
class CountUp:
    target: Form
    operator: str  # ++ or --
    span: Span


@record
class DeclareForm:
    formula: Form
    span: Span


@record
class IfForm:
    condition: Form
    then: StmtForm
    otherwise: StmtForm | None
    span: Span


@record
class LoopForm:
    """`while`, `do` (the body once before the test) and `for`."""

    first: tuple[StmtForm, ...]
    condition: Form
    body: tuple[StmtForm, ...]
    span: Span


@record
class ForeachForm:
    name: str
    over: Form
    body: StmtForm
    span: Span


@record
class BlockForm:
    statements: tuple[StmtForm, ...]


StmtForm = AssignForm | CountUp | DeclareForm | IfForm | LoopForm | ForeachForm | BlockForm


@record
class Parameter:
    type: TypeForm
    name: str
    span: Span


@record
class ParamDecl:
    name: str
    value: int
    span: Span


@record
class EnumDecl:
    name: str
    labels: tuple[tuple[str, Span], ...]
    size: Number | None
    span: Span


@record
class VarDecl:
    type: TypeForm
    names: tuple[tuple[str, Span], ...]


@record
class FuncDecl:
    type: TypeForm
    name: str
    parameters: tuple[Parameter, ...]
    body: Form
    span: Span


@record
class ProcDecl:
    toplevel: bool
    name: str
    parameters: tuple[Parameter, ...]
    body: BlockForm
    span: Span


@record
class AssertDecl:
    formula: Form
    text: str
    span: Span


Declaration = ParamDecl | EnumDecl | VarDecl | FuncDecl | ProcDecl | AssertDecl


@record
class Model:
    declarations: tuple[Declaration, ...]
