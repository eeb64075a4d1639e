"""Properties and how they fail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from clew.core.diagnostics import NOWHERE, Span

PropertyKind = Literal[
    "assertion", "deadlock", "runtime-error", "never", "trace", "ltl", "pattern", "acceptance", "progress"
]


@dataclass(frozen=True, slots=True)
class Property:
    """Something that is decided about a system. `text` is what it says, for people."""

    name: str
    kind: PropertyKind
    text: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Violation:
    """One way a property is broken. Two violations are the same if all fields are."""

    kind: PropertyKind
    message: str
    span: Span = NOWHERE
    pid: int | None = None
