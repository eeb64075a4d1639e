"""Progress of long work on stderr: a line that rewrites itself, or JSON lines for other programs."""

from __future__ import annotations

import json
from typing import TextIO

from clew.core.engines import Progress
from clew.report.style import Style, number, seconds, shorten, size


class ProgressLine:
    """An Observer that shows one line, at most ten times a second, and takes it away in the end."""

    def __init__(self, stream: TextIO, style: Style) -> None:
        self.stream = stream
        self.style = style
        self.shown_at = -1.0
        self.visible = False

    def __call__(self, progress: Progress) -> None:
        if self.shown_at >= 0 and progress.seconds - self.shown_at < 0.1:
            return
        self.shown_at = progress.seconds
        text = shorten(progress_text(progress), self.style.width - 1)
        self.stream.write(f"\r\x1b[2K{self.style.paint(text, 'dim')}")
        self.stream.flush()
        self.visible = True

    def close(self) -> None:
        if self.visible:
            self.stream.write("\r\x1b[2K")
            self.stream.flush()
            self.visible = False


class ProgressJson:
    """An Observer that writes one JSON object per report."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def __call__(self, progress: Progress) -> None:
        report = {
            "schema": "clew.progress/1",
            "states": progress.states,
            "transitions": progress.transitions,
            "depth": progress.depth,
            "queue": progress.queue,
            "seconds": round(progress.seconds, 3),
            "bytes": progress.bytes,
            **({"replayed": progress.replayed, "to_replay": progress.to_replay} if progress.to_replay else {}),
        }
        self.stream.write(json.dumps(report) + "\n")
        self.stream.flush()

    def close(self) -> None:
        pass


def progress_text(progress: Progress) -> str:
    if progress.to_replay:
        return (
            f"replaying: {number(progress.replayed)} of {number(progress.to_replay)} steps, {seconds(progress.seconds)}"
        )
    rate = progress.states / progress.seconds if progress.seconds > 0 else 0
    parts = [
        f"{number(progress.states)} states",
        f"{number(round(rate))}/s",
        f"depth {number(progress.depth)}",
        f"{number(progress.queue)} waiting",
        seconds(progress.seconds),
    ]
    if progress.bytes:
        parts.insert(4, size(progress.bytes))
    return "exploring: " + ", ".join(parts)
