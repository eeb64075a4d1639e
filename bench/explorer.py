"""How long the Explorer's server takes for what a page asks: `python -m bench.explorer`.

A run of 500 steps with 60 variables, and a graph of 2,000 states. Each request goes through the whole application, from
its bytes to the bytes of the answer, without a network. Measured is processor time, so that other work on the machine
does not count; the target is 100 ms for each. The first time is what a user sees first, the others are repetitions.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from clew.core.simulate import random_run
from clew.core.traces import Trace
from clew.host.checking import ModelOptions
from clew.host.live_checks import LiveChecks
from clew.host.saved_traces import SavedTrace
from clew.report.explorer.subject import Subject
from clew.web.app import application
from clew.web.guard import Guard
from clew.web.session import Session

TARGET = 0.1
STEPS, VARIABLES, STATES = 500, 60, 2000
TOKEN, PORT = "token", 4711

Ask = Callable[[], Any]


def model() -> str:
    """Five processes that send each other messages and count in 56 variables; far more than 2,000 states."""
    counters = "\n".join(f"byte v{number};" for number in range(VARIABLES - 5))
    lines = "\n".join(f"  :: v{number} = (v{number} + 1) % 7" for number in range(VARIABLES - 5))
    return f"""\
{counters}
chan link[5] = [2] of {{ byte, byte }};
active [5] proctype station() {{
  byte got;
  do
{lines}
  :: nfull(link[(_pid + 1) % 5]) -> link[(_pid + 1) % 5]!_pid,got
  :: link[_pid]?got,_
  od
}}
"""


class Page:
    """What a browser would send."""

    def __init__(self, session: Session) -> None:
        self.client = TestClient(Guard(application(session), TOKEN, PORT), base_url=f"http://127.0.0.1:{PORT}")

    def get(self, path: str) -> Any:
        answer = self.client.get(f"/{TOKEN}/{path}")
        assert answer.status_code == 200, answer.text
        return answer

    def post(self, path: str, **data: Any) -> Any:
        answer = self.client.post(f"/{TOKEN}/{path}", json=data)
        assert answer.status_code == 200, answer.text
        return answer


def measured(ask: Ask, repetitions: int) -> tuple[float, list[float], int]:
    """Processor time of the first request and of the others, and the size of the answer."""
    begin = time.process_time()
    size = len(ask().content)
    first = time.process_time() - begin
    times = []
    for _ in range(repetitions):
        begin = time.process_time()
        ask()
        times.append(time.process_time() - begin)
    return first, times, size


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--repetitions", type=int, default=10)
    repetitions = options.parse_args().repetitions
    gc.set_threshold(200_000, 50, 50)  # as the command does
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "stations.pml"
        file.write_text(model())
        session = Session(lambda: Subject.of_file(str(file), ModelOptions()), LiveChecks(Path(scratch)), None)
        report(session, repetitions)


def report(session: Session, repetitions: int) -> None:
    subject = session.subject
    trace: Trace = random_run(subject.book.space, 1, STEPS).trace()
    names = set(trace.initial.values) | {name for step in trace.steps for name in step.changes}
    print(f"a run of {len(trace)} steps with {len(names)} variables; a graph of {STATES} states\n")
    session.traces.append(SavedTrace("run", trace, None, "assertions"))
    page = Page(session)
    begin = time.process_time()
    along = page.post("api/traces/0/walk", position=STEPS).json()
    print(f"from the last step to the state space, the first time: {(time.process_time() - begin) * 1000:.1f} ms\n")
    slices, longest = 0, 0.0
    going_on = True
    while going_on:
        begin = time.process_time()
        going_on = page.post("api/grow", most=STATES).json()["going_on"]
        longest = max(longest, time.process_time() - begin)
        slices += 1
    graph = page.post("api/graph", what="all", most=STATES).json()
    shown = [node["states"][0] for node in graph["nodes"]]
    start, choices = along["start"], along["choices"]
    asked: list[tuple[str, Ask]] = [
        ("the trace view", lambda: page.get("api/traces/0")),
        ("a watch in all its states", lambda: page.post("api/traces/0/watch", text="v1 + v2 > 3 && len(link[0]) < 2")),
        ("export as Mermaid", lambda: page.get("api/traces/0/as/mermaid")),
        ("export as one HTML file", lambda: page.get("api/traces/0/as/html")),
        ("from its last step to the state space", lambda: page.post("api/traces/0/walk", position=STEPS)),
        ("a step, 500 steps deep", lambda: page.post("api/walk", start=start, choices=choices, watches=["v1 + v2"])),
        ("a step at the beginning", lambda: page.post("api/walk", start=start, choices=choices[:3])),
        ("the graph around the walk", lambda: page.post("api/graph", what="around", start=start, choices=choices)),
        ("all states, in layers", lambda: page.post("api/graph", what="all", most=STATES)),
        ("all states, by forces", lambda: page.post("api/graph", what="all", most=STATES, layout="force")),
        (
            "classes by a variable and a process",
            lambda: page.post("api/graph", what="all", most=STATES, by=["v1", "v2"]),
        ),
        ("colours by an expression", lambda: page.post("api/colours", states=shown, by="v1 + v2")),
        ("the way to a state", lambda: page.post("api/path", state=shown[-1])),
        ("automata", lambda: page.get("api/automata")),
        ("status", lambda: page.get("api/status")),
    ]
    print("| request | first, ms | median, ms | longest, ms | kB |\n|---|--:|--:|--:|--:|")
    late = []
    for title, ask in asked:
        first, times, size = measured(ask, repetitions)
        print(
            f"| {title} | {first * 1000:.1f} | {statistics.median(times) * 1000:.1f} | {max(times) * 1000:.1f} "
            f"| {size / 1000:.0f} |"
        )
        if max(first, *times) > TARGET:
            late.append(title)
    print(f"\nexploring {STATES} states: {slices} requests, the longest {longest * 1000:.1f} ms")
    print(f"nodes drawn: {len(graph['nodes'])}, edges: {len(graph['edges'])}")
    print(f"longer than {TARGET * 1000:.0f} ms: {', '.join(late) or 'none'}")


if __name__ == "__main__":
    main()
