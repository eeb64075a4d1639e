"""`time`: time and memory of the tools on the models that `scan` found large."""

from __future__ import annotations

import argparse
import sys
from functools import partial

from . import clew
from .course import Course, Subject
from .figures import header, write_section
from .models import find
from .notebook import Notebook, stamp_of
from .runs import Measured
from .scan import Scans
from .speed_table import COLUMNS, cells, section, summary

RESULTS = clew.REPOSITORY / "bench" / "RESULTS.md"


def main(chosen: argparse.Namespace) -> int:
    """Print a row for each model as soon as it is measured; 1 if counts differ."""
    notebook = Notebook(chosen.json, stamp_of(clew.REPOSITORY / "src" / "clew"), chosen.keep)
    course = Course(chosen)
    finished = Scans(chosen.cache).finished(find(chosen.corpus, chosen.only), chosen.min_states)
    large = sorted(finished, key=lambda pair: pair[1].cpu_seconds)
    table: list[Measured] = []
    print(header(COLUMNS), flush=True)
    for model, scanned in large[: chosen.most]:
        key = f"{model.key} {clew.settings(chosen)} two={chosen.two_workers}"
        known = notebook.get(key)
        measured = Measured(model.name) if known is None else Measured.from_json(known)
        if measured.fewest_rounds < chosen.rounds:
            subject = Subject(model.path, model.name, (), scanned.depth, scanned.wide)
            problem = course.measure(subject, measured, partial(note, notebook, key))
            if problem:
                print(f"{model.name}: left out: {problem}", file=sys.stderr)
                continue
        table.append(measured)
        print(cells(measured), flush=True)
    if not table:
        print("nothing to compare: no model that the scan finished is large enough", file=sys.stderr)
        return 3
    print(summary(table))
    if chosen.write:
        write_section(RESULTS, "speed", section(table, clew.settings(chosen), chosen.min_states))
    return 0 if all(measured.agreed for measured in table) else 1


def note(notebook: Notebook, key: str, measured: Measured) -> None:
    notebook.put(key, measured.as_json())
