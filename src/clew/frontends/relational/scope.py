"""What names mean: the declarations of a model, gathered before anything is resolved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from clew.core.diagnostics import DiagnosticBag, Span
from clew.core.relational.expressions import Local
from clew.core.relational.program import BAD, LOOP, Variable
from clew.core.relational.sorts import BOOL, EnumSort, IntSort, Multiplicity, Rel, Scalar, Sort, Type
from clew.frontends.relational.syntax import (
    Declaration,
    EnumDecl,
    FuncDecl,
    Model,
    Name,
    Number,
    ParamDecl,
    ProcDecl,
    ScalarType,
    TypeForm,
    VarDecl,
)

NAME, TYPE = "relational-name", "relational-type"
LARGEST_ENUM = 256
WIDEST_INT = 16
LARGEST_RELATION = 4096  # tuples that a variable may hold


@dataclass(slots=True)
class Scope:
    """Everything that is declared at the outermost level, by name."""

    bag: DiagnosticBag
    parameters: dict[str, int] = field(default_factory=dict)
    enums: dict[str, EnumSort] = field(default_factory=dict)
    labels: dict[str, tuple[int, EnumSort]] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    functions: dict[str, FuncDecl] = field(default_factory=dict)
    procedures: dict[str, ProcDecl] = field(default_factory=dict)
    places: dict[str, Span] = field(default_factory=dict)
    plain_int: int = 1
    plain_int_used: Span | None = None
    locals_made: int = 0

    def new_local(self, name: str, type_: Type) -> Local:
        self.locals_made += 1
        return Local(name, self.locals_made, type_)

    def known(self) -> Iterable[str]:
        return self.places

    def declare(self, name: str, span: Span) -> bool:
        """Whether the name was free; says so if not."""
        if name in (BAD, LOOP):
            self.bag.error(span, NAME, f"'{name}' is built in and cannot be declared")
            return False
        if name in self.places:
            self.bag.error(span, NAME, f"'{name}' is already declared in line {self.places[name].line}")
            return False
        self.places[name] = span
        return True

    def size(self, found: Number | Name) -> int | None:
        if isinstance(found, Number):
            return found.value
        if found.name in self.parameters:
            return self.parameters[found.name]
        self.bag.error(found.span, NAME, f"'{found.name}' is not a parameter", "declare it: param NAME = NUMBER;")
        return None

    def sort(self, form: ScalarType) -> Sort | None:
        match form.name:
            case "bool":
                return BOOL
            case "int":
                if form.bits is None:
                    self.plain_int_used = self.plain_int_used or form.span
                    return IntSort(self.plain_int)
                bits = self.size(form.bits)
                if bits is None:
                    return None
                if not 1 <= bits <= WIDEST_INT:
                    self.bag.error(form.bits.span, TYPE, f"an int has 1 to {WIDEST_INT} bits, not {bits}")
                    return None
                return IntSort(bits)
        if form.name in self.enums:
            return self.enums[form.name]
        self.bag.error(form.span, NAME, f"there is no type '{form.name}'", _types(self.enums))
        return None

    def type_(self, form: TypeForm) -> tuple[Type, tuple[Multiplicity, ...]] | None:
        sorts = [self.sort(scalar) for scalar in form.scalars]
        known = tuple(sort for sort in sorts if sort is not None)
        if len(known) < len(sorts):
            return None
        if len(known) == 1 and not form.is_set:
            return Scalar(known[0]), ()
        size = 1
        for sort in known:
            size *= sort.size
        if size > LARGEST_RELATION:
            message = f"a relation over {Rel(known)} may hold {size} tuples, more than {LARGEST_RELATION}"
            self.bag.error(form.span, TYPE, message)
            return None
        words: dict[str, Multiplicity] = {"set": "set", "lone": "lone", "one": "one", "some": "some"}
        return Rel(known), tuple(words[m] for m in form.multiplicities)


def _types(enums: Mapping[str, EnumSort]) -> str:
    return "types: bool, int" + "".join(f", {name}" for name in enums)


def gather(model: Model, defines: Mapping[str, str], file: str, bag: DiagnosticBag) -> Scope:
    """The scope of a model; parameters have the values of `defines` where they are given."""
    scope = Scope(bag)
    _parameters(scope, model.declarations, defines, file)
    for declaration in model.declarations:
        if isinstance(declaration, EnumDecl):
            _enum(scope, declaration)
    scope.plain_int = _plain_width(model, scope)
    for declaration in model.declarations:
        match declaration:
            case VarDecl(form, names):
                found = scope.type_(form)
                for name, span in names:
                    if scope.declare(name, span) and found is not None:
                        scope.variables[name] = Variable(name, found[0], found[1], span)
            case FuncDecl():
                if scope.declare(declaration.name, declaration.span):
                    scope.functions[declaration.name] = declaration
            case ProcDecl():
                if scope.declare(declaration.name, declaration.span):
                    scope.procedures[declaration.name] = declaration
    return scope


def _parameters(scope: Scope, declarations: tuple[Declaration, ...], defines: Mapping[str, str], file: str) -> None:
    for declaration in declarations:
        if isinstance(declaration, ParamDecl) and scope.declare(declaration.name, declaration.span):
            scope.parameters[declaration.name] = declaration.value
    for name, text in defines.items():
        if name not in scope.parameters:
            known = ", ".join(scope.parameters) or "none"
            scope.bag.error(Span(file, 1), NAME, f"-D {name}: there is no such parameter", f"parameters: {known}")
        elif not text.isdecimal() or not text.isascii():
            scope.bag.error(scope.places[name], TYPE, f"-D {name}={text}: '{text}' is not a number")
        else:
            scope.parameters[name] = int(text)


def _enum(scope: Scope, declaration: EnumDecl) -> None:
    if not scope.declare(declaration.name, declaration.span):
        return
    size = declaration.size.value if declaration.size is not None else None
    if len(declaration.labels) == 1 and declaration.labels[0][0] in scope.parameters:
        size = scope.parameters[declaration.labels[0][0]]
    if size is None:
        labels = declaration.labels
    else:
        if not 1 <= size <= LARGEST_ENUM:
            message = f"an enumeration has 1 to {LARGEST_ENUM} values, not {size}"
            scope.bag.error(declaration.span, TYPE, message)
            size = 1
        labels = tuple((f"{declaration.name}{n}", declaration.span) for n in range(1, size + 1))
    sort = EnumSort(declaration.name, tuple(label for label, _ in labels))
    scope.enums[declaration.name] = sort
    for atom, (label, span) in enumerate(labels):
        if scope.declare(label, span):
            scope.labels[label] = (atom, sort)


def _plain_width(model: Model, scope: Scope) -> int:
    """The width of a plain `int`: room for one more than the largest number in the model."""
    largest = max([1, *_numbers(model), *scope.parameters.values()])
    return min((largest + 1).bit_length(), WIDEST_INT)


def _numbers(part: object) -> Iterable[int]:
    """Every number written as a value; sizes of enumerations and widths are none."""
    if isinstance(part, Number):
        yield part.value
    elif isinstance(part, tuple):
        for one in part:
            yield from _numbers(one)
    elif isinstance(part, EnumDecl | ParamDecl | ScalarType | Span):
        return
    elif hasattr(part, "__dataclass_fields__"):
        for name in part.__dataclass_fields__:
            yield from _numbers(getattr(part, name))
