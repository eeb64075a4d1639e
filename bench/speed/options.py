"""The command line of `bench.speed`."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from bench.common import cache
from bench.spin.build import spin_version

from . import agree, clew, counts, growth, scan, timing

SCANS = cache.default_folder("clew-speed")


def run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.speed", description=__doc__)
    verbs = parser.add_subparsers(required=True, metavar="COMMAND")
    _scan_options(verbs.add_parser("scan", help="which models Spin finishes, and what it counts"))
    _count_options(verbs.add_parser("counts", help="states and transitions of Clew against the scan"))
    _agree_options(verbs.add_parser("agree", help="the same as scan and counts without times, much faster"))
    _time_options(verbs.add_parser("time", help="time and memory of both, in interleaved rounds"))
    _growth_options(verbs.add_parser("growth", help="time and memory against the number of states, with a picture"))
    chosen = parser.parse_args(arguments)
    try:
        spin_version()
        if shutil.which("gcc") is None:
            raise FileNotFoundError("the peer cannot be compiled: no 'gcc' on the PATH")
        return int(chosen.command(chosen))
    except (FileNotFoundError, ValueError) as problem:
        print(problem, file=sys.stderr)
        return 3


def _scan_options(parser: argparse.ArgumentParser) -> None:
    _corpus_options(parser)
    parser.add_argument("--cpu-limit", type=int, default=60, metavar="S", help="processor time of Spin (%(default)s s)")
    parser.add_argument("--megabytes", type=int, default=8192, metavar="MB", help="memory of Spin (%(default)s)")
    parser.set_defaults(command=scan.main)


def _count_options(parser: argparse.ArgumentParser) -> None:
    _corpus_options(parser)
    clew.add_options(parser)
    parser.add_argument("--workers", type=int, help="passed on to Clew")
    _notebook_options(parser, SCANS / "counts.json")
    parser.set_defaults(command=counts.main)


def _agree_options(parser: argparse.ArgumentParser) -> None:
    _corpus_options(parser)
    clew.add_options(parser)
    parser.add_argument("--cpu-limit", type=int, default=60, metavar="S", help="processor time of Spin (%(default)s s)")
    parser.add_argument("--megabytes", type=int, default=8192, metavar="MB", help="memory of Spin (%(default)s)")
    parser.add_argument("--minutes", type=float, default=1e6, metavar="M", help="stop after so long; begin again later")
    _notebook_options(parser, SCANS / "agree.json")
    parser.set_defaults(command=agree.main)


def _time_options(parser: argparse.ArgumentParser) -> None:
    _corpus_options(parser)
    parser.add_argument("--most", type=int, metavar="N", help="only the N models that took Spin least")
    parser.add_argument("--write", action="store_true", help="update the section in bench/RESULTS.md")
    _round_options(parser)
    _notebook_options(parser, SCANS / "time.json")
    parser.set_defaults(command=timing.main)


def _growth_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--write", action="store_true", help="update bench/growth.svg and bench/RESULTS.md")
    _round_options(parser)
    _notebook_options(parser, SCANS / "growth.json")
    parser.set_defaults(command=growth.main)


def _round_options(parser: argparse.ArgumentParser) -> None:
    clew.add_options(parser)
    parser.add_argument("--rounds", type=int, default=3, help="measured searches of each tool (%(default)s)")
    parser.add_argument(
        "--one-worker", dest="two_workers", action="store_false", help="leave out Clew with two workers"
    )
    parser.add_argument(
        "--cpu-limit", type=int, default=300, metavar="S", help="processor time of Spin (%(default)s s)"
    )
    parser.add_argument("--megabytes", type=int, default=16_000, metavar="MB", help="memory of Spin (%(default)s)")


def _notebook_options(parser: argparse.ArgumentParser, default: Path) -> None:
    parser.add_argument("--json", type=Path, default=default, metavar="FILE", help="measured so far (%(default)s)")
    parser.add_argument("--keep", action="store_true", help="use what FILE has from other sources of Clew, too")


def _corpus_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("corpus", type=Path, nargs="+", help="folders or files")
    parser.add_argument("--only", default="*", metavar="GLOB", help="models whose path or name matches")
    parser.add_argument("--cache", type=Path, default=SCANS, help="what Spin answered (%(default)s)")
    parser.add_argument("--min-states", type=int, default=500_000, help="what counts as large (%(default)s)")
