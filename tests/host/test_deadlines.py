"""A time limit ends work that does not look at the clock."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from clew.cli.main import main
from clew.host.deadlines import OutOfTime, deadline


def test_endless_work_ends() -> None:
    with pytest.raises(OutOfTime), deadline(0.001):
        while True:
            pass


class WorksWhenItDies:
    def __del__(self) -> None:
        while True:
            pass


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_the_end_may_come_while_an_object_dies() -> None:
    with pytest.raises(OutOfTime), deadline(0.001):
        WorksWhenItDies()
        while True:
            pass


def test_without_a_limit_nothing_is_set() -> None:
    with deadline(None):
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_afterwards_no_alarm_is_left() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with deadline(1000):
        pass
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is before


@pytest.mark.parametrize("command", ["check", "count"])
def test_reading_a_long_model_stops_in_time(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "long.pml"
    model.write_text("int x;\nactive proctype p() {\n" + "x = x + 1;\n" * 3000 + "}\n")
    assert main([command, str(model), "--max-time", "0.001"]) == 2
    assert "the time limit was reached while the model was being read" in capsys.readouterr().err
