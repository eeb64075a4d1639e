"""Choosing a property by questions: may this run happen? Each answer leaves about half of what it may still be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from typing import Final

from clew.core.records import record
from clew.logic.patterns import oracle
from clew.logic.patterns.properties import ENTRIES, NESTED, Operand, Pattern, Property, Reading, Scope, roles
from clew.logic.patterns.words import Lasso, all_words

MOST_PROPOSITIONS: Final = 4
MOST_ATOMS: Final = 8
_LENGTHS: Final = {1: 5, 2: 5, 3: 5, 4: 4}
"""How many states the runs have, by the number of atoms."""


@record
class Meaning:
    """What a property may be. `others`: the same in other words."""

    prop: Property
    reading: Reading
    others: tuple[tuple[Property, Reading], ...] = ()


class Choice:
    """What a property about some propositions may be, and the runs to ask about. What role each proposition plays is
    part of the choice."""

    def __init__(self, propositions: Sequence[Operand]) -> None:
        """Raises `ValueError` if these are too many."""
        if not 1 <= len(propositions) <= MOST_PROPOSITIONS:
            raise ValueError(f"a property speaks about one to {MOST_PROPOSITIONS} propositions")
        if len(set(propositions)) < len(propositions):
            raise ValueError("a proposition is named twice")
        every = list(_properties(propositions))
        atoms = every[0][0].atoms()
        if len(atoms) > MOST_ATOMS:
            raise ValueError(f"{len(atoms)} atoms are too many to look for runs")
        length = _LENGTHS.get(len(atoms), max(2, 16 // len(atoms)))
        self.atoms = tuple(atoms)
        self._words = all_words(atoms, length, length - 1)
        grouped: dict[int, list[tuple[Property, Reading]]] = {}
        for prop, reading in every:
            grouped.setdefault(oracle.satisfying(prop, self._words, reading), []).append((prop, reading))
        self._left = {allowed: Meaning(*same[0], tuple(same[1:])) for allowed, same in grouped.items()}
        self._apart = self._words.one_at_a_time()
        self._open = self._words.every  # the runs that were not asked about
        self._asked = 0

    @property
    def left(self) -> list[Meaning]:
        return list(self._left.values())

    def question(self) -> Lasso | None:
        """A run that some of what is left allows and some forbids: a plain one that halves it, more or less. None if
        there is nothing more to ask."""
        total = len(self._left)
        planes = _counters(self._left)
        wanted = 0
        for far in range(total):
            for count in {total // 2 - far, (total + 1) // 2 + far}:
                if 0 < count < total:
                    wanted |= _counting(planes, count, self._open)
            if wanted and far >= total // 10:  # a plain run is worth a worse half
                self._asked = self._words.number_of_first(wanted & self._apart or wanted)
                return self._words.word(self._asked)
        return None

    def answer(self, allowed: bool | None) -> None:
        """Whether the run asked about last may happen; None: that does not matter, or is not known."""
        bit = 1 << self._asked
        self._open &= ~bit
        if allowed is not None:
            self._left = {mask: meaning for mask, meaning in self._left.items() if bool(mask & bit) == allowed}


def _properties(propositions: Sequence[Operand]) -> Iterator[tuple[Property, Reading]]:
    """Everything that speaks about just these, the usual reading first."""
    unusual = []
    for pattern, scope in ENTRIES:
        names = roles(pattern, scope)
        if len(names) != len(propositions):
            continue
        for operands in permutations(propositions):
            prop = Property(pattern, scope, tuple(zip(names, operands, strict=True)))
            yield prop, NESTED
            unusual += [(prop, reading) for reading in _unusual_readings(pattern, scope)]
    yield from unusual


def _unusual_readings(pattern: Pattern, scope: Scope) -> Iterator[Reading]:
    """Strict precedence is a pattern of its own."""
    responds = pattern is Pattern.RESPONSE
    if responds:
        yield Reading(strict_response=True)
    if scope.repeats:
        yield Reading(outermost=True)
        if responds:
            yield Reading(outermost=True, strict_response=True)


def _counters(masks: Iterable[int]) -> list[int]:
    """For each bit, in how many masks it is set: as binary numbers, the lowest digits of all of them first."""
    planes: list[int] = []
    for mask in masks:
        carry = mask
        for digit, plane in enumerate(planes):
            planes[digit], carry = plane ^ carry, plane & carry
        if carry:
            planes.append(carry)
    return planes


def _counting(planes: Sequence[int], count: int, among: int) -> int:
    """The bits that are set in so many masks."""
    if count >> len(planes):
        return 0
    for digit, plane in enumerate(planes):
        among &= plane if count >> digit & 1 else ~plane
    return among
