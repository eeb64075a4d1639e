"""Types by inference: the cases of Donaldson and Gay, "Etch" (SPIN 2005), with exact positions, and every construct.

The listing of the paper's section 2 is typed with its blank lines; its mtype `return` is a keyword today and is spelled
`return_` here.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clew.cli.main import main
from clew.core.diagnostics import Diagnostic
from clew.frontends.promela.features import scan
from clew.frontends.promela.parser import parse_text
from clew.frontends.promela.suspicious import suspicious
from clew.frontends.promela.typing.infer import Typing, infer
from clew.frontends.promela.typing.symbols import Options

CLIENT_SERVER = """\
mtype = {request,deny,hold,grant,return_}
chan server = [0] of {mtype,chan}
chan null = [0] of {mtype,chan}

proctype Agent(chan listen, talk)
{ do
  :: talk!hold(listen)
  :: talk!deny(listen) -> break
  :: talk!grant(listen) ->
wait: listen?return_(null); break
od;
server!return_(listen) }

active[2] proctype Client()
{ chan me = [0] of {mtype,chan};
  chan agent;
end: do
  :: timeout ->
  server!request(me);
  do
    :: me?hold(agent)
    :: me?deny(agent) -> break
    :: me?grant(agent) ->
      agent!return_(null); break
  od
od }

active proctype Server()
{
  chan agents[2] = [0] of {mtype,chan};
  chan pool = [2] of {chan};
  chan client, agent;
  byte i;
  do
    :: i < 2 -> pool!agents[i]; i++
    :: else -> break
  od;
end:
do
  :: server?request(client) ->
  if
    :: empty(pool) -> client!deny(null)
    :: nempty(pool) -> pool?agent;
      run Agent(agent,client)
  fi
  :: server?return_(agent) -> pool!agent
od
}
"""
ERRORS = {
    1: ("run Agent(agent,client)", "run Agent(agent)"),
    2: ("talk!hold(listen)", "talk!listen(hold)"),
    3: ("talk!grant(listen)", "talk!grant"),
}


def typed(text: str, **options: bool) -> Typing:
    return infer(parse_text(text, "m.pml"), Options(**options))


def found(text: str, **options: bool) -> list[tuple[int, str]]:
    return [(d.span.line, d.code.removeprefix("promela-")) for d in typed(text, **options).diagnostics]


def only(text: str) -> Diagnostic:
    (diagnostic,) = typed(text).diagnostics
    return diagnostic


def types_of(text: str) -> dict[str, str]:
    known = typed(text)
    return {s.name: known.text(s) for s in known.symbols}


def body(statements: str, before: str = "") -> str:
    return f"mtype = {{ red, green }};\n{before}\nactive proctype P() {{\n{statements}\n}}\n"


def lint(tmp_path: Path, text: str, *options: str) -> int:
    path = tmp_path / "m.pml"
    path.write_text(text)
    return main(["lint", *options, str(path)])


# --- the paper's model and its three errors -----------------------------------------------------------------------


def test_the_client_server_model_has_no_error(tmp_path: Path) -> None:
    assert found(CLIENT_SERVER) == []
    assert lint(tmp_path, CLIENT_SERVER) == 0
    known = types_of(CLIENT_SERVER)
    assert known["talk"] == known["listen"] == known["null"] == "mu X.chan{mtype,X}"
    assert known["pool"] == "chan{mu X.chan{mtype,X}}"


def test_error_1_run_with_a_missing_argument(tmp_path: Path) -> None:
    text = CLIENT_SERVER.replace(*ERRORS[1])
    error = only(text)
    assert (error.span.line, error.span.column, error.code) == (44, 7, "promela-arguments")
    assert error.message == "proctype Agent expects 2 arguments, 1 supplied"
    assert [span.line for span, _ in error.related] == [5]
    assert lint(tmp_path, text) == 1


def test_error_2_fields_swapped_is_found_from_the_other_uses(tmp_path: Path) -> None:
    text = CLIENT_SERVER.replace(*ERRORS[2])
    error = only(text)
    assert (error.span.line, error.span.column, error.code) == (7, 6, "promela-message-type")
    assert error.message.endswith("mtype is not mu X.chan{mtype,X}")
    assert [span.line for span, _ in error.related] == [15, 44]  # the client's channel, and where it is passed on
    assert lint(tmp_path, text) == 1


def test_error_3_a_field_is_missing(tmp_path: Path) -> None:
    text = CLIENT_SERVER.replace(*ERRORS[3])
    error = only(text)
    assert (error.span.line, error.span.column, error.code) == (9, 6, "promela-message-length")
    assert "different lengths" in error.message
    assert error.message.endswith("unable to unify {mtype,mu X.chan{mtype,X}} with {mtype}")
    assert lint(tmp_path, text) == 1


def test_a_field_is_missing_on_a_channel_of_unknown_contents() -> None:
    """With nothing known of the channel in the message, the text is that of the paper, {mtype,chan X}."""
    text = body("c!red(d); c!red", "chan c = [1] of {mtype,chan}; chan d = [0] of {bit}")
    assert only(text).message.endswith("unable to unify {mtype,chan{bit}} with {mtype}")
    text = body("chan d; c!red(d); c!red", "chan c = [1] of {mtype,chan}")
    assert typed(text).diagnostics[-1].message.endswith("unable to unify {mtype,chan X} with {mtype}")


def test_all_three_errors_come_in_one_run() -> None:
    text = CLIENT_SERVER
    for old, new in ERRORS.values():
        text = text.replace(old, new)
    assert (44, "arguments") in found(text)
    assert len(found(text)) >= 2  # without the run, nothing ties `talk` to the client


def test_the_fields_of_a_channel_received_from_another_process() -> None:
    text = """\
