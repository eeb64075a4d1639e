"""The `replay` command: does Spin reach the same error along a trace of Clew?

`pan -d` prints the transitions of each proctype with their numbers and source lines; a trail file names one of them
per step. The steps of a Clew trace carry pid, process and line, so the trail is found by following control flow: at
each step the transitions of that process at that line are tried, those whose text agrees first, and alternatives are
taken up when a later step has nowhere to go or Spin refuses the trail.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from . import child
from .spin_peer import GRANULARITY

TRAILS_TRIED = 200
_TRANSITION = re.compile(
    r"^\s+state\s+(\d+) -\(tr\s+\d+\)-> state\s+(\d+)\s+\[id\s+(\d+) tp\s+\d+\] \[\S+\] .*?:(\d+) => (.*)$", re.MULTILINE
)
_PROCTYPE = re.compile(r"^(?:proctype (\S+)|(init))\s*$", re.MULTILINE)
_NUMBER = re.compile(r"#define _nstates(\d+)\s+\d+\s*/\* (\S+) \*/")
_START = re.compile(r"#define _start(\d+)\s+(\d+)")
_RUN = re.compile(r"\brun (\w+)\(")
_LOST = re.compile(r"no matching stmnt|lost trail|transition failed|stop error|invalid statement|no process|cannot find trail")
_FINAL = re.compile(r"^\s*\d+:\tproc\s+\d+ \(.*\(state \d+\)\s*(<valid end state>)?\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a trace; `partner` is the receiver of a handshake that is written as one step."""

    pid: int
    process: str
    line: int
    text: str
    partner: int | None = None


@dataclass(frozen=True, slots=True)
class Transition:
    """One line of the table that `pan -d` prints; the target 0 is the end of the process."""

    target: int
    number: int
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Automata:
    """The transitions of each proctype by state, and where each begins."""

    transitions: dict[str, dict[int, list[Transition]]]
    start: dict[str, int]


@dataclass(frozen=True, slots=True)
class Replay:
    """`error` is what Spin says at the end of the trail: `assertion`, `deadlock`, `runtime-error`, or empty.

    `deadlock` means that some process is not at a valid end; that none can move is not what a guided simulation tests.
    """

    replayed: bool
    error: str
    message: str
    trail: str


def read_trace(file: Path) -> list[Step]:
    """The only place that knows the layout of `clew.trace/1`."""
    data = json.loads(file.read_text())
    if data.get("schema") != "clew.trace/1":
        raise ValueError(f"{file.name} is not a clew.trace/1")
    steps = []
    for entry in data["steps"]:
        name = str(entry.get("process", ""))
        partner = entry.get("partner")
        steps.append(
            Step(
                int(entry["pid"]),
                "init" if name == ":init:" else name,
                int(entry["line"]),
                str(entry.get("text", "")),
                None if partner is None else int(partner),
            )
        )
    return steps


def read_table(listing: str) -> dict[str, dict[int, list[Transition]]]:
    """Parse the output of `pan -d`."""
    heads = list(_PROCTYPE.finditer(listing))
    found: dict[str, dict[int, list[Transition]]] = {}
    for head, following in zip(heads, [*heads[1:], None]):
        section = listing[head.end() : following.start() if following else len(listing)]
        states = found.setdefault(head.group(1) or "init", {})
        for source, target, number, line, text in _TRANSITION.findall(section):
            states.setdefault(int(source), []).append(Transition(int(target), int(number), int(line), text.strip()))
    return found


def read_starts(header: str) -> dict[str, int]:
    """The first state of each proctype, from `pan.h`."""
    names = {number: "init" if name == ":init:" else name for number, name in _NUMBER.findall(header)}
    return {names[number]: int(state) for number, state in _START.findall(header) if number in names}


def trails(steps: list[Step], automata: Automata) -> Iterator[list[tuple[int, int]]]:
    """All ways to name the steps by transitions, the most plausible first; each is a list of (pid, transition)."""

    def follow(index: int, where: dict[int, tuple[str, int]], done: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
        if index == len(steps):
            yield done
            return
        step = steps[index]
        for transition in _candidates(step, step.pid, where, automata):
            after = _moved(where, step.pid, transition, automata)
            taken = [*done, (step.pid, transition.number)]
            if step.partner is None:
                yield from follow(index + 1, after, taken)
                continue
            name, state = after.get(step.partner, ("", 0))
            for answer in automata.transitions.get(name, {}).get(state, []):
                if "?" in answer.text:
                    moved = _moved(after, step.partner, answer, automata)
                    yield from follow(index + 1, moved, [*taken, (step.partner, answer.number)])

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 4 * len(steps) + 1000))
    try:
        yield from follow(0, {}, [])
    finally:
        sys.setrecursionlimit(limit)


