"""The oracle as automata over the letters P, T, L and R, built from the intervals and not from formulas.

`Satisfied` is deterministic and follows all open intervals at once: how far the pattern is in each. `Violated` guesses
one interval and what goes wrong in it. They are made by different reasoning, and must share no word.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from clew.logic.common_words import Letter
from clew.logic.patterns.properties import Pattern, Property, Reading, Scope, letter

_P, _T, _L, _R = (letter(role) for role in "PTLR")

FINE: Final = "fine"
LOCKED: Final = "locked"  # P is not allowed yet
WAITING: Final = "waiting"  # something must still come
BAD: Final = "bad"


def _begin(pattern: Pattern) -> str:
    """How an interval begins."""
    match pattern:
        case Pattern.EXISTENCE:
            return WAITING
        case Pattern.PRECEDENCE | Pattern.STRICT_PRECEDENCE:
            return LOCKED
    return FINE


class Satisfied:
    """Accepts the words on which the pattern holds in every interval of the scope."""

    sets = 1

    def __init__(self, prop: Property, reading: Reading) -> None:
        self.pattern, self.scope, self.reading = prop.pattern, prop.scope, reading
        at_once = self.scope in (Scope.GLOBAL, Scope.BEFORE)
        self.initial: Hashable = (at_once, frozenset([_begin(self.pattern)] if at_once else []))

    def step(self, state: Hashable, held: Letter) -> list[tuple[int, Hashable]]:
        """A state: whether the only interval of the run has begun, and where the open intervals are."""
        assert isinstance(state, tuple)
        begun, intervals = state
        if self.scope.has_r and _R in held:
            return [] if intervals & {WAITING, BAD} else [(1, (True, frozenset()))]
        if self.scope.has_l and _L in held:
            again = self.scope.repeats and not (self.reading.outermost and intervals)
            if again or (self.scope is Scope.AFTER and not begun):
                intervals |= {_begin(self.pattern)}
                begun = True
        intervals = frozenset(self._go_on(at, held) for at in intervals)
        if not self.scope.must_close and BAD in intervals:
            return []
        due = WAITING in intervals and not (self.pattern is Pattern.RESPONSE and _T in held)
        return [(int(self.scope.must_close or not due), (begun, intervals))]

    def _go_on(self, at: str, held: Letter) -> str:
        p, t = _P in held, _T in held
        match self.pattern:
            case Pattern.ABSENCE:
                return BAD if p else at
            case Pattern.UNIVERSALITY:
                return at if p else BAD
            case Pattern.EXISTENCE:
                return FINE if p else at
            case Pattern.RESPONSE:
                if self.reading.strict_response:
                    return WAITING if p else FINE if t else at
                return FINE if t else WAITING if p else at
        if at != LOCKED:
            return at
        strict = self.reading.strict_precedence or self.pattern is Pattern.STRICT_PRECEDENCE
        first, second = ((p, BAD), (t, FINE)) if strict else ((t, FINE), (p, BAD))
        return first[1] if first[0] else second[1] if second[0] else LOCKED


CLOSED: Final = "no interval open"
OPEN: Final = "an interval open that is not the one"
SEARCH: Final = "in the interval, nothing wrong yet"
LACKING: Final = "in the interval, and what must come is still lacking"
FOUND: Final = "something is wrong if the interval ends"
DONE: Final = "something is wrong"


class Violated:
    """Accepts the words with an interval in which the pattern fails."""

    sets = 1

    def __init__(self, prop: Property, reading: Reading) -> None:
        self.pattern, self.scope, self.reading = prop.pattern, prop.scope, reading
        self.start = LACKING if self.pattern is Pattern.EXISTENCE else SEARCH
        self.initial: Hashable = CLOSED if self.scope.has_l else self.start

    def step(self, state: Hashable, held: Letter) -> list[tuple[int, Hashable]]:
        if state == DONE:
            return [(1, DONE)]
        if state in (CLOSED, OPEN):
            return self._outside(str(state), held)
        if self.scope.has_r and _R in held:
            return [(1, DONE)] if state in (LACKING, FOUND) else []
        return self._inside(str(state), held)

    def _outside(self, state: str, held: Letter) -> list[tuple[int, Hashable]]:
        if self.scope.has_r and _R in held:
            return [(0, CLOSED)]
        if _L not in held:
            return [(0, state)]
        if self.scope is Scope.AFTER:
            return self._inside(self.start, held)
        if not self.reading.outermost:
            return [(0, CLOSED), *self._inside(self.start, held)]
        return [(0, OPEN)] if state == OPEN else [(0, OPEN), *self._inside(self.start, held)]

    def _inside(self, state: str, held: Letter) -> list[tuple[int, Hashable]]:
        p, t = _P in held, _T in held
        if state == FOUND:
            return [(0, FOUND)]
        if state == LACKING:
            came = p if self.pattern is Pattern.EXISTENCE else t
            return [] if came else [(int(not self.scope.must_close), LACKING)]
        found: list[tuple[int, Hashable]] = [(0, FOUND) if self.scope.must_close else (1, DONE)]
        on: list[tuple[int, Hashable]] = [(0, SEARCH)]
        match self.pattern:
            case Pattern.ABSENCE:
                return on + (found if p else [])
            case Pattern.UNIVERSALITY:
                return on + ([] if p else found)
            case Pattern.RESPONSE:
                unanswered = p and (self.reading.strict_response or not t)
                return [*on, (0, LACKING)] if unanswered else on
        if p and (not t or self.reading.strict_precedence or self.pattern is Pattern.STRICT_PRECEDENCE):
            return found
        return [] if t else on
