"""Ctrl-C: the first gives the answer so far, the second ends at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import clew as clew_package
from clew.host.interrupts import two_stage_interrupt


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_is_a_keyboard_interrupt(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with two_stage_interrupt(), pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), number)
    assert signal.getsignal(number) == before


def test_the_second_signal_ends_the_process() -> None:
    code = """
import os, signal
from clew.host.interrupts import two_stage_interrupt
with two_stage_interrupt():
    try:
        os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        os.kill(os.getpid(), signal.SIGINT)
    raise AssertionError("still running")
"""
    environment = {**os.environ, "PYTHONPATH": str(Path(clew_package.__file__).parent.parent)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 2
    assert done.stderr == "clew: interrupted: collecting what is known (again to stop at once)\nclew: stopped\n"
