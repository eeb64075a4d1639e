"""What a statement does, as decision diagrams, and how meanings are put together.

A meaning relates a present state to next states, over the bits that the statement may change; every other bit stays as
it is. Where a run may go on for ever or meet a declarative statement that nothing satisfies is kept apart, as sets of
present states (see `compiler`): the extra state `loop` of Chang and Jackson is not among the results here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from clew.core.records import record
from clew.symbolic.relational.diagrams import Diagram
from clew.symbolic.relational.layout import Bit, Layout


@record
class Meaning:
    changes: frozenset[Bit]
    relation: Diagram

    def same(self, other: Meaning) -> bool:
        """Whether both are written over the same bits and equal. Diagrams are canonical: this compares nodes."""
        return self.changes == other.changes and bool(self.relation == other.relation)


class Meanings:
    """Sequence, choice and substitution of meanings over one layout."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.bdd = layout.bdd

    @property
    def nothing(self) -> Meaning:
        """No result at all."""
        return Meaning(frozenset(), self.bdd.false)

    def skip_in(self, states: Diagram) -> Meaning:
        """From these states, nothing changes."""
        return Meaning(frozenset(), states)

    def over(self, meaning: Meaning, bits: frozenset[Bit]) -> Diagram:
        """The relation written over more bits."""
        return meaning.relation & self.layout.frame(bits - meaning.changes)

    def any_of(self, meanings: Iterable[Meaning]) -> Meaning:
        """One of them, whichever."""
        found = [meaning for meaning in meanings if meaning.relation != self.bdd.false]
        bits = frozenset[Bit]().union(*(meaning.changes for meaning in found))
        relation = self.bdd.false
        for meaning in found:
            relation |= self.over(meaning, bits)
        return Meaning(bits, relation)

    def difference(self, meaning: Meaning, known: Meaning) -> Meaning:
        """What the first does and the second does not."""
        bits = meaning.changes | known.changes
        return Meaning(bits, self.over(meaning, bits) & ~self.over(known, bits))

    def where(self, states: Diagram, meaning: Meaning) -> Meaning:
        """Only from these states; there is no result elsewhere."""
        return Meaning(meaning.changes, meaning.relation & states)

    def ending_in(self, states: Diagram, meaning: Meaning) -> Meaning:
        """Only the results in this set."""
        moved = self.bdd.rename({b.present: b.next for b in meaning.changes}, states)
        return Meaning(meaning.changes, meaning.relation & moved)

    def sequence(self, first: Meaning, second: Meaning) -> Meaning:
        """One after the other."""
        if first.relation == self.bdd.false or second.relation == self.bdd.false:
            return self.nothing
        both = first.changes & second.changes
        before = self.bdd.rename({b.next: b.middle for b in both}, first.relation)
        only_first = {b.present: b.next for b in first.changes - both}
        after = self.bdd.rename({b.present: b.middle for b in both} | only_first, second.relation)
        relation = self.bdd.and_exists(before, after, [b.middle for b in both])
        return Meaning(first.changes | second.changes, relation)

    def before(self, meaning: Meaning, states: Diagram) -> Diagram:
        """The states from which some result lies in the set."""
        if states == self.bdd.false:
            return states
        moved = self.bdd.rename({b.present: b.next for b in meaning.changes}, states)
        return self.bdd.and_exists(meaning.relation, moved, [b.next for b in meaning.changes])

    def after(self, meaning: Meaning, states: Diagram) -> Diagram:
        """The results of the states in the set."""
        moved = self.bdd.and_exists(meaning.relation, states, [b.present for b in meaning.changes])
        return self.bdd.rename({b.next: b.present for b in meaning.changes}, moved)

    def replaced(self, meaning: Meaning, values: Mapping[int, Diagram]) -> Meaning:
        """Bits that the meaning does not change, replaced by functions of the present state."""
        return Meaning(meaning.changes, self.bdd.compose(values, meaning.relation))

    def forgetting(self, meaning: Meaning, bits: Iterable[Bit]) -> Meaning:
        """Without what it does to bits that nobody sees afterwards."""
        hidden = [b for b in bits if b in meaning.changes]
        relation = self.bdd.exists([b.next for b in hidden], meaning.relation)
        return Meaning(meaning.changes - set(hidden), relation)
