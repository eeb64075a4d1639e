"""What the parser refuses, and how it says so. Everything here is refused by Spin 6.5.2 too unless a test says not."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator

import pytest

from clew.core.diagnostics import Diagnostic, InputError
from clew.frontends.promela import inline
from clew.frontends.promela.lexer import spelled_out, tokenize
from clew.frontends.promela.parser import parse_text


def problems(text: str) -> tuple[Diagnostic, ...]:
    with pytest.raises(InputError) as caught:
        parse_text(text, "m.pml")
    return caught.value.diagnostics


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "the model is empty"),
        ("byte x; init { x = 1 x = 2 }", 1, 22, "expected ';' or '}' after the statement, found 'x'"),
        ("byte x; init { if :: x fi x = 2 }", 1, 27, "expected ';' or '}' after the statement, found 'x'"),
        ("byte x;\ninit { x == 0\n && x }", 3, 2, "expected an expression, found '&&'"),
        ("init { if :: skip fi\n unless { skip } }", 2, 2, "expected a statement, found 'unless'"),
        ("init { }", 1, 8, "expected a statement, found '}'"),
        ("init { ; skip }", 1, 8, "expected a statement, found ';'"),
        ("init { do :: od }", 1, 14, "expected a statement, found 'od'"),
        ("init { if skip fi }", 1, 11, "expected '::' after 'if', found 'skip'"),
        ("init { skip", 1, 12, "expected ';' or '}' after the statement, found end of file"),
        ("init { skip } }", 1, 15, "found '}'"),
        ("init { (1 }", 1, 11, "expected ')' after the expression, found '}'"),
        ("init { 1 + }", 1, 12, "expected an expression, found '}'"),
        ("byte x; init { !!x }", 1, 16, "expected an expression, found '!!'"),
        ("chan q = [1] of {byte}; init { !full(q) }", 1, 33, "'full(…)' may only be combined with '&&' and '||'"),
        ("chan q = [1] of {byte}; byte x; init { x = 1 + empty(q) }", 1, 48, "'empty(…)' may only be combined"),
        ("chan q = [1] of {byte}, r = [1] of {byte};", 1, 23, "expected a declaration"),
        ("chan q = [1] of {unsigned};", 1, 18, "'unsigned' cannot be the type of a message field"),
        ("chan q = [1] of {foo};", 1, 18, "expected the type of a message field, found 'foo'"),
        ("byte a[2] = {1, -2};", 1, 17, "expected a constant, found '-'"),
        ("byte a = {1};", 1, 10, "'a' is initialised as an array, but is none"),
        ("byte a[1 / 0];", 1, 10, "division by zero"),
        ("byte:m x;", 1, 1, "only mtype has subtypes, not 'byte'"),
        ("mtype = { a }; byte a;", 1, 21, "expected a name to declare, found 'a'"),
        ("proctype P() { skip } proctype P() { skip }", 1, 32, "expected the name of the proctype, found 'P'"),
        ("proctype P(byte a;) { skip }", 1, 19, "expected a declaration, found ')'"),
        ("proctype P(byte a = 1) { skip }", 1, 17, "parameter 'a' cannot have an initial value"),
        ("typedef T { };", 1, 13, "expected a declaration, found '}'"),
        ("init { L: byte x; skip }", 1, 8, "label 'L' stands before a declaration"),
        ("init { { L: skip } }", 1, 10, "label 'L' cannot stand on the first statement of a block"),
        ("init { skip unless L: skip }", 1, 20, "label 'L' cannot stand on an escape"),
        ("init { L: skip unless skip }", 1, 8, "label 'L' before 'unless' needs a block"),
        ("init { {skip} unless {skip} unless {skip} }", 1, 29, "found 'unless'"),
        ("chan q = [1] of {byte}; init { { xr q } }", 1, 32, "a sequence must have at least one statement"),
        ("init { skip; chan q = [1] of {byte} }", 1, 19, "an initialised channel must be declared before"),
        ("init { break }", 1, 8, "'break' outside a loop"),
        ("init { return 1 }", 1, 8, "'return' must stand in an inline"),
        ("init { typedef T { byte x } }", 1, 8, "expected a statement, found 'typedef'"),
        ("init { mtype = {a} }", 1, 8, "an mtype list must be declared at the top level"),
        ("byte x; init { (x = 3) }", 1, 19, "expected ')' after the expression, found '='"),
        ("init { printf(1) }", 1, 15, "expected a format string in 'printf', found '1'"),
        ('init { printf("abc) }', 1, 15, 'missing closing "'),
        ("byte x; init { x = 'ab' }", 1, 20, "'ab' is not a single character"),
        ("byte x; init { x = 0x10 }", 1, 21, "expected ';' or '}' after the statement, found 'x10'"),
        ("byte x; init { x = # }", 1, 20, "expected an expression, found '#'"),
        ("init { c_code skip }", 1, 15, "expected '{' after 'c_code', found 'skip'"),
        ("init { c_code { { }", 1, 15, "'{' is never closed"),
        ("init { c_expr { x = 1 } }", 1, 8, "a c_expr may not have side effects"),
        ("init { skip } trace { skip }", 1, 23, "only sends and receives can stand in a trace"),
        ("init { skip } ltl p { [] }", 1, 26, "expected an expression, found '}'"),
        ("init { skip } ltl p { (1 -> 1 : 2) }", 1, 31, "expected ')' after the expression, found ':'"),
        ("init { skip } ltl p { 1", 1, 15, "no closing '}'"),
        ("byte x; init { select (x : 5 .. 3) }", 1, 28, "bad range in select: 5 is larger than 3"),
        ('c_state "x";', 1, 12, "expected a string after 'c_state', found ';'"),
    ],
)
def test_message_and_place(text: str, line: int, column: int, message: str) -> None:
    found = problems(text)[0]
    assert message in found.message
    assert (found.span.file, found.span.line, found.span.column) == ("m.pml", line, column)
    assert found.code.startswith("promela-")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("init { f() } inline f() { skip }", "found '('"),
        ("inline f() { f() } init { f() }", "inline 'f' calls itself"),
        ("inline f() { g() } inline g() { f() } init { g() }", "inline 'g' calls itself"),
        ("inline f(a) { skip } init { f() }", "takes 1 argument, but 0 given"),
        ("inline f() { skip } inline f() { skip } init { f() }", "inline 'f' is defined twice"),
        ("inline f() { skip } init { f }", "expected '(' after inline 'f'"),
        ("inline f() { skip } byte x; init { x = 1 + f() }", "expected an expression, found 'f'"),
        ("inline f() { return 1 } init { f() }", "'return' must stand in an inline"),
        ('inline f(a) { skip } init { f("x") }', "expected an expression"),
        ("inline f(1) { skip }", "expected a variable name"),
        ("byte x, y; inline f(x, y) { x = y } init { f(y, x) }", "has the name of one of its parameters"),
        ("typedef T { byte a } T t; inline f(a) { a = 1 } init { f(t.a) }", "occurs in the argument 't.a'"),
    ],
)
def test_inline_errors(text: str, message: str) -> None:
    assert message in problems(text)[0].message


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("byte x; init { (x = 3) }", "'=' assigns; use '==' to compare"),
        ("init { f(1) }", "not an inline defined before this line"),
        ("proctype P() { skip } init { P() }", "run P("),
        ("init { T x; skip }", "'T' is not a type known here"),
        ("T x;", "'T' is not a type known here"),
        ("init { if (1) skip fi }", "if :: condition -> statement"),
        ("init { while (1) skip }", "do :: condition -> statement"),
        ("init { if :: 1 -> skip else -> skip fi }", ":: else"),
        ("proctype P() { skip;\nactive proctype Q() { skip }", "'}' is missing"),
        ("chan q = [1] of {byte}; init { !full(q) }", "'nfull(…)'"),
        ("byte timeout;", "'timeout' is a keyword"),
        ("mtype = {a}; byte a;", "'a' is an mtype name"),
        ("skip;", ""),
    ],
)
def test_hints(text: str, hint: str) -> None:
    assert hint in problems(text)[0].hint


def test_errors_in_several_units_are_all_reported() -> None:
    found = problems("proctype A() { x = }\nproctype B() { skip }\nproctype C() { y ! }\ninit { goto }")
    assert [d.span.line for d in found] == [1, 3, 4]


def test_a_missing_brace_does_not_hide_the_next_unit() -> None:
    found = problems("init { if :: skip\nproctype P() { skip }\nproctype Q() { run P(); goto }")
    assert [(d.span.line, d.span.column) for d in found] == [(2, 1), (3, 30)]


def test_an_error_in_an_inline_names_the_call_and_is_reported_once() -> None:
    found = problems("inline f(v) {\n  v = = 1\n}\nbyte x;\ninit { f(x) }\nactive proctype P() { f(x) }")
    assert [(d.span.line, d.related[0][0].line) for d in found] == [(2, 5)]


@pytest.fixture
def ordinary_stack() -> Iterator[None]:
    """Other code in the process may have allowed deeper recursion."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.parametrize(
    "text",
    [
        "byte x; init { x = " + "(" * 5000 + "1" + ")" * 5000 + " }",
        "byte x; init { x = " + "- " * 5000 + "1 }",
        "init { " + "{ " * 5000 + "skip" + " }" * 5000 + " }",
        "byte x[2]; init { " + "x[" * 5000 + "1" + "]" * 5000 + " = 1 }",
        "#if " + "(" * 5000 + "1" + ")" * 5000 + "\n#endif\ninit { skip }",
        "#define f(x) x\ninit { " + "f(" * 1000 + "skip" + ")" * 1000 + " }",
    ],
)
def test_deep_nesting_is_an_input_error(text: str, ordinary_stack: None) -> None:
    assert "nested too deeply" in problems(text)[0].message


