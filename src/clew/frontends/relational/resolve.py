"""Names and types of expressions: from what was written to typed expressions. Errors go to the bag, with positions;
an expression with an error in it becomes None, and what stands around it is not complained about again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from clew.core.diagnostics import Span
from clew.core.near_names import did_you_mean
from clew.core.relational import expressions as x
from clew.core.relational.expressions import Expr, Local, columns_of, sort_of, type_of
from clew.core.relational.program import BAD, LOOP, LOOP_VARIABLE
from clew.core.relational.sorts import BOOL, FORMULA, IntSort, Rel, Scalar, Sort, Type, joined_sort, within
from clew.frontends.relational import syntax as s
from clew.frontends.relational.scope import NAME, TYPE, WIDEST_INT, Scope

Locals = Mapping[str, Local]
PLAIN = {"sole": "lone"}


class Resolver:
    """Resolves expressions in a scope. `primes` and `temporal` say what may stand where it is working."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.bag = scope.bag
        self.primes = False
        self.temporal = False
        self.calling: list[str] = []

    # what may stand somewhere

    def formula(self, form: s.Form, names: Locals) -> Expr | None:
        found = self.any_(form, names)
        if found is not None and type_of(found) != FORMULA:
            self.bag.error(_span(form), TYPE, f"a formula is needed here, this is {_what(found)}", _test_hint(found))
            return None
        return found

    def relation(self, form: s.Form, names: Locals) -> Expr | None:
        """A set or relation; a scalar is taken as the set that holds just it."""
        found = self.any_(form, names)
        return None if found is None else self.promoted(found)

    def promoted(self, expr: Expr) -> Expr:
        return x.Singleton(expr) if isinstance(type_of(expr), Scalar) else expr

    def set_(self, form: s.Form, names: Locals, what: str) -> Expr | None:
        found = self.relation(form, names)
        if found is not None and len(columns_of(found)) != 1:
            if isinstance(found, x.Empty):
                self.bag.error(_span(form), TYPE, f"{what} cannot be emptyset: it does not say of what")
            else:
                self.bag.error(_span(form), TYPE, f"{what} must be a set, this is {_what(found)}")
            return None
        return found

    def value(self, form: s.Form, names: Locals, wanted: Type) -> Expr | None:
        """An expression whose value a variable of the wanted type can hold: for scalars also a set, which must turn out
        to have one element."""
        found = self._negative(form, wanted) or self.any_(form, names)
        if found is None:
            return None
        return found if self.fits(found, wanted, _span(form)) else None

    def fits(self, found: Expr, wanted: Type, span: Span) -> bool:
        is_type = type_of(found)
        if isinstance(wanted, Scalar):
            inner = is_type.sort if isinstance(is_type, Scalar) else None
            if isinstance(is_type, Rel) and is_type.arity == 1:
                inner = is_type.columns[0]
            if inner is not None and (joined_sort(inner, wanted.sort) is not None):
                return True
        else:
            columns = is_type.columns if isinstance(is_type, Rel) else (is_type.sort,)
            if not columns:
                return True
            if len(columns) == wanted.arity and all(map(within, columns, wanted.columns)):
                return True
        self.bag.error(span, TYPE, f"{wanted} is needed here, this is {_what(found)}")
        return False

    # expressions

    def any_(self, form: s.Form, names: Locals) -> Expr | None:
        match form:
            case s.Name():
                return self._name(form, names)
            case s.Number(value):
                return self._number(value, form.span)
            case s.Truth(value):
                return x.Literal_(int(value), BOOL)
            case s.EmptySet():
                return x.Empty(())
            case s.ScalarType():
                sort = self.scope.sort(form)
                return None if sort is None else x.Universe(sort)
            case s.Prefix():
                return self._prefix(form, names)
            case s.Infix():
                return self._infix(form, names)
            case s.UntilForm(path, left, right, span):
                self._temporal_allowed(span)
                a, b = self.formula(left, names), self.formula(right, names)
                if a is None or b is None:
                    return None
                return x.Temporal("AU" if path == "A" else "EU", (a, b))
            case s.QuantifiedForm():
                return self._quantified(form, names)
            case s.ComprehensionForm():
                return self._comprehension(form, names)
            case s.CountForm(test, body):
                inner = self.relation(body, names)
                if test == "all":
                    self.bag.error(form.span, TYPE, "'all' needs a variable: all x:SET | FORMULA")
                    return None
                return None if inner is None else x.Count(cast(x.CountTest, PLAIN.get(test, test)), inner)
            case s.CallForm():
                return self._apply(form, names)

    def _name(self, form: s.Name, names: Locals) -> Expr | None:
        name, primed, span = form.name, form.primed, form.span
        if primed and not self.primes:
            self.bag.error(span, NAME, f"{name}': primes are for declarative statements")
            return None
        if name in names:
            found = names[name]
            return Local(found.name, found.number, found.type, primed)
        if name in (BAD, LOOP):
            if name == LOOP and primed:
                self.bag.error(span, NAME, "loop cannot be set: it is where runs that never end go")
                return None
            return x.Global(BAD, FORMULA, primed) if name == BAD else LOOP_VARIABLE
        if name in self.scope.variables:
            return x.Global(name, self.scope.variables[name].type, primed)
        if primed:
            self.bag.error(span, NAME, f"'{name}' is not a variable and cannot change")
            return None
        if name in self.scope.labels:
            atom, sort = self.scope.labels[name]
            return x.Literal_(atom, sort)
        if name in self.scope.enums:
            return x.Universe(self.scope.enums[name])
        if name in self.scope.parameters:
            return self._number(self.scope.parameters[name], span)
        if name in self.scope.places:
            kind = "function" if name in self.scope.functions else "procedure"
            if kind == "function" or name in self.scope.procedures:
                self.bag.error(span, NAME, f"'{name}' is a {kind}: call it with brackets")
            return None
        hint = did_you_mean(name, [*names, *self.scope.known(), BAD, LOOP])
        self.bag.error(span, NAME, f"'{name}' is not declared", hint)
        return None

    def _number(self, value: int, span: Span) -> Expr | None:
        bits = max(1, value.bit_length())
        if bits > WIDEST_INT:
            self.bag.error(span, TYPE, f"{value} needs more than {WIDEST_INT} bits")
            return None
        return x.Literal_(value, IntSort(bits))

    def _negative(self, form: s.Form, wanted: Type | None) -> Expr | None:
        """A negative number, in the width of what it meets."""
        match form, wanted:
            case s.Prefix("-", s.Number(value)), Scalar(IntSort(bits) as sort) if value <= 1 << (bits - 1):
                return x.Literal_(-value % (1 << bits), sort)
        return None

    def _prefix(self, form: s.Prefix, names: Locals) -> Expr | None:
        operator, span = form.operator, form.span
        if operator == "!":
            body = self.formula(form.body, names)
            return None if body is None else x.Not(body)
        if operator in ("AG", "AX", "AF", "EG", "EX", "EF"):
            self._temporal_allowed(span)
            body = self.formula(form.body, names)
            return None if body is None else x.Temporal(cast(x.TemporalOperator, operator), (body,))
        if operator == "-":
            if isinstance(form.body, s.Number):
                self.bag.error(span, TYPE, "a negative number needs a variable beside it that says how wide it is")
                return None
            body = self.any_(form.body, names)
            if body is None:
                return None
            sort = self._int_sort(body)
            if sort is None:
                self.bag.error(span, TYPE, f"'-' needs a number, this is {_what(body)}")
                return None
            return x.Arithmetic("-", x.Literal_(0, sort), body, False, sort)
        body = self.relation(form.body, names)
        if body is None or isinstance(body, x.Empty):
            return body
        columns = columns_of(body)
        if len(columns) != 2:
            self.bag.error(span, TYPE, f"'{operator}' needs a relation with two columns, this is {_what(body)}")
            return None
        if operator == "~":
            return x.Transpose(body, (columns[1], columns[0]))
        sort_ = joined_sort(*columns)
        if sort_ is None:
            self.bag.error(span, TYPE, f"'{operator}' needs both columns of one type, this is {_what(body)}")
            return None
        return x.Closure(body, operator == "*", (sort_, sort_))

    def _temporal_allowed(self, span: Span) -> None:
        if not self.temporal:
            self.bag.error(span, NAME, "temporal operators are for assertions")

    def _infix(self, form: s.Infix, names: Locals) -> Expr | None:
        operator = form.operator
        if operator in ("&&", "||", "=>"):
            a, b = self.formula(form.left, names), self.formula(form.right, names)
            if a is None or b is None:
                return None
            match operator:
                case "&&":
                    return x.Binary("&&", a, b)
                case "||":
                    return x.Binary("||", a, b)
            return x.Binary("=>", a, b)
        left, right = self._operands(form, names)
        if left is None or right is None:
            return None
        plain = operator.rstrip("$")
        match plain:
            case "+" | "-" | "*" | "/" if self._int_sort(left) and self._int_sort(right):
                return self._arithmetic(form, left, right)
            case "*" | "/":
                found = right if self._int_sort(left) else left
                self.bag.error(form.span, TYPE, f"'{operator}' needs numbers, this is {_what(found)}")
                return None
            case "+" | "-" | "&":
                return self._set_operation(form, left, right)
            case ".":
                return self._join(form, left, right)
            case "->":
                a, b = self.promoted(left), self.promoted(right)
                if isinstance(a, x.Empty) or isinstance(b, x.Empty):
                    return x.Empty(())
                return x.Product(a, b, columns_of(a) + columns_of(b))
            case "==" | "!=":
                same = self._same(form, left, right)
                return same if plain == "==" or same is None else x.Not(same)
            case "in":
                a, b = self.promoted(left), self.promoted(right)
                return x.Subset(a, b) if self._alike(form, a, b) is not None else None
        return self._compare(form, left, right)

    def _operands(self, form: s.Infix, names: Locals) -> tuple[Expr | None, Expr | None]:
        """Both sides; a negative number is as wide as the other side."""
        left, right = form.left, form.right
        if isinstance(left, s.Prefix) and left.operator == "-" and isinstance(left.body, s.Number):
            b = self.any_(right, names)
            return (None if b is None else self._negative(left, type_of(b)) or self.any_(left, names)), b
        a = self.any_(left, names)
        if isinstance(right, s.Prefix) and right.operator == "-" and isinstance(right.body, s.Number):
            return a, (None if a is None else self._negative(right, type_of(a)) or self.any_(right, names))
        return a, self.any_(right, names)

    def _int_sort(self, expr: Expr) -> IntSort | None:
        found = type_of(expr)
        return found.sort if isinstance(found, Scalar) and isinstance(found.sort, IntSort) else None

    def _arithmetic(self, form: s.Infix, left: Expr, right: Expr) -> Expr | None:
        sorts = self._int_sort(left), self._int_sort(right)
        assert sorts[0] is not None and sorts[1] is not None
        sort = IntSort(max(sorts[0].bits, sorts[1].bits))
        operator, signed = form.operator.rstrip("$"), form.operator.endswith("$")
        if signed and not self._same_width(form, left, right, sort):
            return None
        return x.Arithmetic(cast(x.ArithmeticOperator, operator), left, right, signed, sort)

    def _same_width(self, form: s.Infix, left: Expr, right: Expr, sort: IntSort) -> bool:
        """Signed operators read the highest bit as a sign, so both sides must have it; numbers adapt."""
        for side in (left, right):
            fixed = not isinstance(side, x.Literal_)
            if fixed and self._int_sort(side) != sort:
                message = f"'{form.operator}' needs two numbers of one width, not {type_of(left)} and {type_of(right)}"
                self.bag.error(form.span, TYPE, message)
                return False
        return True

    def _alike(self, form: s.Infix, left: Expr, right: Expr) -> tuple[Sort, ...] | None:
        """The columns of two relations of one shape."""
        a, b = columns_of(left), columns_of(right)
        if not a or not b:
            return a or b
        sorts = [joined_sort(p, q) for p, q in zip(a, b, strict=False)]
        if len(a) != len(b) or None in sorts:
            message = f"the sides of '{form.operator}' do not fit: {_what(left)} and {_what(right)}"
            self.bag.error(form.span, TYPE, message)
            return None
        return tuple(sort for sort in sorts if sort is not None)

    def _set_operation(self, form: s.Infix, left: Expr, right: Expr) -> Expr | None:
        if form.operator.endswith("$"):
            self.bag.error(form.span, TYPE, f"'{form.operator}' needs numbers")
            return None
        a, b = self.promoted(left), self.promoted(right)
        columns = self._alike(form, a, b)
        if columns is None:
            return None
        if not columns:
            return x.Empty(())
        return x.SetOperation(cast(x.SetOperator, form.operator), a, b, columns)

    def _join(self, form: s.Infix, left: Expr, right: Expr) -> Expr | None:
        a, b = self.promoted(left), self.promoted(right)
        if isinstance(a, x.Empty) or isinstance(b, x.Empty):
            return x.Empty(())
        p, q = columns_of(a), columns_of(b)
        if len(p) + len(q) == 2:
            self.bag.error(form.span, TYPE, "joining two sets leaves nothing", "use & to see whether they overlap")
            return None
        if joined_sort(p[-1], q[0]) is None:
            message = f"cannot join {_what(a)} with {_what(b)}: {p[-1]} and {q[0]} meet"
            self.bag.error(form.span, TYPE, message)
            return None
        return x.Join(a, b, p[:-1] + q[1:])

    def _same(self, form: s.Infix, left: Expr, right: Expr) -> Expr | None:
        one, other = type_of(left), type_of(right)
        if isinstance(one, Scalar) and isinstance(other, Scalar):
            if joined_sort(one.sort, other.sort) is None:
                self.bag.error(form.span, TYPE, f"{_what(left)} is never {_what(right)}")
                return None
            return x.Same(left, right)
        a, b = self.promoted(left), self.promoted(right)
        return None if self._alike(form, a, b) is None else x.Same(a, b)

    def _compare(self, form: s.Infix, left: Expr, right: Expr) -> Expr | None:
        operator = cast(x.Order, form.operator.rstrip("$"))
        signed = form.operator.endswith("$")
        one, other = type_of(left), type_of(right)
        if isinstance(one, Scalar) and isinstance(other, Scalar):
            sort = joined_sort(one.sort, other.sort)
            if sort is None or sort == BOOL or (signed and not isinstance(sort, IntSort)):
                message = f"'{form.operator}' does not order {_what(left)} and {_what(right)}"
                self.bag.error(form.span, TYPE, message)
                return None
            if signed and isinstance(sort, IntSort) and not self._same_width(form, left, right, sort):
                return None
            return x.Compare(operator, left, right, signed)
        a, b = self.promoted(left), self.promoted(right)
        columns = self._alike(form, a, b)
        if columns is None:
            return None
        if len(columns) > 1:
            self.bag.error(form.span, TYPE, f"'{form.operator}' orders elements of sets, not of {_what(a)}")
            return None
        return x.CompareSets(operator, a, b, signed)

    # binders and calls

    def bound(
        self, bindings: tuple[s.Binding, ...], names: Locals
    ) -> tuple[tuple[Local, ...], tuple[Expr, ...], dict[str, Local]] | None:
        """New variables with their ranges; a range may use the variables before it."""
        inner, variables, ranges, fine = dict(names), list[Local](), list[Expr](), True
        for binding in bindings:
            over = self.set_(binding.over, inner, "a range")
            if over is None:
                fine = False
                continue
            for name, _ in binding.names:
                variable = self.scope.new_local(name, Scalar(columns_of(over)[0]))
                variables.append(variable)
                ranges.append(over)
            for (name, _), variable in zip(binding.names, variables[-len(binding.names) :], strict=True):
                inner[name] = variable
        return (tuple(variables), tuple(ranges), inner) if fine else None

    def _quantified(self, form: s.QuantifiedForm, names: Locals) -> Expr | None:
        made = self.bound(form.bindings, names)
        if made is None:
            return None
        variables, ranges, inner = made
        body = self.formula(form.body, inner)
        if body is None:
            return None
        kind = cast(x.Quantifier, PLAIN.get(form.quantifier, form.quantifier))
        return x.Quantified(kind, variables, ranges, body)

    def _comprehension(self, form: s.ComprehensionForm, names: Locals) -> Expr | None:
        made = self.bound(form.bindings, names)
        if made is None:
            return None
        variables, ranges, inner = made
        body = self.formula(form.body, inner)
        return None if body is None else x.Comprehension(variables, ranges, body)

    def _apply(self, form: s.CallForm, names: Locals) -> Expr | None:
        declared = self.scope.functions.get(form.name)
        if declared is None:
            if form.name in self.scope.procedures:
                self.bag.error(form.span, NAME, f"'{form.name}' is a procedure: it has no value")
            else:
                hint = did_you_mean(form.name, self.scope.functions)
                self.bag.error(form.span, NAME, f"there is no function '{form.name}'", hint)
            return None
        if form.name in self.calling:
            self.bag.error(form.span, NAME, f"the function '{form.name}' calls itself", "only procedures may recurse")
            return None
        if len(form.arguments) != len(declared.parameters):
            wanted = len(declared.parameters)
            self.bag.error(form.span, TYPE, f"'{form.name}' has {wanted} parameters, not {len(form.arguments)}")
            return None
        parameters = self.parameters(declared.parameters)
        if parameters is None:
            return None
        arguments = [self.argument(a, names, p.type) for a, p in zip(form.arguments, parameters, strict=True)]
        body = self.function_body(declared, {p.name: p for p in parameters})
        given = tuple(a for a in arguments if a is not None)
        if body is None or len(given) < len(arguments):
            return None
        return x.Apply(form.name, parameters, given, body)

    def argument(self, form: s.Form, names: Locals, wanted: Type) -> Expr | None:
        """A value passed on: a set is not taken for a scalar here."""
        found = self.value(form, names, wanted)
        if found is None:
            return None
        if isinstance(wanted, Scalar) and isinstance(type_of(found), Rel):
            self.bag.error(_span(form), TYPE, f"{wanted} is needed here, this is {_what(found)}")
            return None
        if isinstance(wanted, Scalar) and not within(sort_of(found), wanted.sort):
            self.bag.error(_span(form), TYPE, f"{wanted} is needed here, this is {_what(found)}")
            return None
        return self.promoted(found) if isinstance(wanted, Rel) else found

    def parameters(self, forms: tuple[s.Parameter, ...]) -> tuple[Local, ...] | None:
        made: list[Local] = []
        for form in forms:
            found = self.scope.type_(form.type)
            if found is None:
                return None
            if any(p.name == form.name for p in made):
                self.bag.error(form.span, NAME, f"there are two parameters '{form.name}'")
                return None
            if any(m != "set" for m in found[1]):
                self.bag.error(form.span, TYPE, "parameters have no multiplicities")
                return None
            made.append(self.scope.new_local(form.name, found[0]))
        return tuple(made)

    def function_body(self, declared: s.FuncDecl, names: Locals) -> Expr | None:
        found = self.scope.type_(declared.type)
        if found is None:
            return None
        self.calling.append(declared.name)
        primes, self.primes = self.primes, False
        body = self.argument(declared.body, names, found[0])
        self.primes = primes
        self.calling.pop()
        return body


def _span(form: s.Form) -> Span:
    return form.left.span if isinstance(form, s.Infix) and not isinstance(form.left, s.Infix) else form.span


def _what(expr: Expr) -> str:
    found = type_of(expr)
    if found == FORMULA:
        return "a formula"
    if isinstance(found, Scalar):
        return f"one {found.sort}" if not isinstance(found.sort, IntSort) else f"a number ({found.sort})"
    if not found.columns:
        return "emptyset"
    return f"a set of {found.columns[0]}" if found.arity == 1 else f"a relation {found}"


def _test_hint(expr: Expr) -> str:
    return "some, no, one or lone ask how many elements it has" if isinstance(type_of(expr), Rel) else ""
