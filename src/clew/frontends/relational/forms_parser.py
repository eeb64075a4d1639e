"""Expressions and formulas, by precedence: `=>`, `||`, `&&`, prefix (`!`, temporal, quantifiers), comparisons, `+ -`,
`* /`, `&`, `->`, `.`, prefix `~ ^ *`. A quantifier reaches as far to the right as it can."""

from __future__ import annotations

from clew.core.diagnostics import InputError, Span
from clew.frontends.relational.lexer import SYNTAX, Token
from clew.frontends.relational.syntax import (
    Binding,
    CallForm,
    ComprehensionForm,
    CountForm,
    EmptySet,
    Form,
    Infix,
    Name,
    Number,
    Prefix,
    QuantifiedForm,
    ScalarType,
    Truth,
    UntilForm,
)

QUANTIFIERS = ("all", "some", "one", "no", "lone", "sole")
TEMPORAL = ("AG", "AX", "AF", "EG", "EX", "EF")
COMPARISONS = ("in", "==", "!=", "<", "<=", ">", ">=", "<$", "<=$", ">$", ">=$")
LEFT_ASSOCIATIVE = (("+", "-", "+$", "-$"), ("*", "/", "*$", "/$"), ("&",), ("->",), (".",))
DEEPEST = 400  # nested brackets and operators


