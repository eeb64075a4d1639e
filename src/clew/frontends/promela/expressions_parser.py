"""Expressions and formulas: precedence climbing over the token source. Precedences are those of Spin's grammar."""

from __future__ import annotations

from typing import Literal, NoReturn, cast

from clew.core.diagnostics import InputError, Span
from clew.frontends.promela.inline import SYNTAX, Lexeme, TokenSource, number_value
from clew.frontends.promela.lexer import CONST, NAME, Token, spelled_out
from clew.frontends.promela.syntax import (
    Binary,
    CExpr,
    ChannelQuery,
    Conditional,
    Eval,
    Expr,
    LabelEvent,
    MessageEvent,
    Number,
    Poll,
    ProcessQuery,
    ReceiveArg,
    Ref,
    RemoteLabel,
    RemoteVar,
    Run,
    Special,
    Unary,
)

_LEVELS = {
    "||": 2, "&&": 3, "|": 7, "^": 8, "&": 9, "==": 10, "!=": 10, "<": 11, ">": 11, "<=": 11, ">=": 11,
    "<<": 12, ">>": 12, "+": 13, "-": 13, "*": 14, "/": 14, "%": 14,
}  # fmt: skip
_FORMULA_LEVELS = {**_LEVELS, "IMPLIES": 1, "<->": 1, "U": 5, "V": 5, "W": 5}
_PREFIX = frozenset(("!", "~", "-"))
_FORMULA_PREFIX = _PREFIX | {"[]", "<>", "X"}
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "f": "\f"}
_FOREIGN_WORDS = frozenset(("while", "elif", "elsif", "switch", "case", "then", "endif", "begin", "var", "void"))


