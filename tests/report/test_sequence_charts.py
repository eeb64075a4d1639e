"""Sequence charts: in text, for Mermaid, for PlantUML."""

from __future__ import annotations

from dataclasses import replace

from clew.core.traces import Message, Trace
from clew.report import mermaid, plantuml
from clew.report.chart_text import chart_text
from clew.report.sequence import Action, Arrow, sequence_chart
from tests.report.example import FINAL, INITIAL, LASSO, STEPS, TRACE


def test_handshake_is_an_arrow_and_a_buffered_message_is_sent_and_received() -> None:
    events = sequence_chart(TRACE).events
    assert events[0] == Arrow(1, 1, 0, "c: req,3", waited=False)
    assert events[1] == Action(2, 0, "q!ack", "send")
    assert events[2] == Arrow(3, 0, 1, "q: ack", waited=True)
    assert events[3] == Action(4, 1, "done; 100%", "output")
    assert events[4] == Action(6, 0, "assertion violated: x == 1", "error")


def test_a_message_that_was_there_from_the_beginning_has_no_sender() -> None:
    (event,) = sequence_chart(Trace(INITIAL, STEPS[2:3], FINAL)).events
    assert event == Action(1, 0, "q?ack", "receive")


def test_a_receive_that_leaves_the_message_does_not_use_it_up() -> None:
    look = replace(STEPS[2], changes={})
    events = sequence_chart(Trace(INITIAL, (STEPS[1], look, STEPS[2]), FINAL)).events
    assert [isinstance(e, Arrow) for e in events] == [False, True, True]


def test_without_messages_every_step_is_shown() -> None:
    silent = tuple(replace(step, message=None, partner=None) for step in STEPS)
    assert len(sequence_chart(Trace(INITIAL, silent, FINAL)).events) >= len(STEPS)
    assert len(sequence_chart(TRACE, every_step=True).events) > len(sequence_chart(TRACE).events)


def test_chart_in_text() -> None:
    assert (
        chart_text(sequence_chart(TRACE))
        == """\
     server(0)       client(1)
         │               │
  1      │◀── c: req,3 ──┤
  2      ○ q!ack         │
  3      ├┄┄┄ q: ack ┄┄┄▶│
  4      │               » done; 100%
  6      ✗               │  assertion violated: x == 1
         │               │"""
    )


def test_arrow_across_a_lane() -> None:
    third = replace(STEPS[0], pid=2, process="late", message=Message("handshake", "c", ("hi",), 2, 0))
    text = chart_text(sequence_chart(Trace(INITIAL, (*STEPS[:1], third), FINAL)))
    assert "◀──" in text.splitlines()[3]
    assert "┼" in text.splitlines()[3]


def test_empty_chart() -> None:
    assert chart_text(sequence_chart(Trace(INITIAL, (), FINAL))) == "nothing happens in this trace"


def test_mermaid() -> None:
    assert (
        mermaid.mermaid(sequence_chart(TRACE))
        == """\
sequenceDiagram
    participant p0 as server(0)
    participant p1 as client(1)
    p1->>p0: c: req,3
    Note over p0: q!ack
    p0--)p1: q: ack
    Note over p1: » done#59; 100%
    Note over p0: ✗ assertion violated: x == 1
"""
    )
    assert "Note over p0,p1: and goes on with step 2" in mermaid.mermaid(sequence_chart(LASSO))


def test_mermaid_escapes_its_own_signs() -> None:
    assert mermaid.escape("a#1; end <b>") == "a#35;1#59; e#110;d #60;b#62;"
    assert mermaid.escape("two\nlines") == "two\\nlines"


def test_plantuml() -> None:
    assert (
        plantuml.plantuml(sequence_chart(TRACE))
        == """\
@startuml
participant "server(0)" as p0
participant "client(1)" as p1
p1 -> p0 : c: req,3
rnote over p0 : q!ack
p0 -->> p1 : q: ack
rnote over p1 : done; 100%
hnote over p0 #FFAAAA : assertion violated: x =<U+003D> 1
@enduml
"""
    )


def test_plantuml_escapes_its_own_signs() -> None:
    assert plantuml.escape('a\\n "b" <c> i-- **') == (
        "a<U+005C>n <U+0022>b<U+0022> <U+003C>c<U+003E> i-<U+002D> *<U+002A>"
    )
