"""Every counting rule of Promela as Spin 6.5.2 executes it, on the smallest model that shows it (`sheet35.py`)."""

from __future__ import annotations

import pytest

from clew.core.engines import Request
from clew.core.interpreter import claim_product, trace_product
from clew.core.network import Network
from clew.core.properties import Property
from clew.frontends.promela.lower import Switches, lower
from clew.frontends.promela.parser import parse_text
from clew.reference.engine import ENGINE
from tests.core.counts import count_space
from tests.promela.sheet35 import ROWS

SWITCHES = {
    "D": Switches(),
    "o1": Switches(reset_dead=False),
    "o2": Switches(reset_dead=False, hide_unread=False),
    "o3": Switches(merge_statements=False),
    "oJ": Switches(inner_escapes_first=True),
    "om": Switches(lossy_channels=True),
}


def network(text: str, switches: Switches = SWITCHES["D"]) -> Network:
    return lower(parse_text(text, "model.pml"), "model.pml", switches).network


def stored_and_matched(text: str, switches: Switches = SWITCHES["D"]) -> str:
    figures = ENGINE.run(Request(network(text, switches))).statistics
    assert figures.complete
    return f"{figures.states}/{figures.transitions + 1 - figures.states}"


CASES = [
    pytest.param(text, column, figure, id=f"{name}-{column}")
    for name, text, row in ROWS
    for column, figure in row.items()
]


@pytest.mark.parametrize(("text", "column", "figure"), CASES)
def test_counts_like_spin(text: str, column: str, figure: str) -> None:
    assert stored_and_matched(text, SWITCHES[column]) == figure


def test_too_many_processes_is_an_error_with_the_count_up_to_there() -> None:
    """P5: 255 states, then an error (Spin: -DVECTORSZ=20000 -c0)."""
    view = network("byte g; proctype B() { false } init { do :: run B() od }")
    answer = ENGINE.run(Request(view, (Property("r", "runtime-error", ""),), keep_going=True))
    assert answer.statistics.states == 255
    assert answer.decisions[0].verdict == "violated"
    assert "processes" in answer.decisions[0].reason


def test_read_hidden_variable_is_warned_about() -> None:
    """H9: the count depends on the search order; Spin's depth-first figure is 6/1."""
    text = "hidden byte h; byte g; active proctype P() { if :: h = 1 :: h = 2 fi; g = 1; g = h; g = 5 }"
    view = network(text)
    assert [d.code for d in view.warnings] == ["promela-hidden-read"]
    assert stored_and_matched(text) == "6/1"


CLAIMS = [
    (
        "K1",
        "byte g; active proctype P() { g = 1; g = 2; g = 3 } never { do :: g < 3 :: g == 9 -> break od }",
        "D",
        "4/0",
    ),
    (
        "K2",
        "byte g; active proctype P() { g = 1; g = 2; g = 3 } never { do :: true od } proctype Z() { g == 0 }",
        "D",
        "5/1",
    ),
    (
        "K3",
        "byte g; active proctype P() { do :: g < 3 -> g++ :: g == 3 -> g = 0 od }"
        " never { a: do :: true :: g == 1 -> break od; b: do :: true od }",
        "D",
        "16/3",
    ),
    (
        "K5",
        "byte g; active proctype P() { atomic { g = 1; g = 2; g = 3 }; g = 4 }"
        " never { do :: g != 2 :: g == 2 -> break od }",
        "D",
        "4/1",
    ),
    (
        "M36",
        'byte g; active proctype P() { do :: g == 0 od } never { skip; printf("a"); printf("b"); do :: g == 0 od }',
        "D",
        "2/1",
    ),
    (
        "M36",
        'byte g; active proctype P() { do :: g == 0 od } never { skip; printf("a"); printf("b"); do :: g == 0 od }',
        "o3",
        "4/1",
    ),
]
TRACE = (
    "chan q = [1] of {byte}; active proctype P() { do :: q!1; q?1 :: q!2; q?2 od }"
    " trace { do :: q!1 -> if :: q!1 :: q!2 fi :: q!2 od }"
)


@pytest.mark.parametrize(("name", "text", "column", "figure"), CLAIMS)
def test_claim_product_counts_like_spin(name: str, text: str, column: str, figure: str) -> None:
    assert "{}/{}".format(*count_space(claim_product(network(text, SWITCHES[column]), 0))) == figure


def test_trace_automaton_counts_like_spin() -> None:
    """K7"""
    assert count_space(trace_product(network(TRACE), 0)) == (5, 3)


def test_claims_are_left_out_of_the_plain_space() -> None:
    """K1 with -DNOCLAIM"""
    assert stored_and_matched(CLAIMS[0][1]) == "5/0"
