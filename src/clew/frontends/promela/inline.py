"""The token source of the parser: what Spin's lexer does behind the C preprocessor.

It adds the implied semicolons, tells names apart by what has been declared so far, moves ltl blocks to the end,
recognises the `select` that Spin rewrites as text, and reads inline calls from the inline's body with the arguments
in place of the parameters. Where this differs from tokens alone, it follows `spinlex.c` of Spin 6.5.2; differences,
all on the generous side: an argument may contain a conditional expression, a call with commas, or `- -1`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from clew.core.diagnostics import Diagnostic, InputError, Severity, Span
from clew.frontends.promela.lexer import CONST, END, NAME, Token, spelled_out

SYNTAX: Final = "promela-syntax"
INLINE: Final = "promela-inline"
MAX_INLINED = 1_000_000  # tokens read from inline bodies

_SAME = (
    "active assert atomic break c_code c_decl c_expr c_state c_track D_proctype do else enabled eval fi for "
    "get_priority goto if in init inline len ltl never np_ od of pc_value printf printm priority proctype provided "
    "return run d_step select set_priority timeout typedef unless"
)
KEYWORDS: Final[dict[str, str]] = {
    **{word: word for word in _SAME.split()},
    **dict.fromkeys(("bit", "bool", "byte", "chan", "int", "mtype", "pid", "short", "unsigned"), "TYPE"),
    **dict.fromkeys(("false", "skip", "true"), CONST),
    **dict.fromkeys(("empty", "full", "nempty", "nfull"), "PROBE"),
    **dict.fromkeys(("hidden", "local", "show"), "VISIBILITY"),
    **dict.fromkeys(("notrace", "trace"), "TRACE"),
    **dict.fromkeys(("xr", "xs"), "EXCLUSIVE"),
}
# the parser's kinds for temporal operators; `implies` differs from `->`, which separates statements
TEMPORAL: Final[dict[str, str]] = {
    "U": "U", "until": "U", "stronguntil": "U", "V": "V", "release": "V", "W": "W", "weakuntil": "W", "X": "X",
    "next": "X", "always": "[]", "eventually": "<>", "implies": "IMPLIES", "equivalent": "<->",
}  # fmt: skip
# a line break behind one of these ends the statement (not within parentheses)
_COMPLETE = frozenset(
    ("}", ")", "]", "od", "fi", "else", "break", "c_code", "c_expr", "c_decl", NAME, CONST, "++", "--")
)
# what may follow `}` without a separator
_AFTER_BRACE = frozenset(("proctype", "init", "never", "::", "fi", "od", "}", "unless", ";", "->", END))
_AFTER_ELSE = frozenset((";", "->", "fi"))
_SWALLOWS_SEMICOLON = frozenset(("}", "->", ";"))
_REPLACEABLE = frozenset((NAME, "UNAME", "PNAME", "INAME"))

Lexeme = tuple[str, Token]


@dataclass(slots=True, eq=False)
class Inline:
    """`body` includes the braces."""

    name: str
    params: tuple[str, ...]
    body: list[Token]
    place: Token


@dataclass(slots=True, eq=False)
class _Frame:
    """A place where tokens are read from: the text (inline is None) or the body of a called inline."""

    tokens: list[Token]
    position: int
    inline: Inline | None
    arguments: dict[str, list[Lexeme]]
    call: Token | None
    broken: bool = False  # the line break in front of the next token has been dealt with


class TokenSource:
    """Hands out tokens one by one. The parser keeps `in_sequence`, `parentheses`, `in_for` and `in_formula` current."""

    def __init__(self, tokens: list[Token], file: str) -> None:
        self.file = file
        self.in_sequence = False
        self.parentheses = 0
        self.in_for = False
        self.in_formula = False
        self.names: dict[str, str] = dict(KEYWORDS)
        self.inlines: dict[str, Inline] = {}
        self.called: set[str] = set()  # inlines
        self.notes: list[Diagnostic] = []
        self._frame = _Frame(tokens, 0, None, {}, None)
        self._end = _end_token(tokens, file)
        self._callers: list[_Frame] = []
        self._formulas: list[Token] = []
        self._deferred = False
        self._pending: list[Lexeme] = []  # reversed
        self._arguments: list[Lexeme] = []  # reversed; text of an argument being read
        self._last = ""  # kind of the last token made
        self._returned = ""  # kind of the last token handed out
        self._hold: Lexeme | None = None
        self._inlined = 0

    # --- what the parser calls ------------------------------------------------------------------------------------

    def next(self) -> Lexeme:
        """The next token with its kind."""
        if self._hold is not None:
            lexeme = self._hold
            self._hold = None
            self._last = self._returned = lexeme[0]
            return lexeme
        lexeme = self._make()
        kind = lexeme[0]
        previous = self._returned
        if (previous == "else" and kind not in _AFTER_ELSE) or (previous == "}" and kind not in _AFTER_BRACE):
            self._hold = lexeme
            self._last, self._returned = ";", ""
            return self._implied(lexeme[1])
        if kind == ";" or kind == "->":
            follower = self._make()
            if follower[0] in _SWALLOWS_SEMICOLON:
                lexeme = follower
            else:
                self._hold = follower
        self._returned = lexeme[0]
        return lexeme

    def declare(self, name: str, kind: str) -> None:
        """From now on `name` is of `kind` (`CONST` for mtype names, `UNAME`, `PNAME`, `INAME`)."""
        self.names.setdefault(name, kind)

    @property
    def calls(self) -> list[tuple[Inline, Token]]:
        """The inlines being expanded, outermost first, with the places of their calls."""
        frames = [*self._callers, self._frame]
        return [(f.inline, f.call) for f in frames if f.inline is not None and f.call is not None]

    def define_inline(self, name: Token, params: tuple[str, ...]) -> None:
        """Read the body that follows the parameter list, which must not have been read past."""
        _, body = self._braced(name, False)
        if name.text in self.inlines:
            self._note(name.span, INLINE, f"inline '{name.text}' is defined twice", "rename one of them")
        self.inlines[name.text] = Inline(name.text, params, body, name)
        self.declare(name.text, "INAME")

    def call_inline(self, name: Token, arguments: list[list[Lexeme]]) -> None:
        """Continue reading in the body of inline `name`; the call's closing parenthesis is the last token read."""
        inline = self.inlines[name.text]
        if len(arguments) != len(inline.params):
            count = len(inline.params)
            message = f"inline '{name.text}' takes {count} argument{'s' * (count != 1)}, but {len(arguments)} given"
            raise self.failure(name.span, INLINE, message)
        if any(inline is active for active, _ in self.calls):
            message = f"inline '{name.text}' calls itself"
            raise self.failure(name.span, INLINE, message, "inlines are text; use a proctype")
        self._inlined += len(inline.body)
        if self._inlined > MAX_INLINED:
            raise self.failure(name.span, INLINE, "the expansion of inlines is too large")
        self.called.add(name.text)
        self._callers.append(self._frame)
        named = dict(zip(inline.params, arguments, strict=True))
        self._frame = _Frame(inline.body, 0, inline, named, name, True)
        self._last = ";"

    def raw_block(self, keyword: Token) -> tuple[str | None, str]:
        """The precondition and text of the C fragment behind `keyword`, the last token read.

        Line breaks are as in the source, counted from the line of `keyword`.
        """
        precondition, tokens = self._braced(keyword, True)
        lines_before = max(tokens[0].line - keyword.line, 0) if tokens[0].file == keyword.file else 0
        return precondition, "\n" * lines_before + spelled_out(tokens, keep_lines=True)[1:-1]

    def failure(self, where: Span, code: str, message: str, hint: str = "") -> InputError:
        """An error here, naming the inline calls that lead to it."""
        related = tuple((call.span, f"in inline '{inline.name}' called here") for inline, call in reversed(self.calls))
        return InputError([Diagnostic(Severity.ERROR, code, message, where, hint, related)])

    def enter_uncalled(self, name: str) -> None:
        """Behind the end of the text: continue in the body of an inline as if it was called with its parameters."""
        self._begin_anew()
        self.in_sequence = True
        inline = self.inlines[name]
        where = inline.place
        given = [[(NAME, Token(NAME, p, where.file, where.line, where.column, 1, False, False))] for p in inline.params]
        self.call_inline(where, given)

    def _begin_anew(self) -> None:
        """Out of all inlines, with nothing left of what was being read."""
        if self._callers:
            self._frame = self._callers[0]
            self._callers.clear()
        self._pending.clear()
        self._arguments.clear()
        self._hold = None
        self._last = self._returned = ""
        self.in_sequence = self.in_for = self.in_formula = False
        self.parentheses = 0

    def restart(self, starts: frozenset[str], current: Lexeme | None) -> None:
        """After an error: leave all inlines and skip to the next token whose text may start a unit.

        `current` is the token at which the error was found, if it may itself be that start.
        """
        again = current is not None and not self._callers and current[1].text in starts and current[1].newline
        held = self._hold
        self._begin_anew()
        if again:
            self._hold = current
            return
        if held is not None and held[1].text in starts and held[1].newline:
            self._hold = held
            return
        frame = self._frame
        tokens = frame.tokens
        while frame.position < len(tokens):
            token = tokens[frame.position]
            before = tokens[frame.position - 1].text if frame.position else "}"
            if token.text in starts and (token.newline or before in ("}", ";") or before in starts):
                break
            frame.position += 1

    # --- making tokens --------------------------------------------------------------------------------------------

    def _make(self) -> Lexeme:
        """The next token before the rules about `}` and `else`: Spin's `lex`."""
        while True:
            if self._pending:
                lexeme = self._pending.pop()
                self._last = lexeme[0]
                return lexeme
            if self._arguments:
                kind, token = self._arguments.pop()
                # Spin looks at the last name of an argument's text as if it stood in the body
                last = not self._arguments and kind in _REPLACEABLE and token.text in self._frame.arguments
                if last and self._replaced(token):
                    continue
                self._last = kind
                return kind, token
            frame = self._frame
            if frame.position >= len(frame.tokens):
                if frame.inline is not None:
                    self._frame = self._callers.pop()
                    continue
                if not self._deferred:
                    self._deferred = True
                    frame.tokens, frame.position = self._formulas, 0
                    continue
                return END, self._end
            token = frame.tokens[frame.position]
            if token.newline and not frame.broken:
                frame.broken = True
                if (
                    self._last in _COMPLETE
                    and self.in_sequence
                    and self.parentheses == 0
                    and not (self._last == "}" and token.text[0] == "u")
                ):
                    self._last = ";"
                    return self._implied(token)
            frame.position += 1
            frame.broken = False
            kind = token.kind
            if kind == NAME:
                if self.in_formula and token.text in TEMPORAL:
                    kind = TEMPORAL[token.text]
                else:
                    kind = self.names.get(token.text, NAME)
                    if frame.arguments and kind in _REPLACEABLE and token.text in frame.arguments:
                        if self._replaced(token):
                            continue
                    elif kind == "in":
                        kind = "in" if self.in_for else NAME
                    elif frame.inline is None:
                        if kind == "timeout" and self._last != "(":
                            self._pending = [(")", _like(token, ")")), ("timeout", token)]
                            self._last = "("
                            return "(", _like(token, "(")
                        if kind == "ltl" and not self._deferred:
                            self._defer_formula(token)
                            continue
                        if kind == "select":
                            kind = self._textual_select(frame)
            elif kind == "->" and self.in_formula:
                kind = "IMPLIES"
            self._last = kind
            return kind, token

    def _implied(self, before: Token) -> Lexeme:
        text = "end of line" if before.newline else before.text
        return ";", Token(";", text, before.file, before.line, before.column, before.length, before.newline, False)

    def _replaced(self, name: Token) -> bool:
        """Put the argument for parameter `name` next; False if the argument is that very name."""
        arguments = self._frame.arguments
        lexemes = arguments[name.text]
        text = "".join(token.text for _, token in lexemes)
        inline = self._frame.inline
        assert inline is not None
        if text == name.text:
            return False
        if text in arguments:
            message = f"argument '{text}' of inline '{inline.name}' has the name of one of its parameters"
            raise self.failure(name.span, INLINE, message, "rename the parameter")
        position = text.find(name.text)
        while position >= 0:
            end = position + len(name.text)
            if text[position - 1 : position] == "." or text[end : end + 1] == ".":
                message = f"parameter '{name.text}' of inline '{inline.name}' occurs in the argument '{text}'"
                raise self.failure(name.span, INLINE, message, "rename the parameter")
            position = text.find(name.text, position + 1)
        self._inlined += len(lexemes) + 1
        if self._inlined > MAX_INLINED:
            raise self.failure(name.span, INLINE, "the expansion of inlines is too large")
        self._arguments = lexemes[::-1]
        return True

    def _textual_select(self, frame: _Frame) -> str:
        """The kind of a `select`; one that Spin rewrites as text has its tokens queued, a `;` behind a wide one."""
        tokens = frame.tokens[frame.position : frame.position + 7]
        kinds = [t.kind for t in tokens]
        if kinds != ["(", NAME, ":", CONST, "..", CONST, ")"] or any(t.newline for t in tokens[1:]):
            return "select"
        name, low, high = tokens[1].text, tokens[3].text, tokens[5].text
        if not name.isalnum() or not low.isdigit() or not high.isdigit():
            return "select"
        frame.position += 7
        queue: list[Lexeme] = [(t.kind, t) for t in tokens]
        queue[1] = (self.names.get(name, NAME), tokens[1])
        if number_value(low) > number_value(high):
            self._note(tokens[3].span, SYNTAX, f"bad range in select: {low} is larger than {high}")
        elif number_value(high) - number_value(low) > 32:
            queue.append(self._implied(tokens[6]))
        self._pending = queue[::-1]
        return "textual select"

    def _defer_formula(self, keyword: Token) -> None:
        frame = self._frame
        start = frame.position
        depth = 0
        while frame.position < len(frame.tokens):
            kind = frame.tokens[frame.position].kind
            frame.position += 1
            if kind == "{":
                depth += 1
            elif kind == "}":
                depth -= 1
                if depth == 0:
                    break
        else:
            self._note(keyword.span, SYNTAX, "the formula of this ltl block has no closing '}'")
            return
        self._formulas.append(keyword)
        self._formulas.extend(frame.tokens[start : frame.position])

    def _braced(self, owner: Token, foreign: bool) -> tuple[str | None, list[Token]]:
        """The tokens of the `{…}` next in the text, braces included, and of a `[…]` before it."""
        frame = self._frame
        precondition: str | None = None
        if foreign and frame.position < len(frame.tokens) and frame.tokens[frame.position].kind in ("[", "[]"):
            precondition = spelled_out(self._balanced(owner, "[", "]")[1:-1]).strip()
        if frame.position >= len(frame.tokens) or frame.tokens[frame.position].kind != "{":
            found = frame.tokens[frame.position] if frame.position < len(frame.tokens) else self._end
            message = f"expected '{{' after '{owner.text}', found '{found.text}'"
            raise self.failure(found.span, SYNTAX, message)
        return precondition, self._balanced(owner, "{", "}")

    def _balanced(self, owner: Token, opening: str, closing: str) -> list[Token]:
        frame = self._frame
        tokens = frame.tokens
        depth = 0
        for position in range(frame.position, len(tokens)):
            kind = tokens[position].kind
            if kind == opening:
                depth += 1
            elif kind == closing:
                depth -= 1
                if depth == 0:
                    found = tokens[frame.position : position + 1]
                    frame.position = position + 1
                    frame.broken = False
                    return found
            elif kind == "[]" and opening == "[" and depth == 0:
                frame.position = position + 1
                return [tokens[position]] * 2
        raise self.failure(tokens[frame.position].span, SYNTAX, f"'{opening}' is never closed (after '{owner.text}')")

    def _note(self, where: Span, code: str, message: str, hint: str = "") -> None:
        self.notes.append(Diagnostic(Severity.ERROR, code, message, where, hint))


def number_value(text: str) -> int:
    """A decimal literal as Spin reads it: `strtol`, then cut to a C int."""
    digits = text.lstrip("0") or "0"
    value = 2**63 - 1 if len(digits) > 19 else min(int(digits), 2**63 - 1)
    return (value + 2**31) % 2**32 - 2**31


def _end_token(tokens: list[Token], file: str) -> Token:
    if not tokens:
        return Token(END, "end of file", file, 1, 1, 1, True, True)
    last = tokens[-1]
    return Token(END, "end of file", last.file, last.line, last.column + last.length, 1, True, True)


def _like(token: Token, text: str) -> Token:
    return Token(text, token.text, token.file, token.line, token.column, token.length, False, token.space)