mtype = { req, ack };
chan box = [1] of { chan };
active proctype user() { chan me = [0] of { mtype, byte }; box!me; me?ack(_) }
active proctype serv() { chan c; byte n; box?c; c!n(ack) }
"""
    error = only(text)
    assert (error.span.line, error.span.column) == (4, 49)
    assert error.message == "unable to unify {mtype,byte} with {byte,mtype}: mtype is not byte"


def test_a_recursive_channel_is_legal() -> None:
    text = "chan A = [1] of {chan,bit}; init { A!A,0 }"
    assert found(text) == []
    assert types_of(text)["A"] == "mu X.chan{X,bit}"


def test_arithmetic_with_mtypes_is_an_error() -> None:
    assert found(body("mtype a, b, c; a = b + c")) == [(4, "mtype-arithmetic")]


def test_pid_is_byte_unless_it_is_distinct(tmp_path: Path) -> None:
    text = body("byte b; pid p; b = _pid; p = _pid; q!p", "chan q = [1] of { byte }")
    assert found(text) == []
    assert found(text, distinct_pid=True) == [(4, "kind"), (4, "kind")]
    assert (lint(tmp_path, text), lint(tmp_path, text, "--distinct-pid")) == (0, 1)


# --- numbers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "fits"),
    [
        ("byte b; unsigned u : 12; u = b", True),
        ("unsigned u : 12; short s; s = u", True),
        ("short s; int i; i = s", True),
        ("byte b; b = b + 1", True),
        ("bit t; bool f; f = t", True),
        ("int i; byte b; b = i", False),
        ("short s; unsigned u : 16; s = u", False),
        ("byte b; b = 256", False),
        ("byte b; b = 255", True),
        ("byte b; b = -1", False),
        ("unsigned u : 12; byte b; b = u % 16", True),
        ("int i; byte b; b = (i > 3)", True),
    ],
)
def test_a_value_must_fit(statement: str, fits: bool) -> None:
    assert found(body(statement)) == ([] if fits else [(4, "narrowing")])
    assert found(body(statement), narrowing=False) == []


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("bool f; byte b; b = f", "kind"),
        ("bool f; byte b; f = b", "kind"),
        ("byte b; b = red", "kind"),
        ("mtype m; m = 1", "kind"),
        ("mtype m; m == 1", "mtype-arithmetic"),
        ("mtype m; m < red", "mtype-arithmetic"),
        ("mtype m; m++", "mtype-arithmetic"),
        ("byte a[3]; a[red] = 1", "mtype-arithmetic"),
        ("mtype m; m", "mtype-arithmetic"),
        ("mtype m; assert(m)", "mtype-arithmetic"),
        ("byte b; run Q(b)", "kind"),
        ("run Q(c, c)", "arguments"),
        ("mtype:size s; s = red", "kind"),
        ("chan d = [1] of {byte}; c = d", "channel-type"),
        ("chan d = [1] of {byte}; run Q(d)", "channel-type"),
    ],
)
def test_a_value_of_the_wrong_kind(statement: str, code: str) -> None:
    before = "mtype:size = { small };\nchan c = [1] of {byte,bit};\nproctype Q(chan x) { run Q(c); skip }\n"
    assert [kind for _, kind in found(body(statement, before))] == [code]


# --- constructs ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        "q!1,red", "q!1(red)", "q!!1,red", "byte x; q?x,red", "byte x; q?x(red)", "byte x; q??x,_", "byte x; q?<x,red>",
        "byte x; q??<x,_>", "q?[1,red]", "q??[_,red]", "mtype m; q?eval(_pid),m", "q?_,_", "atomic { q!1,red }",
        "d_step { q!1,red }", "{ q!1,red } unless { q?_,_ }", "if :: q!1,red :: else fi", "do :: q?1,red -> break od",
        "len(q) > 0", "full(q)", "byte i; for (i : 0 .. 3) { q!i,red }", "byte i; select (i : 0 .. 3)", "xr q; q?_,_",
        "printf(\"%d\", q)", "M m; for (m in q) { skip }", "int n = (len(q) > 1 -> 1 : 2)",
        "byte i; for (i in a) { skip }",
    ],
)  # fmt: skip
def test_every_use_of_a_channel_is_accepted_as_declared(statement: str) -> None:
    before = "typedef M { byte n; mtype m };\nbyte a[3];\nchan q = [1] of { byte, mtype };"
    assert found(body(statement, before)) == []


@pytest.mark.parametrize("statement", ["q!red", "q?red", "q?[red]", "q!1,1", "q?1,1", "q!1,red,1", "q??<red,red>"])
def test_and_every_misuse_is_not(statement: str) -> None:
    assert len(found(body(statement, "chan q = [1] of { byte, mtype };"))) == 1


def test_channels_in_records_and_arrays() -> None:
    before = "typedef T { chan in; byte n };\nT t[2];\nchan c[2] = [1] of { mtype };\n"
    assert found(body("t[0].in = c[1]; t[1].in!red", before)) == []
    assert found(body("t[0].in = c[1]; t[1].in!3", before)) == [(7, "message-type")]


def test_a_record_in_a_message_is_the_list_of_its_fields() -> None:
    before = "typedef T { byte n; mtype m };\nchan c = [1] of { T };\nchan d = [1] of { byte, mtype };\n"
    assert found(body("T t; c!t; d!t; c!1,red; c?t", before)) == []
    assert [line for line, _ in found(body("T t;\nc!red,1;\nc!1", before))] == [8, 9]


def test_mtype_lists_are_different_types() -> None:
    before = "mtype:size = { small, large };\nchan c = [1] of { mtype:size };"
    assert found(body("c!small", before)) == []
    assert found(body("c!red", before)) == [(5, "message-type")]
    assert types_of(body("c!small", before))["c"] == "chan{mtype:size}"


def test_formulas_and_claims_are_typed() -> None:
    before = "mtype m; byte b;\nltl p { [] (m == red && b < 3) }\nltl q { <> (m == 1) }"
    assert found(body("skip", before)) == [(4, "mtype-arithmetic")]
    assert found(body("skip", "mtype m;\nnever { do :: m > 1 od }")) == [(3, "mtype-arithmetic")]


def test_an_error_in_an_inline_shows_the_calls() -> None:
    text = """\
