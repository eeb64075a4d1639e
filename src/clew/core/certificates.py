"""Proofs that can be checked by other code than what found them (`clew.certificate/1`).

A certificate says why no state in which something is violated can be reached: an `invariant` (it holds at the start,
is kept by every step and excludes what is bad), or `induction` over so many steps. It speaks about the bits of a
transition system, which whoever checks it builds anew from the model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar, runtime_checkable

from clew.core.bitwise.words import Booleans
from clew.core.properties import PropertyKind
from clew.core.records import record
from clew.core.views import View

SCHEMA = "clew.certificate/1"
MOST_NODES = 20_000  # of a formula that is written down

B = TypeVar("B")
Node = tuple[int | str, ...]
"""`constant 0|1`, `bit n`, `not a`, `and a …`, `or a …`, `if a b c`, `differ a b`; operands are earlier
nodes, by place."""


@record
class Certificate:
    """`bits`: of a state, by the name of the variable and the place, lowest first. `nodes`: the formula, operands
    first; the last one is the whole. `grown`: what the system had no room for before it was built larger, each time."""

    maker: str  # the engine
    method: Literal["invariant", "induction"]
    bits: tuple[str, ...]
    nodes: tuple[Node, ...] = ()
    steps: int = 0  # of the induction
    grown: tuple[tuple[str, ...], ...] = ()
    proves: tuple[tuple[str, PropertyKind], ...] = ()  # name and kind of each property

    @property
    def text(self) -> str:
        if self.method == "induction":
            return induction_text(self.steps)
        return f"inductive invariant of {len(self.nodes):,} {'node' if len(self.nodes) == 1 else 'nodes'}"


def induction_text(steps: int) -> str:
    return f"induction over {steps} {'step' if steps == 1 else 'steps'}"


@record
class Recheck:
    """What checking a certificate came to: `confirmed` yes, no (`reason`: which condition fails) or unknown."""

    confirmed: Literal["yes", "no", "unknown"]
    reason: str


@runtime_checkable
class Rechecker(Protocol):
    """An engine that can check what others have proved."""

    name: str

    def recheck(self, view: View, certificate: Certificate, kind: PropertyKind, seconds: float) -> Recheck: ...


class Damaged(ValueError):
    """The text is no certificate, or one for another model."""


def certificate_json(certificate: Certificate) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "maker": certificate.maker,
        "method": certificate.method,
        "proves": [{"name": name, "kind": kind} for name, kind in certificate.proves],
        "bits": list(certificate.bits),
        "steps": certificate.steps,
        "grown": [list(messages) for messages in certificate.grown],
        "nodes": [list(node) for node in certificate.nodes],
    }


def certificate_from_json(data: Mapping[str, Any]) -> Certificate:
    """Raises Damaged."""
    try:
        if data["schema"] != SCHEMA or data["method"] not in ("invariant", "induction"):
            raise Damaged(f"is not a certificate of schema {SCHEMA}")
        found = Certificate(
            str(data["maker"]),
            data["method"],
            tuple(map(str, data["bits"])),
            tuple(tuple(node) for node in data["nodes"]),
            int(data["steps"]),
            tuple(tuple(map(str, messages)) for messages in data["grown"]),
            tuple((str(one["name"]), one["kind"]) for one in data["proves"]),
        )
    except (KeyError, TypeError) as error:
        raise Damaged(f"is damaged: {error}") from None
    _check_nodes(found)
    return found


OPERANDS: dict[str, range] = {
    "not": range(1, 2),
    "and": range(1, 1 << 30),
    "or": range(1, 1 << 30),
    "if": range(3, 4),
    "differ": range(2, 3),
}


def _check_nodes(certificate: Certificate) -> None:
    for place, (kind, *operands) in enumerate(certificate.nodes):
        most = {"constant": 2, "bit": len(certificate.bits)}.get(str(kind), place)
        known = range(1, 2) if kind in ("constant", "bit") else OPERANDS.get(str(kind), range(0))
        numbers = [one for one in operands if type(one) is int and 0 <= one < most]
        if len(operands) not in known or len(numbers) != len(operands):
            raise Damaged(f"is damaged: node {place} is {kind} {operands}")
    if certificate.method == "invariant" and not certificate.nodes:
        raise Damaged("is damaged: it has no invariant")


def formula(certificate: Certificate, algebra: Booleans[B], bits: Sequence[B]) -> B:
    """The invariant over any Booleans. Raises Damaged if there are not as many bits."""
    if len(bits) != len(certificate.bits):
        raise Damaged(f"is about {len(certificate.bits)} bits; the states of the model have {len(bits)}")
    made: list[B] = []
    for node in certificate.nodes:
        kind, numbers = node[0], [n for n in node[1:] if isinstance(n, int)]
        match kind:
            case "constant":
                made.append(algebra.true if numbers[0] else algebra.false)
            case "bit":
                made.append(bits[numbers[0]])
            case "not":
                made.append(algebra.negated(made[numbers[0]]))
            case "if":
                made.append(algebra.chosen(made[numbers[0]], made[numbers[1]], made[numbers[2]]))
            case "differ":
                made.append(algebra.differ(made[numbers[0]], made[numbers[1]]))
            case _:
                found = made[numbers[0]]
                for n in numbers[1:]:
                    found = algebra.both(found, made[n]) if kind == "and" else algebra.either(found, made[n])
                made.append(found)
    return made[-1]
