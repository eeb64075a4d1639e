"""A formula in the notation of other tools."""

from __future__ import annotations

import re
from typing import Final

from clew.core.records import record
from clew.logic import formulas as f
from clew.logic.ctl import is_ctl
from clew.logic.hoa import write_hoa
from clew.logic.never import never_claim
from clew.logic.patterns.branching import branching
from clew.logic.patterns.properties import NESTED, Property, Reading
from clew.logic.spelling import CLEW, SPOT, show
from clew.logic.translate import translate, translate_both

SYNTAXES: Final = ("math", "clew", "spin", "never", "hoa", "spot", "nusmv", "psl", "ctl")


@record
class _Notation:
    """How operators are written; an operator that is missing is rewritten by others."""

    constants: tuple[str, str]
    negation: str
    operators: dict[type[f.Formula], str]
    loose: tuple[type[f.Formula], ...] = (f.Several, f.Binary)
    """What needs parentheses as an operand."""


_MATH: Final = _Notation(
    ("false", "true"), "¬",
    {f.And: "∧", f.Or: "∨", f.Implies: "→", f.Equivalent: "↔", f.Next: "○", f.Eventually: "◇", f.Always: "□",
     f.Until: "U", f.WeakUntil: "W", f.Release: "R", f.StrongRelease: "M"},
)  # fmt: skip
_SPIN: Final = _Notation(
    ("false", "true"), "!",
    {f.And: "&&", f.Or: "||", f.Implies: "->", f.Equivalent: "<->", f.Next: "X ", f.Eventually: "<> ", f.Always: "[] ",
     f.Until: "U", f.WeakUntil: "W", f.Release: "V"},
)  # fmt: skip
_NUSMV: Final = _Notation(
    ("FALSE", "TRUE"), "!",
    {f.And: "&", f.Or: "|", f.Implies: "->", f.Equivalent: "<->", f.Next: "X ", f.Eventually: "F ", f.Always: "G ",
     f.Until: "U", f.Release: "V"},
)  # fmt: skip
_PSL: Final = _Notation(
    ("false", "true"), "!",
    {f.And: "&&", f.Or: "||", f.Implies: "->", f.Equivalent: "<->", f.Next: "next! ", f.Eventually: "eventually! ",
     f.Always: "always ", f.Until: "until!", f.WeakUntil: "until"},
    (f.Several, f.Binary, f.Next, f.Eventually, f.Always),
)  # fmt: skip
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def mathematical(formula: f.Formula) -> str:
    """In the notation of papers."""
    return _written(formula, _MATH)


def written(formula: f.Formula, syntax: str, prop: Property | None = None, reading: Reading = NESTED) -> str | None:
    """The formula in a syntax; None if it has no such form. CTL needs the property. Raises `KeyError`.

    Single capitals become small letters where other tools take them for operators.
    """
    match syntax:
        case "math":
            return mathematical(formula)
        case "clew":
            return show(formula, CLEW)
        case "spot":
            return show(formula, SPOT)
        case "hoa":
            return write_hoa(translate(formula), str(formula)).rstrip()
        case "spin":
            return f"ltl property {{ {_written(_small(formula), _SPIN)} }}"
        case "never":
            return never_claim(translate_both(_small(formula))[1](), f"!({_written(_small(formula), _SPIN)})").rstrip()
        case "nusmv":
            return f"LTLSPEC {_written(_small(formula), _NUSMV)}"
        case "psl":
            return f"assert {_written(_small(formula), _PSL)};"
        case "ctl":
            found = None if prop is None else branching(prop, reading)
            assert found is None or is_ctl(found)
            return None if found is None else show(found, CLEW)
    raise KeyError(syntax)


def _small(formula: f.Formula) -> f.Formula:
    """With single capitals as small letters."""
    return f.replace_atoms(formula, lambda a: f.Atom(a.text.lower(), a.meaning) if len(a.text) == 1 else a)


def _written(formula: f.Formula, notation: _Notation) -> str:
    def text(node: f.Formula) -> str:
        match node:
            case f.Constant(value):
                return notation.constants[value]
            case f.Atom(name):
                return name if _NAME.fullmatch(name) else f"({name})"
            case f.Not(body):
                return notation.negation + operand(body)
        operator = notation.operators.get(type(node))
        match node:
            case f.WeakUntil(left, right) if operator is None:
                return text(f.Release(right, f.disjunction((left, right))))
            case f.StrongRelease(left, right) if operator is None:
                return text(f.Until(right, f.conjunction((left, right))))
            case f.Release(left, right) if operator is None:
                return text(f.WeakUntil(right, f.conjunction((left, right))))
            case f.Several(parts):
                return f" {operator} ".join(map(operand, parts))
            case f.Unary(body):
                return f"{operator}{operand(body)}"
            case f.Binary(left, right):
                return f"{operand(left)} {operator} {operand(right)}"
        raise TypeError(f"no notation for {type(node).__name__}")

    def operand(node: f.Formula) -> str:
        return f"({text(node)})" if isinstance(node, notation.loose) else text(node)

    return text(formula)