chan q = [1] of { byte, byte };
inline put(x) { q!x }
inline twice(y) { put(y); skip }
init { twice(1) }
"""
    error = only(text)
    assert (error.span.line, error.code) == (2, "promela-message-length")
    calls = [(span.line, text) for span, text in error.related if "called here" in text]
    assert calls == [(3, "in inline 'put' called here"), (4, "in inline 'twice' called here")]


def test_an_inline_is_typed_anew_at_each_call() -> None:
    before = "chan q = [1] of { byte };\nchan r = [1] of { bit, bit };\ninline out(c, m) { c!m }\n"
    assert found(before + "init { out(q, 1); out(r, 0) }") == [(4, "message-length")]  # where the argument is


def test_an_inline_that_nobody_calls_is_looked_at_alone() -> None:
    """Its parameters are of unknown type, and what it calls is looked at from there. Names that a caller would declare
    are no errors, and one that is no sequence of statements without what would be put in is left alone."""
    before = """\
chan q = [1] of { byte, byte };
inline helper(z) { q!z }
inline spare(x, y) { x!y; y = x; b = red;
  helper(3); undeclared = 4; goto nowhere }
inline operator(op) { b = 1 op 2 }
"""
    model = body("q!b,b", before + "byte b;\n")
    assert found(model) == [(3, "message-length"), (4, "kind")]
    (first, _) = typed(model).diagnostics
    assert [text for _, text in first.related if "called here" in text] == ["in inline 'helper' called here"]


def test_an_inline_that_nobody_calls_changes_nothing_else() -> None:
    """How a text is understood depends on what it uses; and the channel is still one that nobody receives from."""
    text = (
        "chan q = [2] of { byte };\nbyte x, y;\nactive proctype P() priority 2 { q!1; x = 1; y = x; assert(x == 1) }\n"
    )
    spare = "inline spare(e) { q?x; y = _priority; c_code { y = 1; }; { skip } unless { enabled(e) } }\n"
    assert scan(parse_text(text + spare, "m.pml")) == scan(parse_text(text, "m.pml"))
    warned = [d.code for d in suspicious(parse_text(text + spare, "m.pml"))]
    assert warned == [d.code for d in suspicious(parse_text(text, "m.pml"))] == ["promela-never-received"]


def test_the_parameters_of_a_proctype_have_one_type() -> None:
    before = "chan q = [1] of { bit };\nchan r = [1] of { bit, bit };\nproctype P(chan c) { skip }\n"
    assert found(before + "init { run P(q); run P(r) }") == [(4, "channel-type")]


def test_of_channels_without_layout_most_uses_are_right() -> None:
    text = "proctype P(chan c) {\nc!1;\nc!1,2;\nc!3,4 }\ninit { chan d; run P(d) }"
    assert (2, "message-length") in found(text)


def test_the_dummy_channel_is_unified_with_the_real_ones() -> None:
    text = body("c = null; c!red", "chan null = [0] of {mtype}; chan c = [0] of {mtype}")
    assert found(text) == []


def test_a_channel_that_never_gets_a_value() -> None:
    assert found("init { chan c; c!1 }") == [(1, "uninitialised-channel")]
    assert found("chan d = [1] of {bit}; init { chan c; c = d; c!1 }") == []


def test_what_is_not_declared_is_left_to_the_other_stage() -> None:
    assert found("init { x = 1; q!1; y.z[3] = 2 }") == []


# --- through the commands -----------------------------------------------------------------------------------------


def test_a_model_with_type_errors_is_checked_with_warnings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.pml"
    path.write_text(body("mtype m; m = red + 1"))
    assert main(["check", "--json", "--no-run", str(path)]) == 0
    warnings = json.loads(capsys.readouterr().out)["warnings"]
    assert [(w["code"], w["severity"]) for w in warnings][:1] == [("promela-mtype-arithmetic", "warning")]
    assert main(["check", "--strict", "--no-run", str(path)]) == 3


def test_types_graph_and_sarif(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.pml"
    path.write_text("chan A = [1] of {chan,bit}; init { A!A,0; A?_,_ }")
    assert main(["lint", "--types", str(path)]) == 0
    assert "variable A: mu X.chan{X,bit}" in capsys.readouterr().out
    assert main(["lint", "--types", "--json", str(path)]) == 0
    assert {row["name"]: row["type"] for row in json.loads(capsys.readouterr().out)["types"]}["A"] == "mu X.chan{X,bit}"
    assert main(["lint", "--graph", str(path)]) == 0
    assert "0 -> 0" in capsys.readouterr().out
    assert main(["lint", "--graph", "-o", str(tmp_path / "g.svg"), str(path)]) == 0
    assert (tmp_path / "g.svg").read_text().startswith("<")
    capsys.readouterr()
    path.write_text(CLIENT_SERVER.replace(*ERRORS[3]))
    assert main(["lint", "--to", "sarif", "--sarif", str(tmp_path / "l.sarif"), str(path)]) == 1
    log = json.loads(capsys.readouterr().out)
    assert log == json.loads((tmp_path / "l.sarif").read_text())
    (result,) = log["runs"][0]["results"]
    assert (result["ruleId"], len(result["relatedLocations"])) == ("promela-message-length", 2)
