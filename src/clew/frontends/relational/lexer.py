"""Text to tokens with positions."""

from __future__ import annotations

import re
from typing import Literal

from clew.core.diagnostics import DiagnosticBag, Span
from clew.core.records import record

SYNTAX = "relational-syntax"
KEYWORDS = frozenset(
    "enum param set bool int toplevel void if else while do for foreach assert emptyset true false in "
    "all some one no lone sole AG AX AF EG EX EF".split()
)
SYMBOLS = (
    ":=", "++", "--", "&&", "||", "=>", "==", "!=", "<=$", ">=$", "<=", ">=", "<$", ">$", "/$", "*$", "+$", "-$", "->",
    "<", ">", "+", "-", "*", "/", "&", ".", "~", "^", "!", "(", ")", "{", "}", "[", "]", ",", ";", ":", "|", "=", "'",
)  # fmt: skip
_TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|/\*.*?\*/)|(?P<open>/\*)|(?P<number>\d+)|(?P<word>[A-Za-z_]\w*)|(?P<symbol>"
    + "|".join(map(re.escape, sorted(SYMBOLS, key=len, reverse=True)))
    + r")",
    re.ASCII | re.DOTALL,
)


@record
class Token:
    """`text` of a keyword or symbol is also its kind."""

    kind: Literal["name", "number", "keyword", "symbol", "end"]
    text: str
    span: Span
    at: int  # where it begins in the text

    def is_(self, *texts: str) -> bool:
        return self.kind in ("keyword", "symbol") and self.text in texts


def tokens(text: str, file: str, bag: DiagnosticBag) -> list[Token]:
    """Every token, the last of kind `end`. Characters that belong nowhere are reported and left out."""
    found: list[Token] = []
    at, line, start = 0, 1, 0
    while at < len(text):
        span = Span(file, line, at - start + 1)
        match = _TOKEN.match(text, at)
        if match is None:
            bag.error(span, SYNTAX, f"'{text[at]}' does not belong here")
            at += 1
            continue
        if match["open"]:
            bag.error(span, SYNTAX, "this comment is never closed", "end it with */")
            break
        word = match.group()
        span = Span(file, line, at - start + 1, len(word))
        if match["number"]:
            found.append(Token("number", word, span, at))
        elif match["word"]:
            found.append(Token("keyword" if word in KEYWORDS else "name", word, span, at))
        elif match["symbol"]:
            found.append(Token("symbol", word, span, at))
        else:
            line += word.count("\n")
            start = at + word.rindex("\n") + 1 if "\n" in word else start
        at = match.end()
    found.append(Token("end", "", Span(file, line, max(1, len(text) - start + 1)), len(text)))
    return found
