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
from clew.host.runs import runs_folder

TOOLS = (
    (("cc", "gcc", "clang"), "C compiler"),
    (("spin",), "Spin, to compare with"),
)
LIBRARIES = (("igraph", "layout of graphs for SVG"),)


def run(arguments: Namespace, console: Console) -> int:
    tools = {names[0]: next(filter(None, map(shutil.which, names)), None) for names, _ in TOOLS}
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
                "runs": str(runs_folder()),
            }
        )
        return status.HOLDS
    rows = [
        ("clew", __version__, ""),
        ("python", f"{platform.python_version()} ({sys.executable})", ""),
        ("languages", ", ".join(entry.name for entry in registry.LANGUAGES), ""),
        ("engines", ", ".join(entry.name for entry in registry.ENGINES), ""),
        *((names[0], tools[names[0]], use) for names, use in TOOLS),
        *((name, libraries[name], use) for name, use in LIBRARIES),
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
