"""Generated C counts what Spin 6.5.2 and the reference interpreter count."""

from __future__ import annotations

import pytest

from bench.conformance.random_promela import generate
from clew.explicit.engine import ENGINE
from clew.frontends.promela.lower import Switches
from clew.reference.engine import ENGINE as REFERENCE
from tests.explicit.native import SAFETY, counts, explore, needs_compiler, network, request
from tests.promela.sheet35 import ROWS

pytestmark = needs_compiler

SWITCHES = {
    "D": Switches(),
    "o1": Switches(reset_dead=False),
    "o2": Switches(reset_dead=False, hide_unread=False),
    "o3": Switches(merge_statements=False),
    "oJ": Switches(inner_escapes_first=True),
    "om": Switches(lossy_channels=True),
}
# One row for each construct; all rows pass, the others only take time (every construct is in the random programs too).
SAMPLE = (
    "G3a G14a G18 M8 M17 M24 M33 H1 H5a H9 D9 D12 V1 V2 V5 A3 A7 A8 A10 A13a A14 A16 R1 R2 R3a R4a R6 R7 R9 R10"
    " E1 E2 E3a E4 E6 E7 E8 E9 E10 E12 E13 P3 P5 P7 C1 C2 C3 C4a C4b C6a C7a C7b C8 C10"
).split()
CASES = [
    (row, text, column, figure) for row, text, figures in ROWS if row in SAMPLE for column, figure in figures.items()
]


@pytest.mark.parametrize(
    ("text", "column", "figure"),
    [
        pytest.param(text, column, figure, id=f"{row}-{column}")
        for row, text, column, figure in CASES
        if column in ("D", "oJ", "om")
    ],
)
def test_sheet_35(text: str, column: str, figure: str) -> None:
    assert counts(text, SWITCHES[column]) == figure


@pytest.mark.parametrize("seed", [s for s in range(24) if s not in (4, 11, 13, 17)])  # those have many states
def test_random_programs_as_the_reference_interpreter(seed: int) -> None:
    view = network(generate(seed))
    expected = REFERENCE.run(request(view, SAFETY, keep_going=True))
    answer = ENGINE.run(request(view, SAFETY, keep_going=True))
    assert (answer.statistics.states, answer.statistics.transitions) == (
        expected.statistics.states,
        expected.statistics.transitions,
    )
    assert [d.verdict for d in answer.decisions] == [d.verdict for d in expected.decisions]


def test_bits_that_show_late_are_kept() -> None:
    """Records are narrowed to the bits that differ, after 2^14 states; here more bits differ later."""
    text = """byte x, y;
        active proctype P() { do :: x < 200 -> x++ od }
        active proctype Q() { do :: y < 200 -> y++ od }"""
    # Each process is before its test (201 values) or before its increment (200 values).
    assert explore(text).statistics.states == (201 + 200) ** 2


def test_processes_beyond_the_first_layout() -> None:
    """There is room for 12 processes at first; 40 are started here, one after the other, and none ends."""
    text = "byte n; proctype B() { false } init { do :: n < 40 -> run B(); n++ :: else -> break od }"
    assert counts(text) == "122/0"  # 40 rounds of test, run and increment, the else, and the initial state


def test_a_loop_inside_an_atomic_sequence_ends() -> None:
    text = "byte g; active proctype P() { atomic { do :: g = 1 :: g = 2 :: g == 2 -> break od }; g = 3 }"
    answer = explore(text)
    expected = REFERENCE.run(request(network(text)))
    assert (answer.statistics.states, answer.statistics.transitions) == (
        expected.statistics.states,
        expected.statistics.transitions,
    )
    assert answer.notes == expected.notes != ()


def test_many_walks_through_an_atomic_sequence_are_counted_not_taken() -> None:
    """40 choices of two inside an atomic: 2^40 walks to one state."""
    choices = "if :: x = 1 :: x = 2 fi; (x > 0); " * 40
    text = f"byte x, g; active proctype P() {{ atomic {{ {choices} x = 3 }}; g = x; (g == 3) }}"
    assert explore(text).statistics.transitions == 2**40 + 3


EDGES = {
    "a send with a value too few": "chan q = [2] of {byte, byte}; byte x, y;"
    " active proctype P() { q!1; q?x, y; (x == 1 && y == 0) }",
    "a receive with a field too few": "chan q = [2] of {byte, byte}; byte x;"
    " active proctype P() { q!1, 2; q?x; (x == 1) }",
    "a receive with a field too many": "chan q = [2] of {byte}; byte x, y; active proctype P() { q!1; q?x, y }",
    "channels of three shapes in one variable": "chan q = [2] of {byte, byte}; chan r = [1] of {byte};"
    " chan z = [0] of {byte}; byte x; proctype P(chan c) { byte a; if :: c!1, 2 :: c!3 :: c?a fi; x = a; c?[1] }"
    " init { run P(q); run P(r); run P(z) }",
    "channels of processes": "chan up = [1] of {chan}; byte g; proctype B() { chan me = [1] of {byte}; up!me; me?g }"
    " init { chan c; run B(); run B(); up?c; c!5; up?c; c!6; (_nr_pr == 1); run B() }",
    "a flowchart that blocks": "byte a[4], n; active proctype P() { byte i; d_step { i = 0; do :: i < 4 ->"
    " if :: a[i] == 0 -> a[i] = i + 1 :: else -> skip fi; i++ :: else -> break od; n = a[3] };"
    " (n == 4); d_step { n = 0; n == 1; n = 2 } }",
    "a flowchart that never ends": "byte n; active proctype P() { d_step { do :: n = 1 :: n = 2 od } }",
}


@pytest.mark.parametrize("text", EDGES.values(), ids=EDGES.keys())
def test_rare_cases_as_the_reference_interpreter(text: str) -> None:
    asked = request(network(text), SAFETY, keep_going=True)
    expected, answer = REFERENCE.run(asked), ENGINE.run(asked)
    assert (answer.statistics.states, answer.statistics.transitions) == (
        expected.statistics.states,
        expected.statistics.transitions,
    )
    assert [(d.verdict, d.reason) for d in answer.decisions] == [(d.verdict, d.reason) for d in expected.decisions]


def test_deeply_nested_conditions_are_translated_once() -> None:
    """A translation that looks at each part twice would not end."""
    deep = "a[0] == 1"
    for _ in range(60):
        deep = f"true && ({deep})"
    options = f":: a[1] < 3 && a[2] < 3 -> a[1]++ :: {deep} -> a[2] = 1 :: a[0] = 1 - a[0]"
    assert counts(f"byte a[3]; active proctype P() {{ do {options} od }}") == "36/21"  # the reference engine's
