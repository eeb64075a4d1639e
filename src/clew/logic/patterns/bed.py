"""The test bed of the case study as a model, and Spin as a judge of traces.

A counter goes from 0 to a limit; its values are the states of a trace, and the last one lasts for ever.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from clew.host.compiler import find_compiler
from clew.logic import formulas as f
from clew.logic.patterns.traces import show_trace
from clew.logic.patterns.words import Lasso
from clew.logic.spelling import SPIN, show

MOST_PROPERTIES: Final = 40
"""In one model that Spin reads."""

_PROGRAM: Final = """\
#define limit {limit}
byte i = 0;
active proctype seq() {{
\tdo
\t:: (i < limit) -> i = i + 1
\t:: (i == limit) -> break
\tod
}}
"""


class SpinError(Exception):
    """Spin is missing or fails; the text says how."""


def promela(questions: Sequence[tuple[f.Formula, Lasso]]) -> str:
    """A model with a property c0, c1, … for each question whether a formula holds on a trace. Raises `ValueError`
    for a trace that repeats more than its last state.
    """
    limit = max(len(prefix) for _, (prefix, _) in questions)
    if limit > 255:
        raise ValueError("the counter of the test bed has at most 256 states")
    lines = [_PROGRAM.format(limit=limit)]
    for number, (formula, trace) in enumerate(questions):
        lines.append(f"/* {show_trace(trace)} */\nltl c{number} {{ {_over_counter(formula, trace)} }}\n")
    return "".join(lines)


def _over_counter(formula: f.Formula, trace: Lasso) -> str:
    """The formula with each atom said by values of the counter."""
    prefix, cycle = trace
    if len(cycle) != 1:
        raise ValueError("the test bed repeats only the last state of a trace")
    said = {}
    for number, atom in enumerate(f.atoms(formula)):
        states = [f"i == {k}" for k, held in enumerate(prefix) if atom in held]
        states += [f"i >= {len(prefix)}"] if atom in cycle[0] else []
        said[f"atom_{number}"] = f"({' || '.join(states) or 'false'})"
    names = dict(zip(f.atoms(formula), said, strict=True))
    text = show(f.replace_atoms(formula, lambda atom: f.proposition(names[atom])), SPIN)
    return re.sub(r"atom_\d+", lambda name: said[name[0]], text)


def by_spin(formula: f.Formula, traces: Sequence[Lasso]) -> list[bool]:
    """Spin model checks the test bed. Raises `SpinError`."""
    answers: list[bool] = []
    for start in range(0, len(traces), MOST_PROPERTIES):
        answers += _ask_spin([(formula, trace) for trace in traces[start : start + MOST_PROPERTIES]])
    return answers


def _ask_spin(questions: Sequence[tuple[f.Formula, Lasso]]) -> list[bool]:
    spin, compiler = shutil.which("spin"), find_compiler()
    if spin is None or compiler is None:
        raise SpinError("spin or a C compiler is not installed")
    with tempfile.TemporaryDirectory(prefix="clew-") as folder:
        (Path(folder) / "bed.pml").write_text(promela(questions))
        _run([spin, "-a", "bed.pml"], folder)
        _run([*compiler.command, "-O0", "-w", "-o", "pan", "pan.c"], folder)
        return [_verdict(_run(["./pan", "-a", "-N", f"c{i}"], folder)) for i in range(len(questions))]


def _run(command: Sequence[str], folder: str) -> str:
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if found.returncode:
        raise SpinError(f"{command[0]} fails: {(found.stdout + found.stderr).strip()[-400:]}")
    return found.stdout


def _verdict(output: str) -> bool:
    errors = re.search(r"errors: (\d+)", output)
    if errors is None:
        raise SpinError(f"pan gives no verdict: {output.strip()[-400:]}")
    return errors[1] == "0"
