"""Running test cases against formulas, with any judge of traces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from clew.core.records import record
from clew.logic import formulas as f
from clew.logic.automata import accepts
from clew.logic.lasso import holds
from clew.logic.patterns import catalogue, oracle
from clew.logic.patterns.bed import by_spin
from clew.logic.patterns.cases import generate
from clew.logic.patterns.properties import NESTED, Pattern, Reading, Scope, entry
from clew.logic.patterns.suites import FIGURES, Case, table5, table6
from clew.logic.patterns.words import Lasso
from clew.logic.translate import translate

Runner = Callable[[f.Formula, Sequence[Lasso]], list[bool]]
"""Says on which of the traces a formula holds: an engine that model checks, or an evaluator."""


def by_definition(formula: f.Formula, traces: Sequence[Lasso]) -> list[bool]:
    """Each operator by its definition, position by position."""
    return [holds(formula, *trace) for trace in traces]


def by_automaton(formula: f.Formula, traces: Sequence[Lasso]) -> list[bool]:
    """The automaton of the formula runs on the trace."""
    automaton = translate(formula)
    found = []
    for prefix, cycle in traces:
        letters = (*prefix, *cycle)

        def truth(atom: f.Atom, i: int, letters: tuple[frozenset[f.Atom], ...] = letters) -> bool:
            return atom in letters[i]

        found.append(accepts(automaton, len(letters), len(prefix), truth))
    return found


RUNNERS: Final[dict[str, Runner]] = {"definition": by_definition, "automaton": by_automaton, "spin": by_spin}
SUITES: Final = ("table5", "table6", "figures", "generated")


@record
class Outcome:
    """A case with the formula it was run on. `answered`: what the authors of a printed case report, if they do."""

    case: Case
    dialect: str
    formula: f.Formula
    intervals: int
    actual: bool
    answered: bool | None = None

    @property
    def passed(self) -> bool:
        return self.actual is self.case.expected


def suite(
    name: str, dialect: str, chosen: Iterable[tuple[Pattern, Scope]] | None = None, reading: Reading = NESTED
) -> list[Case]:
    """The cases of a suite; of the generated one those of the chosen properties, by default all of the dialect.

    Raises `KeyError` for an unknown suite.
    """
    match name:
        case "table5":
            return table5(dialect)
        case "table6":
            return table6(dialect)
        case "figures":
            return [test.case for test in FIGURES if test.dialect == dialect]
        case "generated":
            return [c for p, s in chosen or catalogue.entries(dialect) for c in generate(p, s, reading)]
    raise KeyError(name)


def run(
    cases: Iterable[Case], dialect: str, runner: Runner = by_definition, reading: Reading = NESTED
) -> list[Outcome]:
    """Every case on the formula the dialect has for it."""
    groups: dict[tuple[Pattern, Scope], list[Case]] = {}
    for case in cases:
        groups.setdefault((case.pattern, case.scope), []).append(case)
    answered = {(t.dialect, id(t.case)): t.answered for t in FIGURES}
    outcomes = []
    for (pattern, scope), group in groups.items():
        prop = entry(pattern, scope)
        formula = catalogue.formula(dialect, prop, reading)
        traces = [c.trace for c in group]
        if len({(len(prefix), len(cycle)) for prefix, cycle in traces}) == 1:
            intervals = oracle.intervals_of_all(prop, traces, reading)
        else:
            intervals = [oracle.intervals(prop, trace, reading) for trace in traces]
        for case, actual, found in zip(group, runner(formula, traces), intervals, strict=True):
            outcomes.append(Outcome(case, dialect, formula, len(found), actual, answered.get((dialect, id(case)))))
    return outcomes


def questions(cases: Iterable[Case], dialect: str, reading: Reading = NESTED) -> list[tuple[f.Formula, Lasso]]:
    """The formula and the trace of each case."""
    return [(catalogue.formula(dialect, entry(c.pattern, c.scope), reading), c.trace) for c in cases]
