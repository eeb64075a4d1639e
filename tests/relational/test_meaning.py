"""What statements and procedures mean: sheet 28, points 3 and 5 to 7."""

from __future__ import annotations

import pytest

from clew.core.relational.explicit import Place
from clew.core.relational.program import RelationalProgram
from clew.symbolic.relational.system import Options, System, build
from tests.relational.models import check, example, read, verdicts


def results(program: RelationalProgram, state: Place) -> set[Place]:
    """Every state that one step leads to."""
    system = build(program, Options())
    return drawn(system, system.after(system.single(state)))


def drawn(system: System, states: object) -> set[Place]:
    found: set[Place] = set()
    while states != system.layout.bdd.false:
        one = system.pick_state(states)
        found.add(one)
        states = states & ~system.single(one)  # type: ignore[operator]
    return found


def test_divergence_is_exactly_two_or_loop() -> None:
    program = example("divergence")
    for start in (0, 1):
        assert results(program, (start, 0)) == {(1, 0), None}


def test_a_loop_without_end_leads_to_loop_alone() -> None:
    assert results(read("bool p; toplevel void f() { while (true) {} }"), (0, 0)) == {None}


def test_mutual_recursion_equals_its_form_with_a_selector() -> None:
    mutual = """
        enum A {3}; A x; bool p;
        void f(A y) { if (x != y) { x := y; g(A1); } else { (x' == x || x' == A2) && p' == p; if (x == A3) g(A3); } }
        void g(A y) { p := !p; if (p) f(y); else if (x == A1) f(A3); }
        toplevel void top(A y) { f(y); }"""
    selector = """
        enum A {3}; enum Which {F, G}; A x; bool p;
        void both(Which w, A y) {
            if (w == F) {
                if (x != y) { x := y; both(G, A1); }
                else { (x' == x || x' == A2) && p' == p; if (x == A3) both(G, A3); }
            } else { p := !p; if (p) both(F, y); else if (x == A1) both(F, A3); }
        }
        toplevel void top(A y) { both(F, y); }"""
    for x in range(3):
        for p in range(2):
            assert results(read(mutual), (x, p, 0)) == results(read(selector), (x, p, 0))


def test_a_recursive_procedure_that_calls_another_one() -> None:
    """Two components of the call graph: a is solved with what b, which is solved meanwhile, does."""
    program = read("""
        bool p, q, r;
        void a() { if (p) { p := false; b(); a(); } }
        void b() { if (q) { q := false; b(); } }
        toplevel void go() { r := true; a(); }""")
    assert results(program, (1, 1, 0, 0)) == {(0, 0, 1, 0)}
    assert results(program, (0, 1, 0, 0)) == {(0, 1, 1, 0)}


@pytest.mark.parametrize(
    ("imperative", "declarative"),
    [
        ("r := r + A1->A2;", "(r' == r + A1->A2 && s' == s);"),
        ("s := A1.^r; r := ~r;", "(s' == A1.^r && r' == ~r);"),
        ("A2.r := s;", "(s' == s && r' == (r - A2->A) + A2->s);"),
        ("if (some s) { s := A - s; }", "(r' == r && (some s => s' == A - s) && (no s => s' == s));"),
    ],
)
def test_declarative_and_imperative_forms_are_one_node(imperative: str, declarative: str) -> None:
    text = f"enum A {{3}}; A->A r; set A s; toplevel void i() {{ {imperative} }} toplevel void d() {{ {declarative} }}"
    system = build(read(text), Options())
    first, second = system.parts
    bits = first.meaning.changes | second.meaning.changes
    meanings = system.compiler.meanings
    assert meanings.over(first.meaning, bits) == meanings.over(second.meaning, bits)


@pytest.mark.parametrize(("elements", "bad"), [("s - s", 1), ("A2", 0), ("A2 + A1", 1)])
def test_a_set_is_assigned_to_a_scalar_only_if_it_has_one_element(elements: str, bad: int) -> None:
    text = f"enum A {{3}}; A x; set A s;\n toplevel void f() {{\n x := {elements} + emptyset; }}\n"
    text += "assert !bad => AX !bad;"
    (decision,) = check(text).decisions
    assert decision.verdict == ("violated" if bad else "holds")
    if bad:
        assert decision.trace is not None
        assert decision.trace.steps[0].note == "bad is set in line 3"


@pytest.mark.parametrize("size", [3, 5, 6])
def test_unused_codes_never_occur(size: int) -> None:
    text = f"enum A {{{size}}}; A x; toplevel void f() {{ (true); }} assert AG x == A1;"
    system = build(read(text), Options())
    assert system.count(system.universe) == 2 * size
    assert system.count(system.after(system.universe)) == 2 * size
    (decision,) = check(text).decisions
    assert decision.trace is not None
    assert all(state.values["x"].startswith("A") for state in (decision.trace.initial, decision.trace.final))


def test_a_statement_that_nothing_satisfies_is_stuck_and_not_vacuous() -> None:
    text = "bool p; toplevel void f() { (p' && !p'); } assert !p => AX p;"
    (decision,) = check(text).decisions
    assert decision.verdict == "violated" and decision.reason.startswith("stuck")
    assert verdicts(check(text, blocking="yes")) == ["holds"]


def test_division_by_zero_sets_bad() -> None:
    text = """int(2) i, j; toplevel void f() { i := i / j; }
        assert !bad && j == 0 => AX bad; assert !bad && j != 0 => AX !bad;"""
    assert verdicts(check(text)) == ["holds", "holds"]


def test_breaking_a_multiplicity_sets_bad() -> None:
    text = """enum A {2}; A->lone A f; toplevel void g() { A1.f := A; }
        assert !bad => AX bad; assert !bad && no f => AX no f;"""
    assert verdicts(check(text)) == ["holds", "holds"]


def test_af_that_fails_by_stuttering_alone_says_so() -> None:
    text = "bool p; toplevel void f(bool b) { if (b) p := true; } assert !bad && !p => AF p;"
    (decision,) = check(text).decisions
    assert decision.verdict == "violated" and "change nothing" in decision.reason
