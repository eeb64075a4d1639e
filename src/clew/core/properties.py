"""Properties and how they fail."""

from __future__ import annotations

from typing import Literal

from clew.core.diagnostics import NOWHERE, Span
from clew.core.records import record

PropertyKind = Literal[
    "assertion",
    "deadlock",
    "runtime-error",
    "invariant",
    "reach",  # some state where it is true can be reached: holds with a witness
    "never",
    "trace",
    "ltl",
    "ctl",
    "pattern",
    "acceptance",
    "progress",
    "monitor",  # no run is accepted by an automaton from a file
    "accepting",  # of an automaton: some run is accepting, which is its witness
    "bound",  # never asked for: what lies behind is not represented in the view
]
TEMPORAL: frozenset[PropertyKind] = frozenset({"ltl", "pattern", "never", "acceptance", "progress", "monitor"})
"""Decided by an automaton beside the system: whether there is a run that it matches."""
ACCEPTING = "this run is accepting"
"""What the witness of a property of the kind `accepting` shows."""
About = tuple[PropertyKind, str]
"""What a violation violates: a kind of property, and the name of one of those that have several of a kind."""


@record
class Property:
    """Something that is decided about a system. `text` is what it says, for people."""

    name: str
    kind: PropertyKind
    text: str
    span: Span = NOWHERE

    @property
    def about(self) -> About:
        return self.kind, self.name if self.kind in ("invariant", "reach") else ""


@record
class Violation:
    """One way a property is broken. Two violations are the same if all fields are. `name`: of an invariant
    or of what was to be reached (then it is no violation but what was looked for)."""

    kind: PropertyKind
    message: str
    span: Span = NOWHERE
    pid: int | None = None
    name: str = ""

    @property
    def about(self) -> About:
        return self.kind, self.name
