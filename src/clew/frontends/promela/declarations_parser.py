"""Declarations: variables, channels, mtypes, exclusive use."""

from __future__ import annotations

from typing import Literal, cast

from clew.core.diagnostics import Span
from clew.frontends.promela.expressions_parser import ExpressionParser
from clew.frontends.promela.lexer import CONST, NAME
from clew.frontends.promela.syntax import (
    ArrayInit,
    ChannelInit,
    Declarator,
    ExclusiveUse,
    Expr,
    MtypeDecl,
    Ref,
    VarDecl,
)

DECLARATION_STARTS = frozenset(("VISIBILITY", "TYPE", "UNAME"))


class DeclarationParser(ExpressionParser):
    """`channels_allowed` is False where an initialised channel cannot be declared (behind the first statement)."""

    channels_allowed = True

    def declaration(self) -> VarDecl | MtypeDecl:
        """`hidden byte x = 1, y[3]` or an mtype list; the current token is one of DECLARATION_STARTS."""
        first = self.token
        visibility = ""
        if self.kind == "VISIBILITY":
            visibility = first.text
            self.advance()
        if self.kind not in ("TYPE", "UNAME"):
            hint = f"'{self.token.text}' is not a type known here" if self.kind == NAME else ""
            self.fail(f"a type after '{first.text}'", hint)
        type_token, type_kind = self.token, self.kind
        self.advance()
        subtype: str | None = None
        if self.kind == ":" and type_kind == "TYPE":
            self.advance()
            subtype = self.expect_name("the name of an mtype after ':'").text
        if type_kind == "TYPE" and self.kind in ("=", "{"):
            return self._mtype_list(first.span, type_token.text, subtype)
        if subtype is not None and type_token.text != "mtype":
            raise self.error(type_token.span, f"only mtype has subtypes, not '{type_token.text}'", "is a ';' missing?")
        declarators = [self._declarator()]
        while self.kind == ",":
            self.advance()
            declarators.append(self._declarator())
        kind = cast('Literal["", "hidden", "show", "local"]', visibility)
        return VarDecl(kind, type_token.text, subtype, tuple(declarators), first.span)

    def declaration_list(self) -> list[VarDecl]:
        """Declarations separated by `;` (parameters, typedef fields)."""
        found: list[VarDecl] = []
        while True:
            if self.kind not in DECLARATION_STARTS:
                hint = f"'{self.token.text}' is not a type known here" if self.kind == NAME else ""
                self.fail("a declaration", hint)
            declaration = self.declaration()
            if isinstance(declaration, MtypeDecl):
                raise self.error(declaration.span, "an mtype list must be declared at the top level")
            found.append(declaration)
            if self.kind != ";":
                return found
            self.advance()

    def exclusive_use(self) -> ExclusiveUse:
        token = self.token
        self.advance()
        channels: list[Ref] = [self.reference()]
        while self.kind == ",":
            self.advance()
            channels.append(self.reference())
        return ExclusiveUse(cast('Literal["xr", "xs"]', token.text), tuple(channels), token.span)

    def _mtype_list(self, where: Span, type_name: str, subtype: str | None) -> MtypeDecl:
        if self.kind == "=":
            self.advance()
        elif subtype is not None:
            self.fail("'=' before the list of names")
        self.expect("{", "before the list of names")
        if type_name != "mtype":
            raise self.error(where, f"a list of names declares an mtype, not a '{type_name}'")
        names: list[tuple[str, Span]] = []
        if self.kind != NAME:
            self.fail("a name for the mtype", self._name_hint())
        while self.kind in (NAME, ","):
            if self.kind == NAME:
                names.append((self.token.text, self.token.span))
            self.advance()
        if self.kind != "}":
            self.fail("a name or '}' in the mtype list", self._name_hint())
        base = self.mtype_counts.get(subtype, 0)
        for offset, (name, span) in enumerate(reversed(names)):
            if name in self.mtype_values:
                raise self.error(span, f"'{name}' is declared twice as an mtype name")
            self.mtype_values[name] = base + offset + 1
            self.source.declare(name, CONST)
        self.mtype_counts[subtype] = base + len(names)
        if base + len(names) > 255:
            raise self.error(where, "an mtype has at most 255 names")
        self.advance()
        return MtypeDecl(subtype, tuple(names), where)

    def _declarator(self) -> Declarator:
        name = self.expect_name("a name to declare")
        size: int | None = None
        size_name: str | None = None
        bits: int | None = None
        if self.kind == ":":
            self.advance()
            if self.kind != CONST:
                self.fail("a number of bits after ':'")
            bits = self.constant_value(self.token)
            self.advance()
        elif self.kind == "[":
            self.advance()
            if self.kind == NAME:
                size_name = self.token.text
                self.advance()
            else:
                size = self.constant_expression()
            self.expect("]", "after the array size")
        initial: Expr | ChannelInit | ArrayInit | None = None
        if self.kind == "=":
            self.advance()
            if self.kind == "{":
                initial = self._array_initialiser()
                if size is None and size_name is None:
                    raise self.error(initial.span, f"'{name.text}' is initialised as an array, but is none")
            elif self.kind == "[":
                initial = self._channel_initialiser()
                if not self.channels_allowed:
                    message = "an initialised channel must be declared before the first statement of a proctype"
                    raise self.error(name.span, message)
            else:
                initial = self.expression()
        return Declarator(name.text, size, size_name, bits, initial, name.span)

    def _array_initialiser(self) -> ArrayInit:
        opening = self.expect("{")
        values: list[Expr] = [self.constant()]
        while self.kind == ",":
            self.advance()
            values.append(self.constant())
        self.expect("}", "after the initial values")
        return ArrayInit(tuple(values), opening.span)

    def _channel_initialiser(self) -> ChannelInit:
        opening = self.expect("[")
        capacity = self.constant_expression()
        self.expect("]", "after the channel capacity")
        self.expect("of", "in the channel declaration")
        self.expect("{", "before the message fields")
        fields = [self._message_field()]
        while self.kind == ",":
            self.advance()
            fields.append(self._message_field())
        self.expect("}", "after the message fields")
        return ChannelInit(capacity, tuple(fields), opening.span)

    def _message_field(self) -> tuple[str, Span]:
        token = self.token
        if self.kind == "UNAME":
            self.advance()
            return token.text, token.span
        if self.kind != "TYPE":
            hint = f"'{token.text}' is not a type known here" if self.kind == NAME else ""
            self.fail("the type of a message field", hint)
        if token.text == "unsigned":
            raise self.error(token.span, "'unsigned' cannot be the type of a message field")
        self.advance()
        if self.kind != ":":
            return token.text, token.span
        self.advance()
        subtype = self.expect_name("the name of an mtype after ':'")
        if token.text != "mtype":
            raise self.error(token.span, f"only mtype has subtypes, not '{token.text}'")
        return f"mtype:{subtype.text}", token.span
