"""A transition system as Boolean terms: bits of a state and of the next one, the start, the steps, what goes wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clew.core.bitwise.execution import Execution, Scene
from clew.core.bitwise.words import Word
from clew.core.properties import PropertyKind, Violation
from clew.core.transition_system import Action, Composition, Interleave, TransitionSystem
from clew.core.types import Int, scalars
from clew.solvers.smt import Term, Terms


class Unsuited(Exception):
    """The system has something that this encoding does not; the text says what."""


class Encoding:
    """`steps`: one term for each action. `bad`: for each violation, the states (and choices) where a step shows it.

    Raises Unsuited, and Beyond for commands that may run for ever."""

    def __init__(self, system: TransitionSystem, terms: Terms) -> None:
        self.system = system
        self.terms = terms
        self.slots = [(n, t, v) for v in system.variables for n, t in scalars(v.type, v.name)]
        self.bits: list[Term] = []
        self.following: list[Term] = []
        self.choices: list[Term] = []  # of values and branches in a step; each step makes its own
        self.execution: Execution[Term] = Execution(terms, self._fresh)
        self.state: list[Word[Term]] = []
        for number, (_, type_, variable) in enumerate(self.slots):
            bits = [terms.variable(f"s{number}.{place}") for place in range(type_.bits)]
            self.bits += bits
            frozen = variable in system.frozen
            self.following += bits if frozen else [terms.variable(f"n{number}.{place}") for place in range(type_.bits)]
            self.state.append(tuple(bits) if _signed(type_) else (*bits, terms.false))
        self.scene: Scene[Term] = Scene(self.state)
        self.bad: dict[Violation, Term] = {}
        self.universe = self._universe()
        self.start = terms.both(self.condition(system.initial), self.universe)
        self.steps: list[Term] = []
        self._enabled: list[Term] = []
        for action in _actions(system.behaviour):
            self._add(action)

    def _fresh(self) -> Term:
        self.choices.append(self.terms.variable(f"c{len(self.choices)}"))
        return self.choices[-1]

    def condition(self, expr: object) -> Term:
        return self.execution.truth(expr, self.scene)  # type: ignore[arg-type]

    def _universe(self) -> Term:
        allowed = self.condition(self.system.permitted)
        for (_, type_, _), word in zip(self.slots, self.scene.state, strict=True):
            allowed = self.terms.both(allowed, self.execution.valid(type_, word))
        return allowed

    def _add(self, action: Action) -> None:
        terms = self.terms
        frame: list[Word[Term]] = []
        live = terms.true
        for variable in action.parameters:
            for _, type_ in scalars(variable.type):
                word, valid = self.execution.any_value(type_)
                frame.append(word)
                live = terms.both(live, valid)
        run = self.execution.run(action.body, Scene(self.state, frame) if frame else self.scene, live)
        after: list[Term] = []
        for (_, type_, _), word in zip(self.slots, run.scene.state, strict=True):
            after += self.execution.words.wide(word, type_.bits)[: type_.bits]
        kept = [terms.equal(new, value) for new, value in zip(self.following, after, strict=True)]
        universe = terms.replaced(self.universe, self.pairs(self.following))
        enabled = run.live
        for violation, condition in (*run.claims, *run.errors):
            self.bad[violation] = terms.either(self.bad.get(violation, terms.false), condition)
        for _, condition in run.errors:
            enabled = terms.either(enabled, condition)
        self._enabled.append(enabled)
        if not terms.same(run.live, terms.false):
            self.steps.append(terms.every([run.live, universe, *kept]))

    def pairs(self, frame: Sequence[Term]) -> list[tuple[Term, Term]]:
        """For putting another frame of bits in the place of the current ones."""
        return [(old, new) for old, new in zip(self.bits, frame, strict=True) if not old.eq(new)]

    def violating(self, kind: PropertyKind) -> Term:
        """Where a violation of this kind shows. Raises Unsuited."""
        terms = self.terms
        if kind == "deadlock":
            if self.choices:
                raise Unsuited("being stuck, in a system whose steps have choices inside")
            moving = terms.some(self._enabled)
            return terms.both(terms.negated(moving), terms.negated(self.condition(self.system.final)))
        return terms.some([term for violation, term in self.bad.items() if violation.kind == kind])

    def values(self, bits: Sequence[bool]) -> tuple[int, ...]:
        """Values of slots from the bits of a frame."""
        values, place = [], 0
        for _, type_, _ in self.slots:
            value = sum(bit << n for n, bit in enumerate(bits[place : place + type_.bits]))
            if _signed(type_) and value >> (type_.bits - 1):
                value -= 1 << type_.bits
            values.append(value)
            place += type_.bits
        return tuple(values)

    def beyond(self) -> Mapping[Violation, Term]:
        """What the system has no room for."""
        return {violation: term for violation, term in self.bad.items() if violation.kind == "bound"}


def _actions(part: Composition) -> list[Action]:
    match part:
        case Action():
            return [part]
        case Interleave(parts):
            return [action for inner in parts for action in _actions(inner)]
        case _:
            raise Unsuited("processes in lock step")


def _signed(type_: object) -> bool:
    return isinstance(type_, Int) and type_.signed
