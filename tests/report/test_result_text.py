"""The report of a check: what is left out of it."""

from __future__ import annotations

from dataclasses import replace

from clew.core.decisions import BREAKDOWN
from clew.core.diagnostics import Diagnostic, Severity, Span
from clew.core.properties import Property
from clew.core.results import Decision, Evidence, Result, Statistics
from clew.report.result_json import result_json
from clew.report.result_text import SHOWN_WARNINGS, check_text, count_line, count_text, figures_line, quiet_line
from clew.report.trace_text import short_reason


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


def undecided(*reasons: str) -> Result:
    """Each property is unknown for one of these reasons."""
    names = ("assertions", "deadlock")
    nothing = Evidence("none", "")
    pairs = zip(names, reasons, strict=True)
    decisions = tuple(Decision(Property(name, "assertion", ""), "unknown", why, nothing) for name, why in pairs)
    return Result("m.pml", "promela", "native", {}, decisions, Statistics())


def test_the_quiet_line_says_why_an_answer_is_not_known() -> None:
    assert quiet_line(undecided("limit hit: time", "limit hit: time")) == "m.pml: unknown (limit hit: time)"
    assert quiet_line(undecided("limit hit: time", "a cycle")) == "m.pml: unknown (limit hit: time; a cycle)"
    assert quiet_line(with_warnings(0)) == "old.pml: holds"


def waiting(count: int) -> str:
    places = (f"P({n}) at dir/m.pml:{n + 3}:6" for n in range(count))
    return f"invalid end state: {', '.join(places)} wait"


def test_of_many_processes_that_wait_the_first_are_named() -> None:
    files = {"dir/m.pml": "m.pml"}
    assert short_reason(waiting(17), files) == (
        "invalid end state: P(0) at m.pml:3:6, P(1) at m.pml:4:6, P(2) at m.pml:5:6 and 14 more wait"
    )
    assert short_reason(waiting(4), files) == waiting(4).replace("dir/", "")  # "and 1 more" would say less


def test_figures_that_are_not_counted_are_not_shown() -> None:
    """By engines over sets of states."""
    assert figures_line(Statistics(states=81, stored=81, seconds=2, complete=True)) == "  81 states, 2.00 s"


def counted(statistics: Statistics, *limits: str) -> Result:
    return Result("m.pml", "promela", "native", {}, (), statistics, limits)


def test_a_quiet_count_is_one_line_that_says_what_ended_it() -> None:
    figures = Statistics(states=5, stored=5, transitions=6, depth=1, seconds=2)
    assert count_line(counted(replace(figures, complete=True))) == "m.pml: 5 states, 6 transitions, depth 1, 2.00 s"
    assert count_line(counted(figures, "time")) == (
        "m.pml: 5 states, 6 transitions, depth 1, 2.00 s, stopped by the limit on time (--max-time)"
    )


def test_figures_that_are_not_counted_are_null() -> None:
    sets = result_json(counted(Statistics(states=81, stored=81, seconds=2, complete=True)))["statistics"]
    assert (sets["states"], sets["transitions"], sets["depth"], sets["peak_bytes"]) == (81, None, None, None)
    solver = result_json(counted(Statistics(seconds=2, complete=True)))["statistics"]
    assert (solver["states"], solver["stored"], solver["transitions"]) == (None, None, None)


def test_a_limit_on_memory_that_no_search_can_keep_says_what_is_needed() -> None:
    figures = Statistics(states=1, peak_bytes=30 << 20)
    result = replace(undecided("limit hit: memory", "limit hit: memory"), limits_hit=("memory",), statistics=figures)
    assert "the search takes 30 MB before it begins: --max-memory has to be more" in check_text(result)
    larger = replace(result, statistics=replace(figures, states=2000))
    assert "before it begins" not in check_text(larger)


def test_the_line_of_a_count_says_that_a_run_time_error_hides_states() -> None:
    result = Result(
        "m.pml", "promela", "native", {}, (), Statistics(1, 1, 0, 0, 0.5, complete=True), notes=(BREAKDOWN,)
    )
    assert count_line(result).endswith(", nothing behind run-time errors")
    assert "nothing behind them was explored" in count_text(result)
