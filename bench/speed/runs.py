"""One measured search, several of them, and what their medians say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import Any

PAN, COLLAPSE, CLEW, CLEW_TWO, LTSMIN = "pan", "pan -DCOLLAPSE", "Clew", "Clew, 2 workers", "LTSmin"


@dataclass(frozen=True, slots=True)
class Run:
    """`seconds` is the time of the search as the tool measures it; wall and processor time are of the whole command.

    `bytes` is resident memory of the process that searches, at its peak.
    """

    states: int
    transitions: int
    seconds: float
    wall_seconds: float
    cpu_seconds: float
    bytes: int


@dataclass(slots=True)
class Measured:
    """The rounds of one model by tool; None stands for a run that hit a limit or failed."""

    model: str
    rounds: dict[str, list[Run | None]] = field(default_factory=dict)

    def add(self, tool: str, run: Run | None) -> None:
        self.rounds.setdefault(tool, []).append(run)

    @property
    def fewest_rounds(self) -> int:
        """Of those that are timed."""
        return min((len(runs) for tool, runs in self.rounds.items() if tool != COLLAPSE), default=0)

    def lacks(self, tool: str, rounds: int) -> bool:
        """Whether it is to run once more. Of COLLAPSE only the memory counts, which is always the same."""
        return len(self.rounds.get(tool, ())) < (1 if tool == COLLAPSE else rounds)

    def complete(self, tool: str) -> list[Run]:
        """The rounds of a tool, none of them if one failed."""
        runs = self.rounds.get(tool, [])
        return [run for run in runs if run is not None] if None not in runs else []

    def seconds(self, tool: str) -> float | None:
        """The median; never 0, since the clock of Spin ticks in hundredths."""
        return _median([max(run.seconds, 0.001) for run in self.complete(tool)])

    def bytes_per_state(self, tool: str) -> float | None:
        return _median([run.bytes / max(1, run.states) for run in self.complete(tool)])

    def ratio(self, tool: str, than: str, figure: str) -> float | None:
        """How many times as much of `figure` (`seconds` or `bytes_per_state`) `tool` takes."""
        theirs, ours = getattr(self, figure)(tool), getattr(self, figure)(than)
        return None if theirs is None or ours is None else theirs / ours

    @property
    def states(self) -> int:
        return max((run.states for runs in self.rounds.values() for run in runs if run is not None), default=0)

    @property
    def agreed(self) -> bool:
        """Do Spin and Clew count the same states and steps, in all rounds? Spin prints eight digits."""
        counts = {
            (f"{run.states:.8g}", f"{run.transitions:.8g}")
            for tool, runs in self.rounds.items()
            for run in runs
            if run is not None and tool != LTSMIN
        }
        return len(counts) <= 1

    @property
    def busy(self) -> float:
        """The smallest part of wall time that a tool with one worker was computing: low on a machine that is shared."""
        parts = [
            run.cpu_seconds / run.wall_seconds
            for tool in (PAN, CLEW)
            for run in self.complete(tool)
            if run.wall_seconds > 0
        ]
        return min(parts, default=1.0)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Measured:
        rounds = {tool: [Run(**run) if run else None for run in runs] for tool, runs in value["rounds"].items()}
        return cls(value["model"], rounds)


def _median(values: Sequence[float]) -> float | None:
    return median(values) if values else None
