"""What a property is made of: pattern, scope, propositions, and the reading of the words."""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from itertools import product
from typing import Final

from clew.core.records import record
from clew.logic import formulas as f


class Pattern(Enum):
    ABSENCE = "absence"
    EXISTENCE = "existence"
    UNIVERSALITY = "universality"
    PRECEDENCE = "precedence"
    RESPONSE = "response"
    STRICT_PRECEDENCE = "strict-precedence"

    @property
    def has_t(self) -> bool:
        """Whether it relates P to a second proposition T."""
        return self in (Pattern.PRECEDENCE, Pattern.RESPONSE, Pattern.STRICT_PRECEDENCE)


class Scope(Enum):
    GLOBAL = "globally"
    BEFORE = "before"
    AFTER = "after"
    BETWEEN = "between"
    AFTER_UNTIL = "after-until"

    @property
    def has_l(self) -> bool:
        """Whether something opens it."""
        return self in (Scope.AFTER, Scope.BETWEEN, Scope.AFTER_UNTIL)

    @property
    def has_r(self) -> bool:
        """Whether something closes it."""
        return self in (Scope.BEFORE, Scope.BETWEEN, Scope.AFTER_UNTIL)

    @property
    def repeats(self) -> bool:
        """Whether a run may have several intervals of it."""
        return self in (Scope.BETWEEN, Scope.AFTER_UNTIL)

    @property
    def must_close(self) -> bool:
        """Whether without the closing delimiter there is no interval."""
        return self in (Scope.BEFORE, Scope.BETWEEN)


@record
class Reading:
    """What the words leave open.

    `outermost`: while an interval is open a further L opens none. `strict_response`: T must come later than P, not in
    the same state. `strict_precedence`: T must come earlier than P.
    """

    outermost: bool = False
    strict_response: bool = False
    strict_precedence: bool = False

    def __str__(self) -> str:
        words = ["outermost" if self.outermost else "nested"]
        words += ["strict-response"] * self.strict_response + ["strict-precedence"] * self.strict_precedence
        return ", ".join(words)


NESTED: Final = Reading()
DOCUMENTED_SPS: Final = Reading(outermost=True, strict_response=True)
"""How the case study of 2005 reads the documentation of SPS."""


class Class(Enum):
    """Classes of composite propositions: conditions (C) of states, and events (E), changes between states."""

    AT_LEAST_ONE_C = "AtLeastOneC"
    PARALLEL_C = "ParallelC"
    CONSECUTIVE_C = "ConsecutiveC"
    EVENTUAL_C = "EventualC"
    AT_LEAST_ONE_E = "AtLeastOneE"
    PARALLEL_E = "ParallelE"
    CONSECUTIVE_E = "ConsecutiveE"
    EVENTUAL_E = "EventualE"

    @property
    def is_event(self) -> bool:
        return self.value.endswith("E")

    @property
    def is_sequence(self) -> bool:
        return self.value.startswith(("Consecutive", "Eventual"))


@record
class Composite:
    """Several propositions in a certain order; its parts are Boolean formulas."""

    kind: Class
    parts: tuple[f.Formula, ...]

    @property
    def spans_states(self) -> bool:
        return self.kind.is_event or (self.kind.is_sequence and len(self.parts) > 1)

    def __str__(self) -> str:
        return f"{self.kind.value}({', '.join(map(str, self.parts))})"


Operand = f.Formula | Composite
ROLES: Final = "PTLR"


def letter(role: str) -> f.Atom:
    """The proposition that stands for a role in the catalogues."""
    return f.proposition(role)


@record
class Property:
    """A pattern in a scope with what stands for P, T, L and R; unused roles are absent."""

    pattern: Pattern
    scope: Scope
    operands: tuple[tuple[str, Operand], ...] = field(default=())

    def operand(self, role: str) -> Operand:
        return dict(self.operands)[role]

    @property
    def spans_states(self) -> bool:
        """Whether an operand needs more than one state to be seen."""
        return any(isinstance(o, Composite) and o.spans_states for _, o in self.operands)

    def atoms(self) -> list[f.Atom]:
        """The atoms of the operands in order of appearance."""
        parts = [p for _, o in self.operands for p in (o.parts if isinstance(o, Composite) else (o,))]
        return list(dict.fromkeys(atom for part in parts for atom in f.atoms(part)))


def roles(pattern: Pattern, scope: Scope) -> str:
    """Which of P, T, L and R a property has."""
    return "P" + "T" * pattern.has_t + "L" * scope.has_l + "R" * scope.has_r


def entry(pattern: Pattern, scope: Scope) -> Property:
    """The property of the catalogues, with one letter per role."""
    return Property(pattern, scope, tuple((role, letter(role)) for role in roles(pattern, scope)))


ENTRIES: Final = tuple(product(Pattern, Scope))
"""The thirty combinations, patterns in the order of the tables."""
