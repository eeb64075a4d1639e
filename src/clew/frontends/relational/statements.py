"""Names and types of statements, procedures and assertions; what `lint` has to say about them."""

from __future__ import annotations

from clew.core.diagnostics import Span
from clew.core.relational import program as p
from clew.core.relational.expressions import Arithmetic, Expr, Global, Literal_, Local, columns_of
from clew.core.relational.sorts import IntSort, Rel, Scalar
from clew.frontends.relational import syntax as s
from clew.frontends.relational.resolve import Locals, Resolver
from clew.frontends.relational.scope import NAME, TYPE, Scope

FRAME = "relational-frame"


class Statements:
    """Resolves the statements of a procedure."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.bag = scope.bag
        self.resolver = Resolver(scope)
        self.signatures: dict[str, tuple[Local, ...] | None] = {}

    def procedures(self) -> tuple[p.Procedure, ...]:
        declared = self.scope.procedures.values()
        for form in declared:
            self.signatures[form.name] = self.resolver.parameters(form.parameters)
        return tuple(made for form in declared if (made := self._procedure(form)) is not None)

    def _procedure(self, form: s.ProcDecl) -> p.Procedure | None:
        parameters = self.signatures[form.name]
        if parameters is None:
            return None
        body = self.statement(form.body, {one.name: one for one in parameters})
        return p.Procedure(form.name, parameters, body, form.toplevel, form.span)

    def statement(self, form: s.StmtForm, names: Locals) -> p.Stmt:
        """A statement with an error in it becomes an empty one; the bag knows."""
        return self._statement(form, names) or p.SKIP

    def _statement(self, form: s.StmtForm, names: Locals) -> p.Stmt | None:
        match form:
            case s.BlockForm(inner):
                return p.Block(tuple(self.statement(one, names) for one in inner))
            case s.AssignForm():
                return self._assign(form, names)
            case s.CountUp():
                return self._count_up(form, names)
            case s.DeclareForm(s.CallForm() as call, span) if call.name in self.scope.procedures:
                return self._call(call, names, span)
            case s.DeclareForm(s.CallForm() as call) if call.name not in self.scope.functions:
                self.bag.error(call.span, NAME, f"there is no procedure '{call.name}'")
                return None
            case s.DeclareForm(formula, span):
                return self._declare(formula, names, span)
            case s.IfForm(condition, then, otherwise, span):
                test = self.resolver.formula(condition, names)
                yes = self.statement(then, names)
                no = p.SKIP if otherwise is None else self.statement(otherwise, names)
                return None if test is None else p.If(test, yes, no, span)
            case s.LoopForm(first, condition, body, span):
                before = [self.statement(one, names) for one in first]
                test = self.resolver.formula(condition, names)
                inner_block = p.Block(tuple(self.statement(one, names) for one in body))
                return None if test is None else p.Block((*before, p.While(test, inner_block, span)))
            case s.ForeachForm(name, over, body, span):
                range_ = self.resolver.set_(over, names, "what foreach runs over")
                if range_ is None:
                    return None
                variable = self.scope.new_local(name, Scalar(columns_of(range_)[0]))
                return p.Foreach(variable, range_, self.statement(body, {**names, name: variable}), span)

    def _target(self, form: s.Form, names: Locals) -> Global | Local | None:
        match form:
            case s.Name(name, False) if name != p.LOOP:
                found = self.resolver.any_(form, names)
                if isinstance(found, Global | Local):
                    return found
                if found is not None:
                    self.bag.error(form.span, TYPE, f"'{name}' cannot be assigned to: it is not a variable")
                return None
            case s.Name(p.LOOP):
                self.bag.error(form.span, NAME, "loop cannot be set: it is where runs that never end go")
            case s.Name():
                self.bag.error(form.span, TYPE, "an assignment is to the variable itself, without a prime")
            case _:
                hint = "assign to VARIABLE or to SET.RELATION"
                self.bag.error(form.span, TYPE, "this cannot be assigned to", hint)
        return None

    def _assign(self, form: s.AssignForm, names: Locals) -> p.Stmt | None:
        if isinstance(form.target, s.Infix) and form.target.operator == ".":
            return self._assign_row(form, form.target, names)
        target = self._target(form.target, names)
        if target is None:
            return None
        value = self.resolver.value(form.value, names, target.type)
        if value is None:
            return None
        if isinstance(target.type, Rel):
            value = self.resolver.promoted(value)
        return p.Assign(target, value, form.span)

    def _assign_row(self, form: s.AssignForm, place: s.Infix, names: Locals) -> p.Stmt | None:
        rows = self.resolver.set_(place.left, names, "what is left of the last '.'")
        target = self._target(place.right, names)
        if rows is None or target is None:
            return None
        if not isinstance(target.type, Rel) or target.type.arity < 2:
            self.bag.error(place.right.span, TYPE, f"'{target.name}' has no rows: it is {target.type}")
            return None
        first, *others = target.type.columns
        if not self.resolver.fits(rows, Rel((first,)), place.left.span):
            return None
        value = self.resolver.value(form.value, names, Rel(tuple(others)))
        return None if value is None else p.AssignRow(target, rows, self.resolver.promoted(value), form.span)

    def _count_up(self, form: s.CountUp, names: Locals) -> p.Stmt | None:
        target = self._target(form.target, names)
        if target is None:
            return None
        match target.type:
            case Scalar(IntSort() as sort):
                operator = "+" if form.operator == "++" else "-"
                one = Literal_(1, IntSort(1))
                return p.Assign(target, Arithmetic(operator, target, one, False, sort), form.span)  # type: ignore[arg-type]
        self.bag.error(form.span, TYPE, f"'{form.operator}' needs an int variable, '{target.name}' is {target.type}")
        return None

    def _declare(self, form: s.Form, names: Locals, span: Span) -> p.Stmt | None:
        self.resolver.primes = True
        formula = self.resolver.formula(form, names)
        self.resolver.primes = False
        if formula is None:
            return None
        self._warn_of_frame(formula, span)
        return p.Declare(formula, span)

    def _warn_of_frame(self, formula: Expr, span: Span) -> None:
        """A declarative statement has no frame condition."""
        said = p.primed(formula)
        free = [name for name in self.scope.variables if name not in said]
        if free:
            names = ", ".join(f"{name}'" for name in free)
            message = f"this statement says nothing about {names}: anything may be in there afterwards"
            hint = "say what stays as it is: " + " && ".join(f"{name}' == {name}" for name in free)
            self.bag.warning(span, FRAME, message, hint)

    def _call(self, form: s.CallForm, names: Locals, span: Span) -> p.Stmt | None:
        parameters = self.signatures.get(form.name)
        if parameters is None:
            return None
        if len(parameters) != len(form.arguments):
            message = f"'{form.name}' has {len(parameters)} parameters, not {len(form.arguments)}"
            self.bag.error(form.span, TYPE, message)
            return None
        found = [self.resolver.argument(a, names, w.type) for a, w in zip(form.arguments, parameters, strict=True)]
        given = tuple(a for a in found if a is not None)
        return p.Call(form.name, given, span) if len(given) == len(found) else None

    def assertions(self, forms: list[s.AssertDecl]) -> tuple[p.Assertion, ...]:
        self.resolver.temporal = True
        made = []
        for number, form in enumerate(forms, 1):
            formula = self.resolver.formula(form.formula, {})
            if formula is not None:
                made.append(p.Assertion(f"assert{number}", formula, form.text, form.span))
        self.resolver.temporal = False
        return tuple(made)

    def functions(self) -> None:
        """Looks at every function, also those that nobody calls."""
        self.resolver.temporal = True
        for declared in self.scope.functions.values():
            parameters = self.resolver.parameters(declared.parameters)
            if parameters is not None:
                self.resolver.function_body(declared, {one.name: one for one in parameters})
        self.resolver.temporal = False
