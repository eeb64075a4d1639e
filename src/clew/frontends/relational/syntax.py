"""The syntax tree: what was written, before names and types are looked at."""

from __future__ import annotations

from dataclasses import dataclass

from clew.core.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Name:
    name: str
    primed: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Number:
    value: int
    span: Span


@dataclass(frozen=True, slots=True)
class Truth:
    value: bool
    span: Span


@dataclass(frozen=True, slots=True)
class EmptySet:
    span: Span


@dataclass(frozen=True, slots=True)
class ScalarType:
    """`bool`, `int`, `int(BITS)` or the name of an enumeration."""

    name: str
    bits: Number | Name | None
    span: Span


@dataclass(frozen=True, slots=True)
class Prefix:
    """`~ ^ * - !` and the temporal operators with one operand."""

    operator: str
    body: Form
    span: Span


@dataclass(frozen=True, slots=True)
class Infix:
    operator: str
    left: Form
    right: Form
    span: Span  # of the operator


@dataclass(frozen=True, slots=True)
class UntilForm:
    path: str  # A or E
    left: Form
    right: Form
    span: Span


@dataclass(frozen=True, slots=True)
class Binding:
    names: tuple[tuple[str, Span], ...]
    over: Form


@dataclass(frozen=True, slots=True)
class QuantifiedForm:
    quantifier: str
    bindings: tuple[Binding, ...]
    body: Form
    span: Span


@dataclass(frozen=True, slots=True)
class ComprehensionForm:
    bindings: tuple[Binding, ...]
    body: Form
    span: Span


@dataclass(frozen=True, slots=True)
class CountForm:
    test: str
    body: Form
    span: Span


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class TypeForm:
    """`set` makes a single scalar a set; `multiplicities` stand before the scalars after the first."""

    is_set: bool
    scalars: tuple[ScalarType, ...]
    multiplicities: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class AssignForm:
    target: Form
    value: Form
    span: Span


@dataclass(frozen=True, slots=True)
class CountUp:
    target: Form
    operator: str  # ++ or --
    span: Span


@dataclass(frozen=True, slots=True)
class DeclareForm:
    formula: Form
    span: Span


@dataclass(frozen=True, slots=True)
class IfForm:
    condition: Form
    then: StmtForm
    otherwise: StmtForm | None
    span: Span


@dataclass(frozen=True, slots=True)
class LoopForm:
    """`while`, `do` (the body once before the test) and `for`."""

    first: tuple[StmtForm, ...]
    condition: Form
    body: tuple[StmtForm, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class ForeachForm:
    name: str
    name_span: Span
    over: Form
    body: StmtForm
    span: Span


@dataclass(frozen=True, slots=True)
class BlockForm:
    statements: tuple[StmtForm, ...]


StmtForm = AssignForm | CountUp | DeclareForm | IfForm | LoopForm | ForeachForm | BlockForm


@dataclass(frozen=True, slots=True)
class Parameter:
    type: TypeForm
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class ParamDecl:
    name: str
    value: int
    span: Span


@dataclass(frozen=True, slots=True)
class EnumDecl:
    name: str
    labels: tuple[tuple[str, Span], ...]
    size: Number | None
    span: Span


@dataclass(frozen=True, slots=True)
class VarDecl:
    type: TypeForm
    names: tuple[tuple[str, Span], ...]


@dataclass(frozen=True, slots=True)
class FuncDecl:
    type: TypeForm
    name: str
    parameters: tuple[Parameter, ...]
    body: Form
    span: Span


@dataclass(frozen=True, slots=True)
class ProcDecl:
    toplevel: bool
    name: str
    parameters: tuple[Parameter, ...]
    body: BlockForm
    span: Span


@dataclass(frozen=True, slots=True)
class AssertDecl:
    formula: Form
    text: str
    span: Span


Declaration = ParamDecl | EnumDecl | VarDecl | FuncDecl | ProcDecl | AssertDecl


@dataclass(frozen=True, slots=True)
class Model:
    declarations: tuple[Declaration, ...]
