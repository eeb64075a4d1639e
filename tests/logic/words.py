"""All short lassos over a few atoms."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from clew.logic import formulas as f

Lasso = tuple[tuple[frozenset[f.Atom], ...], tuple[frozenset[f.Atom], ...]]


def lassos(names: str, longest: int) -> Iterator[Lasso]:
    """Every (prefix, cycle) with at most `longest` letters together."""
    atoms = [f.proposition(n) for n in names]
    letters = [
        frozenset(a for a, bit in zip(atoms, bits, strict=True) if bit)
        for bits in itertools.product((False, True), repeat=len(atoms))
    ]
    for length in range(1, longest + 1):
        for word in itertools.product(letters, repeat=length):
            for back in range(length):
                yield word[:back], word[back:]
