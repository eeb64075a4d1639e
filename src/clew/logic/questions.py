"""Temporal properties of a network as questions to a product: is there a run that an automaton matches?

A formula asks for runs on which it does not hold, a never claim for runs it matches. Accept and progress labels are
formulas, too: no run may be at an accept label for ever again; every run must be at a progress label for ever again.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import cast

from clew.core.diagnostics import NOWHERE, InputError
from clew.core.expressions import Const, Expr, Global, Unary
from clew.core.monitors import Monitor, MonitorEdge, NotAnAutomaton, claim_monitor, ending_early
from clew.core.network import Network
from clew.core.properties import Property
from clew.core.records import record
from clew.core.temporal import Compound, Ends, Fairness, Operator, Proposition, Rigid, StepEvent, TemporalFormula
from clew.core.views import SpaceView
from clew.logic import formulas as f
from clew.logic.automata import Automaton, is_empty
from clew.logic.delay import delayed
from clew.logic.hoa_reader import read_hoa
from clew.logic.translate import translate

DEFAULT_ENDS: dict[str, Ends] = {"progress": "infinite"}  # as Spin: a run that ends is no cycle without progress
ENDED = f.Atom("ended", Global("ended"))

_JOINED: dict[Operator, type[f.Formula]] = {
    "!": f.Not,
    "->": f.Implies,
    "<->": f.Equivalent,
    "X": f.Next,
    "F": f.Eventually,
    "G": f.Always,
    "U": f.Until,
    "W": f.WeakUntil,
    "R": f.Release,
    "M": f.StrongRelease,
    "A": f.ForAll,
    "E": f.Exists,
}


@record
class Question:
    """Whether `monitor` matches a run. `formula` must hold on every run; `claim` is the number of a never claim, which
    has no monitor if it is more than an automaton (`peculiar` says why)."""

    asked: Property
    monitor: Monitor | None
    ends: Ends
    fair: Fairness
    formula: f.Formula | None = None
    claim: int | None = None
    trivial: bool = False  # the monitor matches no run of any system
    peculiar: str = ""

    @property
    def automaton(self) -> str:
        """The monitor, for people."""
        what = "claim" if self.claim is not None else "automaton"
        if self.monitor is None:
            return what
        edges = sum(len(leaving) for leaving in self.monitor.edges)
        return f"{what} of {_plural(self.monitor.states, 'state')}, {_plural(edges, 'edge')}"

    @property
    def message(self) -> str:
        """What a run found shows, for people."""
        match self.asked.kind:
            case "acceptance":
                return "acceptance cycle: this run is at an accept label for ever again"
            case "progress":
                return "non-progress cycle: this run is at a progress label only finitely often"
            case "never":
                return "the never claim matches this run"
            case "monitor":
                return f"the automaton in {self.asked.name} accepts this run"
            case _:
                return f"this run violates {self.asked.text}"


def question(network: Network | SpaceView, asked: Property, ends: Ends | None, fair: Fairness) -> Question:
    """What a temporal property asks. `ends` None: as is usual for properties of its kind."""
    how = ends or DEFAULT_ENDS.get(asked.kind, "stutter")
    if isinstance(network, SpaceView):
        return _question(asked, cast(f.Formula, network.formulas[asked.name]), how, fair)
    if asked.kind in ("never", "monitor") and how == "maximal":
        how = "infinite"  # automata read words that do not end
    if asked.kind == "monitor":
        watched = _from_file(network, asked)
        return Question(asked, watched if how == "infinite" else ending_early(watched), how, fair)
    if asked.kind == "never":
        number = next(n for n, m in enumerate(network.monitors) if m.template.name == asked.name)
        try:
            return Question(asked, claim_monitor(network, network.monitors[number]), how, fair, claim=number)
        except NotAnAutomaton as reason:
            return Question(asked, None, how, fair, claim=number, peculiar=str(reason))
    return _question(asked, _formula(network, asked), how, fair)


def asked_of(question: Question, formula: f.Formula) -> Question:
    """Whether a formula holds on the runs that the question is about."""
    return _question(question.asked, formula, question.ends, question.fair)


def _question(asked: Property, formula: f.Formula, ends: Ends, fair: Fairness) -> Question:
    if ends == "maximal":
        formula = _on_runs_that_end(formula)
    against, trivial = _against(formula)
    if ends != "infinite":  # then a beginning shows nothing: it may not be one of an infinite run
        against = ending_early(against)
    return Question(asked, against, ends, fair, formula, trivial=trivial)


@lru_cache(maxsize=64)
def _against(formula: f.Formula) -> tuple[Monitor, bool]:
    """What matches the runs on which the formula does not hold, and whether there can be none."""
    automaton = delayed(translate(f.Not(formula)))
    return monitor(automaton), is_empty(automaton)


def monitor(automaton: Automaton) -> Monitor:
    """An automaton whose atoms mean expressions, as the core knows it."""
    edges = tuple(
        tuple(MonitorEdge(tuple(automaton.cubes(edge)), edge.marks, edge.target) for edge in leaving)
        for leaving in automaton.edges
    )
    return Monitor(tuple(meaning(atom) for atom in automaton.atoms), automaton.sets, automaton.initial, edges)


def meaning(atom: f.Atom) -> Expr | StepEvent:
    """The condition or event that an atom of a question stands for."""
    expr: Expr | StepEvent = atom.meaning  # type: ignore[assignment]
    return expr


def _formula(network: Network, asked: Property) -> f.Formula:
    match asked.kind:
        case "acceptance":
            return f.Eventually(f.Always(f.Not(f.Atom("accept_", Global("accepting")))))
        case "progress":
            return f.Always(f.Eventually(f.Not(f.Atom("np_", Global("no_progress")))))
        case _:
            return formula_of(next(known.body for known in network.formulas if known.name == asked.name))


def _from_file(network: Network, asked: Property) -> Monitor:
    """The automaton, whose atoms mean what the model says they do."""
    known = next(known for known in network.formulas if known.name == asked.name)
    automaton = read_hoa(known.text, known.name)
    meanings = _propositions(known.body)
    atoms = tuple(f.Atom(atom.text, meaning) for atom, meaning in zip(automaton.atoms, meanings, strict=True))
    return monitor(replace(automaton, atoms=atoms))


def _propositions(tree: TemporalFormula) -> list[Expr | StepEvent]:
    """What the atoms of an automaton mean, in order. Raises InputError if one is more than an atom."""
    match tree:
        case Compound("&&", operands):
            return [meaning for operand in operands for meaning in _propositions(operand)]
        case Compound("X", (Proposition(_, meaning),)):
            return [meaning]
        case Proposition(_, Const()):  # there are none
            return []
    message = "an atom of an automaton is a condition or an event: without ->, <-> and temporal operators"
    raise InputError.at(NOWHERE, "monitor-atom", message)


def formula_of(tree: TemporalFormula) -> f.Formula:
    """A formula of a view in the logic; conditions that are the same are one atom."""
    known: dict[Expr | StepEvent, f.Atom] = {}

    def atom(text: str, expr: Expr | StepEvent) -> f.Formula:
        match expr:
            case Const(value):
                return f.Constant(value != 0)
            case Unary("!", operand):
                return f.Not(atom(text.removeprefix("!"), operand))
            case _:
                return known.setdefault(expr, f.Atom(text, expr))

    def convert(node: TemporalFormula) -> f.Formula:
        match node:
            case Proposition(text, expr):
                return atom(text, expr)
            case Compound("&&", operands):
                return f.conjunction(convert(operand) for operand in operands)
            case Compound("||", operands):
                return f.disjunction(convert(operand) for operand in operands)
            case Compound(operator, operands):
                return _JOINED[operator](*(convert(operand) for operand in operands))
            case Rigid(kind, variable, body):
                return f.Rigid(kind, variable, convert(body))

    return convert(tree)


def _on_runs_that_end(formula: f.Formula) -> f.Formula:
    """The formula over runs that may end: behind its last state, a run that ends is at `ended` for ever."""
    live = f.Not(ENDED)

    def both(*parts: f.Formula) -> f.Formula:
        return f.conjunction((live, *parts))

    def either(part: f.Formula) -> f.Formula:
        return f.disjunction((ENDED, part))

    known: dict[f.Formula, f.Formula] = {}
    for node in f.subformulas(formula):
        parts = [known[child] for child in node.children]
        match node:
            case f.Constant() | f.Atom():
                known[node] = node
            case f.And():
                known[node] = f.conjunction(parts)
            case f.Or():
                known[node] = f.disjunction(parts)
            case f.Next():
                known[node] = f.Next(both(parts[0]))
            case f.Eventually():
                known[node] = f.Eventually(both(parts[0]))
            case f.Always():
                known[node] = f.Always(either(parts[0]))
            case f.Until():
                known[node] = f.Until(parts[0], both(parts[1]))
            case f.WeakUntil():
                known[node] = f.WeakUntil(either(parts[0]), both(parts[1]))
            case f.Release():
                known[node] = f.WeakUntil(either(parts[1]), both(*parts))
            case f.StrongRelease():
                known[node] = f.Until(parts[1], both(*parts))
            case _:
                known[node] = type(node)(*parts)
    return known[formula]


def _plural(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count:,} {noun}s"
