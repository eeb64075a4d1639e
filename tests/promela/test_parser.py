"""Promela text to syntax trees. What is accepted and how it is read was checked against Spin 6.5.2."""

from __future__ import annotations

import pytest

from clew.frontends.promela import syntax
from clew.frontends.promela.parser import parse_text
from tests.promela.shape import joined, shape

CONTEXT = (
    "mtype = { red, green }; mtype:m = { one }; typedef T { byte f[2]; byte g }; "
    "byte x, y, z, a[3]; T t, ts[2]; chan q = [1] of { byte, byte }; "
    "proctype P(byte p) { L: skip } "
    "inline set(v, w) { v = w } inline twice(v) { set(v, 1); set(v, 2) } inline get(v) { return v + 1 } "
)


def body(text: str) -> str:
    """The statements of `init { text }`, in short."""
    init = parse_text(CONTEXT + "init {" + text + "\n}").units[-1]
    assert isinstance(init, syntax.Proctype)
    return joined(init.body, "; ")


def formula(text: str) -> str:
    ltl = parse_text("byte p, q, r; init { skip } ltl f {" + text + "}").units[-1]
    assert isinstance(ltl, syntax.Ltl)
    return shape(ltl.formula)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("x & 2 == 2", "(x & (2 == 2))"),
        ("x + y * z - 1", "((x + (y * z)) - 1)"),
        ("x || y && z", "(x || (y && z))"),
        ("x | y ^ z & 1", "(x | (y ^ (z & 1)))"),
        ("x == y < z << 1 + 2", "(x == (y < (z << (1 + 2))))"),
        ("!x == y", "((! x) == y)"),
        ("- - x + ~y", "((- (- x)) + (~ y))"),
        ("x - y - z", "((x - y) - z)"),
        ("(x -> y : z) + 1", "((x -> y : z) + 1)"),
        ("a[x + 1] == ts[0].f[1]", "(a[(x + 1)] == ts[0].f[1])"),
        ("len(q) < 3 && nfull(q) || empty(q)", "(((len(q) < 3) && nfull(q)) || empty(q))"),
        ("q?[1, x] && q??[eval(x), red]", "(q?[1, x] && q??[eval(x), red])"),
        ("P[0]@L || P@L", "(P[0]@L || P@L)"),
        ("P[x + 1]:p == P:p", "(P[(x + 1)]:p == P:p)"),
        ("run P(1) priority 3", "run P(1) priority 3"),
        ("enabled(0) && pc_value(1) > get_priority(2)", "(enabled(0) && (pc_value(1) > get_priority(2)))"),
        ("timeout && np_", "(timeout && np_)"),
        ("'a' + '\\n' + '\\0' + true", "(((97 + 10) + 48) + true)"),
        ("010 + 4294967297 + 2147483648", "((10 + 1) + -2147483648)"),
        ("red == green", "(red == green)"),
        ("c_expr [now.x] { now.x == 1 }", "c_expr[now.x]{ now.x == 1 }"),
        ("_ == _pid + _last + _nr_pr", "(_ == ((_pid + _last) + _nr_pr))"),
    ],
)
def test_expressions(text: str, result: str) -> None:
    assert body(text) == result


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("x = y; x++; t.g--", "x = y; x++; t.g--"),
        ("q!1, 2; q!red(2); q!!1, 2", "q!1, 2; q!red, 2; q!!1, 2"),
        ("q?x, y; q?red(y); q?(x, y); q?-1, eval(y)", "q?x, y; q?red, y; q?x, y; q?(- 1), eval(y)"),
        ("q??x, y; q?<x, y>; q??<x, _>", "q??x, y; q?<x, y>; q??<x, _>"),
        ("if :: x -> y = 1 :: else fi", "if :: x; y = 1 :: else fi"),
        ("if :: x :: else y = 1 fi", "if :: x :: else; y = 1 fi"),
        ("do :: break od", "do :: break od"),
        ("L: M: skip; goto L", "L: M: skip; goto L"),
        ("x = 1; L: }; byte b; init { skip", "skip"),
        (
            "atomic { x = 1 }; d_step { x = 1; y = 2 }; { z = 1 }",
            "atomic { x = 1 }; d_step { x = 1; y = 2 }; { z = 1 }",
        ),
        ("{ x = 1 } unless { y }", "{ x = 1 } unless { y }"),
        ("L: { x = 1 } unless { y }", "L: { x = 1 } unless { y }"),
        ("for (x : 1 .. y + 1) { z = x }", "for (x : 1 .. (y + 1)) { z = x }"),
        ("for (x in a) { z = x }", "for (x in a) { z = x }"),
        ("assert(x) && y; assert x == 1", "assert (x && y); assert (x == 1)"),
        (
            r'printf("a\t%d\n\"\\", x, 1); printm(red); printm(x)',
            r"""printf('a\t%d\n"\\', x, 1); printm(red); printm(x)""",
        ),
        ("set_priority(_pid, 3)", "set_priority(_pid, 3)"),
        ("byte b = x, c[2] = {1, 2}; hidden unsigned u : 5", "byte b = x, c[2] = {1, 2}; hidden unsigned u:5"),
        ("chan c = [2 * (1 + 1)] of { byte, mtype:m, T }; xr c", "chan c = [4] of {byte, mtype:m, T}; xr c"),
        ("byte in; in = 1", "byte in; in = 1"),
        ("skip -> x = 1; -> y = 2;;", "skip; x = 1; y = 2"),
        ("c_code [x] { f(\"}\", '}'); { g(); } }", "c_code[x]{ f(\"}\", '}'); { g(); } }"),
        ("x-->y", "x; y"),
        ("STDIN?x", "STDIN?x"),
    ],
)
def test_statements(text: str, result: str) -> None:
    assert body(text) == result


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("x = 1\n y = 2", "x = 1; y = 2"),
        ("x++\n y--\n x", "x++; y--; x"),
        ("if :: x fi\n y = 1", "if :: x fi; y = 1"),
        ("{ x = 1 } y = 1", "{ x = 1 }; y = 1"),
        ("{ x = 1 }\n\n unless { y }", "{ x = 1 } unless { y }"),
        ("(x\n || y\n)", "(x || y)"),
        ("x =\n 1", "x = 1"),
        ("L:\n x = 1", "L: x = 1"),
        ("if\n :: x\n -> y = 1\n :: else\n fi", "if :: x; y = 1 :: else fi"),
        ("byte b\n byte c\n b = c", "byte b; byte c; b = c"),
        ("c_code { ; }\n x = 1", "c_code[None]{ ; }; x = 1"),
        ("timeout\n x = 1", "timeout; x = 1"),
        ("for (x : 1 .. 2)\n { y = 1 }", "for (x : 1 .. 2) { y = 1 }"),
        ("set(x, 1) set(y, 2)\n z = 1", "set { x = 1 }; set { y = 2 }; z = 1"),
        ("x = 1 /* \n */ y = 2", "x = 1; y = 2"),
    ],
)
def test_implied_semicolons(text: str, result: str) -> None:
    assert body(text) == result


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("select (x : 1 .. 4)", "textual select (x : 1 .. 4)"),
        ("select(x:1..4)", "textual select (x : 1 .. 4)"),
        ("select (x : 0 .. 40) y = 1", "textual select (x : 0 .. 40); y = 1"),
        ("select (x : 1 .. y)", "select (x : 1 .. y)"),
        ("select (x : -1 .. 2)", "select (x : (- 1) .. 2)"),
        ("select (x : 1 ..\n 4)", "select (x : 1 .. 4)"),
        ("select (a[0] : 1 .. 4)", "select (a[0] : 1 .. 4)"),
        ("byte b_c; select (b_c : 1 .. 4)", "byte b_c; select (b_c : 1 .. 4)"),
    ],
)
def test_which_select_is_textual(text: str, result: str) -> None:
    assert body(text) == result


