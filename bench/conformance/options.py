"""Options that the commands of this folder share."""

from __future__ import annotations

import argparse
import os
import shutil
from pathlib import Path

from bench.common import cache
from bench.common.clew_command import ClewCommand, ClewLimits

from .spin_peer import Limits

REPOSITORY = Path(__file__).resolve().parents[2]


def add_common(parser: argparse.ArgumentParser, *, max_states: int, jobs: int, timeout: float) -> None:
    """What every comparison needs to know."""
    parser.add_argument("--max-states", type=int, default=max_states, help="do not compare larger models (%(default)s)")
    parser.add_argument("--granularity", choices=["default", "fine", "both"], default="both")
    parser.add_argument("--jobs", type=int, default=jobs, help="models at a time (%(default)s)")
    parser.add_argument("--timeout", type=float, default=timeout, help="seconds for each tool and model (%(default)s)")
    parser.add_argument("--clew", type=Path, default=REPOSITORY / "clew", help="the command to test (%(default)s)")
    parser.add_argument("--quick", action="store_true", help="small models compiled by tcc, on both sides; see README")
    folder = cache.default_folder("clew-conformance")
    parser.add_argument("--cache", type=Path, default=folder, help="answers of Spin (%(default)s)")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write all results to this file")


def settle(chosen: argparse.Namespace) -> None:
    """What the options mean for everything that is run."""
    if chosen.quick and shutil.which("tcc"):
        os.environ.setdefault("PAN_CC", "tcc")


def granularities(chosen: str) -> list[str]:
    return ["default", "fine"] if chosen == "both" else [chosen]


def clew_command(options: argparse.Namespace) -> ClewCommand:
    path = options.clew.resolve()
    limits = ClewLimits(seconds=options.timeout, max_states=options.max_states)
    return ClewCommand(path, limits, warm=path == REPOSITORY / "clew")


def spin_limits(options: argparse.Namespace) -> Limits:
    """Spin is stopped soon after the number of states that are compared."""
    return Limits(seconds=options.timeout, max_states=options.max_states)
