"""Fairness to processes in CTL: the symbolic engine against explicit labelling; and where a formula over single runs
says the same, against the products of the other engines with its automaton."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

from bench.symbolic.agreement import LARGEST_DIAGRAMS, ask, atoms_of, ctl_formulas
from clew.core.engines import Answer, Limits, Request
from clew.core.network import Formula, Network
from clew.core.properties import Property
from clew.core.temporal import Compound, Fairness, TemporalFormula

ENDS = ("stutter", "maximal", "infinite")
Pair = tuple[TemporalFormula, TemporalFormula]  # in CTL, and the same over single runs


@dataclass(slots=True)
class FairComparison:
    """What came out for one model. `skipped`: why nothing was compared."""

    states: int = 0
    skipped: str = ""
    disagreements: list[str] = field(default_factory=list)
    formulas: int = 0  # of CTL
    pairs: int = 0  # verdicts beside those on formulas over runs
    lassos: int = 0  # fair cycles that were shown and replayed, by either engine
    changed: int = 0  # verdicts that fairness changes


def compare_fair(
    network: Network, seed: int, fair: Fairness, formulas: int = 3, states: int = 3000, linear: str = "reference"
) -> FairComparison:
    """`linear`: the engine for formulas over runs ("": none)."""
    result = FairComparison()
    pairs = list(_pairs(network, seed)) if linear else []
    branching = [*ctl_formulas(network, seed, formulas), *_named("ctl", [ctl for ctl, _ in pairs])]
    network = replace(network, formulas=(*branching, *_named("ltl", [ltl for _, ltl in pairs])))
    asked = [Property(formula.name, "ctl", formula.text) for formula in branching]
    options = {"fair": fair, "ends": ENDS[seed % len(ENDS)]}
    limits = Limits(states=states)
    answers = []
    for engine, given in (("reference", limits), ("symbolic", Limits(memory=LARGEST_DIAGRAMS))):
        answer = ask(engine, Request(network, tuple(asked), limits=given, options=options))
        if isinstance(answer, str) or answer.limits_hit:
            result.skipped = answer if isinstance(answer, str) else "too many states or nodes"
            return result
        answers.append(answer)
        result.lassos += sum(d.trace is not None and d.trace.loop is not None for d in answer.decisions)
    explicit, symbolic = answers
    result.states = symbolic.statistics.states
    result.formulas = len(asked)
    for one, other in zip(explicit.decisions, symbolic.decisions, strict=True):
        if one.verdict != other.verdict:
            result.disagreements.append(f"{one.property.name}: {one.verdict} and {other.verdict}")
    unrestricted = {"ends": options["ends"]}
    plain = ask(
        "symbolic", Request(network, tuple(asked), limits=Limits(memory=LARGEST_DIAGRAMS), options=unrestricted)
    )
    if isinstance(plain, Answer):
        verdicts = zip(plain.decisions, symbolic.decisions, strict=True)
        result.changed = sum(one.verdict != other.verdict for one, other in verdicts)
    if pairs:
        _compare_linear(network, [d.verdict for d in symbolic.decisions[-len(pairs) :]], linear, options, result)
    return result


def _compare_linear(
    network: Network, verdicts: list[str], engine: str, options: dict[str, str], result: FairComparison
) -> None:
    asked = tuple(Property(formula.name, "ltl", formula.text) for formula in network.formulas if formula.logic == "ltl")
    answer = ask(engine, Request(network, asked, options=dict(options)))
    if isinstance(answer, str):
        result.disagreements.append(f"the {engine} engine: {answer}")
        return
    for decision, branching in zip(answer.decisions, verdicts, strict=True):
        result.pairs += 1
        if decision.verdict != branching:
            result.disagreements.append(f"{decision.property.name}: {decision.verdict}, in CTL {branching}")


def _named(logic: str, bodies: list[TemporalFormula]) -> list[Formula]:
    names = [f"{logic}_pair_{number}" for number in range(len(bodies))]
    return [Formula(name, logic, name, body) for name, body in zip(names, bodies, strict=True)]


def _pairs(network: Network, seed: int) -> list[Pair]:
    """Formulas that mean the same in both logics, whatever runs count."""
    dice, atoms = random.Random(f"pairs {seed}"), list(atoms_of(network))
    if not atoms:
        return []

    def state() -> TemporalFormula:
        atom: TemporalFormula = dice.choice(atoms)
        return Compound("!", (atom,)) if dice.random() < 0.5 else atom

    def always(path: TemporalFormula) -> TemporalFormula:
        return Compound("A", (path,))

    p, q = state(), state()
    finally_p, finally_q = Compound("F", (p,)), Compound("F", (q,))
    until = Compound("U", (p, q))
    return [
        (always(finally_p), finally_p),
        (always(Compound("G", (always(finally_p),))), Compound("G", (finally_p,))),
        (
            always(Compound("G", (Compound("->", (p, always(finally_q))),))),
            Compound("G", (Compound("->", (p, finally_q)),)),
        ),
        (always(until), until),
    ]
