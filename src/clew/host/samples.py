"""The progress of a search over time, small enough to be kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from clew.core.engines import Observer, Progress
from clew.core.results import Statistics

SCHEMA = "clew.samples/1"
MOST = 400


class Samples:
    """An Observer that keeps some of the reports: when there are too many, every second one is dropped, and from then
    on only reports that are twice as far apart are kept. A check may make several searches, each with a clock of its
    own: what is kept is that of the last. `also` is told of every report."""

    def __init__(self, also: Observer | None = None, most: int = MOST) -> None:
        self.also = also
        self.most = most
        self.kept: list[Progress] = []
        self._apart = 0.0
        self._seen: Progress | None = None

    def __call__(self, progress: Progress) -> None:
        if self.also is not None:
            self.also(progress)
        if self._seen is not None and progress.seconds < self._seen.seconds:
            self.kept.clear()
            self._apart = 0.0
        self._seen = progress
        if self.kept and progress.seconds - self.kept[-1].seconds < self._apart:
            return
        self.kept.append(progress)
        if len(self.kept) >= self.most:
            del self.kept[1::2]
            span = self.kept[-1].seconds - self.kept[0].seconds
            self._apart = span / max(len(self.kept) - 1, 1)

    def finished(self, figures: Statistics) -> tuple[Progress, ...]:
        """All that was kept, and how it ended. Engines that counted something else on the way (sets of states, say)
        end with their last report."""
        last = Progress(figures.states, figures.transitions, figures.depth, 0, figures.seconds, figures.peak_bytes)
        kept = list(self.kept)
        if self._seen is not None and kept[-1] != self._seen:
            kept.append(self._seen)
        if not kept or (figures.states >= kept[-1].states and figures.seconds > kept[-1].seconds):
            kept.append(last)
        return tuple(kept)


def samples_json(samples: Iterable[Progress]) -> dict[str, Any]:
    """The `clew.samples/1` object."""
    return {"schema": SCHEMA, "samples": [{**asdict(p), "seconds": round(p.seconds, 3)} for p in samples]}


def read_samples(data: Mapping[str, Any]) -> tuple[Progress, ...]:
    """The inverse. Raises ValueError."""
    try:
        return tuple(
            Progress(
                int(s["states"]),
                int(s["transitions"]),
                int(s["depth"]),
                int(s["queue"]),
                float(s["seconds"]),
                int(s["bytes"]),
            )
            for s in data["samples"]
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"not samples of a search: {error}") from None
