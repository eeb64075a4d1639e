"""A sequence chart as a PlantUML sequence diagram."""

from __future__ import annotations

import re

from clew.report.sequence import Action, Arrow, Divider, SequenceChart
from clew.report.style import one_line


def plantuml(chart: SequenceChart) -> str:
    """The text of the diagram, from @startuml to @enduml."""
    lines = ["@startuml"]
    for index, lane in enumerate(chart.lanes):
        lines.append(f'participant "{escape(lane.title)}" as p{index}')
    for event in chart.events:
        match event:
            case Arrow(_, sender, receiver, label, waited):
                arrow = "-->>" if waited else "->"
                lines.append(f"p{sender} {arrow} p{receiver} : {escape(label)}")
            case Action(_, lane_index, label, kind):
                shape = "hnote" if kind == "error" else "rnote"
                colour = " #FFAAAA" if kind == "error" else ""
                lines.append(f"{shape} over p{lane_index}{colour} : {escape(label)}")
            case Divider(label):
                lines.append(f"== {escape(label)} ==")
    lines.append("@enduml")
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """Backslashes, quotes, tags and doubled marks (`--`, `**`, `//` …) are mark-up; code points keep them literal."""
    text = one_line(text)
    text = re.sub(r"[\\\"<>~]", lambda match: f"\0{ord(match[0]):04X}\1", text)
    text = re.sub(r"(?<=([-*/_=.\[\]]))\1", lambda match: f"\0{ord(match[0]):04X}\1", text)
    return text.replace("\0", "<U+").replace("\1", ">") or " "
