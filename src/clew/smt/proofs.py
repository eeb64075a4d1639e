"""Three ways to decide whether bad states can be reached: bounded search, induction, an invariant by Horn clauses."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Literal

from clew.core.certificates import induction_text
from clew.core.records import record
from clew.smt.encoding import Encoding
from clew.solvers.smt import Term

SHALLOW = 6  # steps searched before Horn clauses are tried
HORN_SHARE = 0.4  # of the time that is left


@record
class Finding:
    """`reached`: a path of states (values of slots) to a bad one. `proved`: there is none, by an invariant or
    by induction over `steps`. `unknown`: why not. `how`: for people."""

    kind: Literal["reached", "proved", "unknown"]
    how: str
    path: tuple[tuple[int, ...], ...] = ()
    invariant: Term | None = None
    steps: int = 0


class Search:
    """One question: can a state of `bad` be reached?"""

    def __init__(self, encoding: Encoding, bad: Term, deadline: float, deepest: int | None) -> None:
        self.encoding, self.terms, self.bad = encoding, encoding.terms, bad
        self.deadline, self.deepest = deadline, deepest
        self.step = self.terms.some(encoding.steps)
        self._frames: list[list[Term]] = []
        self._base, self._induction = self.terms.solver(), self.terms.solver()
        self._base.add(self._at(encoding.start, 0))
        self.depth = 0

    def answer(self) -> Finding:
        """Never wrong: a path is one that the solver found, a proof is re-checked where it can be."""
        found = self._bounded(SHALLOW)
        if found is None:
            found = self._horn()
        if found is None:
            found = self._bounded(None)
        return found or Finding("unknown", f"no answer in time: no bad state within {self.depth} steps")

    # --- bounded search and induction, one step deeper each time

    def _bounded(self, most: int | None) -> Finding | None:
        while most is None or self.depth <= most:
            if self.deepest is not None and self.depth > self.deepest:
                return Finding("unknown", f"limit hit: depth; no bad state within {self.deepest} steps")
            depth = self.depth
            bad = self._at(self.bad, depth)
            answer = self.terms.satisfiable(self._base, [bad], self._left())
            if answer == "yes":
                return Finding("reached", "", self._path(self._base, depth))
            if answer == "unknown":
                return None
            answer = self.terms.satisfiable(self._induction, [bad], self._left())
            if answer == "no":
                return Finding("proved", induction_text(depth + 1), steps=depth + 1)
            if answer == "unknown":
                return None
            self._deepen()
        return None

    def _deepen(self) -> None:
        depth = self.depth
        step = self.terms.replaced(self.step, [*self._pairs(depth), *self._next_pairs(depth + 1)])
        self._base.add(step)
        self._induction.add(step, self.terms.negated(self._at(self.bad, depth)))
        for earlier in range(depth + 1):  # no state twice: so induction is complete for finite systems
            self._induction.add(self._different(earlier, depth + 1))
        self.depth += 1

    def _different(self, one: int, other: int) -> Term:
        pairs = zip(self._frame(one), self._frame(other), strict=True)
        return self.terms.some([self.terms.differ(a, b) for a, b in pairs])

    # --- Horn clauses

    def _horn(self) -> Finding | None:
        encoding, terms = self.encoding, self.terms
        seconds = self._left() * HORN_SHARE
        answer, invariant = terms.invariant(
            encoding.bits, encoding.following, encoding.start, self.step, self.bad, seconds
        )
        if answer != "no" or invariant is None:
            return None
        if broken_condition(encoding, invariant, self.bad, self.deadline) is not None:
            return None
        how = f"inductive invariant of {_size(invariant)} terms, re-checked"
        return Finding("proved", how, invariant=invariant)

    # --- frames of bits

    def _frame(self, number: int) -> list[Term]:
        while len(self._frames) <= number:
            place = len(self._frames)
            self._frames.append(self._named(self.encoding.bits, place))
        return self._frames[number]

    def _named(self, bits: Sequence[Term], number: int) -> list[Term]:
        return [self.terms.variable(f"{bit.decl().name()}@{number}") for bit in bits]

    def _pairs(self, number: int) -> list[tuple[Term, Term]]:
        """For the state after so many steps, and for what is chosen in the step that leaves it."""
        choices = self.encoding.choices
        states = zip(self.encoding.bits, self._frame(number), strict=True)
        return [*states, *zip(choices, self._named(choices, number), strict=True)]

    def _next_pairs(self, number: int) -> list[tuple[Term, Term]]:
        frozen = {bit.get_id() for bit in self.encoding.bits}
        pairs = zip(self.encoding.following, self._frame(number), strict=True)
        return [(bit, new) for bit, new in pairs if bit.get_id() not in frozen]

    def _at(self, term: Term, number: int) -> Term:
        return self.terms.replaced(term, self._pairs(number))

    def _path(self, solver: Any, depth: int) -> tuple[tuple[int, ...], ...]:
        frames: Sequence[Sequence[Term]] = [self._frame(number) for number in range(depth + 1)]
        return tuple(self.encoding.values(self.terms.values(solver, frame)) for frame in frames)

    def _left(self) -> float:
        return self.deadline - time.monotonic()


def broken_condition(encoding: Encoding, invariant: Term, bad: Term, deadline: float) -> str | None:
    """Whether the formula holds at the start, is kept by every step and excludes what is bad, by plain queries: what is
    not so (or `limit hit: time`), or None."""
    terms = encoding.terms
    after = terms.replaced(invariant, encoding.pairs(encoding.following))
    questions = (
        ("it does not hold at the start", [encoding.start, terms.negated(invariant)]),
        ("it is not kept by every step", [invariant, terms.some(encoding.steps), terms.negated(after)]),
        ("it does not exclude the violation", [invariant, bad]),
    )
    for broken, question in questions:
        solver = terms.solver()
        solver.add(*question)
        answer = terms.satisfiable(solver, [], max(1.0, deadline - time.monotonic()))
        if answer != "no":
            return broken if answer == "yes" else "limit hit: time"
    return None


def _size(term: Term) -> int:
    seen: set[int] = set()
    stack = [term]
    while stack:
        item = stack.pop()
        if item.get_id() not in seen:
            seen.add(item.get_id())
            stack += item.children()
    return len(seen)
