"""Clew's native engine as it is measured."""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.common.clew_command import ClewCommand, ClewLimits, ClewResult

REPOSITORY = Path(__file__).resolve().parents[2]


def add_options(parser: argparse.ArgumentParser) -> None:
    """How to run Clew. Options that are not given are left to Clew."""
    parser.add_argument("--clew", type=Path, default=REPOSITORY / "clew", help="the command to run (%(default)s)")
    parser.add_argument("--search", help="passed on to Clew")
    parser.add_argument("--store", help="passed on to Clew")
    parser.add_argument("--clew-limit", type=int, default=600, metavar="S", help="time for Clew (%(default)s s)")
    parser.add_argument("--clew-megabytes", type=int, default=20_000, metavar="MB", help="address space for Clew")


def command(chosen: argparse.Namespace, workers: int | None, defines: tuple[str, ...] = ()) -> ClewCommand:
    options = ["--engine", "native"]
    for name, value in (("workers", workers), ("search", chosen.search), ("store", chosen.store)):
        options += [f"--{name}", str(value)] if value is not None else []
    for text in defines:
        options += ["-D", text]
    limits = ClewLimits(chosen.clew_limit, None, chosen.clew_megabytes)
    return ClewCommand(chosen.clew.resolve(), limits, tuple(options))


def settings(chosen: argparse.Namespace) -> str:
    """The options of Clew that figures depend on, as a word for the notebook."""
    return f"search={chosen.search or 'default'} store={chosen.store or 'default'}"


def count(clew: ClewCommand, model: Path) -> ClewResult:
    return clew.count(model, "default")