class ExpressionParser:
    """The current token is `kind`, `token`; nothing behind it has been read."""

    def __init__(self, source: TokenSource) -> None:
        self.source = source
        self.kind = ""
        self.token = Token("", "", source.file, 1, 1, 1, True, True)
        self.recorded: list[Lexeme] | None = None
        self.mtype_values: dict[str, int] = {}
        self.mtype_counts: dict[str | None, int] = {}
        self._probes = 0
        self._levels = _LEVELS
        self._prefix = _PREFIX

    # --- tokens ---------------------------------------------------------------------------------------------------

    def advance(self) -> None:
        self.kind, self.token = self.source.next()
        if self.recorded is not None:
            self.recorded.append((self.kind, self.token))

    def expect(self, kind: str, what: str = "") -> Token:
        """Step over a token of `kind`; `what` says after what, for the message."""
        if self.kind != kind:
            self.fail(f"'{kind}'" + (f" {what}" if what else ""))
        token = self.token
        self.advance()
        return token

    def expect_name(self, what: str) -> Token:
        if self.kind != NAME:
            self.fail(what, self._name_hint())
        token = self.token
        self.advance()
        return token

    def open_parenthesis(self, what: str) -> None:
        if self.kind != "(":
            self.fail(f"'(' {what}")
        self.source.parentheses += 1
        self.advance()

    def close_parenthesis(self, what: str) -> None:
        if self.kind != ")":
            self.fail(f"')' {what}")
        self.source.parentheses -= 1
        self.advance()

    def fail(self, expected: str, hint: str = "") -> NoReturn:
        """Raise the syntax error `expected …, found …` at the current token."""
        token = self.token
        if token.text in ("end of line", "end of file"):
            found = token.text
        elif self.kind == "BAD" and token.text[0] in "\"'":
            raise self.error(token.span, f"missing closing {token.text[0]}")
        else:
            found = f"'{token.text}'"
        if not hint:
            if self.kind == "=":
                hint = "'=' assigns; use '==' to compare"
            elif token.text in _FOREIGN_WORDS:
                hint = f"'{token.text}' is not a Promela keyword"
            elif self.kind == "BAD" and not token.text.isascii():
                hint = "only ASCII characters may be used outside strings and comments"
        raise self.error(token.span, f"expected {expected}, found {found}", hint)

    def error(self, where: Span, message: str, hint: str = "", code: str = SYNTAX) -> InputError:
        return self.source.failure(where, code, message, hint)

    def _name_hint(self) -> str:
        text = self.token.text
        match self.kind:
            case "CONST" if text in self.mtype_values:
                return f"'{text}' is an mtype name"
            case "PNAME":
                return f"'{text}' is a proctype"
            case "UNAME":
                return f"'{text}' is a typedef"
            case "INAME":
                return f"'{text}' is an inline"
            case _ if text in self.source.names:
                return f"'{text}' is a keyword"
            case _:
                return ""

    # --- expressions ----------------------------------------------------------------------------------------------

    def full_expression(self) -> Expr:
        """An expression in which `full(q)` and its kin may occur, joined by `&&` and `||` only."""
        return self.binary(self.prefix(), 0)

    def expression(self) -> Expr:
        before = self._probes
        value = self.binary(self.prefix(), 0)
        if self._probes != before:
            self._refuse_probe(value)
        return value

    def binary(self, left: Expr, lowest: int) -> Expr:
        """Continue an expression that starts with `left`, taking operators above level `lowest`."""
        levels = self._levels
        while True:
            kind = self.kind
            level = levels.get(kind, 0)
            if level <= lowest:
                return left
            self.advance()
            right = self.prefix()
            if levels.get(self.kind, 0) > level:
                right = self.binary(right, level)
            if self._probes and level not in (2, 3):
                self._refuse_probe(left)
                self._refuse_probe(right)
            op = "->" if kind == "IMPLIES" else kind
            left = Binary(op, left, right, left.span)

    def prefix(self) -> Expr:
        if self.kind not in self._prefix:
            return self.primary()
        token, op = self.token, self.kind
        self.advance()
        operand = self.prefix()
        if self._probes:
            self._refuse_probe(operand)
        return Unary(cast('Literal["!", "~", "-", "[]", "<>", "X"]', op), operand, token.span)

    def primary(self) -> Expr:
        token = self.token
        match self.kind:
            case "NAME":
                return self.after_reference(self.reference())
            case "CONST":
                return self.constant()
            case "(":
                return self._parenthesised()
            case "PNAME":
                return self._remote()
            case "run":
                return self._run()
            case "len" | "PROBE":
                self.advance()
                self.open_parenthesis(f"after '{token.text}'")
                channel = self.reference()
                self.close_parenthesis(f"after the channel of '{token.text}'")
                if token.text != "len":
                    self._probes += 1
                kind = cast('Literal["len", "full", "nfull", "empty", "nempty"]', token.text)
                return ChannelQuery(kind, channel, token.span)
            case "enabled" | "pc_value" | "get_priority":
                self.advance()
                self.open_parenthesis(f"after '{token.text}'")
                pid = self.expression()
                self.close_parenthesis(f"after the argument of '{token.text}'")
                return ProcessQuery(cast('Literal["enabled", "pc_value", "get_priority"]', token.text), pid, token.span)
            case "timeout" | "np_":
                self.advance()
                return Special(cast('Literal["timeout", "np_"]', token.text), token.span)
            case "c_expr":
                precondition, text = self.source.raw_block(token)
                _refuse_side_effects(self, text, token)
                if self.recorded is not None:
                    self.recorded.append((token.kind, Token("", f"{{ {text} }}", token.file, 1, 1, 1, False, True)))
                self.advance()
                return CExpr(text, precondition, token.span)
            case "INAME":
                hint = f"inline '{token.text}' is called as a statement or as 'x = {token.text}(…)'"
                self.fail("an expression", hint)
            case "!!":
                self.fail("an expression", "'!!' is the sorted send; write '! !' for a double negation")
            case "active" | "proctype":
                self.fail("an expression", "a '}' is missing before this line")
            case _:
                self.fail("an expression")

    def constant(self) -> Number | Ref:
        """A literal or an mtype name."""
        token = self.token
        if self.kind != CONST:
            self.fail("a constant")
        value = self.constant_value(token)
        self.advance()
        if token.kind == NAME and token.text in self.mtype_values:
            return Ref(token.text, None, None, token.span)
        return Number(value, token.text, token.span)

    def constant_value(self, token: Token) -> int:
        text = token.text
        if text[0].isdigit():
            return number_value(text)
        if text[0] == "'":
            inner = text[1:-1]
            if inner[0] == "\\" and len(inner) == 2:
                inner = _ESCAPED.get(inner[1], inner[1])
            if len(inner) != 1 or ord(inner) > 255:
                raise self.error(token.span, f"{text} is not a single character")
            return ord(inner)
        return self.mtype_values.get(text, 0 if text == "false" else 1)

    def reference(self) -> Ref:
        """`name`, `name[index]`, with fields."""
        chain: list[tuple[Token, Expr | None]] = []
        while True:
            name = self.expect_name("a field name" if chain else "a variable name")
            index: Expr | None = None
            if self.kind == "[":
                self.advance()
                index = self.expression()
                self.expect("]", "after the index")
            chain.append((name, index))
            if self.kind != ".":
                break
            self.advance()
        result: Ref | None = None
        for name, index in reversed(chain):
            result = Ref(name.text, index, result, name.span)
        assert result is not None
        return result

    def after_reference(self, ref: Ref) -> Expr:
        """A poll of channel `ref`, in a formula also an event, or `ref` itself."""
        if self.source.in_formula and self.kind in ("!", "!!"):
            return self._message_event(ref, "send")
        if self.source.in_formula and self.kind == "(" and ref == Ref("reaches", None, None, ref.span):
            return self._label_event(ref)
        if self.kind not in ("?", "??"):
            return ref
        anywhere = self.kind == "??"
        question = self.token
        self.advance()
        if self.source.in_formula and self.kind != "[":
            return self._message_event(ref, "receive", question)
        if self.kind != "[":
            self.fail("'[' (a receive cannot be part of an expression)", "test for a message with q?[…]")
        return self.poll(ref, anywhere)

    def _message_event(self, channel: Ref, kind: Literal["send", "receive"], sign: Token | None = None) -> Expr:
        """`q!m(_)`; the sign is the current token, or has just been read."""
        if sign is None:
            sign = self.token
            self.advance()
        if sign.text in ("!!", "??"):
            hint = f"'{sign.text}' is for statements"
            raise self.error(sign.span, f"an event is written with '{sign.text[0]}'", hint)
        if self.kind == "<":
            self.fail("the message of the event", "a message that is only looked at is no event")
        args = [self._event_argument()]
        while self.kind == ",":
            self.advance()
            args.append(self._event_argument())
        if self.kind == "(":
            self.open_parenthesis("")
            args += self.arguments()
            self.close_parenthesis("after the arguments")
        return MessageEvent(kind, channel, tuple(args), channel.span)

    def _event_argument(self) -> Expr:
        """Operators of the formula do not belong to it."""
        return self.binary(self.prefix(), self._levels["<"])

    def _label_event(self, word: Ref) -> LabelEvent:
        self.open_parenthesis("after 'reaches'")
        if self.kind != "PNAME":
            self.fail("a proctype and a label, as in reaches(P@label)")
        place = self._remote()
        if not isinstance(place, RemoteLabel):
            raise self.error(place.span, "a process reaches a label: reaches(P@label)")
        self.close_parenthesis("after the label")
        return LabelEvent(place, word.span)

    def poll(self, channel: Ref, anywhere: bool) -> Poll:
        self.advance()
        args = self.receive_arguments()
        self.expect("]", "after the arguments")
        return Poll(channel, tuple(args), anywhere, channel.span)

    def receive_arguments(self) -> list[ReceiveArg]:
        """`a, b`, `a(b, c)`, `(a, b)`: one flat list."""
        args: list[ReceiveArg] = []
        while True:
            if self.kind == "(":
                self.open_parenthesis("")
                args += self.receive_arguments()
                self.close_parenthesis("after the arguments")
                return args
            args.append(self._receive_argument())
            if self.kind == "(":
                self.open_parenthesis("")
                args += self.receive_arguments()
                self.close_parenthesis("after the arguments")
                return args
            if self.kind != ",":
                return args
            self.advance()

    def _receive_argument(self) -> ReceiveArg:
        token = self.token
        match self.kind:
            case "eval":
                self.advance()
                self.open_parenthesis("after 'eval'")
                value = self.expression()
                self.close_parenthesis("after the value of 'eval'")
                return Eval(value, token.span)
            case "-":
                self.advance()
                return Unary("-", self.constant(), token.span)
            case "CONST":
                return self.constant()
            case "NAME":
                return self.reference()
            case _:
                self.fail("a variable, constant or eval(…) to receive")

    def arguments(self) -> list[Expr]:
        args = [self.expression()]
        while self.kind == ",":
            self.advance()
            args.append(self.expression())
        return args

    def _parenthesised(self) -> Expr:
        opening = self.token
        self.open_parenthesis("")
        before = self._probes
        value = self.full_expression()
        if self.kind == "->":
            if self._probes != before:
                self._refuse_probe(value)
            self.advance()
            then = self.expression()
            self.expect(":", "in the conditional expression")
            other = self.expression()
            self.close_parenthesis("after the conditional expression")
            return Conditional(value, then, other, opening.span)
        self.close_parenthesis("after the expression")
        return value

    def _remote(self) -> Expr:
        name = self.token
        self.advance()
        pid: Expr | None = None
        if self.kind == "[":
            self.advance()
            pid = self.expression()
            self.expect("]", "after the process number")
        if self.kind == "@":
            self.advance()
            label = self.expect_name("a label name")
            return RemoteLabel(name.text, pid, label.text, name.span)
        if self.kind == ":":
            self.advance()
            variable = self.expect_name("a variable name")
            index: Expr | None = None
            if self.kind == "[":
                self.advance()
                index = self.expression()
                self.expect("]", "after the index")
            return RemoteVar(name.text, pid, Ref(variable.text, index, None, variable.span), name.span)
        hint = f"start a process with 'run {name.text}(…)'" if self.kind == "(" else f"'{name.text}' is a proctype"
        self.fail(f"'@label' or ':variable' after '{name.text}'", hint)

    def _run(self) -> Run:
        token = self.token
        self.advance()
        if self.kind not in (NAME, "PNAME"):
            self.fail("the name of a proctype after 'run'")
        name = self.token.text
        self.advance()
        self.open_parenthesis(f"after 'run {name}'")
        args = [] if self.kind == ")" else self.arguments()
        self.close_parenthesis("after the arguments of 'run'")
        return Run(name, tuple(args), self.priority(), token.span)

    def priority(self) -> int | None:
        """`priority n`, if it is there."""
        if self.kind != "priority":
            return None
        self.advance()
        if self.kind != CONST:
            self.fail("a constant after 'priority'")
        value = self.constant_value(self.token)
        self.advance()
        return value

    def constant_expression(self) -> int:
        """Digits, mtype names, `- + * / %` and parentheses; evaluated."""
        value = self._constant_term()
        while self.kind in ("+", "-"):
            op = self.kind
            self.advance()
            right = self._constant_term()
            value = number_in_range(value + right if op == "+" else value - right)
        return value

    def _constant_term(self) -> int:
        value = self._constant_factor()
        while self.kind in ("*", "/", "%"):
            op, place = self.kind, self.token
            self.advance()
            right = self._constant_factor()
            if op == "*":
                value = number_in_range(value * right)
                continue
            if right == 0:
                raise self.error(place.span, "division by zero in a constant expression")
            quotient = abs(value) // abs(right) * (1 if (value < 0) == (right < 0) else -1)
            value = quotient if op == "/" else value - right * quotient
        return value

    def _constant_factor(self) -> int:
        if self.kind == "-":
            self.advance()
            return -self._constant_factor()
        if self.kind == "(":
            self.open_parenthesis("")
            value = self.constant_expression()
            self.close_parenthesis("after the constant expression")
            return value
        if self.kind != CONST:
            self.fail("a constant")
        value = self.constant_value(self.token)
        self.advance()
        return value

    # --- formulas -------------------------------------------------------------------------------------------------

    def formula(self) -> tuple[Expr, str]:
        """The `{…}` of an ltl block, whose brace is the current token; the formula and its text."""
        if self.kind != "{":
            self.fail("'{' before the formula")
        self.source.in_formula = True
        self._levels, self._prefix = _FORMULA_LEVELS, _FORMULA_PREFIX
        self.recorded = []
        try:
            self.advance()
            value = self.full_expression()
            if self.kind == ";":
                self.advance()
            if self.kind != "}":
                self.fail("an operator or '}' in the formula")
            text = spelled_out([token for _, token in self.recorded[:-1]])
        finally:
            self.source.in_formula = False
            self._levels, self._prefix = _LEVELS, _PREFIX
            self.recorded = None
        self.advance()
        return value, " ".join(text.split())

    # --- full, empty, … -------------------------------------------------------------------------------------------

    def _refuse_probe(self, value: Expr) -> None:
        probe = _probe_in(value)
        if probe is not None:
            message = f"'{probe.kind}(…)' may only be combined with '&&' and '||'"
            opposite = {"full": "nfull", "nfull": "full", "empty": "nempty", "nempty": "empty"}[probe.kind]
            raise self.error(probe.span, message, f"its negation is '{opposite}(…)'")


