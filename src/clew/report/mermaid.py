"""A sequence chart as a Mermaid `sequenceDiagram`."""

from __future__ import annotations

import re

from clew.report.sequence import Action, Arrow, Divider, SequenceChart
from clew.report.style import one_line


def mermaid(chart: SequenceChart) -> str:
    """The text of the diagram, to be put between ```mermaid fences or into a .mmd file."""
    lines = ["sequenceDiagram"]
    for index, lane in enumerate(chart.lanes):
        lines.append(f"    participant p{index} as {escape(lane.title)}")
    ends = f"p0,p{len(chart.lanes) - 1}" if len(chart.lanes) > 1 else "p0"
    for event in chart.events:
        match event:
            case Arrow(_, sender, receiver, label, waited):
                arrow = "--)" if waited else "->>"
                lines.append(f"    p{sender}{arrow}p{receiver}: {escape(label)}")
            case Action(_, lane_index, label, kind):
                mark = {"error": "✗ ", "output": "» "}.get(kind, "")
                lines.append(f"    Note over p{lane_index}: {mark}{escape(label)}")
            case Divider(label):
                if chart.lanes:
                    lines.append(f"    Note over {ends}: {escape(label)}")
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """Mermaid reads `#`, `;`, `<` and the word `end` in its own way; entity codes keep them literal."""
    text = one_line(text)
    text = re.sub(r"[#;<>]", lambda match: f"#{ord(match[0])};", text)
    return re.sub(r"\bend\b", "e#110;d", text, flags=re.IGNORECASE) or " "
