"""Channels, values and errors: sheet 35, section 8."""

from __future__ import annotations

import pytest

from clew.core.expressions import Channel, Conditional, Const, Expr, Fill, Length, Match, Poll, Ref, Unary
from clew.core.interpreter.evaluate import compile_expression
from clew.core.interpreter.program import Program
from clew.core.interpreter.state import Context
from clew.core.statements import Assert, Print
from clew.core.types import BIT, BYTE, CHANNEL, INT, SHORT, Array, Int, Record, Scalar
from tests.core.build import (
    SKIP,
    Choice,
    Element,
    Loop,
    Merged,
    Model,
    at,
    eq,
    ex,
    let,
    local,
    op,
    recv,
    run,
    send,
    when,
)
from tests.core.counts import count, violations


@pytest.mark.parametrize(("lossy", "figures"), [(False, (2, 0)), (True, (5, 0))])
def test_c1_a_full_channel_blocks_or_loses(lossy: bool, figures: tuple[int, int]) -> None:
    m = Model()
    q = m.chan("q", 1)
    m.process("P", [send(q, n, lossy=lossy) for n in (1, 2, 3)])
    assert count(m.network()) == figures


@pytest.mark.parametrize(("sorted_", "figures"), [(True, (10, 2)), (False, (16, 0))])
def test_c2_sorted_send(sorted_: bool, figures: tuple[int, int]) -> None:
    m = Model()
    q = m.chan("q", 3, BYTE, BYTE)
    a, b, c = (send(q, x, y, sorted=sorted_) for x, y in ((2, 1), (1, 9), (2, 0)))
    m.process("P", [Choice([[a, b, c], [b, c, a], [c, a, b]]), when(eq(Length(Ref(q)), 3))])
    assert count(m.network()) == figures


def test_c3_random_receive_takes_the_first_that_matches() -> None:
    m = Model()
    q, x = m.chan("q", 3, BYTE, BYTE), m.var("x")
    sends = [send(q, a, b) for a, b in ((1, 5), (2, 6), (1, 7))]
    one, two = recv(q, 1, x, anywhere=True), recv(q, 2, x, anywhere=True)
    m.process("P", [*sends, one, when(eq(x, 5)), two, when(eq(x, 6))])
    assert count(m.network()) == (9, 0)


def test_c4_fields_are_cut_to_their_types() -> None:
    m = Model()
    q, x, y = m.chan("q", 1, BIT, BIT), m.var("x", INT), m.var("y", INT)
    m.process("P", [send(q, 2, 3), recv(q, x, y), when(op(eq(x, 0), "&&", eq(y, 1)))])
    assert count(m.network()) == (5, 0)


@pytest.mark.parametrize(("field", "figures"), [(BYTE, (2, 0)), (INT, (6, 0))])
def test_c6_the_stored_value_is_compared(field: Scalar, figures: tuple[int, int]) -> None:
    m = Model()
    q, x = m.chan("q", 1, field), m.var("x", INT)
    m.process("P", [send(q, -1), recv(q, -1), let(x, 1), when(eq(x, 1))])
    assert count(m.network()) == figures


def test_c8_values_wrap_when_stored_not_before() -> None:
    m = Model()
    x = m.var("x", initial=200)
    tests: list[Element] = [
        when(eq(op(x, "+", 100), 300)),
        let(x, op(x, "+", 100)),
        when(eq(x, 44)),
        when(op(Unary("-", Ref(x)), "<", 0)),
        when(eq(Unary("~", Ref(x)), -45)),
    ]
    m.process("P", tests)
    assert count(m.network()) == (7, 0)


def test_c10_later_subscripts_see_earlier_fields() -> None:
    m = Model()
    q, i, a = m.chan("q", 1, BYTE, BYTE), m.var("i"), m.var("a", Array(BYTE, 4))
    m.process("P", [send(q, 2, 7), recv(q, i, at(a, i)), when(eq(at(a, 2), 7)), SKIP])
    assert count(m.network()) == (6, 0)


def test_v1_vacated_slots_leave_no_trace() -> None:
    m = Model()
    q = m.chan("q", 2)
    drop = recv(q, None)
    m.process("P", [Loop([[send(q, 1), drop], [send(q, 2), drop], [send(q, 3), send(q, 4), drop, drop]])])
    assert count(m.network()) == (6, 3)


def test_reading_without_removing_and_polls() -> None:
    m = Model()
    q, x = m.chan("q", 2), m.var("x")
    poll = Poll(Ref(q), (Match(Const(3)),), False)
    anywhere = Poll(Ref(q), (Match(Const(4)),), True)
    m.process(
        "P",
        [
            Assert(eq(poll, 0)),
            send(q, 3),
            Assert(Fill("nfull", Ref(q))),
            send(q, 4),
            Assert(op(Fill("full", Ref(q)), "&&", Fill("nempty", Ref(q)))),
            Assert(op(poll, "&&", anywhere)),
            recv(q, x, keep=True),
            Assert(op(eq(x, 3), "&&", eq(Length(Ref(q)), 2))),
        ],
    )
    assert violations(m.network()) == {}


