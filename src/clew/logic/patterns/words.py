"""Many ultimately periodic words of one shape at once: a set of them is a bit mask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from clew.core.records import record
from clew.logic import formulas as f
from clew.logic.lasso import holds_on_all

Lasso = tuple[tuple[frozenset[f.Atom], ...], tuple[frozenset[f.Atom], ...]]
"""Prefix and cycle."""

MOST_BITS: Final = 24


@record
class Words:
    """Words of `length` positions, the last followed by position `back`. Bit w of a mask stands for word w."""

    atoms: tuple[f.Atom, ...]
    length: int
    back: int
    every: int
    truth: tuple[tuple[int, ...], ...]
    """By position and atom: the words on which the atom is true there."""

    @property
    def cycle(self) -> int:
        return self.length - self.back

    def fold(self, position: int) -> int:
        """The position of the shape at which an infinite word of it is at this position."""
        return position if position < self.length else self.back + (position - self.back) % self.cycle

    def satisfying(self, formula: f.Formula) -> int:
        """The words on which the formula holds."""
        return self.values(formula)[0]

    def values(self, formula: f.Formula) -> list[int]:
        """By position: the words on which the formula holds there."""
        column = {atom: i for i, atom in enumerate(self.atoms)}
        return holds_on_all(formula, self.length, self.back, lambda atom, i: self.truth[i][column[atom]], self.every)

    def word(self, number: int) -> Lasso:
        letters = [
            frozenset(a for a, mask in zip(self.atoms, masks, strict=True) if mask >> number & 1)
            for masks in self.truth
        ]
        return tuple(letters[: self.back]), tuple(letters[self.back :])

    def first(self, mask: int) -> Lasso:
        """A word of the mask with no more true atoms than it needs: false wherever possible, from the end."""
        return self.word(self.number_of_first(mask))

    def number_of_first(self, mask: int) -> int:
        for row in reversed(self.truth):
            for true in reversed(row):
                mask = mask & ~true or mask
        return (mask & -mask).bit_length() - 1

    def one_at_a_time(self) -> int:
        """The words with at most one true atom in each state."""
        found = self.every
        for row in self.truth:
            for column, true in enumerate(row):
                for other in row[column + 1 :]:
                    found &= ~(true & other)
        return found


def all_words(atoms: Sequence[f.Atom], length: int, back: int) -> Words:
    """Every word of the shape over the atoms."""
    variables = len(atoms) * length
    if variables > MOST_BITS:
        raise ValueError("too many words")
    every = (1 << (1 << variables)) - 1

    def mask(variable: int) -> int:
        """Blocks of 2^variable zeros and ones in turn."""
        found = (1 << (1 << variable)) - 1 << (1 << variable)
        for doubled in range(variable + 1, variables):
            found |= found << (1 << doubled)
        return found

    truth = tuple(tuple(mask(i * len(atoms) + a) for a in range(len(atoms))) for i in range(length))
    return Words(tuple(atoms), length, back, every, truth)


def these_words(atoms: Sequence[f.Atom], lassos: Sequence[Lasso]) -> Words:
    """Words of one shape, in this order."""
    length, back = len(lassos[0][0]) + len(lassos[0][1]), len(lassos[0][0])
    if any((len(prefix) + len(cycle), len(prefix)) != (length, back) for prefix, cycle in lassos):
        raise ValueError("the words have different shapes")
    letters = [(*prefix, *cycle) for prefix, cycle in lassos]
    truth = tuple(
        tuple(sum(1 << w for w, word in enumerate(letters) if atom in word[i]) for atom in atoms) for i in range(length)
    )
    return Words(tuple(atoms), length, back, (1 << len(lassos)) - 1, truth)


def shapes(longest: int) -> Iterator[tuple[int, int]]:
    """(length, back), short ones first; of one length, words that repeat their last letter first."""
    for length in range(1, longest + 1):
        for back in reversed(range(length)):
            yield length, back
