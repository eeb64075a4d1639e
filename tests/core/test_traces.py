"""Traces: what a step says about itself, and their JSON form."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.core.diagnostics import Span
from clew.core.expressions import Const, Ref
from clew.core.interpreter import NetworkSpace, Unsupported
from clew.core.statements import ForeignCode, Print
from clew.core.traces import (
    Message,
    ProcessView,
    Trace,
    TraceState,
    TraceStep,
    trace_from_json,
    trace_to_json,
)
from clew.core.types import BYTE, Enum
from tests.core.build import SKIP, Atomic, Merged, Model, let, local, recv, run, send

MTYPE = Enum("mtype", ((1, "ack"), (2, "msg")))


def first_step(m: Model) -> TraceStep:
    space = NetworkSpace(m.network())
    (start,) = space.initial()
    move = space.moves(start)[0]
    return space.explain(start, move, space.fire(start, move).state)


def test_a_send_shows_its_message_and_the_channel() -> None:
    m = Model()
    q = m.chan("q", 2, MTYPE, BYTE)
    m.process("P", [send(q, 2, 7)])
    step = first_step(m)
    assert step.message == Message("send", "q", ("msg", "7"), sender=0)
    assert step.changes == {"q": ("[]", "[(msg,7)]")}
    assert (step.pid, step.process, step.text) == (0, "P", "Send")


def test_a_handshake_names_both_sides() -> None:
    m = Model()
    q = m.chan("q", 0, MTYPE)
    x = local("R", "x", type_=MTYPE)
    m.process("S", [send(q, 1)])
    m.process("R", [recv(q, x)], [x])
    step = first_step(m)
    assert step.message == Message("handshake", "q", ("ack",), 0, 1)
    assert (step.partner, step.partner_process, step.partner_text) == (1, "R", "Receive")
    assert step.changes == {"R(1).x": ("0", "ack")}


def test_creation_and_removal_show_as_variables_that_come_and_go() -> None:
    m = Model()
    x = local("P", "x")
    m.process("P", [SKIP], [x], active=0, parameters=1)
    m.process(":init:", [run("P", 3)])
    step = first_step(m)
    assert step.process == "init"
    assert step.changes == {"P(1).x": (None, "3")}


def test_output_is_formatted() -> None:
    m = Model()
    c = m.var("c", MTYPE, initial=2)
    args = (Const(-1), Const(255), Const(8), Const(65), Ref(c), Const(-1))
    m.process("P", [Merged((Print("%d %x %o %c %e %u 100%%\\n", args), Print("plain", ())))])
    assert first_step(m).output == ("-1 ff 10 A msg 4294967295 100%\n", "plain")


def test_steps_inside_atomic_are_marked() -> None:
    m = Model()
    g = m.var("g")
    m.process("P", [Atomic([let(g, 1), let(g, 2)])])
    space = NetworkSpace(m.network())
    (start,) = space.initial()
    (move,) = space.moves(start)
    middle = space.fire(start, move).state
    assert middle is not None
    assert space.explain(start, move, middle).transient
    assert space.describe(middle).control == 0


def test_embedded_c_without_a_runner_is_refused() -> None:
    m = Model()
    m.process("P", [ForeignCode("x++;")])
    network = m.network()
    with pytest.raises(Unsupported):
        NetworkSpace(network)


# --- JSON

texts = st.text(max_size=8)
numbers = st.integers(0, 99)
spans = st.builds(Span, texts, numbers, numbers, numbers)
maybe = st.none() | numbers
states = st.builds(
    TraceState,
    st.dictionaries(texts, texts, max_size=3),
    st.lists(st.builds(ProcessView, numbers, texts, numbers, spans, numbers), max_size=2).map(tuple),
    maybe,
)
messages = st.builds(Message, texts, texts, st.lists(texts, max_size=3).map(tuple), maybe, maybe)
steps = st.builds(
    TraceStep,
    pid=numbers,
    process=texts,
    step=numbers,
    span=spans,
    text=texts,
    partner=maybe,
    partner_process=texts,
    partner_step=maybe,
    partner_span=st.none() | spans,
    partner_text=texts,
    message=st.none() | messages,
    output=st.lists(texts, max_size=2).map(tuple),
    changes=st.dictionaries(texts, st.tuples(st.none() | texts, st.none() | texts), max_size=3),
    transient=st.booleans(),
    note=texts,
    parts=st.lists(spans, max_size=2).map(tuple),
)
traces = st.builds(Trace, states, st.lists(steps, max_size=3).map(tuple), states, texts, maybe)


@given(traces)
@settings(max_examples=50)
def test_json_gives_the_same_trace_back(trace: Trace) -> None:
    assert trace_from_json(json.loads(json.dumps(trace_to_json(trace)))) == trace


@pytest.mark.parametrize("data", [{}, {"schema": "clew.trace/1"}, {"schema": "clew.trace/1", "initial": 3}, []])
def test_what_is_no_trace_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match="not a trace"):
        trace_from_json(data)  # type: ignore[arg-type]
