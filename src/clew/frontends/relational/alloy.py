"""A relational program as a specification for Alloy 6: enumerations, variable relations, one predicate for each
procedure with the values afterwards written as expressions, assertions in linear time.

Alloy has no existential path quantifiers: assertions with EF, EX, EG or E[ U ] stay behind as comments. Numbers,
loops, recursion, declarative statements and `bad` set by multiplicities are refused or left out, and it says so.
"""

from __future__ import annotations

from clew.core.diagnostics import InputError, Span
from clew.core.relational import expressions as x
from clew.core.relational import program as p
from clew.core.relational.sorts import BOOL, EnumSort, IntSort, Rel, Scalar, Sort, Type
from clew.frontends.relational.straight import REFUSED

_SET = {"+": "+", "&": "&", "-": "-"}
_TIME = {"AG": "always", "AX": "after", "AF": "eventually"}


def alloy(program: p.RelationalProgram) -> str:
    """The text. Raises InputError for what Alloy cannot say."""
    lines = [f"-- {program.name}: written by Clew"]
    for enum in program.enums:
        lines.append(f"enum {enum.name} {{ {', '.join(enum.labels)} }}")
    lines.append("one sig State {")
    lines += [f"  var {v.name} : {_declared(v)}," for v in program.variables]
    lines += ["  var bad : lone State", "}"]
    for procedure in program.toplevel:
        lines += _predicate(program, procedure)
    lines += _steps(program)
    for assertion in program.assertions:
        lines += _assertion(assertion)
    return "\n".join(lines) + "\n"


def _sort(sort: Sort, span: Span) -> str:
    if isinstance(sort, IntSort) or sort == BOOL:
        raise InputError.at(span, REFUSED, f"cannot be written in Alloy: {sort} in a relation")
    return str(sort)


def _declared(variable: p.Variable) -> str:
    if isinstance(variable.type, Scalar):
        return f"one {_sort(variable.type.sort, variable.span)}"
    names = [_sort(sort, variable.span) for sort in variable.type.columns]
    if len(names) == 1:
        return f"set {names[0]}"
    text = names[0]
    for name, multiplicity in zip(names[1:], variable.multiplicities, strict=True):
        text += f" -> {multiplicity} {name}"
    return text


def _predicate(program: p.RelationalProgram, procedure: p.Procedure) -> list[str]:
    values = {v.name: f"State.{v.name}" for v in program.variables}
    values[p.BAD] = "State.bad"
    _run(program, procedure.body, values, {})
    parameters = ", ".join(f"{q.name}{q.number} : {_parameter(q.type, procedure.span)}" for q in procedure.parameters)
    lines = [f"pred {procedure.name}[{parameters}] {{"]
    return [*lines, *(f"  State.{name}' = {value}" for name, value in values.items()), "}"]


def _parameter(type_: Type, span: Span) -> str:
    if isinstance(type_, Scalar):
        return _sort(type_.sort, span)
    return " -> ".join(_sort(sort, span) for sort in type_.columns)


def _run(program: p.RelationalProgram, stmt: p.Stmt, values: dict[str, str], names: dict[int, str]) -> None:
    """Puts what variables become into `values`."""
    match stmt:
        case p.Block(inner):
            for one in inner:
                _run(program, one, values, names)
        case p.Assign(x.Global(name), value):
            values[name] = _text(value, values, names) if name != p.BAD else _bad(value, values, names)
        case p.AssignRow(x.Global(name), rows, value):
            row, new, old = (_text(e, values, names) for e in (rows, value, stmt.target))
            values[name] = f"((({old}) - (({row}) <: ({old}))) + (({row}) -> ({new})))"
        case p.If(condition, then, otherwise):
            yes, no = dict(values), dict(values)
            _run(program, then, yes, names)
            _run(program, otherwise, no, names)
            test = _text(condition, values, names)
            for name in values:
                if yes[name] != no[name]:
                    values[name] = f"(({test}) => ({yes[name]}) else ({no[name]}))"
        case _:
            what = type(stmt).__name__.lower()
            raise InputError.at(stmt.span, REFUSED, f"cannot be written in Alloy: {what}")


def _bad(value: x.Expr, values: dict[str, str], names: dict[int, str]) -> str:
    return f"(({_text(value, values, names)}) => State else none)"


def _steps(program: p.RelationalProgram) -> list[str]:
    alternatives = []
    for procedure in program.toplevel:
        bound = ", ".join(f"a{q.number} : {_parameter(q.type, procedure.span)}" for q in procedure.parameters)
        call = f"{procedure.name}[{', '.join(f'a{q.number}' for q in procedure.parameters)}]"
        alternatives.append(f"(some {bound} | {call})" if bound else call)
    return ["fact steps { always (" + " or ".join(alternatives) + ") }"]


