"""Options that several commands have: each is defined once, so that it means the same everywhere."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from clew.cli import values
from clew.cli.parser import Parser

Group = argparse._ArgumentGroup
WORKERS = "how many workers search at once (default: all cores)"


def define_option(group: Group, only_with: str = "") -> None:
    """`only_with`: the option of the command that it goes with, said first in the help."""
    group.add_argument(
        "-D",
        dest="defines",
        action="append",
        default=[],
        type=values.definition,
        metavar="NAME=VALUE",
        help=f"{only_with}define a parameter or macro (repeatable)",
    )


def model_options(parser: Parser) -> None:
    group = parser.add_argument_group("the model")
    group.add_argument(
        "--language", metavar="NAME", help="language of the file (default: by extension, then by content)"
    )
    define_option(group)
    group.add_argument(
        "-I",
        dest="include",
        action="append",
        default=[],
        metavar="DIR",
        help="look for included files here, too (repeatable)",
    )
    group.add_argument(
        "--granularity",
        choices=("default", "fine"),
        default="default",
        help="what counts as one step; fine: every statement by itself",
    )
    group.add_argument(
        "--compat",
        action="append",
        default=[],
        metavar="NAME",
        help="reproduce a peculiarity of another tool (repeatable)",
    )
    group.add_argument(
        "--with",
        dest="composed",
        action="append",
        default=[],
        metavar="FILE",
        help="compose a model program with a scenario (.fsm) or another one (.py) (repeatable)",
    )
    group.add_argument(
        "--feature",
        dest="features",
        action="append",
        default=[],
        metavar="NAME",
        help="with this part of a model program (repeatable)",
    )
    promela = parser.add_argument_group("types of Promela models")
    promela.add_argument("--strict", action="store_true", help="type errors are bad input, not warnings")
    promela.add_argument("--distinct-pid", action="store_true", help="pid is a type of its own, not byte")
    promela.add_argument(
        "--narrowing", choices=("on", "off"), help="off: say nothing of values that may not fit their variable"
    )
    relational = parser.add_argument_group("relational models")
    relational.add_argument(
        "--foreach", choices=("any", "declared"), help="in which order foreach takes elements (default: any)"
    )
    relational.add_argument(
        "--bad", choices=("freeze", "havoc"), help="what an illegal statement does to the other variables"
    )
    relational.add_argument(
        "--blocking", action="store_true", help="remove runs that no next state goes on, instead of reporting them"
    )
    relational.add_argument(
        "--order",
        type=values.order,
        metavar="ORDER",
        help="of variables in decision diagrams: static (default), declared, reversed, names that come first, or @FILE "
        "with names",
    )
    relational.add_argument(
        "--sift", action="store_true", help="reorder diagrams once the steps are known (extra cudd)"
    )


def reduce_by_symmetry(group: Group, what: str) -> None:
    group.add_argument("--reduce", choices=("none", "symmetry"), default="none", help=f"symmetry: {what}")
    no_symmetry(group)


def no_symmetry(group: Group) -> None:
    group.add_argument(
        "--no-symmetry",
        action="append",
        default=[],
        metavar="TYPE",
        help="elements of this type of a model program are not interchangeable (repeatable)",
    )


def search_options(parser: Parser, searches: Sequence[str] = ("bfs", "dfs")) -> Group:
    group = parser.add_argument_group("the search")
    group.add_argument("--engine", default="auto", metavar="NAME", help="auto, native, reference, symbolic or smt")
    group.add_argument(
        "--search",
        choices=searches,
        default="bfs",
        help="breadth-first (shortest counterexamples, the default), depth-first"
        + ("; hunt, random: look for violations only" if len(searches) > 2 else ""),
    )
    group.add_argument(
        "--workers",
        type=values.amount,
        default=None,
        metavar="N",
        help=WORKERS,
    )
    group.add_argument(
        "--store",
        type=values.store,
        default="auto",
        metavar="NAME[:SETTINGS]",
        help="how states are kept: auto, table, tree; or hashes only: bitstate, blocked, compact, as in "
        "bitstate:memory=400M,k=3 or compact:memory=1G,expect=1e8",
    )
    group.add_argument(
        "--seed",
        type=values.seed,
        default=None,
        metavar="N",
        help="seed of hashing (lossy stores, hunts), of random choices",
    )
    group.add_argument(
        "--cluster",
        metavar="auto|ADDRESS",
        help="search on a Ray cluster: bfs in partitions, hunt and random as a swarm (extra cluster)",
    )
    group.add_argument(
        "--keep-c", metavar="DIR", help="leave the C program that the native engine makes in this folder"
    )
    return group


def limits(parser: Parser, depth: bool = True) -> None:
    group = parser.add_argument_group("limits (the answer is then partial, exit status 2 unless violated)")
    group.add_argument("--max-states", type=values.amount, metavar="N", help="stop after N states (10k, 1e6)")
    if depth:
        group.add_argument("--max-depth", type=values.amount, metavar="N", help="look at most N steps deep")
    group.add_argument("--max-memory", type=values.size, metavar="SIZE", help="stop at this much memory (500M, 2G)")
    group.add_argument("--max-time", type=values.duration, metavar="TIME", help="stop after this time (90, 5m, 1h30m)")


def output_options(parser: Parser, progress: bool = True) -> Group:
    group = parser.add_argument_group("output")
    group.add_argument("--json", action="store_true", help="one JSON object on stdout (see docs/json.md)")
    if progress:
        group.add_argument(
            "--progress",
            choices=("auto", "json", "off"),
            default="auto",
            help="a line on a terminal (auto), JSON lines on stderr, or none",
        )
    help_option(group)
    return group


def help_option(group: Group | Parser) -> None:
    group.add_argument("-h", "--help", action="help", help="this text")


def report_options(parser: Parser, what: str) -> None:
    group = parser.add_argument_group(f"reports of {what}")
    group.add_argument("--html", metavar="FILE", help="one self-contained page: verdicts, figures, plots, trace views")
    group.add_argument("--junit", metavar="FILE", help="JUnit XML: a property is a test case")
    group.add_argument("--sarif", metavar="FILE", help="SARIF 2.1.0 for code hosts and editors")
    group.add_argument("--markdown", metavar="FILE", help="a summary for pull requests and job summaries")


def run_options(parser: Parser) -> Group:
    group = parser.add_argument_group("runs")
    group.add_argument("--runs-dir", metavar="DIR", help="where runs are kept (default: $CLEW_RUNS, else .clew/runs)")
    return group
