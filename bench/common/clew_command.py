"""Clew through its command, asked the same questions as the peer."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from . import child, warm
from .quick_c import FEW_STATES, tcc_command

VIOLATED = "violated"
COMPARED_KINDS = ("assertion", "deadlock", "runtime-error")
"""Kinds of properties that Spin decides as well when the claim of a model is left out."""
COMPARED = ("assertions", "deadlock", "runtime-errors")
"""The properties of these kinds, which every model has."""
MORE_STATES = 10
"""How many times the states of a count a check may visit: it merges fewer statements where Spin is too bold."""


@dataclass(frozen=True, slots=True)
class ClewLimits:
    """Bounds of one run of the command."""

    seconds: float = 120.0
    max_states: int | None = 100_000
    megabytes: int = 8192


@dataclass(frozen=True, slots=True)
class ClewResult:
    """What Clew makes of a model.

    `outcome` is `counted`, `rejects` (exit status 3), `limit`, or `defect`: an internal error, a Python traceback, an
    exit status or a JSON object that does not follow the documented form. `errors` maps property kinds to the reasons
    of the violated ones; None when the verdicts were not asked for or not decided. `traces` has one for each kind.
    `seconds` and `peak_bytes` are those of the search as Clew measures them; the rest is of the whole command.
    """

    outcome: str
    message: str = ""
    stored: int | None = None
    states: int | None = None
    transitions: int | None = None
    errors: dict[str, list[str]] | None = field(default=None)
    traces: dict[str, dict[str, Any]] = field(default_factory=dict)
    seconds: float = 0.0
    peak_bytes: int = 0
    warnings: tuple[str, ...] = ()
    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0

    @property
    def accepted(self) -> bool:
        return self.outcome in ("counted", "limit")


@dataclass(frozen=True, slots=True)
class ClewCommand:
    """The `clew` executable, how long it may run, and options for every question.

    `warm`: the same sources as this checkout's, so that a process that has them loaded can be forked. `compiler`: what
    compiles the models, if not what Clew would take.
    """

    path: Path
    limits: ClewLimits
    options: tuple[str, ...] = ()
    warm: bool = False
    compiler: str | None = None

    def quickly(self) -> ClewCommand:
        """The same with tcc, where it is installed: only for small models and one worker."""
        limits = replace(self.limits, max_states=FEW_STATES)
        return replace(self, limits=limits, options=(*self.options, "--workers", "1"), compiler=tcc_command())

    def verify(self, model: Path, granularity: str, counts_only: bool = False) -> ClewResult:
        """Count, then check; the verdicts are asked for only when the count is complete."""
        counted = self.count(model, granularity)
        if counted.outcome != "counted" or counts_only:
            return counted
        checked = self.check(model, granularity)
        if checked.outcome == "defect":
            return checked
        return ClewResult(
            counted.outcome,
            checked.message,
            counted.stored,
            counted.states,
            counted.transitions,
            checked.errors,
            checked.traces,
            counted.seconds + checked.seconds,
        )

    def count(self, model: Path, granularity: str) -> ClewResult:
        """`clew count`: the size of the state space."""
        answer, early, used = self._ask("count", model, granularity)
        if early is not None:
            return early
        statistics = answer.get("statistics")
        if not isinstance(statistics, dict) or "stored" not in statistics:
            return ClewResult("defect", f"no statistics in the result: {str(answer)[:200]}")
        outcome = "counted" if statistics.get("complete") else "limit"
        return ClewResult(
            outcome,
            "; ".join(str(limit) for limit in answer.get("limits_hit", [])),
            statistics["stored"],
            statistics.get("states"),
            statistics.get("transitions"),
            seconds=float(statistics.get("seconds", 0.0)),
            peak_bytes=int(statistics.get("peak_bytes") or 0),
            warnings=tuple(map(str, answer.get("warnings", []))),
            wall_seconds=used.seconds,
            cpu_seconds=used.cpu_seconds,
        )

    def check(self, model: Path, granularity: str) -> ClewResult:
        """`clew check --keep-going`: which kinds of properties are violated, formulas and claims left out."""
        wanted = [f"--property={name}" for name in COMPARED]
        answer, early, _ = self._ask("check", model, granularity, "--keep-going", *wanted)
        if early is not None:
            return early
        properties = answer.get("properties")
        if not isinstance(properties, list):
            return ClewResult("defect", f"no properties in the result: {str(answer)[:200]}")
        errors: dict[str, set[str]] = {}
        traces: dict[str, dict[str, Any]] = {}
        for entry in properties:
            if entry.get("verdict") == VIOLATED:
                if entry.get("trace"):
                    traces.setdefault(str(entry.get("kind")), entry["trace"])
                errors.setdefault(str(entry.get("kind")), set()).add(str(entry.get("reason") or entry.get("name")))
        for entry in properties:
            behind_error = "runtime-error" in errors  # nothing is explored behind one, so others may stay open
            if entry.get("kind") in COMPARED_KINDS and entry.get("verdict") == "unknown" and not behind_error:
                return ClewResult("limit", f"{entry.get('kind')}: unknown: {entry.get('reason')}")
        listed = {kind: sorted(texts) for kind, texts in sorted(errors.items())}
        return ClewResult("counted", errors=listed, traces=traces)

    def _ask(
        self, verb: str, model: Path, granularity: str, *more: str
    ) -> tuple[dict[str, Any], ClewResult | None, child.Finished]:
        """One run of the command: its JSON object, or the result that there is when it has none."""
        argv = [verb, str(model.resolve()), "--json", "--granularity", granularity]
        argv += ["--language", "promela"]  # some models have no extension that says so
        argv += [*self.options, *more, "--max-time", str(int(self.limits.seconds))]
        if self.limits.max_states is not None:
            room = 1 if verb == "count" or self.compiler else MORE_STATES
            argv += ["--max-states", str(room * self.limits.max_states)]
        with tempfile.TemporaryDirectory(prefix="clew-run-") as scratch:  # a run leaves files where it is started
            done = self.run(argv, Path(scratch), self.limits.seconds + 30)
        return *_understand(verb, done), done

    def run(self, arguments: list[str], scratch: Path, seconds: float) -> child.Finished:
        """The command with any arguments, in a folder for what it leaves behind."""
        megabytes = self.limits.megabytes
        environment = {} if self.compiler is None else {"CC": self.compiler}
        if self.warm:
            return warm.run(arguments, cwd=scratch, seconds=seconds, megabytes=megabytes, environment=environment)
        prefix = ["env", *(f"{name}={value}" for name, value in environment.items())] if environment else []
        return child.run([*prefix, str(self.path), *arguments], cwd=scratch, seconds=seconds, megabytes=megabytes)


def _understand(verb: str, done: child.Finished) -> tuple[dict[str, Any], ClewResult | None]:
    complaint = _last_lines(done.stderr)
    if done.stopped:
        return {}, ClewResult("defect", f"clew {verb} outlived its own --max-time")
    if "Traceback (most recent call last)" in done.stderr:
        return {}, ClewResult("defect", f"clew {verb}: traceback: {complaint}")
    if done.status == 3:
        return {}, ClewResult("rejects", _located(done.stderr) or complaint)
    if done.status not in (0, 1, 2):
        return {}, ClewResult("defect", f"clew {verb}: exit status {done.status}: {complaint}")
    try:
        answer = json.loads(done.stdout)
    except ValueError as problem:
        return {}, ClewResult("defect", f"clew {verb}: not JSON on standard output: {problem}")
    if not isinstance(answer, dict):
        return {}, ClewResult("defect", f"clew {verb}: not an object on standard output")
    return answer, None


def _located(stderr: str) -> str:
    """The first line of the form `file:line:col: error: …`, without the folder."""
    for line in stderr.splitlines():
        if ": error: " in line:
            return line.strip().rsplit("/", 1)[-1] if "/" in line.split(": error: ")[0] else line.strip()
    return ""


def _last_lines(text: str, count: int = 2) -> str:
    return " | ".join(line.strip() for line in text.strip().splitlines()[-count:])
