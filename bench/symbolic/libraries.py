"""The same sets of states by OxiDD, with one thread and with two, and by CUDD: processor time and nodes."""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
from pathlib import Path

from clew.core.engines import Request
from clew.core.registry import load_engine
from clew.host.checking import ModelOptions, load_text

ROOT = Path(__file__).parent.parent.parent
MODELS = (
    ("examples/promela/leader_election.pml", {}),
    ("examples/promela/sort_pipeline.pml", {}),
    ("examples/promela/lockfree_queue.pml", {}),
    ("examples/promela/token_ring.pml", {}),
    ("bench/symbolic/models/philosophers.pml", {"N": "20"}),
    ("bench/symbolic/models/token_ring.pml", {"N": "10"}),
    ("bench/symbolic/models/fifo_chain.pml", {"N": "20"}),
    ("bench/symbolic/models/elevator.pml", {"N": "12"}),
    ("bench/symbolic/models/counters.pml", {"N": "10"}),
)
WAYS = {
    "OxiDD": {"diagrams": "oxidd", "workers": 1},
    "OxiDD, 2 threads": {"diagrams": "oxidd", "workers": 2},
    "CUDD": {"diagrams": "cudd"},
    "CUDD, sifted": {"diagrams": "cudd", "sift": True},
}


def one(path: str, defines: dict[str, str], way: str, limit: float) -> dict[str, object]:
    """Counts the states of a model, reading it and the start of Python left out. The process is killed beyond so many
    seconds of processor time."""
    text = (ROOT / path).read_text()
    network = load_text(path, text, ModelOptions(language="promela", defines=defines), counting=True).network
    before = _spent()
    resource.setrlimit(resource.RLIMIT_CPU, (int(before + limit) + 1, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    answer = load_engine("symbolic").run(Request(network, (), options=WAYS[way]))
    return {"states": answer.statistics.states, "seconds": _spent() - before}


def table(limit: float) -> str:
    """Markdown; fails where two libraries count different states."""
    rows = [f"| model | states | {' | '.join(WAYS)} |", "|---|---|" + "---|" * len(WAYS)]
    for path, defines in MODELS:
        counts, cells = set[int](), list[str]()
        for way in WAYS:
            command = [sys.executable, "-m", "bench.symbolic", "libraries", "--limit", str(limit)]
            request = json.dumps([path, defines, way])
            done = subprocess.run([*command, "--one", request], capture_output=True, text=True, check=False)
            if done.returncode == -signal.SIGXCPU:
                cells.append(f"not within {limit:.0f} s")
                continue
            if done.returncode:
                raise RuntimeError(f"{path}, {way}: {done.stderr}")
            found = json.loads(done.stdout)
            counts.add(found["states"])
            cells.append(f"{found['seconds']:.2f} s")
        assert len(counts) == 1, f"{path}: {counts}"
        size = "".join(f" {value}" for value in defines.values())
        rows.append(f"| {Path(path).stem}{size} | {counts.pop():,} | {' | '.join(cells)} |")
        print(rows[-1], file=sys.stderr, flush=True)
    return "\n".join(rows)


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
