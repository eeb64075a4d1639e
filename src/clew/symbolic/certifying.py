"""Certificates: reachable states written down as an inductive invariant; proofs of others checked with diagrams."""

from __future__ import annotations

import time

from clew.core.bitwise.execution import Beyond
from clew.core.certificates import MOST_NODES, Certificate, Node, Recheck, formula
from clew.core.lowering import NotLowered
from clew.core.lowering.subject import Subject, bits_of, subject_for
from clew.core.properties import PropertyKind
from clew.core.views import View
from clew.solvers import bdd
from clew.solvers.bdd import Diagrams, Function
from clew.solvers.bdd_oxidd import OxiddDiagrams
from clew.symbolic.encoding import Encoding
from clew.symbolic.relation import Relation


def certificate(subject: Subject, encoding: Encoding, reached: Function) -> Certificate | None:
    """That no other state can be reached; None if there are too many nodes to write down."""
    if encoding.diagrams.size(reached) > MOST_NODES:
        return None
    numbers = {bit: number for number, bit in enumerate(encoding.state_bits)}
    nodes = _nodes(encoding.diagrams, reached, numbers)
    return Certificate("symbolic", "invariant", bits_of(subject.system), nodes, grown=subject.grown)


def _nodes(diagrams: Diagrams, function: Function, numbers: dict[int, int]) -> tuple[Node, ...]:
    """Each node as a test of a bit, operands first."""
    nodes: list[Node] = [("constant", 0), ("constant", 1)]
    places: dict[Function, int] = {diagrams.false: 0, diagrams.true: 1}
    bits: dict[int, int] = {}
    stack = [function]
    while stack:
        branches = None if stack[-1] in places else diagrams.branches(stack[-1])
        if branches is None:
            stack.pop()
            continue
        variable, low, high = branches
        missing = [child for child in (low, high) if child not in places]
        if missing:
            stack += missing
            continue
        if variable not in bits:
            bits[variable] = len(nodes)
            nodes.append(("bit", numbers[variable]))
        places[stack.pop()] = len(nodes)
        nodes.append(("if", bits[variable], places[high], places[low]))
    if places[function] != len(nodes) - 1:  # a constant
        nodes.append(("constant", places[function]))
    return tuple(nodes)


def recheck(view: View, certificate: Certificate, kind: PropertyKind, seconds: float) -> Recheck:
    """Raises Damaged if the certificate is about something else."""
    deadline = time.monotonic() + seconds
    try:
        subject = subject_for(view, certificate)
        encoding = Encoding(subject.system, OxiddDiagrams(bits=len(certificate.bits)))
        checked = _Checked(subject, encoding, Relation(encoding), kind, deadline)
    except (NotLowered, Beyond, TypeError, bdd.Unavailable) as error:
        return Recheck("unknown", str(error))
    return checked.induction() if certificate.method == "induction" else checked.invariant(certificate)


class _Checked:
    """The conditions of a proof, as operations on diagrams."""

    def __init__(
        self, subject: Subject, encoding: Encoding, relation: Relation, kind: PropertyKind, deadline: float
    ) -> None:
        self.encoding, self.relation, self.deadline = encoding, relation, deadline
        self.diagrams = diagrams = relation.diagrams
        self.start = diagrams.both(encoding.condition(subject.system.initial), encoding.universe)
        self.kind: PropertyKind = kind

    def invariant(self, certificate: Certificate) -> Recheck:
        diagrams = self.diagrams
        bits = [diagrams.variable(bit) for bit in self.encoding.state_bits]
        inside = diagrams.both(formula(certificate, diagrams, bits), self.encoding.universe)
        for wrong, reason in (
            (diagrams.without(self.start, inside), "it does not hold at the start"),
            (self._bad(inside), "it does not exclude the violation"),
        ):
            if not self._none(wrong):
                return Recheck("no", reason)
        for part in self.relation.parts:
            if time.monotonic() > self.deadline:
                return Recheck("unknown", "limit hit: time")
            if not self._none(diagrams.without(self.relation.post_of(part, inside), inside)):
                return Recheck("no", f"it is not kept by {part.actions[0].name}")
        return Recheck("yes", "start, steps and violation, with decision diagrams")

    def induction(self) -> Recheck:
        """Backwards from the violation, until nothing new leads there: none of it may be at the start."""
        diagrams, depth = self.diagrams, 0
        leads = fresh = self._bad(self.encoding.universe)
        while not self._none(fresh):
            if time.monotonic() > self.deadline:
                return Recheck("unknown", "limit hit: time")
            if not self._none(diagrams.both(fresh, self.start)):
                return Recheck("no", f"the violation is {depth} steps from the start")
            fresh = diagrams.without(diagrams.both(self.relation.pre(fresh), self.encoding.universe), leads)
            leads, depth = diagrams.either(leads, fresh), depth + 1
        return Recheck("yes", f"what leads to the violation, with decision diagrams: {max(0, depth - 1)} steps at most")

    def _bad(self, within: Function) -> Function:
        """The violation, or a state that the system has no room for."""
        wrong = violating(self.relation, self.kind, within)
        return self.diagrams.either(wrong, violating(self.relation, "bound", within))

    def _none(self, states: Function) -> bool:
        return self.diagrams.same(states, self.diagrams.false)


def violating(relation: Relation, kind: PropertyKind, within: Function) -> Function:
    """The states of a set with a step that shows a violation of this kind, or that are stuck."""
    diagrams, encoding = relation.diagrams, relation.encoding
    if kind == "deadlock":
        idle = diagrams.without(within, encoding.condition(encoding.system.final))
        for enabled in relation.enabled:
            idle = diagrams.without(idle, enabled)
        return idle
    found = diagrams.false
    for violations in (relation.claims, relation.errors):
        for violation, condition in violations.items():
            if violation.kind == kind:
                found = diagrams.either(found, diagrams.both(within, condition))
    return found
