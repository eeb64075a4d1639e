"""The `replay` command: does Spin reach the same error along a trace of Clew?

A guided simulation (`spin -t`) is no judge: it takes an `else` or a d_step whether or not it is executable. So the
verifier itself is asked. `pan.c` gets a hook that gives up every state whose path leaves the trace: the n-th step must
be one of the process the trace names, at the line it names. What several transitions on one line leave open, Spin
searches. An error whose trail agrees with the whole trace confirms it; that trail can be kept and shown by `spin -t`.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from bench.common import child
from bench.spin.build import FULL_SEARCH, GRANULARITY, pan_compiler
from bench.spin.output import kind_of

_TRANSITION = re.compile(r"-\(tr\s+(\d+)\)-> state\s+\d+\s+\[id\s+(\d+) tp [^]]*] \[\S+\] \S.*?:(\d+) => (.*)$")
_SOURCE = re.compile(r"case (\d+): // STATE \d+ - \S.*?:(\d+) - \[", re.MULTILINE)
_ERROR = re.compile(r"^pan:(\d+): (.*?) \(at depth", re.MULTILINE)
_DECLARATION = re.compile(r"(?:bit|bool|byte|pid|short|int|unsigned|mtype|chan)\b[^=]*?(\w+)")
_TAKEN = re.compile(r"^clew: (\d+)$", re.MULTILINE)
_STORE = "II = h_store((char *)&now, vsize);"
_HOOK = """
int
clew_leaves_trace(void)
{
	static long deepest = 0;
	long i, j;
	for (i = 1; i <= depth; i++) {
		Trail *frame = getframe(i);
		if (!frame->o_t || i > CLEW_STEPS)
			return 1;
		if (frame->pr != clew_pid[i - 1])
			return 1;
		for (j = clew_first[i - 1]; j < clew_first[i]; j++)
			if (frame->o_t->t_id == clew_id[j])
				break;
		if (j == clew_first[i])
			return 1;
		if (i > deepest)
			printf("clew: %ld\\n", deepest = i);
	}
	return 0;
}
"""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a process: a half of a handshake counts as one. Without a line, any statement will do."""

    pid: int
    line: int | None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Transition:
    """What a number in a trail file stands for; without a line it may be anywhere (`else`, `skip`, `goto`)."""

    number: int
    line: int | None
    text: str

    def fits(self, step: Step) -> bool:
        """May this transition be that step?

        A d_step is known by the line it starts on. Spin has a declaration that is a step on the line of what follows,
        and what comes from an inline on the line of its definition: there the text decides.
        """
        if step.line is None or self.line is None or self.line == step.line or _bare(self.text) == _bare(step.text):
            return True
        if self.text.startswith("D_STEP"):
            return self.line < step.line
        declared = _DECLARATION.match(step.text)
        if declared is not None:
            return self.line > step.line and re.match(rf"{declared.group(1)}\b", self.text) is not None
        return self.text == "-end-" and "end" in step.text


@dataclass(frozen=True, slots=True)
class Replay:
    """`error` is the kind of the error Spin finds at the end of the trace, empty if none; `message` its words."""

    error: str
    message: str
    trail: str = ""


def read_trace(trace: dict[str, Any]) -> list[Step]:
    """The only place that knows the layout of `clew.trace/1`."""
    if trace.get("schema") != "clew.trace/1":
        raise ValueError("this is not a clew.trace/1")
    steps = []
    for entry in trace["steps"]:
        steps.append(Step(int(entry["pid"]), _line(entry, "span"), str(entry.get("text", ""))))
        if entry.get("partner") is not None:
            steps.append(Step(int(entry["partner"]), _line(entry, "partner_span"), str(entry.get("partner_text", ""))))
    return steps


def _bare(text: str) -> str:
    """The first statement of a merged step without blanks and parentheses, increments spelled out as Spin does."""
    first = next((part for part in text.split(";") if part.strip()), "")
    return re.sub(r"^(.+)([+-])\2$", r"\1=\1\g<2>1", re.sub(r"[\s()]", "", first))


def _line(entry: dict[str, Any], key: str) -> int | None:
    """The source line of a step, None where the trace has none."""
    span = entry.get(key)
    return int(span["line"]) if span else None


def find_trace(file: Path, name: str | None) -> dict[str, Any]:
    """A trace by itself, or that of a property (the first that has one) in a result of `clew check --json`."""
    data: dict[str, Any] = json.loads(file.read_text())
    if data.get("schema") != "clew.result/1":
        return data
    for entry in data["properties"]:
        if entry.get("trace") and name in (None, entry["name"], entry["kind"]):
            trace: dict[str, Any] = entry["trace"]
            return trace
    raise ValueError(f"{file.name} has no trace{f' of {name}' if name else ''}")


def read_transitions(listing: str, moves: str) -> list[Transition]:
    """Join the table of `pan -d` with the lines of statements in `pan.m`.

    The table shows the line of the state in front, which all options of a choice share. The moves 1 and 2 are shared
    by all statements that do nothing.
    """
    lines = {int(move): int(line) for move, line in _SOURCE.findall(moves)}
    found = []
    for row in listing.splitlines():
        match = _TRANSITION.search(row)
        if match:
            move, number, _, text = match.groups()
            found.append(Transition(int(number), lines.get(int(move)), text.strip()))
    return found