def _candidates(step: Step, pid: int, where: dict[int, tuple[str, int]], automata: Automata) -> list[Transition]:
    """Transitions of the process at the line of the step; a pid not seen before is at the start of its proctype."""
    if pid not in where:
        where[pid] = (step.process, automata.start.get(step.process, 1))
    name, state = where[pid]
    possible = [t for t in automata.transitions.get(name, {}).get(state, []) if t.line == step.line]
    return sorted(possible, key=lambda transition: _bare(transition.text) != _bare(step.text))


def _moved(
    where: dict[int, tuple[str, int]], pid: int, transition: Transition, automata: Automata
) -> dict[int, tuple[str, int]]:
    """Control points behind a transition. A process that has ended is forgotten: its pid may be used again."""
    after = dict(where)
    if transition.target == 0:
        after.pop(pid, None)
    else:
        after[pid] = (where[pid][0] if pid in where else "", transition.target)
    return after


def _bare(text: str) -> str:
    return re.sub(r"[\s()]", "", text)


def replay(model: Path, trace: Path, granularity: str = "default") -> Replay:
    """Find a trail for the trace and let Spin walk along it."""
    steps = read_trace(trace)
    with tempfile.TemporaryDirectory(prefix="conformance-") as folder:
        scratch = Path(folder)
        automata = _tables(model.resolve(), scratch, granularity)
        tried = 0
        message = "no path of control fits the steps of the trace"
        for trail in islice(trails(steps, automata), TRAILS_TRIED):
            tried += 1
            text = _trail_text(trail, granularity)
            outcome = _guided(model.name, scratch, text)
            if outcome.replayed:
                return outcome
            message = f"{outcome.message} ({tried} trails tried)"
    return Replay(False, "", message, "")


def _tables(model: Path, scratch: Path, granularity: str) -> Automata:
    """Generate the verifier and read its tables; raises RuntimeError when Spin does not accept the model."""
    shutil.copyfile(model, scratch / model.name)
    include = f"-E-I{model.parent}"
    commands = [
        ["spin", "-a", *GRANULARITY[granularity], include, model.name],
        ["gcc", "-w", "-O0", "-DNOREDUCE", "-DSAFETY", "-DNOCLAIM", "-o", "pan", "pan.c"],
        ["./pan", "-d"],
    ]
    for command in commands:
        done = child.run(command, cwd=scratch, seconds=120, merge=True)
        if done.status != 0 and command[0] != "./pan":
            raise RuntimeError(f"{command[0]}: {done.stdout.strip()[:300]}")
    return Automata(read_table(done.stdout), read_starts((scratch / "pan.h").read_text()))


def _trail_text(trail: list[tuple[int, int]], granularity: str) -> str:
    """A trail file; its first line tells Spin that statements were merged."""
    merged = ["-4:-4:-4"] if granularity == "default" else []
    return "\n".join([*merged, *(f"{depth}:{pid}:{number}" for depth, (pid, number) in enumerate(trail, 1))]) + "\n"


def _guided(model: str, scratch: Path, trail: str) -> Replay:
    """A guided simulation; it has to come to the end of the trail or to an error."""
    (scratch / "clew.trail").write_text(trail)
    include = "-E-I" + str(scratch)
    done = child.run(["spin", "-t", "-p", "-k", "clew.trail", include, model], cwd=scratch, seconds=60, merge=True)
    lost = _LOST.search(done.stdout)
    if lost is not None:
        return Replay(False, "", f"Spin leaves the trail: {lost.group(0)}", trail)
    error = ""
    if "assertion violated" in done.stdout:
        error = "assertion"
    elif "Error:" in done.stdout:
        error = "runtime-error"
    elif any(not valid for valid in _FINAL.findall(done.stdout.split("#processes:")[-1])):
        error = "deadlock"
    return Replay(True, error, done.stdout.strip()[-1500:], trail)


def main(arguments: list[str]) -> int:
    """0 when Spin follows the trace to an error (of the expected kind, if one is named), else 1."""
    parser = argparse.ArgumentParser(prog="python -m bench.conformance replay", description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("trace", type=Path, help="a clew.trace/1 file")
    parser.add_argument("--granularity", choices=["default", "fine"], default="default", help="at which the trace was found")
    parser.add_argument("--expect", choices=["assertion", "deadlock", "runtime-error"], help="the error it must end in")
    parser.add_argument("--trail", type=Path, metavar="OUT", help="keep the trail file")
    chosen = parser.parse_args(arguments)
    outcome = replay(chosen.model, chosen.trace, chosen.granularity)
    if not outcome.replayed:
        print(f"not replayed: {outcome.message}")
        return 1
    if chosen.trail:
        chosen.trail.write_text(outcome.trail)
    print(f"replayed by Spin: ends in {outcome.error or 'no error'}")
    return 0 if outcome.error and outcome.error == (chosen.expect or outcome.error) else 1
