"""Reading what the verifier `pan` prints."""

from __future__ import annotations

import re
from dataclasses import dataclass

_COUNT = {
    "stored": re.compile(r"^\s*([0-9.e+]+) states, stored", re.MULTILINE),
    "matched": re.compile(r"^\s*([0-9.e+]+) states, matched", re.MULTILINE),
    "transitions": re.compile(r"^\s*([0-9.e+]+) transitions \(", re.MULTILINE),
}
_ELAPSED = re.compile(r"^pan: elapsed time ([0-9.e+-]+) seconds", re.MULTILINE)
_REACHED = re.compile(r"depth reached (\d+)")
DEPTH_TOO_SMALL = "max search depth too small"
_ERROR = re.compile(r"^pan:\d+: (.*?)(?: \(at depth -?\d+\))?\s*$", re.MULTILINE)
_PROGRESS = re.compile(r"States=\s*([0-9.e+]+)")
_FATAL = re.compile(
    r"^(pan: (?!reached -DMEMLIM|wrote|elapsed|rate|out of memory)\D.*|error: (?!max search depth).*|cannot happen.*)$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Report:
    """One run of the verifier. `errors` maps a kind to the texts Spin printed; `unfinished` says why, or is empty.

    `depth` is that of its stack at most; `elapsed` is the time of the search by Spin's own clock, which leaves
    out the first clearing of its tables.
    """

    stored: int | None
    matched: int | None
    transitions: int | None
    errors: dict[str, list[str]]
    unfinished: str
    fatal: str
    elapsed: float | None
    depth: int


def progress(output: str) -> int:
    """The largest number of stored states mentioned in a progress line, 0 if there is none."""
    return max((int(float(text)) for text in _PROGRESS.findall(output)), default=0)


def kind_of(text: str) -> str:
    """Which of Clew's property kinds an error text of Spin belongs to."""
    if text.startswith("invalid end state"):
        return "deadlock"
    if text.startswith("assertion violated") and "invalid array index" not in text:
        return "assertion"
    if " precondition false: " in text:
        return "assertion"
    if text.startswith("event_trace"):
        return "trace"
    return "runtime-error"


def read(output: str) -> Report:
    """Parse the whole output of one run, complete or cut short."""
    counts: dict[str, int | None] = {}
    for name, pattern in _COUNT.items():
        found = pattern.search(output)
        counts[name] = int(float(found.group(1))) if found else None
    errors: dict[str, set[str]] = {}
    for text in _ERROR.findall(output):
        errors.setdefault(kind_of(text), set()).add(text)
    unfinished = ""
    if DEPTH_TOO_SMALL in output:
        unfinished = "depth"
    elif "reached -DMEMLIM" in output or "out of memory" in output:
        unfinished = "memory"
    elif "Search not completed" in output:
        unfinished = "stopped"
    elapsed = _ELAPSED.search(output)
    fatal = [line.strip() for line in _FATAL.findall(output)]
    return Report(
        counts["stored"],
        counts["matched"],
        counts["transitions"],
        {kind: sorted(texts) for kind, texts in sorted(errors.items())},
        unfinished,
        fatal[0] if fatal else "",
        float(elapsed[1]) if elapsed else None,
        max(map(int, _REACHED.findall(output)), default=0),
    )