def constraint(steps: list[Step], transitions: list[Transition]) -> str:
    """The hook with its tables: for each step the pid and the transitions it may be."""
    first, numbers = [0], list[int]()
    for step in steps:
        numbers += sorted({transition.number for transition in transitions if transition.fits(step)})
        first.append(len(numbers))
    tables = {"clew_pid": [step.pid for step in steps], "clew_first": first, "clew_id": numbers}
    arrays = [
        f"static const long {name}[] = {{ {', '.join(map(str, [*values, 0]))} }};" for name, values in tables.items()
    ]
    return "\n".join([f"#define CLEW_STEPS {len(steps)}", *arrays, _HOOK])


def follows(trail: str, steps: list[Step], transitions: list[Transition]) -> bool:
    """Is this trail file one of the ways to read the whole trace?"""
    known = {transition.number: transition for transition in transitions}
    rows = [tuple(map(int, row.split(":"))) for row in trail.split()]
    taken = [(pid, known.get(number)) for depth, pid, number in rows if depth > 0]
    if len(taken) != len(steps):
        return False
    return all(
        pid == step.pid and transition is not None and transition.fits(step)
        for (pid, transition), step in zip(taken, steps, strict=True)
    )


def replay(model: Path, steps: list[Step], granularity: str = "default", expect: str | None = None) -> Replay:
    """Search the model along the trace; raises RuntimeError when Spin does not accept the model.

    A trace may end in several errors: the answer is the one of the kind `expect`, or else the first.
    """
    found: list[Replay] = []
    with tempfile.TemporaryDirectory(prefix="conformance-") as folder:
        scratch = Path(folder)
        transitions = _generate(model.resolve(), scratch, granularity)
        source = (scratch / "pan.c").read_text()
        if source.count(_STORE) != 1:
            raise RuntimeError("this version of Spin generates a verifier that cannot be steered")
        steered = source.replace(_STORE, f"{_STORE} II = clew_leaves_trace() ? 1 : 0;")
        hook = constraint(steps, transitions)
        (scratch / "pan.c").write_text(f"int clew_leaves_trace(void);\n{steered}\n{hook}\n")
        _compile(scratch)
        depth = max(1000, 2 * len(steps))
        done = child.run(["./pan", "-c0", "-e", f"-m{depth}", "-w16"], cwd=scratch, seconds=120, merge=True)
        for trail, text in _trails(scratch, model.name, done.stdout):
            if follows(trail, steps, transitions):
                found.append(Replay(kind_of(text), text, trail))
    for outcome in found:
        if expect in (None, outcome.error):
            return outcome
    if found:
        return found[0]
    return Replay("", _where_lost(done.stdout, steps))


def _where_lost(output: str, steps: list[Step]) -> str:
    """How far Spin could follow. The inside of an atomic sequence is judged only when it has been left."""
    taken = max(map(int, _TAKEN.findall(output)), default=0)
    if taken >= len(steps):
        return "Spin follows the trace but finds no error at its end"
    step = steps[taken]
    return f"Spin follows {taken} of {len(steps)} steps, but not pid {step.pid} at line {step.line}: {step.text}"


def _trails(scratch: Path, name: str, output: str) -> Iterator[tuple[str, str]]:
    """The trail of each error with its text; Spin prints a text only when it differs from the one before."""
    texts = {int(number): text for number, text in _ERROR.findall(output)}
    text = ""
    for number in count(1):
        text = texts.get(number, text)
        trail = scratch / f"{name}{number}.trail"
        if not trail.exists():
            return
        yield trail.read_text(), text


def _generate(model: Path, scratch: Path, granularity: str) -> list[Transition]:
    """Make the verifier in `scratch` and list its transitions."""
    shutil.copyfile(model, scratch / model.name)
    include = "-E-I" + shlex.quote(str(model.parent))
    done = child.run(
        ["spin", "-a", *GRANULARITY[granularity], include, model.name], cwd=scratch, seconds=60, merge=True
    )
    if done.status != 0:
        raise RuntimeError(f"Spin rejects the model: {done.stdout.strip()[:300]}")
    _compile(scratch)
    listing = child.run(["./pan", "-d"], cwd=scratch, seconds=60, merge=True)
    return read_transitions(listing.stdout, (scratch / "pan.m").read_text())


def _compile(scratch: Path) -> None:
    argv = [pan_compiler(), "-w", "-O0", *FULL_SEARCH, "-DVECTORSZ=30000", "-o", "pan", "pan.c"]
    done = child.run(argv, cwd=scratch, seconds=300, merge=True)
    if done.status != 0:
        raise RuntimeError(f"the C compiler rejects the verifier: {done.stdout.strip()[:300]}")


def main(arguments: list[str]) -> int:
    """0 when Spin follows the trace to an error (of the expected kind, if one is named), else 1."""
    parser = argparse.ArgumentParser(prog="python -m bench.conformance replay", description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("trace", type=Path, help="a clew.trace/1 file, or the clew.result/1 of a check")
    parser.add_argument("--property", help="name or kind of the property in a result (the first with a trace)")
    parser.add_argument("--granularity", choices=["default", "fine"], default="default", help="that of the trace")
    parser.add_argument("--expect", choices=["assertion", "deadlock", "runtime-error"], help="the error it must end in")
    parser.add_argument("--trail", type=Path, metavar="OUT", help="keep the trail file")
    chosen = parser.parse_args(arguments)
    try:
        outcome = replay(
            chosen.model, read_trace(find_trace(chosen.trace, chosen.property)), chosen.granularity, chosen.expect
        )
    except (RuntimeError, ValueError, KeyError, OSError) as problem:
        parser.error(str(problem))
    if chosen.trail and outcome.trail:
        chosen.trail.write_text(outcome.trail)
    print(f"{outcome.error or 'not confirmed'}: {outcome.message}")
    return 0 if outcome.error and outcome.error == (chosen.expect or outcome.error) else 1
