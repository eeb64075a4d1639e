"""Column widths for steps that are printed while they happen, when the whole trace is not known yet."""

from __future__ import annotations

from clew.core.network import Network
from clew.core.views import View
from clew.report.style import columns
from clew.report.trace_text import Columns, columns_for, short_names

_STATEMENT = 28


def columns_for_view(view: View, steps: int) -> Columns:
    """Widths that fit whatever step may come, as far as it is known; `steps` is how many are expected."""
    draft = columns_for((), expected=steps)
    return _fitting(view, draft) if isinstance(view, Network) else draft


def _fitting(network: Network, draft: Columns) -> Columns:
    found = [
        step
        for template in network.templates
        for location in template.locations
        for c in location.choices
        for step in c
    ]
    files = short_names({step.span.file for step in found if step.span.line > 0})
    table = Columns(draft.number, 0, 0, 0, files)
    names = max((columns(template.name) for template in network.templates), default=0)
    places = max((columns(table.where(step.span)) for step in found), default=0)
    texts = max((columns(step.text) for step in found if step.event.kind in ("send", "receive")), default=0)
    return Columns(draft.number, names + 4, places, min(texts, _STATEMENT), files)
