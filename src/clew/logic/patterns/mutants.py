"""Wrong formulas made from right ones: how good is a suite of test cases?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clew.core.records import record
from clew.logic import formulas as f
from clew.logic.common_words import FormulaMachine, common_word
from clew.logic.patterns.properties import letter, roles
from clew.logic.patterns.suites import Case
from clew.logic.patterns.words import these_words

_L, _R = letter("L"), letter("R")


def mutants(formula: f.Formula) -> list[tuple[str, f.Formula]]:
    """Formulas with one mistake: U and W confused, a `!R` or `F R` dropped, the first L and every L confused."""
    found: dict[f.Formula, str] = {}
    for name, wrong in _variants(formula):
        if wrong is not formula:
            found.setdefault(wrong, name)
    return [(name, wrong) for wrong, name in found.items()]


def _variants(node: f.Formula) -> Iterator[tuple[str, f.Formula]]:
    yield from _mistakes(node)
    for i, child in enumerate(node.children):
        for name, wrong in _variants(child):
            yield name, f.with_children(node, [*node.children[:i], wrong, *node.children[i + 1 :]])


def _mistakes(node: f.Formula) -> Iterator[tuple[str, f.Formula]]:
    match node:
        case f.Until(left, right):
            yield "U to W", f.WeakUntil(left, right)
        case f.WeakUntil(left, right):
            yield "W to U", f.Until(left, right)
        case f.And(parts):
            for part in parts:
                if part in (f.Not(_R), f.Eventually(_R)):
                    name = "without !R" if part is f.Not(_R) else "without F R"
                    yield name, f.conjunction(p for p in parts if p is not part)
    match node:
        case f.Until(left, right) | f.WeakUntil(left, right) if left is f.Not(_R):
            yield "without !R", type(node)(f.TRUE, right)
    match node:
        case f.WeakUntil(f.Not(first), f.And((second, body))) if first is _L and second is _L:
            yield "first L to every L", f.Always(f.Implies(_L, body))
            yield "first L to some L", f.Or((f.Always(f.Not(_L)), f.Eventually(f.And((_L, body)))))
        case f.Always(f.Implies(first, body)) if first is _L:
            yield "every L to first L", f.WeakUntil(f.Not(_L), f.And((_L, body)))
        case f.Or((f.Always(f.Not(first)), f.Eventually(f.And((second, body))))) if first is _L and second is _L:
            yield "some L to first L", f.WeakUntil(f.Not(_L), f.And((_L, body)))
            yield "some L to every L", f.Always(f.Implies(_L, body))


def equivalent(a: f.Formula, b: f.Formula) -> bool:
    """Whether two formulas hold on the same words."""
    atoms = list(dict.fromkeys((*f.atoms(a), *f.atoms(b))))
    return all(common_word([FormulaMachine(x), FormulaMachine(f.Not(y))], atoms) is None for x, y in ((a, b), (b, a)))


@record
class Score:
    """How many mutants are no mutants at all, how many were noticed, and which were not."""

    equivalent: int
    noticed: int
    missed: tuple[tuple[str, f.Formula], ...]

    @property
    def different(self) -> int:
        return self.noticed + len(self.missed)


def score(formula: f.Formula, cases: Sequence[Case]) -> Score:
    """Which mutants of the formula answer a case otherwise than expected. The traces must have one shape."""
    same = noticed = 0
    atoms = [letter(role) for role in roles(cases[0].pattern, cases[0].scope)]
    words = these_words(atoms, [case.trace for case in cases])
    expected = sum(1 << i for i, case in enumerate(cases) if case.expected)
    missed = []
    for name, wrong in mutants(formula):
        if words.satisfying(wrong) != expected:
            noticed += 1
        elif equivalent(formula, wrong):
            same += 1
        else:
            missed.append((name, wrong))
    return Score(same, noticed, tuple(missed))
