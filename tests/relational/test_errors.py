"""Messages about bad input: located, several at once, never a traceback."""

from __future__ import annotations

from random import Random

import pytest

from clew.core.diagnostics import InputError
from clew.core.registry import LoadOptions
from clew.frontends.relational.language import LANGUAGE
from tests.relational.models import EXAMPLES, read


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("enum A {2};\nA x\nset A s;", 3, "expected ';' after the declaration, found 'set'"),
        ("enum A {2}; A x;\ntoplevel void f() { y := A1; }", 2, "'y' is not declared"),
        ("enum A {2}; set A s;\nassert s.s == s;", 2, "joining two sets leaves nothing"),
        ("enum A {2}; enum B {2}; A x;\nassert x == B1;", 2, "one A is never one B"),
        ("enum A {2}; A x;\nassert x' == x;", 2, "x': primes are for declarative statements"),
        ("enum A {2}; A->A r;\ntoplevel void f() { r := A1; }", 2, "A->A is needed here, this is one A"),
        ("enum A {2}; A x;\nbool f() { f() }", 2, "the function 'f' calls itself"),
        ("enum A {2}; A x;\ntoplevel void f() { AG x == A1; }", 2, "temporal operators are for assertions"),
        ("enum A {2}; A x;\ntoplevel void f() { g(x); }", 2, "there is no procedure 'g'"),
        ("bool loop;", 1, "'loop' is built in and cannot be declared"),
    ],
)
def test_message_and_line(text: str, line: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(text)
    first = caught.value.diagnostics[0]
    assert (first.span.line, first.message) == (line, message)


def test_several_errors_at_once() -> None:
    with pytest.raises(InputError) as caught:
        read("enum A {2}; A x;\ntoplevel void f() { y := A1;\n x := z; }\nassert w;")
    assert [d.span.line for d in caught.value.diagnostics] == [2, 3, 4]


def test_lint_names_what_a_declarative_statement_leaves_open() -> None:
    found = LANGUAGE.lint("m.rel", "bool p, q;\ntoplevel void f() { p' == q; }\nassert true;", LoadOptions())
    assert [(d.code, d.span.line) for d in found] == [("relational-frame", 2)]
    assert "q'" in found[0].message


def test_lint_asks_for_loop() -> None:
    found = LANGUAGE.lint("m.rel", "bool p;\ntoplevel void f() { while (p) p := false; }\nassert true;", LoadOptions())
    assert [d.code for d in found] == ["relational-loop"]


@pytest.mark.parametrize("seed", range(60))
def test_damaged_text_gives_diagnostics_and_nothing_else(seed: int) -> None:
    random = Random(seed)
    text = random.choice(sorted(EXAMPLES.glob("*.rel"))).read_text()
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(text))
        text = (
            text[:at]
            + random.choice(["", "(", "}", ";", "'", " x ", "->", "7", "é"])
            + text[at + random.randint(0, 9) :]
        )
    for diagnostic in LANGUAGE.lint("m.rel", text, LoadOptions()):
        assert diagnostic.span.line >= 1
