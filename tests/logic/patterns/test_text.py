"""Properties and traces as text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.core.diagnostics import InputError, Span
from clew.logic import formulas as f
from clew.logic.patterns.properties import ENTRIES, Class, Composite, Pattern, Scope, entry
from clew.logic.patterns.text import parse_property, pattern_formula, words
from clew.logic.patterns.traces import read_trace, show_trace


def test_every_property_can_be_said() -> None:
    for e in ENTRIES:
        assert parse_property(words(entry(*e))) == entry(*e)


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("absence of P between Q and S", "G ((Q && !S && F S) -> !(!S U (P && !S)))"),
        ("absence P, globally", "!F P"),
        ("existence of done", "F done"),
        ("T strictly-precedes P", "!P W (T && !P)"),
        ("T responds-to P, globally", "!F (P && !F T)"),
        ("(x) precedes (a || b) before c", "F c -> (!(a || b) W (x || c))"),
        ("existence of ParallelC(a, !b) globally", "F (a && !b)"),
        ('absence of "x after y" globally', "!F (x after y)"),
    ],
)
def test_formulas(text: str, formula: str) -> None:
    assert str(pattern_formula(text)) == formula


def test_dialects() -> None:
    assert str(pattern_formula("absence of P before S", "sps")) == "F S -> (!P U S)"


def test_atoms_are_read_by_their_owner() -> None:
    seen: list[tuple[str, Span]] = []

    def read(text: str, place: Span) -> f.Atom:
        seen.append((text, place))
        return f.Atom(text, len(text))

    found = pattern_formula("absence of (x + 1 > y && p@busy) before q?[ack]", parse_atom=read)
    assert [a.text for a in f.atoms(found)] == ["q?[ack]", "x + 1 > y", "p@busy"]
    assert [(text, place.column) for text, place in seen] == [("x + 1 > y", 13), ("p@busy", 26), ("q?[ack]", 41)]


def test_composites() -> None:
    prop = parse_property("ConsecutiveC(a, b && c) precedes EventualE(d) after AtLeastOneC(e, f)")
    assert (prop.pattern, prop.scope) == (Pattern.PRECEDENCE, Scope.AFTER)
    first = prop.operand("T")
    assert isinstance(first, Composite)
    assert first.kind is Class.CONSECUTIVE_C and len(first.parts) == 2


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "expected a pattern or a proposition, found the end"),
        ("foo", 4, "expected 'precedes', 'strictly precedes' or 'responds to', found the end"),
        ("T precedes P before", 20, "expected what closes the scope, found the end"),
        ("absence of P between L before R", 24, "expected 'and', found 'before'"),
        ("absence of P before R after L", 23, "expected the end of the property, found 'after'"),
        ("absence of (a before b", 12, "this '(' is never closed"),
        ("absence of a) before b", 13, "this ')' closes nothing"),
        ('absence of "a before b', 12, "this quote is never closed"),
        ("absence of G a", 12, "a proposition is a condition on one state, without temporal operators"),
        ("absence of Consecutive(a, b)", 12, "unknown class 'Consecutive'"),
        ("absence of ConsecutiveC(a, )", 28, "expected a proposition"),
        ("universality of ConsecutiveC(a, b)", 1, "universality needs a condition on single states"),
    ],
)
def test_errors_have_a_place(text: str, column: int, message: str) -> None:
    with pytest.raises(InputError) as error:
        pattern_formula(text)
    [found] = error.value.diagnostics
    assert (found.span.column, found.message[: len(message)]) == (column, message)


def test_what_a_dialect_does_not_have() -> None:
    for text in ("T strictly precedes P", "absence of ConsecutiveC(a, b)"):
        with pytest.raises(InputError):
            pattern_formula(text, "sps")
    with pytest.raises(InputError, match="unknown dialect"):
        pattern_formula("absence of a", "latin")


@settings(max_examples=200)
@given(st.lists(st.sampled_from(
    ["absence", "of", "P", "between", "and", "R", "(", ")", ",", "ConsecutiveC(", '"', "after", "until", "precedes"]
), max_size=9))  # fmt: skip
def test_nonsense_is_refused_politely(pieces: list[str]) -> None:
    try:
        pattern_formula(" ".join(pieces))
    except InputError as error:
        assert error.diagnostics


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("- L - (LP) R", "- L - (LP) R"),
        ("L---P", "L - - - P"),
        ("(P T)", "(TP)"),
        ("L [P R]", "L [P R]"),
        ("[P]", "P"),
    ],
)
def test_traces(text: str, shown: str) -> None:
    assert show_trace(read_trace(text)) == shown
    assert read_trace(shown) == read_trace(text)


def test_traces_by_number() -> None:
    assert read_trace("L: i==3 || i==10; P: (i == limit)") == read_trace("---L------L---------P")


@pytest.mark.parametrize("text", ["", "L [P", "[", "L ] P", "L [P] R", "L & P", "L: i==77", "L: 3", "(L"])
def test_bad_traces(text: str) -> None:
    with pytest.raises(InputError):
        read_trace(text)
