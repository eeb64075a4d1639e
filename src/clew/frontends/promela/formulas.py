"""Temporal formulas: those of the command line as `ltl` units of a model, and any of them as core formulas.

A formula of the command line is taken apart by the grammar of `clew.logic`. Its atoms are then read behind the model's
own text, as Promela: so they see its macros and names, and errors in them have their place in the formula.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Literal, NamedTuple

from clew.core import expressions as core
from clew.core.diagnostics import Span
from clew.core.registry import formula_file
from clew.core.temporal import (
    Compound,
    LabelEvent,
    MessageEvent,
    Operator,
    Proposition,
    Rigid,
    StepEvent,
    TemporalFormula,
)
from clew.frontends.promela import syntax as ast
from clew.frontends.promela import unparse
from clew.frontends.promela.translate import Translator
from clew.logic import formulas as f
from clew.logic.ctl import parse_ctl
from clew.logic.hoa_reader import read_hoa
from clew.logic.parse import parse_ltl

_UNARY: dict[str, Operator] = {"!": "!", "[]": "G", "<>": "F", "X": "X", "A": "A", "E": "E"}
_BINARY: dict[str, Operator] = {"&&": "&&", "||": "||", "->": "->", "<->": "<->", "U": "U", "V": "R", "W": "W"}


class _Given(NamedTuple):
    kind: Literal["ltl", "ctl", "pattern", "monitor"]
    text: str
    place: Span
    formula: f.Formula  # of an automaton: `X a && X b …` of its atoms in order
    name: str


class GivenFormulas:
    """Formulas, and properties in words, that are not part of the model's text. Raises InputError if one is none."""

    def __init__(
        self,
        formulas: Sequence[str],
        patterns: Sequence[str] = (),
        branching: Sequence[str] = (),
        monitors: Sequence[tuple[str, str]] = (),
    ) -> None:
        self.atoms: list[tuple[str, Span]] = []
        self.given: list[_Given] = []
        for number, text in enumerate(formulas):
            place = Span(formula_file(number), 1)
            self.given.append(_Given("ltl", text, place, parse_ltl(text, self._atom, place), text))
        for number, text in enumerate(branching):
            place = Span(formula_file(number, "ctl"), 1)
            self.given.append(_Given("ctl", text, place, parse_ctl(text, self._atom, place), text))
        for number, text in enumerate(patterns):
            place = Span(formula_file(number, "pattern"), 1)
            self.given.append(_Given("pattern", text, place, self._in_words(text, place), text))

        for path, text in monitors:
            atoms = read_hoa(text, path, self._atom).atoms
            formula = f.conjunction(f.Next(atom) for atom in atoms)
            self.given.append(_Given("monitor", text, Span(path, 1), formula, Path(path).name))

    def _in_words(self, text: str, place: Span) -> f.Formula:
        from clew.logic.patterns.text import pattern_formula

        return pattern_formula(text, parse_atom=self._atom, start=place)

    def _atom(self, text: str, place: Span) -> f.Atom:
        self.atoms.append((text, place))
        return f.Atom(text, len(self.atoms) - 1)

    def behind(self, text: str) -> str:
        """The text of the model with the atoms behind it, each as a formula of its own."""
        if not self.atoms:
            return text
        blocks = [
            f'\nltl {{\n#line {place.line} "{place.file}"\n{" " * (place.column - 1)}{" ".join(atom.split())} }}'
            for atom, place in self.atoms
        ]
        return text + "".join(blocks) + "\n"

    def settled(self, model: ast.Model, path: str, text: str) -> ast.Model:
        """The model with the formulas as units, and without their atoms."""
        if not self.given:
            return model
        own, atoms = self._apart(model.units)
        found = [
            ast.Ltl(given.name, _tree(given.formula, atoms, given.place), given.text, given.place, given.kind)
            for given in self.given
        ]
        given_files = [(given.place.file, given.text) for given in self.given]
        files = [(name, text if name == path else known) for name, known in model.files]
        return replace(model, units=(*own, *found), files=(*files, *given_files))

    def _apart(self, units: Sequence[ast.Unit]) -> tuple[list[ast.Unit], list[ast.Expr]]:
        count = len(self.atoms)
        places = [n for n, unit in enumerate(units) if isinstance(unit, ast.Ltl)][-count:] if count else []
        atoms = [unit.formula for n in places if isinstance(unit := units[n], ast.Ltl)]
        return [unit for n, unit in enumerate(units) if n not in places], atoms


