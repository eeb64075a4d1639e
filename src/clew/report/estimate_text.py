"""The size of a state space and what lossy stores would miss, for people."""

from __future__ import annotations

from collections.abc import Sequence

from clew.core.omission.prediction import Prediction
from clew.core.results import Result
from clew.report.style import PLAIN, Style, number, pad, seconds, size


def sampled_text(result: Result, style: Style = PLAIN) -> str:
    """What the lossy search before a prediction has shown."""
    figures, omission = result.statistics, result.omission
    about = f"{number(figures.states)} states visited in {seconds(figures.seconds)}"
    if omission is None:
        return f"{style.paint(result.model, 'bold')}: {about}"
    if omission.estimate is None:
        title = style.paint(f"more than {number(omission.visited)} states", "bold", "yellow")
        about = f"stopped by {', '.join(result.limits_hit)} after {seconds(figures.seconds)}"
    else:
        title = style.paint(f"about {number(omission.estimate)} states", "bold")
        about += f", {omission.summary}"
    lines = [f"{style.paint(result.model, 'bold')}: {title}", f"  {about}"]
    if omission.advice is not None:
        lines.append(f"  next: {omission.advice.option} (misses a state with probability {omission.advice.any:.2g})")
    return "\n".join(lines)


def prediction_text(found: Sequence[Prediction], memory: int, style: Style = PLAIN) -> str:
    """A line for each number of states and store."""
    rows = [("states", "store", "missed", "missed, %", "any missed")]
    for p in found:
        word = "overflow" if p.overflows else f"{p.any:.3g}"
        rows.append((f"{p.states:,}", p.store, f"{p.expected:.3g}", f"{p.percent:.3g}", word))
    widths = [max(len(row[i]) for row in rows) for i in range(5)]
    lines = [style.paint(f"in {size(memory)}:", "bold")]
    for row in rows:
        cells = [row[0].rjust(widths[0]), pad(row[1], widths[1]), *(row[i].rjust(widths[i]) for i in (2, 3, 4))]
        lines.append("  " + "  ".join(cells).rstrip())
    return "\n".join(lines)
