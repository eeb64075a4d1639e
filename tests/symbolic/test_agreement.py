"""The symbolic engine counts and decides what the reference engine does (the long run: `python -m bench.symbolic`)."""

from __future__ import annotations

from pathlib import Path

import pytest

import clew
from bench.conformance.random_promela import generate
from bench.symbolic.agreement import compare
from clew.core.network import Network
from clew.host.checking import ModelOptions, load_text

EXAMPLES = Path(__file__).parents[2] / "examples" / "promela"
SMALL = "alternating_bit dining_philosophers mars_priority_inversion peterson peterson_broken unless_watchdog".split()
COMPARED = [0, 3, 6, 8, 9, 10, 14, 15, 19, 21, 25, 27, 29, 36]  # seeds whose programs are transition systems


def _network(name: str, text: str) -> Network:
    return load_text(name, text, ModelOptions(language="promela"), counting=True).network


@pytest.mark.parametrize("seed", COMPARED)
def test_random_programs(seed: int) -> None:
    found = compare(_network(f"seed{seed}", generate(seed)), seed, states=2500, smt=None)
    assert not found.skipped
    assert found.disagreements == []


@pytest.mark.parametrize("name", SMALL)
def test_examples(name: str) -> None:
    found = compare(_network(name, (EXAMPLES / f"{name}.pml").read_text()), seed=1, smt=None)
    assert not found.skipped
    assert found.disagreements == []


def test_growth_beyond_the_sample() -> None:
    """Values grow long after the states that the first guess was made from."""
    text = """int x; byte y;
        active proctype P() { do :: x < 700 -> x = x + 7 :: x >= 700 -> x = -x :: y < 3 -> y++ od }"""
    found = compare(_network("growth", text), seed=0, formulas=0, states=5000, smt=None)
    assert found.states > 300
    assert found.disagreements == []


def test_processes_that_come_and_go() -> None:
    text = """byte n; proctype B(byte k) { byte own = k; n = n + own; n = n - own }
        init { byte i; do :: i < 3 -> run B(i); i++ :: i == 3 -> break od; _nr_pr == 1; n = 9 }"""
    found = compare(_network("creation", text), seed=0, formulas=0, smt=None)
    assert found.states > 10
    assert found.disagreements == []


@pytest.mark.parametrize(
    "value", ["!(!n)", "n && 1", "1 && n", "n || 0", "0 || n", "!(!(n && 3))", "(n && 1) + (n || 0)"]
)
@pytest.mark.parametrize("engine", ["symbolic", "native"])
def test_a_condition_as_a_value_is_0_or_1(value: str, engine: str) -> None:
    text = f"byte n; active proctype P() {{ n = 0; n = {value} }} active proctype Q() {{ n = 254 }}"
    expected = clew.count("m.pml", text=text, engine="reference").statistics.states
    assert clew.count("m.pml", text=text, engine=engine).statistics.states == expected
    holds = f"byte n; active proctype P() {{ n = 254; n = {value}; assert(n <= 2) }}"
    assert clew.check("m.pml", text=holds, engine=engine, properties=["assertions"]).verdict == "holds"