class FormsParser:
    """Reads from a list of tokens that ends with one of kind `end`."""

    def __init__(self, found: list[Token]) -> None:
        self.tokens = found
        self.place = 0
        self.depth = 0

    @property
    def token(self) -> Token:
        return self.tokens[self.place]

    def advance(self) -> Token:
        token = self.token
        if token.kind != "end":
            self.place += 1
        return token

    def accept(self, *texts: str) -> Token | None:
        return self.advance() if self.token.is_(*texts) else None

    def expect(self, text: str, where: str) -> Token:
        if self.token.is_(text):
            return self.advance()
        raise self.unexpected(f"'{text}' {where}")

    def name(self, what: str) -> Token:
        if self.token.kind == "name":
            return self.advance()
        raise self.unexpected(what)

    def unexpected(self, wanted: str) -> InputError:
        shown = f"'{self.token.text}'" if self.token.kind != "end" else "the end of the file"
        return InputError.at(self.token.span, SYNTAX, f"expected {wanted}, found {shown}")

    def form(self) -> Form:
        self.depth += 1
        if self.depth > DEEPEST:
            raise InputError.at(self.token.span, SYNTAX, "nested too deeply")
        try:
            left = self._disjunction()
            if arrow := self.accept("=>"):
                return Infix("=>", left, self.form(), arrow.span)
            return left
        finally:
            self.depth -= 1

    def _disjunction(self) -> Form:
        left = self._conjunction()
        while operator := self.accept("||"):
            left = Infix("||", left, self._conjunction(), operator.span)
        return left

    def _conjunction(self) -> Form:
        left = self._prefixed()
        while operator := self.accept("&&"):
            left = Infix("&&", left, self._prefixed(), operator.span)
        return left

    def _prefixed(self) -> Form:
        self.depth += 1
        if self.depth > DEEPEST:
            raise InputError.at(self.token.span, SYNTAX, "nested too deeply")
        try:
            return self._one_prefixed()
        finally:
            self.depth -= 1

    def _one_prefixed(self) -> Form:
        token = self.token
        if token.is_("!", *TEMPORAL):
            self.advance()
            return Prefix(token.text, self._prefixed(), token.span)
        if token.kind == "name" and token.text in ("A", "E") and self.tokens[self.place + 1].is_("["):
            return self._until()
        if token.is_(*QUANTIFIERS):
            if self._binds(self.place + 1):
                self.advance()
                bindings = self._bindings()
                self.expect("|", "before what is quantified")
                return QuantifiedForm(token.text, bindings, self.form(), token.span)
            self.advance()
            return CountForm(token.text, self.expression(), token.span)
        return self._comparison()

    def _until(self) -> Form:
        path = self.advance()
        self.advance()
        left = self.form()
        if not (self.token.kind == "name" and self.token.text == "U"):
            raise self.unexpected("'U'")
        self.advance()
        right = self.form()
        self.expect("]", "after the until")
        return UntilForm(path.text, left, right, path.span)

    def _binds(self, at: int) -> bool:
        """Whether `x, y : …` stands there."""
        while self.tokens[at].kind == "name" and self.tokens[at + 1].is_(","):
            at += 2
        return self.tokens[at].kind == "name" and self.tokens[at + 1].is_(":")

    def _bindings(self) -> tuple[Binding, ...]:
        found = []
        while True:
            names = [self.name("the name of a variable")]
            while self.accept(","):
                names.append(self.name("the name of a variable"))
            self.expect(":", "after the variable")
            found.append(Binding(tuple((n.text, n.span) for n in names), self.expression()))
            if not self.accept(","):
                return tuple(found)

    def _comparison(self) -> Form:
        left = self.expression()
        token = self.token
        if token.is_("!") and self.tokens[self.place + 1].is_("in"):
            self.advance()
            self.advance()
            return Prefix("!", Infix("in", left, self.expression(), token.span), token.span)
        if token.is_(*COMPARISONS):
            self.advance()
            return Infix(token.text, left, self.expression(), token.span)
        return left

    def expression(self) -> Form:
        return self._level(0)

    def _level(self, level: int) -> Form:
        if level == len(LEFT_ASSOCIATIVE):
            return self._unary()
        left = self._level(level + 1)
        while operator := self.accept(*LEFT_ASSOCIATIVE[level]):
            left = Infix(operator.text, left, self._level(level + 1), operator.span)
        return left

    def _unary(self) -> Form:
        token = self.accept("~", "^", "*", "-")
        if token is None:
            return self._primary()
        self.depth += 1
        if self.depth > DEEPEST:
            raise InputError.at(token.span, SYNTAX, "nested too deeply")
        body = self._unary()
        self.depth -= 1
        return Prefix(token.text, body, token.span)

    def _primary(self) -> Form:
        token = self.token
        if token.kind == "number":
            self.advance()
            return Number(int(token.text), token.span)
        if token.kind == "name":
            self.advance()
            if self.token.is_("("):
                return CallForm(token.text, self.arguments(), token.span)
            primed = self.accept("'") is not None
            return Name(token.text, primed, token.span)
        if token.is_("true", "false"):
            self.advance()
            return Truth(token.text == "true", token.span)
        if token.is_("emptyset"):
            self.advance()
            return EmptySet(token.span)
        if token.is_("int", "bool"):
            return self.scalar_type()
        if self.accept("("):
            inner = self.form()
            self.expect(")", f"to close the bracket in line {token.span.line}")
            return inner
        if self.accept("{"):
            bindings = self._bindings()
            self.expect("|", "before the condition of the set")
            body = self.form()
            self.expect("}", "after the condition of the set")
            return ComprehensionForm(bindings, body, token.span)
        raise self.unexpected("an expression")

    def arguments(self) -> tuple[Form, ...]:
        """From the opening bracket to behind the closing one."""
        self.expect("(", "before the arguments")
        found: list[Form] = []
        if not self.token.is_(")"):
            found.append(self.form())
            while self.accept(","):
                found.append(self.form())
        self.expect(")", "after the arguments")
        return tuple(found)

    def scalar_type(self) -> ScalarType:
        token = self.token
        if token.kind != "name" and not token.is_("int", "bool"):
            raise self.unexpected("a type")
        self.advance()
        bits: Number | Name | None = None
        if token.is_("int") and self.accept("("):
            bits = self.size("the number of bits")
            self.expect(")", "after the number of bits")
        return ScalarType(token.text, bits, token.span)

    def size(self, what: str) -> Number | Name:
        token = self.token
        if token.kind == "number":
            self.advance()
            return Number(int(token.text), token.span)
        if token.kind == "name":
            self.advance()
            return Name(token.text, False, token.span)
        raise self.unexpected(what)

    def here(self) -> Span:
        return self.token.span
