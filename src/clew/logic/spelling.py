"""Formulas as text, in the spelling of Clew, Spin or Spot."""

from __future__ import annotations

import re
from typing import Final

from clew.core.records import record
from clew.logic import formulas as f


@record
class Spelling:
    """How the operators are written. `quoted`: atoms that are not plain names stand in double quotes."""

    conjunction: str
    disjunction: str
    always: str
    eventually: str
    release: str
    strong_release: bool
    quoted: bool


CLEW: Final = Spelling("&&", "||", "G", "F", "R", strong_release=True, quoted=False)
SPIN: Final = Spelling("&&", "||", "[]", "<>", "V", strong_release=False, quoted=False)
SPOT: Final = Spelling("&", "|", "G", "F", "R", strong_release=True, quoted=True)

KEYWORDS: Final = frozenset("A E F G M R U V W X true false".split())
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_OPERATOR = re.compile(
    r"->|--|<>|\[\]|[&|\"\\\n]|\b([AEFGMRUVWX]|true|false|until|stronguntil|weakuntil|release|implies|equivalent"
    r"|next|always|eventually)\b",
    re.ASCII,
)


def show(formula: f.Formula, spelling: Spelling = CLEW) -> str:
    """The formula as text, with parentheses wherever a reader might need them."""

    def text(node: f.Formula) -> str:
        match node:
            case f.Constant(value):
                return "true" if value else "false"
            case f.Atom(name):
                return _atom(name, spelling)
            case f.Not(body):
                return "!" + operand(body)
            case f.And(parts):
                return f" {spelling.conjunction} ".join(map(operand, parts))
            case f.Or(parts):
                return f" {spelling.disjunction} ".join(map(operand, parts))
            case f.Next(body):
                return "X " + operand(body)
            case f.Eventually(body):
                return f"{spelling.eventually} {operand(body)}"
            case f.Always(body):
                return f"{spelling.always} {operand(body)}"
            case f.StrongRelease(left, right) if not spelling.strong_release:
                return text(f.Until(right, f.conjunction((left, right))))
            case f.Binary(left, right):
                return f"{operand(left)} {_BINARY.get(type(node)) or spelling.release} {operand(right)}"
            case f.ForAll(body) | f.Exists(body):
                return quantified("A" if isinstance(node, f.ForAll) else "E", body)
            case f.Rigid(kind, variable, body):
                return f"{kind} {getattr(variable, 'name', variable)} | {text(body)}"
        raise TypeError(f"no spelling for {type(node).__name__}")

    def quantified(letter: str, path: f.Formula) -> str:
        match path:
            case f.Next(body):
                return f"{letter}X {operand(body)}"
            case f.Eventually(body):
                return f"{letter}F {operand(body)}"
            case f.Always(body):
                return f"{letter}G {operand(body)}"
        return f"{letter}[{text(path)}]"

    def operand(node: f.Formula) -> str:
        return text(node) if isinstance(node, (f.Constant, f.Atom, f.Unary)) else f"({text(node)})"

    return text(formula)


_BINARY: Final[dict[type[f.Formula], str]] = {
    f.Implies: "->",
    f.Equivalent: "<->",
    f.Until: "U",
    f.WeakUntil: "W",
    f.StrongRelease: "M",
}


def _atom(text: str, spelling: Spelling) -> str:
    if _NAME.fullmatch(text) and text not in KEYWORDS:
        return text
    balanced = text.count("(") == text.count(")") and text.count("[") == text.count("]")
    if not spelling.quoted and balanced and text[:1].isalnum() and not _OPERATOR.search(text):
        return f"({text})"
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
