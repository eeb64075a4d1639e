"""The tutorial notebook runs from top to bottom, and its pictures are pictures."""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

import clew

NOTEBOOK = Path(__file__).parents[2] / "docs/models_in_python.ipynb"


def test_the_notebook_runs() -> None:
    cells = ["".join(c["source"]) for c in json.loads(NOTEBOOK.read_text())["cells"] if c["cell_type"] == "code"]
    names: dict[str, Any] = {}
    shown: list[Any] = []
    printed = io.StringIO()
    with contextlib.chdir(NOTEBOOK.parent), contextlib.redirect_stdout(printed):
        for cell in cells:
            body = ast.parse(cell).body
            last = body.pop() if isinstance(body[-1], ast.Expr) else None
            exec(compile(ast.Module(body, []), "cell", "exec"), names)
            if isinstance(last, ast.Expr):
                shown.append(eval(compile(ast.Expression(last.value), "cell", "eval"), names))
    count, picture, checked, trace, queue, *_ = shown
    assert (count.statistics.states, checked.statistics.states) == (27, 6)
    assert picture._repr_svg_().startswith("<svg") and len(picture.graph.nodes) == 6
    assert len(trace) == 4 and queue.holds
    assert "fails after 3 actions (no shorter sequence does)" in printed.getvalue()
    assert "TestSuite(" in printed.getvalue()


def test_the_library_is_plain_unless_symmetry_is_asked_for() -> None:
    triangle = NOTEBOOK.parents[1] / "examples/python/triangle.py"
    assert len(clew.graph(triangle).graph.nodes) == 27
    assert clew.count(triangle).statistics.states == clew.check(triangle, reduce="none").statistics.states == 27
    assert clew.count(triangle, reduce="symmetry").statistics.states == 6