def _assertion(assertion: p.Assertion) -> list[str]:
    existential = [
        n for n in x.nodes(assertion.formula) if isinstance(n, x.Temporal) and n.operator not in (*_TIME, "AU")
    ]
    if existential:
        return [f"-- {assertion.name} says that a run exists, which Alloy cannot: {assertion.text}"]
    values = _Now()
    return [f"assert {assertion.name} {{ {_text(assertion.formula, values, {})} }}", f"check {assertion.name}"]


class _Now(dict[str, str]):
    """Every variable as it is."""

    def __missing__(self, name: str) -> str:
        return f"State.{name}"


def _text(expr: x.Expr, values: dict[str, str], names: dict[int, str]) -> str:
    def text(inner: x.Expr) -> str:
        return f"({_text(inner, values, names)})"

    match expr:
        case x.Literal_(atom, sort):
            if isinstance(sort, EnumSort) and sort != BOOL:
                return sort.label(atom)
            if sort == BOOL:
                return "no none" if atom else "some none"
            return str(atom)
        case x.Global(p.BAD):
            return f"some {values[p.BAD]}"
        case x.Global(p.LOOP):
            return "some none"
        case x.Global(name):
            return values[name]
        case x.Local(name, number):
            return names.get(number, f"{name}{number}")
        case x.Universe(sort):
            return str(sort)
        case x.Empty(columns):
            return " -> ".join(["none"] * max(1, len(columns)))
        case x.Singleton(scalar):
            return _text(scalar, values, names)
        case x.SetOperation(operator, left, right):
            return f"{text(left)} {_SET[operator]} {text(right)}"
        case x.Join(left, right):
            return f"{text(left)}.{text(right)}"
        case x.Product(left, right):
            return f"{text(left)} -> {text(right)}"
        case x.Transpose(body):
            return f"~{text(body)}"
        case x.Closure(body, reflexive, columns):
            return f"^{text(body)} + ({columns[0]} <: iden)" if reflexive else f"^{text(body)}"
        case x.Not(body):
            return f"not {text(body)}"
        case x.Binary(operator, left, right):
            return f"{text(left)} {operator} {text(right)}"
        case x.Same(left, right):
            if x.type_of(left) == Scalar(BOOL):
                return f"{text(left)} <=> {text(right)}"
            return f"{text(left)} = {text(right)}"
        case x.Subset(left, right):
            return f"{text(left)} in {text(right)}"
        case x.Count(test, body):
            return f"{test} {text(body)}"
        case x.Quantified(quantifier, variables, ranges, body):
            bound = ", ".join(f"{v.name}{v.number} : {text(r)}" for v, r in zip(variables, ranges, strict=True))
            return f"{quantifier} {bound} | {text(body)}"
        case x.Comprehension(variables, ranges, body):
            bound = ", ".join(f"{v.name}{v.number} : {text(r)}" for v, r in zip(variables, ranges, strict=True))
            return f"{{ {bound} | {text(body)} }}"
        case x.Apply(_, parameters, arguments, body):
            passed = {q.number: text(a) for q, a in zip(parameters, arguments, strict=True)}
            return _text(body, values, {**names, **passed})
        case x.Compare(operator, left, right) | x.CompareSets(operator, left, right):
            order = {"<": "lt", "<=": "lte", ">": "gt", ">=": "gte"}[operator]
            sorts = [s for side in (left, right) for s in _sorts(side)]
            if any(isinstance(sort, IntSort) for sort in sorts):
                raise InputError.at(Span("", 0), REFUSED, "cannot be written in Alloy: order of numbers")
            return f"all p_ : {text(left)}, q_ : {text(right)} | {_before(order, sorts[0])}"
        case x.Temporal("AU", (left, right)):
            return f"{text(left)} until {text(right)}"
        case x.Temporal(operator, (body,)):
            return f"{_TIME[operator]} {text(body)}"
    raise InputError.at(Span("", 0), REFUSED, f"cannot be written in Alloy: {type(expr).__name__.lower()}")


def _sorts(expr: x.Expr) -> tuple[Sort, ...]:
    found = x.type_of(expr)
    return found.columns if isinstance(found, Rel) else (found.sort,)


def _before(order: str, sort: Sort) -> str:
    """An enumeration is ordered as it is written."""
    labels = sort.labels if isinstance(sort, EnumSort) else ()
    compare = {
        "lt": lambda i, j: i < j,
        "lte": lambda i, j: i <= j,
        "gt": lambda i, j: i > j,
        "gte": lambda i, j: i >= j,
    }
    pairs = [f"{a} -> {b}" for i, a in enumerate(labels) for j, b in enumerate(labels) if compare[order](i, j)]
    return f"p_ -> q_ in ({' + '.join(pairs) or 'none -> none'})"
