"""`growth`: how time and memory grow with the number of states, on models that come in all sizes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import date
from functools import partial

from . import clew, runs
from .course import Course, Subject
from .figures import header, row, significant, write_section
from .notebook import Notebook, stamp_of
from .plot import Curve, Panel, picture
from .runs import Measured
from .timing import RESULTS, note

MODELS = clew.REPOSITORY / "bench" / "models"
PICTURE = clew.REPOSITORY / "bench" / "growth.svg"
SIZES = {
    "philosophers": (8, 9, 10, 11, 12, 13, 14),
    "ring_election": (7, 8, 10, 11),
    "sliding_window": (2, 3, 4, 5),
}
COLUMNS = ("model", "N", "states", "pan, s", "Clew, s", "pan, MB", "COLLAPSE, MB", "Clew, MB")
TOOLS = (runs.CLEW, runs.PAN)


def main(chosen: argparse.Namespace) -> int:
    """Print a row for each size, then draw; 1 if counts differ."""
    notebook = Notebook(chosen.json, stamp_of(clew.REPOSITORY / "src" / "clew"), chosen.keep)
    course = Course(chosen)
    families: dict[str, list[tuple[int, Measured]]] = {name: [] for name in SIZES}
    print(header(COLUMNS), flush=True)
    for name, size in ((name, size) for name, sizes in SIZES.items() for size in sizes):
        key = f"{name} {size} {clew.settings(chosen)} two={chosen.two_workers}"
        known = notebook.get(key)
        measured = Measured(name) if known is None else Measured.from_json(known)
        if measured.fewest_rounds < chosen.rounds:
            subject = Subject(MODELS / f"{name}.pml", f"{name}, N = {size}", (f"N={size}",))
            problem = course.measure(subject, measured, partial(note, notebook, key))
            if problem:
                print(f"{subject.name}: left out: {problem}", file=sys.stderr)
                continue
        families[name].append((size, measured))
        print(cells(size, measured), flush=True)
    if chosen.write:
        PICTURE.write_text(picture(panels(families)))
        write_section(RESULTS, "growth", section(families))
    return 0 if all(measured.agreed for members in families.values() for _, measured in members) else 1


def megabytes(measured: Measured, tool: str) -> float | None:
    per_state = measured.bytes_per_state(tool)
    return None if per_state is None else per_state * measured.states / 1e6


def cells(size: int, measured: Measured) -> str:
    """The row of one model and size."""
    return row(
        [
            measured.model + ("" if measured.agreed else " (COUNTS DIFFER)"),
            str(size),
            f"{measured.states:,}",
            *(significant(measured.seconds(tool)) for tool in (runs.PAN, runs.CLEW)),
            *(significant(megabytes(measured, tool)) for tool in (runs.PAN, runs.COLLAPSE, runs.CLEW)),
        ]
    )


def panels(families: dict[str, list[tuple[int, Measured]]]) -> Sequence[Panel]:
    """Time and memory against states, a curve for each model and tool."""
    times, memory = [], []
    for colour, (name, members) in enumerate(families.items()):
        for tool in TOOLS:
            label, dashed = f"{name}, {tool}", tool == runs.PAN
            points = [(float(m.states), m.seconds(tool), megabytes(m, tool)) for _, m in members]
            times.append(Curve(label, [(x, y) for x, y, _ in points if y is not None], colour, dashed))
            memory.append(Curve(label, [(x, z) for x, _, z in points if z is not None], colour, dashed))
    return [Panel("search time", "states", times, " s"), Panel("resident memory", "states", memory, " MB")]


def section(families: dict[str, list[tuple[int, Measured]]]) -> str:
    """The text for the results file."""
    rounds = min(measured.fewest_rounds for members in families.values() for _, measured in members)
    rows = "\n".join(cells(size, measured) for members in families.values() for size, measured in members)
    return f"""## Growth, {date.today().isoformat()}

Three models of [models/](models/) by their parameter N; medians of {rounds} interleaved rounds, one worker.

![Time and memory against the number of states](growth.svg)

```
python -m bench.speed growth --write
```

{header(COLUMNS)}
{rows}"""
