"""What a property means, by intervals of the run and without any formula: the judge of the formulas.

The scope gives intervals [i, j) of states, j possibly infinite; the property holds iff the pattern holds in each.
Between and after-until: an interval opens where L has just occurred and R does not begin, and ends where R next begins.
All words of a shape are judged at once: a set of words is a bit mask.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, reduce
from operator import and_, or_

from clew.logic import formulas as f
from clew.logic.patterns.construct import check_meaning
from clew.logic.patterns.properties import NESTED, Class, Composite, Pattern, Property, Reading, Scope
from clew.logic.patterns.words import Lasso, Words, these_words

Occurrence = tuple[int, int, int]
"""First state, last state, and the words on which it occurs there."""

Interval = tuple[int, int | None]
"""First state, and the first state behind it; None: it never ends."""


def satisfying(prop: Property, words: Words, reading: Reading = NESTED) -> int:
    """The words on which the property holds. Raises `Unclear` if it has no agreed meaning."""
    check_meaning(prop, reading)
    judge = _Judge(prop, words, reading)
    violated = 0
    for (start, end), mask in judge.intervals():
        if mask & ~violated:
            violated |= mask & ~judge.pattern_holds(start, end)
    return words.every & ~violated


def holds(prop: Property, lasso: Lasso, reading: Reading = NESTED) -> bool:
    """Whether the property holds on one word."""
    return satisfying(prop, these_words(prop.atoms(), [lasso]), reading) == 1


def intervals(prop: Property, lasso: Lasso, reading: Reading = NESTED) -> list[tuple[Interval, bool]]:
    """The intervals of one word that open before its cycle repeats, and whether the pattern holds in each."""
    return intervals_of_all(prop, [lasso], reading)[0]


def intervals_of_all(
    prop: Property, lassos: Sequence[Lasso], reading: Reading = NESTED
) -> list[list[tuple[Interval, bool]]]:
    """The same for several words of one shape."""
    words = these_words(prop.atoms(), lassos)
    judge = _Judge(prop, words, reading)
    table: dict[Interval, int] = {}
    for interval, mask in judge.intervals():
        table[interval] = table.get(interval, 0) | mask
    found: list[list[tuple[Interval, bool]]] = [[] for _ in lassos]
    for interval in sorted(table, key=_order):
        good, mask = judge.pattern_holds(*interval), table[interval]
        while mask and interval[0] < words.length:
            word = (mask & -mask).bit_length() - 1
            found[word].append((interval, bool(good >> word & 1)))
            mask &= mask - 1
    return found


def with_interval(prop: Property, words: Words, reading: Reading = NESTED, containing: str = "") -> int:
    """The words that have an interval; `containing`: in which this role occurs."""
    judge = _Judge(prop, words, reading)
    found = 0
    for (start, end), mask in judge.intervals():
        found |= mask & (judge.some_inside(containing, start, end) if containing else mask)
    return found


def _order(interval: Interval) -> tuple[int, float]:
    start, end = interval
    return start, float("inf") if end is None else end


class _Judge:
    def __init__(self, prop: Property, words: Words, reading: Reading) -> None:
        self.prop = prop
        self.words = words
        self.reading = reading
        self.pattern_holds = cache(self._pattern_holds)
        self._from = cache(self._occurrences_from)
        self._truth = cache(self.words.values)

    def once_around(self, start: int) -> range:
        """Positions from `start` on behind which everything has been seen."""
        return range(start, max(start, self.words.back) + self.words.cycle)

    # The scope

    def intervals(self) -> Iterator[tuple[Interval, int]]:
        """The intervals, and the words that have them; shifts by whole cycles once."""
        words = self.words
        match self.prop.scope:
            case Scope.GLOBAL:
                yield (0, None), words.every
            case Scope.BEFORE:
                yield from self.closed(0, words.every, 0)
            case Scope.AFTER:
                yield from (((start, None), mask) for start, mask in self.first_openings())
            case _:
                for start, mask in self.outermost_openings() if self.reading.outermost else self.openings():
                    yield from self.closed(start, mask & ~self.begins("R", start), start + 1)

    def closed(self, start: int, mask: int, earliest: int) -> Iterator[tuple[Interval, int]]:
        """The intervals from `start`: up to the next beginning of R, or endless if the scope allows it."""
        for end in self.once_around(earliest):
            found = mask & self.begins("R", end)
            if found:
                yield (start, end), found
            mask &= ~found
        if mask and not self.prop.scope.must_close:
            yield (start, None), mask

    def openings(self) -> Iterator[tuple[int, int]]:
        """Where each L has just occurred."""
        for begin in range(self.words.length):
            for _, end, mask in self.occurrences("L", begin):
                yield end, mask

    def first_openings(self) -> Iterator[tuple[int, int]]:
        """Where the first L has just occurred."""
        waiting = self.words.every
        for begin in range(self.words.length):
            for _, end, mask in self.occurrences("L", begin):
                if mask & waiting:
                    yield end, mask & waiting
            waiting &= ~self.begins("L", begin)

    def outermost_openings(self) -> Iterator[tuple[int, int]]:
        """Where L holds and no interval is open. Twice around the cycle: it may be entered open or not."""
        is_open = 0
        for position in range(self.words.length + self.words.cycle):
            is_open &= ~self.begins("R", position)
            opened = self.begins("L", position) & ~self.begins("R", position) & ~is_open
            yield position, opened
            is_open |= opened

    # The pattern in one interval

    def _pattern_holds(self, start: int, end: int | None) -> int:
        """The words on which the pattern holds in the interval."""
        every = self.words.every
        whole = self.inside("P", start, end)
        match self.prop.pattern:
            case Pattern.EXISTENCE:
                return reduce(or_, (mask for _, _, mask in whole), 0)
            case Pattern.ABSENCE:
                return every & ~reduce(or_, (mask for _, _, mask in whole), 0)
            case Pattern.UNIVERSALITY:
                states = self.once_around(start) if end is None else range(start, end)
                return reduce(and_, (self.begins("P", state) for state in states), every)
            case Pattern.RESPONSE:
                late = int(self.reading.strict_response)
                return every & ~reduce(
                    or_, (mask & ~self.some_inside("T", last + late, end) for _, last, mask in whole), 0
                )
        early = int(self.reading.strict_precedence or self.prop.pattern is Pattern.STRICT_PRECEDENCE)
        return every & ~reduce(
            or_, (mask & ~self.some_inside("T", start, first + 1 - early) for first, _, mask in whole), 0
        )

    def some_inside(self, role: str, start: int, end: int | None) -> int:
        return reduce(or_, (mask for _, _, mask in self.inside(role, start, end)), 0)

    def inside(self, role: str, start: int, end: int | None) -> list[Occurrence]:
        """The occurrences that lie in [start, end) as a whole."""
        begins = self.once_around(start) if end is None else range(start, end)
        return [o for begin in begins for o in self.occurrences(role, begin) if end is None or o[1] < end]

    # Occurrences

    def begins(self, role: str, position: int) -> int:
        """The words on which an occurrence begins there."""
        return reduce(or_, (mask for _, _, mask in self.occurrences(role, position)), 0)

    def occurrences(self, role: str, begin: int) -> list[Occurrence]:
        folded = self.words.fold(begin)
        shift = begin - folded
        return [(begin, last + shift, mask) for last, mask in self._from(role, folded)]

    def _occurrences_from(self, role: str, begin: int) -> list[tuple[int, int]]:
        operand = self.prop.operand(role)
        if not isinstance(operand, Composite):
            return [(begin, self.true(operand, begin))]
        parts = operand.parts
        every = self.words.every
        if operand.kind.is_event:
            quiet = every & ~reduce(or_, (self.true(p, begin) for p in parts))
            return [(last, mask & quiet) for last, mask in self._activated(operand, begin + 1) if mask & quiet]
        return self._activated(operand, begin)

    def _activated(self, operand: Composite, position: int) -> list[tuple[int, int]]:
        """The last states of sequences whose first proposition is true at the position."""
        parts = operand.parts
        now = [self.true(p, position) for p in parts]
        match operand.kind:
            case Class.AT_LEAST_ONE_C | Class.AT_LEAST_ONE_E:
                return [(position, reduce(or_, now))]
            case Class.PARALLEL_C | Class.PARALLEL_E:
                return [(position, reduce(and_, now))]
        reached = {position: self._link(operand, 0, position)}
        for number in range(1, len(parts)):
            further: dict[int, int] = {}
            for last, mask in reached.items():
                for state in [last + 1] if self._is_consecutive(operand) else self.once_around(last + 1):
                    further[state] = further.get(state, 0) | (mask & self._link(operand, number, state))
                    mask &= ~self._disturbed(operand, number, state)
            reached = {last: mask for last, mask in further.items() if mask}
        return list(reached.items())

    def _link(self, operand: Composite, number: int, state: int) -> int:
        """Where a part is true; of an event, while no later part is."""
        later = operand.parts[number + 1 :] if operand.kind.is_event else ()
        return self.true(operand.parts[number], state) & ~reduce(or_, (self.true(p, state) for p in later), 0)

    def _disturbed(self, operand: Composite, number: int, state: int) -> int:
        """Where waiting for a part ends: it has come or, for an event, a later one."""
        awaited = operand.parts[number:] if operand.kind.is_event else operand.parts[number : number + 1]
        return reduce(or_, (self.true(p, state) for p in awaited))

    def _is_consecutive(self, operand: Composite) -> bool:
        return operand.kind in (Class.CONSECUTIVE_C, Class.CONSECUTIVE_E)

    def true(self, condition: f.Formula, position: int) -> int:
        """The words on which a condition on single states holds there."""
        return self._truth(condition)[self.words.fold(position)]
