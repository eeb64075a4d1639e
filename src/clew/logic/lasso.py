"""Whether a formula holds on an ultimately periodic word: the judge of counterexamples and of the translation.

Nothing here knows about automata. Each operator is computed at every position from its definition.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

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
    if not 0 <= back < length:
        raise ValueError("the cycle of a lasso has at least one position")
    after = [*range(1, length), back]
    known: dict[f.Formula, list[bool]] = {}

    def chain(stop: list[bool], go: list[bool], for_ever: bool) -> list[bool]:
        """Where going on while `go` leads to a `stop`; `for_ever`: or never ends."""
        values = [for_ever] * length
        for _ in range(2):  # the second time around the cycle knows how it begins
            for i in reversed(range(length)):
                values[i] = stop[i] or (go[i] and values[after[i]])
        return values

    for node in f.subformulas(formula):
        operands = [known[c] for c in node.children]
        match node:
            case f.Constant(value):
                known[node] = [value] * length
            case f.Atom():
                known[node] = [bool(truth(node, i)) for i in range(length)]
            case f.Not():
                known[node] = [not v for v in operands[0]]
            case f.And():
                known[node] = [all(o[i] for o in operands) for i in range(length)]
            case f.Or():
                known[node] = [any(o[i] for o in operands) for i in range(length)]
            case f.Implies():
                known[node] = [not v or w for v, w in zip(*operands, strict=True)]
            case f.Equivalent():
                known[node] = [v == w for v, w in zip(*operands, strict=True)]
            case f.Next():
                known[node] = [operands[0][j] for j in after]
            case f.Eventually():
                known[node] = chain(operands[0], [True] * length, for_ever=False)
            case f.Always():
                known[node] = chain([False] * length, operands[0], for_ever=True)
            case f.Until() | f.WeakUntil():
                go, stop = operands
                known[node] = chain(stop, go, for_ever=isinstance(node, f.WeakUntil))
            case f.Release() | f.StrongRelease():
                both = [v and w for v, w in zip(*operands, strict=True)]
                known[node] = chain(both, operands[1], for_ever=isinstance(node, f.Release))
            case _:
                raise TypeError(f"{type(node).__name__} does not speak about one run")
    return known[formula]