def _tree(formula: f.Formula, atoms: Sequence[ast.Expr], span: Span) -> ast.Expr:
    """A formula of the logic, in Promela's syntax."""

    def both(op: str, left: ast.Expr, right: ast.Expr) -> ast.Expr:
        return ast.Binary(op, left, right, span)

    operands = [_tree(child, atoms, span) for child in formula.children]
    match formula:
        case f.Constant(value):
            return ast.Number(int(value), "true" if value else "false", span)
        case f.Atom(_, int(number)):
            return atoms[number]
        case f.Not():
            return ast.Unary("!", operands[0], span)
        case f.Next():
            return ast.Unary("X", operands[0], span)
        case f.Eventually():
            return ast.Unary("<>", operands[0], span)
        case f.Always():
            return ast.Unary("[]", operands[0], span)
        case f.And():
            return reduce(lambda a, b: both("&&", a, b), operands)
        case f.Or():
            return reduce(lambda a, b: both("||", a, b), operands)
        case f.Implies():
            return both("->", *operands)
        case f.Equivalent():
            return both("<->", *operands)
        case f.Until():
            return both("U", *operands)
        case f.WeakUntil():
            return both("W", *operands)
        case f.Release():
            return both("V", *operands)
        case f.ForAll():
            return ast.Unary("A", operands[0], span)
        case f.Exists():
            return ast.Unary("E", operands[0], span)
        case f.StrongRelease():
            return both("U", operands[1], both("&&", *operands))
        case _:
            raise TypeError(f"no linear formula: {formula!r}")


def temporal(formula: ast.Expr, translate: Translator) -> TemporalFormula:
    """A formula as the core knows it; the parts that speak about one state, or one step, are translated."""
    if not _is_temporal(formula):
        translate.in_formula = True
        try:
            return Proposition(unparse.expression(formula), translate(formula))
        finally:
            translate.in_formula = False
    match formula:
        case ast.MessageEvent() | ast.LabelEvent():
            return Proposition(unparse.expression(formula), translate.event(formula))
        case ast.Unary(op, operand):
            return Compound(_UNARY[op], (temporal(operand, translate),))
        case ast.Binary(op, left, right):
            return Compound(_BINARY[op], (temporal(left, translate), temporal(right, translate)))
        case _:
            raise TypeError(f"unknown formula {formula!r}")


Finish = Callable[[core.Expr], core.Expr]
Places = Callable[[str, str], frozenset[int]]


def finished(formula: TemporalFormula, finish: Finish, places: Places) -> TemporalFormula:
    """The formula with its conditions changed, and with the locations of labels that are reached."""

    def event(node: StepEvent) -> StepEvent:
        match node:
            case MessageEvent(kind, channel, values):
                return MessageEvent(kind, finish(channel), tuple(None if v is None else finish(v) for v in values))
            case LabelEvent(template, pid, label, _):
                return LabelEvent(template, None if pid is None else finish(pid), label, places(template, label))

    match formula:
        case Proposition(text, meaning):
            if isinstance(meaning, MessageEvent | LabelEvent):
                return Proposition(text, event(meaning))
            return Proposition(text, finish(meaning))
        case Compound(operator, operands):
            return Compound(operator, tuple(finished(operand, finish, places) for operand in operands))
        case Rigid(kind, variable, body):
            return Rigid(kind, variable, finished(body, finish, places))


def _is_temporal(node: ast.Expr) -> bool:
    """Whether the node, or what Boolean operators join in it, speaks about more than one state, or about a step."""
    match node:
        case ast.MessageEvent() | ast.LabelEvent():
            return True
        case ast.Unary("[]" | "<>" | "X" | "A" | "E") | ast.Binary("U" | "V" | "W"):
            return True
        case ast.Binary("->" | "<->"):
            return True
        case ast.Unary("!", operand):
            return _is_temporal(operand)
        case ast.Binary("&&" | "||", left, right):
            return _is_temporal(left) or _is_temporal(right)
        case _:
            return False