def test_select_in_an_inline_is_not_textual() -> None:
    model = parse_text("inline f(v) { select (v : 1 .. 4) } byte x; init { f(x) }")
    assert isinstance(model.units[-1], syntax.Proctype)
    assert joined(model.units[-1].body) == "f { select (x : 1 .. 4) }"


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("set(a[x], y + 1)", "set { a[x] = (y + 1) }"),
        ("twice(x)", "twice { set { x = 1 }; set { x = 2 } }"),
        ("x = get(y)", "get { x = (y + 1) }"),
        ("t.g = get(2)", "get { t.g = (2 + 1) }"),
        ("set(x, -1)", "set { x = (- 1) }"),
        ("set(x, (y -> 1 : 2))", "set { x = (y -> 1 : 2) }"),
        ("set(x, red)", "set { x = red }"),
        ("set(x, q?[1, 2])", "set { x = q?[1, 2] }"),
        ("byte w; set(x, w)", "byte w; set { x = w }"),
        ("L: set(x, 1) unless { y }", "L: set { x = 1 } unless { y }"),
    ],
)
def test_inlines_are_expanded(text: str, result: str) -> None:
    assert body(text) == result


def test_the_last_name_of_an_argument_is_replaced_again_as_in_spin() -> None:
    model = parse_text("byte y, a, b; inline f(x, b) { y = x } init { f(a + b, 3) }")
    assert isinstance(model.units[-1], syntax.Proctype)
    assert joined(model.units[-1].body) == "f { y = (a + 3) }"


def test_parameters_in_strings_and_c_code_are_not_replaced() -> None:
    model = parse_text('inline f(x) { printf("x %d", x); c_code { x; } } init { f(3) }')
    assert isinstance(model.units[-1], syntax.Proctype)
    assert joined(model.units[-1].body) == "f { printf('x %d', 3); c_code[None]{ x; } }"


