"""The graph that a reduced search explores, written down, and whether it keeps what the proviso promises."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import get_args

from bench.por.explored import SAFETY, searched
from bench.por.random_run import audited
from clew.core.engines import Limits
from clew.core.network import Network
from clew.explicit.generate import unsupported
from clew.explicit.program import Report
from clew.explicit.reduction.conditions import why_not_reduce
from clew.explicit.reduction.generated import ProvisoName, Reduction
from clew.host.checking import ModelOptions, load_model

HOW = ("all", "all, forced", "some", "some, nothing can fail")  # as numbered in runtime/reduce.h


def dump(report: Report, to: Path) -> None:
    """In the format of Aldebaran; labels say whether all steps of the state were taken."""
    edges = [(e.state, HOW[e.how], target) for e in report.expansions for target in e.to]
    lines = [f'({source}, "{how}", {target})' for source, how, target in edges]
    to.write_text("\n".join([f"des (0, {len(edges)}, {report.figures['stored']})", *lines]) + "\n")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.por audit")
    parser.add_argument("model", type=Path)
    parser.add_argument("--search", choices=("bfs", "dfs"), default="bfs")
    parser.add_argument("--proviso", choices=get_args(ProvisoName), help="by default chain")
    parser.add_argument("--max-states", type=int, default=1_000_000)
    parser.add_argument("--write", type=Path, metavar="FILE.aut", help="the reduced graph")
    options = parser.parse_args(arguments)
    view = load_model(str(options.model), ModelOptions(language="promela")).view
    assert isinstance(view, Network)
    reason = unsupported(view) or why_not_reduce(view)
    if reason:
        print(f"no reduction: {reason}")
        return 3
    proviso: ProvisoName = options.proviso or "chain"
    limits = Limits(states=options.max_states)
    report = searched(view, options.search, Reduction(proviso), limits=limits, audit=True)
    if options.write is not None:
        dump(report, options.write)
    figures = report.figures
    told = ", ".join(f"{sum(e.how == n for e in report.expansions)} {name}" for n, name in enumerate(HOW))
    print(f"{figures['states']} states, {figures['transitions']} transitions; expanded: {told}")
    print(f"violations: {', '.join(sorted(report.met & SAFETY)) or 'none'}")
    difference = audited(report, proviso)
    print(difference or f"the graph keeps what proviso {proviso} promises")
    return int(bool(difference))
