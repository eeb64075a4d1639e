"""The steps of a system as relations between current and next bits, one for each action, over the bits it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from clew.core.bitwise.execution import Run, Scene
from clew.core.bitwise.words import Word
from clew.core.properties import Violation
from clew.core.records import record
from clew.core.transition_system import Action, Composition, Interleave, LockStep, leaves
from clew.core.types import scalars
from clew.solvers.bdd import Function
from clew.symbolic.encoding import Encoding

LARGEST_JOINT = 1_500  # nodes of a relation that several actions share


@record(eq=False)
class Part:
    """Some actions of a process that change the same bits. `relation` says nothing about other bits: they stay."""

    actions: tuple[Action, ...]
    relation: Function
    bits: tuple[int, ...]
    top: int  # the highest variable it uses
    current: Any  # cubes and renamings of the changed bits
    following: Any
    forward: Any
    backward: Any

    @property
    def process(self) -> int:
        return self.actions[0].pid


@dataclass(slots=True)
class Raw:
    """One composite step before it is a part: relation over `bits`, where it has a move, and what goes wrong in it."""

    actions: tuple[Action, ...]
    relation: Function
    bits: frozenset[int]
    enabled: Function
    claims: dict[Violation, Function] = field(default_factory=dict)
    errors: dict[Violation, Function] = field(default_factory=dict)

    @property
    def process(self) -> int:
        return self.actions[0].pid


class Relation:
    """All steps. `enabled`: states with a step, in parts; `claims`, `errors`: states where a step shows a violation."""

    def __init__(self, encoding: Encoding, watch: Callable[[], None] = lambda: None) -> None:
        """`watch` is called between operations, and may raise to end this."""
        self.encoding = encoding
        self.diagrams = encoding.diagrams
        self._watch = watch
        self.claims: dict[Violation, Function] = {}
        self.errors: dict[Violation, Function] = {}
        raws = [raw for part in _alternatives(encoding.system.behaviour) for raw in self._raws(part)]
        # Not put together: what unrelated processes need may be small by itself and huge as one set.
        self.enabled: list[Function] = [raw.enabled for raw in raws]
        self.enabled_by: dict[int, list[Function]] = {}  # the same by process
        for raw in raws:
            self.enabled_by.setdefault(raw.process, []).append(raw.enabled)
            self._collect(self.claims, raw.claims)
            self._collect(self.errors, raw.errors)
        self.parts = [self._part(raw) for raw in self._joint(raws)]

    # --- images

    def post(self, states: Function) -> Function:
        found = self.diagrams.false
        for part in self.parts:
            found = self.diagrams.either(found, self.post_of(part, states))
        return found

    def pre(self, states: Function, process: int | None = None) -> Function:
        """The states one step before; by a step of the process."""
        found = self.diagrams.false
        for part in self.parts:
            if process is not None and part.process != process:
                continue
            found = self.diagrams.either(found, self.pre_of(part, states))
        return found

    def post_of(self, part: Part, states: Function) -> Function:
        diagrams = self.diagrams
        return diagrams.renamed(diagrams.both_exists(part.current, states, part.relation), part.backward)

    def pre_of(self, part: Part, states: Function) -> Function:
        diagrams = self.diagrams
        return diagrams.both_exists(part.following, diagrams.renamed(states, part.forward), part.relation)

    def nodes(self) -> int:
        """Of all relations together."""
        return sum(self.diagrams.size(part.relation) for part in self.parts)

    # --- building

    def _raws(self, part: Composition) -> Iterable[Raw]:
        match part:
            case Action():
                return [self._action(part)]
            case Interleave(parts):
                return [raw for inner in parts for raw in self._raws(inner)]
            case LockStep(parts):
                return [self._lock_step(part, parts)]

    def _action(self, action: Action) -> Raw:
        self._watch()
        encoding, diagrams = self.encoding, self.diagrams
        encoding.forget_choices()
        frame, valid = self._parameters(action)
        scene = Scene(encoding.scene.state, frame) if frame else encoding.scene
        run = encoding.execution.run(action.body, scene, diagrams.both(encoding.universe, valid))
        changed = encoding.bits_changed(enumerate(run.scene.state))
        relation = run.live
        for bit in sorted(changed, reverse=True):
            after = diagrams.variable(encoding.next_of[bit])
            relation = diagrams.both(relation, diagrams.negated(diagrams.differ(after, changed[bit])))
        bits = frozenset(changed)
        relation = diagrams.both(relation, self._allowed_after(bits))
        relation, bits = self._not_diverged(relation, bits)
        return self._finished(action, run, relation, bits)

    def _parameters(self, action: Action) -> tuple[list[Word[Function]], Function]:
        frame, valid = [], self.diagrams.true
        for variable in action.parameters:
            for _, type_ in scalars(variable.type):
                word, right = self.encoding.execution.any_value(type_)
                frame.append(word)
                valid = self.diagrams.both(valid, right)
        return frame, valid

    def _finished(self, action: Action, run: Run[Function], relation: Function, bits: frozenset[int]) -> Raw:
        diagrams = self.diagrams
        cube = diagrams.cube(self.encoding.choices())

        def over(found: list[tuple[Violation, Function]]) -> dict[Violation, Function]:
            result: dict[Violation, Function] = {}
            self._collect(result, {})
            for violation, condition in found:
                self._collect(result, {violation: diagrams.exists(cube, condition)})
            return result

        relation = diagrams.exists(cube, relation)
        claims, errors = over(run.claims), over(run.errors)
        following = diagrams.cube([self.encoding.next_of[bit] for bit in sorted(bits)])
        enabled = diagrams.exists(following, relation)
        for condition in errors.values():
            enabled = diagrams.either(enabled, condition)
        return Raw((action,), relation, bits, enabled, claims, errors)

    def _allowed_after(self, bits: frozenset[int]) -> Function:
        """That the state behind the step is one that exists."""
        universe = self.encoding.universe
        if self.diagrams.same(universe, self.diagrams.true):
            return universe
        renaming = self.diagrams.renaming({bit: self.encoding.next_of[bit] for bit in bits})
        return self.diagrams.renamed(universe, renaming)

    def _not_diverged(self, relation: Function, bits: frozenset[int]) -> tuple[Function, frozenset[int]]:
        """Where a run has diverged, steps keep the state as it is."""
        diverged = self.encoding.system.diverged
        if diverged is None:
            return relation, bits
        where = self.diagrams.variable(self.encoding.current[diverged.slot][0])
        same = self.diagrams.both(self._identity(bits), self.encoding.universe)
        return self.diagrams.chosen(where, same, relation), bits

    def _identity(self, bits: Iterable[int]) -> Function:
        diagrams, result = self.diagrams, self.diagrams.true
        for bit in sorted(bits, reverse=True):
            pair = diagrams.differ(diagrams.variable(bit), diagrams.variable(self.encoding.next_of[bit]))
            result = diagrams.both(result, diagrams.negated(pair))
        return result

    def _lock_step(self, node: LockStep, parts: Sequence[Composition]) -> Raw:
        """All parts at once: each moves, or rests if it cannot."""
        diagrams = self.diagrams
        joint = Raw(tuple(leaves(node)), diagrams.true, frozenset(), diagrams.false)
        for part in parts:
            raws = list(self._raws(part))
            mine = frozenset().union(self._bits_of(part), *(raw.bits for raw in raws))
            relation = enabled = diagrams.false
            for raw in raws:
                whole = diagrams.both(raw.relation, self._identity(mine - raw.bits))
                relation = diagrams.either(relation, whole)
                enabled = diagrams.either(enabled, raw.enabled)
                self._collect(joint.claims, raw.claims)
                self._collect(joint.errors, raw.errors)
            rest = diagrams.without(self._identity(mine), enabled)
            joint.relation = diagrams.both(joint.relation, diagrams.either(relation, rest))
            joint.enabled = diagrams.either(joint.enabled, enabled)
            joint.bits |= mine
        joint.relation = diagrams.both(joint.relation, joint.enabled)
        following = diagrams.cube([self.encoding.next_of[bit] for bit in sorted(joint.bits)])
        joint.enabled = diagrams.exists(following, joint.relation)
        return joint

    def _bits_of(self, part: Composition) -> frozenset[int]:
        changed = self.encoding.system.changes(part)
        return frozenset(
            bit
            for slot, (_, _, variable) in enumerate(self.encoding.slots)
            if variable in changed
            for bit in self.encoding.current[slot]
        )

    def _collect(self, into: dict[Violation, Function], found: dict[Violation, Function]) -> None:
        for violation, condition in found.items():
            if not self.diagrams.same(condition, self.diagrams.false):
                into[violation] = self.diagrams.either(into.get(violation, self.diagrams.false), condition)

    # --- partition

    def _joint(self, raws: Sequence[Raw]) -> list[Raw]:
        """Actions of a process that change the same bits share a relation as long as it stays small."""
        groups: dict[tuple[int, frozenset[int]], list[Raw]] = {}
        for raw in raws:
            if self.diagrams.same(raw.relation, self.diagrams.false):
                continue
            self._watch()
            known = groups.setdefault((raw.process, raw.bits), [])
            if known:
                union = self.diagrams.either(known[-1].relation, raw.relation)
                if self.diagrams.size(union) <= LARGEST_JOINT:
                    known[-1] = Raw((*known[-1].actions, *raw.actions), union, raw.bits, raw.enabled)
                    continue
            known.append(raw)
        return [raw for known in groups.values() for raw in known]

    def _part(self, raw: Raw) -> Part:
        bits, following = sorted(raw.bits), self.encoding.next_of
        pairs = {bit: following[bit] for bit in bits}
        tested = self.diagrams.branches(raw.relation)
        return Part(
            raw.actions,
            raw.relation,
            tuple(bits),
            min(([] if tested is None else [tested[0]]) + bits, default=0),
            self.diagrams.cube(bits),
            self.diagrams.cube([following[bit] for bit in bits]),
            self.diagrams.renaming(pairs),
            self.diagrams.renaming({after: bit for bit, after in pairs.items()}),
        )


def _alternatives(part: Composition) -> list[Composition]:
    return [inner for child in part.parts for inner in _alternatives(child)] if isinstance(part, Interleave) else [part]
