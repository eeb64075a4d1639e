"""Whether a formula holds on an ultimately periodic word: the judge of counterexamples and of the translation.

Nothing here knows about automata. Each operator is computed at every position from its definition.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import reduce
from operator import and_, or_

from clew.logic import formulas as f

Letter = Collection[f.Atom]
"""The atoms that are true of a state and the event that leaves it."""


def holds(formula: f.Formula, prefix: Sequence[Letter], cycle: Sequence[Letter]) -> bool:
    """Whether the formula holds on `prefix` followed by `cycle` for ever. Needs a cycle and a linear formula."""
    letters = [*prefix, *cycle]
    return holds_at(formula, len(letters), len(prefix), lambda atom, i: atom in letters[i])[0]


def holds_at(formula: f.Formula, length: int, back: int, truth: Callable[[f.Atom, int], bool]) -> list[bool]:
    """At which of the positions 0 … `length - 1` the formula holds, when the last is followed by position `back`.

    `truth` decides an atom at a position.
    """
    return [bool(v) for v in holds_on_all(formula, length, back, lambda atom, i: int(bool(truth(atom, i))), 1)]


def holds_on_all(
    formula: f.Formula, length: int, back: int, truth: Callable[[f.Atom, int], int], every: int
) -> list[int]:
    """The same for many words of one shape at once, one bit for each: `every` has them all, and `truth` gives those
    on which an atom is true at a position.
    """
    if not 0 <= back < length:
        raise ValueError("the cycle of a lasso has at least one position")
    after = [*range(1, length), back]
    known: dict[f.Formula, list[int]] = {}

    def chain(stop: list[int], go: list[int], for_ever: bool) -> list[int]:
        """Where going on while `go` leads to a `stop`; `for_ever`: or never ends."""
        values = [every if for_ever else 0] * length
        for _ in range(2):  # the second time around the cycle knows how it begins
            for i in reversed(range(length)):
                values[i] = stop[i] | (go[i] & values[after[i]])
        return values

    for node in f.subformulas(formula):
        operands = [known[c] for c in node.children]
        match node:
            case f.Constant(value):
                known[node] = [every if value else 0] * length
            case f.Atom():
                known[node] = [truth(node, i) for i in range(length)]
            case f.Not():
                known[node] = [every ^ v for v in operands[0]]
            case f.And():
                known[node] = [reduce(and_, column) for column in zip(*operands, strict=True)]
            case f.Or():
                known[node] = [reduce(or_, column) for column in zip(*operands, strict=True)]
            case f.Implies():
                known[node] = [(every ^ v) | w for v, w in zip(*operands, strict=True)]
            case f.Equivalent():
                known[node] = [every ^ v ^ w for v, w in zip(*operands, strict=True)]
            case f.Next():
                known[node] = [operands[0][j] for j in after]
            case f.Eventually():
                known[node] = chain(operands[0], [every] * length, for_ever=False)
            case f.Always():
                known[node] = chain([0] * length, operands[0], for_ever=True)
            case f.Until() | f.WeakUntil():
                go, stop = operands
                known[node] = chain(stop, go, for_ever=isinstance(node, f.WeakUntil))
            case f.Release() | f.StrongRelease():
                both = [v & w for v, w in zip(*operands, strict=True)]
                known[node] = chain(both, operands[1], for_ever=isinstance(node, f.Release))
            case _:
                raise TypeError(f"{type(node).__name__} does not speak about one run")
    return known[formula]
