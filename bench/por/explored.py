"""One search of a model by the native engine, with or without reduction."""

from __future__ import annotations

import re
from typing import Any

from bench.common.quick_c import FLAGS as QUICK
from clew.core.engines import Limits, Request, Search
from clew.core.network import Network
from clew.explicit.program import FLAGS, Report, explore
from clew.explicit.reduction.generated import Reduction
from clew.frontends.promela.lower import Switches, lower
from clew.frontends.promela.parser import parse_text

__all__ = ["AS_SPIN", "QUICK", "SAFETY", "SOUND", "network", "searched", "without_formulas"]

SAFETY = frozenset({"assertion", "deadlock", "runtime-error"})
SOUND = Switches(sound=True)
AS_SPIN = Switches(marks_ample=True)
_FORMULA = re.compile(r"^[ \t]*ltl\b.*$", re.MULTILINE)


def without_formulas(text: str) -> str:
    """The text without its `ltl` lines."""
    return _FORMULA.sub("", text)


def network(text: str, switches: Switches = SOUND) -> Network:
    """Raises InputError."""
    return lower(parse_text(text, "model.pml"), "model", switches).network


def searched(
    view: Network,
    search: Search = "bfs",
    reduction: Reduction | None = None,
    *,
    workers: int = 1,
    limits: Limits | None = None,
    flags: tuple[str, ...] = FLAGS,
    audit: bool = False,
) -> Report:
    """Everything that can be reached, errors or not."""
    options: dict[str, Any] = {"workers": workers, "flags": flags, "audit": audit}
    request = Request(view, (), search, limits or Limits(), True, options)
    return explore(request, SAFETY, None, reduction=reduction)