def test_long_chains_are_not_deep() -> None:
    model = parse_text("byte x; init { x = 1" + " + 1" * 20_000 + "; " + "x = 1; " * 20_000 + "skip }")
    assert len(model.units[1].body) == 20_002  # type: ignore[union-attr]


def test_exploding_inlines_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inline, "MAX_INLINED", 10_000)
    text = "inline f0() { skip } " + "".join(f"inline f{i + 1}() {{ f{i}(); f{i}() }} " for i in range(30))
    assert "too large" in problems(text + "init { f30() }")[0].message


def test_huge_literals_are_cut_like_spin_does() -> None:
    model = parse_text("byte x; init { x = " + "9" * 10_000 + " }")
    value = model.units[1].body[0].value.value  # type: ignore[union-attr]
    assert -(2**31) <= value < 2**31


SAMPLES = (
    """#define N 3
#define inc(v) v = v + 1
mtype = { ping, pong }
typedef Msg { mtype kind; byte value[2] }
chan q[2] = [N] of { mtype, byte };
byte count, i; Msg m;
inline send(c, k) { c!k(count); inc(count) }
active [2] proctype P(byte id) priority 2 provided (count < 9) {
    byte v; xr q[0];
end: do
    :: q[0]?ping, v -> send(q[1], pong)
    :: q[1]??<pong, eval(v)> unless { timeout }
    :: atomic { v > 0 -> v-- } ; d_step { m.kind = pong; m.value[1] = (v -> 1 : 2) }
    :: else -> break
    od
    for (i : 1 .. N) { printf("%d\\n", i) }
    select (i : 0 .. 3)
    if :: nfull(q[0]) && q[0]?[ping, _] -> goto end :: run P(1) fi
}
init { c_code { now.count = 1; }; assert(c_expr { now.count == 1 } || P[1]@end) }
ltl safe { [] (count < 9) -> <> (P[0]:v == 1 U timeout) }
never { do :: !np_ od }
""",
    """unsigned u : 4 = 3; local short s[2] = {1, 2}; hidden int h;
#if N > 2 && defined(N)
byte wrong
#else
byte right = 'a';
#endif
inline get(x) { return x + 1 }
proctype Q(chan c; byte n, k) { L: { s[0] = get(n) } unless { c?eval(k) } }
trace { do :: a!1 -> a?1 od }
""",
)


@pytest.mark.parametrize("seed", range(8))
def test_mutated_programs_give_a_model_or_an_input_error(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(50):
        text = _mutated(chance.choice(SAMPLES), chance)
        try:
            parse_text(text)
        except InputError as error:
            assert error.diagnostics and all(d.span.line >= 1 and d.message for d in error.diagnostics)


def _mutated(text: str, chance: random.Random) -> str:
    if chance.random() < 0.4:
        letters = list(text)
        for _ in range(chance.randint(1, 5)):
            letters[chance.randrange(len(letters))] = chr(chance.randrange(256))
        return "".join(letters)
    tokens = tokenize(text, "m.pml")
    for _ in range(chance.randint(1, 4)):
        here, there = chance.randrange(len(tokens)), chance.randrange(len(tokens))
        match chance.randrange(4):
            case 0:
                del tokens[here]
            case 1:
                tokens.insert(here, tokens[there])
            case 2:
                tokens[here], tokens[there] = tokens[there], tokens[here]
            case _:
                tokens[here:here] = tokens[there : there + chance.randrange(30)]
    return spelled_out(tokens)


def test_the_unmutated_samples_are_accepted() -> None:
    for text in SAMPLES:
        assert parse_text(text).units
