"""A hundred random programs: same states, transitions and verdicts as Spin, and every counterexample replays.

Two thousand of them are run by `python -m bench.conformance random --count 2000`.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bench.common.clew_command import ClewResult
from bench.conformance import spin_peer
from bench.conformance.compare import DISAGREE, compare
from bench.conformance.random_promela import generate
from clew.core.diagnostics import InputError
from clew.core.engines import Limits, Request
from clew.core.registry import LoadOptions
from clew.core.replay import replay
from clew.frontends.promela.language import LANGUAGE
from clew.reference.engine import ENGINE

MOST_STATES = 5_000
SAFETY = ("assertion", "deadlock", "runtime-error")
HAVE_SPIN = shutil.which("spin") is not None and shutil.which("gcc") is not None


def ours(path: Path, granularity: str) -> ClewResult:
    """The reference engine's answer, in this process."""
    options = LoadOptions(switches={"granularity": granularity, "counts": "spin"})
    try:
        model = LANGUAGE.load(str(path), path.read_text(), options)
    except InputError as error:
        return ClewResult("rejects", str(error))
    properties = tuple(p for p in model.properties if p.kind in SAFETY)
    answer = ENGINE.run(Request(model.view, properties, keep_going=True, limits=Limits(states=2 * MOST_STATES)))
    figures = answer.statistics
    errors: dict[str, list[str]] = {}
    for decision in answer.decisions:
        if decision.verdict == "violated":
            assert decision.trace is not None
            assert replay(model.view, decision.trace) == decision.trace
            errors[decision.property.kind] = [decision.reason]
    outcome = "counted" if figures.complete else "limit"
    return ClewResult(outcome, "", figures.stored, figures.states, figures.transitions, errors)


@pytest.mark.skipif(not HAVE_SPIN, reason="not compared with Spin: spin or gcc is not installed")
@pytest.mark.parametrize("first", range(1, 101, 10))
def test_random_programs_agree_with_spin(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + 10):
        granularity = "fine" if seed % 2 else "default"
        path = tmp_path / f"random{seed}.pml"
        path.write_text(generate(seed))
        spin = spin_peer.verify(path, granularity, spin_peer.Limits(seconds=20))
        if spin.outcome == "limit" or (spin.stored or 0) > MOST_STATES:
            continue
        compared = compare(path, granularity, spin, ours(path, granularity), MOST_STATES)
        assert compared.category != DISAGREE, f"seed {seed}, {granularity}: {compared.reason}"


@pytest.mark.parametrize("seed", range(101, 131))
def test_random_programs_are_understood_without_spin(seed: int, tmp_path: Path) -> None:
    """Loads, explores and replays; the counts do not depend on the search order."""
    path = tmp_path / "random.pml"
    path.write_text(generate(seed))
    options = LoadOptions(switches={"granularity": "default"})
    model = LANGUAGE.load(str(path), path.read_text(), options)
    counts = set()
    for search in ("bfs", "dfs"):
        figures = ENGINE.run(Request(model.view, (), search=search, limits=Limits(states=3_000))).statistics  # type: ignore[arg-type]
        counts.add((figures.states, figures.transitions) if figures.complete else None)
    assert len(counts) == 1
