"""Verdicts, their evidence, and the result of a check (`clew.result/1`)."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal

from clew.core.certificates import Certificate
from clew.core.diagnostics import Diagnostic
from clew.core.omission.advice import Omission
from clew.core.properties import Property, Violation
from clew.core.records import record
from clew.core.traces import Trace

SCHEMA = "clew.result/1"

Verdict = Literal["holds", "violated", "unknown"]


@record
class Evidence:
    """What a verdict rests on. `exhaustive` only if no limit was hit and the store is exact."""

    kind: Literal[
        "exhaustive", "fixpoint", "certificate", "replayed-trace", "tautology", "omission-probability", "none"
    ]
    text: str


@record
class Decision:
    """The verdict on one property."""

    property: Property
    verdict: Verdict
    reason: str
    evidence: Evidence
    trace: Trace | None = None
    violation: Violation | None = None
    certificate: Certificate | None = None  # kept in the run


@record
class Reduced:
    """How a search was reduced: in `states` states some steps were left out, in `forced` states the proviso kept them
    (both 0 for `symmetry`, which leaves out states).
    `sound` false: finding nothing says nothing."""

    name: str
    proviso: str
    states: int
    forced: int
    sound: bool = True

    @property
    def text(self) -> str:
        return "up to isomorphism" if self.name == "symmetry" else f"partial-order reduced (proviso {self.proviso})"


@record
class Statistics:
    """`states` leaves out states inside atomic sequences, `stored` is what the table held. See docs/json.md."""

    states: int = 0
    stored: int = 0
    transitions: int = 0
    depth: int = 0
    seconds: float = 0.0
    peak_bytes: int = 0
    bytes_per_state: float = 0.0
    complete: bool = False
    reduced: Reduced | None = None

    @property
    def counts_transitions(self) -> bool:
        """Engines over sets of states do not."""
        return bool(self.states <= 1 or self.transitions)

    @property
    def counts_depth(self) -> bool:
        """Engines over sets of states mostly do not, nor those that label a graph. (Nobody can tell that from a graph
        whose states are all initial.)"""
        return bool(self.states <= 1 or self.depth)


@record
class Result:
    """What a run found out, independent of how it is shown."""

    model: str
    language: str
    engine: str
    options: dict[str, Any]
    decisions: tuple[Decision, ...]
    statistics: Statistics
    limits_hit: tuple[str, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()
    notes: tuple[str, ...] = field(default=())
    omission: Omission | None = None

    @property
    def verdict(self) -> Verdict:
        """Violated if anything is, else unknown if anything is, else holds."""
        verdicts = {d.verdict for d in self.decisions}
        for verdict in ("violated", "unknown"):
            if verdict in verdicts:
                return verdict
        return "holds"
