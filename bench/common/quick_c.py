"""Thousands of small programs: compiled by tcc where it is installed, and not kept."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

FLAGS = ("-std=gnu11", "-O0", "-fwrapv", "-fno-strict-aliasing", "-pthread")
"""For programs that are run once: what takes time is compiling them."""
FEW_STATES = 10_000
"""Up to which programs made by tcc count right: beyond, where the layout of states is made anew, they were seen to
count states twice."""
_SHIM = Path(__file__).parent / "one_worker.h"


def is_small(figures: Mapping[str, Any]) -> bool:
    """Whether a search by a program made by tcc was one that it gets right."""
    return bool(figures["complete"]) and figures["states"] <= FEW_STATES and not figures["rearranged"]


@contextlib.contextmanager
def compiled_by_tcc() -> Iterator[None]:
    """Inside, programs are made by tcc, if there is one: right with one worker only."""
    with _set("CC", tcc_command()):
        yield


def tcc_command() -> str | None:
    """What `CC` has to be for that; None without tcc."""
    tcc = shutil.which("tcc")
    return f"{shlex.quote(tcc)} -w -include {shlex.quote(str(_SHIM))}" if tcc else None


@contextlib.contextmanager
def kept_nowhere() -> Iterator[None]:
    """Inside, compiled programs are in a folder that vanishes."""
    with tempfile.TemporaryDirectory(prefix="programs-") as folder, _set("CLEW_CACHE", folder):
        yield


@contextlib.contextmanager
def _set(name: str, value: str | None) -> Iterator[None]:
    if value is None:
        yield
        return
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before
