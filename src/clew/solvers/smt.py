"""Z3 behind one small class: an algebra of Booleans, satisfiability with time limits, and Horn clauses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from clew.host.extras import install_command

Term = Any
Answer = Literal["yes", "no", "unknown"]


class Unavailable(Exception):
    """The solver is not installed; the text says what to install."""


class Terms:
    """Boolean terms (`words.Booleans`). Raises Unavailable.

    Encodings make many of them, so they are made by the functions of Z3's C interface, which take a tenth of the time
    of those for people. Z3 keeps equal terms once, so that they are equal where their addresses are.
    """

    def __init__(self, memory: int | None = None) -> None:
        try:
            import z3
        except ImportError as error:
            raise Unavailable(f"needs the Python package z3-solver: {install_command('smt')}") from error
        self.z3 = z3
        if memory is not None:
            z3.set_param("memory_high_watermark_mb", max(64, memory >> 20))
        self._context = z3.main_ctx()
        self._ref = self._context.ref()
        self._two = z3.Ast * 2
        self.true: Term = z3.BoolVal(True)
        self.false: Term = z3.BoolVal(False)
        self._true: int = self.true.ast.value
        self._false: int = self.false.ast.value

    def variable(self, name: str) -> Term:
        return self.z3.Bool(name)

    def both(self, a: Term, b: Term) -> Term:
        x, y = a.ast.value, b.ast.value
        if x in (self._false, y) or y == self._true:
            return a
        if y == self._false or x == self._true:
            return b
        return self._term(self.z3.Z3_mk_and(self._ref, 2, self._two(a.ast, b.ast)))

    def either(self, a: Term, b: Term) -> Term:
        x, y = a.ast.value, b.ast.value
        if x in (self._true, y) or y == self._false:
            return a
        if y == self._true or x == self._false:
            return b
        return self._term(self.z3.Z3_mk_or(self._ref, 2, self._two(a.ast, b.ast)))

    def negated(self, a: Term) -> Term:
        z3, ref, x = self.z3, self._ref, a.ast.value
        if x == self._true:
            return self.false
        if x == self._false:
            return self.true
        app = z3.Z3_to_app(ref, a.ast)
        if z3.Z3_get_decl_kind(ref, z3.Z3_get_app_decl(ref, app)) == z3.Z3_OP_NOT:
            return self._term(z3.Z3_get_app_arg(ref, app, 0))
        return self._term(z3.Z3_mk_not(ref, a.ast))

    def differ(self, a: Term, b: Term) -> Term:
        x, y = a.ast.value, b.ast.value
        if x == y:
            return self.false
        if x == self._false:
            return b
        if y == self._false:
            return a
        if x == self._true:
            return self.negated(b)
        if y == self._true:
            return self.negated(a)
        return self._term(self.z3.Z3_mk_xor(self._ref, a.ast, b.ast))

    def chosen(self, test: Term, then: Term, other: Term) -> Term:
        x, y, z = test.ast.value, then.ast.value, other.ast.value
        if x == self._true or y == z:
            return then
        if x == self._false:
            return other
        if y == self._true:
            return self.either(test, other)
        if y == self._false:
            return self.both(self.negated(test), other)
        if z == self._false:
            return self.both(test, then)
        if z == self._true:
            return self.either(self.negated(test), then)
        return self._term(self.z3.Z3_mk_ite(self._ref, test.ast, then.ast, other.ast))

    def same(self, a: Term, b: Term) -> bool:
        return bool(a.ast.value == b.ast.value)

    def _term(self, made: Any) -> Term:
        return self.z3.BoolRef(made, self._context)

    # --- more than the algebra needs

    def every(self, terms: Sequence[Term]) -> Term:
        return self.z3.And(*terms) if terms else self.true

    def some(self, terms: Sequence[Term]) -> Term:
        return self.z3.Or(*terms) if terms else self.false

    def equal(self, a: Term, b: Term) -> Term:
        return a == b

    def replaced(self, term: Term, pairs: Sequence[tuple[Term, Term]]) -> Term:
        return self.z3.substitute(term, *pairs) if pairs else term

    def solver(self) -> Any:
        return self.z3.SolverFor("QF_FD")

    def satisfiable(self, solver: Any, assumptions: Sequence[Term], seconds: float) -> Answer:
        if seconds <= 0:
            return "unknown"
        solver.set("timeout", _milliseconds(seconds))
        answer = solver.check(*assumptions)
        return "yes" if answer == self.z3.sat else "no" if answer == self.z3.unsat else "unknown"

    def values(self, solver: Any, bits: Sequence[Term]) -> list[bool]:
        """The bits in the model that was found; those it leaves open are false."""
        model = solver.model()
        return [bool(self.z3.is_true(model.eval(bit, model_completion=True))) for bit in bits]

    def invariant(
        self,
        bits: Sequence[Term],
        following: Sequence[Term],
        start: Term,
        step: Term,
        bad: Term,
        seconds: float,
    ) -> tuple[Answer, Term | None]:
        """By Horn clauses (Spacer): whether bad states can be reached; if not, a formula over the bits that holds at
        the start, is kept by all steps and excludes the bad states."""
        z3 = self.z3
        fixed = z3.Fixedpoint()
        fixed.set(engine="spacer", timeout=_milliseconds(seconds))
        fixed.set("xform.inline_eager", False, "xform.inline_linear", False, "xform.slice", False)
        inside = z3.Function("inside", *([z3.BoolSort()] * len(bits)), z3.BoolSort())
        fixed.register_relation(inside)
        goal = z3.Bool("goal")
        reached = z3.Function("reached", z3.BoolSort())
        fixed.register_relation(reached)
        free = _free_bits(z3, [start, bad, step], [*bits, *following])
        fixed.declare_var(*bits, *following, *free, goal)
        fixed.rule(inside(*bits), start)
        # One rule for all steps: with one for each, Spacer is many times slower.
        fixed.rule(inside(*following), [inside(*bits), z3.simplify(step)])
        fixed.rule(reached(), [inside(*bits), bad])
        try:
            answer = fixed.query(reached)
        except z3.Z3Exception:
            return "unknown", None
        if answer == z3.sat:
            return "yes", None
        if answer != z3.unsat:
            return "unknown", None
        return "no", _definition(z3, fixed.get_answer(), inside, bits)


def _free_bits(z3: Any, terms: Sequence[Term], known: Sequence[Term]) -> list[Term]:
    """Constants of the terms that are not among the known ones."""
    names = {bit.decl().name() for bit in known}
    found: dict[str, Term] = {}
    seen: set[int] = set()
    stack = list(terms)
    while stack:
        term = stack.pop()
        if term.get_id() in seen:
            continue
        seen.add(term.get_id())
        if z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED and term.decl().name() not in names:
            found[term.decl().name()] = term
        stack += term.children()
    return list(found.values())


def _definition(z3: Any, answer: Term, relation: Any, bits: Sequence[Term]) -> Term | None:
    """What the answer says about the relation, over the bits; None if it is not of the usual form."""
    parts = answer.children() if z3.is_and(answer) else [answer]
    for part in parts:
        if not z3.is_quantifier(part):
            continue
        body = part.body()
        if z3.is_eq(body) and body.arg(0).decl().eq(relation):
            arguments, meaning = body.arg(0).children(), body.arg(1)
            order: list[Term] = [None] * part.num_vars()
            for argument, bit in zip(arguments, bits, strict=True):
                if not z3.is_var(argument):
                    return None
                order[z3.get_var_index(argument)] = bit
            if any(item is None for item in order):
                return None
            return z3.substitute_vars(meaning, *order)
    return None


def _milliseconds(seconds: float) -> int:
    """As the solver takes them."""
    return max(1, int(min(seconds, 4e6) * 1000))
