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
from clew.core.records import record
from clew.host.compiler import cache_folder, find_compiler
from clew.host.extras import install_command
from clew.host.runs import runs_folder


@record
class Part:
    """Something that is found or not. `cost`: what cannot be done without it. `extra`: what to install it with."""

    name: str
    use: str
    cost: str
    extra: str = ""

    @property
    def remedy(self) -> str:
        return f"{self.cost} (extra {self.extra})" if self.extra else self.cost


COMPILER = Part(
    "compiler",
    "makes programs of models",
    "searches take many times longer, and embedded C cannot run: install cc",
    "compiler",
)
TOOLS = (Part("spin", "Spin, to compare with", "nothing: only tests that compare with it use it"),)
LIBRARIES = (
    Part("igraph", "layout of graphs", "no SVG of graphs: reinstall clew"),
    Part("oxidd", "sets of states", "no --engine symbolic, no relational models: reinstall clew"),
    Part("pynauty", "states up to isomorphism", "no --reduce symmetry for models in Python: reinstall clew"),
    Part("starlette", "the server of the Explorer", "no clew explore: reinstall clew"),
    Part("z3-solver", "a solver", "no --engine smt, no queries for clew recheck", "smt"),
    Part("dd", "decision diagrams that reorder", "some orders of variables stay bad", "cudd"),
    Part("ray", "clusters", "no --cluster", "cluster"),
    Part("pygls", "the language server", "no clew lsp", "editor"),
    Part("textual", "the simulator's screen", "no clew simulate --tui", "tui"),
    Part("ziglang", "a C compiler as a library", "nothing, if there is another compiler"),
)


def run(arguments: Namespace, console: Console) -> int:
    compiler = find_compiler()
    tools = {"compiler": None if compiler is None else str(compiler)}
    tools |= {tool.name: shutil.which(tool.name) for tool in TOOLS}
    libraries = {library.name: _version(library.name) for library in LIBRARIES}
    parts = (COMPILER, *TOOLS, *LIBRARIES)
    found = tools | libraries
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
                "missing": {part.name: part.remedy for part in parts if not found[part.name]},
                "extras": install_command("EXTRA"),
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
        *((part.name, found[part.name], part.use if found[part.name] else part.remedy) for part in parts),
        ("extras", install_command("EXTRA"), "installs what is named so"),
        ("cache", str(cache_folder()), "where compiled models are kept"),
        ("runs", str(runs_folder()), "where a check started here leaves its run"),
    ]
    for name, value, use in rows:
        shown = value or console.style.paint("not found", "yellow")
        console.print(f"  {name:<10} {shown}{'  ' + console.style.paint(use, 'dim') if use else ''}")
    return status.HOLDS


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
