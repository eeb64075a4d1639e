"""Indentation by structure. Lines stay lines, because a line break can end a statement; only the white space at both
ends of a line changes, and blank lines beyond two.

Braces and parentheses indent by two; `::` stands below its `do` or `if`, and what belongs to it three columns further;
labels stand at the margin.
"""

from __future__ import annotations

from clew.frontends.promela.lexer import BAD, NAME, tokenize

STEP, BEHIND_OPTION = 2, 3
_OPENING = {"{": "}", "(": ")", "[": "]", "do": "od", "if": "fi"}
_CLOSING = frozenset(_OPENING.values())


def laid_out(text: str) -> str:
    """The same tokens on the same lines. A text whose brackets do not match keeps its indentation behind the error."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    indents = _indents(text)
    fixed = _inside_comments_and_macros(text, len(lines))
    result: list[str] = []
    blank = 0
    for number, line in enumerate(lines, start=1):
        if number in fixed:
            result.append(line if fixed[number] else line.rstrip())
            continue
        stripped = line.strip()
        blank = 0 if stripped else blank + 1
        if stripped.startswith("#"):
            result.append(stripped)
        elif stripped:
            known = indents[number]
            result.append(line.rstrip() if known is None else " " * known + stripped)
        elif blank <= 2:
            result.append("")
    while len(result) > 1 and result[-1] == result[-2] == "":
        result.pop()
    return "\n".join(result) if result[-1] == "" else "\n".join([*result, ""])


def _indents(text: str) -> dict[int, int | None]:
    """For each line, the column of what begins it; of lines without tokens, that of the next one with tokens. None
    where it is not known."""
    begins: dict[int, int | None] = {}
    open_: list[tuple[str, int, bool]] = []  # the bracket, where it begins, whether in an option of it
    understood, directive = True, False
    tokens = tokenize(text, "")
    for number, token in enumerate(tokens):
        word = token.text
        if token.newline:
            directive = word == "#"
        if directive:
            continue
        if word in _CLOSING:
            understood = understood and bool(open_) and _OPENING[open_[-1][0]] == word
            if understood:
                _, indent, _ = open_.pop()
                if token.newline:
                    begins[token.line] = indent
                continue
        if token.newline:
            labels = token.kind == NAME and number + 1 < len(tokens) and tokens[number + 1].text == ":"
            labels = labels and bool(open_) and open_[-1][0] in ("{", "do", "if")
            begins[token.line] = _inner(open_, word, labels) if understood and token.kind != BAD else None
        if word == "::" and open_ and open_[-1][0] in ("do", "if"):
            open_[-1] = (open_[-1][0], open_[-1][1], True)
        if word in _OPENING:
            open_.append((word, _inner(open_, ""), False))
    found: dict[int, int | None] = {}
    following: int | None = 0
    for line in range(text.count("\n") + 1, 0, -1):
        following = begins.get(line, following)
        found[line] = following
    return found


def _inner(open_: list[tuple[str, int, bool]], word: str, labels: bool = False) -> int:
    """The indentation inside the innermost bracket; a label stands at the margin."""
    if not open_ or labels:
        return 0
    bracket, indent, option = open_[-1]
    if bracket in ("do", "if"):
        return indent if word == "::" or not option else indent + BEHIND_OPTION
    return indent + STEP


def _inside_comments_and_macros(text: str, count: int) -> dict[int, bool]:
    """Lines that begin inside a comment, or go on with a directive; True if even their ends have to stay."""
    found: dict[int, bool] = {}
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    comment = spliced = False
    for token in tokenize(text, ""):
        if token.kind == BAD:
            found[token.line] = True
    for number, line in enumerate(lines, start=1):
        if comment or spliced:
            found[number] = spliced and line.rstrip() != line and line.rstrip().endswith("\\")
        comment = _open_comment(line, comment)
        spliced = line.rstrip().endswith("\\")
    return found


def _open_comment(line: str, inside: bool) -> bool:
    """Whether a comment is open at the end of a line."""
    at = 0
    while at < len(line):
        if inside:
            end = line.find("*/", at)
            if end < 0:
                return True
            inside, at = False, end + 2
        elif line[at] in "\"'":
            end = line.find(line[at], at + 1)
            while end > 0 and line[end - 1] == "\\" and line[end - 2 : end] != "\\\\":
                end = line.find(line[at], end + 1)
            if end < 0:
                return False
            at = end + 1
        elif line.startswith("//", at):
            return False
        elif line.startswith("/*", at):
            inside, at = True, at + 2
        else:
            at += 1
    return inside