def number_in_range(value: int) -> int:
    return (value + 2**31) % 2**32 - 2**31


def _probe_in(value: Expr) -> ChannelQuery | None:
    stack = [value]
    while stack:
        match stack.pop():
            case ChannelQuery(kind) as query if kind != "len":
                return query
            case Binary("&&" | "||", left, right):
                stack += (left, right)
            case _:
                pass
    return None


def _refuse_side_effects(parser: ExpressionParser, text: str, token: Token) -> None:
    """What Spin takes for a side effect in a c_expr: calls at its start, `;`, `++`, `--`, a single `=`."""
    text = text.strip(" ")
    call = text.find("(")
    bad = call > 0 and text[call - 1].isascii() and text[call - 1].isalnum() and not text.startswith("spin_mutex_free(")
    for sign in (";", "++", "--"):
        place = text.find(sign)
        bad = bad or (place >= 0 and text[place - 1 : place] not in ('"', "'"))
    place = text.find("=")
    while place >= 0 and not bad:
        if text[place - 1 : place] in ("!", ">", "<", '"', "'") or text[place + 1 : place + 2] == "=":
            place = text.find("=", place + 2)
        else:
            bad = True
    if bad:
        raise parser.error(token.span, "a c_expr may not have side effects", "use c_code for statements")
