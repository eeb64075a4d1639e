"""Excerpts of source lines that are too long for any terminal."""

from __future__ import annotations

from clew.core.diagnostics import Diagnostic, Severity, Span
from clew.report.diagnostics import diagnostics_text


def excerpt(line: str, column: int, length: int = 1) -> list[str]:
    found = Diagnostic(Severity.ERROR, "code", "message", Span("m.pml", 1, column, length))
    return diagnostics_text([found], sources={"m.pml": line}).splitlines()[1:]


def test_what_is_around_the_mark_is_shown() -> None:
    source, carets = excerpt("a" * 5000 + "b" + "c" * 5000, 5001)
    assert len(source) < 200
    assert source[carets.index("^")] == "b"
    assert source.count("…") == 2


def test_a_mark_that_is_too_long_is_cut() -> None:
    source, carets = excerpt("a" * 5000, 1, 5000)
    assert len(source) < 200 and len(carets) < 200


def test_a_line_that_fits_is_shown_as_it_is() -> None:
    assert excerpt("x = 1", 5) == ["    1 │ x = 1", "      │     ^"]
