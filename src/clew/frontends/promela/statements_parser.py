"""The parser of statements and sequences, inlined calls and labels included."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, cast

from clew.core.diagnostics import Span
from clew.frontends.promela.declarations_parser import DECLARATION_STARTS, DeclarationParser
from clew.frontends.promela.inline import Lexeme
from clew.frontends.promela.lexer import CONST, NAME, Token
from clew.frontends.promela.syntax import (
    Assert,
    Assign,
    Binary,
    Block,
    Break,
    CCode,
    Condition,
    Do,
    Else,
    ExclusiveUse,
    Expr,
    ForIn,
    ForRange,
    Goto,
    If,
    Item,
    Labelled,
    MtypeDecl,
    Number,
    Option,
    Printf,
    Printm,
    Receive,
    Ref,
    Select,
    Send,
    SetPriority,
    Statement,
    Unless,
)

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_LABEL = "promela-label"
_SEPARATORS = (";", "->")
_NOT_EVENTS = (Assign, SetPriority, Printf, Printm, Assert, CCode, Condition, Else, Block)


class StatementParser(DeclarationParser):
    """Keeps the loops around, the targets of `return` in the inlines around, and whether this is a trace."""

    def reset_body(self) -> None:
        self.loops = 0
        self.returns: list[Ref | None] = []
        self.in_trace = False
        self.channels_allowed = True

    # --- sequences ------------------------------------------------------------------------------------------------

    def body(self, what: str) -> tuple[tuple[Item, ...], Span]:
        """`{ sequence }` of a proctype, claim or trace, and the place of its closing brace."""
        if self.kind != "{":
            self.fail(f"'{{' before the body of {what}")
        self.source.in_sequence = True
        self.channels_allowed = True
        self.loops = 0
        self.advance()
        items = self.sequence(("}",))
        end = self.token.span
        self.source.in_sequence = False
        self.channels_allowed = True
        self.advance()
        return tuple(items), end

    def block(self, of_loop: bool = False) -> tuple[Item, ...]:
        """`{ sequence }` inside a body. That of a `for` is behind the loop's condition: it may start with a label."""
        opening = self.token
        self.expect("{")
        self.channels_allowed = False
        items = self.sequence(("}",))
        self._refuse_empty(items, opening)
        first = next(item for item in items if not isinstance(item, ExclusiveUse))
        if isinstance(first, Labelled) and not of_loop:
            message = f"label '{first.label}' cannot stand on the first statement of a block"
            raise self.error(first.span, message, "put it before the block", code=_LABEL)
        self.advance()
        return tuple(items)

    def sequence(self, ends: tuple[str, ...]) -> list[Item]:
        """Steps up to, not including, one of `ends`."""
        if self.kind in ends:
            self.fail("a statement", "write 'skip' for a statement that does nothing")
        items = [self.step()]
        while True:
            if self.kind in _SEPARATORS:
                self.advance()
                if self.kind in ends:
                    return items
                while self.kind in _SEPARATORS:
                    self.advance()
                items.append(self.step())
            elif self.kind in ends:
                return items
            else:
                self.fail(f"';' or '{ends[-1]}' after the statement", self._separator_hint(items[-1]))

    def _separator_hint(self, item: Item) -> str:
        match item:
            case Condition(Ref(name, None, None)) if self.kind == NAME:
                return f"'{name}' is not a type known here" if name not in self.source.inlines else ""
            case Condition(Ref("while", None, None)):
                return "write do :: condition -> statement :: else -> break od"
            case Condition(Ref(name, None, None)) if self.kind == "(":
                return f"'{name}' is not an inline defined before this line; a process is started with 'run {name}(…)'"
            case _ if self.kind == "else":
                return "an option begins with '::', as in :: else -> statement"
            case _ if self.kind == "unless":
                return "'unless' must stand on the line where the statement before it ends, or behind '}'"
            case _:
                return ""

    def _refuse_empty(self, items: list[Item], place: Token) -> None:
        if all(isinstance(item, ExclusiveUse) for item in items):
            raise self.error(place.span, "a sequence must have at least one statement")

    def step(self) -> Item:
        if self.kind in DECLARATION_STARTS:
            declaration = self.declaration()
            if isinstance(declaration, MtypeDecl):
                raise self.error(declaration.span, "an mtype list must be declared at the top level")
            return declaration
        if self.kind == "EXCLUSIVE":
            return self.exclusive_use()
        statement = self.statement()
        if self.kind == "unless":
            self.advance()
            escape = self.statement()
            self._refuse_label(statement, escape)
            statement = Unless(statement, escape, statement.span)
            if self.kind == "unless":
                self.fail("';' or '}' after the statement", "nest with braces: { a unless { b } } unless { c }")
        return statement

    def _refuse_label(self, body: Statement, escape: Statement) -> None:
        """Spin's limits: an escape cannot be jumped to, and of the bodies only a block may carry a label."""
        if isinstance(escape, Labelled):
            raise self.error(escape.span, f"label '{escape.label}' cannot stand on an escape", code=_LABEL)
        if isinstance(body, Labelled) and not isinstance(body.statement, Block):
            message = f"label '{body.label}' before 'unless' needs a block"
            raise self.error(body.span, message, f"write {body.label}: {{ … unless … }}", code=_LABEL)

    # --- statements -----------------------------------------------------------------------------------------------

    def statement(self) -> Statement:
        first = self.token
        handler = _HANDLERS.get(self.kind)
        statement = handler(self) if handler is not None else self._condition()
        self.channels_allowed = False
        if self.in_trace and _no_event(statement):
            raise self.error(first.span, "only sends and receives can stand in a trace")
        return statement

    def _condition(self) -> Condition:
        token = self.token
        value = self.full_expression()
        return Condition(value, token.span)

    def _start_with_name(self) -> Statement:
        """A label, an assignment, a send or receive, or a condition."""
        token = self.token
        ref = self.reference()
        kind = self.kind
        if kind == ":" and ref.index is None and ref.field is None:
            return self._labelled(token)
        if kind == "=":
            self.advance()
            if self.kind == "INAME":
                return self._inline_call(ref)
            return Assign(ref, self.full_expression(), "=", ref.span)
        if kind in ("++", "--"):
            self.advance()
            value = Binary(kind[0], ref, Number(1, "1", ref.span), ref.span)
            return Assign(ref, value, cast('Literal["++", "--"]', kind), ref.span)
        if kind in ("!", "!!"):
            self.advance()
            return Send(ref, tuple(self._send_arguments()), kind == "!!", ref.span)
        if kind in ("?", "??"):
            return self._receive(ref, kind == "??")
        return Condition(self.binary(ref, 0), ref.span)

    def _labelled(self, label: Token) -> Labelled:
        self.advance()
        if self.kind in DECLARATION_STARTS or self.kind == "EXCLUSIVE":
            message = f"label '{label.text}' stands before a declaration"
            raise self.error(label.span, message, "put it before a statement")
        if self.kind in (";", "->", "}", "::", "fi", "od", "unless"):
            return Labelled(label.text, None, label.span)
        return Labelled(label.text, self.statement(), label.span)

    def _send_arguments(self) -> list[Expr]:
        first = self.expression()
        if self.kind == "(":
            self.open_parenthesis("")
            rest = self.arguments()
            self.close_parenthesis("after the message")
            return [first, *rest]
        if self.kind == ",":
            self.advance()
            return [first, *self.arguments()]
        return [first]

    def _receive(self, channel: Ref, anywhere: bool) -> Statement:
        self.advance()
        if self.kind == "[":
            return Condition(self.binary(self.poll(channel, anywhere), 0), channel.span)
        keep = self.kind == "<"
        if keep:
            self.advance()
        args = self.receive_arguments()
        if keep:
            self.expect(">", "after the arguments")
        return Receive(channel, tuple(args), anywhere, keep, channel.span)

    def _inline_call(self, target: Ref | None = None) -> Block:
        """`f(args)`, or `x = f(args)` with target `x`: the body, parsed where it is called."""
        name = self.token
        where = target.span if target is not None else name.span
        self.advance()
        if self.kind != "(":
            self.fail(f"'(' after inline '{name.text}'")
        self.source.parentheses += 1
        outer, self.recorded = self.recorded, []
        self.advance()
        arguments: list[list[Lexeme]] = []
        values: list[Expr] = []
        while self.kind != ")":
            start = len(self.recorded) - 1
            values.append(self.expression())
            arguments.append(self.recorded[start:-1])
            if self.kind == ",":
                self.advance()
                if self.kind == ")":
                    self.fail("an argument")
            elif self.kind != ")":
                self.fail("',' or ')' after the argument")
        self.recorded = outer
        self.source.parentheses -= 1
        self.source.call_inline(name, arguments)
        self.returns.append(target)
        self.advance()
        items = self.block()
        self.returns.pop()
        return Block("inline", items, name.text, where, tuple(values))

    def _return(self) -> Assign:
        token = self.token
        self.advance()
        value = self.full_expression()
        target = self.returns[-1] if self.returns else None
        if target is None:
            message = "'return' must stand in an inline that is called as 'x = f(…)'"
            raise self.error(token.span, message)
        return Assign(target, value, "=", token.span)

    def _block(self) -> Block:
        token = self.token
        kind = cast('Literal["plain", "atomic", "d_step"]', "plain" if self.kind == "{" else self.kind)
        if kind != "plain":
            self.advance()
            if self.kind != "{":
                self.fail(f"'{{' after '{kind}'")
        return Block(kind, self.block(), "", token.span)

    def _if(self) -> If:
        token = self.token
        return If(self._options("fi"), token.span)

    def _do(self) -> Do:
        token = self.token
        self.loops += 1
        options = self._options("od")
        self.loops -= 1
        return Do(options, token.span)

    def _options(self, end: str) -> tuple[Option, ...]:
        word = self.token.text
        self.advance()
        if self.kind != "::":
            self.fail(f"'::' after '{word}'", f"write {word} :: condition -> statement :: else -> statement {end}")
        options: list[Option] = []
        while self.kind == "::":
            place = self.token
            self.channels_allowed = False
            self.advance()
            items = self.sequence(("::", end))
            self._refuse_empty(items, place)
            options.append(Option(tuple(items), place.span))
        if self.kind != end:
            self.fail(f"'::' or '{end}'")
        self.advance()
        return tuple(options)

    def _for(self) -> ForRange | ForIn:
        token = self.token
        self.advance()
        if self.kind != "(":
            self.fail("'(' after 'for'")
        self.source.in_for = True
        self.open_parenthesis("")
        index = self.reference()
        self.loops += 1
        loop: ForRange | ForIn
        if self.kind == ":":
            self.advance()
            low = self.expression()
            self.expect("..", "after the first value of the range")
            high = self.expression()
            self._end_for_head()
            loop = ForRange(index, low, high, self._for_body(), token.span)
        elif self.kind == "in":
            self.advance()
            container = self.reference()
            self._end_for_head()
            loop = ForIn(index, container, self._for_body(), token.span)
        else:
            self.fail("':' or 'in' in 'for'", "for (i : 1 .. 5) { … } or for (m in q) { … }")
        self.loops -= 1
        return loop

    def _end_for_head(self) -> None:
        if self.kind != ")":
            self.fail("')' before the body of 'for'")
        self.source.in_for = False
        self.close_parenthesis("")

    def _for_body(self) -> tuple[Item, ...]:
        if self.kind == ";":
            self.advance()
        if self.kind != "{":
            self.fail("'{' before the body of 'for'")
        return self.block(of_loop=True)

    def _select(self) -> Select:
        token, textual = self.token, self.kind == "textual select"
        self.advance()
        self.open_parenthesis("after 'select'")
        index = self.reference()
        self.expect(":", "in 'select'")
        low = self.expression()
        self.expect("..", "after the first value of the range")
        high = self.expression()
        self.close_parenthesis("after the range of 'select'")
        return Select(index, low, high, textual, token.span)

    def _break(self) -> Break:
        token = self.token
        if self.loops == 0:
            raise self.error(token.span, "'break' outside a loop")
        self.advance()
        return Break(token.span)

    def _goto(self) -> Goto:
        token = self.token
        self.advance()
        return Goto(self.expect_name("a label after 'goto'").text, token.span)

    def _else(self) -> Else:
        token = self.token
        self.advance()
        return Else(token.span)

    def _assert(self) -> Assert:
        token = self.token
        self.advance()
        return Assert(self.full_expression(), token.span)

    def _printf(self) -> Printf:
        token = self.token
        self.advance()
        self.open_parenthesis("after 'printf'")
        if self.kind != "STRING":
            self.fail("a format string in 'printf'")
        text = unescaped(self.token.text[1:-1])
        self.advance()
        args: list[Expr] = []
        if self.kind == ",":
            self.advance()
            args = self.arguments()
        self.close_parenthesis("after the arguments of 'printf'")
        return Printf(text, tuple(args), token.span)

    def _printm(self) -> Printm:
        token = self.token
        self.advance()
        self.open_parenthesis("after 'printm'")
        value = self.constant() if self.kind == CONST else self.reference()
        self.close_parenthesis("after the argument of 'printm'")
        return Printm(value, token.span)

    def _set_priority(self) -> SetPriority:
        token = self.token
        self.advance()
        self.open_parenthesis("after 'set_priority'")
        pid = self.expression()
        self.expect(",", "between the arguments of 'set_priority'")
        value = self.expression()
        self.close_parenthesis("after the arguments of 'set_priority'")
        return SetPriority(pid, value, token.span)

    def _c_code(self) -> CCode:
        token = self.token
        precondition, text = self.source.raw_block(token)
        self.advance()
        return CCode(text, precondition, token.span)

    def _misplaced(self) -> Statement:
        self.fail("a statement")


