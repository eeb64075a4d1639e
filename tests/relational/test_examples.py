"""Every relational example does what its first lines say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from clew.core.engines import Request
from clew.core.registry import load_engine
from tests.relational.models import EXAMPLES, check, example

MODELS = sorted(EXAMPLES.glob("*.rel"))


def header(path: Path) -> dict[str, str]:
    return dict(re.findall(r"^// ([a-z]+): +(.*)$", path.read_text(), re.MULTILINE))


def test_there_are_examples() -> None:
    assert len(MODELS) >= 6


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_verdict_is_the_expected_one(path: Path) -> None:
    expected = header(path)
    answer = check(path.read_text())
    violated = [d for d in answer.decisions if d.verdict == "violated"]
    names = " ".join(d.property.name for d in violated)
    assert expected["expect"] == (f"violated {names}" if violated else "holds")
    if "shortest" in expected:
        assert violated[0].trace is not None and len(violated[0].trace) == int(expected["shortest"])
    if "reachable" in expected:
        counted = load_engine("relational").run(Request(example(path.stem)))
        assert counted.statistics.states == int(expected["reachable"])