def test_tokens_of_an_inline_are_located_in_its_body() -> None:
    model = parse_text("inline f(v) {\n  v = 1\n}\nbyte x;\ninit {\n  f(x)\n}")
    init = model.units[-1]
    assert isinstance(init, syntax.Proctype)
    block = init.body[0]
    assert isinstance(block, syntax.Block) and isinstance(block.body[0], syntax.Assign)
    assert (block.span.line, block.span.column) == (6, 3)
    assert block.body[0].value.span.line == 2


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("[] p -> <> q", "(([] p) -> (<> q))"),
        ("always p implies eventually q", "(([] p) -> (<> q))"),
        ("p U q U r", "((p U q) U r)"),
        ("p until q && r", "((p U q) && r)"),
        ("p || q U r", "(p || (q U r))"),
        ("p W q V r", "((p W q) V r)"),
        ("p weakuntil q release r stronguntil p", "(((p W q) V r) U p)"),
        ("! X p <-> next q", "((! (X p)) <-> (X q))"),
        ("p -> q -> r", "((p -> q) -> r)"),
        ("p equivalent q", "(p <-> q)"),
        ("[]<>(p == 1 && q < -1)", "([] (<> ((p == 1) && (q < (- 1)))))"),
        ("[] p U q", "(([] p) U q)"),
    ],
)
def test_formulas(text: str, result: str) -> None:
    assert formula(text) == result


def test_ltl_blocks_come_last_and_keep_their_text_and_place() -> None:
    model = parse_text("byte p;\nltl one { []\n  (p) }\nltl { <>p }\ninit { skip }")
    assert [type(u).__name__ for u in model.units] == ["VarDecl", "Proctype", "Ltl", "Ltl"]
    first, second = model.units[2:]
    assert isinstance(first, syntax.Ltl) and isinstance(second, syntax.Ltl)
    assert (first.name, first.text, first.span.line) == ("one", "[] (p)", 2)
    assert (second.name, second.text, second.span.line) == (None, "<>p", 4)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("byte x = 1, y[3] int z", ["byte x = 1, y[3]", "int z"]),
        ("byte n = 3; byte a[n]", ["byte n = 3", "byte a[n]"]),
        ("mtype = { a, b c }; mtype:m = { d }; mtype:m v = d", ["mtype = {a, b, c}", "mtype:m = {d}", "mtype:m v = d"]),
        ("mtype { a, b }; byte x[b], y[a]", ["mtype = {a, b}", "byte x[1], y[2]"]),
        ("show int x; local bool y", ["show int x", "local bool y"]),
        ("byte x[-1 + 2 * 3 % 4]", ["byte x[1]"]),
    ],
)
def test_global_declarations(text: str, result: list[str]) -> None:
    assert [shape(unit) for unit in parse_text(text).units] == result


def test_typedef_fields() -> None:
    unit = parse_text("typedef T {\n byte a, b\n chan c = [1] of { byte };\n}").units[0]
    assert isinstance(unit, syntax.Typedef)
    assert joined(unit.fields, "; ") == "byte a, b; chan c = [1] of {byte}"


def test_proctype_heads() -> None:
    text = "byte n = 2; active [n] proctype P(byte a, b; chan c) priority 3 provided (n > 1) { skip }"
    unit = parse_text(text).units[1]
    assert isinstance(unit, syntax.Proctype) and unit.provided is not None
    assert (unit.name, unit.active, unit.active_name, unit.priority) == ("P", 1, "n", 3)
    assert (joined(unit.params, "; "), shape(unit.provided)) == ("byte a, b; chan c", "(n > 1)")
    assert (unit.span.column, unit.end.column) == (13, len(text))


@pytest.mark.parametrize(
    ("text", "active", "deterministic"),
    [
        ("proctype P() { skip }", 0, False),
        ("active proctype P() { skip }", 1, False),
        ("active [2 + 3] proctype P() { skip }", 5, False),
        ("D_proctype P() { skip }", 0, True),
    ],
)
def test_active_processes(text: str, active: int, deterministic: bool) -> None:
    unit = parse_text(text).units[0]
    assert isinstance(unit, syntax.Proctype)
    assert (unit.active, unit.deterministic) == (active, deterministic)


def test_other_units() -> None:
    text = (
        'c_decl { int y; } c_code { void f() { } } c_state "int z" "Global" "1" c_track "&y" "4" '
        "inline f(a, b) { skip } init priority 4 { skip } never n { skip } trace { q!1 } notrace { q?1 }"
    )
    units = parse_text(text).units
    kinds = "CDecl CCode CState CState InlineDef Proctype Never TraceUnit TraceUnit"
    assert " ".join(type(u).__name__ for u in units) == kinds
    assert isinstance(units[2], syntax.CState) and units[2].strings == ("int z", "Global", "1")
    assert isinstance(units[4], syntax.InlineDef) and units[4].params == ("a", "b")
    assert isinstance(units[5], syntax.Proctype) and (units[5].name, units[5].priority) == (":init:", 4)
    assert isinstance(units[6], syntax.Never) and units[6].name == "n"
    assert isinstance(units[8], syntax.TraceUnit) and units[8].negated


def test_spans_under_macros() -> None:
    model = parse_text("#define SET(v) v = 1\nbyte x;\ninit {\n   SET(x)\n}")
    init = model.units[1]
    assert isinstance(init, syntax.Proctype)
    assert (init.body[0].span.line, init.body[0].span.column, init.body[0].span.length) == (4, 4, 3)
