"""The crossover of two engines as a picture: processor time over the number of states, one curve each per model."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bench.symbolic.scaling import SIZES, Measured

WIDTH, HEIGHT, MARGIN = 300, 220, 44
COLOURS = {"native": "#b5402a", "symbolic": "#1f6f8b"}
NAMES = {"native": "explicit", "symbolic": "symbolic"}


def crossover_svg(found: Sequence[Measured]) -> str:
    parts = []
    for place, model in enumerate(SIZES):
        mine = [one for one in found if one.model == model and one.complete and one.states > 0]
        parts.append(
            f'<g transform="translate({(place % 3) * WIDTH},{(place // 3) * HEIGHT})">{_panel(model, mine)}</g>'
        )
    rows = math.ceil(len(SIZES) / 3)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {3 * WIDTH} {rows * HEIGHT}" '
        'font-family="sans-serif" font-size="10"><rect width="100%" height="100%" fill="white"/>'
        f"{''.join(parts)}</svg>\n"
    )


def _panel(model: str, mine: Sequence[Measured]) -> str:
    most = math.ceil(max(math.log10(one.states) for one in mine))
    times = [math.log10(max(one.seconds, 0.01)) for one in mine]
    low, high = math.floor(min(times)), math.ceil(max(times))

    def x(states: float) -> float:
        return MARGIN + (WIDTH - MARGIN - 16) * math.log10(states) / most

    def y(seconds: float) -> float:
        share = (math.log10(max(seconds, 0.01)) - low) / max(1, high - low)
        return HEIGHT - MARGIN - (HEIGHT - MARGIN - 28) * share

    out = [f'<text x="{WIDTH / 2}" y="16" text-anchor="middle" font-weight="bold">{model}</text>']
    for power in range(low, high + 1):
        out.append(
            f'<line x1="{MARGIN}" x2="{WIDTH - 16}" y1="{y(10**power):.1f}" y2="{y(10**power):.1f}" stroke="#ddd"/>'
        )
        out.append(f'<text x="{MARGIN - 4}" y="{y(10**power) + 3:.1f}" text-anchor="end">{10.0**power:g} s</text>')
    for power in range(0, most + 1, max(1, most // 4)):
        out.append(f'<text x="{x(10.0**power):.1f}" y="{HEIGHT - MARGIN + 14}" text-anchor="middle">1e{power}</text>')
    out.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 14}" text-anchor="middle">states</text>')
    for number, (engine, colour) in enumerate(COLOURS.items()):
        curve = sorted((one.states, one.seconds) for one in mine if one.engine == engine)
        points = " ".join(f"{x(states):.1f},{y(seconds):.1f}" for states, seconds in curve)
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        out += [f'<circle cx="{x(a):.1f}" cy="{y(b):.1f}" r="2.2" fill="{colour}"/>' for a, b in curve]
        out.append(f'<text x="{MARGIN + 6}" y="{36 + 12 * number}" fill="{colour}">{NAMES[engine]}</text>')
    return "".join(out)
