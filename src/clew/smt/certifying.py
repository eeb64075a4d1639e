"""Certificates of a solver's proofs, and proofs of others checked with plain queries to the solver."""

from __future__ import annotations

import time
from typing import Any

from clew.core.bitwise.execution import Beyond
from clew.core.certificates import MOST_NODES, Certificate, Node, Recheck, formula
from clew.core.lowering import NotLowered
from clew.core.lowering.subject import Subject, bits_of, subject_for
from clew.core.properties import PropertyKind
from clew.core.views import View
from clew.smt.encoding import Encoding, Unsuited
from clew.smt.proofs import Finding, broken_condition
from clew.solvers import smt
from clew.solvers.smt import Term, Terms


def certificate(subject: Subject, encoding: Encoding, finding: Finding) -> Certificate | None:
    """Of a proof; None if it cannot be written down."""
    bits = bits_of(subject.system)
    if finding.invariant is None:
        return Certificate("smt", "induction", bits, steps=finding.steps, grown=subject.grown)
    nodes = _nodes(encoding, finding.invariant)
    return None if nodes is None else Certificate("smt", "invariant", bits, nodes, grown=subject.grown)


def _nodes(encoding: Encoding, term: Term) -> tuple[Node, ...] | None:
    """The term with its operands first; None if it is too large, or has operators that a certificate has not."""
    numbers = {bit.get_id(): number for number, bit in enumerate(encoding.bits)}
    nodes: list[Node] = []
    places: dict[int, int] = {}
    stack = [term]
    while stack and len(nodes) <= MOST_NODES:
        top = stack[-1]
        missing = [child for child in top.children() if child.get_id() not in places]
        if missing:
            stack += missing
            continue
        stack.pop()
        if top.get_id() in places:
            continue
        made = _node(encoding.terms.z3, top, numbers, [places[child.get_id()] for child in top.children()])
        if not made:
            return None
        for kind, *operands in made:
            nodes.append((kind, *(len(nodes) - 1 if one == -1 else one for one in operands)))
        places[top.get_id()] = len(nodes) - 1
    return tuple(nodes) if len(nodes) <= MOST_NODES and not stack else None


def _node(z3: Any, term: Term, numbers: dict[int, int], operands: list[int]) -> list[Node]:
    """One node, or one and its negation (`-1` is the node before); none for an operator that is not known."""
    if term.get_id() in numbers:
        return [("bit", numbers[term.get_id()])]
    match term.decl().kind():
        case z3.Z3_OP_TRUE | z3.Z3_OP_FALSE:
            return [("constant", int(z3.is_true(term)))]
        case z3.Z3_OP_NOT:
            return [("not", *operands)]
        case z3.Z3_OP_AND:
            return [("and", *operands)]
        case z3.Z3_OP_OR:
            return [("or", *operands)]
        case z3.Z3_OP_ITE:
            return [("if", *operands)]
        case z3.Z3_OP_XOR | z3.Z3_OP_DISTINCT if len(operands) == 2:
            return [("differ", *operands)]
        case z3.Z3_OP_EQ | z3.Z3_OP_IFF if len(operands) == 2:
            return [("differ", *operands), ("not", -1)]
        case z3.Z3_OP_IMPLIES:
            return [("not", operands[0]), ("or", -1, operands[1])]
    return []


def recheck(view: View, certificate: Certificate, kind: PropertyKind, seconds: float) -> Recheck:
    """Raises Damaged if the certificate is about something else."""
    deadline = time.monotonic() + seconds
    if certificate.method != "invariant":
        return Recheck("unknown", "only invariants are checked by queries")
    try:
        subject = subject_for(view, certificate)
        terms = Terms()
        encoding = Encoding(subject.system, terms)
        bad = terms.either(encoding.violating(kind), terms.some(list(encoding.beyond().values())))
        invariant = formula(certificate, terms, encoding.bits)
        broken = broken_condition(encoding, terms.both(invariant, encoding.universe), bad, deadline)
    except (NotLowered, Beyond, Unsuited, TypeError, smt.Unavailable) as error:
        return Recheck("unknown", str(error))
    if broken is None:
        return Recheck("yes", "start, steps and violation, by queries to a solver")
    return Recheck("unknown" if broken == "limit hit: time" else "no", broken)
