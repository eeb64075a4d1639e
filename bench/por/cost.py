"""What reduction costs: instructions of each search with and without it, in both orders. Other jobs on the machine
cannot change these. Needs gcc and valgrind.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench.common import corpus
from bench.common.quick_c import kept_nowhere
from bench.por.explored import SAFETY, network, without_formulas
from clew.core.diagnostics import InputError
from clew.core.engines import Limits, Request, Search
from clew.core.network import Network
from clew.explicit.generate import first_room, unsupported
from clew.explicit.program import FLAGS, arguments_for, flags_for, prepare
from clew.explicit.reduction.conditions import why_not_reduce
from clew.explicit.reduction.generated import Reduction

FOR_CALLGRIND = tuple("-march=haswell" if flag == "-march=native" else flag for flag in FLAGS)
BAR = 1.3
_TOTAL = re.compile(r"^totals: (\d+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Run:
    states: int
    complete: bool
    instructions: int


def measured(view: Network, search: Search, reduction: Reduction | None, limits: Limits) -> Run:
    """One search by one worker."""
    asked = Request(view, (), search, limits, True, {"workers": 1})
    flags = (*FOR_CALLGRIND, *flags_for(asked, None, reduction)[len(FLAGS) :])
    request = Request(view, (), search, limits, True, {"workers": 1, "flags": flags})
    room = first_room(view)
    while True:
        program = prepare(request, room, None, reduction).build.program()
        with tempfile.TemporaryDirectory(prefix="cost-") as folder:
            costs = Path(folder) / "costs"
            command = ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={costs}", str(program)]
            command += arguments_for(request, SAFETY, None, reduction)
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            said = json.loads(done.stdout.strip().splitlines()[-1])
            if said["type"] == "room":
                room *= 2
                continue
            total = _TOTAL.search(costs.read_text())
        assert total is not None
        return Run(said["states"], bool(said["complete"]), int(total[1]))


def _row(path: Path, limits: Limits) -> tuple[int, int, float, float] | str:
    """States, reduced ones, and the ratio of instructions breadth-first and depth-first; or why there is none."""
    try:
        view = network(without_formulas(path.read_text(errors="replace")))
    except InputError as error:
        return str(error).splitlines()[0]
    reason = why_not_reduce(view) or unsupported(view)
    if reason:
        return reason
    ratios = []
    sizes = []
    orders: tuple[Search, ...] = ("bfs", "dfs")
    for search in orders:
        full = measured(view, search, None, limits)
        if not full.complete:
            return f"more than {full.states} states"
        reduced = measured(view, search, Reduction("chain"), Limits())
        sizes = [full.states, reduced.states]
        ratios.append(reduced.instructions / full.instructions)
    return sizes[0], sizes[1], ratios[0], ratios[1]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.por cost")
    parser.add_argument("corpus", nargs="+", type=Path)
    parser.add_argument("--only", default="*", help="a glob on the path or the name of a model")
    parser.add_argument("--max-states", type=int, default=400_000)
    parser.add_argument(
        "--least", type=int, default=1000, help="states, below which a search takes no time (%(default)s)"
    )
    options = parser.parse_args(arguments)
    print("| model | states | reduced | breadth-first | depth-first |\n|---|--:|--:|--:|--:|", flush=True)
    above: list[str] = []
    compared = short = 0
    left_out: list[str] = []
    with kept_nowhere():
        for path in corpus.find(options.corpus, options.only).models:
            row = _row(path, Limits(states=options.max_states))
            if isinstance(row, str):
                left_out.append(f"{path.name}: {row}")
            elif row[0] < options.least:
                short += 1
            else:
                compared += 1
                print(f"| {path.stem} | {row[0]} | {row[1]} | {row[2]:.2f} | {row[3]:.2f} |", flush=True)
                if max(row[2:]) > BAR:
                    above.append(path.stem)
    print(
        f"\n{compared} models; above {BAR}: {', '.join(above) or 'none'}; {short} with less than {options.least} states"
    )
    print(f"left out: {len(left_out)}", *left_out, sep="\n  ")
    return int(bool(above))
