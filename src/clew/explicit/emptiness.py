"""Whether a graph with acceptance marks has an accepting run, decided on the fly by an algorithm of the runtime.

cou99, cou99-unlisted     components found and merged as the search goes on (Couvreur 1999), with a list of the
                          states to be removed and without
shy-, shy                 the same, known successors first: of a state, or of a whole component
gv04                      Tarjan's search with one condition (Geldenhuys and Valmari 2004)
cvwy90, se05              nested depth-first search with one condition (Courcoubetis et al. 1990, Schwoon and
                          Esparza 2005)
tau03, tau03-opt          nested depth-first search with any number of conditions (Tauriainen 2003, Couvreur et al.
                          2005)
ufscc                     components by several workers (Bloemen et al. 2016)
sweep, auto               breadth-first, with components of the arcs that are kept; auto begins with cou99
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from clew.core.records import record
from clew.explicit.graph_model import graph_program, write_graphs
from clew.explicit.program import FLAGS, LIMITS, ProgramError
from clew.logic.marked_graphs import Lasso, MarkedGraph, fault

ALGORITHMS = (
    "cou99",
    "cou99-unlisted",
    "shy-",
    "shy",
    "gv04",
    "cvwy90",
    "se05",
    "tau03",
    "tau03-opt",
    "ufscc",
    "sweep",
    "auto",
)


@record
class Emptiness:
    """What a check says: `visited` states, `transitions` taken (with repetition) and at most `stack` states stacked;
    `generated` states were stored. For an accepting run also how many states were `met` to make its cycle, with
    repetition, out of how many (`space`), and whether no cycle of those states is shorter.
    """

    algorithm: str
    verdict: Literal["empty", "nonempty", "undecided"]
    visited: int
    transitions: int
    stack: int
    generated: int
    limits_hit: tuple[str, ...] = ()
    lasso: Lasso | None = None
    met: int = 0
    space: int = 0
    minimal: bool = False


def check(graph: MarkedGraph, algorithm: str = "cou99", *options: str) -> Emptiness:
    """One graph, one algorithm. `options` are those of the runtime. Raises CompilerError or ProgramError."""
    ((result,),) = check_all([graph], [algorithm], *options)
    return result


def check_all(
    graphs: Sequence[MarkedGraph], algorithms: Iterable[str], *options: str, flags: tuple[str, ...] = FLAGS
) -> list[list[Emptiness]]:
    """For each graph what each algorithm says. Every accepting run is replayed. Raises CompilerError, ProgramError."""
    found: list[list[Emptiness]] = [[] for _ in graphs]
    with tempfile.NamedTemporaryFile(suffix=".graphs") as file:
        write_graphs(file, graphs)
        file.flush()
        arguments = ["--graphs", file.name, "--algorithm", ",".join(algorithms), *options]
        for number, result in _results([str(graph_program(flags)), *arguments]):
            if result.lasso is not None:
                reason = fault(graphs[number], result.lasso)
                if reason is not None:
                    raise ProgramError(f"{result.algorithm} reported a run that is none: {reason}")
            found[number].append(result)
    return found


def _results(command: list[str]) -> Iterator[tuple[int, Emptiness]]:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ProgramError(f"{Path(command[0]).name} ended with status {done.returncode}: {done.stderr.strip()}")
    lasso: dict[str, Any] | None = None
    before: dict[str, list[list[int]]] = {"prefix": [], "cycle": []}
    for line in done.stdout.splitlines():
        said: dict[str, Any] = json.loads(line)
        match said["type"]:
            case "steps":
                before[said["of"]] += said["names"]
            case "lasso":
                lasso = {**said, **{part: names + said[part] for part, names in before.items()}}
                before = {"prefix": [], "cycle": []}
            case "result":
                yield said["graph"], _result(said, lasso)
                lasso = None


def _result(said: dict[str, Any], lasso: dict[str, Any] | None) -> Emptiness:
    run = None
    if lasso is not None:
        run = Lasso(tuple(step for _, step in lasso["prefix"]), tuple(step for _, step in lasso["cycle"]))
    return Emptiness(
        said["algorithm"],
        said["verdict"],
        said["visited"],
        said["transitions"],
        said["stack"],
        said["states"],
        tuple(name for n, name in enumerate(LIMITS) if said["limits"] >> n & 1),
        run,
        lasso["met"] if lasso else 0,
        lasso["space"] if lasso else 0,
        bool(lasso and lasso["minimal"]),
    )
