"""One run of a compiled verifier."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.common import child

from . import output


@dataclass(frozen=True, slots=True)
class Search:
    """What became of a run.

    `outcome` is `counted` (numbers are those of the full state space), `limit` (`limit` says which: watch, time, depth,
    memory) or `aborts` (the verifier gave up: the reason is in `message`).
    """

    outcome: str
    limit: str
    message: str
    report: output.Report
    used: child.Finished


def search(
    scratch: Path,
    depth: int,
    options: Sequence[str],
    *,
    name: str = "pan",
    seconds: float,
    cpu_seconds: int | None = None,
    megabytes: int,
    watch: Callable[[str], bool] | None = None,
) -> Search:
    """Run the verifier `name` of `scratch` with a depth bound. With `watch`, its output is seen as it is printed.

    `megabytes` is what it was compiled for; the address space may be a little larger.
    """
    argv = [f"./{name}", f"-m{depth}", *options]
    if watch is not None:
        argv = ["stdbuf", "-oL", *argv]
    done = child.run(
        argv,
        cwd=scratch,
        seconds=seconds,
        cpu_seconds=cpu_seconds,
        megabytes=megabytes + 1024,
        watch=watch,
        merge=True,
    )
    report = output.read(done.stdout)
    return Search(*_judge(done, report), report, done)


def _judge(done: child.Finished, report: output.Report) -> tuple[str, str, str]:
    """Outcome, limit and message."""
    if report.unfinished == "depth":
        return "limit", "depth", ""
    if done.stopped:
        return "limit", done.stopped, ""
    if report.unfinished == "memory":
        return "limit", "memory", ""
    if done.status < 0:
        return "aborts", "", f"killed by {signal.Signals(-done.status).name}"
    if report.unfinished or done.status != 0 or report.stored is None:
        last = [texts[-1] for texts in report.errors.values()][-1:]
        reason = "; ".join(part for part in [report.fatal, *last] if part)
        return "aborts", "", reason or done.stdout.strip()[-300:]
    return "counted", "", ""
