"""`clew doctor`: what is installed?"""

from __future__ import annotations

import platform
import shutil
import sys
from argparse import Namespace
from importlib.metadata import PackageNotFoundError, version

from clew import __version__
from clew.cli import status
from clew.cli.console import Console
from clew.core import registry
from clew.host.compiler import cache_folder, find_compiler
from clew.host.runs import runs_folder

TOOLS = (("spin", "Spin, to compare with"),)
LIBRARIES = (
    ("igraph", "layout of graphs for SVG"),
    ("oxidd", "sets of states, for --engine symbolic and relational models"),
    ("pynauty", "states up to isomorphism, for models in Python"),
    ("z3-solver", "for --engine smt: install clew[smt]"),
    ("ray", "for --cluster: install clew[cluster]"),
    ("pygls", "for clew lsp: install clew[editor]"),
    ("dd", "decision diagrams that reorder their variables: install clew[cudd]"),
)


def run(arguments: Namespace, console: Console) -> int:
    compiler = find_compiler()
    tools = {"compiler": None if compiler is None else str(compiler), **{name: shutil.which(name) for name, _ in TOOLS}}
    libraries = {name: _version(name) for name, _ in LIBRARIES}
    if arguments.json:
        console.print_json(
            {
                "schema": "clew.doctor/1",
                "clew": __version__,
                "python": platform.python_version(),
                "languages": [entry.name for entry in registry.LANGUAGES],
                "engines": [entry.name for entry in registry.ENGINES],
                "tools": tools,
                "libraries": libraries,
                "cache": str(cache_folder()),
                "runs": str(runs_folder()),
            }
        )
        return status.HOLDS
    rows = [
        ("clew", __version__, ""),
        ("python", f"{platform.python_version()} ({sys.executable})", ""),
        ("languages", ", ".join(entry.name for entry in registry.LANGUAGES), ""),
        ("engines", ", ".join(entry.name for entry in registry.ENGINES), ""),
        ("compiler", tools["compiler"], "makes programs of models"),
        *((name, tools[name], use) for name, use in TOOLS),
        *((name, libraries[name], use) for name, use in LIBRARIES),
        ("cache", str(cache_folder()), "where compiled models are kept"),
        ("runs", str(runs_folder()), "where a check started here leaves its run"),
    ]
    for name, found, use in rows:
        value = found or console.style.paint("not found", "yellow")
        console.print(f"  {name:<10} {value}{'  ' + console.style.paint(use, 'dim') if use else ''}")
    return status.HOLDS


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
