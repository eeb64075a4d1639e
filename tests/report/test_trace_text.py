"""Traces as text."""

from __future__ import annotations

from dataclasses import replace

from clew.core.diagnostics import Span
from clew.core.traces import Trace
from clew.report.style import PLAIN, Style
from clew.report.trace_text import TraceOptions, trace_text
from tests.report.example import FINAL, INITIAL, LASSO, STEPS, TRACE


def test_steps_with_process_place_statement_message_and_changes() -> None:
    sources = {"models/ring.pml": "\n" * 7 + "  :: else -> skip\n"}
    expected = """\
  1   client(1)  ring.pml:20  c!req(n)  hands req,3 to server(0) on c
    ↳ server(0)  ring.pml:4   c?req(m)
                              x = 1
  2   server(0)  ring.pml:5   q!ack     sends ack on q
                              q = [ack]
  3 ╭ client(1)  ring.pml:21  q?ack     receives ack from q
                              q = []
  4 │ client(1)  ring.pml:22  printf("done; 100%\\n")
                              prints done; 100%
  5 ╰ client(1)  ring.pml:23  -end-
                              client(1) ends
  6   server(0)  ring.pml:6   assert(x == 1)
                              x = 2
                              ✗ assertion violated: x == 1
  final state
    x = 2  q = []
    server(0)  at ring.pml:8   :: else -> skip"""
    assert trace_text(TRACE, PLAIN, sources) == expected


def test_full_shows_all_variables_after_each_step() -> None:
    text = trace_text(TRACE, options=TraceOptions(full=True))
    assert text.startswith("  initial state\n    x = 0  q = []  client(1).n = 3\n")
    assert "x = 1  q = [ack]  client(1).n = 3\n" in text


def test_a_loop_says_where_it_goes_back_to() -> None:
    lines = trace_text(LASSO).splitlines()
    assert lines[3] == "  ── from here on the run repeats ──"
    assert "  ── and goes on with step 2 ──" in lines
    assert "  ✗ the cycle has no progress" in lines


def test_a_long_trace_is_shown_without_its_middle() -> None:
    long = Trace(INITIAL, STEPS[1:2] * 500, FINAL)
    lines = trace_text(long, options=TraceOptions(at_most=100)).splitlines()
    assert sum("q!ack" in line for line in lines) == 100
    assert "  … 400 steps left out; clew trace shows them all" in lines


def test_files_with_the_same_name_keep_their_folders() -> None:
    other = replace(STEPS[1], span=Span("lib/ring.pml", 5))
    text = trace_text(Trace(INITIAL, (STEPS[0], other), FINAL))
    assert "models/ring.pml:20" in text
    assert "lib/ring.pml:5" in text


def test_variables_are_wrapped_to_the_width() -> None:
    many = {f"variable{n}": str(n) for n in range(40)}
    text = trace_text(Trace(INITIAL, (), replace(FINAL, values=many)), Style(width=60))
    assert max(map(len, text.splitlines())) <= 60
    assert all(f"variable{n} = {n}" in text for n in range(40))


def test_control_characters_cannot_spoil_the_terminal() -> None:
    nasty = replace(STEPS[3], output=("a\x1b[2J\n",))
    assert "prints a\\x1b[2J" in trace_text(Trace(INITIAL, (nasty,), FINAL))
