"""Formulas from text and back."""

from __future__ import annotations

import copy
import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.core.diagnostics import InputError, Span
from clew.logic import formulas as f
from clew.logic.ctl import basic, is_ctl, parse_ctl, readable
from clew.logic.parse import parse_ltl
from clew.logic.spelling import CLEW, SPIN, SPOT, show
from tests.logic.random_formulas import random_formula

a, b, c = map(f.proposition, "abc")


def any_text(text: str, place: Span) -> f.Atom:
    """A reader that takes whatever text the parser cut out."""
    return f.Atom(text, ("read", text))


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("a && b || c", f.Or((f.And((a, b)), c))),
        ("a -> b -> c", f.Implies(a, f.Implies(b, c))),
        ("a U b U c", f.Until(a, f.Until(b, c))),
        ("[] a U b", f.Until(f.Always(a), b)),
        ("!a U b && c", f.And((f.Until(f.Not(a), b), c))),
        ("[](a -> <> b)", f.Always(f.Implies(a, f.Eventually(b)))),
        ("a V b", f.Release(a, b)),
        ("a M b | X c", f.Or((f.StrongRelease(a, b), f.Next(c)))),
        ("a & b & c", f.And((a, b, c))),
        ("always (a implies eventually b)", f.Always(f.Implies(a, f.Eventually(b)))),
        ("a weakuntil b", f.WeakUntil(a, b)),
        ("1 U (false <-> a)", f.Until(f.TRUE, f.Equivalent(f.FALSE, a))),
        ('G "x > 3 && y"', f.Always(f.proposition("x > 3 && y"))),
        ("GF", f.proposition("GF")),
    ],
)
def test_operators_bind_as_documented(text: str, formula: f.Formula) -> None:
    assert parse_ltl(text) is formula


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("[] (x + 1 > y && P[1]@busy)", ["x + 1 > y", "P[1]@busy"]),
        ("(x + 1) * 2 > y U !z", ["(x + 1) * 2 > y", "z"]),
        ("q!ack(_) -> <> q?ack(_)", ["q!ack(_)", "q?ack(_)"]),
        ("x != 3 || !(y == 2)", ["x != 3", "y == 2"]),
        ("a[i && j] == 2 U len(q) <= 3", ["a[i && j] == 2", "len(q) <= 3"]),
        ("X Xa", ["Xa"]),
        ("1 == x", ["1 == x"]),
        ("s.U == 1 U P@W", ["s.U == 1", "P@W"]),
        ("-1 < x", ["-1 < x"]),
    ],
)
def test_an_atom_reaches_to_the_next_operator_outside_brackets(text: str, atoms: list[str]) -> None:
    assert [atom.text for atom in f.atoms(parse_ltl(text, any_text))] == atoms


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 7, 10, "the formula is empty"),
        ("a U", 7, 13, "the formula ends where an operand is expected"),
        ("a b", 7, 12, "expected an operator, found 'b'"),
        ("(a\n && b", 7, 10, "this '(' is never closed"),
        ("a &&\n  && b", 8, 3, "expected an operand, found '&&'"),
        ("a)", 7, 11, "expected an operator or the end of the formula, found ')'"),
        ("x > 3", 7, 12, "expected an operator, found '>'"),
        ("(" * 200 + "a" + ")" * 200, 7, 160, "the formula is nested more than 150 deep"),
        ("!" * 200 + "a", 7, 210, "the formula is nested more than 150 deep"),
    ],
)
def test_errors_say_where_and_what(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_ltl(text, start=Span("m.pml", 7, 10))
    (problem,) = caught.value.diagnostics
    assert (problem.message, problem.span.line, problem.span.column) == (message, line, column)


@given(st.text(alphabet='ab!&|->< []()UXVW"1\n\\{}', max_size=30))
def test_any_text_is_a_formula_or_a_located_error(text: str) -> None:
    for read in (parse_ltl, parse_ctl):
        for atom in (None, any_text):
            try:
                read(text, atom)
            except InputError as error:
                assert all(d.span.line >= 1 and d.span.column >= 1 for d in error.diagnostics)


@given(st.integers(0, 10**9))
def test_what_is_printed_reads_back_as_the_same_formula(seed: int) -> None:
    formula = random_formula(random.Random(seed), 12)
    for spelling in (CLEW, SPOT):
        assert parse_ltl(show(formula, spelling)) is formula


def test_spins_spelling_has_no_strong_release() -> None:
    formula = f.StrongRelease(f.Always(a), f.Release(b, f.Eventually(c)))
    assert show(formula, SPIN) == "(b V <> c) U ([] a && (b V <> c))"


def test_atoms_with_operators_in_them_are_quoted() -> None:
    formula = f.Always(f.Or((f.Atom("x > 3", 1), f.Atom("q!m(_)", 2), f.Atom("X", 3), f.Atom("x && y", 4))))
    assert show(formula) == 'G ((x > 3) || (q!m(_)) || "X" || "x && y")'
    assert [atom.text for atom in f.atoms(parse_ltl(show(formula), any_text))] == ["x > 3", "q!m(_)", "X", "x && y"]


def test_equal_formulas_are_one_object_even_after_copying() -> None:
    formula = parse_ltl("G (a -> F b)")
    assert copy.deepcopy(formula) is formula
    assert pickle.loads(pickle.dumps(formula)) is formula
    assert f.Atom("x", 1) is not f.Atom("x", True)


def test_negation_normal_form_keeps_negations_at_atoms() -> None:
    assert str(f.negation(parse_ltl("G (a -> (b U c))"))) == "F (a && (!b R !c))"


@pytest.mark.parametrize(
    ("text", "shown", "basis"),
    [
        ("AG (a -> AF b)", "AG (a -> AF b)", "!E[true U !(!a || !EG !b)]"),
        ("E[a U b] & !EX c", "E[a U b] && !EX c", "E[a U b] && !EX c"),
        ("A[a U b]", "A[a U b]", "!(E[!b U (!a && !b)] || EG !b)"),
        ("A[a W b]", "A[a W b]", "!E[!b U (!a && !b)]"),
    ],
)
def test_branching_time(text: str, shown: str, basis: str) -> None:
    formula = parse_ctl(text)
    assert str(formula) == shown
    assert str(basic(formula)) == basis
    assert is_ctl(basic(formula))


@pytest.mark.parametrize(
    "text", ["AG EF a", "AF (a && AX b)", "E[a U EG b]", "!AG a || EX !b", "A[a U b]", "A[AF a W b]", "AG (!a || AF b)"]
)
def test_the_basic_form_is_written_with_the_usual_operators(text: str) -> None:
    again = readable(basic(parse_ctl(text)))
    assert basic(again) == basic(parse_ctl(text))
    assert str(again) == text.replace("!AG a", "EF !a")


def test_an_array_may_be_called_like_a_quantifier() -> None:
    formula = parse_ctl("AG (A[0] > 1 -> E[x U A[1] == 2])", any_text)
    assert [atom.text for atom in f.atoms(formula)] == ["A[0] > 1", "x", "A[1] == 2"]


@pytest.mark.parametrize("text", ["G a", "AG F a", "A[a]", "A[a U G b]", "E[G F a]"])
def test_formulas_outside_ctl_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="not in CTL"):
        parse_ctl(text)
