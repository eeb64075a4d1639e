"""Automata in HOA, and as never claims."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.core.diagnostics import InputError
from clew.logic.degeneralize import state_based
from clew.logic.hoa import write_hoa
from clew.logic.hoa_reader import read_hoa
from clew.logic.lasso import holds
from clew.logic.never import never_claim
from clew.logic.parse import parse_ltl
from clew.logic.translate import translate
from tests.logic.random_formulas import random_formula
from tests.logic.test_translate import accepts_word
from tests.logic.words import lassos

WORDS = list(lassos("ab", 3))

RESPONSE = """HOA: v1
name: "G (a -> F b)"
States: 2
Start: 0
AP: 2 "a" "b"
acc-name: Buchi
Acceptance: 1 Inf(0)
properties: trans-labels explicit-labels trans-acc
--BODY--
State: 0
[!0 | 1] 0 {0}
[0&!1] 1
State: 1
[1] 0 {0}
[!1] 1
--END--
"""


def test_writing() -> None:
    written = write_hoa(translate(parse_ltl("G (a -> F b)")), "G (a -> F b)")
    assert sorted(written.splitlines()) == sorted(RESPONSE.splitlines())


@settings(max_examples=30)
@given(st.integers(0, 10**9))
def test_what_is_written_reads_back(seed: int) -> None:
    automaton = translate(random_formula(random.Random(seed), 8))
    text = write_hoa(automaton)
    assert write_hoa(read_hoa(text)) == text
    by_state = write_hoa(state_based(automaton), by_state=True)
    again = read_hoa(by_state)
    assert write_hoa(again, by_state=True) == by_state
    assert all(accepts_word(again, word) is accepts_word(automaton, word) for word in WORDS[::7])


def automaton_text(acceptance: str, body: str, start: str = "Start: 0") -> str:
    return f'HOA: v1\nStates: 2\n{start}\nAP: 1 "a"\nAcceptance: {acceptance}\n--BODY--\n{body}\n--END--\n'


ON_A = "State: 0\n[0] 0 {0}\n[!0] 0"  # marked iff a
ON_A_AND_NOT_A = "State: 0\n[0] 0 {0}\n[!0] 0 {1}"


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        (automaton_text("1 Inf(0)", ON_A), "G F a"),
        (automaton_text("1 Fin(0)", ON_A), "F G !a"),
        (automaton_text("1 Inf(!0)", ON_A), "G F !a"),
        (automaton_text("1 Fin(!0)", ON_A), "F G a"),
        (automaton_text("0 t", "State: 0\n[t] 0"), "true"),
        (automaton_text("0 f", "State: 0\n[t] 0"), "false"),
        (automaton_text("2 Inf(0)&Inf(1)", ON_A_AND_NOT_A), "G F a && G F !a"),
        (automaton_text("2 Fin(0) | Fin(1)", ON_A_AND_NOT_A), "F G !a || F G a"),
        (automaton_text("2 Fin(0) & Inf(1)", ON_A_AND_NOT_A), "F G !a"),
        (automaton_text("2 (Fin(0) & Inf(1)) | Inf(0)", ON_A_AND_NOT_A), "true"),
        (automaton_text("1 Inf(0)", "State: 0 {0}\n0 1\nState: 1\n0 1"), "G F !a"),
        (automaton_text("1 Inf(0)", "State: [0] 0 {0}\n0\nState: 1"), "G a"),
        (automaton_text("0 t", "State: 0 [0] 0 State: 1 [!0] 1", "Start: 0 Start: 1"), "G a || G !a"),
        (automaton_text("0 t", "State: 0 [@x&!f] 0", "Start: 0 Alias: @y 0 Alias: @x !(!@y)"), "G a"),
        (automaton_text("0 t", "State: 0 [t] 0", ""), "false"),
    ],
)
def test_reading_any_acceptance(text: str, formula: str) -> None:
    automaton = read_hoa(text)
    for word in lassos("a", 4):
        assert accepts_word(automaton, word) is holds(parse_ltl(formula), *word)


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("HOA: v1", "HOA: v2", "1:6", "expected version 'v1', found 'v2'"),
        ("Start: 0", "Start: 0&1", "4:9", "alternating automata are not supported"),
        ("Start: 0", "Start: 7", "4:8", "the initial state 7 is not described"),
        ("AP: 2", "AP: 3", "6:1", "3 atoms announced, 2 given"),
        ('"b"', '"a"', "5:11", 'atom "a" appears twice'),
        ("1 Inf(0)", "1 Inf(1)", "7:19", "acceptance set 1 is out of range: there are only 1"),
        ("Acceptance: 1 Inf(0)\n", "", "9:1", "the header has no 'Acceptance:'"),
        ("[1] 0", "[2] 0", "14:2", "atom 2 is out of range: there are only 2"),
        ("[1] 0", "[@z] 0", "14:2", "alias @z is not defined"),
        ("[1] 0", "[1] 5", "14:5", "the number of a state 5 is out of range: there are only 2"),
        ("State: 1", "State: 0", "13:8", "state 0 is described twice"),
        ("--END--", "", "17:1", "expected 'State:', found the end of the file"),
        ("acc-name", "Acc-name", "6:1", "unknown header item 'Acc-name:'"),
        ("[1] 0", "[1 $] 0", "14:4", "unexpected character '$'"),
    ],
)
def test_errors_say_where_and_what(old: str, new: str, place: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_hoa(RESPONSE.replace(old, new, 1))
    (problem,) = caught.value.diagnostics
    assert (f"{problem.span.line}:{problem.span.column}", problem.message) == (place, message)


@settings(max_examples=200)
@given(st.data())
def test_any_text_is_an_automaton_or_a_located_error(data: st.DataObject) -> None:
    words = RESPONSE.split(" ")
    for _ in range(data.draw(st.integers(1, 4))):
        i = data.draw(st.integers(0, len(words) - 1))
        other = [*RESPONSE.split(), *'( ! { } Alias: @a & " f'.split(), ""]
        words[i] = data.draw(st.sampled_from(other))
    try:
        read_hoa(" ".join(words))
    except InputError as error:
        assert all(d.span.line >= 1 for d in error.diagnostics)


def test_a_never_claim_starts_at_its_first_state_and_names_what_accepts() -> None:
    assert never_claim(translate(parse_ltl("F (a && G !b)")), "F (a && G !b)") == (
        "never { /* F (a && G !b) */\n"
        "T0_init:\n"
        "\tdo\n"
        "\t:: (true) -> goto T0_init\n"
        "\t:: ((a) && !(b)) -> goto accept_S1\n"
        "\tod;\n"
        "accept_S1:\n"
        "\tdo\n"
        "\t:: (!(b)) -> goto accept_S1\n"
        "\tod;\n"
        "}\n"
    )
    assert never_claim(translate(parse_ltl("F a"))).endswith("accept_all:\n\tskip\n}\n")
