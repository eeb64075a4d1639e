"""The report of a check: what is left out of it."""

from __future__ import annotations

from clew.core.diagnostics import Diagnostic, Severity, Span
from clew.core.results import Result, Statistics
from clew.report.result_text import SHOWN_WARNINGS, check_text, count_text


def with_warnings(count: int) -> Result:
    found = (Diagnostic(Severity.WARNING, "code", f"warning {n}.", Span("old.pml", n)) for n in range(1, count + 1))
    return Result("old.pml", "promela", "native", {}, (), Statistics(complete=True), warnings=tuple(found))


def test_of_many_warnings_the_first_are_shown() -> None:
    """An old model of 1991 has more than a hundred."""
    for text in (check_text(with_warnings(130)), count_text(with_warnings(130))):
        assert f"warning {SHOWN_WARNINGS}." in text and f"warning {SHOWN_WARNINGS + 1}." not in text
        assert text.endswith("125 more warnings: clew lint old.pml")


def test_few_warnings_are_shown_and_all_if_asked_for() -> None:
    assert "more warning" not in check_text(with_warnings(SHOWN_WARNINGS))
    assert "warning 130." in check_text(with_warnings(130), detail=1)
