"""Every counting rule of Promela as Spin 6.5.2 executes it, on the smallest model that shows it (`sheet35.py`)."""

from __future__ import annotations

import pytest

from clew.core.diagnostics import InputError
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
    "o6": Switches(no_priorities=True),
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


@pytest.mark.parametrize("keep_going", [False, True])
def test_a_failed_assertion_is_a_step_like_any_other(keep_going: bool) -> None:
    """K6: 5/0 with one error where the search goes on (-A, -c0); where it stops, counts depend on the search."""
    text = "byte g; active proctype P() { assert(g == 1); g = 2; (g == 2) }"
    assert stored_and_matched(text) == "5/0"
    answer = ENGINE.run(Request(network(text), (Property("a", "assertion", ""),), keep_going=keep_going))
    assert answer.decisions[0].verdict == "violated"
    assert answer.statistics.complete == keep_going
    assert (answer.statistics.states == 5) == keep_going


@pytest.mark.parametrize(("switches", "verdict"), [(Switches(), "holds"), (Switches(ends_empty=True), "violated")])
def test_messages_left_at_the_end(switches: Switches, verdict: str) -> None:
    """P6: 3/0, with -q also an invalid end state."""
    view = network("chan q = [2] of {byte}; active proctype A() { q!1 }", switches)
    answer = ENGINE.run(Request(view, (Property("d", "deadlock", ""),), keep_going=True))
    assert (answer.decisions[0].verdict, answer.statistics.states) == (verdict, 3)
    assert answer.decisions[0].reason == ("invalid end state: messages left in q" if verdict == "violated" else "")


@pytest.mark.parametrize("statement", ["g = _priority", "set_priority(0, 2)", "g = get_priority(0)", "_priority = 3"])
def test_without_priorities_they_cannot_be_asked_for_or_set(statement: str) -> None:
    """spin -o6 refuses `_priority`; `set_priority` then gives a verifier that does not compile."""
    with pytest.raises(InputError, match="there are no priorities"):
        network(f"byte g; active proctype P() {{ {statement} }}", SWITCHES["o6"])


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