def test_an_array_of_channels_and_channels_sent_over_channels() -> None:
    m = Model()
    q = m.chan("q", 1, CHANNEL, size=2)
    r = m.var("r", CHANNEL)
    m.process(
        "P",
        [
            send(at(q, 0), at(q, 1)),
            recv(at(q, 0), r),
            send(r, 0),
            Assert(eq(Length(at(q, 1)), 1)),
        ],
    )
    assert violations(m.network()) == {}


# --- arithmetic


def value(expr: Expr) -> int:
    program = Program(Model().network())
    return compile_expression(expr, program)(Context.reading(program, program.initial_state()))


@pytest.mark.parametrize(
    ("left", "operator", "right", "expected"),
    [
        (2147483647, "+", 1, -2147483648),
        (-2147483648, "-", 1, 2147483647),
        (65536, "*", 65536, 0),
        (-7, "/", 2, -3),
        (-7, "%", 2, -1),
        (7, "%", -2, 1),
        (-2147483648, "/", -1, -2147483648),
        (-8, ">>", 1, -4),
        (1, "<<", 31, -2147483648),
        (1, "<<", 33, 2),
        (6, "&", 3, 2),
        (6, "|", 3, 7),
        (6, "^", 3, 5),
        (0, "&&", 1, 0),
        (5, "&&", 7, 1),
        (0, "||", 9, 1),
    ],
)
def test_c_arithmetic(left: int, operator: str, right: int, expected: int) -> None:
    assert value(op(left, operator, right)) == expected


def test_short_circuit_and_conditional_evaluate_one_side() -> None:
    failing = op(1, "/", 0)
    assert value(op(0, "&&", failing)) == 0
    assert value(op(1, "||", failing)) == 1
    assert value(Conditional(ex(0), failing, ex(3))) == 3


@pytest.mark.parametrize(
    ("type_", "stored", "read"),
    [(BYTE, -1, 255), (SHORT, 32768, -32768), (BIT, 2, 0), (Int("unsigned", 3), 9, 1), (INT, -5, -5)],
)
def test_stores_wrap(type_: Scalar, stored: int, read: int) -> None:
    m = Model()
    x = m.var("x", type_)
    m.process("P", [let(x, stored), Assert(eq(x, read))])
    assert violations(m.network()) == {}


def test_records_are_laid_out_in_order() -> None:
    m = Model()
    inner = Record("In", (("a", BYTE), ("b", Array(BYTE, 2))))
    t = m.var("t", Array(Record("T", (("x", BYTE), ("y", inner))), 2))
    part = Ref(t, (ex(1), "y", "b", ex(1)))
    m.process("P", [let(part, 9), Assert(eq(part, 9))])
    network = m.network()
    assert network.frame == 8
    assert violations(network) == {}


# --- errors


def test_an_index_out_of_range_is_reported_where_it_happens() -> None:
    m = Model()
    a, i = m.var("a", Array(BYTE, 2)), m.var("i")
    m.process("P", [let(i, 2), let(at(a, i), 1)])
    assert violations(m.network())["runtime-error"] == ("index 2 of 'a' is out of range 0..1", 2)


def test_a_guard_that_fails_counts_as_executable() -> None:
    m = Model()
    x = m.var("x")
    m.process("P", [when(op(1, "%", x))])
    found = violations(m.network())
    assert found == {"runtime-error": ("remainder of a division by zero", 1)}


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (send(Const(0), 1), "use of an uninitialised channel"),
        (send(Const(1), 1, 2), "2 values sent to a channel whose messages have 1"),
        (when(Poll(Const(2), (Match(Const(1)),), False)), "a handshake channel cannot be polled"),
        (recv(Const(2), None, keep=True), "a handshake channel cannot be polled"),
    ],
)
def test_misuse_of_channels(statement: object, message: str) -> None:
    m = Model()
    m.chan("q", 1)
    m.chan("r", 0)
    m.process("P", [statement])  # type: ignore[list-item]
    assert violations(m.network())["runtime-error"] == (message, 1)


def test_a_failed_assertion_is_recorded_and_the_run_goes_on() -> None:
    m = Model()
    x = m.var("x")
    m.process("P", [Merged((Assert(eq(x, 1)), let(x, 2))), Assert(eq(x, 2))])
    assert violations(m.network()) == {"assertion": ("assertion violated: x == 1", 1)}
    assert count(m.network()) == (4, 0)


def test_printing_evaluates_its_arguments() -> None:
    m = Model()
    a = m.var("a", Array(BYTE, 1))
    m.process("P", [Print("%d", (at(a, 5),))])
    assert "runtime-error" in violations(m.network())


def test_too_many_channels() -> None:
    m = Model()
    q = local("B", "q", 0, CHANNEL, Channel("q", 1, (BYTE,)))
    m.process("B", [when(0)], [q], active=0)
    m.process(":init:", [run("B"), run("B")])
    found = violations(m.network(max_channels=1))
    assert found["runtime-error"] == ("too many channels (at most 1)", 2)
