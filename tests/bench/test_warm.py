"""Clew's command forked from a process that has it loaded answers as the command does."""

from __future__ import annotations

import json
from pathlib import Path

from bench.common import warm
from bench.common.child import Finished


def asked(folder: Path, *arguments: str) -> Finished:
    return warm.run(arguments, cwd=folder, seconds=3600, megabytes=4096, environment={})


def test_answers_with_the_same_object_status_and_messages(tmp_path: Path) -> None:
    """Three steps and the end of the process: 5 states. The second text ends too early."""
    (tmp_path / "good.pml").write_text("byte x; active proctype P() { x = 1; x == 1; x = 2 }")
    (tmp_path / "bad.pml").write_text("active proctype P() { skip")
    counted = asked(tmp_path, "count", "good.pml", "--json")
    refused = asked(tmp_path, "count", "bad.pml")
    assert (counted.status, json.loads(counted.stdout)["statistics"]["states"]) == (0, 5)
    assert (refused.status, "bad.pml:1:" in refused.stderr, refused.stdout) == (3, True, "")
