"""A real Explorer and a real browser: `clew explore` as a process, and the Chromium of the distribution."""

from __future__ import annotations

import contextlib
import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
LONGEST = 300_000  # milliseconds; only there so that a mistake does not hang


class NoBrowser(Exception):
    """There is no browser to drive; says what is missing."""


@contextlib.contextmanager
def browser() -> Iterator[Any]:
    """A headless browser of playwright. Raises NoBrowser."""
    program = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if program is None:
        raise NoBrowser(f"none of {', '.join(BROWSERS)} is installed")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise NoBrowser("playwright is not installed") from None
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=FLAGS, timeout=LONGEST)
        try:
            yield opened
        finally:
            opened.close()


@contextlib.contextmanager
def explorer(
    *words: str,
    folder: Path | None = None,
    clew: Sequence[str] = (sys.executable, "-m", "clew"),
    environment: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """The address of a running Explorer; Ctrl-C ends it."""
    command = [*clew, "explore", "--no-browser", "--json", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder, env=environment) as child:
        try:
            assert child.stdout is not None
            text = ""
            for line in child.stdout:
                text += line
                if line.startswith("}"):
                    break
            yield json.loads(text)["address"]
        finally:
            child.send_signal(signal.SIGINT)
            child.wait()


def checked(runs: Path, model: str, options: Sequence[str] = ()) -> None:
    """Leaves a run of this model."""
    command = [sys.executable, "-m", "clew", "check", "-q", "--runs-dir", str(runs), *options, model]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
