"""Declarations and statements. After an error the parser goes on with the next declaration, so that it finds more."""

from __future__ import annotations

from clew.core.diagnostics import DiagnosticBag, InputError
from clew.frontends.relational.forms_parser import FormsParser
from clew.frontends.relational.lexer import Token, tokens
from clew.frontends.relational.syntax import (
    AssertDecl,
    AssignForm,
    BlockForm,
    CountUp,
    Declaration,
    DeclareForm,
    EnumDecl,
    ForeachForm,
    Form,
    FuncDecl,
    IfForm,
    LoopForm,
    Model,
    Number,
    ParamDecl,
    Parameter,
    ProcDecl,
    StmtForm,
    TypeForm,
    VarDecl,
)


def parse(text: str, file: str, bag: DiagnosticBag) -> Model:
    """The declarations that could be read; what is wrong with the others is in the bag."""
    return _Parser(tokens(text, file, bag), text, bag).model()


class _Parser(FormsParser):
    def __init__(self, found: list[Token], text: str, bag: DiagnosticBag) -> None:
        super().__init__(found)
        self.text = text
        self.bag = bag

    def model(self) -> Model:
        found: list[Declaration] = []
        while self.token.kind != "end":
            before = self.place
            try:
                found.append(self._declaration())
            except InputError as error:
                self.bag.items.extend(error.diagnostics)
                self.depth = 0
                self._skip(before)
        return Model(tuple(found))

    def _skip(self, before: int) -> None:
        """To behind the end of a declaration that is not understood."""
        open_braces = sum(1 if t.is_("{") else -1 if t.is_("}") else 0 for t in self.tokens[before : self.place])
        while self.token.kind != "end":
            token = self.advance()
            open_braces += 1 if token.is_("{") else -1 if token.is_("}") else 0
            if open_braces <= 0 and token.is_(";", "}"):
                break
        while self.accept(";"):
            pass

    def _declaration(self) -> Declaration:
        token = self.token
        if self.accept("enum"):
            return self._enum()
        if self.accept("param"):
            name = self.name("the name of a parameter")
            self.expect("=", "and a number after the parameter")
            if self.token.kind != "number":
                raise self.unexpected("a number")
            value = int(self.advance().text)
            self.expect(";", "after the parameter")
            return ParamDecl(name.text, value, name.span)
        if self.accept("assert"):
            start = self.token.at
            formula = self.form()
            text = " ".join(self.text[start : self.token.at].split())
            self.expect(";", "after the assertion")
            return AssertDecl(formula, text, token.span)
        if token.is_("toplevel", "void"):
            return self._procedure()
        return self._variables_or_function()

    def _enum(self) -> EnumDecl:
        name = self.name("the name of the enumeration")
        self.accept("=")
        self.expect("{", "before the values")
        size, labels = None, list[Token]()
        if self.token.kind == "number":
            token = self.advance()
            size = Number(int(token.text), token.span)
        else:
            labels.append(self.name("a value"))
            while self.accept(","):
                labels.append(self.name("a value"))
        self.expect("}", "after the values")
        self.expect(";", "after the enumeration")
        return EnumDecl(name.text, tuple((t.text, t.span) for t in labels), size, name.span)

    def _type(self) -> TypeForm:
        start = self.here()
        is_set = self.accept("set") is not None
        scalars, multiplicities = [self.scalar_type()], list[str]()
        while self.accept("->"):
            word = self.accept("lone", "one", "some", "set")
            multiplicities.append(word.text if word else "set")
            scalars.append(self.scalar_type())
        return TypeForm(is_set, tuple(scalars), tuple(multiplicities), start)

    def _parameters(self) -> tuple[Parameter, ...]:
        self.expect("(", "before the parameters")
        found: list[Parameter] = []
        while not self.token.is_(")"):
            if found:
                self.expect(",", "between parameters")
            type_ = self._type()
            name = self.name("the name of a parameter")
            found.append(Parameter(type_, name.text, name.span))
        self.advance()
        return tuple(found)

    def _procedure(self) -> ProcDecl:
        toplevel = self.accept("toplevel") is not None
        self.expect("void", "before the name of a procedure")
        name = self.name("the name of the procedure")
        parameters = self._parameters()
        if not self.token.is_("{"):
            raise self.unexpected("'{' before the statements of the procedure")
        body = self._block()
        self.accept(";")
        return ProcDecl(toplevel, name.text, parameters, body, name.span)

    def _variables_or_function(self) -> Declaration:
        type_ = self._type()
        name = self.name("a name to declare")
        if self.token.is_("("):
            parameters = self._parameters()
            self.expect("{", "before the value of the function")
            body = self.form()
            self.accept(";")
            self.expect("}", "after the value of the function")
            self.accept(";")
            return FuncDecl(type_, name.text, parameters, body, name.span)
        names = [name]
        while self.accept(","):
            names.append(self.name("a name to declare"))
        self.expect(";", "after the declaration")
        return VarDecl(type_, tuple((n.text, n.span) for n in names))

    def _block(self) -> BlockForm:
        opening = self.expect("{", "before statements")
        found = []
        while not self.token.is_("}"):
            if self.token.kind == "end":
                raise self.unexpected(f"'}}' to close the block that begins in line {opening.span.line}")
            found.append(self._statement())
        self.advance()
        return BlockForm(tuple(found))

    def _statement(self) -> StmtForm:
        self.depth += 1
        try:
            return self._one_statement()
        finally:
            self.depth -= 1

    def _one_statement(self) -> StmtForm:
        token = self.token
        if token.is_("{") and not self._binds(self.place + 1):
            return self._block()
        if self.accept(";"):
            return BlockForm(())
        if self.accept("if"):
            condition = self.form()
            then = self._statement()
            otherwise = self._statement() if self.accept("else") else None
            return IfForm(condition, then, otherwise, token.span)
        if self.accept("while"):
            condition = self._bracketed("while")
            return LoopForm((), condition, (self._statement(),), token.span)
        if self.accept("do"):
            body = self._statement()
            self.expect("while", "after the body of do")
            condition = self._bracketed("while")
            self.expect(";", "after the condition")
            return LoopForm((body,), condition, (body,), token.span)
        if self.accept("for"):
            return self._for(token)
        if self.accept("foreach"):
            name = self.name("the name of the iterator")
            self.expect(":", "after the iterator")
            over = self.expression()
            return ForeachForm(name.text, over, self._statement(), token.span)
        simple = self._simple()
        self.expect(";", "after the statement")
        return simple

    def _bracketed(self, after: str) -> Form:
        self.expect("(", f"after {after}")
        condition = self.form()
        self.expect(")", "after the condition")
        return condition

    def _for(self, token: Token) -> LoopForm:
        self.expect("(", "after for")
        first = () if self.token.is_(";") else (self._simple(),)
        self.expect(";", "after the first statement of for")
        condition = self.form()
        self.expect(";", "after the condition of for")
        last = () if self.token.is_(")") else (self._simple(),)
        self.expect(")", "after the last statement of for")
        return LoopForm(first, condition, (self._statement(), *last), token.span)

    def _simple(self) -> StmtForm:
        """An assignment, a call, or a formula that relates two states; a call is told from a formula by its name."""
        start = self.here()
        left = self.form()
        if self.accept(":="):
            return AssignForm(left, self.form(), start)
        if operator := self.accept("++", "--"):
            return CountUp(left, operator.text, start)
        return DeclareForm(left, start)
