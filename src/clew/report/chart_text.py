"""A sequence chart drawn with characters: one lane per process, arrows for messages.

client(1)          server(0)
    │                  │
4   ├──── c: req,1 ───▶│          a handshake
5   ○ q!ack            │          a message goes into a buffer …
9   ├┄┄┄┄ q: ack ┄┄┄┄┄▶│          … and is taken out
"""

from __future__ import annotations

from clew.report.sequence import Action, Arrow, Divider, SequenceChart
from clew.report.style import PLAIN, Style, columns, one_line, shorten

_WIDEST_LABEL = 40
_MARKS = {"send": "○", "receive": "●", "step": "•", "output": "»", "error": "✗"}


def chart_text(chart: SequenceChart, style: Style = PLAIN) -> str:
    """The whole chart. An empty one says so."""
    if not chart.events:
        return "nothing happens in this trace"
    numbers = max((len(str(e.step)) for e in chart.events if not isinstance(e, Divider)), default=1)
    gaps = _gaps(chart)
    left = 2 + numbers + 2
    places = [left + columns(chart.lanes[0].title) // 2] if chart.lanes else []
    for gap in gaps[:-1]:
        places.append(places[-1] + gap)
    lines = [_titles(chart, places, style), _bare(places)]
    previous = 0
    for event in chart.events:
        if isinstance(event, Divider):
            lines.append(style.paint(f"  ── {one_line(event.label)} ──", "magenta"))
            continue
        number = "" if event.step == previous else str(event.step)
        previous = event.step
        body = _arrow(event, places, style) if isinstance(event, Arrow) else _action(event, places, style)
        lines.append(f"  {style.paint(number.rjust(numbers), 'dim')}{body[2 + numbers :]}".rstrip())
    lines.append(_bare(places))
    return "\n".join(lines)


def _gaps(chart: SequenceChart) -> list[int]:
    """The distance from each lane to the next, wide enough for titles and labels; the last one is not needed."""
    titles = [columns(lane.title) for lane in chart.lanes]
    gaps = [(a + 1) // 2 + b // 2 + 3 for a, b in zip(titles, [*titles[1:], 0], strict=True)]
    for event in chart.events:
        if isinstance(event, Action) and event.kind == "error":
            continue
        if isinstance(event, Action) or (isinstance(event, Arrow) and event.sender == event.receiver):
            lane = event.lane if isinstance(event, Action) else event.sender
            gaps[lane] = max(gaps[lane], columns(_short(event.label)) + 5)
        elif isinstance(event, Arrow):
            first, last = sorted((event.sender, event.receiver))
            missing = columns(_short(event.label)) + 8 - sum(gaps[first:last])
            gaps[last - 1] += max(missing, 0)
    return gaps


def _short(label: str) -> str:
    return shorten(one_line(label), _WIDEST_LABEL)


def _titles(chart: SequenceChart, places: list[int], style: Style) -> str:
    line, used = "", 0
    for lane, place in zip(chart.lanes, places, strict=True):
        start = place - columns(lane.title) // 2
        line += " " * (start - used) + style.paint(lane.title, "bold")
        used = start + columns(lane.title)
    return line


def _bare(places: list[int]) -> str:
    return "".join(_row(places)).rstrip()


def _row(places: list[int], length: int = 0) -> list[str]:
    row = [" "] * max(length, (places[-1] if places else 0) + 1)
    for place in places:
        row[place] = "│"
    return row


def _arrow(event: Arrow, places: list[int], style: Style) -> str:
    if event.sender == event.receiver:
        return _marked("↺", event.label, event.sender, places, style, "cyan")
    row = _row(places)
    start, end = sorted((places[event.sender], places[event.receiver]))
    line = "┄" if event.waited else "─"
    for column in range(start + 1, end):
        row[column] = "┼" if column in places else line
    if event.sender < event.receiver:
        row[start], row[end - 1] = "├", "▶"
    else:
        row[end], row[start + 1] = "┤", "◀"
    label = f" {_short(event.label)} "
    begin = _label_place(event, places, columns(label))
    before, after = "".join(row[:begin]), "".join(row[begin + columns(label) :])
    return before + style.paint(label, "bold") + after


def _label_place(event: Arrow, places: list[int], width: int) -> int:
    """The column of a label: in the middle of the gap beside the sender if it fits there, else of the whole arrow."""
    towards = 1 if event.sender < event.receiver else -1
    for last in (event.sender + towards, event.receiver):
        start, end = sorted((places[event.sender], places[last]))
        if width + 4 <= end - start:
            break
    if towards < 0 and last == event.receiver:
        start += 1  # the arrowhead
    return start + max((end - start + 1 - width) // 2, 1)


def _action(event: Action, places: list[int], style: Style) -> str:
    if event.kind == "error":  # a long text: it stands right of all lanes
        row = _row(places)
        row[places[event.lane]] = "✗"
        return f"{''.join(row)}  {style.paint(one_line(event.label), 'bold', 'red')}"
    look = "green" if event.kind == "output" else "cyan"
    return _marked(_MARKS[event.kind], event.label, event.lane, places, style, look)


def _marked(mark: str, label: str, lane: int, places: list[int], style: Style, look: str) -> str:
    text = f"{mark} {_short(label)} "
    row = _row(places)
    before, after = "".join(row[: places[lane]]), "".join(row[places[lane] + columns(text) :])
    return before + style.paint(text, look) + after
