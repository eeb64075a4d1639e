"""Running blocks of commands on all states at once: values are words over an algebra of Booleans."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from clew.core.bitwise.words import Booleans, Word, Words
from clew.core.expressions import Binary, Conditional, Const, Expr, Next, Quantified, Ref, Unary, Variable
from clew.core.formula_values import values_of
from clew.core.procedures import (
    Block,
    Call,
    Check,
    Choose,
    Claim,
    Command,
    Flowchart,
    If,
    Pick,
    Relate,
    Simultaneous,
    While,
)
from clew.core.properties import Violation
from clew.core.statements import Assign, Guard
from clew.core.types import Enum, Int, Scalar, scalars, slots

B = TypeVar("B")
ROUNDS = 5_000  # nodes of a flowchart visited in one run


class Beyond(Exception):
    """A command that this kind of execution does not know; the text says which."""


@dataclass(slots=True)
class Scene(Generic[B]):
    """Values of the system's slots and of the frame, and what was computed from them. Never changed: storing makes
    another scene."""

    state: Sequence[Word[B]]
    frame: Sequence[Word[B]] = ()
    after: Sequence[Word[B]] | None = None
    bound: Mapping[Variable, Sequence[Word[B]]] = field(default_factory=dict)
    words: dict[int, tuple[Expr, Word[B]]] = field(default_factory=dict)
    truths: dict[int, tuple[Expr, B]] = field(default_factory=dict)


@dataclass(slots=True)
class Run(Generic[B]):
    """What running a block does where `live` is true; where it is not, it is blocked or has broken down."""

    live: B
    scene: Scene[B]
    claims: list[tuple[Violation, B]] = field(default_factory=list)
    errors: list[tuple[Violation, B]] = field(default_factory=list)

    def beside(self, other: Run[B]) -> None:
        """Takes over what went wrong elsewhere."""
        self.claims += other.claims
        self.errors += other.errors


class Execution(Generic[B]):
    """`fresh` makes a Boolean that stands for a choice."""

    def __init__(self, algebra: Booleans[B], fresh: Callable[[], B]) -> None:
        self.algebra = algebra
        self.words = Words(algebra)
        self.fresh = fresh

    # --- formulas

    def truth(self, expr: Expr, scene: Scene[B]) -> B:
        known = scene.truths.get(id(expr))
        if known is None:
            known = scene.truths[id(expr)] = (expr, self._truth(expr, scene))
        return known[1]

    def _truth(self, expr: Expr, scene: Scene[B]) -> B:
        algebra, words = self.algebra, self.words
        match expr:
            case Const(value):
                return algebra.true if value else algebra.false
            case Unary("!", operand):
                return algebra.negated(self.truth(operand, scene))
            case Binary("&&", left, right):
                first = self.truth(left, scene)
                return first if algebra.same(first, algebra.false) else algebra.both(first, self.truth(right, scene))
            case Binary("||", left, right):
                first = self.truth(left, scene)
                return first if algebra.same(first, algebra.true) else algebra.either(first, self.truth(right, scene))
            case Binary("==", left, right):
                return words.equal(self.value(left, scene), self.value(right, scene))
            case Binary("!=", left, right):
                return algebra.negated(words.equal(self.value(left, scene), self.value(right, scene)))
            case Binary("<", left, right):
                return words.less(self.value(left, scene), self.value(right, scene))
            case Binary(">", left, right):
                return words.less(self.value(right, scene), self.value(left, scene))
            case Binary("<=", left, right):
                return algebra.negated(words.less(self.value(right, scene), self.value(left, scene)))
            case Binary(">=", left, right):
                return algebra.negated(words.less(self.value(left, scene), self.value(right, scene)))
            case Conditional(test, then, other):
                condition = self.truth(test, scene)
                return algebra.chosen(condition, self.truth(then, scene), self.truth(other, scene))
            case Quantified(kind, variable, body):
                return self._quantified(kind, variable, body, scene)
            case _:
                return words.nonzero(self.value(expr, scene))

    def value(self, expr: Expr, scene: Scene[B]) -> Word[B]:
        known = scene.words.get(id(expr))
        if known is None:
            known = scene.words[id(expr)] = (expr, self._value(expr, scene))
        return known[1]

    def _value(self, expr: Expr, scene: Scene[B]) -> Word[B]:
        words = self.words
        match expr:
            case Const(value):
                return words.constant(value)
            case Ref():
                return self._read(expr, scene, scene.state)
            case Next(ref):
                if scene.after is None:
                    raise TypeError("a next value outside a relation between two states")
                return self._read(ref, scene, scene.after)
            case Unary("-", operand):
                return words.negative(self.value(operand, scene))
            case Unary("~", operand):
                return words.inverted(self.value(operand, scene))
            case Conditional(test, then, other):
                return words.choose(self.truth(test, scene), self.value(then, scene), self.value(other, scene))
            case Binary("+", left, right):
                return words.add(self.value(left, scene), self.value(right, scene))
            case Binary("-", left, right):
                return words.subtract(self.value(left, scene), self.value(right, scene))
            case Binary("*", left, right):
                return words.multiply(self.value(left, scene), self.value(right, scene))
            case Binary(("/" | "%") as op, left, right):
                quotient, rest = words.divide(self.value(left, scene), self.value(right, scene))
                return quotient if op == "/" else rest
            case Binary(("<<" | ">>") as op, left, right):
                return words.shift(op, self.value(left, scene), self.value(right, scene))
            case Binary(("&" | "|" | "^") as op, left, right):
                return words.bitwise(op, self.value(left, scene), self.value(right, scene))
            case Unary() | Binary() | Quantified():
                return words.truth(self.truth(expr, scene))
            case _:
                raise TypeError(f"no formula of a transition system: {expr!r}")

    def _quantified(self, kind: str, variable: Variable, body: Expr, scene: Scene[B]) -> B:
        algebra = self.algebra
        rows: list[tuple[Word[B], ...]] = [()]
        for _, type_ in scalars(variable.type):
            rows = [(*row, self.words.constant(value)) for row in rows for value in values_of(type_)]
        result = algebra.true if kind == "all" else algebra.false
        for row in rows:
            inner = Scene(scene.state, scene.frame, scene.after, {**scene.bound, variable: row})
            holds = self.truth(body, inner)
            result = algebra.both(result, holds) if kind == "all" else algebra.either(result, holds)
        return result

    # --- places

    def _row(self, ref: Ref, scene: Scene[B], state: Sequence[Word[B]]) -> tuple[Sequence[Word[B]], int]:
        """Where a variable's slots are, and how far its slot numbers are off."""
        if ref.variable in scene.bound:
            return scene.bound[ref.variable], ref.variable.slot
        return (state if ref.variable.owner is None else scene.frame), 0

    def _read(self, ref: Ref, scene: Scene[B], state: Sequence[Word[B]]) -> Word[B]:
        row, off = self._row(ref, scene, state)
        result: Word[B] | None = None
        for slot, condition in reversed(self.places(ref, scene)):
            word = row[slot - off]
            if result is None:
                result = word if condition is None else self.words.choose(condition, word, self.words.zero)
            else:
                result = word if condition is None else self.words.choose(condition, word, result)
        return self.words.zero if result is None else result

    def places(self, ref: Ref, scene: Scene[B]) -> list[tuple[int, B | None]]:
        """The slots that a reference may mean, each with its condition (None: always)."""
        base, terms = ref.offset_terms()
        found: list[tuple[int, B | None]] = [(base, None)]
        for index, stride, size in terms:
            word = self.value(index, scene)
            known = self.words.known(word)
            if known is not None:
                found = [(slot + known * stride, c) for slot, c in found] if 0 <= known < size else []
                continue
            tests = [self.words.equal(word, self.words.constant(n)) for n in range(size)]
            found = [
                (slot + n * stride, test if condition is None else self.algebra.both(condition, test))
                for slot, condition in found
                for n, test in enumerate(tests)
                if not self.algebra.same(test, self.algebra.false)
            ]
        return found

    # --- commands

    def run(self, block: Block, scene: Scene[B], live: B) -> Run[B]:
        run = Run(live, scene)
        for command in block:
            if self.algebra.same(run.live, self.algebra.false):
                break
            self._command(command, run)
        return run

    def _command(self, command: Command, run: Run[B]) -> None:
        algebra = self.algebra
        match command:
            case Guard(value):
                run.live = algebra.both(run.live, self.truth(value, run.scene))
            case Assign():
                run.scene = self._stored((command,), run.scene)
            case Simultaneous(assignments):
                run.scene = self._stored(assignments, run.scene)
            case Check(condition, violation):
                holds = self.truth(condition, run.scene)
                run.errors.append((violation, algebra.both(run.live, algebra.negated(holds))))
                run.live = algebra.both(run.live, holds)
            case Claim(condition, violation):
                holds = self.truth(condition, run.scene)
                run.claims.append((violation, algebra.both(run.live, algebra.negated(holds))))
            case If(test, then, otherwise):
                chance = self.truth(test, run.scene)
                yes = self.run(then, run.scene, algebra.both(run.live, chance))
                no = self.run(otherwise, run.scene, algebra.both(run.live, algebra.negated(chance)))
                self._join(run, yes, no, chance)
            case Choose(alternatives):
                self._choose(alternatives, run)
            case Pick(targets):
                run.scene, valid = self._picked(targets, run.scene)
                run.live = algebra.both(run.live, valid)
            case Relate(formula, changes):
                after, valid = self._picked(changes, run.scene)
                related = Scene(run.scene.state, run.scene.frame, after.state, run.scene.bound)
                run.live = algebra.both(algebra.both(run.live, valid), self.truth(formula, related))
                run.scene = after
            case Flowchart():
                self._flowchart(command, run)
            case While() | Call():
                self.unending(command, run)

    def unending(self, command: While | Call, run: Run[B]) -> None:
        """Commands that may run for ever, for executions that know what to do with them."""
        raise Beyond(f"{type(command).__name__.lower()}s that may run for ever")

    def _join(self, run: Run[B], yes: Run[B], no: Run[B], condition: B) -> None:
        """Both ways behind a test: `yes` is where the condition held."""
        algebra = self.algebra
        run.beside(yes)
        run.beside(no)
        run.live = algebra.either(yes.live, no.live)
        if algebra.same(no.live, algebra.false):
            run.scene = yes.scene
        elif algebra.same(yes.live, algebra.false):
            run.scene = no.scene
        else:
            run.scene = self._merged(condition, yes.scene, no.scene)

    def _merged(self, condition: B, yes: Scene[B], no: Scene[B]) -> Scene[B]:
        if yes is no:
            return yes
        choose = self.words.choose
        return Scene(
            [choose(condition, a, b) for a, b in zip(yes.state, no.state, strict=True)],
            [choose(condition, a, b) for a, b in zip(yes.frame, no.frame, strict=True)],
            None,
            yes.bound,
        )

    def _choose(self, alternatives: Sequence[Block], run: Run[B]) -> None:
        if not alternatives:
            run.live = self.algebra.false
            return
        first, *others = alternatives
        if not others:
            single = self.run(first, run.scene, run.live)
            self._join(run, single, Run(self.algebra.false, run.scene), self.algebra.true)
            return
        chosen = self.fresh()
        yes = self.run(first, run.scene, self.algebra.both(run.live, chosen))
        no = Run(self.algebra.both(run.live, self.algebra.negated(chosen)), run.scene)
        self._choose(others, no)
        self._join(run, yes, no, chosen)

    def _stored(self, assignments: Sequence[Assign], scene: Scene[B]) -> Scene[B]:
        state, frame = list(scene.state), list(scene.frame)
        for assignment in assignments:
            target = assignment.target
            type_ = next(kind for _, kind in scalars(target.type))
            word = self.stored(type_, self.value(assignment.value, scene))
            row = state if target.variable.owner is None else frame
            for slot, condition in self.places(target, scene):
                row[slot] = word if condition is None else self.words.choose(condition, word, row[slot])
        return Scene(state, frame, None, scene.bound)

    def stored(self, type_: Scalar, word: Word[B]) -> Word[B]:
        return self.words.cut(word, type_.bits, isinstance(type_, Int) and type_.signed)

    def _picked(self, targets: Sequence[Ref], scene: Scene[B]) -> tuple[Scene[B], B]:
        state, frame = list(scene.state), list(scene.frame)
        valid = self.algebra.true
        for target in targets:
            row = state if target.variable.owner is None else frame
            types = [type_ for _, type_ in scalars(target.type)]
            words = [self.any_value(type_) for type_ in types]
            for _, right in words:
                valid = self.algebra.both(valid, right)
            for slot, condition in self.places(target, scene):
                for offset, (word, _) in enumerate(words[: slots(target.type)]):
                    old = row[slot + offset]
                    row[slot + offset] = word if condition is None else self.words.choose(condition, word, old)
        return Scene(state, frame, None, scene.bound), valid

    def any_value(self, type_: Scalar) -> tuple[Word[B], B]:
        """A word of fresh bits, and whether it is a value of the type."""
        word = self.stored(type_, tuple(self.fresh() for _ in range(type_.bits)))
        return word, self.valid(type_, word)

    def valid(self, type_: Scalar, word: Word[B]) -> B:
        if not isinstance(type_, Enum) or not type_.closed or len(type_.labels) == 1 << type_.bits:
            return self.algebra.true
        found = self.algebra.false
        for number, _ in type_.labels:
            found = self.algebra.either(found, self.words.equal(word, self.words.constant(number)))
        return found

    # --- flowcharts

    def _flowchart(self, chart: Flowchart, run: Run[B]) -> None:
        algebra = self.algebra
        order = _order(chart)
        waiting: dict[int, Run[B]] = {0: Run(run.live, run.scene)}
        done: Run[B] | None = None
        for _ in range(ROUNDS):
            if not waiting:
                break
            node = min(waiting, key=order.__getitem__)
            here = waiting.pop(node)
            for way in chart.nodes[node]:
                test = self.truth(way.guard, here.scene)
                taken = algebra.both(here.live, test)
                here.live = algebra.both(here.live, algebra.negated(test))
                if algebra.same(taken, algebra.false):
                    continue
                after = self.run(way.block, here.scene, taken)
                run.beside(after)
                after.claims, after.errors = [], []
                if algebra.same(after.live, algebra.false):
                    continue
                if way.target < 0:
                    done = after if done is None else self._met(done, after)
                elif way.target in waiting:
                    waiting[way.target] = self._met(waiting[way.target], after)
                else:
                    waiting[way.target] = after
            run.errors.append((chart.blocked, here.live))
        if waiting:
            raise Beyond("a loop inside an indivisible sequence that goes on for very long")
        run.live = algebra.false if done is None else done.live
        run.scene = run.scene if done is None else done.scene

    def _met(self, a: Run[B], b: Run[B]) -> Run[B]:
        return Run(self.algebra.either(a.live, b.live), self._merged(a.live, a.scene, b.scene))


def _order(chart: Flowchart) -> dict[int, int]:
    """Nodes so that, loops aside, each comes behind those that lead to it."""
    finished: list[int] = []
    seen: set[int] = set()

    def visit(node: int) -> None:
        stack: list[tuple[int, list[int]]] = [(node, _targets(chart, node))]
        seen.add(node)
        while stack:
            current, targets = stack[-1]
            if targets:
                target = targets.pop()
                if target not in seen:
                    seen.add(target)
                    stack.append((target, _targets(chart, target)))
            else:
                finished.append(current)
                stack.pop()

    visit(0)
    return {node: place for place, node in enumerate(reversed(finished))}


def _targets(chart: Flowchart, node: int) -> list[int]:
    return [way.target for way in chart.nodes[node] if way.target >= 0]
