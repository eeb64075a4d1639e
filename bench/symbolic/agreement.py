"""One model, several engines: same number of states, same verdicts; a solver may say "unknown", never the opposite."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from clew.core.engines import Answer, Limits, Request, Unavailable
from clew.core.expressions import AtLocation, Binary, Const, Expr, Ref
from clew.core.network import Formula, Network
from clew.core.properties import Property
from clew.core.registry import load_engine
from clew.core.temporal import Compound, Proposition, TemporalFormula
from clew.core.types import Int, is_scalar

SAFETY = (
    Property("assertions", "assertion", ""),
    Property("deadlock", "deadlock", ""),
    Property("runtime-errors", "runtime-error", ""),
)
LARGEST_DIAGRAMS = 64 << 20  # bytes


@dataclass(slots=True)
class Comparison:
    """What came out for one model. `skipped`: why nothing was compared."""

    states: int = 0
    skipped: str = ""
    disagreements: list[str] = field(default_factory=list)
    formulas: int = 0
    proved: int = 0  # by the solver
    refuted: int = 0
    unknown: int = 0


def compare(network: Network, seed: int, formulas: int = 3, states: int = 3000, smt: float | None = 5.0) -> Comparison:
    """The reference engine against the symbolic one, and against the solver for at most `smt` seconds (None: not)."""
    result = Comparison()
    asked = [*ctl_formulas(network, seed, formulas)]
    network = replace(network, formulas=tuple(asked))
    explicit = ask("reference", Request(network, SAFETY, limits=Limits(states=states), keep_going=True))
    if isinstance(explicit, str) or explicit.limits_hit:
        result.skipped = "too many states" if not isinstance(explicit, str) else explicit
        return result
    properties = (*SAFETY, *(Property(formula.name, "ctl", formula.text) for formula in asked))
    symbolic = ask("symbolic", Request(network, properties, limits=Limits(memory=LARGEST_DIAGRAMS)))
    if isinstance(symbolic, str) or symbolic.limits_hit:
        result.skipped = symbolic if isinstance(symbolic, str) else "too many nodes"
        return result
    result.states = explicit.statistics.states
    if symbolic.statistics.states != result.states:
        result.disagreements.append(f"states: {result.states} and {symbolic.statistics.states}")
    branching = ask("reference", Request(network, properties[len(SAFETY) :])) if asked else None
    assert not isinstance(branching, str)
    expected = [*explicit.decisions, *(branching.decisions if branching else ())]
    for one, other in zip(expected, symbolic.decisions, strict=True):
        result.formulas += one.property.kind == "ctl"
        if one.verdict != other.verdict:
            result.disagreements.append(f"{one.property.name}: {one.verdict} and {other.verdict}")
    if smt is not None:
        _compare_solver(network, explicit, smt, result)
    return result


def _compare_solver(network: Network, explicit: Answer, seconds: float, result: Comparison) -> None:
    solver = ask("smt", Request(network, SAFETY, limits=Limits(seconds=seconds)))
    if isinstance(solver, str):
        result.unknown += len(SAFETY)
        return
    for one, other in zip(explicit.decisions, solver.decisions, strict=True):
        result.proved += other.verdict == "holds"
        result.refuted += other.verdict == "violated"
        result.unknown += other.verdict == "unknown"
        if {one.verdict, other.verdict} == {"holds", "violated"}:
            result.disagreements.append(f"{one.property.name}: {one.verdict}, by the solver {other.verdict}")


def ask(name: str, request: Request) -> Answer | str:
    """The answer, or why there is none."""
    engine = load_engine(name)
    reason = engine.refuses(request)
    if reason is not None:
        return reason
    try:
        return engine.run(request)
    except Unavailable as error:
        return str(error)


# --- formulas at random


def ctl_formulas(network: Network, seed: int, count: int) -> Iterator[Formula]:
    """CTL over conditions on the variables and locations of the network."""
    dice = random.Random(seed)
    atoms = list(atoms_of(network))
    if not atoms:
        return
    for number in range(count):
        body = _formula(dice, atoms, dice.randint(1, 4))
        yield Formula(f"ctl_{number}", "ctl", f"ctl_{number}", body)


def atoms_of(network: Network) -> Iterator[Proposition]:
    for variable in network.variables:
        if is_scalar(variable.type) and isinstance(variable.type, Int) and variable.matched:
            for value in (0, 1, 2):
                test: Expr = Binary("==", Ref(variable), Const(value))
                yield Proposition(f"{variable.name} == {value}", test)
    for template in network.templates:
        for location in template.locations[::3]:
            where = AtLocation(template.name, None, "here", frozenset({location.number}))
            yield Proposition(f"{template.name}@{location.number}", where)


def _formula(dice: random.Random, atoms: list[Proposition], size: int) -> TemporalFormula:
    if size == 0:
        return dice.choice(atoms)
    kind = dice.random()
    if kind < 0.15:
        return Compound("!", (_formula(dice, atoms, size - 1),))
    if kind < 0.35:
        left = dice.randrange(size)
        parts = _formula(dice, atoms, left), _formula(dice, atoms, size - 1 - left)
        return Compound(dice.choice(("&&", "||", "->")), parts)
    quantifier = dice.choice(("A", "E"))
    if kind < 0.8:
        path = Compound(dice.choice(("X", "F", "G")), (_formula(dice, atoms, size - 1),))
    else:
        left = dice.randrange(size)
        parts = _formula(dice, atoms, left), _formula(dice, atoms, size - 1 - left)
        path = Compound(dice.choice(("U", "W", "R")), parts)
    return Compound(quantifier, (path,))
