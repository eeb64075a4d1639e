"""Relations in the states of a trace, drawn as graphs: one panel for each state, what is new green, what is gone red.

Elements are dots on a circle, the same place in every panel. A tuple of two is an arrow, of three an arrow with the
middle element in its label; an element of a set has the name of the set below it. Scalars are listed under the panel.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from math import cos, pi, sin

from clew.core.records import record
from clew.core.traces import Trace

_COLOURS = {"kept": "#6e7781", "added": "#1a7f37", "removed": "#cf222e"}
_SIZE, _RADIUS, _DOT = 260.0, 84.0, 13.0
Tuple = tuple[str, ...]


@record
class Mark:
    """A tuple of a relation in a state, and what became of it since the state before."""

    relation: str
    elements: Tuple
    change: str  # kept, added or removed


@record
class Panel:
    title: str
    marks: tuple[Mark, ...]
    scalars: tuple[str, ...]


def panels(trace: Trace) -> list[Panel]:
    """One for the first state and one behind each step. Empty if no state has a relation in it."""
    states: list[Mapping[str, str]] = [dict(trace.initial.values)]
    titles = ["first state"]
    for number, step in enumerate(trace.steps, 1):
        after = dict(states[-1])
        after.update({name: new for name, (_, new) in step.changes.items() if new is not None})
        states.append(after)
        titles.append(f"{number}: {step.text}" + (f" ({step.note})" if step.note else ""))
    made, before = list[Panel](), states[0]
    for title, state in zip(titles, states, strict=True):
        marks = [mark for name in state for mark in _marks(name, before.get(name, "{}"), state[name])]
        scalars = tuple(f"{n} = {v}" for n, v in state.items() if not v.startswith("{") and v != "false")
        made.append(Panel(title, tuple(marks), scalars))
        before = state
    return made if any(value.startswith("{") for value in states[0].values()) else []


def _marks(name: str, old: str, new: str) -> Iterator[Mark]:
    if not new.startswith("{"):
        return
    before, after = _tuples(old), _tuples(new)
    for one in [*after, *(gone for gone in before if gone not in after)]:
        change = "removed" if one not in after else "kept" if one in before else "added"
        yield Mark(name, one, change)


def _tuples(text: str) -> list[Tuple]:
    inside = text[1:-1]
    return [tuple(row.split("->")) for row in inside.split(", ")] if inside else []


def relations_dot(trace: Trace) -> str:
    """One cluster for each state."""
    lines = ["digraph relations {", "  rankdir=LR; node [shape=circle fontsize=10]; edge [fontsize=9];"]
    for number, panel in enumerate(panels(trace)):
        lines.append(f"  subgraph cluster_{number} {{ label={_quoted(panel.title)};")
        for atom in _atoms(panel):
            sets = [m for m in panel.marks if m.elements == (atom,)]
            names = "".join(f"\\n{m.relation}" for m in sets if m.change != "removed")
            colour = next((_COLOURS[m.change] for m in sets if m.change != "kept"), "black")
            lines.append(f'    "{number}:{atom}" [label="{atom}{names}" color="{colour}"];')
        for mark in panel.marks:
            if len(mark.elements) > 1:
                first, *middle, last = mark.elements
                label = " ".join([mark.relation, *middle])
                style = " style=dashed" if mark.change == "removed" else ""
                ends = f'"{number}:{first}" -> "{number}:{last}"'
                lines.append(f'    {ends} [label="{label}" color="{_COLOURS[mark.change]}"{style}];')
        lines.append("  }")
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '\\"') + '"'


def _atoms(panel: Panel) -> list[str]:
    return sorted({atom for mark in panel.marks for atom in mark.elements})


def relations_svg(trace: Trace) -> str:
    """All panels in one picture, three in a row."""
    every = panels(trace)
    atoms = sorted({atom for panel in every for atom in _atoms(panel)})
    places = {
        atom: (_SIZE / 2 + _RADIUS * sin(2 * pi * n / len(atoms)), _SIZE / 2 - _RADIUS * cos(2 * pi * n / len(atoms)))
        for n, atom in enumerate(atoms)
    }
    columns = min(3, max(1, len(every)))
    rows = -(-len(every) // columns)
    width, height = columns * (_SIZE + 20), rows * (_SIZE + 60)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" font-size="11">',
        _HEAD,
    ]
    for number, panel in enumerate(every):
        x, y = number % columns * (_SIZE + 20), number // columns * (_SIZE + 60)
        parts.append(f'<g transform="translate({x:.0f} {y:.0f})">')
        parts += _panel(panel, places)
        parts.append("</g>")
    return "\n".join([*parts, "</svg>"]) + "\n"


_HEAD = "<defs>" + "".join(
    f'<marker id="{name}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    f'<path d="M0 0 L8 4 L0 8 z" fill="{colour}"/></marker>'
    for name, colour in _COLOURS.items()
) + '</defs><rect width="100%" height="100%" fill="#ffffff"/>'  # fmt: skip


def _panel(panel: Panel, places: Mapping[str, tuple[float, float]]) -> Iterator[str]:
    yield f'<text x="10" y="18" font-weight="bold">{escape(panel.title)}</text>'
    yield f'<text x="10" y="{_SIZE + 14:.0f}">{escape(", ".join(panel.scalars))}</text>'
    bent: dict[tuple[str, str], int] = {}
    for mark in panel.marks:
        if len(mark.elements) > 1:
            ends = (mark.elements[0], mark.elements[-1])
            bent[ends] = bent.get(ends, 0) + 1
            yield _arrow(mark, places, bent[ends])
    for atom, (x, y) in places.items():
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_DOT}" fill="#f6f8fa" stroke="#57606a"/>'
        yield f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle">{escape(atom)}</text>'
        for n, mark in enumerate(m for m in panel.marks if m.elements == (atom,)):
            line = "text-decoration:line-through" if mark.change == "removed" else ""
            style = f"fill:{_COLOURS[mark.change]};{line}"
            place = f'x="{x:.1f}" y="{y + 26 + 12 * n:.1f}" text-anchor="middle"'
            yield f'<text {place} style="{style}">{mark.relation}</text>'


def _arrow(mark: Mark, places: Mapping[str, tuple[float, float]], bend: int) -> str:
    (x1, y1), (x2, y2) = places[mark.elements[0]], places[mark.elements[-1]]
    colour = _COLOURS[mark.change]
    dash = ' stroke-dasharray="4 3"' if mark.change == "removed" else ""
    label = escape(" ".join([mark.relation, *mark.elements[1:-1]]))
    if (x1, y1) == (x2, y2):
        left, right = f"{x1 - 6:.1f} {y1 - 12:.1f}", f"{x1 + 6:.1f} {y1 - 12:.1f}"
        path = f"M{left} C{x1 - 30:.1f} {y1 - 44:.1f} {x1 + 30:.1f} {y1 - 44:.1f} {right}"
        middle = (x1, y1 - 40)
    else:
        length = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 1.0)
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        off = 10.0 + 12.0 * (bend - 1)
        mx, my = (x1 + x2) / 2 - uy * off, (y1 + y2) / 2 + ux * off
        path = (
            f"M{x1 + ux * _DOT:.1f} {y1 + uy * _DOT:.1f} Q{mx:.1f} {my:.1f} {x2 - ux * _DOT:.1f} {y2 - uy * _DOT:.1f}"
        )
        middle = (mx, my)
    arrow = f'<path d="{path}" fill="none" stroke="{colour}"{dash} marker-end="url(#{mark.change})"/>'
    return f'{arrow}<text x="{middle[0]:.1f}" y="{middle[1]:.1f}" fill="{colour}" font-size="9">{label}</text>'
