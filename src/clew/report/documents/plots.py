"""The course of a search as small diagrams over time, in SVG that takes its colours from the page around it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from html import escape
from itertools import pairwise

from clew.core.engines import Progress
from clew.core.records import record
from clew.report.style import number, seconds, size

WIDTH, HEIGHT = 340, 170
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 12, 12, 26
_FEWEST = 3  # points that make a curve

Values = Sequence[tuple[float, float]]


@record
class Plot:
    """One diagram. `shown` writes a value at the axis and where the pointer is."""

    title: str
    about: str
    points: Values
    shown: Callable[[float], str]


def plots(samples: Sequence[Progress]) -> tuple[Plot, ...]:
    """What is worth drawing: nothing for a search that was over before it could be looked at."""
    if len(samples) < _FEWEST:
        return ()
    rates = [
        (after.seconds, (after.states - before.states) / (after.seconds - before.seconds))
        for before, after in pairwise(samples)
        if after.seconds > before.seconds and after.states >= before.states
    ]
    found = (
        Plot("states", "states found so far", _over(samples, "states"), _short),
        Plot("states/s", "states found per second, since the report before", rates, _short),
        Plot("waiting", "states found and not yet looked at", _over(samples, "queue"), _short),
        Plot("depth", "steps from the initial state", _over(samples, "depth"), _short),
        Plot("memory", "memory of the process", _over(samples, "bytes"), size),
    )
    return tuple(plot for plot in found if len(plot.points) >= _FEWEST - 1 and any(y for _, y in plot.points))


def plot_svg(plot: Plot) -> str:
    """The diagram; every point says its value where the pointer is."""
    longest = max(x for x, _ in plot.points) or 1.0
    highest, step = _scale(max(y for _, y in plot.points), binary=plot.shown is size)

    def at(x: float, y: float) -> tuple[float, float]:
        across = _LEFT + x / longest * (WIDTH - _LEFT - _RIGHT)
        return across, HEIGHT - _BOTTOM - y / highest * (HEIGHT - _TOP - _BOTTOM)

    lines = [
        f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(_in_words(plot))}">',
        *_grid(plot, highest, step, longest, at),
    ]
    places = [at(x, y) for x, y in plot.points]
    path = " ".join(f"{'L' if n else 'M'}{x:.1f},{y:.1f}" for n, (x, y) in enumerate(places))
    ground = HEIGHT - _BOTTOM
    lines.append(f'<path class="area" d="{path} L{places[-1][0]:.1f},{ground} L{places[0][0]:.1f},{ground} Z"/>')
    lines.append(f'<path class="curve" d="{path}"/>')
    for (x, y), (across, down) in zip(plot.points, places, strict=True):
        says = f"{plot.shown(y)} after {seconds(x)}"
        lines.append(f'<circle cx="{across:.1f}" cy="{down:.1f}" r="7"><title>{escape(says)}</title></circle>')
    return "\n".join([*lines, "</svg>"])


def _grid(
    plot: Plot, highest: float, step: float, longest: float, at: Callable[[float, float], tuple[float, float]]
) -> Iterator[str]:
    for n in range(round(highest / step) + 1):
        _, down = at(0, n * step)
        yield f'<path class="grid" d="M{_LEFT},{down:.1f} H{WIDTH - _RIGHT}"/>'
        yield f'<text x="{_LEFT - 6}" y="{down + 3.5:.1f}" text-anchor="end">{plot.shown(n * step)}</text>'
    for share, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end")):
        across, _ = at(share * longest, 0)
        text = seconds(share * longest) if share else "0"
        yield f'<text x="{across:.1f}" y="{HEIGHT - 8}" text-anchor="{anchor}">{text}</text>'


def _over(samples: Sequence[Progress], name: str) -> Values:
    return [(sample.seconds, float(getattr(sample, name))) for sample in samples]


def _scale(highest: float, *, binary: bool) -> tuple[float, float]:
    """The end of the axis and the distance of its lines: one, two or five times a power of ten, at most five lines.
    Bytes are powers of 1024."""
    unit = 1024.0 ** int(math.log(highest, 1024)) if binary and highest >= 1024 else 1.0
    least = max(highest / unit / 4, 1e-9 if binary else 1.0)
    power = 10.0 ** math.floor(math.log10(least))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least - 1e-12) * unit
    return step * max(math.ceil(highest / step - 1e-9), 1), step


def _short(value: float) -> str:
    """1,500 and 2.5 M: as short as an axis needs it."""
    for limit, name in ((1e9, " G"), (1e6, " M"), (1e4, " k")):
        if value >= limit:
            scaled = value / (1e3 if name == " k" else limit)
            return f"{scaled:.3g}{name}" if scaled < 999.5 else f"{scaled:.0f}{name}"
    return number(round(value))


def _in_words(plot: Plot) -> str:
    (_, last), most = plot.points[-1], max(y for _, y in plot.points)
    return f"{plot.about} over time: at the end {plot.shown(last)}, at most {plot.shown(most)}"
