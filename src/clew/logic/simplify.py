"""Smaller formulas that mean the same.

The rules are the usual ones (Etessami and Holzmann 2000; Somenzi and Bloem 2000; Babiak et al. 2012): constants,
absorption by syntactic implication, and what follows when a formula is *eventual* (true now if true later) or
*universal* (true later if true now).
"""

from __future__ import annotations

from collections.abc import Callable

from clew.logic import formulas as f
from clew.logic.implication import Implication


def simplify(formula: f.Formula) -> f.Formula:
    """An equivalent formula in negation normal form, never larger in operators than that form."""
    normal = f.negation_normal_form(formula)
    while True:
        smaller = _Simplifier().of(normal)
        if smaller is normal or f.size(smaller) > f.size(normal):
            return normal
        normal = smaller


class _Simplifier:
    def __init__(self) -> None:
        self.known: dict[f.Formula, f.Formula] = {}
        self.logic = Implication()
        self.implies = self.logic.implies
        self.excludes = self.logic.excludes

    def of(self, formula: f.Formula) -> f.Formula:
        found = self.known.get(formula)
        if found is None:
            found = self.known[formula] = self.rewrite(formula)
        return found

    def rewrite(self, formula: f.Formula) -> f.Formula:
        match formula:
            case f.Constant() | f.Atom() | f.Not():
                return formula
            case f.And(parts):
                return self.join(f.conjunction(map(self.of, parts)), f.And)
            case f.Or(parts):
                return self.join(f.disjunction(map(self.of, parts)), f.Or)
            case f.Next(body):
                return self.next(self.of(body))
            case f.Eventually(body):
                return self.eventually(self.of(body))
            case f.Always(body):
                return self.always(self.of(body))
            case f.Until(left, right):
                return self.until(self.of(left), self.of(right))
            case f.WeakUntil(left, right):
                return self.weak_until(self.of(left), self.of(right))
            case f.Release(left, right):
                return self.release(self.of(left), self.of(right))
            case f.StrongRelease(left, right):
                return self.strong_release(self.of(left), self.of(right))
        raise TypeError(f"{type(formula).__name__} is not in negation normal form")

    def next(self, body: f.Formula) -> f.Formula:
        return body if isinstance(body, f.Constant) or self.logic.is_suspendable(body) else f.Next(body)

    def eventually(self, body: f.Formula) -> f.Formula:
        if self.logic.is_eventual(body):
            return body
        match body:
            case f.Next(inner):
                return f.Next(self.eventually(inner))
            case f.Until(_, right):
                return self.eventually(right)
            case f.StrongRelease(left, right):
                return self.eventually(self.conjunction(left, right))
            case f.And(parts) if any(map(self.logic.is_suspendable, parts)):
                kept = [p for p in parts if not self.logic.is_suspendable(p)]
                out = [p for p in parts if self.logic.is_suspendable(p)]
                return self.conjunction(self.eventually(f.conjunction(kept)), *out)
        return f.Eventually(body)

    def always(self, body: f.Formula) -> f.Formula:
        if self.logic.is_universal(body):
            return body
        match body:
            case f.Next(inner):
                return f.Next(self.always(inner))
            case f.Release(_, right):
                return self.always(right)
            case f.WeakUntil(left, right):
                return self.always(self.disjunction(left, right))
            case f.Or(parts) if any(map(self.logic.is_suspendable, parts)):
                kept = [p for p in parts if not self.logic.is_suspendable(p)]
                out = [p for p in parts if self.logic.is_suspendable(p)]
                return self.disjunction(self.always(f.disjunction(kept)), *out)
        return f.Always(body)

    def until(self, left: f.Formula, right: f.Formula) -> f.Formula:
        if self.logic.is_eventual(right) or self.implies(left, right):
            return right
        if self.logic.covers(left, right):
            return self.eventually(right)
        match left, right:
            case f.Next(a), f.Next(b):
                return self.next(self.until(a, b))
            case _, f.Until(a, _) if self.implies(left, a):
                return right
            case f.Until(_, a), _ if a is right:
                return left
            case _, f.Always(a) if a is left:
                return right
        return f.Until(left, right)

    def weak_until(self, left: f.Formula, right: f.Formula) -> f.Formula:
        if right is f.FALSE:
            return self.always(left)
        if self.implies(left, right):
            return right
        if self.logic.covers(left, right):
            return f.TRUE
        match left, right:
            case f.Next(a), f.Next(b):
                return self.next(self.weak_until(a, b))
            case _, f.WeakUntil(a, _) if self.implies(left, a):
                return right
            case f.WeakUntil(_, a), _ if a is right:
                return left
            case _, f.Always(a) if a is left:
                return right
        if self.logic.is_universal(left):
            return self.disjunction(left, right)
        return f.WeakUntil(left, right)

    def release(self, left: f.Formula, right: f.Formula) -> f.Formula:
        if self.logic.is_universal(right) or self.implies(right, left):
            return right
        if self.excludes(left, right):
            return self.always(right)
        match left, right:
            case f.Next(a), f.Next(b):
                return self.next(self.release(a, b))
            case _, f.Release(a, _) if self.implies(a, left):
                return right
            case f.Release(_, a), _ if a is right:
                return left
            case _, f.Eventually(a) if a is left:
                return right
        return f.Release(left, right)

    def strong_release(self, left: f.Formula, right: f.Formula) -> f.Formula:
        if right is f.TRUE:
            return self.eventually(left)
        if self.implies(right, left):
            return right
        if self.excludes(left, right):
            return f.FALSE
        match left, right:
            case f.Next(a), f.Next(b):
                return self.next(self.strong_release(a, b))
            case _, f.StrongRelease(a, _) if self.implies(a, left):
                return right
            case f.StrongRelease(_, a), _ if a is right:
                return left
        if self.logic.is_eventual(left):
            return self.conjunction(left, right)
        return f.StrongRelease(left, right)

    def conjunction(self, *parts: f.Formula) -> f.Formula:
        return self.join(f.conjunction(parts), f.And)

    def disjunction(self, *parts: f.Formula) -> f.Formula:
        return self.join(f.disjunction(parts), f.Or)

    def join(self, formula: f.Formula, kind: type[f.And] | type[f.Or]) -> f.Formula:
        """A conjunction or disjunction without superfluous parts, and with operators that distribute pulled out."""
        if not isinstance(formula, kind):
            return formula
        conjunctive = kind is f.And
        merged = self.without_decided(self.merge(list(formula.parts), conjunctive), conjunctive)
        parts = self.without_implied(merged, conjunctive)
        if parts is None:
            return f.FALSE if conjunctive else f.TRUE
        return (f.conjunction if conjunctive else f.disjunction)(parts)

    def without_decided(self, parts: list[f.Formula], conjunctive: bool) -> list[f.Formula]:
        """`a || (!a && b)` is `a || b`, and the other way round."""
        clash = self.excludes if conjunctive else self.logic.covers
        inner, join = (f.Or, f.disjunction) if conjunctive else (f.And, f.conjunction)
        literals = [p for p in parts if isinstance(p, (f.Atom, f.Not))]
        return [
            join(q for q in p.children if not any(clash(q, a) for a in literals)) if isinstance(p, inner) else p
            for p in parts
        ]

    def without_implied(self, parts: list[f.Formula], conjunctive: bool) -> list[f.Formula] | None:
        """None if two parts contradict each other (or leave no other case)."""
        clash = self.excludes if conjunctive else self.logic.covers
        kept: list[f.Formula] = []
        for part in parts:
            if any(clash(part, other) for other in kept):
                return None
            superfluous: Callable[[f.Formula, f.Formula], bool] = (
                self.implies if conjunctive else lambda a, b: self.implies(b, a)
            )
            if any(superfluous(other, part) for other in kept):
                continue
            kept = [other for other in kept if not superfluous(part, other)]
            kept.append(part)
        return kept

    def merge(self, parts: list[f.Formula], conjunctive: bool) -> list[f.Formula]:
        """Joins parts below a common operator: `G a && G b`, `a U c && b U c`, `X a || X b` …"""
        join = self.conjunction if conjunctive else self.disjunction
        groups: dict[tuple[object, ...], list[f.Formula]] = {}
        for part in parts:
            groups.setdefault(_shape(part, conjunctive), []).append(part)
        result: list[f.Formula] = []
        for key, members in groups.items():
            if len(members) == 1:
                result += members
                continue
            match key:
                case (f.Next, _):
                    result.append(self.next(join(*(m.children[0] for m in members))))
                case (f.Always, _):
                    result.append(self.always(join(*(m.children[0] for m in members))))
                case (f.Eventually, _):
                    result.append(self.eventually(join(*(m.children[0] for m in members))))
                case ("FG" | "GF", _):
                    inner = join(*(m.children[0].children[0] for m in members))
                    result.append(
                        self.eventually(self.always(inner)) if conjunctive else self.always(self.eventually(inner))
                    )
                case (kind, "left", f.Formula() as shared):
                    result.append(self.binary(kind, shared, join(*(m.children[1] for m in members))))
                case (kind, "right", f.Formula() as shared):
                    result.append(self.binary(kind, join(*(m.children[0] for m in members)), shared))
                case _:
                    result += members
        return result

    def binary(self, kind: object, left: f.Formula, right: f.Formula) -> f.Formula:
        if kind is f.Until:
            return self.until(left, right)
        if kind is f.WeakUntil:
            return self.weak_until(left, right)
        return self.release(left, right) if kind is f.Release else self.strong_release(left, right)


def _shape(part: f.Formula, conjunctive: bool) -> tuple[object, ...]:
    """Equal for the parts that distribute over the conjunction (or disjunction) they stand in."""
    match part:
        case f.Eventually(f.Always()) if conjunctive:
            return "FG", None
        case f.Always(f.Eventually()) if not conjunctive:
            return "GF", None
        case f.Next():
            return f.Next, None
        case f.Always() if conjunctive:
            return f.Always, None
        case f.Eventually() if not conjunctive:
            return f.Eventually, None
        case f.Until(left, right) | f.WeakUntil(left, right):
            return (type(part), "right", right) if conjunctive else (type(part), "left", left)
        case f.Release(left, right) | f.StrongRelease(left, right):
            return (type(part), "left", left) if conjunctive else (type(part), "right", right)
    return (part,)
