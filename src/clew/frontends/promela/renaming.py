"""Is a model with a name replaced still the same model? Compared after parsing, by code that did not do the replacing:
the trees have one shape, and every name means in one what it means in the other."""

from __future__ import annotations

import re
from dataclasses import is_dataclass
from itertools import zip_longest

from clew.core.diagnostics import Span
from clew.frontends.promela import syntax as ast
from clew.frontends.promela.features import children
from clew.frontends.promela.inline import KEYWORDS
from clew.frontends.promela.typing.infer import Typing, infer

_NAME = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)


def difference(before: ast.Model, known: Typing, after: ast.Model, old: str, new: str) -> str:
    """Why they differ in more than the name; '' if they do not. `known`: the types of `before`."""
    if any(re.search(rf"\b{re.escape(old)}\b", text) for text in _foreign(before)):
        return f"embedded C mentions '{old}'"
    if not _alike(before.units, after.units, old, new):
        return f"'{old}' is written in more places than can be told apart, or '{new}' has another meaning"
    if not _mean_alike(known, infer(after)):
        return f"'{new}' already means something where '{old}' is used"
    return ""


def not_a_name(new: str) -> str:
    """Why this cannot be a name; '' if it can."""
    if not _NAME.match(new) or new == "_":
        return f"'{new}' is not a name"
    return f"'{new}' is a keyword" if new in KEYWORDS else ""


def _foreign(model: ast.Model) -> list[str]:
    found: list[str] = []
    if not any("c_" in text for _, text in model.files):
        return found
    stack: list[object] = list(model.units)
    while stack:
        node = stack.pop()
        match node:
            case ast.CCode(text) | ast.CDecl(text):
                found.append(text)
            case ast.CExpr(text, precondition):
                found.extend((text, precondition or ""))
            case ast.CState(strings=strings):
                found.extend(strings)
            case _:
                stack.extend(children(node))
    return found


def _alike(left: object, right: object, old: str, new: str) -> bool:
    """One shape; a text is the same, or has the old name here and the new one there."""
    pattern = re.compile(rf"\b{re.escape(old)}\b")
    stack = [(left, right)]
    while stack:
        a, b = stack.pop()
        if type(a) is not type(b):
            return False
        if isinstance(a, Span):
            continue
        if isinstance(a, str) and isinstance(b, str):
            if a != b and (a != old or b != new) and pattern.sub(new, a) != b:
                return False
        elif isinstance(a, tuple) and isinstance(b, tuple):
            if len(a) != len(b):
                return False
            stack.extend(zip(a, b, strict=True))
        elif is_dataclass(a):
            stack.extend((getattr(a, name), getattr(b, name)) for name in _slots(type(a)))
        elif a != b:
            return False
    return True


def _slots(kind: type) -> tuple[str, ...]:
    found: tuple[str, ...] = kind.__slots__  # type: ignore[attr-defined]
    return found


def _mean_alike(before: Typing, after: Typing) -> bool:
    """Uses of names, in the order of the walk, stand for the same declarations."""
    there: dict[int, int] = {}
    back: dict[int, int] = {}
    for a, b in zip_longest(before.uses, after.uses):
        if a is None or b is None:
            return False
        first, second = id(a[1]), id(b[1])
        if there.setdefault(first, second) != second or back.setdefault(second, first) != first:
            return False
    return True
