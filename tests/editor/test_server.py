"""`clew lsp` through the protocol, with pygls as the client: what an editor sends, and what it gets."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from tests.editor.session import Editor, applied, place

MODEL = """\
mtype = { req, ack };
typedef Pair { byte left; byte right };
chan box = [1] of { chan };
byte count;
inline put(c, m) { c!m, 1 }
active proctype user() {
  chan me = [0] of { mtype, byte };
  Pair p;
again:
  box!me; me?ack(p.left);
  count++;
  goto again
}
active proctype serv() { chan c; box?c; put(c, ack) }
ltl small { [] (count < 2) }
"""
OPEN = lsp.ClientCapabilities(
    window=lsp.WindowClientCapabilities(
        work_done_progress=True, show_document=lsp.ShowDocumentClientCapabilities(support=True)
    )
)


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    found = Editor({"maxTime": 500}, OPEN)
    yield found
    found.quit()


@pytest.fixture
def uri(editor: Editor, tmp_path: Path) -> str:
    """The model, open and looked at."""
    found = editor.open(tmp_path / "m.pml", MODEL)
    editor.diagnostics(found)
    return found


def test_what_the_server_can_do(editor: Editor) -> None:
    can = editor.capabilities
    assert can.hover_provider and can.definition_provider and can.references_provider and can.rename_provider
    assert can.document_symbol_provider and can.completion_provider and can.document_formatting_provider
    assert can.code_lens_provider and can.execute_command_provider.commands == ("clew.check", "clew.simulate")


def test_diagnostics_come_with_each_version(editor: Editor, tmp_path: Path) -> None:
    uri = editor.open(tmp_path / "m.pml", MODEL)
    assert [d.message for d in editor.diagnostics(uri, 1) if d.severity == lsp.DiagnosticSeverity.Error] == []
    start = place(MODEL, "put(c, ack)")
    end = lsp.Position(start.line, start.character + len("put(c, ack)"))
    change = lsp.TextDocumentContentChangePartial(lsp.Range(start, end), "c!1(ack)")
    version = editor.edit(uri, change)
    (error,) = [d for d in editor.diagnostics(uri, version) if d.severity == lsp.DiagnosticSeverity.Error]
    assert (error.code, error.source, error.range.start.line) == ("promela-message-type", "clew", start.line)
    assert "unable to unify {mtype,byte} with {bit,mtype}" in error.message
    assert [where.location.range.start.line for where in error.related_information]  # the channel's declaration
    version = editor.replace(uri, "byte x = ;\ninit { skip }\n")
    assert [(d.code, d.range.start) for d in editor.diagnostics(uri, version)] == [
        ("promela-syntax", lsp.Position(0, 9))
    ]


def test_only_the_last_of_quick_changes_is_looked_at(editor: Editor, tmp_path: Path) -> None:
    uri = editor.open(tmp_path / "m.pml", "init { skip }\n")
    for number in range(5):
        version = editor.replace(uri, f"byte x{number};\ninit {{ skip }}\n")
    messages = [d.message for d in editor.diagnostics(uri, version)]
    assert messages[0].startswith("global 'x4' is never used")


def test_hover_shows_the_inferred_type(editor: Editor, uri: str) -> None:
    assert "variable serv.c: chan{mtype,byte}" in editor.hover(uri, place(MODEL, "c, ack"))
    assert "declared as `chan`" in editor.hover(uri, place(MODEL, "c;", 0))
    assert "variable box: chan{chan{mtype,byte}}" in editor.hover(uri, place(MODEL, "box!me"))
    assert editor.hover(uri, lsp.Position(0, 6)) == ""


def test_types_stay_known_while_the_text_is_broken(editor: Editor, uri: str) -> None:
    broken = MODEL.replace("count++;", "count++ = ")
    editor.replace(uri, broken)
    assert "variable serv.c: chan{mtype,byte}" in editor.hover(uri, place(broken, "c, ack"))


@pytest.mark.parametrize(
    ("use", "number", "declaration"),
    [
        ("count < 2", 0, "count;"),
        ("left)", 0, "left; byte"),
        ("Pair p", 0, "Pair {"),
        ("again\n}", 0, "again:"),
        ("put(c, ack)", 0, "put(c, m)"),
        ("m, 1", 0, "m) {"),
        ("ack(p", 0, "ack }"),
        ("me?ack", 0, "me ="),
    ],
)
def test_go_to_definition(editor: Editor, uri: str, use: str, number: int, declaration: str) -> None:
    where = place(MODEL, declaration)
    assert editor.definition(uri, place(MODEL, use, number)) == (uri, where.line, where.character)


def test_references(editor: Editor, uri: str) -> None:
    wanted = [place(MODEL, "count;"), place(MODEL, "count++"), place(MODEL, "count < 2")]
    assert editor.references(uri, place(MODEL, "count++")) == [(p.line, p.character) for p in wanted]


def test_rename_changes_every_use_and_nothing_else(editor: Editor, uri: str) -> None:
    edits = editor.rename(uri, place(MODEL, "count++"), "total")
    assert applied(MODEL, edits) == MODEL.replace("count", "total")
    edits = editor.rename(uri, place(MODEL, "p.left"), "pair")
    assert applied(MODEL, edits) == MODEL.replace("Pair p;", "Pair pair;").replace("p.left", "pair.left")


@pytest.mark.parametrize(
    ("what", "new", "reason"),
    [
        ("count++", "box", "already declared"),
        ("count++", "do", "keyword"),
        ("count++", "2x", "not a name"),
        ("me?ack", "box", "already declared in line 3"),
        ("= {", "x", "no name here"),
    ],
)
def test_a_rename_that_would_change_the_model_is_refused(
    editor: Editor, uri: str, what: str, new: str, reason: str
) -> None:
    with pytest.raises(Exception, match=reason):
        editor.rename(uri, place(MODEL, what), new)


def test_symbols_are_nested(editor: Editor, uri: str) -> None:
    found = {symbol.name: symbol for symbol in editor.symbols(uri)}
    assert list(found) == ["req", "ack", "Pair", "box", "count", "put", "user", "serv", "small"]
    assert [child.name for child in found["user"].children] == ["me", "p", "again"]
    assert (found["user"].range.start.line, found["user"].range.end.line) == (5, 12)


def test_completion_knows_what_is_visible(editor: Editor, uri: str) -> None:
    inside = editor.completion(uri, place(MODEL, "count++"))
    assert {"me", "p", "count", "box", "put", "ack", "do", "atomic"} <= set(inside)
    assert "c" not in inside and "again" not in inside and "left" not in inside
    assert inside["me"].detail == "chan{mtype,byte}"
    fields = editor.completion(uri, place(MODEL, "left)"))
    assert set(fields) == {"left", "right"}
    assert set(editor.completion(uri, place(MODEL, "again\n}"))) == {"again"}


def test_formatting_indents_by_structure(editor: Editor, tmp_path: Path) -> None:
    text = "active proctype P() {\nbyte x\ndo\n:: x < 3 ->\nx++ // up\nif :: skip\n:: break\nfi\nod\nend:\nskip\n}\n"
    uri = editor.open(tmp_path / "f.pml", text)
    after = applied(text, editor.formatting(uri))
    assert after == (
        "active proctype P() {\n  byte x\n  do\n  :: x < 3 ->\n     x++ // up\n     if :: skip\n"
        "     :: break\n     fi\n  od\nend:\n  skip\n}\n"
    )
    editor.replace(uri, after)
    assert editor.formatting(uri) == []


def test_the_lens_check_shows_the_lines_of_the_counterexample(editor: Editor, uri: str) -> None:
    text = MODEL.replace("count < 2", "count < 1")
    version = editor.replace(uri, text)
    editor.diagnostics(uri, version)
    lenses = editor.lenses(uri)
    assert list(lenses) == ["check", "simulate", "check small"]
    answer = editor.execute(lenses["check small"])
    assert answer["verdict"] == "violated"
    (found,) = answer["counterexamples"]
    assert found["property"] == "small"
    counted = place(text, "count++").line + 1
    assert counted in found["lines"]
    (shown,) = [d for d in editor.diagnostics(uri, version) if d.source == "clew check"]
    assert counted - 1 in [where.location.range.start.line for where in shown.related_information]
    assert any("user(0): count" in where.message for where in shown.related_information)
    assert editor.shown[-1] == answer["document"]
    assert "small" in Path(answer["document"].removeprefix("file://")).read_text()
    version = editor.replace(uri, MODEL)
    assert [d for d in editor.diagnostics(uri, version) if d.source == "clew check"] == []


def test_the_lens_check_of_a_model_with_an_error_says_where(editor: Editor, tmp_path: Path) -> None:
    uri = editor.open(tmp_path / "bad.pml", "init { x = 1 }\n")
    answer = editor.execute(editor.lenses(uri)["check"])
    assert (answer["verdict"], answer["counterexamples"][0]["property"]) == ("bad input", "promela-undeclared")


def test_the_lens_simulate_walks_into_what_is_wrong(editor: Editor, tmp_path: Path) -> None:
    uri = editor.open(tmp_path / "wrong.pml", "byte x;\ninit {\n  x = 1;\n  assert(x == 0)\n}\n")
    answer = editor.execute(editor.lenses(uri)["simulate"])
    assert answer["verdict"] == "violated"
    assert answer["counterexamples"] == [
        {"property": "simulation", "message": "assertion violated: x == 0", "lines": [3, 4]}
    ]


def test_columns_are_counted_as_the_editor_counts_them(editor: Editor, tmp_path: Path) -> None:
    """UTF-16: the sign takes two units."""
    text = "byte x; /* \U0001f9f6 */ byte y = x;\ninit { y = y }\n"
    uri = editor.open(tmp_path / "u.pml", text)
    assert editor.definition(uri, lsp.Position(0, 26)) == (uri, 0, 5)
    assert editor.references(uri, lsp.Position(1, 7)) == [(0, 22), (1, 7), (1, 11)]


def test_names_of_an_included_file(editor: Editor, tmp_path: Path) -> None:
    (tmp_path / "defs.h").write_text("#define LIMIT 3\nbyte shared;\n")
    text = '#include "defs.h"\ninit { shared = LIMIT }\n'
    uri = editor.open(tmp_path / "m.pml", text)
    other = (tmp_path / "defs.h").as_uri()
    assert editor.definition(uri, place(text, "shared")) == (other, 1, 5)
    assert editor.definition(uri, place(text, "LIMIT")) == (other, 0, 8)
    with pytest.raises(Exception, match=r"also used in defs\.h"):
        editor.rename(uri, place(text, "shared"), "common")


def test_goodbye_ends_the_server_with_status_0() -> None:
    def message(number: int | None, method: str, params: object = None) -> bytes:
        content = {"jsonrpc": "2.0", "method": method, "params": params} | ({} if number is None else {"id": number})
        body = json.dumps(content).encode()
        return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)

    begin = message(1, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    words = begin + message(None, "initialized", {}) + message(2, "shutdown") + message(None, "exit")
    server = subprocess.run([sys.executable, "-m", "clew", "lsp"], input=words, capture_output=True, timeout=600)
    assert (server.returncode, b"internal error" in server.stderr) == (0, False)
