"""The tables of Chang and Jackson (2006) again: time and nodes for mutual exclusion and topological sort.

    python -m bench.relational.tables --most 6 --limit 600

Each entry is a process of its own; times are processor seconds for everything from the text to the last verdict.
Nodes are those of all step relations together, summaries of procedures included.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

from clew.core.diagnostics import DiagnosticBag
from clew.core.relational.program import Switches
from clew.frontends.relational.build import build as read
from clew.symbolic.relational.system import Options, build
from clew.symbolic.relational.verdicts import Verdicts

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "relational"
PAPER = {
    "mutex": {2: (0.05, 77), 3: (0.4, 1649), 4: (42.0, 93587), 5: (1512.0, 835049)},
    "topological_sort": {2: (0.07, 233), 3: (0.5, 1559), 4: (10.5, 11054), 5: (349.0, 283372)},
}
WAYS = {
    "static order": {},
    "reversed order": {"order": "reversed"},
    "sifted": {"order": "reversed", "sift": True},
    "one relation, all inputs": {"partitioned": False, "everything": True},
}  # the last is our baseline: neither partition nor inputs that occur


def one(model: str, n: int, foreach: str, ways: dict[str, object]) -> dict[str, object]:
    """Decides every assertion, and says what it took."""
    started = time.process_time()
    text = (EXAMPLES / f"{model}.rel").read_text()
    program = read(model, text, {"N": str(n)}, Switches(foreach=foreach), DiagnosticBag())  # type: ignore[arg-type]
    system = build(program, Options(**ways))  # type: ignore[arg-type]
    verdicts, holds = Verdicts(system), True
    for assertion in program.assertions:
        holds = holds and all(case.fails() == system.layout.bdd.false for case in verdicts.cases(assertion))
    bdd = system.layout.bdd
    relations = [part.meaning.relation for part in system.parts]
    relations += [summary.meaning.relation for summary in system.compiler.summaries.values()]
    return {
        "seconds": time.process_time() - started,
        "nodes": sum(map(bdd.size, relations)),
        "holds": holds,
        "reach": [system.count(reach) for reach, _ in verdicts._reached.values()],
    }


def measured(model: str, n: int, foreach: str, way: str, limit: float) -> str:
    """One cell of the table."""
    request = json.dumps([model, n, foreach, WAYS[way], limit])
    command = [sys.executable, "-W", "ignore", "-m", "bench.relational.tables", "--one", request]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == -signal.SIGXCPU:
        return f"not within {limit:.0f} s"
    if done.returncode:
        return f"failed: {done.stderr.strip().splitlines()[-1:] or done.returncode}"
    found = json.loads(done.stdout)
    paper = PAPER[model].get(n)
    factor = f", {paper[0] / found['seconds']:.0f}×" if paper and way == "static order" else ""
    verdict = "" if found["holds"] else " FAILS"
    return f"{found['seconds']:.2f} s, {found['nodes']:,} nodes{factor}{verdict}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one")
    parser.add_argument("--most", type=int, default=5)
    parser.add_argument("--limit", type=float, default=300.0, help="seconds of processor time for each entry")
    parser.add_argument("--ways", nargs="*", default=list(WAYS), choices=list(WAYS))
    arguments = parser.parse_args()
    if arguments.one:
        model, n, foreach, ways, limit = json.loads(arguments.one)
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), resource.getrlimit(resource.RLIMIT_CPU)[1]))
        print(json.dumps(one(model, n, foreach, ways)))
        return 0
    for model, foreach in (("mutex", "any"), ("topological_sort", "declared"), ("topological_sort", "any")):
        print(f"\n{model}, foreach {foreach}\n\n| N | paper | {' | '.join(arguments.ways)} |")
        print("|---|---|" + "---|" * len(arguments.ways))
        for n in range(2, arguments.most + 1):
            known = PAPER[model].get(n)
            cells = [f"{known[0]:g} s, {known[1]:,} nodes" if known else "out of memory"]
            cells += [measured(model, n, foreach, way, arguments.limit) for way in arguments.ways]
            print(f"| {n} | {' | '.join(cells)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
