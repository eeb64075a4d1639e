"""Curves on logarithmic axes as an SVG picture."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 380, 300
LEFT, RIGHT, TOP, BOTTOM = 70, 14, 34, 46
LEGEND_LINE = 18
COLOURS = ("#0b6e99", "#c2571a", "#3f7d3a", "#7a4c9e")


@dataclass(frozen=True, slots=True)
class Curve:
    """Points with positive coordinates. `colour` is an index; a dashed curve has hollow marks."""

    name: str
    points: Sequence[tuple[float, float]]
    colour: int
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """One diagram; `y_unit` is what follows the numbers at its axis."""

    title: str
    x_label: str
    curves: Sequence[Curve]
    y_unit: str = ""


@dataclass(frozen=True, slots=True)
class Scale:
    """Powers of ten from `low` to `high`, spread over `start` to `end`."""

    low: int
    high: int
    start: float
    end: float

    @classmethod
    def over(cls, values: Sequence[float], start: float, end: float) -> Scale:
        low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        return cls(low, max(high, low + 1), start, end)

    def at(self, value: float) -> float:
        return self.start + (math.log10(value) - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> Iterator[tuple[int, float]]:
        for exponent in range(self.low, self.high + 1):
            yield exponent, self.at(10.0**exponent)


def picture(panels: Sequence[Panel]) -> str:
    """The panels side by side, one legend below: every curve of the first panel. Panels without points are refused."""
    names = [curve for curve in panels[0].curves if curve.points]
    width, height = WIDTH * len(panels), HEIGHT + LEGEND_LINE * math.ceil(len(names) / 2) + 12
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for number, panel in enumerate(panels):
        lines += [f'<g transform="translate({number * WIDTH} 0)">', *_panel(panel), "</g>"]
    for number, curve in enumerate(names):
        x, y = LEFT + (number % 2) * width / 2, HEIGHT + LEGEND_LINE * (number // 2) + 6
        lines += _line(curve, [(x, y), (x + 30, y)])
        lines.append(f'<text x="{x + 38:.0f}" y="{y + 4:.0f}">{escape(curve.name)}</text>')
    return "\n".join([*lines, "</svg>", ""])


def _panel(panel: Panel) -> Iterator[str]:
    points = [point for curve in panel.curves for point in curve.points]
    if not points:
        raise ValueError(f"nothing to draw: {panel.title}")
    across = Scale.over([x for x, _ in points], LEFT, WIDTH - RIGHT)
    up = Scale.over([y for _, y in points], HEIGHT - BOTTOM, TOP)
    yield f'<text x="{LEFT}" y="20" font-weight="bold">{escape(panel.title)}</text>'
    for exponent, x in across.ticks():
        yield f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>'
        yield f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{_power(exponent)}</text>'
    for exponent, y in up.ticks():
        yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
        label = escape(f"{10.0**exponent:,.10g}{panel.y_unit}")
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{label}</text>'
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield f'<text x="{middle:.0f}" y="{HEIGHT - 10}" text-anchor="middle">{escape(panel.x_label)}</text>'
    for curve in panel.curves:
        yield from _line(curve, [(across.at(x), up.at(y)) for x, y in sorted(curve.points)])


def _power(exponent: int) -> str:
    return f'10<tspan dy="-5" font-size="9">{exponent}</tspan>'


def _line(curve: Curve, places: Sequence[tuple[float, float]]) -> Iterator[str]:
    if not places:
        return
    colour = COLOURS[curve.colour % len(COLOURS)]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    dashes = ' stroke-dasharray="5 3"' if curve.dashed else ""
    yield f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="1.6"{dashes}/>'
    fill = "white" if curve.dashed else colour
    for x, y in places:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{fill}" stroke="{colour}"/>'
