"""What `clew lint` finds suspicious, and what it leaves alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.core.diagnostics import InputError
from clew.core.registry import LoadOptions
from clew.frontends.promela.language import LANGUAGE

EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "promela").glob("*.pml"))


def found(text: str) -> list[tuple[int, str]]:
    diagnostics = LANGUAGE.lint("m.pml", text, LoadOptions())
    return [(d.span.line, d.code.removeprefix("promela-")) for d in diagnostics]


SERVER = "chan q = [1] of {{ byte }};\nactive proctype S() {{ byte n;\n{}\nn = 0; assert(n == 0) }}\ninit {{ q!1 }}\n"


@pytest.mark.parametrize(
    ("loop", "said"),
    [
        ("do :: q?n od", True),
        ("end: do :: q?n od", False),
        ("do :: q?n :: q?1 od", True),
        ("do :: q?n -> break od", False),
        ("do :: q?n :: n > 2 -> n = 0 od", False),
        ("do :: end: q?n od", False),
    ],
)
def test_a_server_without_an_end_label(loop: str, said: bool) -> None:
    assert ((3, "missing-end") in found(SERVER.format(loop))) == said


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("q?n", True), ("q!1", True), ("q?[1]", True), ("atomic { q?n; skip }", True), ("n > 0 && q?[1]", True),
        ("n > 0", False), ("nempty(q)", False),
    ],
)  # fmt: skip
def test_else_beside_a_look_into_a_channel(option: str, said: bool) -> None:
    text = f"chan q = [2] of {{ byte }};\ninit {{ byte n; q!1; q?n;\nif :: {option} -> skip\n:: else -> n = 0 fi }}\n"
    assert ((4, "else-poll") in found(text)) == said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (":: x = 1 -> skip :: x == 0 -> skip", True),
        (":: x = 1 -> skip :: else -> skip", True),
        (":: x = 1 :: x = 2", False),  # a choice of values
        (":: x = 1 :: y > x -> skip", False),
        (":: x++ :: x == 3 -> x = 0", False),
    ],
)
def test_an_option_that_assigns_where_another_one_compares(options: str, said: bool) -> None:
    text = f"byte x, y;\ninit {{ y = x;\nif {options} fi }}\n"
    assert ((3, "assigning-guard") in found(text)) == said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (":: x == 0 -> x = 1; else -> skip", True),
        (":: x == 0 -> x = 1 :: else -> skip", False),
        (":: x == 0 -> x = 1 :: atomic { here: else -> skip }", False),
        (":: if :: x == 0 :: else fi :: else -> skip", False),
    ],
)
def test_an_else_that_begins_no_option(options: str, said: bool) -> None:
    text = f"byte x;\ninit {{\nif {options} fi }}\n"
    assert ((3, "stray-else") in found(text)) == said


def test_a_misspelt_proctype_is_named() -> None:
    with pytest.raises(InputError) as caught:
        LANGUAGE.load("m.pml", "proctype Service() { skip }\ninit { run Sevice() }\n", LoadOptions())
    assert caught.value.diagnostics[0].hint == "did you mean 'Service'?"


def test_a_check_says_what_is_certainly_a_mistake() -> None:
    text = "byte x;\nproctype Q() { skip }\ninit {\nif :: x = 1 -> skip\nelse -> skip :: x == 1 fi }\n"
    warnings = LANGUAGE.load("m.pml", text, LoadOptions()).warnings
    assert [(d.span.line, d.code.removeprefix("promela-")) for d in warnings] == [
        (2, "never-run"), (4, "assigning-guard"), (5, "stray-else")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("condition", "said"),
    [("true", True), ("x == x", True), ("2 > 3", True), ("x || 1", True), ("x == 1", False), ("false", False),
     ("x < y", False), ("1 / 0", False)],
)  # fmt: skip
def test_constant_assertions(condition: str, said: bool) -> None:
    """`assert(false)` is how one says that a place is not to be reached."""
    text = f"byte x, y;\ninit {{ x = 1; y = x;\nassert({condition}) }}\n"
    assert ((3, "constant-assertion") in found(text)) == said


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("q!1", ["never-received"]),
        ("byte n; q?n; n == 1", ["never-sent"]),
        ("byte n; q!1; q?n; n == 1", []),
        ("q!1; run P(q)", []),  # whoever holds it may receive
        ("q!1; c = q; c!1", []),
        ("q!1; (q?[1])", []),
        ("byte n; q!1; for (n in q) { n == 1 }", []),
    ],
)
def test_channels_with_one_side(body: str, said: list[str]) -> None:
    text = f"chan q = [1] of {{ byte }};\nproctype P(chan d) {{ byte n; d?n; n == 1 }}\ninit {{ chan c; {body} }}\n"
    codes = [code for _, code in found(text)]
    assert [code for code in codes if code in ("never-received", "never-sent")] == said


def test_a_variable_that_only_takes_values() -> None:
    assert (1, "write-only") in found("byte x;\ninit { x = 1 }\n")
    assert found("byte x;\ninit { x = 1; assert(x == 1) }\n") == []


def test_a_statement_that_is_never_reached() -> None:
    assert (3, "unreachable") in found("byte x;\ninit { do :: x++ od;\nx = 0; assert(x == 1) }\n")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_examples_have_no_errors_of_type(path: Path) -> None:
    diagnostics = LANGUAGE.lint(str(path), path.read_text(), LoadOptions())
    assert [str(d) for d in diagnostics if d.severity.value == "error" and d.code != "promela-narrowing"] == []
