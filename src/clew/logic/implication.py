"""Implications between formulas that show in their syntax. What is not found here may still hold."""

from __future__ import annotations

from clew.logic import formulas as f


class Implication:
    """Answers about formulas in negation normal form; remembers them."""

    def __init__(self) -> None:
        self._known: dict[tuple[f.Formula, f.Formula], bool] = {}
        self._opposite: dict[f.Formula, f.Formula] = {}
        self._eventual: dict[f.Formula, bool] = {}
        self._universal: dict[f.Formula, bool] = {}

    def excludes(self, a: f.Formula, b: f.Formula) -> bool:
        """Surely never both."""
        return self.implies(a, self.opposite(b)) or self.implies(b, self.opposite(a))

    def covers(self, a: f.Formula, b: f.Formula) -> bool:
        """Surely always one of them."""
        return self.implies(self.opposite(a), b) or self.implies(self.opposite(b), a)

    def opposite(self, formula: f.Formula) -> f.Formula:
        found = self._opposite.get(formula)
        if found is None:
            found = self._opposite[formula] = f.negation(formula)
        return found

    def is_eventual(self, formula: f.Formula) -> bool:
        """If it holds later, it holds now."""
        found = self._eventual.get(formula)
        if found is None:
            match formula:
                case f.Constant() | f.Eventually():
                    found = True
                case f.And(parts) | f.Or(parts):
                    found = all(map(self.is_eventual, parts))
                case f.Next(body) | f.Always(body):
                    found = self.is_eventual(body)
                case f.Until(_, right):
                    found = self.is_eventual(right)
                case f.Release() | f.StrongRelease() | f.WeakUntil():
                    found = all(map(self.is_eventual, formula.children))
                case _:
                    found = False
            self._eventual[formula] = found
        return found

    def is_universal(self, formula: f.Formula) -> bool:
        """If it holds now, it holds ever after."""
        found = self._universal.get(formula)
        if found is None:
            match formula:
                case f.Constant() | f.Always():
                    found = True
                case f.And(parts) | f.Or(parts):
                    found = all(map(self.is_universal, parts))
                case f.Next(body) | f.Eventually(body):
                    found = self.is_universal(body)
                case f.Release(_, right):
                    found = self.is_universal(right)
                case f.Until() | f.StrongRelease() | f.WeakUntil():
                    found = all(map(self.is_universal, formula.children))
                case _:
                    found = False
            self._universal[formula] = found
        return found

    def is_suspendable(self, formula: f.Formula) -> bool:
        """Holds at all positions or at none."""
        return self.is_eventual(formula) and self.is_universal(formula)

    def implies(self, a: f.Formula, b: f.Formula) -> bool:
        """Surely b wherever a."""
        if a is b or a is f.FALSE or b is f.TRUE:
            return True
        if isinstance(a, (f.Atom, f.Not, f.Constant)) and isinstance(b, (f.Atom, f.Not, f.Constant)):
            return False
        key = a, b
        found = self._known.get(key)
        if found is None:
            self._known[key] = False  # a circular argument is no argument
            found = self._known[key] = self._weaker_right(a, b) or self._stronger_left(a, b) or self._both(a, b)
        return found

    def _weaker_right(self, a: f.Formula, b: f.Formula) -> bool:
        """By taking the right side apart."""
        implies = self.implies
        match b:
            case f.And(parts):
                return all(implies(a, p) for p in parts)
            case f.Or(parts):
                return any(implies(a, p) for p in parts)
            case f.Eventually(body):
                return implies(a, body)
            case f.Always(body) | f.Next(body):
                return self.is_universal(a) and implies(a, body)
            case f.Until(_, right):
                return implies(a, right)
            case f.WeakUntil(left, right):
                return implies(a, right) or (self.is_universal(a) and implies(a, left))
            case f.Release(left, right):
                return implies(a, right) and (implies(a, left) or self.is_universal(a))
            case f.StrongRelease(left, right):
                return implies(a, left) and implies(a, right)
        return False

    def _stronger_left(self, a: f.Formula, b: f.Formula) -> bool:
        """By taking the left side apart."""
        implies = self.implies
        match a:
            case f.Or(parts):
                return all(implies(p, b) for p in parts)
            case f.And(parts):
                return any(implies(p, b) for p in parts)
            case f.Always(body):
                return implies(body, b)
            case f.Eventually(body) | f.Next(body):
                return self.is_eventual(b) and implies(body, b)
            case f.Until(left, right):
                return implies(right, b) and (implies(left, b) or self.is_eventual(b))
            case f.WeakUntil(left, right):
                return implies(left, b) and implies(right, b)
            case f.Release(_, right):
                return implies(right, b)
            case f.StrongRelease(left, right):
                return implies(right, b) or (self.is_eventual(b) and implies(left, b))
        return False

    def _both(self, a: f.Formula, b: f.Formula) -> bool:
        """Operand by operand."""
        implies = self.implies
        match a, b:
            case (f.Next(p), f.Next(q)) | (f.Always(p), f.Always(q)) | (f.Eventually(p), f.Eventually(q)):
                return implies(p, q)
            case (
                (f.Until(p, q), f.Until(r, s))
                | (f.Until(p, q), f.WeakUntil(r, s))
                | (f.WeakUntil(p, q), f.WeakUntil(r, s))
                | (f.Release(p, q), f.Release(r, s))
                | (f.StrongRelease(p, q), f.Release(r, s))
                | (f.StrongRelease(p, q), f.StrongRelease(r, s))
            ):
                return implies(p, r) and implies(q, s)
            case (f.Release(p, q), f.WeakUntil(r, s)) | (f.StrongRelease(p, q), f.Until(r, s)):
                return implies(q, r) and implies(p, s)
            case (f.WeakUntil(p, q), f.Release(r, s)) | (f.Until(p, q), f.StrongRelease(r, s)):
                return implies(p, s) and implies(q, s) and implies(q, r)
        return False
