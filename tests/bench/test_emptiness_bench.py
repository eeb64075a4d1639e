"""The deep cycle of `python -m bench.emptiness`, small."""

from __future__ import annotations

import argparse

import pytest

from bench.emptiness import run_deep
from tests.explicit.native import needs_compiler


@needs_compiler
@pytest.mark.parametrize("violated", [False, True])
def test_a_deep_cycle(violated: bool, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_deep(argparse.Namespace(half=500, violated=violated, algorithms=["cou99", "sweep"])) == 0
    said = capsys.readouterr().out
    assert said.count("replayed trace: 0 steps, then a cycle of 1,000" if violated else "product of 1,999 states") == 2
