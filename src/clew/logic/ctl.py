"""Computation tree logic: its syntax and its three basic operators.

A state formula is made of atoms, Boolean operators and `AX EX AF EF AG EG`, `A[f U g]`, `E[f U g]`; `R`, `W` and `M`
may stand for `U`. Path quantifiers are nodes of their own (`ForAll`, `Exists`) around a path formula, as in CTL*.
"""

from __future__ import annotations

import re
from typing import Final

from clew.core.diagnostics import InputError, Span
from clew.logic import formulas as f
from clew.logic.parse import SYNTAX, AtomReader, Parser, plain_atom

_QUANTIFIED = re.compile(r"([AE])\s*(?:([XFG])\b|(?=\[))", re.ASCII)
_PATH: Final[dict[str, type[f.Unary]]] = {"X": f.Next, "F": f.Eventually, "G": f.Always}


def parse_ctl(text: str, atom: AtomReader | None = None, start: Span = Span("<formula>", 1)) -> f.Formula:  # noqa: B008
    """The CTL formula that `text` is. Raises `InputError` with a position, also for a formula outside CTL."""
    parser = _CtlParser(text, atom or plain_atom, start)
    formula = parser.whole()
    if not is_ctl(formula):
        hint = "write AG, EF, A[f U g] and so on; a formula over single runs is --ltl"
        raise InputError.at(
            parser.span(0, len(text)), SYNTAX, "not in CTL: each temporal operator needs an A or E in front", hint
        )
    return formula


class _CtlParser(Parser):
    def primary(self) -> f.Formula:
        found = _QUANTIFIED.match(self.text, self.at)
        if not found or not (found[2] or self.is_group(found.end())):
            return super().primary()
        quantifier = f.ForAll if found[1] == "A" else f.Exists
        self.at = found.end()
        self._skip()
        if not found[2]:
            return quantifier(self.group("["))
        self.depth += 1
        body = self.operand()
        self.depth -= 1
        return quantifier(_PATH[found[2]](body))


def is_ctl(formula: f.Formula) -> bool:
    """Every temporal operator stands directly below a path quantifier, and every quantifier above one."""
    match formula:
        case f.Constant() | f.Atom():
            return True
        case f.ForAll(path) | f.Exists(path):
            return isinstance(path, f.TEMPORAL) and all(map(is_ctl, path.children))
    return not isinstance(formula, f.TEMPORAL) and all(map(is_ctl, formula.children))


def basic(formula: f.Formula) -> f.Formula:
    """The same with `EX`, `E[ U ]` and `EG` as the only temporal operators, and `! && ||`. Needs a CTL formula."""
    known: dict[f.Formula, f.Formula] = {}

    def rewrite(node: f.Formula) -> f.Formula:
        if node not in known:
            known[node] = step(node)
        return known[node]

    def step(node: f.Formula) -> f.Formula:
        match node:
            case f.Constant() | f.Atom():
                return node
            case f.Not(body):
                return negation(rewrite(body))
            case f.And(parts):
                return f.conjunction(map(rewrite, parts))
            case f.Or(parts):
                return f.disjunction(map(rewrite, parts))
            case f.Implies(left, right):
                return f.disjunction((negation(rewrite(left)), rewrite(right)))
            case f.Equivalent(left, right):
                a, b = rewrite(left), rewrite(right)
                return f.disjunction((f.conjunction((a, b)), f.conjunction((negation(a), negation(b)))))
            case f.Rigid(kind, variable, body):
                return f.Rigid(kind, variable, rewrite(body))
            case f.Exists(path):
                return some(path)
            case f.ForAll(path):
                return negation(some(_dual(path)))
        raise TypeError(f"{type(node).__name__} is no state formula")

    def some(path: f.Formula) -> f.Formula:
        match path:
            case f.Next(body):
                return f.Exists(f.Next(rewrite(body)))
            case f.Eventually(body):
                return f.Exists(f.Until(f.TRUE, rewrite(body)))
            case f.Always(body):
                return f.Exists(f.Always(rewrite(body)))
            case f.Until(left, right):
                return f.Exists(f.Until(rewrite(left), rewrite(right)))
            case f.WeakUntil(left, right):
                a, b = rewrite(left), rewrite(right)
                return f.disjunction((f.Exists(f.Until(a, b)), f.Exists(f.Always(a))))
            case f.StrongRelease(left, right):
                a, b = rewrite(left), rewrite(right)
                return f.Exists(f.Until(b, f.conjunction((a, b))))
            case f.Release(left, right):
                a, b = rewrite(left), rewrite(right)
                return f.disjunction((f.Exists(f.Until(b, f.conjunction((a, b)))), f.Exists(f.Always(b))))
        raise TypeError(f"{type(path).__name__} is no path formula of CTL")

    return rewrite(formula)


def readable(formula: f.Formula) -> f.Formula:
    """What `basic` makes, with the operators that people write: `AG p` for `!E[true U !p]`."""
    match formula:
        case f.Not(f.Exists(f.Until(f.TRUE, body))):
            return f.ForAll(f.Always(readable(negation(body))))
        case f.Not(f.Exists(f.Always(body))):
            return f.ForAll(f.Eventually(readable(negation(body))))
        case f.Not(f.Exists(f.Next(body))):
            return f.ForAll(f.Next(readable(negation(body))))
        case f.Not(f.Exists(f.Until(no, f.And((neither, again))))) if no == again:
            return f.ForAll(f.WeakUntil(readable(negation(neither)), readable(negation(no))))
        case f.Not(f.Or((f.Exists(f.Until(no, f.And((neither, again)))), f.Exists(f.Always(never))))) if (
            no == again == never
        ):
            return f.ForAll(f.Until(readable(negation(neither)), readable(negation(no))))
        case f.Exists(f.Until(f.TRUE, body)):
            return f.Exists(f.Eventually(readable(body)))
        case f.Exists(f.Until(left, right)):
            return f.Exists(f.Until(readable(left), readable(right)))
        case f.Exists(f.Always(body)):
            return f.Exists(f.Always(readable(body)))
        case f.Exists(f.Next(body)):
            return f.Exists(f.Next(readable(body)))
        case f.Not(body):
            return f.Not(readable(body))
        case f.And(parts):
            return f.conjunction(map(readable, parts))
        case f.Or(parts):
            return f.disjunction(map(readable, parts))
    return formula


def negation(formula: f.Formula) -> f.Formula:
    match formula:
        case f.Constant(value):
            return f.Constant(not value)
        case f.Not(body):
            return body
    return f.Not(formula)


def _dual(path: f.Formula) -> f.Formula:
    """The path formula of the negation, over negated state formulas."""
    kind = f.DUAL[type(path)]
    dual: f.Formula = kind(*map(negation, path.children))
    return dual
