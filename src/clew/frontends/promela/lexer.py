"""Text to tokens: one master regular expression serves both the preprocessor and the parser.

Spin first runs the C preprocessor and then reads characters. Both see the same characters, so the text is cut into
Promela tokens once; the preprocessor only cares about names, literals, `#`, `##`, commas and parentheses. Three
consequences of the C rules are kept: a preprocessing number such as `0..N` hides the name in it from macro expansion,
an unterminated quote swallows its line, and comments are white space.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from clew.core.diagnostics import Diagnostic, Severity, Span

NAME: Final = "NAME"
FIXED_NAME: Final = "FIXED"  # a name that may not be macro-expanded any more
CONST: Final = "CONST"
NUMBER: Final = "NUMBER"  # a preprocessing number that is not just digits: cut up again by `split_number`
STRING: Final = "STRING"
BAD: Final = "BAD"  # unterminated quote, or text from there to the end of the line
END: Final = "EOF"


@dataclass(slots=True, eq=False)
class Token:
    """`kind` is the operator itself or one of the constants above; `text` is the spelling.

    `newline`: first on its line. `space`: white space in front. `length` is that of the text at the position, which
    for a token from a macro is the macro's name.
    """

    kind: str
    text: str
    file: str
    line: int
    column: int
    length: int
    newline: bool
    space: bool

    @property
    def span(self) -> Span:
        return Span(self.file, self.line, self.column, self.length)

    def at(self, place: Token, space: bool) -> Token:
        """The same token, placed elsewhere (a macro use)."""
        return Token(self.kind, self.text, place.file, place.line, place.column, place.length, False, space)


# `-->`, `<=<`, `>=>` and `!!=` are what Spin's lexer makes of those characters.
_MASTER = re.compile(
    r"""[ \t\f\v\r]*(?:
      (\n)                                      # 1
    | ([A-Za-z_]\w*)                             # 2 name
    | (\.?\d(?:[eEpP][+-]|[\w.])*)              # 3 number
    | (//[^\n]*|/\*.*?\*/|\*/(?![*/]))          # 4 comment; Spin skips a stray end of one
    | (-->|<->|<=<|>=>|!!=|->|--|\+\+|<<|<=|<>|>>|>=|==|!=|!!|\?\?|&&|\|\||::|\.\.|\[\]|\#\#
       |/(?!\*)|[-+*%&|^~!?:;,.()\[\]{}<>=@\#]) # 5 operator
    | ("(?:[^"\\\n]|\\.)*")                     # 6 string
    | ('(?:[^'\\\n]|\\.)+')                     # 7 character
    | (["'][^\n]*)                              # 8 unterminated quote
    | (/\*.*)                                   # 9 unterminated comment
    | ([^ \t\f\v\r])                            # 10 anything else
    )""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_SPELLED = {"-->": "->", "<=<": "<<", ">=>": ">>", "!!=": "!="}
_SPLICE = re.compile(r"\\[ \t\f\v\r]*\n")
_NUMBER_PARTS = re.compile(r"\d+|[A-Za-z_]\w*|\.\.|[-+.]", re.ASCII)


def tokenize(text: str, file: str, problems: list[Diagnostic] | None = None) -> list[Token]:
    """All tokens of `text` outside comments, with positions in it. Needs no context; never fails.

    An unterminated comment is reported in `problems`.
    """
    if "\0" in text:
        text = text.replace("\0", " ")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    splices: list[int] = []
    if "\\" in text and _SPLICE.search(text):
        text, splices = _without_splices(text)
    next_splice = splices.pop() if splices else -1
    tokens: list[Token] = []
    append = tokens.append
    line, line_start = 1, 0
    newline, white = True, True
    for match in _MASTER.finditer(text):
        group = match.lastindex
        assert group is not None
        start = match.start(group)
        while 0 <= next_splice <= start:
            line += 1
            line_start = next_splice
            next_splice = splices.pop() if splices else -1
        if group == 1:
            line += 1
            line_start = start + 1
            newline = white = True
            continue
        spelling = match.group(group)
        if group == 4:
            breaks = spelling.count("\n")
            if breaks:
                line += breaks
                line_start = start + spelling.rindex("\n") + 1
            white = True
            continue
        space = white or start != match.start()
        if group == 2:
            kind = NAME
        elif group == 5:
            kind = _SPELLED.get(spelling, spelling)
        elif group == 3:
            kind = CONST if spelling.isdigit() else NUMBER
        elif group == 7:
            kind = CONST
        elif group == 6:
            kind = STRING
        elif group == 9:
            if problems is not None:
                where = Span(file, line, start - line_start + 1, 2)
                problems.append(Diagnostic(Severity.ERROR, "promela-preprocessor", "unterminated comment", where))
            break
        else:
            kind = BAD
        append(Token(kind, spelling, file, line, start - line_start + 1, len(spelling), newline, space))
        newline = white = False
    return tokens


def split_number(token: Token) -> list[Token]:
    """A preprocessing number as the Promela lexer reads it: `0..N` is `0`, `..`, `N`."""
    if token.text.isdigit():
        token.kind = CONST
        return [token]
    parts: list[Token] = []
    physical = token.length == len(token.text)
    for match in _NUMBER_PARTS.finditer(token.text):
        text = match.group()
        kind = CONST if text.isdigit() else NAME if text[0].isalpha() or text[0] == "_" else text
        column, length = (token.column + match.start(), len(text)) if physical else (token.column, token.length)
        first = not parts
        parts.append(
            Token(kind, text, token.file, token.line, column, length, token.newline and first, token.space and first)
        )
    return parts


def spelled_out(tokens: list[Token], *, keep_lines: bool = False) -> str:
    """The text of tokens, with line breaks and single spaces where there was white space.

    `keep_lines`: with as many line breaks as there were, and none in front.
    """
    pieces: list[str] = []
    before: Token | None = None
    for token in tokens:
        if keep_lines and before is None:
            pass
        elif keep_lines and before is not None and token.file == before.file and token.line > before.line:
            pieces.append("\n" * (token.line - before.line))
        elif token.newline:
            pieces.append("\n")
        elif token.space:
            pieces.append(" ")
        pieces.append(token.text)
        before = token
    return "".join(pieces)


def _without_splices(text: str) -> tuple[str, list[int]]:
    """Backslash-newlines taken out; their offsets in the result, last one first."""
    pieces: list[str] = []
    offsets: list[int] = []
    position = length = 0
    for match in _SPLICE.finditer(text):
        pieces.append(text[position : match.start()])
        length += match.start() - position
        offsets.append(length)
        position = match.end()
    pieces.append(text[position:])
    offsets.reverse()
    return "".join(pieces), offsets
