"""States as assignments to the variables of decision diagrams.

Each bit of a slot has a variable for its current value and, right below it, one for its next value; frozen slots have
no next value. Variables for choices inside steps and for rigid variables of formulas lie below all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from clew.core.bitwise.execution import Execution, Scene
from clew.core.bitwise.words import Word
from clew.core.expressions import Expr, Variable
from clew.core.transition_system import TransitionSystem
from clew.core.types import Int, scalars
from clew.solvers.bdd import Diagrams, Function
from clew.symbolic.ordering import slot_order


class Encoding:
    """The bits of one system in one set of diagrams. `order`: its slots, top first."""

    def __init__(self, system: TransitionSystem, diagrams: Diagrams, order: Sequence[int] | None = None) -> None:
        self.system = system
        self.diagrams = diagrams
        self.slots = [(n, t, v) for v in system.variables for n, t in scalars(v.type, v.name)]
        self.order = list(slot_order(system) if order is None else order)
        self.current: dict[int, list[int]] = {}  # slot to variables, lowest bit first
        self.following: dict[int, list[int]] = {}
        self._declared = 0
        for slot in self.order:
            _, type_, variable = self.slots[slot]
            bits = [self._declare(1 if variable in system.frozen else 2) for _ in range(type_.bits)]
            bits.reverse()  # the highest bit on top
            self.current[slot] = bits
            if variable not in system.frozen:
                self.following[slot] = [bit + 1 for bit in bits]
        self.state_bits = [bit for slot in sorted(self.current) for bit in self.current[slot]]
        self._choices: list[int] = []
        self._used = 0
        self.execution = Execution(diagrams, self._fresh)
        self.scene: Scene[Function] = Scene([self._word(slot, self.current[slot]) for slot in range(len(self.slots))])
        self.universe = self._universe()
        self.next_of = {
            bit: after
            for slot, bits in self.following.items()
            for bit, after in zip(self.current[slot], bits, strict=True)
        }

    def _declare(self, count: int) -> int:
        self.diagrams.declare(count)
        self._declared += count
        return self._declared - count

    def _word(self, slot: int, bits: Sequence[int]) -> Word[Function]:
        _, type_, _ = self.slots[slot]
        word = tuple(self.diagrams.variable(bit) for bit in bits)
        return word if isinstance(type_, Int) and type_.signed else (*word, self.diagrams.false)

    def _universe(self) -> Function:
        allowed = self.condition(self.system.permitted)
        for (_, type_, _), word in zip(self.slots, self.scene.state, strict=True):
            allowed = self.diagrams.both(allowed, self.execution.valid(type_, word))
        return allowed

    # --- choices

    def _fresh(self) -> Function:
        if self._used == len(self._choices):
            self._choices.append(self._declare(1))
        self._used += 1
        return self.diagrams.variable(self._choices[self._used - 1])

    def forget_choices(self) -> None:
        """The variables for choices may be used again."""
        self._used = 0

    def choices(self) -> list[int]:
        """The variables for choices handed out since the last time they were forgotten."""
        return self._choices[: self._used]

    def bind(self, variable: Variable) -> tuple[list[Word[Function]], list[int], Function]:
        """New variables for a rigid variable of a formula, never used for anything else; and its valid values."""
        words, bits, valid = [], [], self.diagrams.true
        for _, type_ in scalars(variable.type):
            own = [self._declare(1) for _ in range(type_.bits)]
            word = self.execution.stored(type_, tuple(self.diagrams.variable(bit) for bit in own))
            valid = self.diagrams.both(valid, self.execution.valid(type_, word))
            words.append(word)
            bits += own
        return words, bits, valid

    # --- states

    def condition(self, expr: Expr, bound: Mapping[Variable, Sequence[Word[Function]]] | None = None) -> Function:
        """The states where a formula holds."""
        scene = self.scene if not bound else Scene(self.scene.state, bound=bound)
        return self.execution.truth(expr, scene)

    def assignment(self, state: Sequence[int]) -> dict[int, bool]:
        return {
            bit: bool(value >> place & 1)
            for slot, value in enumerate(state)
            for place, bit in enumerate(self.current[slot])
        }

    def singleton(self, state: Sequence[int]) -> Function:
        found = self.diagrams.true
        for bit, value in sorted(self.assignment(state).items(), reverse=True):
            variable = self.diagrams.variable(bit)
            found = self.diagrams.both(found, variable if value else self.diagrams.negated(variable))
        return found

    def state(self, assignment: Mapping[int, bool]) -> tuple[int, ...]:
        """Values of all slots; bits that the assignment leaves open are 0."""
        values = []
        for slot, (_, type_, _) in enumerate(self.slots):
            value = sum(assignment.get(bit, False) << place for place, bit in enumerate(self.current[slot]))
            if isinstance(type_, Int) and type_.signed and value >> (type_.bits - 1):
                value -= 1 << type_.bits
            values.append(value)
        return tuple(values)

    def pick(self, states: Function) -> tuple[int, ...] | None:
        """One of the states."""
        found = self.diagrams.pick(states)
        return None if found is None else self.state(found)

    def count(self, states: Function) -> int:
        """How many states; variables of formulas must not be left in it."""
        return self.diagrams.count(states, len(self.state_bits))

    def bits_changed(self, words: Iterable[tuple[int, Word[Function]]]) -> dict[int, Function]:
        """Current bits (variables) with their next values, where these are not the same."""
        changed: dict[int, Function] = {}
        for slot, word in words:
            old = self.current[slot]
            for bit, value in zip(old, self.execution.words.wide(word, len(old)), strict=False):
                if not self.diagrams.same(value, self.diagrams.variable(bit)):
                    changed[bit] = value
        return changed