_HANDLERS: dict[str, Callable[[StatementParser], Statement]] = {
    NAME: StatementParser._start_with_name,
    "INAME": StatementParser._inline_call,
    "return": StatementParser._return,
    "{": StatementParser._block,
    "atomic": StatementParser._block,
    "d_step": StatementParser._block,
    "if": StatementParser._if,
    "do": StatementParser._do,
    "for": StatementParser._for,
    "select": StatementParser._select,
    "textual select": StatementParser._select,
    "break": StatementParser._break,
    "goto": StatementParser._goto,
    "else": StatementParser._else,
    "assert": StatementParser._assert,
    "printf": StatementParser._printf,
    "printm": StatementParser._printm,
    "set_priority": StatementParser._set_priority,
    "c_code": StatementParser._c_code,
    "c_decl": StatementParser._c_code,
    **dict.fromkeys((";", "->", "}", "::", "fi", "od", "unless", "typedef", "inline"), StatementParser._misplaced),
}


def _no_event(statement: Statement) -> bool:
    match statement:
        case Send(sorted=True) | Receive(anywhere=True) | Receive(keep=True):
            return True
        case _:
            return isinstance(statement, _NOT_EVENTS)


def unescaped(text: str) -> str:
    """A string literal's inner text with its escapes undone."""
    if "\\" not in text:
        return text
    pieces = text.split("\\")
    result = [pieces[0]]
    position = 1
    while position < len(pieces):
        piece = pieces[position]
        if piece:
            result.append(_ESCAPES.get(piece[0], piece[0]) + piece[1:])
        elif position + 1 < len(pieces):
            position += 1
            result.append("\\" + pieces[position])
        position += 1
    return "".join(result)
