"""Numbers, sizes and durations as people read and write them."""

from __future__ import annotations

import argparse

import pytest

from clew.cli import values
from clew.core.engines import Progress
from clew.report.progress import progress_text
from clew.report.style import columns, seconds, shorten, size


def test_durations() -> None:
    assert [seconds(v) for v in (0.0123, 1.234, 12.34, 200, 7500)] == [
        "12 ms", "1.23 s", "12.3 s", "3 min 20 s", "2 h 5 min",
    ]  # fmt: skip


def test_sizes() -> None:
    assert [size(v) for v in (640, 1 << 20, 3 * (1 << 29), 1 << 44)] == ["640 B", "1 MB", "1.5 GB", "16 TB"]


def test_width_counts_terminal_columns() -> None:
    assert [columns(text) for text in ("abc", "→✗", "漢字", "é")] == [3, 2, 4, 1]
    assert shorten("abcdef", 4) == "abc…"


def test_progress_line() -> None:
    progress = Progress(states=12000, transitions=30000, depth=7, queue=150, seconds=4.0, bytes=1 << 25)
    expected = "exploring: 12,000 states, 3,000/s, depth 7, 150 waiting, 32 MB, 4.00 s"
    assert progress_text(progress) == expected


@pytest.mark.parametrize(("text", "value"), [("500M", 500 << 20), ("2G", 2 << 30), ("1.5g", 3 << 29), ("4096", 4096)])
def test_sizes_as_written(text: str, value: int) -> None:
    assert values.size(text) == value


@pytest.mark.parametrize(("text", "value"), [("90", 90), ("5m", 300), ("1.5h", 5400), ("1h30m", 5400), ("2 min", 120)])
def test_durations_as_written(text: str, value: float) -> None:
    assert values.duration(text) == value


@pytest.mark.parametrize("text", ["", "m", "5x", "-5", "1m nonsense"])
def test_wrong_durations(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        values.duration(text)
