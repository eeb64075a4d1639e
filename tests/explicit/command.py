"""The `clew` command as a process of its own, with the machine around it arranged by the test."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import clew

SOURCES = Path(clew.__file__).parent.parent
EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "promela"

ENDLESS = "int a, b, c; active proctype P() { do :: a++ :: b++ :: c++ :: a + b + c == -1 -> break od }"


def environment(**changes: str) -> dict[str, str]:
    """An empty value takes a variable away."""
    everything = {**os.environ, "PYTHONPATH": str(SOURCES), **changes}
    return {name: value for name, value in everything.items() if value}


def clew_command(*words: str | Path) -> list[str]:
    return [sys.executable, "-P", "-m", "clew", *map(str, words)]


def run(
    *words: str | Path, cwd: Path, before: Sequence[str] = (), changes: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """The command to its end. `before`: what stands before it on the command line, such as a shell that sets limits."""
    return subprocess.run(
        [*before, *clew_command(*words)],
        cwd=cwd,
        env=environment(**(changes or {})),
        capture_output=True,
        text=True,
        check=False,
    )


@contextmanager
def start(*words: str | Path, cwd: Path, changes: Mapping[str, str] | None = None) -> Iterator[subprocess.Popen[str]]:
    """The command as it runs. A test that fails ends it, too: waiting for it would take for ever."""
    child = subprocess.Popen(
        clew_command(*words),
        cwd=cwd,
        env=environment(**(changes or {})),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with child:
        try:
            yield child
        except BaseException:
            child.kill()
            raise


def children_of(pid: int) -> list[int]:
    """Process ids, as Linux tells them."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = (entry / "stat").read_text().rpartition(")")[2].split()[1]
            except OSError:
                continue  # it ended meanwhile
            if int(parent) == pid:
                found.append(int(entry.name))
    return found
