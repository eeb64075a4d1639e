"""Variables that embedded C declares outside functions: data that is part of no state unless it is tracked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_DIRECTIVE = re.compile(r"^[ \t]*\\?#.*$", re.MULTILINE)
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[A-Za-z_]\w*|\d[\w.]*|[^\s\w]')
_NAME = re.compile(r"[A-Za-z_]\w*")
_OPENING, _CLOSING = "([{", ")]}"


def names_in(text: str) -> set[str]:
    """The identifiers in a C text."""
    return set(_NAME.findall(text))


def c_variables(text: str) -> list[str]:
    """The variables declared at file level that the program can change; constants and externals are left out."""
    return [name for declaration in _declarations(text) for name in _declared(declaration)]


def _declarations(text: str) -> Iterator[list[str]]:
    """What stands between semicolons outside braces; function bodies end a declaration and are left out."""
    tokens = _TOKEN.findall(_DIRECTIVE.sub("", text))
    current: list[str] = []
    depth = 0
    for token in tokens:
        if token == "{":
            depth += 1
            if depth == 1 and current and current[-1] != ")":
                current.append("{}")
        elif token == "}":
            depth -= 1
            if depth == 0 and (not current or current[-1] == ")"):
                current = []
        elif depth == 0 and token == ";":
            yield current
            current = []
        elif depth == 0:
            current.append(token)


def _declared(declaration: Sequence[str]) -> Iterator[str]:
    constant = "const" in declaration and "*" not in declaration
    if constant or "typedef" in declaration or "extern" in declaration:
        return
    for number, part in enumerate(_declarators(declaration)):
        words = list(part[: part.index("=")] if "=" in part else part)
        named = [word for word in _outside_brackets(words) if _NAME.fullmatch(word)]
        if "(" in words:  # a function, or a pointer to one
            after = words[words.index("(") + 1 :]
            yield from (word for word in after[1:2] if after[0] == "*")
        elif named and not (number == 0 and _is_type_only(words, named)):
            yield named[-1]


def _is_type_only(words: Sequence[str], named: Sequence[str]) -> bool:
    """Whether nothing is declared but a type: `struct T { … }` or `struct T` alone."""
    is_tagged = named[0] in ("struct", "union", "enum")
    return len(named) < 2 or (is_tagged and (words[-1] == "{}" or ("{}" not in words and len(named) < 3)))


def _declarators(declaration: Sequence[str]) -> Iterator[list[str]]:
    part: list[str] = []
    depth = 0
    for token in declaration:
        depth += (token in _OPENING) - (token in _CLOSING)
        if token == "," and depth == 0:
            yield part
            part = []
        else:
            part.append(token)
    if part:
        yield part


def _outside_brackets(words: Sequence[str]) -> Iterator[str]:
    depth = 0
    for word in words:
        depth += (word == "[") - (word == "]")
        if depth == 0:
            yield word
